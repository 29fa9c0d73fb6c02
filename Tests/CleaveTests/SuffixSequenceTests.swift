import Posix
import Testing

@testable import Cleave

/// The rules were read off GNU `split` 9.1 and 9.5.
struct SuffixSequenceTests {
  private func all(_ sequence: SuffixSequence, _ count: Int) -> [String] {
    var (sequence, list) = (sequence, [String]())
    while list.count < count, let suffix = sequence.next() {
      list.append(String(decoding: suffix, as: UTF8.self))
    }
    return list
  }

  private static let widening: [(PartAlphabet, Int, String, String)] = [
    (PartAlphabet.letters, 649, "yz", "zaaa"),
    (.letters, 650 + 16899, "zyzz", "zzaaaa"),
    (.decimal, 89, "89", "9000"),
    (.decimal, 90 + 899, "9899", "990000"),
    (.hexadecimal, 239, "ef", "f000"),
  ]

  @Test(arguments: widening) func wideningSuffixesGrowInsteadOfEnding(
    alphabet: PartAlphabet,
    place: Int,
    last: String,
    first: String
  ) {
    let list = all(SuffixSequence(alphabet, length: 2, widens: true), place + 2)
    #expect(list[place] == last)
    #expect(list[place + 1] == first)
    #expect(list == list.sorted())
    #expect(Set(list).count == list.count)
  }

  private static let fixed: [(PartAlphabet, Int, String, Int, String)] = [
    (PartAlphabet.letters, 1, "", 26, "z"), (.letters, 2, "", 676, "zz"),
    (.decimal, 2, "95", 5, "99"), (.hexadecimal, 2, "f9", 7, "ff"),
    (.hexadecimal, 1, "a", 6, "f"), (.decimal, 1, "9", 1, "9"),
  ]

  @Test(arguments: fixed) func suffixesOfAFixedLengthEnd(
    alphabet: PartAlphabet,
    length: Int,
    start: String,
    count: Int,
    last: String
  ) {
    var sequence = SuffixSequence(alphabet, length: length, start: Array(start.utf8), widens: false)
    for left in (0..<count).reversed() {
      #expect(sequence.remaining == Int64(left) + 1)
      #expect(sequence.next() != nil)
    }
    #expect(sequence.remaining == 0)
    #expect(sequence.next() == nil)
    #expect(sequence.next() == nil)
    let again = SuffixSequence(alphabet, length: length, start: Array(start.utf8), widens: false)
    #expect(all(again, 1000).last == last)
  }

  @Test func aStartIsPaddedToTheLength() {
    #expect(
      all(SuffixSequence(.decimal, length: 4, start: Array("7".utf8), widens: false), 4)
        == ["0007", "0008", "0009", "0010"]
    )
  }

  @Test func manyAreMoreThanAnyNumber() {
    #expect(SuffixSequence(.letters, length: 300, widens: false).remaining == .max)
    #expect(SuffixSequence(.letters, length: 2, widens: true).remaining == .max)
    // 26¹³ is below 2⁶³, 26¹⁴ is not.
    #expect(
      SuffixSequence(.letters, length: 13, widens: false).remaining == 2_481_152_873_203_736_576
    )
    #expect(SuffixSequence(.letters, length: 14, widens: false).remaining == .max)
  }

  private static let places: [(Int64, PartAlphabet, Int)] = [
    (Int64(0), PartAlphabet.letters, 1), (25, .letters, 1), (26, .letters, 2), (675, .letters, 2),
    (676, .letters, 3), (99, .decimal, 2), (100, .decimal, 3), (255, .hexadecimal, 2),
    (256, .hexadecimal, 3), (.max, .letters, 14), (.max, .decimal, 19), (.max, .hexadecimal, 16),
  ]

  @Test(arguments: places) func aPlaceNeedsSoManyDigits(
    place: Int64,
    alphabet: PartAlphabet,
    length: Int
  ) {
    #expect(SuffixSequence.length(for: place, alphabet) == length)
  }

  /// What is read as a series is what was written.
  @Test(arguments: [PartAlphabet.letters, .decimal, .hexadecimal])
  func seriesAreNumberedInTheSameOrder(alphabet: PartAlphabet) throws {
    let numbering = Numbering.widening(alphabet)
    var sequence = SuffixSequence(alphabet, length: 2, widens: true)
    for place in 0..<Int64(5000) {
      #expect(sequence.next() == numbering.digits(of: numbering.number(at: place)))
    }
  }
}
