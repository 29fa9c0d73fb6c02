import Posix
import TestSupport
import Testing

@testable import Cleave

/// What comes of parts whose sizes contradict each other.
@Suite struct SeriesSizesTests {
  private func trial(_ sizes: [Int]) throws -> SelectionTrial {
    try SelectionTrial(parts: sizes.map { Bytes.pattern(count: $0) })
  }

  @Test(
    "a part that is empty, too short or too long is refused, and the remedy that decides is known",
    arguments: [
      ([90, 40, 90, 5], "f.002: has 50 bytes less than f.001 and f.003 (40, not 90)", 4),
      ([90, 90, 120], "f.003: has 30 bytes more than f.001 and f.002 (120, not 90)", 3),
      ([20, 90, 90], "f.001: has 70 bytes less than f.002 and f.003 (20, not 90)", 3),
      // split -n of a number that does not go into the bytes.
      ([34, 17, 33], "f.002: has 17 bytes less than f.001 (17, not 34)", 3),
      ([33, 17, 34], "f.002: has 17 bytes less than f.003 (17, not 34)", 3),
      ([17, 33, 34], "f.001: has 17 bytes less than f.003 (17, not 34)", 3),
      ([17, 34, 33], "f.001: has 17 bytes less than f.002 (17, not 34)", 3),
      ([34, 60, 33], "f.002: has 26 bytes more than f.001 (60, not 34)", 3),
      ([34, 33, 33, 20, 33], "f.004: has 14 bytes less than f.001 (20, not 34)", 5),
      ([90, 0, 90], "f.002: is empty, not of 90 bytes like f.001 and f.003", 3),
      ([90, 90, 0], "f.003: is empty, not of 90 bytes like f.001 and f.002", 3),
      ([90, 30, 0, 7], "f.003: is empty", 4),
      ([99, 100, 99, 99], "f.002: has 1 byte more than f.001 and f.003 (100, not 99)", 4),
      ([9, 9, 9, 10, 9], "f.004: has 1 byte more than f.001 and f.002 (10, not 9)", 5),
      ([100, 99, 100, 100], "f.002: has 1 byte less than f.001 and f.003 (99, not 100)", 4),
    ] as [([Int], String, Int64)]
  )
  func odd(sizes: [Int], message: String, last: Int64) throws {
    let trial = try trial(sizes)
    let error = try #require(trial.refusal())
    #expect(error.kind == .badData)
    #expect(error.message.hasPrefix(message), "\(error)")
    #expect(error.remedies.last == .last(FilePath("\(last)")), "\(error)")
    #expect(error.text.pieces.last == .text(" joins all"))
    #expect(trial.refusal(last: last) == nil)
    #expect(trial.refusal(format: .raw) == nil)
  }

  @Test(
    "a healthy set is joined without a warning",
    arguments: [
      [90], [90, 90], [90, 90, 90], [90, 90, 10], [90, 10], [10, 90], [3, 3, 4], [4, 3, 3],
      [1, 1, 1, 0, 0], [3, 3, 3, 4, 4], [4, 4, 3, 3, 3], [2, 3, 2, 3], [3, 2, 3, 2],
      [3, 2, 2, 3, 2, 2],
      [2, 2, 3, 2, 2, 3], [2, 3, 2, 3, 3], [3, 3, 2, 3, 2], [90, 70, 30, 50],
      [1, 4096, 77, 8000, 171],
    ]
  )
  func healthy(sizes: [Int]) throws {
    let trial = try trial(sizes)
    #expect(trial.refusal() == nil)
    #expect(trial.doubts().allSatisfy { $0.severity == .told })
  }

  @Test(
    "what split makes is joined without a warning",
    .enabled(if: Tool.find("split") != nil, "split is not installed"),
    arguments: [
      ["-l", "1000"], ["-l", "777"], ["-n", "l/7"], ["-n", "7"], ["-n", "r/3"], ["-C", "5000"],
      ["-b", "4096"],
    ]
  )
  func split(options: [String]) throws {
    let directory = try TemporaryDirectory()
    let lines = (1...10_000).map { "\($0)\n" }.joined()
    try directory.make("in", Array(lines.utf8))
    let made = try #require(Tool.find("split")).run(
      options + ["-a", "3", "in", "out."],
      workingDirectory: directory.path
    )
    #expect(made.exitCode == 0, "\(made)")
    let selection = try Selection(of: [directory("out.aaa")])
    #expect(selection.files?.count == (try directory.names().count) - 1)
    #expect(selection.evidence.doubts.allSatisfy { $0.code.severity == .told })
  }

  @Test(
    "an empty part among those that end with lines is refused",
    .enabled(if: Tool.find("split") != nil, "split is not installed"),
    arguments: [[0], [1], [2], [3], [1, 2], [2, 3], [0, 1]],
    [["-l", "3000"], ["-n", "l/4"], ["-C", "12000"]]
  )
  func emptied(places: [Int], options: [String]) throws {
    let directory = try TemporaryDirectory()
    let lines = (1...9999).map { "\($0)\n" }.joined()
    try directory.make("in", Array(lines.utf8))
    let made = try #require(Tool.find("split")).run(
      options + ["-a", "3", "in", "out."],
      workingDirectory: directory.path
    )
    #expect(made.exitCode == 0, "\(made)")
    let names = try directory.names().filter { $0 != "in" }.sorted()
    for place in places { try Files.write([], to: directory(names[place])) }
    let error = #expect(throws: CleaveError.self) { try Selection(of: [directory("out.aaa")]) }
    #expect(error?.kind == .badData)
    #expect(error?.path == directory(names[places[0]]), "\(String(describing: error))")
    #expect(error?.message.contains("is empty") == true)
    var request = Selection.Request()
    request.reading.bounds.last = .text(names[names.count - 1])
    #expect(try Selection(of: [directory("out.aaa")], request).files?.count == names.count)
  }

  @Test(
    "lines that are longer than a share leave parts empty, which is right",
    .enabled(if: Tool.find("split") != nil, "split is not installed"),
    arguments: [2, 3, 5, 10, 40]
  )
  func longLines(count: Int) throws {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<10 {
      let directory = try TemporaryDirectory()
      let lines = (1...8).map { number in
        "\(number)"
          + String(
            repeating: "x",
            count: .random(in: 0...[3, 300, 90_000][Int.random(in: 0..<3)], using: &random)
          )
          + "\n"
      }
      try directory.make("in", Array(lines.joined().utf8))
      let made = try #require(Tool.find("split")).run(
        ["-n", "l/\(count)", "-a", "3", "in", "out."],
        workingDirectory: directory.path
      )
      #expect(made.exitCode == 0, "\(made)")
      let selection = try Selection(of: [directory("out.aaa")])
      #expect(selection.files?.count == count)
    }
  }

  @Test("an information file in front is told from a part")
  func information() throws {
    let files: [(FilePath, [UInt8])] = [
      ("f.000", Bytes.pattern(count: 40)), ("f.001", Bytes.pattern(count: 500)),
      ("f.002", Bytes.pattern(count: 500)),
    ]
    let trial = try SelectionTrial(files)
    #expect(trial.refusal()?.remedies == [.first("1"), .first("0")])
    for (first, count) in [(Int64(0), 3), (1, 2)] {
      var request = Selection.Request(manifest: .none)
      request.reading.bounds.first = .number(first)
      let selection = try Selection(of: [trial.directory("f.001")], request)
      #expect(selection.files?.count == count)
    }
  }
}
