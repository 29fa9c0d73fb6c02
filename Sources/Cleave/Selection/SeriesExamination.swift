internal import Posix

/// Looks at the parts of a series for what their names do not tell: whether they belong together, and
/// whether the last one is there.
struct SeriesExamination {
  /// Without gaps.
  let series: PartSeries
  let parts: JoinedBytes
  /// What the user has said.
  let reading: PartReading
  /// Whether a manifest names the parts.
  let isListed: Bool
  /// Whether lists have a sum of every part.
  var haveSums = false
  /// Whether somebody has named several of the parts.
  let isNamed: Bool
  /// How many parts there are, by a manifest or the names.
  private let total: Int64?
  /// What a manifest tells of the whole.
  private let whole: Manifest.Expected?
  /// What the parts begin like; nil where it is known what they make.
  private let heads: PartHeads?
  /// Whether lines that all parts begin with are taken from the first alone.
  private let leavesOutHeader: Bool
  /// The names beside the parts, where they are known.
  private let names: PathList?
  /// Whether the content tells of exactly as many bytes as there are.
  private var isExact = false
  /// Bytes at the start of which it tells nothing: those of a program in front of a zip.
  private var uncounted: Int64 = 0
  /// Whether something inside looks like the end, or what is said of it has been said.
  private var hasLookedAtEnd = false

  init(
    _ series: PartSeries,
    _ parts: JoinedBytes,
    _ reading: PartReading,
    isListed: Bool,
    isNamed: Bool = false,
    total: Int64?,
    _ whole: Manifest.Expected?,
    _ heads: PartHeads?,
    leavesOutHeader: Bool = false,
    beside names: PathList?
  ) {
    self.series = series
    self.parts = parts
    self.reading = reading
    (self.isListed, self.isNamed) = (isListed, isNamed)
    self.total = total ?? series.form.total
    self.whole = whole
    self.heads = heads
    self.leavesOutHeader = leavesOutHeader
    self.names = names
  }

  /// - Parameters:
  ///   - zip: what a zip that the parts hold tells, which has been found to be whole.
  ///   - uncounted: bytes in front that the zip does not count.
  /// - Throws: `.badData` where something contradicts the names, with what decides;
  ///   `.missingInput` where the content tells of more bytes.
  mutating func run(
    zip: String?,
    uncounted: Int64 = 0,
    _ evidence: inout Evidence
  ) throws(CleaveError) {
    if isEndKnown { evidence.knowEnd() }
    if let zip {
      evidence.confirm(.content, Sentence(zip))
      evidence.knowEnd()
      (isExact, self.uncounted) = (uncounted == 0, uncounted)
    } else {
      try lookAtStart(&evidence)
      try lookForHeader(&evidence)
      try lookAtEnd(&evidence)
    }
    // A better copy of a part tells more than that this one is odd.
    lookBeside(&evidence)
    lookForUnmarked(&evidence)
    try lookAtSizes(&evidence)
    try requireEvidence(evidence)
  }

  /// Whether the sizes cannot tell anything new.
  private var areSizesKnown: Bool {
    isListed || whole?.size != nil || reading.bounds.last != nil || isExact
  }

  private var isEndKnown: Bool {
    areSizesKnown || uncounted > 0 || total != nil || hasLookedAtEnd
  }

  // MARK: Content

  private func lookAtStart(_ evidence: inout Evidence) throws(CleaveError) {
    guard whole == nil else { return }
    let count = min(FileFormat.headSize, Int(clamping: parts.count))
    // That of a small first part goes on in the next.
    let known = heads?.typical.first?.bytes
    let head = try known?.count == count ? known ?? [] : parts.bytes(count, at: 0) ?? []
    let promised = FileFormat.promised(by: series.base)
    let elsewhere = promised == nil ? begunElsewhere(head) : nil
    guard let format = promised ?? elsewhere else { return }
    if format.begins(head) { return evidence.confirm(.content, "begins like \(format.name)") }
    let text: Sentence = "the parts do not begin like \(format.name)"
    let first = try start(of: format)
    let cause: Sentence =
      first.map { ", but \($0) does: they are in the wrong order; \(CleaveError.reordering)" }
      ?? ", so that the first may be missing"
    guard !isListed else { return evidence.note(.content, text + cause) }
    evidence.suspect(.content, doubt(.start, "\(text)\(cause); \(.format(.raw)) joins the bytes"))
  }

