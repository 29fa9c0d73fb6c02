public import Posix

/// A job with standard input among its sources, so that nobody knows how long it will be: always
/// run by the serial engine.
public struct StreamJob: Sendable {
  /// Where bytes come from.
  public enum Source: Hashable, Sendable {
    case standardInput
    case file(SourceFile)
  }

  public var options = JobOptions()

  public init() {}

  /// What came of a job: the checksum of each output, and of each source, with their sizes.
  public struct Report: Hashable, Sendable {
    public var outputs: [Checksum] = []
    public var sources: [Checksum] = []

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
    _ sources: [Source],
    into path: FilePath,
    stream: StreamOutput? = nil,
    approve: (Report) throws(CleaveError) -> [TransferJob.NewFile] = { _ in [] }
  ) throws(CleaveError) -> Report {
    let files = sources.compactMap { source in
      if case .file(let file) = source { file } else { nil }
    }
    return try run(files, approve: approve) { run throws(CleaveError) in
      let index = stream.map { run.outputs.add($0) } ?? run.outputs.add(path)
      try run.pump.open(destination: index)
      let stops = stops(run.transfer, stream)
      var nextFile = 0
      var report = Report(outputs: [.empty])
      for source in sources where !run.transfer.hasFailed {
        let sum: Checksum
        switch source {
        case .standardInput:
          sum = try run.pump.move(from: try StreamInput.standard(), limit: .max, stops)
        case .file:
          sum = try run.pump.move(source: nextFile)
          nextFile += 1
        }
        report.sources.append(sum)
        report.outputs[0].append(sum)
      }
      return report
    } checkingNames: { () throws(CleaveError) in
      let inputs = Set(files.map(\.status.identity))
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
  public func split(
    size: (Int) -> Int64?,
    name: (Int) -> FilePath,
    approve: (Report) throws(CleaveError) -> [TransferJob.NewFile] = { _ in [] }
  ) throws(CleaveError) -> Report {
    try run([], approve: approve) { run throws(CleaveError) in
      let input = try StreamInput.standard()
      let stops = stops(run.transfer, nil)
      var report = Report()
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
        report.outputs.append(try run.pump.move(from: input, limit: size, stops))
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
  }

  private func run(
    _ files: [SourceFile],
    approve: (Report) throws(CleaveError) -> [TransferJob.NewFile],
    moving: (Run) throws(CleaveError) -> Report,
    checkingNames: () throws(CleaveError) -> Void
  ) throws(CleaveError) -> Report {
    guard options.sharing != .always else {
      throw CleaveError(.cannotCreate, "a stream has no blocks to share")
    }
    let plan: TransferPlan
    do {
      plan = try TransferPlan(sources: files, destinations: [], extents: [])
    } catch {
      throw CleaveError(.badData, "the plan is not sound: \(error)")
    }
    try checkingNames()
    let publication = Publication(options)
    let transfer = Transfer(plan, options, outputs: publication.outputs)
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
      try approve(report)
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
