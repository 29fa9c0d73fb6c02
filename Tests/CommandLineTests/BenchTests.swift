import Foundation
import Posix
import TestSupport
import Testing

/// What `cleave bench` measures, tells and leaves behind. How long anything takes is not tested.
@Suite(.aside) struct BenchTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let contenders = ["serial", "multiqueue", "zerocopy", "direct", "auto"]

  @Test(arguments: [([], "cat"), (["--split"], "split")] as [([String], String)])
  func everyEngineIsMeasured(mode: [String], baseline: String) throws {
    let outcome = try bench(mode + ["--size=1M", "--runs=2", "--parts=3"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText == "")
    let lines = outcome.outputText.split(separator: "\n").map(String.init)
    let first = try #require(lines.first)
    #expect(
      first.hasPrefix("No clear winner: 2 rounds cannot tell. The least median is "),
      "\(first)"
    )
    #expect(lines.dropFirst().dropLast().map(Self.firstWord) == Self.contenders + [baseline])
    let line = try #require(lines.last)
    let verb = mode.isEmpty ? "merged from" : "split into"
    #expect(line.contains("; warm cache; not synced; 1048576 bytes (1.0 MiB) \(verb) 3 parts; "))
    #expect(line.contains("; 2 runs; verify stream; baseline: \(baseline) "), "\(line)")
    #expect(try directory.names() == [])
  }

  // MARK: - What is measured with

  @Test(arguments: [true, false]) func partsAreMergedAsTheyAre(hasManifest: Bool) throws {
    let series = try Series([300_001, 1, 200_000], hasManifest: hasManifest)
    let before = try series.contents()
    let report = try report(["--runs=1"], [series.parts[1]])
    #expect(report.names == Self.contenders + ["cat"])
    #expect(report.host["bytes"] as? Int == 500_002)
    #expect(report.host["parts"] as? Int == 3)
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test func partsThatShareNoNameAreMergedInTheirOrder() throws {
    for name in ["b", "a", "-c"] as [FilePath] {
      try Files.write(Bytes.pattern(count: 1000, seed: UInt64(name.bytes[0])), to: path(name))
    }
    let before = try Contents(of: directory.path)
    let outcome = try bench(
      ["--engine=direct", "--runs=1", "--baseline=cat -- \"$3\" \"$1\" \"$2\" > \"$OUT\"", "--"]
        + ["b", "a", "-c"]
    )
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errorText.contains("its output differs from the inputs at byte "))
    let right = try bench(["--engine=direct", "--runs=1", "--", "b", "a", "-c"])
    #expect(right.exitCode == 0, "\(right)")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }

  @Test(arguments: [[], ["--split"]], [["--parts=5"], ["-b", "70K"]])
  func aFileIsCutOrSplit(mode: [String], cut: [String]) throws {
    try Files.write(Bytes.pattern(count: 300_000), to: path("file"))
    let before = try Contents(of: directory.path)
    let report = try report(mode + cut + ["--engine=direct,serial", "--runs=1"], [path("file")])
    #expect(report.names == ["direct", "serial", mode.isEmpty ? "cat" : "split"])
    #expect(report.host["bytes"] as? Int == 300_000)
    #expect(report.host["parts"] as? Int == 5)
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }

  @Test func exportsTellWhatWasAskedForAndWhen() throws {
    let options = ["--size=1K", "--engine=auto", "--runs=1", "--baseline=none"]
    let before = Date.now.timeIntervalSince1970.rounded(.down)
    let host = try report(options).host
    #expect(host["arguments"] as? [String] == ["bench"] + options + ["--export-json=-"])
    let text = try #require(host["date"] as? String)
    let date = try Date(text, strategy: .iso8601).timeIntervalSince1970
    #expect((before...Date.now.timeIntervalSince1970).contains(date), "\(text)")
  }

  @Test func anEmptyFileIsNoReasonToFail() throws {
    try Files.write([], to: path("file"))
    let outcome = try bench(["--runs=1", "file"])
    #expect(outcome.exitCode == 0, "\(outcome)")
  }

  @Test func theOutputsOfASplitZipAreComparedWithEachOther() throws {
    let writer = ZipWriter(ZipWriterTests.entries)
    let set = try ZipSet(writer.parts(of: writer.single().count / 3 + 200))
    let before = try Contents(of: set.directory.path)
    let report = try report(["--runs=1", "--baseline=echo > \"$OUT\""], [set.parts[1]])
    #expect(report.names == Self.contenders + ["baseline"])
    #expect(report.host["parts"] as? Int == 3)
    #expect(try Contents(of: set.directory.path).changes(since: before) == [])
  }

  @Test func theWorkIsDoneInTheDirectoryThatIsAskedFor() throws {
    try Files.makeDirectory(path("other"))
    let outcome = try bench([
      "--directory=other", "--engine=auto", "--size=1K", "--runs=1",
      "--baseline=echo \"$1 $OUT\" >> seen; cat \"$@\" > \"$OUT\"",
    ])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let seen = try Files.text(path("seen")).split(separator: "\n")
    #expect(seen.count == 2)
    #expect(
      seen.allSatisfy {
        $0.wholeMatch(
          of: #/other/\.cleave-bench-\w{6}/in/sample\.001 other/\.cleave-bench-\w{6}/out/whole/#
        ) != nil
      },
      "\(seen)"
    )
    #expect(try FileSystem.names(in: path("other")) == [])
  }

  // MARK: - What is compared

  @Test func theListsAreMultiplied() throws {
    let outcome = try bench([
      "--size=100K", "--runs=1", "--engine=direct,zerocopy", "--high-water=4K,64K",
      "--verify=none,readback", "--baseline=none",
    ])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let lines = outcome.outputText.split(separator: "\n").map(String.init)
    try #require(lines.count == 10)
    #expect(lines[1].hasPrefix("direct (high water 4.0 KiB, verify none) "), "\(lines)")
    #expect(lines[8].hasPrefix("zerocopy (high water 64.0 KiB, verify readback) "), "\(lines)")
    #expect(!lines[9].contains("baseline"))
  }

  @Test func coldRunsDropTheInputs() throws {
    let series = try Series([100_000, 100_000])
    let outcome = try bench(["--cold", "--runs=1", "--export-json=-"], [series.parts[0]])
    let report = try BenchExport(outcome)
    #expect(report.host["cold"] as? Bool == true)
    // A file system in memory has nowhere to drop them to.
    let kept = try #require(report.host["not_dropped_byte"] as? Int)
    #expect(outcome.errorText.isEmpty == (kept == 0), "\(outcome)")
    #expect(kept == 0 || report.host["file_system"] as? String != "ext4")
  }

  @Test(arguments: [[], ["--split"]]) func durableRunsAreFlushed(mode: [String]) throws {
    let report = try report(mode + ["--durable", "--size=10K", "--runs=1", "--engine=direct"])
    #expect(report.host["synced"] as? Bool == true)
    #expect(report.results.first?["command"] as? String != nil)
    let commands = report.results.compactMap { $0["command"] as? String }
    #expect(!commands.contains { $0.contains("--no-sync") }, "\(commands)")
  }

  @Test func detailsAreToldOfEachRun() throws {
    let outcome = try bench(["-v", "--size=1K", "--runs=1", "--engine=direct"])
    let lines = outcome.errorText.split(separator: "\n")
    #expect(lines.count == 4, "\(outcome)")
    // As wide as the times are, which are more than a second where much else runs.
    #expect(outcome.outputText.contains(#/\nengine +min s  /#), "\(outcome)")
    #expect(
      lines.contains {
        $0.wholeMatch(
          of: #/cleave: round 1 of 1: engine direct, verify stream: \d+\.\d+ s, peak memory .*/#
        ) != nil
      },
      "\(outcome)"
    )
  }

  // MARK: - Inside

  private func path(_ name: FilePath) -> FilePath { directory.file(name) }

  private func bench(
    _ options: [String],
    _ operands: [FilePath] = []
  ) throws -> Outcome {
    try Tool.cleave.run(
      ["bench"] + options + operands,
      workingDirectory: directory.path
    )
  }

  private func report(_ options: [String], _ operands: [FilePath] = []) throws -> BenchExport {
    let outcome = try bench(options + ["--export-json=-"], operands)
    #expect(outcome.errorText == "")
    return try BenchExport(outcome)
  }

  private static func firstWord(_ line: String) -> String {
    String(line.prefix { $0 != " " })
  }
}

/// What `--export-json=-` wrote.
struct BenchExport {
  let results: [[String: Any]]
  let host: [String: Any]

  init(_ outcome: Outcome) throws {
    try #require(outcome.exitCode == 0, "\(outcome)")
    try self.init(outcome.standardOutput)
  }

  init(_ bytes: [UInt8]) throws {
    let object = try JSONSerialization.jsonObject(with: Data(bytes))
    let members = try #require(object as? [String: Any])
    results = try #require(members["results"] as? [[String: Any]])
    host = try #require(members["host"] as? [String: Any])
  }

  /// The engines, and the baseline's name.
  var names: [String] {
    results.compactMap { ($0["parameters"] as? [String: String])?["engine"] }
  }
}
