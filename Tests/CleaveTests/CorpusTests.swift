import Posix
import TestSupport
import Testing
import Trials

/// What the fuzzer started from, and what it found: none of it may end the process.
@Suite struct CorpusTests {
  @Test(arguments: Trial.allCases)
  func everyInputOfTheCorpusIsSurvived(trial: Trial) throws {
    let inputs = try Self.inputs(of: trial)
    #expect(inputs.count >= 5)
    for input in inputs { trial.run(input) }
  }

  /// A few thousand steps of what the fuzzer does for minutes.
  @Test(arguments: Trial.allCases)
  func damagedInputsOfTheCorpusAreSurvived(trial: Trial) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("\(trial) corpus seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    for input in try Self.inputs(of: trial) where !input.isEmpty {
      for _ in 0..<40 {
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

  private static func inputs(of trial: Trial) throws -> [[UInt8]] {
    let folder = BuildProducts.sources.appending(FilePath("Tests/Fuzz/corpus/\(trial)"))
    return try FileSystem.names(in: folder).sorted().map { try Files.read(folder.appending($0)) }
  }
}
