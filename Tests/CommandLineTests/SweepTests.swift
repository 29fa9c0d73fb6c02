import Posix
import TestSupport
import Testing

/// Fails every single call of an operation once, and looks at what is left each time.
@Suite(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct SweepTests {
  static let operations = [
    "open", "read", "write", "fsync", "close", "rename", "ftruncate", "fallocate", "mmap",
  ]
  private static let rows = operations.flatMap { operation in
    ["EIO", "ENOSPC"].map { (operation: operation, error: $0) }
  }

  @Test(arguments: rows, engines)
  func aMergeIsWholeOrNotThere(row: (operation: String, error: String), engine: String) throws {
    let series = try Series([3000, 1, 1500], hasManifest: true)
    try sweep(row, engine, in: series.directory, makes: ["file": series.whole]) {
      try series.merge(
        engine,
        Series.smallPieces,
        isSynchronized: Self.needsFlushing(row.operation),
        environment: $0
      )
    }
  }

  @Test(arguments: rows, engines)
  func aSplitIsWholeOrNotThere(row: (operation: String, error: String), engine: String) throws {
    let series = try Series([3000, 3000, 1500], hasManifest: true)
    let parts = try series.parts.map { ($0.lastComponent, try Files.read($0)) }
    let manifest = try Files.read(series.manifest)
    let directory = try TemporaryDirectory()
    try Files.write(series.whole, to: directory.file("file"))
    let made = Dictionary(uniqueKeysWithValues: parts + [("file.sfv", manifest)])
    let options = Self.needsFlushing(row.operation) ? [] : ["--no-sync"]
    try sweep(row, engine, in: directory, makes: made) { environment in
      try Tool.cleave.run(
        ["split", "-b", 3000, "--engine", engine] + Series.smallPieces + options
          + [directory.file("file")],
        environment: environment,
        timeout: 30
      )
    }
  }

  /// Parts and their manifest of standard input, which only one engine reads.
  @Test(arguments: rows.filter { !["mmap", "ftruncate", "fallocate"].contains($0.operation) })
  func aSplitStreamIsWholeOrNotThere(row: (operation: String, error: String)) throws {
    let series = try Series([3000, 3000, 1500], hasManifest: true)
    let directory = try TemporaryDirectory()
    let parts = try series.parts.map { ($0.lastComponent, try Files.read($0)) }
    let manifest = try Files.read(series.manifest)
    let made = Dictionary(uniqueKeysWithValues: parts + [("file.sfv", manifest)])
    // What is read is not in the directory.
    try sweep(row, "zerocopy", in: directory, makes: made) { environment in
      try Tool.cleave.run(
        ["split", "-b", 3000, "-", directory.file("file")],
        input: .bytes(series.whole),
        environment: environment,
        timeout: 30
      )
    }
  }

  @Test(arguments: rows.filter { !["mmap", "ftruncate", "fallocate"].contains($0.operation) })
  func aMergedStreamIsWholeOrNotThere(row: (operation: String, error: String)) throws {
    let series = try Series([3000, 3000, 1500])
    let operands: [any ToolArgument] = [series.parts[0], "-", series.parts[2]]
    try sweep(row, "serial", in: series.directory, makes: ["file": series.whole]) { environment in
      try Tool.cleave.run(
        ["merge", "--verify=readback", "--high-water=1000", "-o", series.output] + operands,
        input: .bytes(Files.read(series.parts[1])),
        environment: environment,
        timeout: 30
      )
    }
  }

  func sweep(
    _ row: (operation: String, error: String),
    _ engine: String,
    in directory: TemporaryDirectory,
    makes made: [FilePath: [UInt8]],
    command: ([String: String]) throws -> Outcome
  ) throws {
    let before = try Contents(of: directory.path)
    let sweep = try FaultSweep.run(
      rule: "\(row.operation)@\(directory.path)",
      action: row.error
    ) {
      for name in made.keys { TemporaryDirectory.remove(directory.file(name)) }
    } command: { environment in
      try command(environment)
    } check: { point in
      let after = try Contents(of: directory.path)
      return Self.violations(point.outcome, before, after, makes: made)
    }
    #expect(sweep.violations == [])
    #expect(sweep.points > 0 || !Self.isUsed(row.operation, by: engine), "\(row)")
  }

  /// Directories are opened to be flushed; the rest is faster without.
  static func needsFlushing(_ operation: String) -> Bool {
    ["open", "fsync", "close"].contains(operation)
  }

  /// Sizes are never set, one engine maps where the others read, and in memory nothing is reserved.
  private static func isUsed(_ operation: String, by engine: String) -> Bool {
    switch operation {
    case "ftruncate", "fallocate": false
    case "mmap": engine == "zerocopy"
    case "read": engine != "zerocopy"
    default: true
    }
  }

  private static func violations(
    _ outcome: Outcome,
    _ before: Contents,
    _ after: Contents,
    makes made: [FilePath: [UInt8]]
  ) -> [String] {
    var found: [String] = []
    if outcome.timedOut { found.append("hung") }
    let isComplete = outcome.exitCode == 0 || outcome.errorText.contains("complete, durability")
    let news = isComplete ? made.keys.sorted().map { "\($0) is new" } : []
    let changes = after.changes(since: before)
    if changes != news { found.append("\(changes)") }
    if isComplete {
      found += made.compactMap { name, bytes in
        Bytes.difference(after.bytes(name) ?? [], bytes).map { "\(name) \($0)" }
      }
    }
    if outcome.exitCode != 0 {
      if outcome.exitCode != 74 { found.append("another exit code") }
      let lines = outcome.errorText.split(separator: "\n").count
      if lines != 1 { found.append("\(lines) lines of error") }
    }
    return found.map { "\($0) [\(outcome)]" }
  }
}
