import Posix

/// What came of failing the first, the second, … call of an operation, until none was left.
///
///     let sweep = try FaultSweep.run(rule: "write@/out", action: "EIO") {
///       try Files.write(…)                                          // the state before
///     } command: { environment in
///       try Tool.cleave.run(["merge", …], environment: environment)
///     } check: { point in
///       aftermath.violations(of: point.outcome)                     // what is wrong
///     }
///     #expect(sweep.violations == [])
package struct FaultSweep: Sendable {
  /// Calls that were made to fail.
  package var points = 0
  /// What the checks found, each with the rule that brings it about.
  package var violations: [String] = []

  package init() {}

  /// One run of the command.
  package struct Point: Sendable {
    package var rule: String
    /// False for the last run, in which no call was left to fail.
    package var fired: Bool
    package var outcome: Outcome
  }

  /// Runs `command` once for every matching call, and once more without a fault.
  ///
  /// - Parameters:
  ///   - rule: an operation, and a part of the path or not: `write@/out`.
  ///   - action: such as `EIO`, `short:100` or `kill`.
  ///   - limit: the most runs; needing more is a violation.
  ///   - prepare: brings about the state that the command starts from.
  ///   - command: runs the tool in the environment that it is given.
  ///   - check: says what is wrong afterwards.
  package static func run(
    rule: String,
    action: String,
    limit: Int = 400,
    prepare: () throws -> Void = {},
    command: ([String: String]) throws -> Outcome,
    check: (Point) throws -> [String]
  ) throws -> FaultSweep {
    let directory = try TemporaryDirectory()
    let log = directory.file("log")
    var sweep = FaultSweep()
    for number in 1...limit {
      try prepare()
      try Files.write([], to: log)
      let full = "\(rule)#\(number)=\(action)"
      let outcome = try command(FaultShim.environment(full, log: log))
      // Other rules may have fired.
      let fired = try Files.text(log).contains("\(full): ")
      let point = Point(rule: full, fired: fired, outcome: outcome)
      sweep.violations += try check(point).map { "\(full): \($0)" }
      if !point.fired { return sweep }
      sweep.points += 1
    }
    sweep.violations.append("\(rule): more than \(limit) calls")
    return sweep
  }
}
