package import Posix

/// Bytes of which nobody knows how many there will be.
package enum Feed {
  /// Sources one after the other, to one file, or to the stream that takes its place.
  ///
  /// - `knowing`: what is known of the sources beforehand.
  /// - `isInput`: whether standard input is one of them.
  /// - `next`: the next source, which it may wait for; nil behind the last one.
  case joining(
    into: FilePath,
    knowing: SourceFiles,
    isInput: Bool = false,
    next: () throws(CleaveError) -> Selection.Source?
  )
  /// Standard input, to as many files as it takes.
  ///
  /// - `block`: bytes of each block that a CRC-32 is wanted of.
  case cutting(Cuts, name: (Int) -> FilePath?, block: Int64?)
  /// Records of a file or of standard input, one to each of several files in turn.
  case dealing(Dealing)
  /// Records that were dealt out, one of each file in turn, to one file, or to the stream that takes its
  /// place. `by` is the byte that they end with.
  case gathering(SourceFiles, by: UInt8, into: FilePath)

  /// Where standard input is cut.
  package enum Cuts {
    /// The bytes of the file of a number from 0, or nil for no file.
    case sizes((Int) -> Int64?)
    case records(CutStream)
  }

  /// Whether standard input is read.
  var isInput: Bool {
    switch self {
    case .joining(_, _, let isInput, _): isInput
    case .cutting: true
    case .dealing(let feed): feed.source == nil
    case .gathering: false
    }
  }

  /// What one output is made of, as far as it is known beforehand; nil where there may be several outputs.
  var joined: (path: FilePath, known: SourceFiles)? {
    switch self {
    case .joining(let path, let known, _, _): (path, known)
    case .gathering(let files, _, let path): (path, files)
    case .cutting, .dealing: nil
    }
  }

  /// Whether the bytes of the parts pass in turn.
  var isInTurn: Bool {
    switch self {
    case .joining, .cutting: false
    case .dealing, .gathering: true
    }
  }

  /// Bytes, where they are known.
  var size: Int64? {
    switch self {
    case .joining, .cutting: nil
    case .dealing(let feed): feed.source?.status.size
    case .gathering(let files, _, _): files.totalSize
    }
  }

  /// Sources that are all there, some of which may be streams.
  package static func joining(_ sources: Selection.Sources, into path: FilePath) -> Feed {
    var left = sources[...]
    let files = SourceFiles(sources.lazy.compactMap(\.named))
    return .joining(into: path, knowing: files, isInput: sources.hasStandardInput) {
      left.popFirst()
    }
  }
}

/// An engine that needs neither a size nor a place: one with ``EngineCapabilities/streamInput``.
package protocol StreamEngine: Engine {
  /// Moves what comes until no more does, or stops at the first error, which it hands to
  /// ``Transfer/fail(_:)``. The first output has been entered where sources are joined.
  ///
  /// - Returns: the report with the checksum of each source and each destination, and those of blocks.
  func run(_ transfer: Transfer, _ feed: Feed, _ report: JobReport) -> JobReport
}

extension SerialEngine: StreamEngine {
  package func run(_ transfer: Transfer, _ feed: Feed, _ report: JobReport) -> JobReport {
    var report = report
    let pump = SerialPump(transfer, transfer.settings.resolved(defaults))
    transfer.failing { () throws(CleaveError) in
      switch feed {
      case .joining(_, _, _, let next): try pump.join(next, &report)
      case .cutting(.sizes(let size), let name, let block):
        try pump.cut(size, name, block, &report)
      case .cutting(.records(var stream), let name, let block):
        var parts = StreamedParts(pump, name, block: block, report)
        let input = try StreamInput.standard()
        try stream.cut(input, reading: pump.marks.high, pump.stops(nil), into: &parts)
        report = parts.report
        report.header = Checksum(of: stream.header.bytes[...], transfer.kinds)
      case .dealing(let feed): try pump.deal(feed, &report)
      case .gathering(let files, let separator, _): try pump.gather(files, separator, &report)
      }
    }
    pump.finish()
    return report
  }
}

