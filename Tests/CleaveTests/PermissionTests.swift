import Posix
import TestSupport
import Testing

@testable import Cleave

/// What is made may be read by nobody who could not read what it was made of.
@Suite struct PermissionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var mask: UInt32 { FileSystem.fileCreationMask }

  private func permissions(_ name: FilePath) throws -> UInt32 {
    try FileStatus.of(directory.file(name)).permissions
  }

  private func file(_ name: FilePath, _ mode: UInt32) throws {
    try Files.write(Bytes.pattern(count: 2500, seed: 3), to: directory.file(name))
    try Files.setPermissions(mode, of: directory.file(name))
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o664, 0o666, 0o400, 0o755, 0o4755] as [UInt32])
  func partsAndTheWholeHaveThoseOfTheSource(mode: UInt32) throws {
    try file("f", mode)
    var options = Split.Options()
    options.makesJoiners = true
    let expected = mode & 0o777 & ~mask
    _ = try Split(directory.file("f"), .every(1000), options).run()
    for name in ["f.001", "f.002", "f.003"] { #expect(try permissions(FilePath(name)) == expected) }
    #expect(try permissions("f.sfv") == expected & 0o666)
    let reading = expected & 0o444
    #expect(try permissions("f.join.sh") == expected & 0o666 | reading >> 2)
    #expect(try permissions("f.join.py") == expected & 0o666 | reading >> 2)
    #expect(try permissions("f.join.ps1") == expected & 0o666)
    for isResumable in [false, true] {
      var merge = Merge(try Selection(of: [directory.file("f.001")]), into: directory.file("g"))
      (merge.work.isResumable, merge.work.output.replacesExisting) = (isResumable, true)
      try? FileSystem.unlink(directory.file("g"))
      _ = try merge.run()
      #expect(try permissions("g") == expected)
    }
  }

  @Test(arguments: EngineName.allCases)
  func theWholeHasThoseThatAllPartsHave(engine: EngineName) throws {
    try file("f.001", 0o664)
    try file("f.002", 0o640)
    try file("f.003", 0o700)
    var merge = Merge(try Selection(of: [directory.file("f.001")]), into: directory.file("g"))
    (merge.work.engine, merge.work.verification) = (engine, .none)
    _ = try merge.run()
    #expect(try permissions("g") == 0o600 & ~mask)
  }

  /// What replaces a file is neither more open than it was nor than its sources are.
  @Test(arguments: [(0o600, 0o600), (0o644, 0o640), (0o777, 0o640)] as [(UInt32, UInt32)])
  func aReplacementHasNoneThatTheFileDidNotHave(old: UInt32, expected: UInt32) throws {
    for name in ["f.001", "f.002"] { try file(FilePath(name), 0o640) }
    try file("f", old)
    var merge = Merge(try Selection(of: [directory.file("f.001")]), into: directory.file("f"))
    merge.work.output.replacesExisting = true
    _ = try merge.run()
    #expect(try permissions("f") == expected)
  }

  /// What has its permissions already may not let its owner write.
  @Test(arguments: [0o444, 0o664, 0o666, 0o000] as [UInt32])
  func aTemporaryIsGoneOnWithWhateverItMayBe(mode: UInt32) throws {
    try file("t", mode)
    let temporary = directory.file("t")
    _ = try OutputFile(directory.file("f"), goingOn: temporary, isGiven: false, locks: false)
    #expect(try permissions("t") == 0o600)
    try Files.setPermissions(0o400, of: temporary)
    _ = try OutputFile(directory.file("f"), goingOn: temporary, isGiven: true, locks: false)
    #expect(try permissions("t") == 0o400)
  }

  /// A run that goes on does not see the parts that are gone.
  @Test func aJournalKeepsThem() throws {
    try file("f.001", 0o640)
    let source = try SourceFile(examining: directory.file("f.001"))
    let plan = try TransferPlan(
      sources: [source],
      destinations: [DestinationFile(path: directory.file("f"), size: 2500)],
      extents: [Extent(source: .file(0, offset: 0), length: 2500, destination: 0, offset: 0)]
    )
    let journal = Journal(plan, .merge, consumes: true, kinds: .crc32, content: nil)
    #expect(journal.permissions == 0o640)
    let path = Journal.path(beside: directory.file("f"))
    try JournalFile(opening: path).begin(journal, synchronizes: false)
    #expect(try Journal.parse(Files.read(path), path)?.journal.permissions == 0o640)
  }
}
