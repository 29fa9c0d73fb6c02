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
    var journal = Journal(plan, .merge, consumes: true, kinds: .crc32, content: nil, job: 7)
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
    let found = try #require(try JournalFile.existing(at: path)?.found)
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
    let journal = Journal(plan, .merge, consumes: true, kinds: .crc32, content: nil, job: 7)
    let path = Journal.path(beside: directory.file("a"))
    let file = try JournalFile(opening: path)
    let error = #expect(throws: CleaveError.self) {
      try file.begin(journal, most: 4 << 20, synchronizes: false)
    }
    #expect(error?.kind == .cannotCreate)
    #expect(error?.message.contains(", and may have 4194304: fewer parts") == true)
    #expect(try FileStatus.of(path).size == 0)
  }
}
