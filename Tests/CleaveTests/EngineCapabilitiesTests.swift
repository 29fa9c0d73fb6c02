import Posix
import TestSupport
import Testing

@testable import Cleave

/// What an engine cannot do is refused before anything is opened.
@Suite struct EngineCapabilitiesTests {
  @Test(arguments: EngineName.allCases)
  func enginesThatReadStreamsSaySo(name: EngineName) {
    #expect(name.engine.capabilities.contains(.streamInput) == (name.engine is any StreamEngine))
  }

  @Test func theEngineThatIsChosenForStreamsTakesThem() throws {
    var workload = Workload(meanExtent: 1 << 20)
    workload.isStream = true
    try EngineChoice(workload).name.engine.require([.streamInput, .streamOutput])
  }

  private static let rows: [(EngineCapabilities, String)] = [
    (.streamInput, "only the serial engine reads streams"),
    (.streamOutput, "only the serial engine writes to streams"),
    (.sharedBlocks, "only the direct engine shares blocks"),
  ]

  @Test(arguments: EngineName.allCases, rows.indices)
  func whatIsMissingIsNamed(name: EngineName, index: Int) throws {
    let (needed, text) = Self.rows[index]
    #expect(needed.refusal == CleaveError(.contradiction, "\(text)"))
    if name.engine.capabilities.contains(needed) { return try name.engine.require(needed) }
    #expect(throws: needed.refusal) { try name.engine.require(needed) }
  }

  private func job(_ directory: TemporaryDirectory, _ engine: EngineName) throws -> Job {
    let part = try SourceFile(examining: directory.make("a.001", Bytes.pattern(count: 10_000)))
    var job = try Job(.merge([part], into: directory.file("a")), engine: engine)
    job.stream = try StreamOutput(to: "/dev/null", Cancellation())
    return job
  }

  @Test(arguments: EngineName.allCases)
  func onlyEnginesThatWriteToStreamsAreGivenOne(name: EngineName) throws {
    let directory = try TemporaryDirectory()
    let job = try job(directory, name)
    if name.engine.capabilities.contains(.streamOutput) {
      #expect(try job.run().bytes == 10_000)
    } else {
      #expect(throws: EngineCapabilities.streamOutput.refusal) { try job.run() }
      #expect(job.options.progress.bytes == 0)
    }
    #expect(try directory.names() == ["a.001"])
  }

  @Test(arguments: EngineName.allCases)
  func onlyEnginesThatReadStreamsAreGivenOne(name: EngineName) throws {
    let directory = try TemporaryDirectory()
    let part = try SourceFile(examining: directory.make("a.001", [1, 2, 3]))
    let feed = Feed.joining([.file(part)], into: directory.file("a"))
    let job = Job(engine: name)
    if name.engine.capabilities.contains(.streamInput) {
      #expect(try job.run(feed, judgedBy: UndemandingJudge()).report.bytes == 3)
    } else {
      #expect(throws: EngineCapabilities.streamInput.refusal) {
        try job.run(feed, judgedBy: UndemandingJudge())
      }
      #expect(try directory.names() == ["a.001"])
    }
  }

  /// An engine of one's own is believed.
  @Test(arguments: [EngineCapabilities(), .streamOutput])
  func anEngineOfOnesOwnSaysWhatItCanDo(capabilities: EngineCapabilities) throws {
    let directory = try TemporaryDirectory()
    var job = try job(directory, .direct)
    job.options.customEngine = Own(capabilities: capabilities)
    if capabilities.isEmpty {
      #expect(throws: EngineCapabilities.streamOutput.refusal) { try job.run() }
    } else {
      let expected = Checksum(of: Bytes.pattern(count: 10_000)[...], job.options.kinds)
      #expect(try job.run().whole == expected)
    }
  }

  /// Moves one extent.
  private struct Own: Engine {
    let capabilities: EngineCapabilities
    let defaults = WaterMarks(low: 1, high: 1, window: 1)

    func run(_ transfer: Transfer) {
      _ = transfer.failing { () throws(CleaveError) in
        let count = Int(transfer.plan.extents[0].length)
        let bytes = try [UInt8](capacity: count) { buffer throws(CleaveError) in
          try transfer.read(into: buffer, of: 0, at: 0)
          try transfer.write(UnsafeRawBufferPointer(buffer), of: 0, at: 0)
          return count
        }
        transfer.record(Checksum(of: bytes[...], transfer.kinds), extent: 0)
        try transfer.finish(0)
      }
    }
  }
}
