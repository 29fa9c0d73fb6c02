public import Posix

/// One merge whose parts may still be on their way.
///
/// What has come is written while the rest is awaited. Should the whole turn out to be something else
/// than these parts one after the other, it is merged like any other when all are there.
public struct ArrivingMerge: Work {
  /// A part, there or not; a manifest or a directory.
  public let operand: FilePath
  /// Nil for the name that the parts' names give to the whole; `-` is standard output.
  public let output: FilePath?
  public var request: Selection.Request
  public var options: Merge.Options
  /// How long nothing may happen to the parts; nil for ever.
  public var idleTimeout: Duration?

  public init(
    of operand: FilePath,
    into output: FilePath?,
    _ request: Selection.Request = Selection.Request(),
    _ options: Merge.Options = Merge.Options()
  ) {
    (self.operand, self.output, self.request, self.options) = (operand, output, request, options)
  }

  /// A merge that was carried out.
  package typealias Finished = (merge: Merge, outcome: Outcome)

  public var work: WorkOptions {
    get { options.work }
    set { options.work = newValue }
  }

  /// Waits for the parts, and makes the output.
  ///
  /// - Throws: a ``CleaveError``; `.missingInput` where nothing has happened for too long.
  public func run() throws(CleaveError) -> Outcome { try finish().outcome }

  package func finish() throws(CleaveError) -> Finished {
    try work.requireSound()
    guard !work.isStaged else {
      throw CleaveError(
        .contradiction,
        "\(Setting.waiting) does not go with \(Setting.resuming) or \(Setting.consuming)"
      )
    }
    if let output { try check(output, inputs: []) }
    let arrivals = try PartArrivals(
      PartArrivals.Request(operand, request, idleTimeout: idleTimeout),
      work.cancellation
    ) { [work] in work.tell(.waiting($0)) }
    guard let first = try arrivals.next() else { return try merge(arrivals) }
    guard let output = output ?? arrivals.defaultOutput else {
      throw CleaveError(
        .contradiction,
        "\(mentioning: .output(nil)) is needed: the parts have no name to give to the output"
      )
    }
    try check(output, inputs: [first.status.identity])
    let isWanted =
      work.verification != .none && arrivals.wantsDigests || options.sums != nil
      || !options.digests.isEmpty || options.header != nil || options.dealtSeparator != nil
      || !arrivals.arePlain
    guard try canBegin(with: first, output), !isWanted else {
      while try arrivals.next() != nil {}
      return try merge(arrivals)
    }
    return try write(first, arrivals, to: output)
  }

  /// Nobody shall wait for parts, and then hear that they cannot go there.
  private func check(
    _ output: FilePath,
    inputs: Set<FileStatus.Identity>
  ) throws(CleaveError) {
    if output.bytes.isEmpty { throw .emptyOutput }
    if try isStream(output) { return }
    try Journal.requireNonePublished([output])
    try OutputCheck.check(output, work.output, inputs: inputs)
  }

  private func isStream(_ output: FilePath) throws(CleaveError) -> Bool {
    if output == "-" { return true }
    return try OutputCheck.isStream(output, work.output)
  }

  /// - Throws: where a stream is a file that is called like a part, or like a list.
  private func requireOther(
    _ stream: StreamOutput,
    thanPartsBeside first: FilePath
  ) throws(CleaveError) {
    guard let listing = try? DirectoryListing(beside: first) else { return }
    let forms = PartName.readings(of: first.lastComponent)
    let names = listing.names.lazy.filter { name in
      Manifest.isName(name) || forms.contains { $0.digits(of: name, folding: true) != nil }
    }
    let inputs = names.compactMap { (try? FileStatus.of(first.sibling($0)))?.identity }
    try OutputCheck.check(stream, inputs: inputs)
  }

  /// The merge of parts that are all there.
  private func merge(_ arrivals: PartArrivals) throws(CleaveError) -> Finished {
    guard let selection = arrivals.selection else { throw .cancelled }
    let output = try selection.output(given: output, replacing: work.output.replacesExisting)
    let merge = Merge(selection, into: output, options)
    return (merge, try merge.run())
  }

  // MARK: Before all are there

  /// Whether bytes may be written that could turn out to be others: not to a stream, and not where
  /// something else than the serial engine is asked for.
  private func canBegin(
    with first: SourceFile,
    _ output: FilePath
  ) throws(CleaveError) -> Bool {
    guard work.askedEngine?.capabilities.contains(.streamInput) ?? true, work.sharing != .always,
      work.verification != .entries
    else { return false }
    return try isStream(output) ? !PartArrivals.mayBeRewritten(first) : true
  }

  private func write(
    _ first: SourceFile,
    _ arrivals: PartArrivals,
    to output: FilePath
  ) throws(CleaveError) -> Finished {
    if try isStream(output) { try work.requireNoTimes("streams") }
    let stream = try isStream(output) ? StreamOutput(to: output, work.cancellation) : nil
    if let stream {
      try requireOther(stream, thanPartsBeside: first.path)
    } else {
      try work.lookForLeftovers(of: [output], output, from: [first])
    }
    arrivals.output = stream
    var job = Job()
    job.options = work.jobOptions(work.verification == .none ? [] : [.crc32, .adler32])
    job.stream = stream
    var part = Optional(first)
    let feed = Feed.joining(into: output, knowing: []) { () throws(CleaveError) in
      let next = if let part { Optional(part) } else { try arrivals.next() }
      part = nil
      return next.map { .file($0) }
    }
    let whole = ArrivedWhole(options, arrivals, output)
    do throws(CleaveError) {
      let outcome = try job.run(feed, judgedBy: whole)
      guard let merge = whole.merge else { throw .cancelled }
      return (merge, outcome)
    } catch {
      guard whole.isOther, stream == nil else { throw error }
      return try merge(arrivals)
    }
  }
}

/// What is to have been made when all parts are there.
private final class ArrivedWhole: Judge {
  private let options: Merge.Options
  private let arrivals: PartArrivals
  private let output: FilePath
  /// Whether the parts that were written are not the whole.
  private(set) var isOther = false
  /// What was carried out.
  private(set) var merge: Merge?

  init(_ options: Merge.Options, _ arrivals: PartArrivals, _ output: FilePath) {
    (self.options, self.arrivals, self.output) = (options, arrivals, output)
  }

  func judge(_ report: JobReport) throws(CleaveError) -> Judgement {
    guard let selection = arrivals.selection, arrivals.handedOut(selection) else {
      throw other
    }
    let merge = Merge(selection, into: output, options)
    // There would be something to compare that was not computed.
    guard merge.digestRequest.isEmpty, merge.neededDigests == nil, merge.isPlain else {
      throw other
    }
    self.merge = merge
    if arrivals.output == nil, let files = selection.files {
      // One that came meanwhile may have the output's name.
      let inputs = Set(files.map(\.status.identity))
      try OutputCheck.check(output, options.work.output, inputs: inputs)
    }
    try merge.check()
    let proving = merge.proving
    if report.temporaries.isEmpty { proving?.begin(selection) }
    return Judgement(try merge.judge(report, proving.map { .running($0) }))
  }

  private var other: CleaveError {
    isOther = true
    return CleaveError(
      .changedInput,
      output == "-" ? "standard output" : output,
      "what was written before all parts were there cannot be proved to be the whole"
    )
  }
}
