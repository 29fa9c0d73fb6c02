import Posix
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What `make fault` prints: how many calls failed, and how often something was wrong afterwards.
struct FaultTable {
  /// What the rows that are wanted have in their names; empty for all of them.
  private static let text = ProcessState.environment("CLEAVE_FAULT_TESTS")

  /// Whether there is time for it.
  static let isWanted = text != nil

  static func wants(_ row: String) -> Bool { text.map { $0.isEmpty || row.contains($0) } ?? false }

  private var points = 0
  private(set) var violations: [String] = []

  init() { print(Self.line("command", "engine", "points", "broken")) }

  /// Prints a row, and what was wrong.
  mutating func add(_ command: String, _ engine: String, _ sweep: Result<FaultSweep, any Error>) {
    var found = FaultSweep()
    switch sweep {
    case .success(let sweep): found = sweep
    case .failure(let error): found.violations = ["\(command), \(engine): \(error)"]
    }
    points += found.points
    violations += found.violations
    print(Self.line(command, engine, "\(found.points)", "\(found.violations.count)"))
    for violation in found.violations { print("  \(violation.replacing("\n", with: ""))") }
    // Into a file, too, each row is seen when it is done.
    fflush(nil)
  }

  func finish() { print(Self.line("total", "", "\(points)", "\(violations.count)")) }

  private static func line(
    _ command: String,
    _ engine: String,
    _ points: String,
    _ broken: String
  ) -> String {
    let left = padding(command, 46) + " " + padding(engine, 10)
    return left + " " + padding(points, -7) + " " + padding(broken, -7)
  }

  /// Blanks behind the text, or before it where the width is negative.
  private static func padding(_ text: String, _ width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? blanks + text : text + blanks
  }
}
