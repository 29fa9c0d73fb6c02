import Posix
import TestSupport
import Testing

/// `split --force` over an older set: all of it is new, or all of it is old.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct ReplacementTests {
  @Test(arguments: ["rename", "fsync", "open", "write"], engines)
  func aFailedSplitLeavesTheOlderSet(operation: String, engine: String) throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("file")
    let elsewhere = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 7500, seed: 1), to: elsewhere.file("file"))
    let split = ["split", "-q", "-f", "-b", "3000", "--engine", engine]
    func prepare() throws -> Contents {
      for name in try directory.names() { TemporaryDirectory.remove(directory.file(name)) }
      _ = try Tool.cleave.run(split + ["--no-sync"] + [elsewhere.file("file"), file])
      return try Contents(of: directory.path)
    }
    let older = try prepare()
    try Files.write(Bytes.pattern(count: 7500, seed: 2), to: elsewhere.file("file"))
    let wanted = try prepare()
    try Files.write(Bytes.pattern(count: 7500, seed: 1), to: elsewhere.file("file"))
    #expect(older.changes(since: wanted).isEmpty == false)

    var points = 0
    for call in 1...60 {
      let before = try prepare()
      try Files.write(Bytes.pattern(count: 7500, seed: 2), to: elsewhere.file("file"))
      let log = elsewhere.file("log")
      let outcome = try Tool.cleave.run(
        split + [elsewhere.file("file"), file],
        environment: FaultShim.environment(
          FilePath("\(operation)@\(directory.path)#\(call)=EIO").string ?? "",
          log: log
        )
      )
      try Files.write(Bytes.pattern(count: 7500, seed: 1), to: elsewhere.file("file"))
      let after = try Contents(of: directory.path)
      let isFlushOnly = outcome.errorText.contains("durability unconfirmed")
      if outcome.exitCode == 0 || isFlushOnly {
        #expect(after.changes(since: wanted) == [], "call \(call): \(outcome)")
      } else {
        #expect(after.changes(since: before) == [], "call \(call): \(outcome)")
      }
      guard try Files.exists(log) else { break }
      try FileSystem.unlink(log)
      points += 1
    }
    #expect(points > 0)
  }
}
