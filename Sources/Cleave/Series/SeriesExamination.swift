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
  /// Whether a manifest has sums of the whole.
  private let isVouched: Bool
  private var isEndKnown: Bool

  /// - Parameter whole: what a manifest tells of the whole.
  init(
    _ series: PartSeries,
    _ parts: ZipParts,
    _ reading: PartReading,
    isListed: Bool,
    _ whole: Manifest.Expected?
  ) {
    self.series = series
    self.parts = parts
    self.reading = reading
    self.isListed = isListed
    isVouched = whole != nil
    isEndKnown =
      isListed || whole?.size != nil || reading.bounds.last != nil || series.form.total != nil
  }

  /// - Parameter zip: what a zip that the parts hold tells, which has been found to be whole.
  /// - Throws: `.badData` where something contradicts the names, with the option that decides;
  ///   `.missingInput` where the content tells of more bytes.
  mutating func run(zip: String?, _ evidence: inout Evidence) throws(CleaveError) {
    if isEndKnown { evidence.knowEnd() }
    if let zip {
      evidence.confirm(.content, zip)
      evidence.knowEnd()
      isEndKnown = true
    } else {
      try lookAtEnd(&evidence)
    }
    try lookAtSizes(&evidence)
    lookBeside(&evidence)
    try requireEvidence(evidence)
  }

  private mutating func lookAtEnd(_ evidence: inout Evidence) throws(CleaveError) {
    let end: ContentEnd
    do throws(CleaveError) {
      end = try ContentEnd(of: parts, in: series)
    } catch {
      guard isVouched, error.system == nil else { throw error }
      return evidence.note(.end, error.message)
    }
    switch end {
    case .seen(let text, let isCertain):
      evidence.confirm(.end, text)
      if isCertain { evidence.knowEnd() }
      isEndKnown = true
    case .absent(let text):
      guard !isEndKnown else { return evidence.note(.end, text) }
      isEndKnown = true
      evidence.suspect(.end, doubt("\(text), so that a part may be missing"))
    case .unknown: evidence.note(.end, "nothing inside tells where the last part ends")
    }
  }

  // MARK: Sizes

  private func lookAtSizes(_ evidence: inout Evidence) throws(CleaveError) {
    let sizes = series.parts.map(\.size)
    let last = series.parts[sizes.count - 1].path.lastComponent
    switch SizePattern(sizes) {
    case .single:
      guard !isEndKnown else { return evidence.note(.sizes, "one part of \(sizes[0]) bytes") }
      evidence.suspect(
        .sizes,
        doubt("there is only \(last), and nothing tells that it is all\(remedy)")
      )
    case .shorterLast:
      evidence.confirm(
        .sizes,
        "\(sizes.count) parts, all of \(sizes[0]) bytes but a shorter last one"
      )
      if evidence.suspicions.isEmpty { evidence.knowEnd() }
    case .equal:
      evidence.confirm(.sizes, "\(sizes.count) parts, all of \(sizes[0]) bytes")
      guard !isEndKnown else { return }
      evidence.suspect(
        .sizes,
        doubt(
          "\(last) is as long as the others, and nothing tells that it is the last part\(remedy)"
        )
      )
    case .shortWithin(let index): try lookAt(short: index, &evidence)
    case .shortFirst where series.parts[0].number == 0 && !isFirstGiven:
      throw contradiction(
        0,
        "is shorter than the others, and may be an information file: --first=1 leaves it out, "
          + "--first=0 joins it"
      )
    case .shortFirst, .unequal: evidence.note(.sizes, "\(sizes.count) parts of different sizes")
    }
  }

  private var remedy: String {
    series.parts.last.map { "; --last=\($0.number) says so" } ?? ""
  }

  private var isFirstGiven: Bool { isListed || reading.bounds.first != nil }

  private func lookAt(short index: Int, _ evidence: inout Evidence) throws(CleaveError) {
    if isEndKnown {
      return evidence.note(.sizes, "\(series.parts.count) parts of different sizes")
    }
    let (part, last) = (series.parts[index].number, series.parts[series.parts.count - 1].number)
    throw contradiction(
      index,
      "is shorter than the parts in front of it, like a last one, and there are parts behind it: "
        + "--last=\(part) leaves those out, --last=\(last) joins all"
    )
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
