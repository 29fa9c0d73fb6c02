internal import Posix

/// One reading of a name, and the names beside it that it makes parts.
struct SeriesCandidate {
  let form: PartName
  /// The row of the table for the series, which may be another than that for the name alone.
  let style: NamingStyle
  let members: [PartDigits]
  private let spellings: [PartDigits: FilePath]
  /// Names that are those of other files, by the case of their letters.
  private let foreign: [FilePath]
  /// Names whose numbers have more zeros in front, or fewer.
  private let others: [PartDigits]
  let numbering: Numbering
  private let width: Int

  /// Nil where the family asks for more than is there.
  ///
  /// - Parameter isGiven: whether the user has said what family it is.
  init?(_ form: PartName, of path: FilePath, among names: PathList, isGiven: Bool) {
    guard form.isCounted else { return nil }
    self.form = form
    let siblings = Siblings(of: form, among: names)
    (spellings, foreign) = (siblings.spellings, siblings.foreign)
    width = siblings.width(for: form.digits)
    let found = siblings.members(width: width, with: form.digits)
    let isAsked = isGiven && form.family == .hexadecimal
    members =
      form.digits.alphabet == .hexadecimal && !isAsked ? Siblings.withoutStrays(found) : found
    others =
      siblings.digits.count == found.count ? [] : siblings.others(than: width)
    numbering = Numbering.of([members, [form.digits]].joined(), width: width)
    style = form.ofSeries(width: width).style
    let isHexadecimal = form.digits.alphabet == .hexadecimal
    if isGiven {
      // `00` to `10` are decimal digits unless a letter is among them, or the user says so.
      if isHexadecimal, form.family != .hexadecimal, !hasLetters || !isDense { return nil }
      return
    }
    if isHexadecimal, !hasLetters || !isDense { return nil }
    if isHexadecimal, width == 1, !isBeyondNine { return nil }
    switch style.joining {
    case .bytes:
      // A zip by itself is whole, whatever it is called.
      if members.count < 2, SplitZipName(form.name)?.place == .last { return nil }
    case .withEvidence:
      // A digit alone may be what is left; a word with digits behind it is any file.
      if style.family != .digit, members.count < 2 || !isBegun, !hasManifest(names) { return nil }
    case .withFirst:
      if members.count < 2, !isFirst || !hasManifest(names) { return nil }
      if members.count > 1, !isBegun, !areNeighbours { return nil }
      if !isApart, !isDense { return nil }
    case .withSizes: if !hasManifest(names), !looksCut(path) { return nil }
    case .rewritten, .never: return nil
    }
  }

  /// Whether a manifest or the sizes say that these are the parts of one file.
  func isBorneOut(_ path: FilePath, among names: PathList) -> Bool {
    hasManifest(names) || looksCut(path)
  }

  // MARK: What the names tell

  /// Whether a manifest has the name of the whole.
  func hasManifest(_ names: PathList) -> Bool {
    names.likely(beginning: form.base.bytes).contains { Manifest.isName($0, beside: form.base) }
  }

  /// Whether the first part is there; of single letters, the second one, too.
  var isBegun: Bool {
    guard isFirst, let first = members.first else { return false }
    let isLetter = form.digits.alphabet == .letters && width == 1
    return !isLetter || members.dropFirst().first?.number == first.number + 1
  }

  private var isFirst: Bool { members.first.map { style.firsts.contains($0.number) } ?? false }

  /// Whether the first part is there, if it is 1, or one of several digits that are padded with zeros, as those of
  /// `split --numeric-suffixes=5` are.
  var isBegunAnywhere: Bool {
    guard let first = members.first else { return false }
    return first.number == 1 && form.digits.alphabet != .letters
      || first.isPadded && form.digits.alphabet == .decimal
  }

  /// Whether every part between the first and the last is there.
  var isWithoutGap: Bool {
    let places = members.compactMap { numbering.place(of: $0.number) }
    guard let first = places.first, let last = places.last else { return false }
    return places.count == members.count && last - first == Int64(members.count) - 1
  }

  /// As many letters as `split` writes, which follow each other, are those of parts also where the
  /// first is missing.
  private var areNeighbours: Bool {
    guard form.digits.alphabet == .letters, width == 2, isApart,
      let first = members.first.flatMap({ numbering.place(of: $0.number) }),
      let last = members.last.flatMap({ numbering.place(of: $0.number) })
    else { return false }
    // bounded: there is no more than one for each name
    return last - first < 2 * Int64(members.count)
  }

  /// Whether the letters are no end of a word: `split` puts them behind an `x`, or what it is given.
  private var isApart: Bool {
    if form.family != .letters { return true }
    guard let last = form.head.bytes.last else { return false }
    return form.head == "x" || PartAlphabet.letters.value(of: last) == nil
  }

