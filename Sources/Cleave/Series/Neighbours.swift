internal import Posix

/// Names beside a series that are like its parts' names, but are not parts.
struct Neighbours: Hashable, Sendable {
  /// A name, and that of the part which it is like.
  struct Stray: Hashable, Sendable {
    let name: FilePath
    let part: FilePath
    /// Whether the download is written under the part's own name.
    var isWrittenInPlace = false
    /// Whether it is what a job writes to, which gives it the part's name in the end.
    var isTemporary: Bool { DownloadName.final(ofTemporary: name) != nil }
    /// Whether it is rather a piece of the part, which was split itself: counted with two digits or more.
    var isPiece: Bool {
      let end = name.bytes.dropFirst(part.bytes.count)
      return name.bytes.starts(with: part.bytes) && end.count > 2
        && end.first == UInt8(ascii: ".") && end.dropFirst().allSatisfy(\.isDigit)
    }
    /// What is done to the part, as the end of a sentence.
    var doing: String { "is still being \(isTemporary ? "made" : "downloaded")" }
  }

  /// Where the part is that a stray is like.
  enum Place {
    /// It is there, too.
    case there
    /// It would be the first, in front of those that are there.
    case before
    /// It would be one behind the last.
    case behind
    /// It is not one of the parts that are merged.
    case elsewhere
  }

  /// What browsers and file managers call a second copy, such as `name (1).002`.
  private(set) var duplicates: [Stray] = []
  /// What a part is called while it is downloaded, or the file that tells of it.
  private(set) var downloads: [Stray] = []
  /// What a part may be called that has more behind its name, such as `name.003.bin`, or is counted
  /// with another number of digits, such as `name.3`.
  private(set) var renamed: [Stray] = []

  /// What the names of duplicates begin with that are parts of another file, unless those begin as the parts of this
  /// one do.
  private var sets: [FilePath: [UInt8]] = [:]

  init() {}

  /// Whether what a name ends in may tell that the file is a list, or what else is kept beside a part.
  static func isCompanion(_ name: FilePath) -> Bool {
    Manifest.isListName(name)
      || foldedCompanions[name.bytes.last?.folded]?.contains(where: name.endsFolded) == true
  }

  /// Whether such a file is kept beside another that is there, or one next to it, as `film.part1.mkv.asc` is.
  static func isOfPart(_ name: FilePath, among names: PathSet) -> Bool {
    guard isCompanion(name) else { return false }
    let other = Manifest.subject(of: name) ?? name.withoutEnding
    if other == name { return false }
    return names.contains(other)
      || PartName.readings(of: other).contains { form in
        form.style.isJoined && form.neighbours.contains(where: names.contains)
      }
  }

  /// Those of what is kept beside a part: a signature, or where to have it from. In lower case.
  private static let companionEndings = [
    ".asc", ".sig", ".sign", ".p7s", ".minisig", ".par", ".par2", ".torrent", ".metalink", ".meta4",
    ".zsync", ".nzb", ".nfo", ".ots", ".tsr", ".url",
  ]
  private static let foldedCompanions = Dictionary(grouping: companionEndings, by: \.utf8.last)

  /// - Parameters:
  ///   - names: of the parts' directory.
  ///   - head: what the names of all parts begin with.
  ///   - others: names of parts with another number of digits.
  ///   - isPart: whether a name is one that a part has, or would have.
  init(
    among names: PathList,
    head: FilePath,
    others: [Stray] = [],
    isPart: (FilePath) -> Bool
  ) {
    let start = Self.start(of: head)
    var likely = names.likely(beginning: start)
    for front in DownloadName.starts { likely += names.likely(beginning: front.utf8 + start) }
    for front in CopyName.fronts { likely += names.likely(beginning: Array(front.utf8)) }
    var seen = PathSet()
    var saved: [Saved] = []
    let text =
      head.bytes.allSatisfy { $0 < 0x80 }
      ? nil : String(decoding: head.bytes, as: UTF8.self).lowercased()
    let folded = head.bytes.map(\.folded)
    for name in likely
    where (text != nil || Self.isLike(name, folded)) && !isPart(name) && seen.insert(name) {
      let isInPlace = DownloadName.inPlaceEndings.contains(where: name.endsFolded)
      for awaited in DownloadName.awaited(by: name) {
        for part in [awaited] + CopyName.originals(of: awaited) where isPart(part) {
          downloads.append(Stray(name: name, part: part, isWrittenInPlace: isInPlace))
        }
      }
      for original in CopyName.originals(of: name) where isPart(original) {
        duplicates.append(Stray(name: name, part: original))
      }
      if let found = Saved(name, folded, isPart: isPart) { saved.append(found) }
      for stray in [Self.asked(name), text.flatMap { Self.respelled(name, head, $0) }] {
        if let stray, isPart(stray.part) { renamed.append(stray) }
      }
    }
    renamed += others + Self.withoutOther(saved, among: names)
    sets = Self.sets(of: duplicates, head)
    duplicates.sort { $0.name < $1.name }
    downloads.sort { $0.name < $1.name }
    renamed.sort { $0.name < $1.name }
  }

