import Posix
import TestSupport
import Testing

@testable import Cleave

/// The journal on disk.
struct JournalFileTests {
  /// What it has of the rounds before is put together, so that it does not grow for ever.
  @Test func aJournalThatHasGrownIsWrittenAnew() throws {
    let directory = try TemporaryDirectory()
    let part = directory.file("a.001")
    try Files.makeSparse(part, size: 1 << 30)
    let source = try SourceFile(examining: part)
    let destination = DestinationFile(path: directory.file("a"), size: 1 << 30)
    let plan = try TransferPlan(
      sources: [source],
      destinations: [destination],
      extents: [
        Extent(source: .file(0, offset: 0), length: 1 << 30, destination: 0, offset: 0)
      ]
    )
    let path = Journal.path(beside: destination.path)
    var journal = Journal(plan, .merge, consumes: true, kinds: .crc32, content: nil)
    let sum = Checksum(of: [UInt8](repeating: 0, count: 4096)[...], .crc32)
    var rounds = 0
    do {
      let file = try JournalFile(opening: path)
      try file.begin(journal, synchronizes: false)
      while !file.hasGrown {
        let done = [Journal.Done(extent: 0, start: Int64(rounds) * 4096, checksum: sum)]
        try file.append(Journal.round(done), synchronizes: false)
        journal.done += done
        rounds += 1
      }
      #expect(try FileStatus.of(path).size > 4 << 20)
      journal.compact()
      try file.rewrite(journal, synchronizes: true)
      #expect(try FileStatus.of(path).size < 1000)
      // It is still this run's.
      #expect(throws: CleaveError.self) { try JournalFile(opening: path) }
      try file.append([Journal.publish], synchronizes: true)
    }
    #expect(try directory.names().sorted() == [".a.cleave-journal", "a.001"])
    let found = try #require(try Self.journal(at: path))
    #expect(found.done.count == 1)
    #expect(found.doneBytes == Int64(rounds) * 4096)
    #expect(found.isPublishing)
  }

  /// Before anything is begun.
  @Test func aJournalThatWouldBecomeTooLargeIsRefused() throws {
    let directory = try TemporaryDirectory()
    let status = FileStatus(identity: .init(device: 1, inode: 1), size: 1, modified: 0)
    let count = 100
    let plan = try TransferPlan(
      sources: [SourceFile](
        repeating: SourceFile(path: directory.file("a.001"), status: status),
        count: count
      ),
      destinations: [DestinationFile(path: directory.file("a"), size: Int64(count))],
      extents: (0..<count).map {
        Extent(source: .file($0, offset: 0), length: 1, destination: 0, offset: Int64($0))
      }
    )
    let journal = Journal(plan, .merge, consumes: true, kinds: .crc32, content: nil)
    let path = Journal.path(beside: directory.file("a"))
    let file = try JournalFile(opening: path)
    let error = #expect(throws: CleaveError.self) {
      try file.begin(journal, most: 4 << 20, synchronizes: false)
    }
    #expect(error?.kind == .cannotCreate)
    #expect(error?.message.contains(", and may have 4194304: fewer parts") == true)
    #expect(try FileStatus.of(path).size == 0)
  }

  /// A process that another test starts has the lock, too, until it runs its program.
  private static func journal(at path: FilePath) throws(CleaveError) -> Journal? {
    for _ in 0..<10_000 {
      do throws(CleaveError) {
        return try JournalFile.existing(at: path)?.found
      } catch {
        if error.kind != .cannotCreate { throw error }
      }
      try? Readiness.pause(milliseconds: 1)
    }
    throw CleaveError(.cannotCreate, path, "is still locked")
  }

  enum Found: Equatable, Sendable {
    case rounds(Int)
    case damaged
  }

  /// What becomes of the lines of two rounds, 0 to 3 and 4 to 7.
  enum Change: Sendable {
    /// They read as zeros, as what is not on the device does.
    case zeros(Range<Int>)
    /// A bit of a line.
    case flip(Int)
    /// So many bytes are missing at the end.
    case cut(Int)
  }

  /// Two rounds of three lines each, of which something is no longer there.
  @Test(
    "what a crash has left half-written is passed over, and what was damaged later is refused",
    arguments: [
      ("nothing is missing", [], .rounds(2)),
      ("the last line has no end", [.cut(1)], .rounds(1)),
      ("the last round is cut off within a line", [.cut(80)], .rounds(1)),
      ("the last round is not there", [.zeros(4..<8)], .rounds(1)),
      ("its first line is not there", [.zeros(4..<5)], .rounds(1)),
      ("its second line is not there, nor its end", [.zeros(5..<6), .cut(1)], .rounds(1)),
      ("its first and third line are not there", [.zeros(4..<5), .zeros(6..<7)], .rounds(1)),
      ("a bit of its first line is wrong", [.flip(4)], .damaged),
      ("a bit of its last line is wrong", [.flip(7)], .damaged),
      ("a bit is wrong, and a line not there", [.flip(5), .zeros(6..<7)], .damaged),
      ("a line of the round before is not there", [.zeros(1..<2)], .damaged),
      ("all of the round before is not there", [.zeros(0..<4)], .damaged),
      ("the end of the round before is not there", [.zeros(3..<4)], .damaged),
      ("a line of it is not there, and half a round", [.zeros(0..<1), .cut(80)], .damaged),
    ] as [(String, [Change], Found)]
  )
  func tornAndDamagedLines(_: String, changes: [Change], expected: Found) throws {
    let directory = try TemporaryDirectory()
    let part = directory.file("a.001")
    try Files.makeSparse(part, size: 600)
    let plan = try TransferPlan(
      sources: [try SourceFile(examining: part)],
      destinations: [DestinationFile(path: directory.file("a"), size: 600)],
      extents: [Extent(source: .file(0, offset: 0), length: 600, destination: 0, offset: 0)]
    )
    let path = Journal.path(beside: directory.file("a"))
    let sum = Checksum(of: [UInt8](repeating: 0, count: 100)[...], .crc32)
    var start = 0
    do {
      let file = try JournalFile(opening: path)
      let journal = Journal(plan, .merge, consumes: true, kinds: .crc32, content: nil)
      try file.begin(journal, synchronizes: false)
      start = Int(try FileStatus.of(path).size)
      for round in 0..<2 {
        let done = (0..<3).map {
          Journal.Done(extent: 0, start: Int64(round * 300 + $0 * 100), checksum: sum)
        }
        try file.append(Journal.round(done), synchronizes: false)
      }
    }
    var bytes = try Files.read(path)
    let ends = bytes.indices.filter { $0 >= start && bytes[$0] == UInt8(ascii: "\n") }
    let begins = [start] + ends.map { $0 + 1 }
    for change in changes {
      switch change {
      case .zeros(let lines):
        for index in begins[lines.lowerBound]..<begins[lines.upperBound] { bytes[index] = 0 }
      case .flip(let line): bytes[begins[line]] ^= 1
      case .cut(let count): bytes.removeLast(count)
      }
    }
    try Files.write(bytes, to: path)
    let read = Result { () throws(CleaveError) in
      try Self.journal(at: path)?.done.count
    }
    let found =
      switch read {
      case .success(let count): Found.rounds((count ?? 0) / 3)
      case .failure(let error): error.kind == .badData ? Found.damaged : .rounds(0)
      }
    #expect(found == expected)
  }
}