  /// Whether there are letters among hexadecimal digits.
  private var hasLetters: Bool {
    members.contains { digits in
      let written = PartAlphabet.hexadecimal.digits(of: digits.number, width: digits.width)
      return PartDigits(written) == nil
    }
  }

  /// Whether the digits are hexadecimal beyond doubt.
  var isHexadecimal: Bool {
    form.digits.alphabet == .hexadecimal && hasLetters && isDense
  }

  /// Whether `a` follows `9` in single digits: without these before it, it may be any letter.
  var isBeyondNine: Bool { members.count > 10 && isWithoutGap && members.first?.number == 0 }

  /// Whether more numbers have letters, which another series does not take, than are missing.
  func isLikelier(than other: SeriesCandidate) -> Bool {
    guard isHexadecimal, let last = members.last else { return false }
    // bounded: a number has 15 digits
    let missing = (numbering.place(of: last.number) ?? last.number) + 1 - Int64(members.count)
    return Int64(members.count - other.members.count) > missing
  }

  /// Whether all names of another series are among those of this one.
  func takesAll(of other: SeriesCandidate) -> Bool {
    guard members.count > other.members.count else { return false }
    let names = Set(members)
    return other.members.allSatisfy { digits in
      let name = other.form.name(digits.number, other.numbering)
      return form.digits(of: name).map(names.contains) ?? false
    }
  }

  /// What another name says against this reading; nil where none does.
  func contradiction(among names: PathList) -> String? {
    if let other = hexadecimalNeighbour(among: names) {
      return "\(other) is there, so that the letters may be hexadecimal digits"
    }
    return continuation(among: names).map { other in
      "\(other) is there, so that the number has two digits, and those in front of them are the prefix"
    }
  }

  /// The name of `split -x` behind one that ends in 9, where these digits are decimal ones of as many places.
  func hexadecimalTen(among names: PathList) -> FilePath? {
    guard form.digits.alphabet == .decimal, width > 1 else { return nil }
    let (head, tail) = (form.head.bytes, [UInt8(ascii: "a")] + form.tail.bytes)
    let tens = names.likely(
      beginning: head,
      ending: tail,
      around: (width - 1)...(width - 1),
      of: PartAlphabet.decimal.contains
    )
    if tens.isEmpty { return nil }
    let nines = members.lazy.filter { $0.number % 10 == 9 }.prefix(Self.mostNines)
    return nines.map { digits in
      let written = PartAlphabet.decimal.digits(of: digits.number, width: width)
      return FilePath(bytes: head + written.dropLast() + tail)
    }
    .first(where: tens.contains)
  }

  /// Where a number behind the first of these has no letter, those that come later have none.
  private static let mostNines = 16

  /// The name of `split -x` in front of the first of these letters: `xa9` in front of `xaa`; or behind decimal digits
  /// without zeros in front, `f.a` and `f.b` behind `f.9`.
  private func hexadecimalNeighbour(among names: PathList) -> FilePath? {
    if form.digits.alphabet == .decimal, width == 1, members.contains(where: { $0.number == 9 }) {
      let letters = "ab".utf8.compactMap { name(form.head.bytes + [$0], among: names) }
      return letters.count == 2 ? letters[0] : nil
    }
    guard form.digits.alphabet == .letters, let first = members.first, let last = members.last,
      // Of single digits, a letter behind f is none.
      width > 1 || last.number < 6
    else { return nil }
    let written = PartAlphabet.letters.digits(of: first.number, width: first.width)
    guard let number = PartDigits(written[...], .hexadecimal)?.number, number > 0 else {
      return nil
    }
    let digits = PartAlphabet.hexadecimal.digits(of: number - 1, width: first.width)
    return name(form.head.bytes + digits, among: names)
  }

  /// A name that `split` takes before or behind those of two digits, where the prefix that it was given ends in digits,
  /// which this series takes for some of the number: `v1.09000` behind `v1.089`.
  private func continuation(among names: PathList) -> FilePath? {
    let alphabet = form.digits.alphabet
    let end = form.head.bytes.lastIndex { $0 != UInt8(ascii: "f") }
    let prefix = form.head.bytes.prefix(end.map { $0 + 1 } ?? 0)
    if alphabet != .letters, prefix.count < form.head.bytes.count {
      // `v1.0f000` behind `v1.0ef`.
      if let before = name(Array(prefix) + "ef".utf8, among: names) { return before }
    }
    guard width > 2, !numbering.isWidening, alphabet != .afterS else { return nil }
    let written = alphabet.digits(of: form.number, width: form.width)
    let widening = Numbering.widening(alphabet)
    // bounded: there are 90, 240 or 650 names of two digits
    let first = (alphabet.base - 1) * alphabet.base
    let next = widening.digits(of: widening.number(at: first))
    return name(form.head.bytes + written.dropLast(2) + next, among: names)
  }