  /// Whether what is behind the head of a part's name is 0 or 1, in digits or in letters.
  private static func isFirst(_ part: FilePath, behind head: FilePath) -> Bool {
    let digits = part.bytes.dropFirst(head.bytes.count).prefix { $0.isDigit || isLetter($0) }
    let number = PartDigits(digits) ?? PartDigits(digits, .letters)
    return number.map { $0.number < 2 } ?? false
  }

  /// Whether a name may be that of something else than a part, and begin as parts do but for a mark, which is behind all
  /// that both have in common; quick.
  ///
  /// - Parameter head: in lower case, in ASCII.
  private static func isLike(_ name: FilePath, _ head: [UInt8]) -> Bool {
    func isNear(_ rest: ArraySlice<UInt8>) -> Bool {
      let common = zip(rest, head).lazy.prefix { $0.folded == $1 }.reduce(0) { count, _ in count + 1
      }
      return common == head.count
        || rest.prefix(common + 1).contains(where: CopyName.marks.contains)
    }
    let bytes = name.bytes
    return isNear(bytes[...])
      || (DownloadName.starts + CopyName.fronts).contains { front in
        bytes.starts(with: front.utf8) && isNear(bytes.dropFirst(front.utf8.count))
      }
  }

  /// What names begin with, up to their numbers, of several that may be parts of another file: where the first one is
  /// among them, or where they have just a blank and a number for a mark in front of the last ending, such as
  /// `film 2.mkv.002` and `film 2.mkv.003` beside `film.mkv.001`; what copies files puts most marks in parentheses.
  private static func sets(of strays: [Stray], _ head: FilePath) -> [FilePath: [UInt8]] {
    let dot = head.bytes.dropLast().lastIndex(of: UInt8(ascii: ".")) ?? head.bytes.endIndex
    let (title, ending) = (head.bytes[..<dot], head.bytes[dot...])
    var starts: [FilePath: [UInt8]] = [:]
    var (counts, known): ([[UInt8]: Int], Set<[UInt8]>) = ([:], [])
    for stray in strays where stray.part.bytes.starts(with: head.bytes) {
      let number = stray.part.bytes.dropFirst(head.bytes.count)
      guard stray.name.bytes.suffix(number.count) == number else { continue }
      let start = Array(stray.name.bytes.dropLast(number.count))
      starts[stray.name] = start
      counts[start, default: 0] += 1
      if isFirst(stray.part, behind: head) { known.insert(start) }
      guard !ending.isEmpty, start.starts(with: title), start.suffix(ending.count) == ending else {
        continue
      }
      let mark = start.dropFirst(title.count).dropLast(ending.count)
      if mark.first == blank, mark.count > 1, mark.dropFirst().allSatisfy(\.isDigit) {
        known.insert(start)
      }
    }
    return starts.filter { known.contains($0.value) && counts[$0.value] ?? 0 > 1 }
  }

  /// The duplicates, without those that are parts of another file: of each set, the first and the last one of which the
  /// part is there are compared with that.
  func copies(beside base: FilePath) -> [Stray] {
    let isThere = { (stray: Stray) in
      (try? FileStatus.of(base.sibling(stray.part))) != nil
    }
    var others: Set<[UInt8]> = []
    let grouped = Dictionary(grouping: duplicates) { sets[$0.name] ?? [] }
    for (start, set) in grouped where !start.isEmpty {
      let isLooked = grouped.count <= Self.mostSets
      let ends = isLooked ? [set.first(where: isThere), set.last(where: isThere)] : [nil]
      if !ends.allSatisfy({ $0?.isAlike(beside: base) ?? false }) { others.insert(start) }
    }
    return duplicates.filter { !others.contains(sets[$0.name] ?? []) }
  }

  /// With more of them, they are no copies.
  private static let mostSets = 20

  /// Copies that are rather pieces of their parts, such as `a.zip.001` and `a.zip.002` of `a.zip`: each with others.
  var pieces: Set<FilePath> {
    let found = duplicates.filter(\.isPiece)
    let counts = found.reduce(into: [:]) { $0[$1.part, default: 0] += 1 }
    return Set(found.filter { counts[$0.part] ?? 0 > 1 }.map(\.name))
  }

  /// Whether a name is one of them.
  func has(_ name: FilePath) -> Bool {
    [duplicates, downloads, renamed].contains { $0.contains { $0.name == name } }
  }

  /// Takes in those of another directory.
  mutating func add(_ other: Neighbours) {
    duplicates += other.duplicates
    downloads += other.downloads
    renamed += other.renamed
    sets.merge(other.sets) { own, _ in own }
  }

  /// What a part may be that was saved with more behind its name, and perhaps a dot in front.
  private struct Saved {
    let stray: Stray
    /// What is behind the part's name, in lower case.
    let ending: [UInt8]