extension SerialPump {
  fileprivate func join(
    _ next: () throws(CleaveError) -> Selection.Source?,
    _ report: inout JobReport
  ) throws(CleaveError) {
    try open(destination: 0)
    let stops = stops(try transfer.outputs.open(0).stream)
    report.destinations = [.empty]
    while !transfer.hasFailed, let source = try next() {
      let sum: Checksum
      switch source {
      case .standardInput: sum = try move(from: try StreamInput.standard(), limit: .max, stops)
      case .pipe(let pipe):
        transfer.outputs.limit(permissions: 0o666)
        sum = try move(from: try StreamInput.opening(pipe.path), limit: .max, stops)
      case .file(let file):
        transfer.outputs.limit(permissions: file.status.permissions)
        transfer.outputs.note(modified: file.status.modified)
        sum = try move(whole: file)
      }
      try transfer.passing?.endPart()
      report.sources.append(sum)
      report.destinations[0].append(sum)
    }
  }

  fileprivate func cut(
    _ size: (Int) -> Int64?,
    _ name: (Int) -> FilePath?,
    _ block: Int64?,
    _ report: inout JobReport
  ) throws(CleaveError) {
    let input = try StreamInput.standard()
    let stops = stops(nil)
    var blocks = 0
    while !transfer.hasFailed {
      let number = report.destinations.count
      if number > 0, try input.isAtEnd(stops) { break }
      guard let size = size(number) else {
        throw CleaveError(.badData, "standard input is longer than the list of sizes")
      }
      try open(part: number, name)
      guard let block else {
        report.destinations.append(try move(from: input, limit: size, stops))
        try transfer.passing?.endPart()
        continue
      }
      let sums = try move(from: input, limit: size, in: block, stops)
      let whole = sums.reduce(into: Checksum.empty) { $0.append($1) }
      report.destinations.append(whole)
      report.blocks.append(
        BlockSums(size: block, length: whole.count, crc32s: sums.map(\.crc32))
      )
      blocks += sums.count
      guard blocks <= BlockSums.most else { throw .tooManyBlocks }
      try transfer.passing?.endPart()
    }
  }

  /// Finishes the part of standard input that is open, and opens another.
  func open(part number: Int, _ name: (Int) -> FilePath?) throws(CleaveError) {
    let path = try Split.path(ofStreamed: number, name)
    try OutputCheck.check(path, transfer.outputs.options, inputs: [])
    try open(destination: transfer.outputs.add(path))
  }

  /// Moves a part, and returns the checksum of each of its blocks.
  private func move(
    from input: StreamInput,
    limit: Int64,
    in block: Int64,
    _ stops: StreamInput.Stops
  ) throws(CleaveError) -> [Checksum] {
    var sums: [Checksum] = []
    var left = limit
    while left > 0, sums.count <= BlockSums.most, !transfer.hasFailed {
      let count = min(block, left)
      let sum = try move(from: input, limit: count, stops)
      if sum.count > 0 { sums.append(sum) }
      if sum.count < count { break }
      left -= count
    }
    return sums
  }

  func stops(_ stream: StreamOutput?) -> StreamInput.Stops {
    StreamInput.Stops(isCancelled: { [transfer] in transfer.hasFailed }, output: stream)
  }
}

extension CleaveError {
  static var tooManyBlocks: CleaveError {
    CleaveError(.badData, "standard input has more than \(BlockSums.most) blocks")
  }
}

extension StreamInput {
  /// A named pipe, which may have no writer yet, or another file.
  static func opening(_ path: FilePath) throws(CleaveError) -> StreamInput {
    // Otherwise to open it is to wait for a writer, which nothing could stop.
    StreamInput(try CleaveError.whileReading(.open(path, [.readOnly, .nonBlocking])))
  }

  /// Standard input.
  static func standard() throws(CleaveError) -> StreamInput {
    StreamInput(try CleaveError.whileReading(.duplicate(of: 0, path: "standard input")))
  }
}
