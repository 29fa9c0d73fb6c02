import Posix
import TestSupport
import Testing

/// What stands under final names, and beside them, when runs are interrupted or have rivals at that time.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct PublishingTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(
    _ words: String,
    faults: String? = nil,
    input: ToolInput = .null
  ) throws -> Outcome {
    try Tool.cleave.run(
      words.split(separator: " ").map { FilePath(String($0)) },
      input: input,
      environment: try faults.map { try FaultShim.environment($0) } ?? [:],
      workingDirectory: directory.path
    )
  }

  private func write(_ name: FilePath, _ count: Int, seed: UInt64) throws {
    try Files.write(Bytes.pattern(count: count, seed: seed), to: directory.file(name))
  }

  /// What a plan has of its own is read again for digests, wherever it is by then.
  @Test(arguments: ["split", "merge"], [1, 2])
  func ownBytesAreFoundUnderTheirFinalNames(command: String, rename: Int) throws {
    let entries = ["a", "b", "c"].map {
      ZipEntry($0, Bytes.pattern(count: 90_000), method: .stored)
    }
    try Files.write(ZipWriter(entries).single(), to: directory.file("a.zip"))
    let cut = "split -q --format=zip -b 100K --checksum=crc32,sha256 a.zip b"
    if command == "merge" {
      #expect(try run(cut).exitCode == 0)
      try FileSystem.unlink(directory.file("a.zip"))
    }
    let words =
      command == "split"
      ? "\(cut) --resume --checkpoint=64K"
      : "merge -q --resume --checkpoint=64K --checksum=sha256 b.z01"
    // The only output of a merge has its name when the journal goes.
    let fault = command == "split" ? "rename#\(rename)=kill" : "unlink@.cleave-journal#1=kill"
    #expect(try run(words, faults: fault).wasKilled)
    let outcome = try run(words)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Tool.cleave.run(["verify", directory.file("b.zip")]).exitCode == 0)
    #expect(try directory.names().allSatisfy { $0.bytes.first != UInt8(ascii: ".") })
  }

  /// Of parts called xaa, the one behind p.b1 would be p.b2.
  @Test(arguments: ["p.b2"] as [FilePath]) func aManifestIsNoPart(name: FilePath) throws {
    let outcome = try run(
      "split -f -x -b 300 --manifest=\(name) - p.",
      input: .bytes(Bytes.pattern(count: 999))
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.contains("\(name): would be written twice"))
    #expect(try directory.names() == [])
  }

  /// Names of parts, of scripts and of others that nobody would read as a manifest.
  @Test(arguments: ["p.001", "p.join.sh", "x.foo", "NONE", ""])
  func aManifestEndsLikeOne(name: String) throws {
    let words = "split -f -b 300 --joiners --manifest=\(name) - p"
    let outcome = try run(words, input: .bytes(Bytes.pattern(count: 999)))
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.contains("'\(name)' does not end like a manifest"), "\(outcome)")
    #expect(try directory.names() == [])
  }

  /// One behind the other, so that all are of the same one.
  @Test func twoThatReplaceTheSamePartsDoNotMix() throws {
    try write("a", 300_000, seed: 1)
    try write("b", 300_000, seed: 2)
    let first = try Tool.cleave.start(
      ["split", "-f", "-b", "100000", "a", "p"],
      environment: FaultShim.environment("rename#2=delay:700"),
      workingDirectory: directory.path
    )
    let isPublishing = try first.wait { try directory.names().contains("p.001") }
    #expect(isPublishing)
    #expect(try run("split -q -f -b 100000 b p").exitCode == 0)
    #expect(try first.wait().exitCode == 0)
    #expect(try run("verify p.sfv").exitCode == 0)
  }

  @Test(
    arguments: [
      ("--resume -f --joiners", "--resume -f --joiners", 4), ("--resume -f", "--resume -f", 2),
      ("--resume -f --joiners", "--resume -f --manifest=none", 5),
      ("--consume -f", "--consume -f", 2), ("--resume --joiners", "--resume", 5),
    ]
  )
  func nothingIsLeftWhenARunHasGoneOn(first: String, next: String, rename: Int) throws {
    try write("x", 300_000, seed: 1)
    // What an earlier split has left; scripts are left by none that makes no others.
    let scripts = first.contains("--joiners") ? "--joiners " : ""
    if first.contains("-f") {
      #expect(try run("split -q \(scripts)-b 100000 x").exitCode == 0)
    }
    try write("x", 300_000, seed: 2)
    let killed = try run("split -q -b 100000 \(first) x", faults: "rename@x.#\(rename)=kill")
    #expect(killed.wasKilled, "\(killed)")
    let outcome = try run("split -q -b 100000 \(next) x")
    #expect(outcome.exitCode == 0, "\(outcome)")
    let rest = try directory.names().filter {
      $0.bytes.first == UInt8(ascii: ".") || $0.ends(in: ".cleave-rest")
    }
    #expect(rest == [])
    #expect(try run("merge -q -o y --manifest=none x.001").exitCode == 0)
    #expect(try Files.read(directory.file("y")) == Bytes.pattern(count: 300_000, seed: 2))
  }

  /// Some have their names, and the others can be made again.
  @Test func whatIsChangedWhileNamesAreGivenIsMadeAgain() throws {
    try write("x", 300_000, seed: 1)
    let tool = try Tool.cleave.start(
      ["split", "--resume", "-b", "100000", "x"],
      environment: FaultShim.environment("rename#2=stop"),
      workingDirectory: directory.path
    )
    #expect(try tool.waitUntilStopped())
    let names = try directory.names()
    let temporary = try #require(names.first { $0.bytes.starts(with: ".x.003.".utf8) })
    try Files.write([1], to: directory.file(temporary))
    tool.send(.resume)
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(outcome.errorText.contains("'cleave split --resume -b 100000 x' goes on"))
    #expect(try run("split -q --resume -b 100000 x").exitCode == 0)
    #expect(try run("verify x.sfv").exitCode == 0)
    #expect(try directory.names().count == 5)
  }

  @Test func whatIsWaitedForReplacesNoManifestOfIts() throws {
    try write("x", 300_000, seed: 1)
    #expect(try run("split -q -b 100000 x").exitCode == 0)
    try FileSystem.unlink(directory.file("x"))
    let before = try Contents(of: directory.path)
    let outcome = try run("merge --wait=5s -f -o x.sfv x.001")
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }

  /// Others may have the output by then, but nobody has the bytes that only they had.
  @Test(arguments: [
    "merge -q --as-given --consume -o other x.003", "split -q -b 1M --consume x.003 y",
  ])
  func whatAnInterruptedJobStillNeedsIsNotConsumed(words: String) throws {
    for index in 1...3 { try write(FilePath("x.00\(index)"), 200_000, seed: UInt64(index)) }
    let first = "merge -q --consume --checkpoint=100000 x.001"
    #expect(try run(first, faults: "rename@x.003.cleave-rest#1=kill").wasKilled)
    let outcome = try run(words)
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText.contains("'cleave \(first)' goes on"))
    #expect(try run(first).exitCode == 0)
  }

  /// As a shell expands `x.*` when only what is beside the parts is left.
  @Test func whatIsBesideTheirPartsStandsForThem() throws {
    try write("x", 300_000, seed: 1)
    #expect(try run("split -q --joiners -b 100000 x").exitCode == 0)
    try FileSystem.unlink(directory.file("x"))
    #expect(try run("merge -q --consume x.001", faults: "rename@x#4=kill").wasKilled)
    let names = try directory.names().filter { $0.bytes.first != UInt8(ascii: ".") }
    let outcome = try run("merge -q --consume \(names.map(\.description).joined(separator: " "))")
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("x")) == Bytes.pattern(count: 300_000, seed: 1))
  }

  /// A regular file as standard input is in nobody's way but its own.
  @Test func whatIsReadFromAFileGoesIntoAStream() throws {
    try write("in", 1000, seed: 1)
    try write("standard output", 1, seed: 2)
    for words in ["merge -q -o - -", "cat -", "merge -q -o /dev/null -"] {
      let outcome = try run(words, input: .file(directory.file("in")))
      #expect(outcome.exitCode == 0, "\(words): \(outcome)")
      if !words.contains("null") { #expect(outcome.standardOutput == Bytes.pattern(count: 1000)) }
    }
    try FileSystem.rename(directory.file("in"), toNew: directory.file("in.sfv"))
    for words in ["merge -f -o in.sfv -", "split -f -b 300 --manifest=in.sfv - p"] {
      let outcome = try run(words, input: .file(directory.file("in.sfv")))
      #expect(outcome.exitCode == 73, "\(words): \(outcome)")
    }
    try FileSystem.rename(directory.file("in.sfv"), toNew: directory.file("in"))
    #expect(try Files.read(directory.file("in")) == Bytes.pattern(count: 1000))
  }

  /// One journal does not stand for what was not asked of it.
  @Test func aJournalIsNotGoneOnWithForOthers() throws {
    for name in ["a", "b"] as [FilePath] {
      try write(name, 300_000, seed: 1)
      #expect(try run("split -q -b 100000 \(name)").exitCode == 0)
      try FileSystem.unlink(directory.file(name))
    }
    let first = "merge -q --resume --checkpoint=100000 a.001"
    #expect(try run(first, faults: "fsync@.cleave-journal#4=kill").wasKilled)
    for words in ["merge -q --resume a.sfv b.sfv", "merge -q --resume a.sfv none.sfv"] {
      #expect(try run(words).exitCode != 0)
      #expect(try !directory.names().contains("a"))
    }
    #expect(try run(first).exitCode == 0)
  }

  @Test func aDirectoryThatIsWrittenInTwoWaysIsLockedOnce() throws {
    try write("x", 300_000, seed: 1)
    #expect(try run("split -q -b 100000 --manifest=none x").exitCode == 0)
    let start = ContinuousClock.now
    let words = "split -q -f -b 100000 --manifest=\(directory.file("m.sfv")) x"
    #expect(try run(words).exitCode == 0)
    // Three seconds are waited for a lock.
    #expect(start.duration(to: .now) < .seconds(2.9))
  }
}
