import Posix
import TestSupport
import Testing

@Suite struct DirectoryWatchTests {
  private let directory: TemporaryDirectory
  private let watch: DirectoryWatch

  init() throws {
    directory = try TemporaryDirectory()
    watch = try DirectoryWatch(directory.path)
  }

  @Test func nothingIsToldOfWhereNothingHappens() throws {
    #expect(try watch.wait(milliseconds: 10) == .timedOut)
  }

  @Test func whatHappenedBeforeTheCallIsTold() throws {
    try Files.write([1], to: directory.file("a"))
    #expect(try watch.wait(milliseconds: 10_000) == .changed)
    #expect(try watch.wait(milliseconds: 10) == .timedOut)
    try FileSystem.rename(directory.file("a"), replacing: directory.file("b"))
    #expect(try watch.wait(milliseconds: 10_000) == .changed)
    try FileSystem.unlink(directory.file("b"))
    #expect(try watch.wait(milliseconds: 10_000) == .changed)
  }

  @Test func aDirectoryThatIsGoneIsSeenEvenWhereAFileOfItIsOpen() throws {
    let inner = directory.file("inner")
    try Files.makeDirectory(inner)
    try Files.write([1], to: inner.appending("a"))
    let watch = try DirectoryWatch(inner)
    let file = try FileDescriptor.open(inner.appending("a"), .readOnly)
    #expect(!watch.isGone)
    try FileSystem.removeTree(inner)
    #expect(watch.isGone)
    // Another one of the same name is not the one that is watched.
    try Files.makeDirectory(inner)
    #expect(watch.isGone)
    try file.close()
  }

  @Test func moreThanAQueueHoldsIsToldToo() throws {
    // /proc/sys/fs/inotify/max_queued_events is 16,384 by default; each file makes two events.
    for number in 0..<9000 {
      let path = directory.file(FilePath("\(number % 100)"))
      try Files.write([], to: path)
      try FileSystem.unlink(path)
    }
    #expect(try watch.wait(milliseconds: 10_000) == .changed)
    // On a busy machine some may come later.
    var more = 0
    while more < 1000, try watch.wait(milliseconds: 10) == .changed { more += 1 }
    #expect(more < 1000)
    try Files.write([1], to: directory.file("a"))
    #expect(try watch.wait(milliseconds: 10_000) == .changed)
  }

  @Test func aDirectoryThatIsRenamedIsGone() throws {
    let other = try TemporaryDirectory()
    let path = other.file("old")
    try Files.makeDirectory(path)
    let watch = try DirectoryWatch(path)
    try FileSystem.rename(path, replacing: other.file("new"))
    #expect(try watch.wait(milliseconds: 10_000) == .gone)
  }

  @Test func whatIsNoDirectoryIsNotWatched() throws {
    try Files.write([], to: directory.file("file"))
    for name in ["file", "nothing"] as [FilePath] {
      #expect(throws: SystemError.self) { _ = try DirectoryWatch(directory.file(name)) }
    }
  }
}

@Suite struct WriterTests {
  #if os(Linux)
    @Test func whoWritesIsNoticed() throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("file")
      try Files.write([1], to: path)
      let reader = try FileDescriptor.open(path, .readOnly)
      // A child of another test has what was open when it began, until it runs its program.
      let patience = 60_000
      #expect(reader.hasWriter(patience: patience) == false)
      let other = try FileDescriptor.open(path, .readOnly)
      #expect(reader.hasWriter(patience: patience) == false)
      let writer = try FileDescriptor.open(path, .writeOnly)
      #expect(reader.hasWriter() == true)
      #expect(reader.hasWriter(patience: 10) == true)
      try writer.close()
      #expect(reader.hasWriter(patience: patience) == false)
      try other.close()
    }

    @Test func whereNobodyCanTellThereIsNoAnswer() throws {
      #expect(try FileDescriptor.open("/dev/null", .readOnly).hasWriter() == nil)
    }
  #endif
}
