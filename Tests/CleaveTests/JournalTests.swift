import Posix
import TestSupport
import Testing

@testable import Cleave

/// What a journal says, as text and as a value; the file that it lies in has its own tests.
@Suite struct JournalTests {
  /// The lines of a job that merges two parts, and has half of the first.
  private static let lines = [
    "cleave-journal 2 merge", "job 1b2c3d4e consume crc32,adler32", "base a", "manifest a.sfv",
    "source a.001 1000 5 6 7 dense", "source a%2f002 500 5 6 8 sparse",
    "destination a 1500", "copy 0 0 1000 0 0", "copy 1 0 500 0 1000", "begin 0",
  ]
  private static let done = ["done 0 0 500 00000001 00000002", "round 41"]

  private static func parse(_ lines: [String]) throws(CleaveError) -> Journal.Parsed? {
    var text = JournalLines()
    text.add(lines)
    return try Journal.parse(text.bytes, ".a.cleave-journal")
  }

  private static func changing(_ line: Int, to text: String) -> [String] {
    var changed = lines.map { $0.replacing("a%2f002", with: "a.002") }
    changed[line] = text
    return changed
  }

  // MARK: - Names

  /// What is under it may be the only copy of something.
  @Test(
    "a journal that cannot be read may be about all that its job may have made",
    arguments: [
      (".x.cleave-journal", "x", true), (".x.cleave-journal", "x.001", true),
      (".x.cleave-journal", "x01", true), (".film.part.cleave-journal", "film.part00", true),
      (".x.csv.cleave-journal", "x01.csv", true), (".x.tar.gz.cleave-journal", "x01.tar.gz", true),
      (".x.csv.cleave-journal", "x01.txt", false), (".x.cleave-journal", "y.001", false),
      (".x.y.cleave-journal", "x.001", false),
    ]
  )
  func names(journal: FilePath, file: FilePath, isAbout: Bool) {
    #expect(Journal.mayBe(at: journal, about: file) == isAbout)
  }

  // MARK: - Text

  @Test("a journal reads as it was written")
  func roundTrip() throws {
    let lines = Self.changing(5, to: "source a.002 500 5 6 8 sparse")
    let parsed = try #require(try Self.parse(lines + Self.done))
    var journal = parsed.journal
    #expect(journal.command == .merge && journal.consumes && journal.job == 0x1b2c_3d4e)
    #expect(journal.base == "a" && journal.manifest == "a.sfv" && journal.content == nil)
    #expect(journal.sources.map(\.name) == ["a.001", "a.002"])
    #expect(journal.sources.map(\.isSparse) == [false, true])
    #expect(journal.doneBytes == 500 && journal.hasConsumed && journal.hasProgress)
    journal.arguments = ["merge", "--consume", "a b.001"]
    (journal.directory, journal.home) = ("/some/where", "/some/where else")
    journal.former = [Journal.Former(name: "a b", size: 7, modified: -1, inode: .max)]
    journal.content = Journal.Content(
      kind: .splitZip,
      entries: 61,
      unproved: (1...9).map { "a thing, \($0)" }
    )
    journal.bad = [1]
    journal.isPublishing = true
    #expect(try Self.parse(journal.lines())?.journal == journal)
  }

  /// Bytes of names, and how they stand in the journal.
  static let words: [(FilePath, String)] = [
    ("film-1_a.001", "film-1_a.001"), ("a b", "a%20b"), ("50%", "50%25"),
    (FilePath(bytes: [0xFF, 0x0A]), "%ff%0a"),
  ]

  @Test("a name is one word, whatever is in it", arguments: words)
  func word(name: FilePath, text: String) throws {
    #expect(JournalLines.word(name) == text)
    let lines = Self.changing(5, to: "source \(text) 500 5 6 8 dense")
    #expect(try Self.parse(lines)?.journal.sources[1].name == name)
  }

