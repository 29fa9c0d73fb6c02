/// What the sizes of the parts tell.
extension SeriesExamination {

  var sizes: [Int64] { Array(series.parts.files.sizes) }

  func lookAtSizes(_ evidence: inout Evidence) throws(CleaveError) {
    let sizes = sizes
    if parts.count == 0, !areSizesKnown { return suspect(OddPart(empty: 0, sizes), &evidence) }
    switch SizePattern(sizes) {
    case .single:
      evidence.note(.sizes, "one part of \(sizes[0]) bytes")
      doubtEnd(.onlyPart, "there is only \(name(0)), and nothing tells that it is all", &evidence)
    case .shorterLast:
      let text: Sentence =
        "\(sizes.count) parts, all of \(sizes[0]) bytes but a shorter last one"
      // One of any two files is shorter.
      if sizes.count > 2 { evidence.confirm(.sizes, text) } else { evidence.note(.sizes, text) }
      if evidence.doubts.isEmpty { evidence.looksLikeEnd() }
    case .equal: noteAlike("\(sizes.count) parts, all of \(sizes[0]) bytes", &evidence)
    case .nearlyEqual:
      noteAlike("\(sizes.count) parts of \(sizes[0]) bytes, give or take a few", &evidence)
    case .shortFirst:
      try refuseInformation()
      try doubt(isFirstKnown ? nil : OddPart(sizes), &evidence)
    case .odd(let odd): try doubt(odd, &evidence)
    case .unequal: try doubt(nil, &evidence)
    }
  }

  private func noteAlike(_ text: Sentence, _ evidence: inout Evidence) {
    // Images of one disk have one size, and so may logs.
    if isOfTime { evidence.note(.sizes, text) } else { evidence.confirm(.sizes, text) }
    doubtLongLast(&evidence)
  }

  /// Some programs write what they know of the parts into `NAME.000`.
  private func refuseInformation() throws(CleaveError) {
    guard series.parts[0].number == 0, series.form.digits.alphabet == .decimal, !isFirstKnown,
      try !areLines(with: 0)
    else { return }
    throw CleaveError(
      .badData,
      series.parts[0].path,
      "is shorter than the others, and may be an information file: \(.first("1")) leaves it out, "
        + "\(.first("0")) joins it"
    )
  }

  private func doubtLongLast(_ evidence: inout Evidence) {
    let name = name(series.parts.count - 1)
    let digits = series.form.digits(of: name, folding: true)
    // bounded: powers of all widths that names have, and one more
    let isHighest =
      digits.map { $0.width > 1 && $0.number + 1 == $0.alphabet.powers[$0.width] } == true
    if isHighest {
      doubtEnd(
        .lastNumber,
        "\(name) is as long as the others and has the highest number that fits, so that more may be missing",
        &evidence
      )
    } else {
      doubtEnd(
        .longLast,
        "\(name) is as long as the others, and nothing tells that it is the last part",
        &evidence
      )
    }
  }

  private func doubtEnd(_ code: Doubt.Code, _ text: Sentence, _ evidence: inout Evidence) {
    if isEndKnown { return }
    var (code, text) = (code, text)
    if let sister = sisterGoingOn {
      code = .sisterGoesOn
      text =
        "\(sister) beside \(name(series.parts.count - 1)) has as many bytes and is not the last, so that a part may be missing"
    }
    evidence.suspect(.sizes, doubt(code, text + remedy))
    lookForNext(&evidence)
  }

  /// - Parameter odd: nil where no size is that of most parts.
  func doubt(_ odd: OddPart?, _ evidence: inout Evidence) throws(CleaveError) {
    let different: Sentence = "\(sizes.count) parts of different sizes"
    if areSizesKnown { return evidence.note(.sizes, different) }
    var odd = odd
    // A cut within the zip would have been found.
    if uncounted > 0, let found = odd, found.size > 0,
      parts.layout.starts[found.index] >= uncounted
    {
      odd = nil
    }
    // Sums of all tell more than sizes; and of two, the first may have been made the shorter one.
    let isTold = whole != nil || leavesOutHeader
    if let found = odd, found.size > 0, haveSums || sizes.count == 2 && isTold { odd = nil }
    if let found = odd, try areLines(with: found.index) { odd = try emptyAmongLines() }
    guard let odd else {
      if uncounted > 0 { return evidence.note(.sizes, different) }
      let text: Sentence =
        "the parts have different sizes, so that none tells which one is the last"
      return evidence.suspect(.sizes, doubt(.unequalSizes, text + remedy))
    }
    suspect(odd, &evidence)
  }

  func suspect(_ odd: OddPart, _ evidence: inout Evidence) {
    let text: Sentence = "\(odd.said(of: series.parts.files.paths))\(explanation(of: odd))"
    evidence.suspect(.sizes, Doubt(.size, series.parts[odd.index].path, text))
  }

  private func explanation(of odd: OddPart) -> Sentence {
    let part = series.parts[odd.index].number
    let number = series.label(part)
    let last = series.label(series.parts.last?.number ?? part)
    let all: Sentence = "\(.last(last)) joins all"
    let name = series.parts[odd.index].path.lastComponent
    if odd.size == 0, let found = series.neighbours.downloads.first(where: { $0.part == name }) {
      return
        ": \(found.name) says that it \(found.doing); \(.asGiven()) joins the files that are named"
    }
    guard odd.size > 0, odd.isShort, odd.index > 0 else { return ": \(odd.cause); \(all)" }
    return ": \(odd.cause), or is the last one of a shorter series; "
      + "\(.last(number)) leaves out the parts behind it, \(all)"
  }

  /// The first part that is empty where no cut between lines leaves one empty.
  ///
  /// `split -n l/N` does where a line goes on beyond the next shares of the bytes: it is in one part then, and
  /// those of these shares are empty.
  private func emptyAmongLines() throws(CleaveError) -> OddPart? {
    let sizes = sizes
    let (share, rest) = parts.count.quotientAndRemainder(dividingBy: Int64(sizes.count))
    var index = 0
    for _ in 0..<Self.mostEmpty where share > 0 {
      guard let empty = sizes[index...].firstIndex(of: 0) else { break }
      index = sizes[empty...].firstIndex { $0 > 0 } ?? sizes.count
      let end = parts.layout.starts[empty]
      // bounded: at most all bytes
      if empty == 0 || end < Int64(index) * share { return OddPart(empty: empty, sizes) }
      // The first shares may have a byte more.
      let next = Int64(empty) * share + min(Int64(empty), rest)
      let start = max(next, end - 1 - Self.mostOfLine)
      let line = try parts.bytes(Int(max(0, end - 1 - start)), at: start) ?? []
      if line.contains(UInt8(ascii: "\n")) { return OddPart(empty: empty, sizes) }
    }
    return nil
  }

  /// Places with empty parts that are looked at, and bytes of the line in front of each.
  private static let mostEmpty = 64

  private static let mostOfLine: Int64 = 1 << 16

}
