public import Posix

// Which of the entries are parts.
extension Manifest {
  /// The entries for parts of a series, in the manifest's order.
  ///
  /// - Parameter base: what the parts' names have in common; of a split zip, the last part.
  public func parts(of base: FilePath) -> Entries {
    let name = base.lastComponent
    let numbered = entries.keeping(where: { entry in
      if let part = PartName(entry.name) { return part.base == name }
      guard let part = PartName(hexadecimal: entry.name), part.base == name,
        !isLettered(name, width: part.width),
        // A digit alone may be any letter, but behind 9.
        part.width > 1 || entries.contains(named: base.lastComponent.adding(".9")),
        // `h.ae` behind `h.ad` may be letters.
        part.hasDecimal || part.neighbourOfNine.map(entries.contains(named:)) == true
      else { return false }
      // `h.0b` behind `h.0a`; but `film.db` is something else.
      return part.predecessors.contains { entries.contains(named: $0) }
    })
    // `p.b00` and those behind it may seem to be counted in hexadecimal digits from b00 on.
    if !numbered.isEmpty { return isOfOneSplit ? entries : numbered }
    guard let last = SplitZipName(name), last.place == .last else { return named(for: name) }
    let parts = entries.keeping { SplitZipName($0.name)?.isPart(with: last) ?? false }
    // `NAME.z00` is in front of no split zip, but one of its pieces.
    if !parts.contains(named: name), !parts.isEmpty {
      let pieces = named(for: name)
      if pieces.count > parts.count { return pieces }
    }
    // The last part alone is a whole zip, which may have been cut into pieces.
    return parts.contains { $0.name != name } ? parts : named(for: name)
  }

  /// The same where there may be several series of that name: those that are counted as one of them is.
  func parts(of base: FilePath, like part: FilePath) -> Entries {
    let listed = parts(of: base)
    guard !listed.contains(named: part), entries.contains(named: part) else { return listed }
    let forms = PartName.readings(of: part, for: base.lastComponent)
    let found = forms.map { form in entries.keeping { form.digits(of: $0.name) != nil } }
    return found.max { $0.count < $1.count } ?? listed
  }

  /// The entries for parts of a series, and those that are counted as its files are, however few of them it has: the
  /// files themselves, and what may follow them. None of files that share no name.
  ///
  /// - Parameter areNear: whether what follows is not farther behind them than they are many.
  func parts(of meant: FilesMeant, areNear: Bool = false) -> Entries {
    guard let base = meant.base else { return [] }
    var listed = parts(of: base)
    guard let form = meant.form, let files = meant.files, areNear || listed.count < entries.count
    else { return listed }
    if areNear { listed = listed.keeping { meant.contain($0.name) } }
    let others = entries.indices.lazy.map { entries.name(at: $0) }.filter { name in
      !listed.contains(named: name) && !meant.contain(name)
    }
    let following = PathSet(
      Self.names(Array(others), following: files, counted: form, areNear: areNear)
    )
    return entries.keeping { entry in
      listed.contains(named: entry.name) || meant.contain(entry.name)
        || following.contains(entry.name)
    }
  }

  /// The entries for files that are counted as one of them is: the most that any reading of its name takes for parts of
  /// one file.
  func entries(countedAs name: FilePath) -> Entries {
    PartName.readings(of: name).map { form in
      entries.keeping { form.digits(of: $0.name) != nil }
    }.max { $0.count < $1.count } ?? []
  }

  /// The names that it has for the parts behind `f.z09`, where these are counted in hexadecimal digits: `f.z0a` and so on.
  func lettersBehind(_ form: PartName) -> [FilePath] {
    guard form.digits.alphabet == .decimal, form.width > 1 else { return [] }
    let found = entries.indices.lazy.map { entries.name(at: $0) }.filter(form.isBehindNine)
    return found.contains(where: form.isTen) ? Array(found) : []
  }

  /// Whether parts are called `h.aa`, `h.ab` …: those are hexadecimal numbers, too.
  private func isLettered(_ base: FilePath, width: Int) -> Bool {
    let first = base.adding("." + String(repeating: "a", count: width))
    guard entries.contains(named: first), let part = PartName(hexadecimal: first) else {
      return false
    }
    return !part.predecessors.contains { entries.contains(named: $0) }
  }

  /// More forms than this are not those of one series.
  static let mostForms = 32

  /// The entries of any other family of names that has a whole of this name.
  private func named(for base: FilePath) -> Entries {
    // What makes one name a part's makes those of the others.
    var forms: [PartName] = []
    let name = base.lastComponent
    return entries.keeping(where: { entry in
      if forms.contains(where: { $0.digits(of: entry.name) != nil }) { return true }
      // `h.aa` may be a number or letters: what makes it a part's counts, not what comes first.
      guard PartName.mayBeRead(entry.name, for: base),
        let form = PartName.readings(of: entry.name, for: base).first(where: { form in
          if !form.isCounted { return false }
          if form.family == .hexadecimal, isLettered(name, width: form.width) { return false }
          return isOfOneSplit || form.style.isCertain
            || form.firsts.contains(where: entries.contains(named:))
        })
      else { return false }
      if forms.count < Self.mostForms { forms.append(form) }
      return true
    })
  }

