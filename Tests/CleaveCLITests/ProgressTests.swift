import Posix
import Testing

@testable import Cleave
@testable import CleaveCLI

/// How far a job is, in as many words as fit.
@Suite struct ProgressTests {
  private static let merging = ProgressText(
    bytes: 1_288_490_189,
    total: 3 << 30,
    rate: 120 << 20,
    part: WorkProgress.Part(path: "parts/a-film-with-a-long-name.mkv.004", number: 4, count: 9)
  )

  @Test(arguments: [
    (
      200,
      "40 %, 1.2 GiB of 3.0 GiB, 120.0 MiB/s, 0:16 left, a-film-with-a-long-name.mkv.004 (4 of 9)"
    ),
    (79, "40 %, 1.2 GiB of 3.0 GiB, 120.0 MiB/s, 0:16 left"),
    (48, "40 %, 1.2 GiB of 3.0 GiB, 120.0 MiB/s, 0:16 left"),
    (47, "40 %, 1.2 GiB of 3.0 GiB, 0:16 left"),
    (29, "40 %, 0:16 left"),
    (14, "40 %"),
    (1, "40 %"),
  ])
  func wholeFieldsGoAsTheTerminalNarrows(columns: Int, line: String) {
    #expect(Self.merging.line(columns: columns) == line)
  }

  @Test func whatIsNotKnownIsLeftOut() {
    var text = Self.merging
    (text.total, text.part) = (nil, nil)
    #expect(text.line() == "1.2 GiB, 120.0 MiB/s")
    text.rate = 0
    #expect(text.line() == "1.2 GiB, 0 bytes/s")
    text.total = 2 << 30
    #expect(text.line() == "60 %, 1.2 GiB of 2.0 GiB, 0 bytes/s")
    text.total = text.bytes
    #expect(text.line() == "100 %, 1.2 GiB of 1.2 GiB, finishing")
    text.total = 0
    #expect(text.line() == "1.2 GiB of 0 bytes, finishing")
  }

  @Test func whatIsWaitedForIsTold() {
    var text = Self.merging
    (text.total, text.waiting) = (nil, ("parts/film.003", 65))
    #expect(text.line() == "1.2 GiB, waiting 1:05, for film.003")
    #expect(text.line(columns: 22) == "1.2 GiB, waiting 1:05")
    #expect(text.line(columns: 13) == "waiting 1:05")
  }

  @Test(arguments: [
    ("film", 35, true), ("film", 34, false), ("映画映画映画.001", 47, true),
    ("映画映画映画.001", 46, false),
  ])
  func lettersMayBeAsWideAsTwo(name: FilePath, columns: Int, isShown: Bool) {
    var text = Self.merging
    text.total = nil
    text.part = WorkProgress.Part(path: name, number: 1, count: 2)
    #expect(text.line(columns: columns).hasSuffix("\(name) (1 of 2)") == isShown)
  }

  // MARK: Rates

  private static func rate(_ steps: [(seconds: Double, bytes: Int64)]) -> Int64 {
    let start = ContinuousClock.now
    var (rate, time, bytes) = (ProgressRate(from: start), start, Int64(0))
    var last: Int64 = 0
    for step in steps {
      (time, bytes) = (time + .seconds(step.seconds), bytes + step.bytes)
      last = rate.take(bytes, at: time)
    }
    return last
  }

  @Test func anEvenRateIsThatRate() {
    #expect(Self.rate([(0.1, 100)]) == 1000)
    #expect(Self.rate(Array(repeating: (0.1, 100), count: 100)) == 1000)
  }

  @Test func oneSlowMomentChangesLittleAndManyChangeAll() {
    let even = Array(repeating: (seconds: 0.1, bytes: Int64(100)), count: 100)
    let slow = Self.rate(even + [(0.1, 0)])
    #expect(slow > 950 && slow < 1000)
    #expect(Self.rate(even + Array(repeating: (0.1, 200), count: 300)) > 1990)
  }

  /// A process that was stopped for an hour was not slow.
  @Test func timeInWhichTheProcessWasStoppedDoesNotCount() {
    let even = Array(repeating: (seconds: 0.1, bytes: Int64(100)), count: 100)
    #expect(Self.rate(even + [(3600, 0)]) == 1000)
    #expect(Self.rate(even + [(3600, 0)] + even) == 1000)
  }

  // MARK: What a job tells

  @Test func thePartIsTheOneWhoseBytesAreCopied() throws {
    let sources = [100, 50, 200].enumerated().map { index, size in
      SourceFile(
        path: FilePath("p\(index + 1)"),
        status: FileStatus(identity: .init(device: 0, inode: 0), size: Int64(size), modified: 0)
      )
    }
    let progress = WorkProgress()
    #expect(progress.part == nil)
    progress.follow(try .merge(sources, into: "out"))
    var numbers: [Int?] = []
    for count in [0, 99, 1, 49, 1, 199, 1] {
      progress.didCopy(count)
      // What is proved does not count.
      progress.add(7)
      numbers.append(progress.part?.number)
    }
    #expect(numbers == [1, 1, 2, 2, 3, 3, 3])
    #expect(progress.part == WorkProgress.Part(path: "p3", number: 3, count: 3))
    progress.follow(try .merge([sources[0]], into: "out"))
    #expect(progress.part == nil)
  }

  @Test func waitingEndsWhenBytesCome() {
    let waiting = Waiting()
    #expect(waiting.state(at: 0) == nil)
    waiting.begin(for: "film.002", at: 10)
    #expect(waiting.state(at: 10)?.part == "film.002")
    #expect(waiting.state(at: 11) == nil)
  }
}
