public import Posix

/// The names that split gives to parts.
public struct PartNaming: Sendable {
  /// What the manifest is named after: what merging calls the parts' whole, if nothing tells another
  /// name, or the last part of a split zip.
  public let prefix: FilePath
  private let style: Style

  private enum Style: Sendable {
    /// PREFIX.001 and so on: what is in front of the digits, and how much of that is between both.
    case suffixed(PartSuffixes, Numbering, head: FilePath, separator: String)
    /// PREFIX.z01 … PREFIX.zip, of so many parts.
    case splitZip(SplitZipSeries, count: Int)
  }

  /// - Parameters:
  ///   - prefix: what the parts' names begin with.
  ///   - isTyped: whether the user has typed it for that purpose: one that ends in a dot, a dash or an
  ///     underscore then has the suffix directly behind it, and so has any where suffixes are those of
  ///     GNU `split`.
  ///   - suffixes: what is behind it.
  public init(_ prefix: FilePath, isTyped: Bool, _ suffixes: PartSuffixes = PartSuffixes()) {
    let found = isTyped ? Self.separator(of: prefix.lastComponent) : nil
    let base = found == nil ? prefix : FilePath(bytes: prefix.bytes.dropLast())
    let separator = found ?? (isTyped && suffixes.isDirect ? "" : ".")
    self.prefix = FilePath(bytes: base.bytes + suffixes.ending.bytes)
    style = .suffixed(
      suffixes,
      suffixes.numbering(nil, isAsked: false),
      head: base.adding(separator),
      separator: separator
    )
  }

  /// What a name ends in that need not be put between it and a number.
  private static func separator(of name: FilePath) -> String? {
    let rest = FilePath(bytes: name.bytes.dropLast())
    guard rest != "", rest != ".", rest != ".." else { return nil }
    return [".", "-", "_"].first { name.ends(in: $0) }
  }

  /// - Parameter file: the zip.
  /// - Parameter given: a prefix with or without `.zip`; without one the parts are beside the file
  ///   under another name, since it has the last part's.
  public init(splitZip file: FilePath, _ given: FilePath?) {
    let series = SplitZipSeries(naming: given ?? file, like: file, given == nil ? ".split" : "")
    prefix = series.lastName
    style = .splitZip(series, count: 0)
  }

  private init(_ prefix: FilePath, _ style: Style) {
    self.prefix = prefix
    self.style = style
  }

  /// The same names for so many parts.
  ///
  /// - Parameter isAsked: whether so many were asked for, and not parts of some size.
  func counting(_ count: Int, isAsked: Bool) -> PartNaming {
    switch style {
    case .suffixed(let suffixes, _, let head, let separator):
      // Names sort as bytes then.
      let numbering = suffixes.numbering(count, isAsked: isAsked)
      return PartNaming(prefix, .suffixed(suffixes, numbering, head: head, separator: separator))
    case .splitZip(let series, _): return PartNaming(prefix, .splitZip(series, count: count))
    }
  }

  /// Whether parts have suffixes, and are no split zip's.
  var isSuffixed: Bool { if case .suffixed = style { true } else { false } }

  /// Whether parts are counted in decimal numbers from 1 at the end of their names.
  var isCounted: Bool {
    guard case .suffixed(let suffixes, let numbering, _, _) = style else { return false }
    return suffixes.alphabet == .decimal && suffixes.first == 1 && suffixes.ending == ""
      && !numbering.isWidening
  }

  /// The digits of numbers, at least.
  var width: Int {
    if case .suffixed(_, let numbering, _, _) = style { numbering.width } else { 2 }
  }

  /// Between the prefix and the numbers.
  var separator: String {
    if case .suffixed(_, _, _, let separator) = style { separator } else { "." }
  }

  /// The name of a part by its index.
  package func name(_ index: Int) -> FilePath {
    switch style {
    case .suffixed(let suffixes, let numbering, let head, _):
      // bounded: a first number has 12 digits
      let number = numbering.number(at: suffixes.first + Int64(index))
      return FilePath(
        bytes: head.bytes + numbering.digits(of: number) + suffixes.ending.bytes
      )
    case .splitZip(let series, let count):
      return index == count - 1 ? prefix : series.name(Int64(index) + 1)
    }
  }

  /// Whether there are names for so many parts: only decimal numbers may become longer.
  func hasNames(for count: Int) -> Bool {
    guard case .suffixed(let suffixes, let numbering, _, _) = style, suffixes.alphabet != .decimal,
      !numbering.isWidening, count > 0
    else { return true }
    // bounded: a first number has 12 digits
    let last = suffixes.first + Int64(count) - 1
    return suffixes.alphabet.digits(of: last, width: 1).count <= numbering.width
  }

  /// What merging makes of the names of parts, and of those of the lists beside them.
  enum Reading {
    /// Any part leads to all of them, and to no others.
    case found
    /// Some are no part's name by themselves.
    case unknown
    /// Some are taken for other parts.
    case mistaken
  }

