internal import Posix

/// Looks at the parts of a series for what their names do not tell: whether they belong together, and
/// whether the last one is there.
struct SeriesExamination {
  /// Without gaps.
  let series: PartSeries
  let parts: ZipParts
  /// What the user has said.
  let reading: PartReading
  /// Whether a manifest names the parts.
  let isListed: Bool
  /// How many parts there are, by a manifest or the names.
  private let total: Int64?
  /// What a manifest tells of the whole.
  private let whole: Manifest.Expected?
  /// Whether the content tells of exactly as many bytes as there are.
  private var isExact = false
  /// Whether something inside looks like the end, or what is said of it has been said.
  private var hasLookedAtEnd = false

  init(
    _ series: PartSeries,
    _ parts: ZipParts,
    _ reading: PartReading,
    isListed: Bool,
    total: Int64?,
    _ whole: Manifest.Expected?
  ) {
    self.series = series
    self.parts = parts
    self.reading = reading
    self.isListed = isListed
    self.total = total ?? series.form.total
    self.whole = whole
  }

  /// - Parameter zip: what a zip that the parts hold tells, which has been found to be whole.
  /// - Throws: `.badData` where something contradicts the names, with the option that decides;
  ///   `.missingInput` where the content tells of more bytes.
  mutating func run(zip: String?, _ evidence: inout Evidence) throws(CleaveError) {
    if isEndKnown { evidence.knowEnd() }
    if let zip {
      evidence.confirm(.content, zip)
      evidence.knowEnd()
      isExact = true
    } else {
      try lookAtStart(&evidence)
      try lookAtEnd(&evidence)
    }
    try lookAtSizes(&evidence)
    lookBeside(&evidence)
    try requireEvidence(evidence)
  }

  /// Whether the sizes cannot tell anything new.
  private var areSizesKnown: Bool {
    isListed || whole?.size != nil || reading.bounds.last != nil || isExact
  }

  private var isEndKnown: Bool { areSizesKnown || total != nil || hasLookedAtEnd }

  // MARK: Content

  private func lookAtStart(_ evidence: inout Evidence) throws(CleaveError) {
    guard whole == nil, let format = ContentStart(ending: series.base) else { return }
    let head = try parts.bytes(Int(min(8, parts.count)), at: 0) ?? []
    if format.begins(head) { return evidence.confirm(.content, "begins like \(format.name)") }
    evidence.suspect(
      .content,
      doubt("the parts do not begin like \(format.name), so that the first may be missing")
    )
  }

  private mutating func lookAtEnd(_ evidence: inout Evidence) throws(CleaveError) {
    let end: ContentEnd
    do throws(CleaveError) {
      end = try ContentEnd(of: parts, in: series)
    } catch {
      guard whole != nil, error.system == nil else { throw error }
      return evidence.note(.end, error.message)
    }
    switch end {
    case .exact(let text):
      evidence.confirm(.end, text)
      evidence.knowEnd()
      isExact = true
    case .seen(let text):
      evidence.confirm(.end, text)
      hasLookedAtEnd = true
    case .absent(let text):
      guard !isEndKnown else { return evidence.note(.end, text) }
      evidence.suspect(.end, doubt("\(text), so that a part may be missing"))
      hasLookedAtEnd = true
    case .unknown: evidence.note(.end, "nothing inside tells where the last part ends")
    }
  }

  // MARK: Sizes

  private func lookAtSizes(_ evidence: inout Evidence) throws(CleaveError) {
    let sizes = series.parts.map(\.size)
    switch SizePattern(sizes) {
    case .single:
      evidence.note(.sizes, "one part of \(sizes[0]) bytes")
      doubtEnd("there is only \(name(0)), and nothing tells that it is all", &evidence)
    case .shorterLast:
      let text = "\(sizes.count) parts, all of \(sizes[0]) bytes but a shorter last one"
      // One of any two files is shorter.
      if sizes.count > 2 { evidence.confirm(.sizes, text) } else { evidence.note(.sizes, text) }
      if evidence.suspicions.isEmpty { evidence.looksLikeEnd() }
    case .equal:
      evidence.confirm(.sizes, "\(sizes.count) parts, all of \(sizes[0]) bytes")
      doubtLongLast(&evidence)
    case .nearlyEqual:
      evidence.confirm(.sizes, "\(sizes.count) parts of \(sizes[0]) bytes, give or take a few")
      doubtLongLast(&evidence)
    case .shortWithin(let index) where !areSizesKnown: throw shortWithin(index)
    case .shortFirst where series.parts[0].number == 0 && !isFirstKnown:
      throw contradiction(
        0,
        "is shorter than the others, and may be an information file: --first=1 leaves it out, "
          + "--first=0 joins it"
      )
    case .empty(let index): doubtPart(index, "is empty", &evidence)
    case .unequal(let index), .shortWithin(let index): doubtPart(index, Self.odd, &evidence)
    case .shortFirst: doubtPart(0, Self.odd, &evidence)
    }
  }

  private static let odd =
    "is not as long as the others: it may be cut, or parts may be left over from another series"

  private func doubtLongLast(_ evidence: inout Evidence) {
    doubtEnd(
      "\(name(series.parts.count - 1)) is as long as the others, and nothing tells that it is the last "
        + "part",
      &evidence
    )
  }

  private func doubtEnd(_ text: String, _ evidence: inout Evidence) {
    if !isEndKnown { evidence.suspect(.sizes, doubt(text + remedy)) }
  }

  private func doubtPart(_ index: Int, _ text: String, _ evidence: inout Evidence) {
    guard !areSizesKnown else {
      return evidence.note(.sizes, "\(series.parts.count) parts of different sizes")
    }
    evidence.suspect(.sizes, doubt("\(name(index)) \(text)\(remedy)"))
  }

  private func shortWithin(_ index: Int) -> CleaveError {
    let (part, last) = (series.parts[index].number, series.parts[series.parts.count - 1].number)
    return contradiction(
      index,
      "is shorter than the parts in front of it, like a last one, and there are parts behind it: "
        + "--last=\(part) leaves those out, --last=\(last) joins all"
    )
  }

  private func name(_ index: Int) -> FilePath { series.parts[index].path.lastComponent }

  private var remedy: String {
    series.parts.last.map { "; --last=\($0.number) says so" } ?? ""
  }

  private var isFirstKnown: Bool {
    isListed || whole?.size != nil || isExact || reading.bounds.first != nil
  }

  private func contradiction(_ index: Int, _ text: String) -> CleaveError {
    CleaveError(.badData, series.parts[index].path, text)
  }

  private func doubt(_ text: String) -> CleaveError {
    CleaveError(.missingInput, series.base, text)
  }

  // MARK: Names

  private func lookBeside(_ evidence: inout Evidence) {
    evidence.note(series.strays, of: series.base)
    for name in series.foreign {
      evidence.note(.beside, "\(name.lastComponent) is another file's, by the case of its letters")
    }
  }

  private func requireEvidence(_ evidence: Evidence) throws(CleaveError) {
    guard case .withEvidence = NamingStyle.of(series.family).joining, !evidence.isBorneOut,
      !isListed, reading == PartReading()
    else { return }
    throw contradiction(
      0,
      "is named like many things, such as a log that was rotated, and nothing else says that it is a "
        + "part of \(series.base.lastComponent): --as=\(series.family.rawValue) joins it with the others"
    )
  }
}

/// What the user says of names that could mean several things.
public struct PartReading: Hashable, Sendable {
  /// The family that the names are of.
  public var family: NamingStyle.Family?
  public var bounds = PartSeries.Bounds()

  public init() {}
}
