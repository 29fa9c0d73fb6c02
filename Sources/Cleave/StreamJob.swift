public import Posix

/// A job of which nobody knows how long it will be, with standard input or files that are still to come
/// among its sources: always run by the serial engine.
public struct StreamJob: Sendable {
  /// Where bytes come from.
  public enum Source: Hashable, Sendable {
    case standardInput
    case file(SourceFile)
  }

  public var options = JobOptions()
  /// Digests of the parts, and of all bytes, as they pass.
  package var digests = DigestRequest()

  public init() {}

  /// What came of a job: the checksum of each output, and of each source, with their sizes.
  public struct Report: Hashable, Sendable {
    public var outputs: [Checksum] = []
    public var sources: [Checksum] = []
    /// Of a split that was asked for them: the sums of each output's blocks.
    public var blocks: [BlockSums?] = []
    /// What was asked for.
    public var digests = Digests()
    /// The complete files, under the names that they have by now; empty for a stream.
    package internal(set) var temporaries: [FilePath] = []

    /// The checksum of all outputs one after the other.
    public var whole: Checksum { outputs.reduce(into: .empty) { $0.append($1) } }
  }
}

// MARK: - Merging

extension StreamJob {
  /// Puts the sources together in their order.
  ///
  /// - Parameter stream: takes the place of a file at `path`.
  /// - Parameter approve: as in ``TransferJob/run(approve:)``.
  package func merge(
    _ sources: Sources,
    into path: FilePath,
    stream: StreamOutput? = nil,
    approve: (Report) throws(CleaveError) -> [TransferJob.NewFile] = { _ in [] }
  ) throws(CleaveError) -> Report {
    var left = sources[...]
    let files = SourceFiles(sources.lazy.compactMap(\.file))
    return try merge(from: { left.popFirst() }, knowing: files, into: path, stream, approve)
  }

  /// Puts sources together as they come.
  ///
  /// - Parameters:
  ///   - next: the next source, which it may wait for; nil behind the last one.
  ///   - files: what is known of the sources beforehand.
  ///   - stream: takes the place of a file at `path`.
  ///   - approve: as in ``TransferJob/run(approve:)``.
  package func merge(
    from next: () throws(CleaveError) -> Source?,
    knowing files: SourceFiles,
    into path: FilePath,
    _ stream: StreamOutput?,
    _ approve: (Report) throws(CleaveError) -> [TransferJob.NewFile]
  ) throws(CleaveError) -> Report {
    try run(approve: approve) { run throws(CleaveError) in
      let index = stream.map { run.outputs.add($0) } ?? run.outputs.add(path)
      try run.pump.open(destination: index)
      let stops = stops(run.transfer, stream)
      var report = Report(outputs: [.empty])
      while !run.transfer.hasFailed, let source = try next() {
        let sum: Checksum
        switch source {
        case .standardInput:
          sum = try run.pump.move(from: try StreamInput.standard(), limit: .max, stops)
        case .file(let file):
          sum = try run.pump.move(whole: file)
        }
        try run.transfer.passing?.endPart()
        report.sources.append(sum)
        report.outputs[0].append(sum)
      }
      return report
    } checkingNames: { () throws(CleaveError) in
      let inputs = files.identities
      if let stream { return try OutputCheck.check(stream, inputs: inputs) }
      try OutputCheck.check(path, options.output, inputs: inputs)
      try OutputCheck.checkSpace(
        for: files.map { DestinationFile(path: path, size: $0.status.size) }
      )
    }
  }
}

// MARK: - Splitting

