import Posix
import TestSupport

/// A command in a directory of its own, whose calls fail one after the other.
struct Sweep {
  private let command: SweptCommand
  private let engine: String
  /// Unmounted after the directory is gone.
  private let fileSystem: LoopFileSystem?
  private let directory: TemporaryDirectory
  private let before: Contents
  /// What is there after success.
  private let goal: Contents

  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs the command once, without a fault, to see what it makes.
  ///
  /// - Throws: ``Unusable`` where that fails.
  init(_ command: SweptCommand, _ engine: String) throws {
    (self.command, self.engine) = (command, engine)
    fileSystem = try command.fileSystem?()
    directory = try TemporaryDirectory(in: fileSystem?.path)
    try command.prepare(directory)
    before = try Contents(of: directory.path)
    let outcome = try Self.run(command, engine, in: directory, options: [])
    goal = try Contents(of: directory.path)
    for (name, bytes) in command.makes where goal.bytes(name) != bytes {
      throw Unusable(description: "\(command.name): \(name) is not right: \(outcome)")
    }
    guard outcome.exitCode == 0,
      command.data.map({ $0 == outcome.standardOutput }) ?? (goal != before)
    else {
      throw Unusable(description: "\(command.name): \(outcome)")
    }
  }

  private static func run(
    _ command: SweptCommand,
    _ engine: String,
    in directory: TemporaryDirectory,
    options: [String],
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let words = command.words.map {
      $0.hasPrefix("./") ? "\(directory.path)/\($0.dropFirst(2))" : $0
    }
    let engine = engine == "auto" ? [] : ["--engine", engine]
    return try Tool.cleave.run(
      words + engine + options,
      input: command.input,
      environment: environment
    )
  }

  // MARK: - Failing

  /// Tries every call that each fault is about.
  func run(_ faults: [SweptFault]) throws -> FaultSweep {
    var sum = FaultSweep()
    for fault in faults {
      for operation in fault.operations {
        let found = try run(fault, operation)
        sum.add(found)
        if found.points == 0 && isCalled(operation) {
          sum.violations.append("\(operation) is not called by \(command.name)")
        }
      }
    }
    return sum
  }

  private func prepare() throws {
    try before.restore(in: directory.path)
    guard let faults = command.interruption else { return }
    let environment = try FaultShim.environment(faults)
    let first = try Self.run(command, engine, in: directory, options: [], environment: environment)
    guard first.wasKilled else { throw Unusable(description: "\(command.name): \(first)") }
  }

  private func isCalled(_ operation: String) -> Bool {
    // What a run that goes on still has to do depends.
    if command.interruption != nil { return false }
    return switch operation {
    case "mmap": engine == "zerocopy"
    case "read": ["serial", "multiqueue"].contains(engine)
    default: command.calls.contains(operation)
    }
  }

  private func run(_ fault: SweptFault, _ operation: String) throws -> FaultSweep {
    // Directories are opened to be flushed; the rest is faster without.
    let isFlushed = command.goesOn || ["open", "fsync", "close"].contains(operation)
    return try FaultSweep.run(rule: "\(operation)@\(directory.path)", action: fault.action) {
      try prepare()
    } command: { environment in
      var environment = environment
      let rule = environment["CLEAVE_FAULTS"] ?? ""
      let delay = fault.isLate ? rule.replacing("=\(fault.action)", with: "=delay:40") : nil
      let rules = [command.otherFaults, delay, rule].compactMap(\.self)
      environment["CLEAVE_FAULTS"] = rules.joined(separator: "; ")
      return try Self.run(
        command,
        engine,
        in: directory,
        options: isFlushed || command.data != nil ? [] : ["--no-sync"],
        environment: environment
      )
    } check: { point in
      let found = try Contents(of: directory.path)
      // What cannot be removed stays.
      let isRemoval = point.fired && operation == "unlink"
      return try violations(point, fault, isRemoval ? found.withoutTemporaries : found)
        .map { "\($0) [\(command.name), \(engine): \(point.outcome)]" }
    }
  }

