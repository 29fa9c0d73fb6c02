import Posix
import TestSupport
import Testing

@Suite struct FileSystemTests {
  @Test func aTreeIsRemovedWithoutFollowingLinks() throws {
    let directory = try TemporaryDirectory()
    try Files.makeDirectory(directory.file("kept"))
    try Files.write([1], to: directory.file("kept/file"))
    try Files.makeDirectory(directory.file("tree"))
    try Files.makeDirectory(directory.file("tree/.deep"))
    try Files.write([1], to: directory.file("tree/.deep/file"))
    try Files.symlink(directory.file("tree/link"), to: directory.file("kept"))
    try Files.symlink(directory.file("tree/dangling"), to: "nowhere")
    try FileSystem.removeTree(directory.file("tree"))
    #expect(try directory.names() == ["kept"])
    #expect(try Files.read(directory.file("kept/file")) == [1])
    try FileSystem.removeTree(directory.file("tree"))
  }

  @Test func directoriesThatMustBeNewAre() throws {
    let directory = try TemporaryDirectory()
    let prefix = directory.file("work-")
    let made = try [prefix, prefix].map { try FileSystem.makeDirectory(unique: $0) }
    #expect(Set(made).count == 2)
    for path in made {
      #expect(path.bytes.starts(with: prefix.bytes))
      let status = try FileStatus.of(path)
      #expect(status.kind == .directory)
      #expect(status.permissions == 0o700)
    }
    #expect(throws: SystemError("mkdir", made[0], .exists)) {
      try FileSystem.makeDirectory(made[0])
    }
  }

  @Test(
    arguments: [
      ([], [], nil), ([1, 2], [1, 2], nil), ([1, 2], [1, 3], 1), ([1], [1, 2], 1),
      ([0, 1], [], 0), ([9, 9, 9], [8, 9, 9], 0),
    ] as [([UInt8], [UInt8], Int?)]
  )
  func theFirstDifferenceIsFound(left: [UInt8], right: [UInt8], place: Int?) {
    left.withUnsafeBytes { left in
      right.withUnsafeBytes { #expect(left.firstDifference(from: $0) == place) }
    }
  }

  @Test func theHostHasAName() throws {
    #expect(Host.kernel.split(separator: " ").count == 3)
    #expect((Host.memoryBytes ?? 0) > 1 << 20)
    #expect(Host.processorModel != "")
    #expect(try !Host.fileSystem(at: "/").isEmpty)
    #expect(throws: SystemError("statfs", "/nowhere", .notFound)) {
      try Host.fileSystem(at: "/nowhere")
    }
    #if os(Linux)
      #expect(try Host.fileSystem(at: "/proc") == "proc")
    #endif
  }

  @Test func whatWasJustReadIsInMemory() throws {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 100_001), to: directory.file("file"))
    let file = try FileDescriptor.open(directory.file("file"), .readOnly)
    for (offset, count) in [(0, 100_001), (4097, 10), (1, 100_000)] {
      #expect(try Mapping(file, at: Int64(offset), count: count).residentCount == count)
    }
  }
}
