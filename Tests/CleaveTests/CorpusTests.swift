import Posix
import TestSupport
import Testing
import ZipTrials

/// What the fuzzer started from, and what it found: none of it may end the process.
@Suite struct ZipCorpusTests {
  @Test func everyInputOfTheCorpusIsSurvived() throws {
    let corpus = BuildProducts.sources.appending("Tests/Fuzz/corpus")
    let names = try FileSystem.names(in: corpus)
    #expect(names.count > 10)
    for name in names { ZipTrial.run(try Files.read(corpus.appending(name))) }
  }

  /// A few thousand steps of what the fuzzer does for minutes.
  @Test func damagedInputsOfTheCorpusAreSurvived() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("zip corpus seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    let corpus = BuildProducts.sources.appending("Tests/Fuzz/corpus")
    for name in try FileSystem.names(in: corpus).sorted() {
      let input = try Files.read(corpus.appending(name))
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
        ZipTrial.run(damaged)
      }
    }
  }
}
