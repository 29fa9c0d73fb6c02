package import Dispatch
import Posix
import Synchronization

/// One run of a plan: what the engine is given, and what it reports back.
public final class Transfer: Sendable {
  public let plan: TransferPlan
  public let settings: EngineSettings
  /// Which sums are wanted of each extent.
  public let kinds: Checksum.Kinds
  package let inputs: Inputs
  package let outputs: Outputs
  package let sharing: BlockSharing
  package let progress: WorkProgress
  package let buffers: IdleBuffers
  /// Takes the bytes of an engine that moves them in their order.
  package let passing: PassingDigests?

  private struct State {
    var error: CleaveError?
    var checksums: [Checksum]
    var channels: [ObjectIdentifier: Channel] = [:]
  }
  private let state: Locked<State>
  private let shared = Atomic<Int64>(0)

  /// - Parameters:
  ///   - sharing: of the runs before, in a job that has more than one.
  ///   - buffers: likewise.
  package init(
    _ plan: TransferPlan,
    _ options: JobOptions,
    outputs: Outputs,
    sharing: BlockSharing? = nil,
    buffers: IdleBuffers = IdleBuffers(),
    passing: PassingDigests? = nil
  ) {
    self.plan = plan
    self.passing = passing
    settings = options.settings
    kinds = options.kinds
    progress = options.progress
    inputs = Inputs(plan.sources, endingAt: plan.ends, dropsCache: options.output.dropsCache)
    self.outputs = outputs
    self.buffers = buffers
    self.sharing = sharing ?? BlockSharing(options.sharing)
    state = Locked(State(checksums: [Checksum](repeating: .empty, count: plan.extents.count)))
  }

  /// A new queue of the job's quality of service.
  package func queue(_ label: String) -> DispatchQueue {
    DispatchQueue(label: "cleave.\(label)", qos: settings.qualityOfService)
  }

  // MARK: Failing

  /// Ends the job. The first error counts; channels are stopped, so that nothing waits.
  public func fail(_ error: CleaveError) {
    let channels = state.withLock { state -> [Channel] in
      guard state.error == nil else { return [] }
      state.error = error
      return Array(state.channels.values)
    }
    for channel in channels { channel.stop() }
  }

  /// The error that ended the job.
  package var error: CleaveError? { state.withLock { $0.error } }

  /// Whether the job is to end.
  public var hasFailed: Bool { state.withLock { $0.error != nil } }

  /// Runs `body`; what it throws ends the job.
  public func failing<R>(_ body: () throws(CleaveError) -> R) -> R? {
    do {
      return try body()
    } catch {
      fail(error)
      return nil
    }
  }

  /// Makes `fail` stop the channel; at once if the job has failed by now.
  package func track(_ channel: Channel) {
    let isLate = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = channel
      return state.error != nil
    }
    if isLate { channel.stop() }
  }

  /// The channel is about to be closed, or was.
  package func untrack(_ channel: Channel) {
    _ = state.withLock { $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  // MARK: Reporting

  /// A destination, for those that write at offsets; see ``Outputs/open(_:reserving:)``.
  func file(_ destination: Int, reserving: Bool = true) throws(CleaveError) -> OutputFile {
    guard case .file(let file) = try outputs.open(destination, reserving: reserving) else {
      throw EngineCapabilities.streamOutput.refusal
    }
    return file
  }

  /// Counts bytes that have been written.
  func didWrite(_ count: Int) { progress.didCopy(count) }

  /// Counts bytes that have been written to a file.
  ///
  /// - Parameter place: where they are, in bytes from its start, if that is known. A proof begins with
  ///   those; else it waits until the file is complete.
  package func didWrite(_ count: Int, to file: OutputFile, at place: Int64? = nil) {
    didWrite(count)
    if let place { outputs.proving?.didWrite(place..<(place + Int64(count))) }
    let options = outputs.options
    if options.synchronizes || options.dropsCache {
      file.didWrite(count, dropsCache: options.dropsCache)
    }
  }

  /// The engine has written all that the plan has for a destination, which then ends at `size`.
  package func finish(_ destination: Int, size: Int64) throws(CleaveError) {
    let isSlice =
      plan.destinations.indices.contains(destination) && size < plan.destinations[destination].size
    try isSlice ? outputs.flush(destination) : outputs.finish(destination, size: size)
  }

  /// Counts bytes whose blocks a file shares with its source.
  package func didShare(_ count: Int64, with file: OutputFile, at place: Int64) {
    shared.add(count, ordering: .relaxed)
    didWrite(Int(count), to: file, at: place)
  }

  /// Bytes that were shared, not written.
  package var sharedBytes: Int64 { shared.load(ordering: .relaxed) }

  /// Enters the checksum of an extent, when it is complete.
  public func record(_ checksum: Checksum, extent: Int) {
    state.withLock { $0.checksums[extent] = checksum }
  }

  package var checksums: [Checksum] { state.withLock { $0.checksums } }
}

/// A checksum that grows while its bytes pass by, in order, on one serial queue.
package final class RunningChecksum: Sendable {
  private let value = Locked(Checksum.empty)
  private let kinds: Checksum.Kinds

  package init(_ kinds: Checksum.Kinds) { self.kinds = kinds }

  /// Takes the bytes in and returns the checksum so far.
  ///
  /// Only one thread at a time calls this, so the sums need not be computed under the lock.
  package func update(_ body: (inout Checksum, Checksum.Kinds) -> Void) -> Checksum {
    var checksum = value.withLock { $0 }
    body(&checksum, kinds)
    value.withLock { [checksum] in $0 = checksum }
    return checksum
  }

  /// The checksum so far.
  package var current: Checksum { value.withLock { $0 } }
}