    /// - Parameters:
    ///   - head: in lower case, in ASCII.
    ///   - isPart: asked of the longest name first.
    init?(_ name: FilePath, _ head: [UInt8], isPart: (FilePath) -> Bool) {
      let hidden = name.bytes.first == UInt8(ascii: ".") ? name.bytes.dropFirst() : []
      guard
        let bytes = [name.bytes[...], hidden].first(where: {
          $0.lazy.map(\.folded).starts(with: head)
        }),
        !companionEndings.contains(where: name.endsFolded), !DownloadName.matches(name),
        !Manifest.isPossibleName(name)
      else { return nil }
      // A number at the end may be that of a copy.
      let digits = bytes.reversed().prefix(while: \.isDigit).count
      let isCopy = digits == 0 || bytes.dropLast(digits).last.map(numberMarks.contains) ?? true
      let places = bytes.indices.dropLast(digits + (isCopy ? 1 : 0))
      for end in places.dropFirst(head.count + 1).reversed()
      where !bytes[end].isDigit && !isLetter(bytes[end]) {
        let part = FilePath(bytes: bytes[..<end])
        guard isPart(part) else { continue }
        // What a run has left is told apart.
        if bytes[end...].starts(with: ".cleave-".utf8) { return nil }
        (stray, ending) = (Stray(name: name, part: part), bytes[end...].map(\.folded))
        return
      }
      return nil
    }
  }

  /// What stands in front of the number of a copy.
  private static let numberMarks = Set(" .([".utf8)

  /// What was saved under a name with the query of its address behind it.
  private static func asked(_ name: FilePath) -> Stray? {
    guard let end = name.bytes.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    return Stray(name: name, part: FilePath(bytes: name.bytes[..<end]))
  }

  /// The same letters as a part's name has, in another form of Unicode, or in another case.
  ///
  /// - Parameter text: the head, in lower case.
  private static func respelled(_ name: FilePath, _ head: FilePath, _ text: String) -> Stray? {
    let other = String(decoding: name.bytes, as: UTF8.self)
    guard other.prefix(text.count).lowercased() == text else { return nil }
    return Stray(
      name: name,
      part: FilePath(bytes: head.bytes + Array(other.dropFirst(text.count).utf8))
    )
  }

  /// Those with endings that no part has beside itself: `name.001.txt` and those like it are a series of
  /// their own, or notes about the parts.
  private static func withoutOther(_ saved: [Saved], among names: PathList) -> [Stray] {
    var companions: Set<[UInt8]> = []
    for found in saved where !companions.contains(found.ending) {
      if names.contains(found.stray.part) { companions.insert(found.ending) }
    }
    return saved.filter { !companions.contains($0.ending) }.map(\.stray)
  }

  /// What no copy of a part changes: its first bytes, in front of any place for a number.
  private static func start(of head: FilePath) -> [UInt8] {
    let start = head.bytes.prefix { !". (-_[".utf8.contains($0) }.prefix(8).map(\.folded)
    // A letter in front of bytes that are not ASCII's may be one with them in another form of Unicode.
    guard let end = start.firstIndex(where: { $0 >= 0x80 }) else { return start }
    return Array(start[..<end].dropLast())
  }

  /// Without those that may be some parts by another name.
  ///
  /// - Parameter isOther: of a part's name.
  mutating func leaveOut(where isOther: (FilePath) -> Bool) {
    renamed.removeAll { isOther($0.part) }
  }

  /// What may be the part that is missing, as the end of a sentence; empty where nothing is.
  func hint(for part: FilePath) -> String {
    if let found = downloads.first(where: { $0.part == part }) {
      return "; \(found.name) says that it \(found.doing)"
    }
    if let piece = (duplicates + renamed).first(where: { $0.part == part && $0.isPiece }) {
      return "; \(piece.name) is a part of it: merge that first"
    }
    guard let found = (duplicates + renamed).first(where: { $0.part == part }) else { return "" }
    // Both look the same.
    let how = found.name.isRespelled(as: part) ? ", in other bytes for the same letters," : ""
    return "; \(found.name)\(how) may be it: rename it if it is"
  }

  /// What a name is instead of a part, as the end of a sentence that begins with it; nil of any other.
  func said(of name: FilePath) -> String? {
    if let found = downloads.first(where: { $0.name == name }) {
      return "says that \(found.part) \(found.doing)"
    }
    if let part = Self.part(name, in: duplicates) { return "may be another copy of \(part)" }
    return Self.part(name, in: renamed).map { "may be \($0)" }
  }

  /// The part that a name has the mark of another copy of, or that it may be.
  func original(of name: FilePath) -> FilePath? { Self.part(name, in: duplicates + renamed) }

  private static func part(_ name: FilePath, in strays: [Stray]) -> FilePath? {
    strays.first { $0.name == name }?.part
  }

  private static let blank = UInt8(ascii: " ")

  private static func isLetter(_ byte: UInt8) -> Bool { PartAlphabet.letters.contains(byte) }
}