extension StreamJob {
  /// Cuts standard input into parts, as many as it takes.
  ///
  /// - Parameter size: the bytes of the part of that number from 0, or nil for no part.
  /// - Parameter name: the part's file.
  /// - Parameter block: bytes of each block that a CRC-32 is wanted of.
  public func split(
    size: (Int) -> Int64?,
    name: (Int) -> FilePath,
    block: Int64? = nil,
    approve: (Report) throws(CleaveError) -> [TransferJob.NewFile] = { _ in [] }
  ) throws(CleaveError) -> Report {
    try run(approve: approve) { run throws(CleaveError) in
      let input = try StreamInput.standard()
      let stops = stops(run.transfer, nil)
      var report = Report()
      var blocks = 0
      while !run.transfer.hasFailed {
        let number = report.outputs.count
        if number > 0, try input.isAtEnd(stops) { break }
        guard number < CutList.mostParts else {
          throw CleaveError(.badData, "standard input makes more than \(CutList.mostParts) parts")
        }
        guard let size = size(number) else {
          throw CleaveError(.badData, "standard input is longer than the list of sizes")
        }
        try OutputCheck.check(name(number), options.output, inputs: [])
        try run.pump.open(destination: run.outputs.add(name(number)))
        guard let block else {
          report.outputs.append(try run.pump.move(from: input, limit: size, stops))
          try run.transfer.passing?.endPart()
          continue
        }
        let sums = try run.move(from: input, limit: size, in: block, stops)
        let whole = sums.reduce(into: Checksum.empty) { $0.append($1) }
        report.outputs.append(whole)
        report.blocks.append(
          BlockSums(size: block, length: whole.count, crc32s: sums.map(\.crc32))
        )
        blocks += sums.count
        guard blocks <= BlockSums.most else {
          throw CleaveError(.badData, "standard input has more than \(BlockSums.most) blocks")
        }
        try run.transfer.passing?.endPart()
      }
      return report
    } checkingNames: { () throws(CleaveError) in
    }
  }
}

// MARK: - What both share

extension StreamJob {
  private struct Run {
    let transfer: Transfer
    let pump: SerialPump
    let outputs: Outputs

    /// Moves a part, and returns the checksum of each of its blocks.
    func move(
      from input: StreamInput,
      limit: Int64,
      in block: Int64,
      _ stops: StreamInput.Stops
    ) throws(CleaveError) -> [Checksum] {
      var sums: [Checksum] = []
      var left = limit
      while left > 0, sums.count <= BlockSums.most, !transfer.hasFailed {
        let count = min(block, left)
        let sum = try pump.move(from: input, limit: count, stops)
        if sum.count > 0 { sums.append(sum) }
        if sum.count < count { break }
        left -= count
      }
      return sums
    }
  }

  private func run(
    approve: (Report) throws(CleaveError) -> [TransferJob.NewFile],
    moving: (Run) throws(CleaveError) -> Report,
    checkingNames: () throws(CleaveError) -> Void
  ) throws(CleaveError) -> Report {
    guard options.sharing != .always else {
      throw CleaveError(.cannotCreate, "a stream has no blocks to share")
    }
    let plan: TransferPlan
    do {
      plan = try TransferPlan(sources: [], destinations: [], extents: [])
    } catch {
      throw CleaveError(.badData, "the plan is not sound: \(error)")
    }
    try checkingNames()
    let publication = Publication(options)
    let passing = digests.isEmpty ? nil : try PassingDigests(digests)
    let transfer = Transfer(plan, options, outputs: publication.outputs, passing: passing)
    publication.watch(transfer)
    let pump = SerialPump(transfer, options.settings.resolved(SerialEngine().defaults))
    let run = Run(transfer: transfer, pump: pump, outputs: publication.outputs)
    var report = Report()
    try publication.run(transfer) {
      if let moved = transfer.failing({ () throws(CleaveError) in try moving(run) }) {
        report = moved
      }
      pump.finish()
      return report.outputs
    } approve: { _ throws(CleaveError) in
      if let passing { report.digests = try passing.finish() }
      report.temporaries = publication.outputs.temporaries
      return try approve(report)
    }
    return report
  }

  private func stops(_ transfer: Transfer, _ stream: StreamOutput?) -> StreamInput.Stops {
    StreamInput.Stops(isCancelled: { transfer.hasFailed }, output: stream)
  }
}

extension StreamInput {
  /// Standard input.
  fileprivate static func standard() throws(CleaveError) -> StreamInput {
    do {
      return StreamInput(try FileDescriptor.duplicate(of: 0, path: "standard input"))
    } catch {
      throw .reading(error)
    }
  }
}
