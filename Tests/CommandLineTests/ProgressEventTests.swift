import Posix
import TestSupport
import Testing

/// Progress as lines of JSON before the result.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct ProgressEventTests {
  private let series: Series

  init() throws { series = try Series([10_001, 9999]) }

  /// Merges with a pause of more than a second in the middle.
  private func merge(_ options: [String], faults: String = "") throws -> Outcome {
    try series.merge(
      "serial",
      Series.smallPieces + ["--json"] + options,
      environment: FaultShim.environment("write@/.file#5=delay:1300" + faults)
    )
  }

  @Test(arguments: ["--progress", "--progress=always"])
  func progressComesBeforeTheResult(option: String) throws {
    let outcome = try merge([option])
    #expect(outcome.exitCode == 0 && outcome.errorText == "", "\(outcome)")
    let lines = try JSON.lines(outcome)
    #expect(lines.count > 1, "\(outcome)")
    #expect(lines.last?.text("event") == "result")
    #expect(lines.last?.number("bytes") == 20_000)
    let events = lines.dropLast()
    #expect(events.allSatisfy { $0.text("event") == "progress" && $0.number("total") == 20_000 })
    let counts = events.compactMap { $0.number("bytes") }
    #expect(counts == counts.sorted() && counts.count == events.count, "\(outcome)")
    #expect(counts.first == 4000)
    let times = events.compactMap { $0.seconds }
    // Two a second at most, but for a timer that is late once.
    #expect(zip(times, times.dropFirst(2)).allSatisfy { $1 - $0 > 0.5 }, "\(times)")
  }

  @Test(arguments: [[], ["--progress=auto"], ["--progress=never"], ["--progress", "-q"]])
  func withoutItThereIsOneObject(options: [String]) throws {
    let outcome = try merge(options)
    #expect(outcome.exitCode == 0 && outcome.errorText == "", "\(outcome)")
    #expect(try JSON(outcome).text("event") == "result")
  }

  @Test func aFailureIsTheLastLine() throws {
    let outcome = try merge(["--progress"], faults: "; write@/.file#6=ENOSPC")
    #expect(outcome.exitCode == 74, "\(outcome)")
    let lines = try JSON.lines(outcome)
    #expect(lines.count > 1, "\(outcome)")
    #expect(lines.map { $0.text("event") }.filter { $0 != "progress" } == ["failure"])
    #expect(lines.last?.number("exitCode") == 74)
    #expect(lines.last?.text("symbol") == "ENOSPC")
    #expect(lines.last?.number("offset") == 5000)
  }

  @Test func aSignalIsTheLastLine() throws {
    let directory = try TemporaryDirectory()
    let tool = try Tool.cleave.start(
      ["merge", "--json", "--progress", "-o", directory.file("out"), "-"],
      input: .unending(Bytes.pattern(count: 1000)),
      standardOutput: .pipe
    )
    #expect(try tool.wait { tool.outputSoFar.contains(UInt8(ascii: "\n")) })
    tool.send(.interrupt)
    let outcome = try tool.wait()
    #expect(outcome.signal == .interrupt, "\(outcome)")
    let lines = try JSON.lines(outcome)
    #expect(lines.first?.text("event") == "progress")
    #expect(lines.first?.number("total") == nil)
    #expect(lines.last?.text("event") == "failure")
    #expect(lines.last?.number("exitCode") == 130)
  }

  /// A reader that does not read must not hold up the job.
  @Test func eventsThatNobodyReadsAreLeftOut() throws {
    let fifo = series.directory.file("fifo")
    try Files.makeFIFO(fifo)
    let reader = try FileDescriptor.open(fifo, [.readWrite, .nonBlocking])
    let full = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
    try full.withUnsafeBytes { bytes in
      while try Readiness.wait(for: .writing, reader.rawValue, path: fifo, milliseconds: 0)
        == .ready
      {
        try reader.write(all: bytes)
      }
    }
    let tool = try Tool.cleave.start(
      ["merge", "--no-sync", "--json", "--progress", "--engine=serial"] + Series.smallPieces
        + [series.parts[0]],
      standardOutput: .file(fifo),
      environment: FaultShim.environment("write@/.file#5=delay:1300")
    )
    // It ends but for its result.
    #expect(try tool.wait { try Files.exists(series.output) })
    let text = try drain(reader, until: tool).trimmingPrefix { $0 == "\n" }
    #expect(try tool.wait().exitCode == 0)
    #expect(text.split(separator: "\n").count == 1, "\(text)")
    #expect(text.contains(#""event":"result""#), "\(text)")
  }

  /// What comes out of a pipe until the program has ended.
  private func drain(_ reader: borrowing FileDescriptor, until tool: RunningTool) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let hasEnded = !tool.isRunning
      let outcome = try Readiness.wait(
        for: .reading,
        reader.rawValue,
        path: "fifo",
        milliseconds: 20
      )
      if outcome == .ready {
        let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
        bytes += buffer.prefix(count)
      } else if hasEnded {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
