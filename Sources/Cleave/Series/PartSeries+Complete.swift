public import Posix

extension PartSeries {
  /// The series without stale parts, once every part of it is known to be there.
  ///
  /// Without a manifest, the part with the highest number is the last, unless names tell of a total.
  /// With one, the highest number that it names is: a part behind that is left over from a longer
  /// series, and so is a part 0 that the manifest does not name.
  ///
  /// - Parameter names: the names of parts that a manifest promises, in any order. Names that are
  ///   not of this series are ignored; if none is, there is no manifest.
  /// - Parameter total: how many parts there are, where a manifest that names none tells it.
  /// - Parameter startsAsNamed: whether the lowest number that the names have is the first part's.
  /// - Parameter bounds: what the user says of the first and the last part; parts that are not between
  ///   them are left out.
  /// - Parameter isThere: whether a file is there under one of the names, of which those that are counted otherwise
  ///   than this series are missing where none is; nil where these do not matter.
  /// - Returns: the series to read, whose parts are all regular files, and the stale parts, both by
  ///   number.
  /// - Throws: `.missingInput`, with one line that names all the missing parts, or the first part
  ///   that is no regular file; `.badData` for bounds that are no part's, and more parts than there are
  ///   numbers.
  public func requireComplete(
    named names: PathList? = nil,
    total: Int64? = nil,
    startsAsNamed: Bool = false,
    bounds: Bounds = Bounds(),
    isThere: ((FilePath) -> Bool)? = nil
  ) throws(CleaveError) -> (series: PartSeries, stale: Parts) {
    let limits = try limits(bounds)
    let total = total ?? form.total
    if let total, !Self.numbers.contains(total) {
      throw CleaveError(.badData, base, "cannot have \(total) parts: no name has such a number")
    }
    let promised = promised(names ?? [])
    if let names, let isThere, promised.count < names.count {
      try requireOthers(names, isThere: isThere)
    }
    let start = startsAsNamed ? promised.map(\.number).min() : nil
    let series = reduced(to: promised, total, limits, from: start).within(limits)
    let missing = series.missing(limits)
    if var error = missing.error(of: series.base, { series.name(series.numbering.number(at: $0)) })
    {
      if let place = missing.ranges.first?.lowerBound {
        error.text += Sentence(
          neighbours.hint(for: name(numbering.number(at: place)).lastComponent)
        )
        // A part without a number may be the only one in front; many are where numbers begin later.
        let mayBeginLater =
          missing.count > 1
          || place == 0 && form.style.firsts == 0...0 && numbering.alphabet != .letters
        if mayBeginLater, bounds.first == nil, missing.ranges.count == 1,
          let first = series.parts.first, place < numbering.place(of: first.number) ?? 0,
          !promised.contains(where: { $0.number < first.number })
        {
          let label = label(first.number)
          error.text += "; \(.first(label)) begins with \(first.path.lastComponent)"
        }
      }
      // What is far behind may have a year or a date.
      if bounds.last == nil, promised.isEmpty, missing.ranges.count == 1, missing.count > 100 {
        let place = numbering.number(at: missing.ranges[0].lowerBound)
        let index = series.parts.numbers.firstIndex { $0 > place }
        if let index, index > 1, missing.count > index,
          Self.years.contains(series.parts[index].number) || series.parts[index].number > 100_000
        {
          let other = series.parts[index].path.lastComponent
          let more = index < series.parts.count - 1 ? " and what is behind it" : ""
          error.text +=
            "; \(.last(label(series.parts[index - 1].number))) leaves \(other)\(more) out"
        }
      }
      throw error
    }
    if let index = series.parts.files.statuses.firstIndex(where: { $0.kind != .regular }) {
      let part = series.parts[index]
      throw CleaveError(.missingInput, part.path, "is \(part.status.kind), not a regular file")
    }
    if series.parts.count == parts.count { return (series, Parts()) }
    let kept = Set(series.parts.numbers)
    return (series, parts.keeping { !kept.contains($0) && limits.contains($0) })
  }