  /// Lines in place of one, and what is said of it.
  static let wrongs: [(String, Int, String, String)] = [
    ("another program's", 0, "another-journal 2 merge", "is not a journal of cleave (line 1)"),
    (
      "of another version", 0, "cleave-journal 3 merge",
      "was written by another version of cleave (line 1)"
    ),
    (
      "of another command", 0, "cleave-journal 2 cat",
      "was written by another version of cleave (line 1)"
    ),
    ("without a job", 1, "job x consume crc32", "has no job (line 2)"),
    ("with sums that nobody knows", 1, "job 00000001 keep md5", "has unknown sums (line 2)"),
    ("without the sum that is needed", 1, "job 00000001 keep adler32", "has no CRC-32 (line 2)"),
    ("with a name that leads elsewhere", 5, "source ..%2fa 500 5 6 8 dense", "(line 6)"),
    ("with the name of a directory", 5, "source .. 500 5 6 8 dense", "(line 6)"),
    ("with a size below nothing", 5, "source a.002 -1 5 6 8 dense", "(line 6)"),
    ("with a source that is there twice", 5, "source a.001 1000 5 6 7 dense", "a source twice"),
    ("with a word too few", 5, "source a.002 500 5 6 8", "has a wrong line (line 6)"),
    ("with a line that nobody knows", 5, "sauce a.002", "has a wrong line (line 6)"),
    ("of a source that it does not have", 8, "copy 2 0 500 0 1000", "has no source 2"),
    ("of a place beyond a source", 8, "copy 1 1 500 0 1000", "has a range beyond the end"),
    ("of a destination that it does not have", 8, "copy 1 0 500 1 0", "has no destination 1"),
    ("with lengths beyond any number", 8, "make \(Int64.max) 0 0", ""),
  ]

  @Test("a journal that contradicts itself is refused", arguments: wrongs)
  func wrong(_: String, line: Int, text: String, message: String) {
    let lines = Self.changing(line, to: text)
    let error = #expect(throws: CleaveError.self) { try Self.parse(lines) }
    #expect(error?.kind == .badData && error?.path == ".a.cleave-journal")
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test("a journal that was never begun is none", arguments: [0, 1, 2, 9])
  func notBegun(count: Int) throws {
    #expect(try Self.parse(Array(Self.changing(9, to: "begin 0")[..<count])) == nil)
  }

  // MARK: - What is done

  @Test("pieces that are neighbours become one")
  func compacts() throws {
    let lines = Self.changing(9, to: "begin 0")
    var journal = try #require(try Self.parse(lines)).journal
    let sums = [Array("abc".utf8), Array("de".utf8), Array("f".utf8), Array("g".utf8)]
      .map { Checksum(of: $0[...], [.crc32, .adler32]) }
    journal.done = [
      .init(extent: 0, start: 0, checksum: sums[0]), .init(extent: 0, start: 3, checksum: sums[1]),
      .init(extent: 0, start: 9, checksum: sums[2]), .init(extent: 1, start: 10, checksum: sums[3]),
    ]
    journal.compact()
    #expect(journal.done.map(\.extent) == [0, 0, 1] && journal.done.map(\.start) == [0, 9, 10])
    #expect(journal.done[0].checksum == Checksum(of: Array("abcde".utf8)[...], [.crc32, .adler32]))
    #expect(journal.doneBytes == 7)
  }

  @Test("bytes of the plan's own that are written twice count once")
  func countsOnce() throws {
    let lines = Self.changing(8, to: "make 500 0 1000")
    var journal = try #require(try Self.parse(lines)).journal
    let sum = Checksum(of: [UInt8](repeating: 0, count: 500)[...], .crc32)
    journal.done = [0, 1, 1].map { .init(extent: $0, start: 0, checksum: sum) }
    #expect(journal.doneBytes == 1000)
  }

  @Test("another file takes the place of a bad source")
  func replaces() throws {
    var journal = try #require(try Self.parse(Self.changing(9, to: "begin 0"))).journal
    journal.bad = [0, 1]
    journal.replace(1, 77, 88, isSparse: false)
    #expect(journal.bad == [0])
    let source = journal.sources[1]
    #expect(source.modified == 77 && source.inode == 88 && !source.isSparse)
    #expect(source.name == "a.002" && source.size == 500)
  }

  // MARK: - Names

  @Test("a journal lies beside what is made, and is told by its name")
  func names() {
    #expect(Journal.path(beside: "d/film.mkv") == "d/.film.mkv.cleave-journal")
    let long = String(repeating: "x", count: 250)
    let paths = ["a", "b"].map { Journal.path(beside: FilePath(long + $0)) }
    #expect(paths[0] != paths[1])
    for path in paths { #expect(path.bytes.count <= 255 && Journal.isName(path)) }
    let others: [FilePath] = [
      "film.cleave-journal", ".cleave-journal", ".film.cleave-journal.x", ".film",
    ]
    #expect(others.filter(Journal.isName) == [])
  }
}
