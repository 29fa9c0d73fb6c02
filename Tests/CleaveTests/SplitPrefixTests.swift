import Posix
import TestSupport
import Testing

@testable import Cleave

/// Parts of `split` whose prefix ends in what may be digits of a number: a wrong reading takes some of them alone.
@Suite struct SplitPrefixTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var prefix: String
    var numbering: Numbering
    var count: Int64
    var first: Int64 = 0
    /// Whether the parts are found; else they are refused.
    var isFound = true

    var testDescription: String { "\(prefix): \(numbering.alphabet), \(count) parts" }

    var names: [FilePath] {
      (first..<first + count).map { place in
        let digits = numbering.digits(of: numbering.number(at: place))
        return FilePath(bytes: Array(prefix.utf8) + digits)
      }
    }
  }

  private static func hexadecimal(_ width: Int) -> Numbering {
    Numbering(alphabet: .hexadecimal, width: width, isWidening: false)
  }

  static let rows = [
    Row(prefix: "x", numbering: hexadecimal(3), count: 173),
    Row(prefix: "x", numbering: hexadecimal(2), count: 200),
    Row(prefix: "data", numbering: .widening(.hexadecimal), count: 173),
    Row(prefix: "img10", numbering: hexadecimal(2), count: 173, isFound: false),
    Row(prefix: "disk_", numbering: hexadecimal(3), count: 700),
    Row(prefix: "x", numbering: hexadecimal(2), count: 15, first: 0xa0, isFound: false),
    Row(prefix: "data.", numbering: hexadecimal(1), count: 7, first: 9, isFound: false),
    Row(prefix: "p_", numbering: hexadecimal(1), count: 8, first: 8, isFound: false),
    Row(prefix: "v1.0", numbering: .widening(.hexadecimal), count: 260, isFound: false),
    Row(prefix: "v1.0", numbering: .widening(.decimal), count: 100, isFound: false),
    Row(prefix: "disk0", numbering: .widening(.decimal), count: 100, isFound: false),
    Row(prefix: "disk", numbering: .widening(.decimal), count: 100),
    Row(prefix: "x", numbering: .widening(.letters), count: 700),
    Row(prefix: "xa", numbering: .widening(.letters), count: 30),
  ]

  @Test(arguments: rows) func noPartStandsForSomeOfThem(row: Row) throws {
    let names = row.names
    for name in [names[0], names[names.count / 2], names[names.count - 3], names[names.count - 1]] {
      do throws(CleaveError) {
        let listing = DirectoryListing("dir", names: names)
        let readings = PartName.readings(of: name).filter(\.style.isJoined)
        let path = FilePath("dir").appending(name)
        let form = try PartSeries.candidate(path, readings, among: listing.names)
        let found = form.map { candidate in
          candidate.members.map { candidate.form.name($0.number, candidate.numbering) }
        }
        if row.isFound {
          #expect(found.map { Set($0) } == Set(names), "\(name)")
        } else {
          // One that is not read as a part, or alone, is no wrong series.
          #expect(found.map { $0.count <= 1 } ?? true || form?.isBegun == false, "\(name)")
        }
      } catch {
        #expect(!row.isFound && error.kind == .badData, "\(error)")
      }
    }
  }
}