  /// Whether the parts of `base` are those of a split zip, which are not just put together.
  package func isOfSplitZip(_ base: FilePath) -> Bool {
    let name = base.lastComponent
    return SplitZipName(name) != nil
      && parts(of: base).contains { PartName.reading(of: $0.name, for: name) == nil }
  }

  /// Whether the manifest names a part of `base`, or the whole.
  func tells(of base: FilePath) -> Bool {
    let name = base.lastComponent
    return whole?.name == name || entries.contains(named: name) || !parts(of: base).isEmpty
  }

  /// Whether it was written by split, so that the first part that it names is the first: with all sums of
  /// the whole, or with a digest and the size of the whole beside those of the parts.
  var isOfOneSplit: Bool { isOwn || whole?.expected.size != nil && !entries.isEmpty }

  /// Whether it says which parts there are. Sums files for single parts do not: that of the last one
  /// may be missing as the part may.
  public var listsAllParts: Bool { !isOfSingleParts }

  /// The names of parts that have to be there.
  ///
  /// - Parameter present: those that are there. Where the manifest does not tell which part is the
  ///   last, they are among the promised, so that none counts as left over.
  func promisedParts(_ present: FilesMeant) -> PathList {
    let entries = parts(of: present)
    var listed = PathList(entries.indices.lazy.map { entries.name(at: $0) })
    guard !listsAllParts, !listed.isEmpty, let files = present.files else { return listed }
    for name in files.lazy.map(\.lastComponent) where !entries.contains(named: name) {
      listed.append(name)
    }
    return listed
  }
}

extension PartName {
  /// `BASE.DIGITS` in hexadecimal digits, at least one of them a letter.
  init?(hexadecimal name: FilePath) {
    let bytes = name.bytes
    guard let cut = bytes.lastIndex(of: UInt8(ascii: ".")), cut > 0,
      PartDigits(bytes[(cut + 1)...], .hexadecimal) != nil,
      let reading = PartName.readings(of: name, by: [.hexadecimal]).first
    else { return nil }
    self = reading
  }

  /// Whether one of its digits is no letter.
  fileprivate var hasDecimal: Bool {
    digits.alphabet.digits(of: number, width: width).contains { (48...57).contains($0) }
  }

  /// The last of those in front of a hexadecimal number that end in 9: `a9` is in front of `ab`.
  fileprivate var neighbourOfNine: FilePath? {
    // bounded: a number has 15 digits at most, and the low ones of this are letters
    number & 15 > 9 ? name(number - (number & 15) + 9, width: width) : nil
  }

  /// Whether a name is that of a part behind those in decimal digits, if all were counted in hexadecimal ones: `f.z0a`.
  func isBehindNine(_ name: FilePath) -> Bool {
    let (head, tail, bytes) = (head.bytes, tail.bytes, name.bytes)
    guard digits.alphabet == .decimal, width > 1, bytes.count == head.count + width + tail.count,
      bytes.starts(with: head), bytes.suffix(tail.count) == tail[...]
    else { return false }
    let found = bytes.dropFirst(head.count).prefix(width)
    return PartDigits(found) == nil && PartDigits(found, .hexadecimal) != nil
  }

  /// Whether it is the first of those.
  func isTen(_ name: FilePath) -> Bool {
    let ten = PartAlphabet.hexadecimal.digits(of: 10, width: width)
    return name.bytes.dropFirst(head.bytes.count).prefix(width).elementsEqual(ten)
  }

  /// The parts next to it, in a series of one width.
  var neighbours: [FilePath] {
    [number - 1, number < .max ? number + 1 : -1].filter { $0 >= 0 }.map { name($0, width: width) }
  }

  /// The names that the part in front of it may have.
  var predecessors: [FilePath] {
    guard number > 0 else { return [] }
    let widening = Numbering.widening(digits.alphabet)
    let place = widening.contains(digits) ? widening.place(of: number) : nil
    let wider = place.flatMap { $0 > 0 ? name(widening.number(at: $0 - 1), widening) : nil }
    return [name(number - 1, width: width)] + (wider.map { [$0] } ?? [])
  }

  /// Names of which one is there where this is one of `split -x`: the first with a letter in it, or the
  /// part in front of this.
  var hexadecimalSigns: [FilePath] {
    [name(10, width: width), name(10, width: 2)] + predecessors
  }

  private func name(_ number: Int64, width: Int) -> FilePath {
    name(number, Numbering(alphabet: digits.alphabet, width: width, isWidening: false))
  }

  /// Bytes of the longest ending in which the name of a whole differs from those of its parts: `zip`.
  private static var longestWholeEnding: Int { 3 }

  /// Whether a name begins and ends as every name of a part of `base` does; quick.
  static func mayBeRead(_ name: FilePath, for base: FilePath) -> Bool {
    if name.bytes.count == base.bytes.count {
      let differing = Array(zip(name.bytes, base.bytes).drop { $0 == $1 })
      // Either the whole has another ending, or where nothing is left of its name, that of the first part.
      return differing.count <= longestWholeEnding
        || differing.allSatisfy { $0 == $1 || "0as".utf8.contains($1) }
    }
    let common = zip(name.bytes, base.bytes).prefix { $0 == $1 }.count
    let ending = zip(name.bytes.reversed(), base.bytes.reversed()).prefix { $0 == $1 }.count
    return common > 0 && common + ending >= base.bytes.count
  }
}