  private static let years: ClosedRange<Int64> = 1900...2199

  /// What is not there between the first and the last part that are known of.
  private func missing(_ limits: Limits) -> MissingParts {
    let places = parts.numbers.lazy.compactMap { [numbering] in numbering.place(of: $0) }
    let from = numbering.place(of: limits.first ?? first) ?? first
    let to = numbering.place(of: limits.last ?? last) ?? last
    return MissingParts(in: from...max(from, to), present: places)
  }

  /// The digits of the names that are of this series.
  private func promised(_ names: PathList) -> [PartDigits] {
    let found = names.compactMap(promised)
    guard form.digits.alphabet == .letters, !found.isEmpty else { return found }
    return Siblings.withoutWords(found.sorted { $0.number < $1.number })
  }

  /// The digits of a name that is of this series; nil of any other.
  private func promised(_ name: FilePath) -> PartDigits? {
    guard let digits = form.digits(of: name, folding: true) else { return nil }
    let isOfWidth = Numbering(alphabet: digits.alphabet, width: width, isWidening: false)
      .contains(digits)
    return isOfWidth || digits.alphabet != .decimal && numbering.contains(digits) ? digits : nil
  }

  /// - Throws: `.missingInput` where some of the names that a manifest has for parts are not there, and are counted
  ///   otherwise than this series: as in the digits and letters behind `f.09`, or wider than `x.yz`.
  private func requireOthers(_ names: PathList, isThere: (FilePath) -> Bool) throws(CleaveError) {
    var known = PathSet()
    let others = names.filter { name in
      if promised(name) != nil || isThere(name) { return false }
      // Of those with more digits or fewer, only what it would have grown into.
      if let digits = form.digits(of: name, folding: true) {
        let rule = Numbering.widening(digits.alphabet)
        guard rule.width == width, digits.width > width, rule.contains(digits) else { return false }
      }
      return known.insert(name)
    }
    guard let first = others.first, let last = others.last else { return }
    let range = others.count == 1 ? "\(first)" : "\(first) to \(last)"
    var error = CleaveError(
      .missingInput,
      base,
      "\(others.count.counted("part is", "parts are")) missing: \(range)"
    )
    error.missingCount = Int64(others.count)
    error.missing = others.prefix(MissingParts.mostRangesNamed).map { base.sibling($0) }
    throw error
  }

  /// The series that goes as far as the promised names or the total, and is numbered as they are; what
  /// limits take in besides is in it, too.
  private func reduced(
    to promised: [PartDigits],
    _ total: Int64?,
    _ limits: Limits,
    from start: Int64?
  ) -> PartSeries {
    var numbers = promised.map(\.number)
    var rule = numbering
    if promised.isEmpty {
      guard let total, total > 0 else { return self }
      // No name can have a higher number.
      let highest = (form.digits.alphabet.powers.last ?? .max) - 1
      // bounded: at most the highest number
      numbers = [first, total > highest - first ? highest : first + total - 1]
    } else {
      rule = Numbering.of(promised, width: width)
    }
    let full = with(parts, rule, numbers, first: start)
    let to = max(numbers.max() ?? full.last, limits.last ?? 0)
    let from = min(full.first, limits.first ?? full.first)
    let kept = parts.keeping { $0 >= from && $0 <= to && rule.place(of: $0) != nil }
    if limits.first != nil || limits.last != nil { numbers.append(contentsOf: kept.numbers) }
    return with(kept, rule, numbers, first: start)
  }

  private func within(_ limits: Limits) -> PartSeries {
    let kept = parts.keeping { limits.contains($0) }
    if kept.count == parts.count { return self }
    return with(kept, numbering, kept.numbers, first: first)
  }

  private func with(
    _ parts: Parts,
    _ numbering: Numbering,
    _ numbers: [Int64],
    first: Int64?
  ) -> PartSeries {
    PartSeries(
      form,
      base: base,
      numbering: numbering,
      parts: parts,
      numbers: numbers,
      first: first,
      foreign: foreign,
      others: others,
      neighbours: neighbours
    )
  }
}
