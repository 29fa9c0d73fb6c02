import Cleave
import CommandLineKit
import Posix

/// How far a job is, in one line that fits.
struct ProgressText: Sendable {
  var bytes: Int64
  /// Bytes of the whole job, where that is known.
  var total: Int64?
  /// Bytes per second.
  var rate: Int64
  var part: WorkProgress.Part?
  var isPaused = false
  /// What a job waits for, and for how many seconds.
  var waiting: (part: FilePath, seconds: Int64)?

  /// Whole fields, as many as `columns` have room for: the least important ones go first, the share of
  /// what is done and the time that is left last.
  func line(columns: Int = .max) -> String {
    var fields = fields
    while fields.count > 1, Self.width(Self.joined(fields)) > columns {
      let least = fields.indices.max { fields[$0].rank < fields[$1].rank }
      fields.remove(at: least ?? 0)
    }
    return Self.joined(fields)
  }

  /// In the order in which they stand.
  private var fields: [(text: String, rank: Int)] {
    var fields: [(text: String, rank: Int)] = []
    if let share { fields.append(("\(share) %", 0)) }
    let done = ByteSize.short(bytes)
    fields.append((total.map { "\(done) of \(ByteSize.short($0))" } ?? done, 2))
    if isPaused { return fields + [("paused, p goes on", 1)] }
    if let waiting {
      fields.append(("waiting \(Self.clock(seconds: waiting.seconds))", 1))
      fields.append(("for \(Self.shown(waiting.part))", 3))
      return fields
    }
    // All is written; what takes time now is the device, or reading back from it.
    let isFinishing = total.map { bytes >= $0 } ?? false
    if !isFinishing { fields.append(("\(ByteSize.short(rate))/s", 3)) }
    if isFinishing {
      fields.append(("finishing", 1))
    } else if let total, rate > 0 {
      let seconds = (total - bytes) / rate + ((total - bytes) % rate > 0 ? 1 : 0)
      fields.append(("\(Self.clock(seconds: seconds)) left", 1))
    }
    if let part, !isFinishing {
      fields.append(("\(Self.shown(part.path)) (\(part.number) of \(part.count))", 4))
    }
    return fields
  }

  /// Of a hundred, how much is done; nil where it is not known how much there is.
  var share: Int64? {
    guard let total, total > 0 else { return nil }
    return min(100, Int64(Double(bytes) / Double(total) * 100))
  }

  private static func joined(_ fields: [(text: String, rank: Int)]) -> String {
    fields.map(\.text).joined(separator: ", ")
  }

  private static func shown(_ path: FilePath) -> String {
    Sentence("\(path.lastComponent)").spelled(for: nil)
  }

  /// Columns, no fewer than a terminal takes: letters beyond ASCII may be as wide as two.
  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) }
  }

  private static func clock(seconds: Int64) -> String {
    func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
    if minutes < 60 { return "\(minutes):\(twoDigits(rest))" }
    return "\(minutes / 60):\(twoDigits(minutes % 60)):\(twoDigits(rest))"
  }
}

/// Bytes per second, over the last seconds more than over those before.
struct ProgressRate {
  private var last: (time: ContinuousClock.Instant, bytes: Int64)
  private var smoothed: Double?

  /// Seconds that it takes until most of the rate is that of what happens now.
  private static let memory = 3.0
  /// Seconds; a process that has not been asked for as long was stopped, and its clock with it.
  private static let longest = 1.0

  init(from start: ContinuousClock.Instant) { last = (start, 0) }

  /// Takes in how far the job is, a few times a second, and returns the rate.
  mutating func take(_ bytes: Int64, at time: ContinuousClock.Instant) -> Int64 {
    let seconds = last.time.duration(to: time) / .seconds(1)
    guard seconds > 0 else { return value }
    defer { last = (time, bytes) }
    if smoothed != nil, seconds > Self.longest { return value }
    let now = Double(bytes - last.bytes) / seconds
    smoothed = smoothed.map { $0 + (now - $0) * seconds / (Self.memory + seconds) } ?? now
    return value
  }

  private var value: Int64 { Int64(smoothed ?? 0) }
}