  // MARK: - What must be so afterwards

  private func violations(
    _ point: FaultSweep.Point,
    _ fault: SweptFault,
    _ found: Contents
  ) throws -> [String] {
    let outcome = point.outcome
    if outcome.timedOut { return ["hung"] }
    if let data = command.data {
      let isAll = outcome.standardOutput == data
      if outcome.exitCode == 0 ? !isAll : !data.starts(with: outcome.standardOutput) {
        return ["other data"]
      }
    }
    if outcome.exitCode == 0 {
      let noise = outcome.errorText.isEmpty ? [] : ["says something"]
      return found.changes(since: goal) + noise
    }
    switch point.fired ? fault.consequence : .none {
    case .none: return ["is noticed"]
    case .failure where command.goesOn: return try complaints(outcome, fault) + goneOn(found)
    case .death where command.goesOn:
      return outcome.wasKilled ? try goneOn(found) : ["another end"]
    case .failure: return failures(outcome, fault, found)
    case .death: return outcome.wasKilled ? try remains(found) : ["another end"]
    }
  }

  private func failures(
    _ outcome: Outcome,
    _ fault: SweptFault,
    _ found: Contents
  ) -> [String] {
    let isComplete = outcome.errorText.contains("complete, durability unconfirmed")
    return found.changes(since: isComplete ? goal : before) + complaints(outcome, fault)
  }

  private func complaints(_ outcome: Outcome, _ fault: SweptFault) -> [String] {
    var violations: [String] = []
    if outcome.exitCode != 74 { violations.append("another exit code") }
    let lines = outcome.errorText.split(separator: "\n").count
    if lines != 1 { violations.append("\(lines) lines of error") }
    // A mapping without pages is a bad address.
    let symbol = fault.action == "short:0" ? "EFAULT" : fault.action
    if !outcome.errorText.contains("(\(symbol))") { violations.append("another error") }
    return violations
  }

  private var unflushed: [String] { command.data == nil ? ["--no-sync"] : [] }

  /// What nobody could clean up, and whether it is in the way of the next run.
  private func remains(_ found: Contents) throws -> [String] {
    let rest = found.withoutTemporaries
    var violations = neither(rest, Set(before.names + goal.names + rest.names))
    var next = try Self.run(command, engine, in: directory, options: unflushed)
    // Some names may have been given before the end.
    if next.exitCode == 73 && rest != before {
      next = try Self.run(command, engine, in: directory, options: ["--no-sync", "--force"])
    }
    let after = try Contents(of: directory.path).withoutTemporaries
    violations += after.changes(since: goal)
    if next.exitCode != 0 { violations.append("the next run fails: \(next)") }
    return violations
  }

  /// Names that hold what they must not hold at any moment.
  private func neither(_ found: Contents, _ names: Set<FilePath>) -> [String] {
    names.sorted().compactMap { name in
      let bytes = found.bytes(name)
      return bytes == before.bytes(name) || bytes == goal.bytes(name) ? nil : "\(name) is neither"
    }
  }

  /// Whether the same command line brings to an end what was interrupted, and leaves nothing else.
  private func goneOn(_ found: Contents) throws -> [String] {
    var violations = neither(found, Set(goal.names))
    // A run that has ended but for its last calls has nothing to go on with.
    if found.withoutTemporaries == goal { return violations }
    let next = try Self.run(command, engine, in: directory, options: [])
    if next.exitCode != 0 { violations.append("the next run fails: \(next)") }
    let changes = try Contents(of: directory.path).changes(since: goal)
    return violations + changes.map { "after the next run, \($0)" }
  }
}

extension FaultSweep {
  fileprivate mutating func add(_ other: FaultSweep) {
    points += other.points
    violations += other.violations
  }
}
