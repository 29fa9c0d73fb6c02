internal import Posix

/// What names beside the parts tell.
extension SeriesExamination {
  /// Looks for what may be the next part by another name, where all that are there are of one size.
  func lookForNext(_ evidence: inout Evidence) {
    guard !isEndKnown, let stray = nextAlike else { return }
    evidence.suspect(.beside, stray, of: series.base, series.joiningAll)
  }

  /// A part of another file that has the last one's number and size, and more behind it.
  var sisterGoingOn: FilePath? {
    guard let names, let last = series.parts.last?.path, let size = series.parts.last?.size,
      let form = PartName.counting([last.lastComponent], for: series.base.lastComponent),
      let next = series.numbering.successor(of: form.number),
      let sister = form.sister(goingOnTo: form.name(next, series.numbering), among: names),
      (try? FileStatus.of(last.sibling(sister)))?.size == size
    else { return nil }
    return sister
  }

  /// Looks for parts behind the last one in another number of digits, and for names in a list of all parts that may be
  /// those of more.
  func lookForMore(_ evidence: inout Evidence) {
    guard reading.bounds.last == nil, whole == nil, total == nil, !isExact,
      let last = series.parts.last?.path.lastComponent
    else { return }
    let way: Sentence =
      "\(.asGiven(namesOutput: true)) joins those that are named, \(series.joiningAll)"
    if let names, let wider = widerNames.first(where: names.contains) {
      let text: Sentence =
        "\(wider) may be behind \(last), in another number of digits: \(way)"
      return evidence.suspect(.beside, doubt(.nextIsCopy, text))
    }
    guard isListed, let manifest, let name = listedBehind(in: manifest) else { return }
    let text: Sentence = "has \(name), which may be behind \(last): \(way)"
    evidence.suspect(.manifest, Doubt(.nextIsCopy, manifest.path, text))
  }

  /// What counts on where there is no number of so many digits: `f.100` behind `f.ff`, `aaa`, `baa` or `zaaa` behind `zz`.
  private var widerNames: [FilePath] {
    let form = series.form
    // bounded: powers of all widths that names have, and one more
    guard let last = series.parts.last, !series.numbering.isWidening,
      last.number + 1 == form.digits.alphabet.powers[series.width]
    else { return [] }
    let ends =
      switch form.digits.alphabet {
      case .hexadecimal: ["1" + String(repeating: "0", count: series.width)]
      case .letters:
        ["a", "b", "za"].map { $0 + String(repeating: "a", count: series.width) }
      default: [String]()
      }
    return ends.map { FilePath(bytes: form.head.bytes + Array($0.utf8) + form.tail.bytes) }
  }

  /// The first of the names in a list that may be another one of the part behind the last.
  private func listedBehind(in list: Manifest) -> FilePath? {
    let home = series.base.directory
    let listed = PathList(list.files.lazy.filter { $0.directory == home }.map(\.lastComponent))
    let form = series.form
    var found = widerNames.filter(listed.contains)
    if form.digits.alphabet == .decimal, let next {
      let likely = listed.likely(
        beginning: form.head.bytes,
        ending: form.tail.bytes,
        around: 1...form.digits.alphabet.maximumWidth,
        of: form.digits.alphabet.contains
      )
      found += likely.filter { name in
        name != next.name && form.digits(of: name, folding: true)?.number == next.number
      }
      let neighbours = Neighbours(among: listed, head: form.head) { $0 == next.name }
      found += (neighbours.renamed + neighbours.duplicates).map(\.name)
      let alike = Neighbours.alike(next, of: series, among: listed) { _ in true }
      found += alike.map { [$0.name] } ?? []
      found += otherEnding(of: next.name, listed) { $0 != next.name }.map { [$0] } ?? []
    }
    // With a first one, it is a part of another file.
    let known = PathSet(listed)
    return found.first { name in
      !PartName.readings(of: name).contains { other in
        other.number == next?.number
          && other.firsts.contains { known.contains($0) && form.digits(of: $0) == nil }
      }
    }
  }

