import Posix

/// The way of every job from names that are checked to names that are published.
package struct Publication {
  package let outputs: Outputs
  private let options: OutputOptions
  private let cancellation: Cancellation

  package init(_ job: JobOptions) {
    options = job.output
    cancellation = job.cancellation
    outputs = Outputs(job.output)
  }

  /// Makes the transfer end when the cancellation says so. To be called before anything is made.
  package func watch(_ transfer: Transfer) {
    cancellation.subscribe { [weak transfer] in
      transfer?.fail(.cancelled)
    } abandoned: { [weak outputs] in
      outputs?.discard()
    }
  }

  /// Checks names and space for a job's destinations, and makes the first temporary, all before
  /// anything is read.
  func prepare(
    _ transfer: Transfer,
    _ engine: any Engine,
    stream: StreamOutput?,
    others: [FilePath]
  ) throws(CleaveError) {
    let plan = transfer.plan
    let inputs = plan.sources.identities
    if let stream {
      try OutputCheck.check(stream, inputs: inputs)
      _ = outputs.add(stream)
      return
    }
    try OutputCheck.requireDistinct(plan.destinations.map(\.path) + others)
    try OutputCheck.checkSizes(of: plan.destinations)
    for other in others { try OutputCheck.check(other, options, inputs: inputs) }
    for destination in plan.destinations {
      try OutputCheck.check(destination.path, options, inputs: inputs)
      _ = outputs.add(destination.path, size: destination.size)
    }
    if plan.destinations.isEmpty { return }
    do {
      try transfer.sharing.requireRoom(for: transfer, engine)
      // Whether to take room for it is for the engine to say.
      _ = try outputs.open(0, reserving: false)
    } catch {
      outputs.discard()
      throw error
    }
  }

  /// Runs an engine, then checks and publishes what it made.
  ///
  /// - Parameter body: moves the bytes, reporting errors to the transfer, and returns the checksum
  ///   of each output.
  /// - Parameter approve: objects to the checksums by throwing; returns files to publish as well.
  package func run(
    _ transfer: Transfer,
    body: () -> [Checksum],
    approve: ([Checksum]) throws(CleaveError) -> [TransferJob.NewFile]
  ) throws(CleaveError) {
    do throws(CleaveError) {
      let sums = body()
      if let error = transfer.error { throw error }
      try finishEmpty(transfer.plan)
      try outputs.flushDevices()
      try readBack(sums, transfer.kinds)
      for file in try approve(sums) {
        try OutputCheck.check(file.path, options, inputs: [])
        let index = outputs.add(file.path)
        try outputs.finish(index, with: file.bytes, isExecutable: file.isExecutable)
      }
      if cancellation.isCancelled { throw CleaveError.cancelled }
    } catch {
      outputs.discard()
      throw error
    }
    try outputs.publish()
  }

  /// Destinations without a byte have no extents, and no engine has seen them.
  private func finishEmpty(_ plan: TransferPlan) throws(CleaveError) {
    for (index, destination) in plan.destinations.enumerated() where destination.size == 0 {
      _ = try outputs.open(index)
      try outputs.finish(index, size: 0)
    }
  }

  private func readBack(_ sums: [Checksum], _ kinds: Checksum.Kinds) throws(CleaveError) {
    guard options.readsBack else { return }
    for (index, sum) in sums.enumerated() {
      try outputs.readBack(index, expecting: sum, kinds: kinds) { cancellation.isCancelled }
    }
  }
}
