import Posix
import TestSupport
import Testing

/// What a dry run tells of a job, and that it leaves everything as it is.
@Suite(.aside) struct DryRunTests {
  private func run(
    _ arguments: [any ToolArgument],
    in directory: TemporaryDirectory,
    code: CInt = 0
  ) throws -> JSON {
    let before = try Contents(of: directory.path)
    let json = try object(arguments, in: directory, code: code)
    #expect(try Contents(of: directory.path).changes(since: before) == [])
    return json
  }

  private func object(
    _ arguments: [any ToolArgument],
    in directory: TemporaryDirectory,
    faults: String? = nil,
    code: CInt = 0
  ) throws -> JSON {
    let before = try directory.names()
    let outcome = try Tool.cleave.run(
      arguments + ["--json"],
      environment: faults.map { try FaultShim.environment($0) } ?? [:],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(try directory.names() == before)
    return try JSON(outcome)
  }

  private func places(_ json: JSON) -> [String] {
    json.list("parts").map { part in
      let offset = part.number("offset").map(String.init) ?? "?"
      return "\(part.text("path") ?? "") \(part.number("bytes") ?? -1) \(offset)"
    }
  }

  // MARK: - What goes where

  @Test func partsHaveTheirPlaceInTheOutput() throws {
    let series = try Series([10, 0, 5, 0])
    let json = try run(["merge", "-n", "--last=4", "file.003"], in: series.directory)
    #expect(json.text("event") == "plan" && json.text("command") == "merge")
    #expect(places(json) == ["file.001 10 0", "file.002 0 10", "file.003 5 10", "file.004 0 15"])
    #expect(json.number("bytes") == 15)
    #expect(json.member("output")?.text("path") == "file")
    #expect(json.text("engine") == "direct")
    let space = json.member("space")
    #expect(space?.number("needed") == 15 && space?.number("largestFile") == 15)
    #expect((space?.number("free") ?? 0) > 0)
    #expect(space?.flag("fitsFAT32") == true)
  }

  @Test func partsHaveTheirPlaceInTheSource() throws {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 25), to: directory.file("file"))
    let json = try run(["split", "--dry-run", "-b", "10,8,rest", "file"], in: directory)
    #expect(places(json) == ["file.001 10 0", "file.002 8 10", "file.003 7 18"])
    #expect(json.member("source")?.text("path") == "file")
    #expect(json.member("space")?.number("needed") == 25)
    #expect(json.member("space")?.number("largestFile") == 10)
    #expect(json.text("manifest") == "file.sfv")
  }

  /// The four bytes of the marker are left out, and headers are written anew.
  @Test func partsOfASplitZipHaveTheirPlaceInTheMergedOne() throws {
    let writer = ZipWriter(ZipWriterTests.entries)
    let parts = try writer.parts(of: writer.single().count / 3 + 200)
    let set = try ZipSet(parts)
    let json = try run(["merge", "-n", "a.z02"], in: set.directory)
    let marker = ZipMarker.spanned.bytes.count
    #expect(
      places(json) == [
        "a.z01 \(parts[0].count) 0", "a.z02 \(parts[1].count) \(parts[0].count - marker)",
        "a.zip \(parts[2].count) \(parts[0].count + parts[1].count - marker)",
      ]
    )
    #expect(json.text("kind") == "split zip")
    #expect(json.number("bytes") == (try writer.single().count))
  }

  @Test func verifyTellsWhatItWouldRead() throws {
    let series = try Series(hasManifest: true)
    try FileSystem.unlink(series.parts[1])
    let json = try run(["verify", "-n", "file.sfv"], in: series.directory)
    #expect(json.text("event") == "plan" && json.text("command") == "verify")
    #expect(json.number("bytes") == 4500)
    #expect(
      json.list("files").map { $0.text("manifest") } == Array(repeating: "file.sfv", count: 3)
    )
    #expect(json.list("files").map { $0.number("bytes") } == [3000, nil, 1500])
  }

  // MARK: - What would be in the way

  @Test func whatStopsTheJobStopsTheDryRun() throws {
    let series = try Series()
    try Files.write([1], to: series.output)
    let taken = try run(["merge", "-n", "file.001"], in: series.directory, code: 73)
    #expect(taken.text("event") == "failure")
    #expect(taken.text("error") == "file: exists; --force replaces it")
    let forced = try run(["merge", "-n", "-f", "file.001"], in: series.directory)
    #expect(forced.text("event") == "plan")
    let nowhere: [any ToolArgument] = ["merge", "-n", "-o", "nowhere/x", "file.001"]
    let missing = try run(nowhere, in: series.directory, code: 73)
    #expect(missing.text("error") == "nowhere: does not exist; mkdir makes it")
    #expect(missing.text("path") == "nowhere/x" && missing.text("symbol") == "ENOENT")
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatWasInterruptedIsToldWithWhatItHasDone() throws {
    let job = try StagedJob(.merge)
    try job.kill()
    let json = try run(job.arguments() + ["--dry-run"], in: job.directory)
    let done = try #require(json.member("resumption")?.number("done"))
    #expect(done > 0)
    #expect(json.member("resumption")?.number("checkpoint") == 130 << 10)
    // Room for all of it was taken when the job was begun, where the file system could.
    let needed = try #require(json.member("space")?.number("needed"))
    #expect((0...(json.number("bytes") ?? 0) - done).contains(needed))
    try job.expectDone(try job.run())
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: [StagedJob.Kind.mergeConsuming, .splitConsuming]
  )
  func whatWasConsumedIsNotMissed(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    let fresh = try run(job.arguments() + ["--dry-run"], in: job.directory)
    #expect(fresh.text("consumes") == (kind.merges ? "parts" : "source"))
    #expect(fresh.member("resumption")?.number("done") == 0)
    try job.kill()
    let json = try run(job.arguments() + ["--dry-run"], in: job.directory)
    #expect((json.member("resumption")?.number("done") ?? 0) > 0)
    try job.expectDone(try job.run())
  }

  // MARK: - FAT32

  /// `type` is what a mounted FAT32 says of itself, as in `linux/magic.h`.
  private static let onFAT = "statfs=type:19780"
  private static let line =
    "4294967296 bytes are more than FAT32 has in a file, which is 4294967295; "
    + "choose another place, or parts that fit: split -b fat32"

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: [[], ["--dry-run"], ["--resume"]]
  )
  func whatIsTooLargeForFAT32IsRefusedBeforehand(options: [String]) throws {
    let directory = try TemporaryDirectory()
    try Files.makeSparse(directory.file("file.001"), size: 1 << 31)
    try Files.makeSparse(directory.file("file.002"), size: 1 << 31)
    try Files.makeSparse(directory.file("whole"), size: (1 << 32) + 1)
    let merge: [any ToolArgument] = ["merge", "file.001"]
    let split: [any ToolArgument] = ["split", "-b", "4G", "whole"]
    for (words, name) in [(merge, "file"), (split, "whole.001")] {
      let json = try object(words + options, in: directory, faults: Self.onFAT, code: 73)
      #expect(json.text("error") == "\(name): \(Self.line)")
    }
    // One byte less is a file like any other, and so is all of it elsewhere.
    let fitting: [any ToolArgument] = ["split", "--dry-run", "-b", "fat32", "whole"]
    let json = try object(fitting, in: directory, faults: Self.onFAT)
    #expect(json.member("space")?.text("fileSystem") == "vfat")
    #expect(json.member("space")?.flag("fitsFAT32") == true)
  }

  @Test func elsewhereItIsToldThatFAT32WouldNotHoldIt() throws {
    let directory = try TemporaryDirectory()
    try Files.makeSparse(directory.file("file.001"), size: 1 << 32)
    try Files.makeSparse(directory.file("file.002"), size: 1)
    let outcome = try Tool.cleave.run(
      ["merge", "-n", "file.001"],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    let line =
      "\n  FAT32     has at most 4294967295 bytes in a file: split -b fat32 makes parts that fit\n"
    #expect(outcome.outputText.hasSuffix(line), "\(outcome)")
    let json = try JSON(
      Tool.cleave.run(["info", "--json", "file.001"], workingDirectory: directory.path)
    )
    #expect(json.member("space")?.flag("fitsFAT32") == false)
    #expect(json.member("space")?.number("largestFile") == (1 << 32) + 1)
    #expect(json.list("parts").map { $0.number("offset") } == [0, 1 << 32])
  }
}