  private var nextAlike: Neighbours.Stray? {
    if series.form.digits.alphabet == .letters { return farLetters }
    guard series.form.digits.alphabet == .decimal,
      series.parts.count > 1 || series.form.style.isCertain,
      let names, let next
    else { return nil }
    let other = otherEnding(of: next.name, names) { !series.neighbours.has($0) && mayBeLast($0) }
    if let other {
      return Neighbours.Stray(name: other, part: next.name)
    }
    return Neighbours.alike(next, of: series, among: names) {
      !series.neighbours.has($0) && mayBeLast($0)
    }
  }

  /// Letters far behind those of the last part may be any word, and are taken for a part's only by what is in the file:
  /// no more bytes than in the last part, and nothing that is known.
  private var farLetters: Neighbours.Stray? {
    guard series.parts.count > 1, let last = series.parts.last, let names, let next else {
      return nil
    }
    let form = series.form
    let alphabet = form.digits.alphabet
    let found = names.likely(
      beginning: form.head.bytes,
      ending: form.tail.bytes,
      around: series.width...series.width,
      of: alphabet.contains
    )
    .filter { name in
      guard let digits = form.digits(of: name), mayBeLast(name),
        (last.number + 1...max(last.number + 1, Siblings.farthest)).contains(digits.number)
      else { return false }
      let isFileType =
        Neighbours.isCompanion(name) || Self.words.contains { name.endsFolded(in: $0) }
      return !isFileType && isLike(last, series.base.sibling(name))
    }
    return found.min().map { Neighbours.Stray(name: $0, part: next.name) }
  }

  /// Letters that are file types rather than numbers.
  private static let words = [
    ".ai", ".au", ".cc", ".cs", ".db", ".go", ".gz", ".hs", ".id", ".jl", ".js", ".kt", ".lz",
    ".md", ".ml", ".mm", ".nb", ".pl", ".pm", ".ps", ".py", ".ra", ".rb", ".rm", ".rs", ".sh",
    ".so", ".tf", ".ts", ".vb", ".xz",
  ]

  /// Whether a file begins with text where a part does, and is of no known kind.
  private func isLike(_ part: PartSeries.Part, _ path: FilePath) -> Bool {
    guard let status = try? FileStatus.of(path),
      let head = try? Selection.head(of: path, status),
      let other = try? Selection.head(of: part.path, part.status)
    else { return false }
    let isText = { (bytes: [UInt8]) in bytes.allSatisfy { $0 >= 0x20 || "\t\n\r".utf8.contains($0) }
    }
    return FileFormat.of(head, size: status.size) == nil && isText(head) == isText(other)
  }

  /// A film, or a RAR volume, that has the name of the part behind the last one but for its ending, which no file beside
  /// another part has. Other files with such names, as subtitles, are kept beside parts.
  private func otherEnding(
    of next: FilePath,
    _ names: PathList,
    isLikely: (FilePath) -> Bool
  ) -> FilePath? {
    let tail = series.form.tail.bytes
    guard tail.first == UInt8(ascii: ".") else { return nil }
    let stem = next.bytes.dropLast(tail.count)
    let found = names.likely(beginning: Array(stem) + [UInt8(ascii: ".")]).filter { name in
      let ending = name.bytes.dropFirst(stem.count)
      guard name.bytes.starts(with: stem), isLikely(name),
        Self.films.contains(where: { ending.count == $0.utf8.count && name.endsFolded(in: $0) })
      else { return false }
      return !series.parts.contains { part in
        let stem = part.path.lastComponent.bytes.dropLast(tail.count)
        return names.contains(FilePath(bytes: stem + ending))
      }
    }
    return found.min()
  }

  private static let films = [
    ".avi", ".mkv", ".mp4", ".m4v", ".mov", ".mpg", ".mpeg", ".ts", ".m2ts", ".vob", ".wmv",
    ".webm", ".rar",
  ]

  /// The part behind the last one.
  var next: (name: FilePath, number: Int64)? {
    series.parts.last.flatMap { series.numbering.successor(of: $0.number) }.map {
      (series.name($0).lastComponent, $0)
    }
  }

  /// Whether a file could be behind the last part by its size.
  private func mayBeLast(_ name: FilePath) -> Bool {
    (1...max(1, series.parts.last?.size ?? 1)).contains(size(name))
  }

