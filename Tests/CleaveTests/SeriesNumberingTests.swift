import Posix
import TestSupport
import Testing

@testable import Cleave

@Suite struct SeriesNumberingTests {
  @Test(
    "a name of the form BASE.DIGITS is a part's",
    arguments: [
      ("gcd.mp4.zip.001", "gcd.mp4.zip", 1, 3),
      ("a.0", "a", 0, 1),
      (".x.10", ".x", 10, 2),
      ("-a.02", "-a", 2, 2),
      ("a..1", "a.", 1, 1),
      ("a.1.2", "a.1", 2, 1),
      ("a.999999999999999999", "a", 999_999_999_999_999_999, 18),
    ] as [(FilePath, FilePath, Int64, Int)]
  )
  func partName(name: FilePath, base: FilePath, number: Int64, width: Int) throws {
    let part = try #require(PartName(name))
    #expect(part.base == base)
    #expect(part.number == number)
    #expect(part.width == width)
    #expect(PartName.format(base: base, number: number, width: width) == name)
    #expect(part.digits(of: name) == part.digits)
  }

  @Test(
    "other names are no part's",
    arguments: [
      "", "a", "a.", ".001", "001", "a.0x2", "a.1a", "a.002.sfv", "a.-1", "a.+1", "a.1 ", "..1",
      "...1", "a.0000000000000000001", "a/b.1", "a.\u{0661}",
    ] as [FilePath]
  )
  func notAPart(name: FilePath) {
    #expect(PartName(name) == nil)
  }

  @Test("a base that is not UTF-8 stays as it is")
  func bytesOfABase() throws {
    let part = try #require(PartName(FilePath(bytes: [0xFF, 0x0A, 0x2E, 0x30, 0x31])))
    #expect(part.base.bytes == [0xFF, 0x0A])
    #expect(PartName.format(base: part.base, number: 7, width: 2).bytes.suffix(2) == [0x30, 0x37])
  }

  @Test(
    "a number behind another follows the rule of its series",
    arguments: [
      (.plain(width: 1), 9, 10),
      (.plain(width: 3), 998, 999),
      (.plain(width: 3), 999, 1000),
      (.widening(.decimal), 0, 1),
      (.widening(.decimal), 88, 89),
      (.widening(.decimal), 89, 9000),
      (.widening(.decimal), 9899, 990_000),
      (.widening(.decimal), 998_999, 99_900_000),
      (.widening(.decimal), 90, nil),
      (.widening(.decimal), 9900, nil),
    ] as [(Numbering, Int64, Int64?)]
  )
  func successor(numbering: Numbering, number: Int64, next: Int64?) {
    #expect(numbering.successor(of: number) == next)
  }

  @Test("a widening series leaves no place out, and its names sort as text")
  func widening() {
    var last: FilePath = ""
    for place in Int64(0)..<12_000 {
      let number = Numbering.widening(.decimal).number(at: place)
      let name = PartName.format(
        base: "x",
        number: number,
        width: Numbering.widening(.decimal).width
      )
      #expect(Numbering.widening(.decimal).place(of: number) == place)
      #expect(last < name)
      last = name
    }
    // As `head -c 12000 /dev/zero | split -d -b 1 - x.` of coreutils 9.1 names its last part.
    #expect(last == "x.99902009")
  }

  @Test(
    "the numbering shows in the names",
    arguments: [
      (["00", "89", "9000"], .widening(.decimal)),
      (["01", "9000", "9899", "990000"], .widening(.decimal)),
      (["00", "89"], .plain(width: 2)),
      (["00", "89", "90", "9000"], .plain(width: 2)),
      (["00", "89", "100"], .plain(width: 2)),
      (["00", "20250101"], .plain(width: 2)),
    ] as [([String], Numbering)]
  )
  func detection(names: [String], numbering: Numbering) {
    let digits = names.compactMap { PartDigits(Array($0.utf8)) }
    #expect(Numbering.of(digits, width: 2) == numbering)
  }

  @Test("the numbers of the longest names are in no danger of overflow")
  func longest() {
    let top = PartDigits(Array(repeating: UInt8(ascii: "9"), count: 18))
    #expect(top?.number == 999_999_999_999_999_999)
    #expect(top.map(Numbering.widening(.decimal).contains) == false)
    #expect(Numbering.widening(.decimal).place(of: .max) == nil)
  }
}