  /// Tables that were cut with a header in each part, and pages and dumps that are each whole.
  private func lookForHeader(_ evidence: inout Evidence) throws(CleaveError) {
    guard !leavesOutHeader, let heads, let line = heads.commonLine else { return }
    for index in series.parts.indices.dropLast().prefix(Self.mostLines) {
      guard try endsWithLine(index) else { return }
    }
    // What is there again and again begins a record, and not a part.
    for head in heads.typical.prefix(2) {
      let start = parts.layout.starts[head.index]
      let count = Int(min(head.size, Self.mostOfRecord))
      let text = try parts.bytes(count, at: start) ?? []
      if text.dropFirst().contains([UInt8(ascii: "\n")] + line) { return }
    }
    evidence.suspect(
      .content,
      doubt(
        .sameLine,
        "all parts begin with the same line: \(.leavingOutHeader) takes it from the first alone, "
          + "\(.format(.raw)) joins them as they are"
      )
    )
  }

  /// Bytes of a part in which a line is looked for that begins it.
  private static let mostOfRecord: Int64 = 1 << 16
  /// Parts of which the last byte is looked at.
  private static let mostLines = 8

  /// The zip or gzip file that another part begins than the first, where neither the first bytes nor the
  /// name tell of anything: disk images hold such files, too.
  private func begunElsewhere(_ head: [UInt8]) -> FileFormat? {
    guard !series.base.lastComponent.bytes.contains(UInt8(ascii: ".")),
      FileFormat.begun(by: head) == nil
    else { return nil }
    return heads?.typical.dropFirst().lazy.compactMap(\.format).first {
      [.zip, .gzip].contains($0.kind)
    }
  }

  /// Another part than the first that begins like the whole.
  private func start(of format: FileFormat) throws(CleaveError) -> FilePath? {
    for (index, part) in series.parts.enumerated().dropFirst().prefix(Self.mostStarts) {
      let count = Int(min(Int64(FileFormat.headSize), part.size))
      let head = try parts.bytes(count, at: parts.layout.starts[index]) ?? []
      if format.begins(head) { return part.path.lastComponent }
    }
    return nil
  }

  /// Parts that are looked at; where there are more, the first is more likely to be missing.
  private static let mostStarts = 1000

  private mutating func lookAtEnd(_ evidence: inout Evidence) throws(CleaveError) {
    let end: ContentEnd
    do throws(CleaveError) {
      end = try ContentEnd(of: parts, in: series)
    } catch {
      guard whole != nil, error.system == nil else { throw error }
      return evidence.note(.end, error.sentence)
    }
    switch end {
    case .exact(let text):
      evidence.confirm(.end, Sentence(text))
      evidence.knowEnd()
      isExact = true
    case .seen(let text):
      evidence.confirm(.end, Sentence(text))
      hasLookedAtEnd = true
    case .absent(let text):
      // Where a part was cut short, that is why. That a list has all that is there tells nothing of what is not.
      let isTold = whole != nil || total != nil || reading.bounds.last != nil
      guard !isTold, OddPart(sizes) == nil else { return evidence.note(.end, Sentence(text)) }
      evidence.suspect(
        .end,
        doubt(
          .end,
          "\(text), so that a part may be missing; \(.format(.raw)) joins the bytes that are there"
        )
      )
      hasLookedAtEnd = true
    case .unknown: evidence.note(.end, "nothing inside tells where the last part ends")
    }
  }

  // MARK: Sizes

  private var sizes: [Int64] { Array(series.parts.files.sizes) }