  /// Parts that were saved a second time, as `film.mkv (1).001`, of which one was not, or not to its end.
  func lookForOriginals(_ evidence: inout Evidence) {
    guard whole == nil, total == nil, !areSizesKnown, let last = series.parts.last else { return }
    guard let first = original(of: name(0), series.parts[0].number) else {
      if let stray = follower, mayBeLast(stray.name) {
        evidence.suspect(.beside, stray, of: series.base, series.joiningAll)
      }
      return
    }
    // A part may have been split itself.
    guard first.part != series.base.lastComponent, first.isAlike(beside: series.base),
      original(of: last.path, last.number)?.isAlike(beside: series.base) ?? true
    else { return }
    let way: Sentence = "try \(series.base.sibling(first.part).quoted), or \(series.joiningAll)"
    if let follower {
      let text: Sentence =
        "\(first.name) may be another copy of \(first.part), and of those, \(follower.name) is there, too: \(way)"
      return evidence.suspect(.beside, Doubt(.nextIsCopy, series.base, text))
    }
    for part in series.parts.prefix(Self.mostCopies) + [last] {
      guard let copy = original(of: part.path, part.number) else { continue }
      let size = size(copy.part)
      if size <= part.size { continue }
      let text: Sentence =
        "has \(part.size) bytes, and \(copy.part), of which it may be another copy, has \(size): \(way)"
      return evidence.suspect(.beside, Doubt(.size, part.path, text))
    }
  }

  /// Parts that are compared with what they may be copies of.
  private static let mostCopies = 1000

  /// What a part may be a copy of; nil where that has no bytes.
  private func original(of part: FilePath, _ number: Int64) -> Neighbours.Stray? {
    guard let names else { return nil }
    let name = part.lastComponent
    let found = Neighbours.original(of: name, number, by: series.family, among: names)
    return found.flatMap { size($0) > 0 ? Neighbours.Stray(name: name, part: $0) : nil }
  }

  /// The bytes of a file beside the parts; 0 of anything else, and of none.
  private func size(_ name: FilePath) -> Int64 {
    let status = try? FileStatus.of(series.base.sibling(name))
    return status?.kind == .regular ? status?.size ?? 0 : 0
  }

  /// The first file behind the last part under a name without the mark of a copy, and the part that it may be.
  private var follower: Neighbours.Stray? {
    var number = series.parts.last?.number
    for _ in 0..<Self.mostMissing {
      number = number.flatMap { series.numbering.successor(of: $0) }
      guard let number else { return nil }
      let part = series.name(number)
      if let copy = original(of: part, number) {
        return Neighbours.Stray(name: copy.part, part: copy.name)
      }
    }
    return nil
  }

  /// Parts that may be missing in front of one that is not.
  private static let mostMissing = 20

  func lookBeside(_ evidence: inout Evidence) {
    let isDecided = isListed || whole != nil || reading.bounds.last != nil
    var neighbours = series.neighbours
    neighbours.leaveOut(where: series.isDated)
    evidence.note(
      neighbours,
      of: series.base,
      remedy: series.joiningAll,
      start: "\(.first(series.label(series.first))) merges the parts that are there",
      isDecided: isDecided,
      place: place
    )
    let names = series.parts.files.paths.lazy.map(\.lastComponent)
    // A name that the exact spelling does not fit was taken in by folding its letters.
    let isMixed = names.contains { series.form.digits(of: $0) != nil }
    if !isDecided, isMixed, let other = names.first(where: { series.form.digits(of: $0) == nil }) {
      let text: Sentence =
        "\(other) is taken for a part of it, though the case of its letters is another\(remedy)"
      evidence.suspect(.beside, doubt(.otherCase, text))
    }
    for name in series.foreign {
      evidence.note(.beside, "\(name.lastComponent) is another file's, by the case of its letters")
    }
  }

  private func place(of part: FilePath) -> Neighbours.Place {
    guard let digits = series.form.digits(of: part, folding: true), let last = series.parts.last
    else { return .elsewhere }
    if series.parts.index(ofNumber: digits.number) != nil { return .there }
    let isEndKnown = areSizesKnown || total != nil
    let firsts = series.form.style.firsts
    if digits.number == series.first - 1, firsts.contains(digits.number), !isEndKnown, !isFirstKnown
    {
      return .before
    }
    // Letters may be any word.
    let isNear =
      digits.alphabet == .decimal || digits.number - last.number <= Int64(series.parts.count)
    return digits.number > last.number && !isEndKnown && isNear ? .behind : .elsewhere
  }
}
