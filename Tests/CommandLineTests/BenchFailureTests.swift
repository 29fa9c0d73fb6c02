import Posix
import TestSupport
import Testing

/// How `cleave bench` ends where it does not come to its end.
@Suite(.aside) struct BenchFailureTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  // MARK: - Refusals

  @Test(
    arguments: [
      (
        ["--engine=serial,fast"],
        "--engine: 'fast' is not one of serial, multiqueue, zerocopy, direct, auto"
      ),
      (["--engine=serial,serial"], "--engine: 'serial' is there twice"),
      (["--engine="], "--engine: '' is not one of serial, multiqueue, zerocopy, direct, auto"),
      (["--verify=entries"], "--verify: 'entries' is not one of none, stream, readback"),
      (
        ["--high-water=1M,"],
        "--high-water: '' is not a size; use a number with K, M, G, KB, KiB and the like"
      ),
      (["--window=0"], "--window: '0' must be more than 0"),
      (
        ["--low-water=1K,2M", "--high-water=4K,1M"],
        "--high-water=4096 --low-water=2097152: the low water mark is above the high water mark"
      ),
      (
        ["--high-water=1M", "--window=4K"],
        "--high-water=1048576 --window=4096: the window is smaller than the high water mark"
      ),
      (["--runs=0"], "--runs: '0' is not a number from 1 to 10000"),
      (["--size=0"], "--size: '0' must be more than 0"),
      (["--parts=2", "-b1K"], "-b SIZE and --parts N exclude each other"),
      (["--size=10M", "-b1"], "that would make 10485760 parts; 1000000 are the most"),
      (["--size=10M", "-b1K,2K"], "the sizes leave 10482688 bytes over; end the list with 'rest'"),
      (["--size=1K", "file"], "--size is for a sample; 'file' has a size of its own"),
      (["--split", "file", "file"], "--split needs one FILE"),
      (["-"], "bench needs files, not standard input"),
      (
        ["--parts=2", "part.001"],
        "-b and --parts are for a file to cut; 'part.001' is merged as it is"
      ),
      (["--baseline="], "--baseline: '' is no command"),
      (["--split", "--baseline=cat"], "--baseline=cat does not split"),
      (["--baseline=split"], "--baseline=split needs --split"),
      (
        ["--split", "-b1K,rest", "--baseline=split", "file"],
        "--baseline=split makes parts of one size; choose another, or none"
      ),
      (["--export-csv="], "--export-csv: '' is no name"),
      (
        ["--export-csv=-", "--export-json=-"],
        "two exports cannot go to the same place"
      ),
      (["--json"], "unknown option --json"),
    ] as [([String], String)]
  )
  func aWrongCommandLineIsRefusedBeforeAnythingRuns(options: [String], line: String) throws {
    for name in ["file", "part.001"] as [FilePath] {
      try Files.write(Bytes.pattern(count: 5000), to: directory.file(name))
    }
    let outcome = try bench(["--baseline=echo > ran"] + options)
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText == "cleave: \(line) (see 'cleave bench --help')\n")
    #expect(try directory.names() == ["file", "part.001"])
  }

  @Test(
    arguments: [
      (["missing"], 66, "missing: does not exist"),
      (["--directory=missing"], 73, "missing: does not exist; mkdir makes it"),
      (["--export-json=missing/x"], 73, "missing: does not exist; mkdir makes it"),
      (["--size=3E"], 74, ".cleave-bench: not enough space: 6917529027641081856 bytes are needed"),
    ] as [([String], CInt, String)]
  )
  func whatIsMissingIsToldBeforeAnythingRuns(options: [String], code: CInt, line: String) throws {
    let outcome = try bench(["--baseline=echo > ran"] + options)
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("cleave: \(line)"), "\(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1)
    #expect(try directory.names() == [])
  }

  // MARK: - Exports

  @Test func exportsAreNotReplaced() throws {
    try Files.write([1, 2, 3], to: directory.file("runs"))
    let refused = try bench([
      "--size=1K", "--runs=1", "--export-csv=other", "--export-markdown=runs",
    ])
    #expect(refused.exitCode == 73, "\(refused)")
    #expect(refused.errorText == "cleave: runs: exists; --force replaces it\n")
    #expect(try directory.names() == ["runs"])
    #expect(try Files.read(directory.file("runs")) == [1, 2, 3])
  }

  @Test func allExportsAreWritten() throws {
    try Files.write([1, 2, 3], to: directory.file("json"))
    let outcome = try bench([
      "--size=1K", "--runs=3", "--engine=direct,auto", "--export-json=json", "--export-csv=csv",
      "--export-markdown=md", "--report=page", "--force",
    ])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.contains("\ndirect  #"), "\(outcome)")
    #expect(!outcome.outputText.contains("\nengine "), "\(outcome)")
    #expect(try directory.names() == ["csv", "json", "md", "page"])
    let page = try Files.text(directory.file("page"))
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">") && page.hasSuffix("</html>\n"))
    let export = try BenchExport(Files.read(directory.file("json")))
    #expect(export.names == ["direct", "auto", "cat"])
    for result in export.results {
      for list in ["times", "memory_usage_byte", "exit_codes"] {
        #expect((result[list] as? [Any])?.count == 3, "\(list)")
      }
      #expect(result["stddev"] as? Double != nil)
    }
    #expect(export.results.map { ($0["ratios"] as? [Any])?.count } == [3, 3, 0])
    let csv = try Files.text(directory.file("csv")).split(separator: "\n")
    #expect(csv.count == 4)
    #expect(csv[0].hasPrefix("command,mean,stddev,median,user,system,min,max,parameter_engine,"))
    let markdown = try Files.text(directory.file("md")).split(separator: "\n")
    #expect(markdown.count == 5)
    #expect(markdown.allSatisfy { $0.hasPrefix("| ") && $0.hasSuffix(" |") }, "\(markdown)")
  }

  @Test func anExportMayTakeThePlaceOfTheTable() throws {
    let outcome = try bench(["-q", "--size=1K", "--runs=1", "--export-csv=-", "--export-json=json"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.split(separator: "\n").count == 7)
    #expect(outcome.outputText.hasPrefix("command,"))
    #expect(try directory.names() == ["json"])
    let quiet = try bench(["-q", "--size=1K", "--runs=1"])
    #expect(quiet.exitCode == 0, "\(quiet)")
    #expect(quiet.outputText == "")
    #expect(quiet.errorText == "")
  }

  // MARK: - Contenders that fail

  @Test(
    arguments: [
      ("printf x > \"$OUT\"", 1, ": made 1 of 5000 bytes"),
      ("true", 1, ": made 0 of 5000 bytes"),
      (
        "cat \"$@\" > \"$OUT\"; printf x | dd of=\"$OUT\" bs=1 seek=4321 conv=notrunc 2> seen", 1,
        ": its output differs from the inputs at byte 4321"
      ),
      ("echo no luck >&2; echo at all >&2; exit 3", 3, ": failed with exit code 3: no luck"),
      ("exit 4", 4, ": failed with exit code 4"),
      ("kill -9 $$", 137, ": was killed by signal 9"),
    ] as [(String, CInt, String)]
  )
  func aBaselineThatIsWrongEndsTheBench(command: String, code: CInt, text: String) throws {
    try Files.write(Bytes.pattern(count: 5000), to: directory.file("file"))
    try Files.write([], to: directory.file("seen"))
    let outcome = try bench(["--baseline", command, "file"])
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("cleave: baseline '"), "\(outcome)")
    #expect(outcome.errorText.hasSuffix("'\(text)\n"), "\(outcome)")
    #expect(outcome.outputText == "")
    #expect(try directory.names() == ["file", "seen"])
  }

  @Test func aBaselineThatIsNotThereEndsTheBench() throws {
    let outcome = try bench(["--size=1K", "--baseline=no-such-program \"$@\""])
    #expect(outcome.exitCode == 127, "\(outcome)")
    #expect(outcome.errorText.contains(": failed with exit code 127: "))
    #expect(outcome.errorText.contains("no-such-program"))
    #expect(try directory.names() == [])
  }

  @Test func aSplitThatLosesBytesEndsTheBench() throws {
    let outcome = try bench([
      "--split", "--size=10K", "--baseline=head -c 4096 \"$1\" > \"$OUT\"000",
    ])
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errorText.hasSuffix(": made 4096 of 10240 bytes\n"), "\(outcome)")
    #expect(try directory.names() == [])
  }

  @Test func partsThatDifferFromTheirManifestEndTheBench() throws {
    let series = try Series([3000, 3000], hasManifest: true)
    try Files.flipByte(at: 7, of: series.parts[1])
    let before = try series.contents()
    let outcome = try bench(["--engine=direct", "--baseline=none"], [series.parts[0]])
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(
      series.lines(outcome).hasPrefix(
        "cleave: engine direct, verify stream: failed with exit code 65: "
          + "file.sfv: file.002 has CRC-32 "
      ),
      "\(outcome)"
    )
    #expect(try series.contents().changes(since: before) == [])
  }

  // MARK: - Signals

  @Test(
    arguments: [
      "exec sleep 100", "sleep 100; sleep 100", "trap '' TERM INT HUP; sleep 100; sleep 100",
    ],
    [Signal.interrupt, .terminate, .hangUp]
  )
  func aSignalEndsTheChildAndRemovesEverything(command: String, signal: Signal) throws {
    let started = directory.file("started")
    let tool = try Tool.cleave.start(
      ["bench", "--size=1K", "--export-json=json", "--baseline", "echo $$ > started; \(command)"],
      workingDirectory: directory.path
    )
    #expect(
      try tool.wait { try Files.exists(started) && !Files.read(started).isEmpty }
    )
    let number = try Files.text(started).filter(\.isNumber)
    tool.send(signal)
    let outcome = try tool.wait()
    #expect(outcome.signal == signal, "\(outcome)")
    #expect(outcome.errorText == "cleave: interrupted\n")
    #expect(try directory.names() == ["started"])
    #expect(try ends(process: number), "the child is still there")
  }

  /// Whether a process is gone soon, or dead and only not collected by whoever has inherited it.
  private func ends(process number: String) throws -> Bool {
    let isAlive =
      "kill -0 \(number) && case $(ps -o stat= -p \(number)) in Z*) false;; esac"
    for _ in 0..<6000 {
      if try Tool.shell.run(["-c", isAlive]).exitCode != 0 { return true }
      try Readiness.pause(milliseconds: 10)
    }
    return false
  }

  // MARK: - Inside

  private func bench(
    _ options: [String],
    _ operands: [FilePath] = []
  ) throws -> Outcome {
    try Tool.cleave.run(
      ["bench"] + options + operands,
      workingDirectory: directory.path
    )
  }
}
