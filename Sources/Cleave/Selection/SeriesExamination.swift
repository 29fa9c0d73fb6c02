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
  /// What names them.
  var manifest: Manifest?
  /// Whether lists have a sum of every part.
  var haveSums = false
  /// Whether somebody has named several of the parts.
  let isNamed: Bool
  /// How many parts there are, by a manifest or the names.
  let total: Int64?
  /// Whether a manifest tells it.
  private(set) var isTotalListed = false
  /// What a manifest tells of the whole.
  let whole: Manifest.Expected?
  /// What the parts begin like; nil where it is known what they make.
  let heads: PartHeads?
  /// Whether lines that all parts begin with are taken from the first alone.
  let leavesOutHeader: Bool
  /// The names beside the parts, where they are known.
  let names: PathList?
  /// Whether the content tells of exactly as many bytes as there are.
  var isExact = false
  /// Bytes at the start of which it tells nothing: those of a program in front of a zip.
  var uncounted: Int64 = 0
  /// Whether something inside looks like the end, or what is said of it has been said.
  var hasLookedAtEnd = false

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
    isTotalListed = total != nil
    self.total = total ?? series.form.total
    self.whole = whole
    self.heads = heads
    self.leavesOutHeader = leavesOutHeader
    self.names = names
  }

  /// - Parameters:
  ///   - zip: what a zip that the parts hold tells, which has been found to be whole.
  ///   - uncounted: bytes in front that the zip does not count.
  /// - Throws: `.badData` where something contradicts the names, with what decides.
  mutating func run(
    zip: String?,
    uncounted: Int64 = 0,
    _ evidence: inout Evidence
  ) throws(CleaveError) {
    if isEndKnown { evidence.knowEnd() }
    var end: Doubt?
    if let zip {
      evidence.confirm(.content, Sentence(zip))
      evidence.knowEnd()
      (isExact, self.uncounted) = (uncounted == 0, uncounted)
    } else {
      try lookAtStart(&evidence)
      try lookForHeader(&evidence)
      end = try lookAtEnd(&evidence)
    }
    // A better copy of a part tells more than that this one is odd.
    lookBeside(&evidence)
    lookForMore(&evidence)
    lookForOriginals(&evidence)
    if let end { evidence.suspect(.end, end) }
    try lookAtSizes(&evidence)
    try requireEvidence(evidence)
  }

  /// What names tell where the bytes are joined whatever they are.
  func runByNames(_ evidence: inout Evidence) {
    let pattern = SizePattern(sizes)
    if pattern == .shorterLast || isEndKnown { evidence.knowEnd() }
    lookBeside(&evidence)
    lookForMore(&evidence)
    lookForOriginals(&evidence)
    if [.single, .equal, .nearlyEqual].contains(pattern) { lookForNext(&evidence) }
  }

  /// Whether the sizes cannot tell anything new.
  var areSizesKnown: Bool {
    isListed || whole?.size != nil || reading.bounds.last != nil || isExact
  }

  var isEndKnown: Bool {
    areSizesKnown || uncounted > 0 || total != nil || hasLookedAtEnd
  }

  func name(_ index: Int) -> FilePath { series.parts[index].path.lastComponent }

  var remedy: Sentence {
    series.parts.last.map { "; \(.last(series.label($0.number))) says so" } ?? ""
  }

  /// Whether something else than the zip tells which part is the first.
  var isFirstKnown: Bool {
    isListed || whole?.size != nil || isExact || reading.bounds.first != nil
  }

  func doubt(_ code: Doubt.Code, _ text: Sentence) -> Doubt {
    Doubt(code, series.base, text)
  }

  private func requireEvidence(_ evidence: Evidence) throws(CleaveError) {
    switch series.form.style.joining {
    case .withEvidence, .withSizes: break
    case .bytes, .withFirst, .rewritten, .never: return
    }
    guard !isNamed || isOfTime, reading == PartReading(), !evidence.isBorneOut || isBesideNewer
    else { return }
    let way: Sentence =
      series.parts.count > 1 && !(isNamed && isOfTime)
      ? "\(.family(series.family)) joins it with the others"
      : "\(.asGiven(namesOutput: true)) \(isNamed ? "joins them in this order" : "copies it by itself")"
    var error = CleaveError.ofWholeFile(
      series.parts[0].path,
      "is named like many things, such as a log that was rotated, and nothing else says that it is a "
        + "part of \(series.base.lastComponent): \(way)"
    )
    error.mayBeOfPart = true
    throw error
  }
}

extension SeriesExamination {
  /// Whether the names count days, months or logs, so that files of one size are hardly cut from one, nor are those that
  /// somebody names.
  var isOfTime: Bool {
    guard let first = series.parts.first, let last = series.parts.last else { return false }
    return series.form.isOfLog || series.form.countsDays(from: first.number, to: last.number)
  }

  /// Whether the name of the whole is that of a file which is smaller than the first part, and does not begin as that does:
  /// a log that goes on, and not what was made of some of the parts.
  private var isBesideNewer: Bool {
    if areSizesKnown { return false }
    let status = try? FileStatus.of(series.base)
    guard let status, status.kind == .regular, status.size < series.parts[0].size,
      let start = try? Selection.head(of: series.base, status)
    else { return false }
    // Logs are text.
    return heads?.typical.first.map { first in
      !first.bytes.starts(with: start) && !(first.bytes + start).contains(0)
    } ?? false
  }
}

/// What the user says of names that could mean several things.
public struct PartReading: Hashable, Sendable {
  /// The family that the names are of.
  public var family: NamingStyle.Family?
  public var bounds = PartSeries.Bounds()

  public init() {}
}

extension PartSeries {
  /// What to do where those that are there are all that is wanted, as a sentence.
  var joiningAll: Sentence {
    "\(.last(label(parts.last?.number ?? 0))) merges the parts that are there"
  }
}
