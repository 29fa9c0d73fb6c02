import Posix

/// When to look at the parts again, and when to give up.
struct LookSchedule {
  typealias Instant = ContinuousClock.Instant

  private let idleTimeout: Duration?
  /// When something last happened to the parts.
  private var lastEvent = Instant.now
  private var lastLook: Instant?
  private var nextLook = Instant.now
  /// Whether something has happened in the directory since the last look.
  var isChanged = true
  /// Whether the next part is there, and somebody is at it.
  var isNear = false

  /// Of what others do on a network file system, and of how far a part has grown, no event tells.
  private static let longest: Duration = .seconds(5)
  /// After a part was closed, it takes a moment until nobody has it open.
  private static let near: Duration = .milliseconds(200)
  private static let quiet: Duration = .seconds(10)
  /// How much of the time may go into looking, which takes longer the more parts there are: a tenth.
  private static let share = 9
  /// So that nobody waits long for an end by a signal.
  private static let slice: Int64 = 100

  /// - Parameter idleTimeout: how long nothing may happen; nil for ever.
  init(idleTimeout: Duration?) { self.idleTimeout = idleTimeout }

  var isDue: Bool {
    guard let lastLook else { return true }
    let isOld = lastLook.duration(to: .now) >= Self.longest
    return (isChanged || isOld) && .now >= nextLook
  }

  /// Something has happened to the parts.
  mutating func didHappen() { lastEvent = .now }

  /// A look begins that takes as long as `body`.
  mutating func willLook() -> Instant {
    isChanged = false
    let now = Instant.now
    lastLook = now
    return now
  }

  mutating func didLook(since start: Instant) {
    let now = Instant.now
    nextLook = now + start.duration(to: now) * Self.share
  }

  /// Whether it is so by what is known; a look may find something else.
  var isTimeUp: Bool {
    idleTimeout.map { lastEvent.duration(to: .now) >= $0 } ?? false
  }

  /// Whether nothing has happened for so long that a writer has hardly only closed a file for a moment.
  var isQuiet: Bool { lastEvent.duration(to: .now) >= Self.quiet }

  /// Whether a file was not changed for so long, as far as its time of change tells: one to come tells nothing.
  static func hasRested(_ file: SourceFile) -> Bool {
    // bounded: nanoseconds fitted
    let age = ProcessState.secondsSince1970 - file.status.changed / 1_000_000_000
    return age < 0 || age >= quiet.components.seconds
  }

  /// When to look without an event.
  var wake: Instant {
    let now = Instant.now
    var wake = (lastLook ?? now) + Self.longest
    if isChanged { wake = min(wake, nextLook) }
    if isNear { wake = min(wake, now + Self.near) }
    if let idleTimeout { wake = min(wake, lastEvent + idleTimeout) }
    return max(wake, now)
  }

  /// As many as one wait may take.
  static func milliseconds(until end: Instant) -> CInt {
    let left = Instant.now.duration(to: end) / .milliseconds(1)
    return CInt(max(1, min(left, Double(slice))))
  }
}