  /// - Parameters:
  ///   - count: 0 where it is not known.
  ///   - lists: names beside the parts.
  ///   - isNamed: whether one of them is the prefix and an ending.
  func reading(count: Int, beside lists: [FilePath], isNamed: Bool) -> Reading {
    guard case .suffixed(let suffixes, _, let head, _) = style else { return .found }
    // `p.rar` is the 18th of `p.raa`.
    if suffixes.alphabet != .decimal {
      let most = count == 0 || count > Self.mostRead ? Self.mostRead : count
      let isRefused = (0..<most).lazy.filter { self.hasNames(for: $0 + 1) }.contains {
        NamingStyle.first(of: self.name($0))?.isRefused == true
      }
      if isRefused { return .mistaken }
    }
    let readings = PartName.readings(of: name(0).lastComponent)
    let own = readings.firstIndex { reading in
      // A manifest tells the first of decimal numbers; others have to be there to be taken for digits.
      let isBegun =
        suffixes.alphabet == .decimal || reading.style.firsts.contains(suffixes.first)
      return reading.style.isJoined && reading.head == head.lastComponent && isBegun
        && reading.tail == suffixes.ending && reading.digits.alphabet == suffixes.alphabet
    }
    // Of those that are not known, all have to be read so.
    if own == nil, count == 0 { return .unknown }
    if let own, readings[own].style.isCertain {
      // Where nothing else comes before it, what is there does not matter.
      let isFirst = readings[..<own].allSatisfy {
        ($0.head, $0.tail) == (readings[own].head, readings[own].tail)
      }
      if isFirst, NamingStyle.first(of: name(0).lastComponent)?.isJoined == true { return .found }
    }
    let names = (0..<(count == 0 ? 2 : min(count, Self.mostRead))).map { name($0).lastComponent }
    let listing = DirectoryListing(prefix.directory, names: names + lists.map(\.lastComponent))
    var isUnknown = false
    for index in Set([0, names.count / 2, names.count - 1]) {
      guard let found = PartSeries.likeliest(name(index), among: listing.names) else {
        isUnknown = true
        continue
      }
      // What part of a name is its number does not matter, where that of each is behind that of the last.
      let isOnly = names.count == 1 && found.form.base == prefix.lastComponent
      let isAll = found.members.count == names.count && names.count > 1
      guard isOnly || isAll && found.isWithoutGap && found.form.tail == suffixes.ending else {
        return .mistaken
      }
      // `log.100`, the first of `log.1`, would be the hundredth of `log`.
      let isLate = found.form.head != head.lastComponent && found.members.first?.number ?? 0 > 1
      if isLate, suffixes.alphabet != .letters, !isNamed { return .mistaken }
    }
    return isUnknown ? .unknown : .found
  }

  /// A file that would be counted with the new parts, whose numbers go on in their prefix: `log.099` beside `log.100`, the
  /// first of `log.1`. Nil where there is none.
  ///
  /// - Throws: as ``existing(count:)``.
  func fellow() throws(CleaveError) -> FilePath? {
    guard case .suffixed(let suffixes, _, let head, _) = style, suffixes.alphabet != .letters else {
      return nil
    }
    let own = head.lastComponent.bytes
    let form = PartName.readings(of: name(0).lastComponent).first { form in
      form.style.isCertain && form.digits.alphabet == .decimal && own.starts(with: form.head.bytes)
        && own.count > form.head.bytes.count && form.tail == suffixes.ending
        && own.dropFirst(form.head.bytes.count).allSatisfy(\.isDigit)
    }
    guard let form else { return nil }
    let names = try PartSeries.Existing.names(in: prefix.directory)
    return names.likely(beginning: form.head.bytes, ending: form.tail.bytes).filter { name in
      form.digits(of: name, folding: true) != nil
        && !name.bytes.prefix(own.count).map(\.folded).starts(with: own.map(\.folded))
    }.min().map(prefix.sibling)
  }

  /// Parts enough for numbers of two digits to have become longer.
  private static let mostRead = 1000

  /// The index of the part that would be called so; nil where none would be.
  func index(of path: FilePath) -> Int? {
    let index = digits(of: path).flatMap { self.index(of: $0) }
    return index.flatMap { $0 >= 0 && name($0) == path ? $0 : nil }
  }

  /// What exists under the names of so many parts, and under those of others of the series; lists the
  /// directory once.
  ///
  /// - Throws: `.cannotCreate` where there is no such directory; the error of one that cannot be listed.
  package func existing(count: Int) throws(CleaveError) -> PartSeries.Existing {
    switch style {
    case .suffixed(let suffixes, let numbering, let head, _):
      let names = try PartSeries.Existing.names(in: prefix.directory)
      let alphabet = suffixes.alphabet
      // In either case of letters, since some systems do not tell them apart.
      let likely = names.likely(
        beginning: head.lastComponent.bytes,
        ending: suffixes.ending.bytes,
        around: 1...alphabet.maximumWidth,
        of: alphabet.contains
      )
      var found: [(index: Int, path: FilePath)] = []
      for name in likely {
        // Also a name that now belongs to another series: the new parts could make it theirs.
        guard let digits = digits(of: name), numbering.contains(digits),
          let index = index(of: digits)
        else { continue }
        found.append((index, prefix.sibling(name)))
      }
      found.sort { $0.index < $1.index }
      let isOurs = { (one: (index: Int, path: FilePath)) in (0..<count).contains(one.index) }
      return PartSeries.Existing(
        taken: found.filter { isOurs($0) && $0.path.lastComponent == name($0.index).lastComponent }
          .map(\.path),
        stale: found.filter { !isOurs($0) }.map(\.path)
      )
    case .splitZip(let series, _): return try series.existing(count: count)
    }
  }

  /// The digits of a name that is like a part's, in either case of letters.
  private func digits(of path: FilePath) -> PartDigits? {
    guard case .suffixed(let suffixes, _, let head, _) = style else { return nil }
    let bytes = path.lastComponent.bytes
    let start = head.lastComponent.bytes.count
    guard bytes.count > start + suffixes.ending.bytes.count else { return nil }
    let middle = bytes[start..<(bytes.count - suffixes.ending.bytes.count)]
    return PartDigits(middle, suffixes.alphabet)
  }

  /// The index of a part with these digits; negative in front of the first one.
  private func index(of digits: PartDigits) -> Int? {
    guard case .suffixed(let suffixes, let numbering, _, _) = style else { return nil }
    // bounded: a number and a first one are not negative
    return numbering.place(of: digits.number).map { Int($0 - suffixes.first) }
  }
}
