import Posix
import TestSupport
import Testing
import Trials

/// What the fuzzer started from, and what it found: none of it may end the process.
@Suite struct CorpusTests {
  private static let fuzz = BuildProducts.sources.appending("Tests/Fuzz")

  /// `Tests/Fuzz/outcomes` has a line for each, whose changes are to be looked at: a message may have
  /// become better, or a file may no longer be read.
  @Test(arguments: Trial.allCases)
  func everyInputOfTheCorpusHasItsOutcome(trial: Trial) throws {
    let inputs = try Self.inputs(of: trial)
    #expect(inputs.count >= 5)
    let found = inputs.map { "\(trial)/\($0.name): \(trial.run($0.bytes).escapingLines)" }
    let wanted = try Files.text(Self.fuzz.appending("outcomes")).split(separator: "\n")
      .map(String.init).filter { $0.hasPrefix("\(trial)/") }
    for line in found where !wanted.contains(line) { Issue.record("not in the table: \(line)") }
    for line in wanted where !found.contains(line) { Issue.record("only in the table: \(line)") }
  }

  /// A thousand steps of what the fuzzer does for minutes.
  @Test(arguments: Trial.allCases)
  func damagedInputsOfTheCorpusAreSurvived(trial: Trial) throws {
    let seed = SeededGenerator.seed
    print("\(trial) corpus seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    for (_, input) in try Self.inputs(of: trial) where !input.isEmpty {
      for _ in 0..<10 {
        var damaged = input
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<damaged.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: damaged[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0
          case 1: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 2: damaged.removeLast(min(damaged.count - 1, Int.random(in: 0..<40, using: &random)))
          default: damaged.insert(UInt8.random(in: 0...255, using: &random), at: place)
          }
        }
        trial.run(damaged)
      }
    }
  }

  private static func inputs(of trial: Trial) throws -> [(name: FilePath, bytes: [UInt8])] {
    let folder = fuzz.appending(FilePath("corpus/\(trial)"))
    return try FileSystem.names(in: folder).sorted().map {
      ($0, try Files.read(folder.appending($0)))
    }
  }
}

extension String {
  /// On one line.
  fileprivate var escapingLines: String { replacing("\n", with: "\\n") }
}