  /// The name that begins with some bytes and ends as those of the parts do; nil where it is not there.
  private func name(_ start: [UInt8], among names: PathList) -> FilePath? {
    let name = FilePath(bytes: start + form.tail.bytes)
    return names.contains(name) ? name : nil
  }

  /// Whether hardly a number is missing: not just any words.
  private var isDense: Bool {
    Self.isDense(members.compactMap { numbering.place(of: $0.number) })
  }

  /// - Parameter places: from 0, rising.
  static func isDense(_ places: some BidirectionalCollection<Int64>) -> Bool {
    // bounded: there is no more than one for each name
    Int64(places.count) * 2 > places.last ?? 0
  }

  /// Whether both readings are as good, and mean different files.
  func isRival(of other: SeriesCandidate) -> Bool {
    guard style.isCertain, other.style.isCertain else { return false }
    return form.family != other.form.family
  }

  // MARK: What the sizes tell

  /// Whether the sizes are those of one file that was cut: all but the last of a round number of bytes,
  /// or of any one number where the names tell how many parts there are, and all are there.
  private func looksCut(_ path: FilePath) -> Bool {
    guard members.count > 1, isBegun else { return false }
    let isAll = form.total == Int64(members.count)
    let isCounted = form.total != nil
    let size = { (member: PartDigits) -> Int64? in
      let part = path.sibling(spellings[member] ?? form.name(member.number, numbering))
      let status = try? FileStatus.of(part)
      return status?.kind == .regular ? status?.size : nil
    }
    // Of many names that are no parts', most end here.
    if !isCounted, let first = members.first.flatMap(size), let last = members.last.flatMap(size),
      last >= first || !SizePattern.isRound(first)
    {
      return false
    }
    var sizes: [Int64] = []
    for member in members {
      guard let found = size(member) else { return false }
      sizes.append(found)
      // Most directories of photos end here.
      let isOdd = sizes[0] == 0 || sizes.count == 2 && sizes[0] < sizes[1]
      if isOdd && !isAll || sizes.count < members.count && sizes[0] - found > members.count {
        return false
      }
    }
    switch SizePattern(sizes) {
    case .shorterLast:
      let hasLast = isCounted && members.last?.number == form.total
      return sizes.count > 2 && hasLast || SizePattern.isRound(sizes[0]) && sizes.count > 2
    case .equal: return isAll || isCounted && SizePattern.isRound(sizes[0])
    case .nearlyEqual: return isAll
    case .single, .odd, .shortFirst, .unequal: return false
    }
  }

  // MARK: The series

  /// Leaves out what went away since the listing, and links that lead nowhere: they are missing.
  func parts(beside path: FilePath) throws(SystemError) -> PartSeries.Parts {
    var parts = PartSeries.Parts()
    parts.reserveCapacity(members.count)
    for member in members {
      let name = spellings[member] ?? form.name(member.number, numbering)
      let part = path.sibling(name)
      guard let status = try FileStatus.ifPresent(part) else { continue }
      parts.append(PartSeries.Part(path: part, number: member.number, status: status))
    }
    return parts
  }

  func series(
    _ parts: PartSeries.Parts,
    beside path: FilePath,
    among names: PathList
  ) -> PartSeries {
    // One that goes on with another of its width is of a series of its own.
    let known = Set(others.lazy.map { [Int64($0.width), $0.number] })
    let strays = others.filter { !known.contains([Int64($0.width), $0.number - 1]) }
    let others = strays.map { other in
      let digits = PartAlphabet.decimal.digits(of: other.number, width: other.width)
      let name = FilePath(bytes: form.head.bytes + digits + form.tail.bytes)
      let part = form.name(other.number, numbering)
      return Neighbours.Stray(name: spellings[other] ?? name, part: part)
    }
    let neighbours = Neighbours(among: names, head: form.head, others: others) { name in
      form.digits(of: name, folding: true).map(numbering.contains) ?? false
    }
    // Not only of the parts: a link that leads nowhere may be the last one.
    return PartSeries(
      form,
      base: path.sibling(form.base),
      numbering: numbering,
      parts: parts,
      numbers: [members, [form.digits]].joined().lazy.map(\.number),
      foreign: foreign.map { path.sibling($0) },
      others: others.map { path.sibling($0.name) },
      neighbours: neighbours
    )
  }
}
