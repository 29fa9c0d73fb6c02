internal import Posix

/// What names beside the parts tell.
extension SeriesExamination {
  /// What may be the next part by another name, where all that are there are of one size.
  var nextAlike: Neighbours.Stray? {
    guard series.form.digits.alphabet == .decimal,
      series.parts.count > 1 || series.form.style.isCertain,
      let names, let next
    else { return nil }
    return Neighbours.alike(
      base: series.base.lastComponent,
      part: next.name,
      number: next.number,
      width: series.width,
      among: names
    ) { !series.neighbours.has($0) && mayBeLast($0) }
  }

  /// The part behind the last one.
  var next: (name: FilePath, number: Int64)? {
    series.parts.last.flatMap { series.numbering.successor(of: $0.number) }.map {
      (series.name($0).lastComponent, $0)
    }
  }

  /// Whether a file could be behind the last part by its size.
  private func mayBeLast(_ name: FilePath) -> Bool {
    let status = (try? FileStatus.ifPresent(series.base.sibling(name))) ?? nil
    let largest = max(1, series.parts.last?.size ?? 1)
    return status?.kind == .regular && (1...largest).contains(status?.size ?? 0)
  }

  /// Parts that were saved a second time, as `film.mkv (1).001`, of which one was not, or not to its end.
  func lookForOriginals(_ evidence: inout Evidence) {
    guard whole == nil, total == nil, !areSizesKnown, let names else { return }
    let original = { (name: FilePath, number: Int64) in
      Neighbours.original(of: name, number, by: series.family, among: names)
    }
    let follower = { next.flatMap { original($0.name, $0.number) } }
    let size = { (name: FilePath) in
      ((try? FileStatus.ifPresent(series.base.sibling(name))) ?? nil)?.size ?? 0
    }
    guard let first = original(name(0), series.parts[0].number) else {
      if let next, let follower = follower(), mayBeLast(follower) {
        let stray = Neighbours.Stray(name: follower, part: next.name)
        evidence.suspect(.beside, stray, of: series.base, joiningAll)
      }
      return
    }
    let copy = Neighbours.Stray(name: name(0), part: first)
    // A part may have been split itself.
    guard first != series.base.lastComponent, copy.isAlike(beside: series.base) else { return }
    let way: Sentence = "try \(series.base.sibling(first)), or \(joiningAll)"
    if let follower = follower(), size(follower) > 0 {
      let text: Sentence =
        "\(copy.name) may be another copy of \(first), and of those, \(follower) is there, too: \(way)"
      return evidence.suspect(.beside, Doubt(.nextIsCopy, series.base, text))
    }
    for part in series.parts.prefix(Self.mostCopies) {
      guard let other = original(part.path.lastComponent, part.number), size(other) > part.size
      else { continue }
      let text: Sentence =
        "has \(part.size) bytes, and \(other), of which it may be another copy, has \(size(other)): \(way)"
      return evidence.suspect(.beside, Doubt(.size, part.path, text))
    }
  }

  /// Parts that are compared with what they may be copies of.
  private static let mostCopies = 1000

  func lookBeside(_ evidence: inout Evidence) {
    let isDecided = isListed || whole != nil || reading.bounds.last != nil
    evidence.note(
      series.neighbours,
      of: series.base,
      remedy: joiningAll,
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
    let numbers = series.parts.numbers
    let index = numbers.partitioningIndex { $0 >= digits.number }
    if index < numbers.count, numbers[index] == digits.number { return .there }
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