  private func lookAtSizes(_ evidence: inout Evidence) throws(CleaveError) {
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
    case .equal:
      evidence.confirm(.sizes, "\(sizes.count) parts, all of \(sizes[0]) bytes")
      doubtLongLast(&evidence)
    case .nearlyEqual:
      evidence.confirm(.sizes, "\(sizes.count) parts of \(sizes[0]) bytes, give or take a few")
      doubtLongLast(&evidence)
    case .shortFirst:
      try refuseInformation()
      try doubt(isFirstKnown ? nil : OddPart(sizes), &evidence)
    case .odd(let odd): try doubt(odd, &evidence)
    case .unequal: try doubt(nil, &evidence)
    }
  }

  /// Some programs write what they know of the parts into `NAME.000`.
  private func refuseInformation() throws(CleaveError) {
    guard series.parts[0].number == 0, series.form.digits.alphabet == .decimal, !isFirstKnown,
      try !areLines(with: 0)
    else { return }
    throw contradiction(
      0,
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
    evidence.suspect(.sizes, doubt(code, text + remedy))
    if let stray = nextAlike { evidence.suspect(.beside, stray, of: series.base, joiningAll) }
  }

  /// What may be the next part by another name, where all that are there are of one size.
  private var nextAlike: Neighbours.Stray? {
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
  private var next: (name: FilePath, number: Int64)? {
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

  /// Parts that were saved a second time, of which the last one was not.
  private func lookForUnmarked(_ evidence: inout Evidence) {
    guard whole == nil, total == nil, reading.bounds.last == nil, let names, let next,
      let stray = Neighbours.unmarked(
        series.family,
        first: (name(0), series.parts[0].number),
        next: next,
        among: names
      ), mayBeLast(stray.name)
    else { return }
    evidence.suspect(.beside, stray, of: series.base, joiningAll)
  }

  /// - Parameter odd: nil where no size is that of most parts.
  private func doubt(_ odd: OddPart?, _ evidence: inout Evidence) throws(CleaveError) {
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

  private func suspect(_ odd: OddPart, _ evidence: inout Evidence) {
    let text: Sentence = "\(odd.said(of: series.parts.files.paths))\(explanation(of: odd))"
    evidence.suspect(.sizes, Doubt(.size, series.parts[odd.index].path, text))
  }

  private func explanation(of odd: OddPart) -> Sentence {
    let part = series.parts[odd.index].number
    let number = series.label(part)
    let last = series.label(series.parts.last?.number ?? part)
    let all: Sentence = "\(.last(last)) joins all"
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

  /// Whether the parts end with lines, as those of `split -l` do, whose sizes differ.
  private func areLines(with odd: Int) throws(CleaveError) -> Bool {
    let indices = Set(sizes.indices.prefix(Self.mostLines)).union([odd, sizes.count - 1])
    for index in indices where sizes[index] > 0 {
      guard try endsWithLine(index) else { return false }
    }
    return true
  }

  private func endsWithLine(_ index: Int) throws(CleaveError) -> Bool {
    guard sizes[index] > 0 else { return false }
    let end = try parts.bytes(1, at: parts.layout.starts[index + 1] - 1)
    return end == [UInt8(ascii: "\n")]
  }

  private func name(_ index: Int) -> FilePath { series.parts[index].path.lastComponent }

  private var remedy: Sentence {
    series.parts.last.map { "; \(.last(series.label($0.number))) says so" } ?? ""
  }

  private var joiningAll: Sentence {
    "\(.last(series.label(series.parts.last?.number ?? 0))) merges the parts that are there"
  }

  /// Whether something else than the zip tells which part is the first.
  var isFirstKnown: Bool {
    isListed || whole?.size != nil || isExact || reading.bounds.first != nil
  }

  private func contradiction(_ index: Int, _ text: Sentence) -> CleaveError {
    CleaveError(.badData, series.parts[index].path, text)
  }

  private func doubt(_ code: Doubt.Code, _ text: Sentence) -> Doubt {
    Doubt(code, series.base, text)
  }

  // MARK: Names

  private func lookBeside(_ evidence: inout Evidence) {
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

  private func requireEvidence(_ evidence: Evidence) throws(CleaveError) {
    switch series.form.style.joining {
    case .withEvidence, .withSizes: break
    case .bytes, .withFirst, .rewritten, .never: return
    }
    guard !evidence.isBorneOut, !isNamed, reading == PartReading() else { return }
    let way: Sentence =
      series.parts.count > 1
      ? "\(.family(series.family)) joins it with the others"
      : "\(.asGiven(namesOutput: true)) copies it by itself"
    var error = CleaveError.ofWholeFile(
      series.parts[0].path,
      "is named like many things, such as a log that was rotated, and nothing else says that it is a "
        + "part of \(series.base.lastComponent): \(way)"
    )
    error.mayBeOfPart = true
    throw error
  }
}

/// What the user says of names that could mean several things.
public struct PartReading: Hashable, Sendable {
  /// The family that the names are of.
  public var family: NamingStyle.Family?
  public var bounds = PartSeries.Bounds()

  public init() {}
}
