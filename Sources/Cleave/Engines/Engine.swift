public import Dispatch

/// Carries out any plan. Engines differ in how; not in what comes out, nor in what they report.
public protocol Engine: Sendable {
  /// The water marks that are used where none are given, each measured; see the engine.
  var defaults: WaterMarks { get }

  /// What it can do besides moving the bytes of files to files; nothing, unless it says so.
  var capabilities: EngineCapabilities { get }

  /// Moves every extent, or stops at the first error, which it hands to ``Transfer/fail(_:)``.
  ///
  /// Returns when the last handler has run and every channel has been cleaned up. Blocks the caller,
  /// who must not be on a queue that the engine needs.
  func run(_ transfer: Transfer)
}

/// The engines by name.
public enum EngineName: String, CaseIterable, Sendable {
  /// One serial queue with DispatchIO streams.
  case serial
  /// A read queue and a write queue for each part, writing at offsets.
  case multiqueue
  /// Mapped sources, concatenated as DispatchData without a copy.
  case zerocopy
  /// Workers that read, sum and write with a buffer each.
  case direct

  /// The marks that the engine works with, given what the user asked for.
  package func marks(_ settings: EngineSettings) -> WaterMarks {
    settings.resolved(engine.defaults)
  }

  package var engine: any Engine {
    switch self {
    case .serial: SerialEngine()
    case .multiqueue: MultiqueueEngine()
    case .zerocopy: ZeroCopyEngine()
    case .direct: DirectEngine()
    }
  }
}

/// How much an engine reads, holds and writes at a time, in bytes: 0 < low ≤ high ≤ window.
public struct WaterMarks: Hashable, Sendable {
  /// The least that is worth calling a handler for.
  public let low: Int
  /// The most that one read or write moves.
  public let high: Int
  /// The most that is read and not yet written.
  public let window: Int

  /// - Precondition: 0 < low ≤ high ≤ window.
  public init(low: Int, high: Int, window: Int) {
    self.low = low
    self.high = high
    self.window = window
  }

  /// 508 KiB, half a MiB less a page.
  ///
  /// Writes of 128 KiB or more at multiples of a power of two get folios as large from file systems
  /// that have them (ext4 since Linux 6.16, XFS). In virtual machines that give free memory back to
  /// their host, blocks of that size are the ones given back, and each comes at the price of a fault
  /// in the host: 1 GiB took direct 0.23 s with an odd number of pages, 0.3 to 1.4 s with 256 KiB,
  /// and several queues 0.31 s, 0.3 to 2.3 s with 512 KiB.
  package static let half = 508 << 10
  /// 252 KiB, for the same reason.
  package static let quarter = 252 << 10

  /// How many pieces of the high water mark may be in flight: as many as fit into the window, but no
  /// more than 64, since each has its price however small it is.
  package var pieces: Int { min(max(1, window / high), 64) }
}

/// What a user may tune; what is nil is the engine's own choice.
public struct EngineSettings: Sendable {
  public var lowWater: Int?
  public var highWater: Int?
  public var window: Int?
  public var qualityOfService: DispatchQoS

  public init(
    lowWater: Int? = nil,
    highWater: Int? = nil,
    window: Int? = nil,
    qualityOfService: DispatchQoS = .default
  ) {
    self.lowWater = lowWater
    self.highWater = highWater
    self.window = window
    self.qualityOfService = qualityOfService
  }

  /// Bytes. All of them may be in memory at a time.
  private static let largest = 1 << 30

  /// Why these settings contradict each other, as a sentence, or nil where they do not.
  public var contradiction: String? {
    for (name, value) in [
      ("low water mark", lowWater), ("high water mark", highWater), ("window", window),
    ] {
      if let value, value <= 0 { return "the \(name) must be more than 0" }
      if let value, value > Self.largest { return "the \(name) must be at most 1 GiB" }
    }
    if let lowWater, let highWater, lowWater > highWater {
      return "the low water mark is above the high water mark"
    }
    if let window, let highWater, window < highWater {
      return "the window is smaller than the high water mark"
    }
    if let window, let lowWater, window < lowWater {
      return "the window is smaller than the low water mark"
    }
    return nil
  }

  /// - Throws: `.contradiction` where they contradict each other.
  func requireSound() throws(CleaveError) {
    if let contradiction { throw CleaveError(.contradiction, Sentence(contradiction)) }
  }

  /// The settings over an engine's defaults, which give way to what was asked for.
  public func resolved(_ defaults: WaterMarks) -> WaterMarks {
    var high = highWater ?? max(defaults.high, lowWater ?? 0)
    if let window { high = min(high, window) }
    // Two pieces keep reading and writing apart, however large each of them is.
    return WaterMarks(
      low: lowWater ?? high,
      high: high,
      window: window ?? max(defaults.window, high * 2)
    )
  }
}
