import Posix
import TestSupport
import Testing

/// Names that an output must not take, and places that it cannot be made in.
@Suite(.aside) struct OutputTests {
  // MARK: - Inputs

  @Test(arguments: ["name", "hard link", "symbolic link"], engines)
  func anInputIsNeverTheOutput(how: String, engine: String) throws {
    let series = try Series()
    var output = series.parts[1]
    switch how {
    case "hard link":
      output = series.directory.file("other")
      try Files.hardLink(output, to: series.parts[1])
    case "symbolic link":
      output = series.directory.file("other")
      try Files.symlink(output, to: "file.002")
    default: break
    }
    let before = try series.contents()
    for force in [[], ["--force"]] {
      let outcome = try series.merge(engine, ["-o", output] + force)
      let line = "\(output.lastComponent): is one of the inputs"
      try series.expectFailure(outcome, 73, line, since: before)
    }
  }

  // MARK: - Taken names

  enum Taken: String, CaseIterable, Sendable {
    case file = "exists; --force replaces it"
    case directory = "is a directory"
    case link = "is a symbolic link; --force replaces the link"

    var isReplaced: Bool { self != .directory }
  }

  @Test(arguments: Taken.allCases, engines)
  func aTakenNameIsRefused(taken: Taken, engine: String) throws {
    for target in ["target", "nowhere", "file"] where taken == .link || target == "target" {
      let series = try Series()
      try Files.write([1, 2, 3], to: series.directory.file("target"))
      switch taken {
      case .file: try Files.write([1], to: series.output)
      case .directory: try Files.makeDirectory(series.output)
      case .link: try Files.symlink(series.output, to: FilePath(target))
      }
      let before = try series.contents()
      let refused = try series.merge(engine)
      try series.expectFailure(refused, 73, "file: \(taken.rawValue)", since: before)

      let forced = try series.merge(engine, ["--force"])
      #expect(forced.exitCode == (taken.isReplaced ? 0 : 73), "\(forced)")
      let after = try series.contents()
      #expect(after.changes(since: before) == (taken.isReplaced ? ["file is another"] : []))
      if taken.isReplaced {
        #expect(Bytes.difference(after.bytes("file") ?? [], series.whole) == nil)
      }
    }
  }

  @Test(arguments: ["out", "out/"] as [FilePath]) func aDirectoryIsNoOutput(name: FilePath) throws {
    let series = try Series()
    try Files.makeDirectory(series.directory.file("out"))
    let outcome = try Tool.cleave.run(
      ["merge", "-o", name, "file.001"],
      workingDirectory: series.directory.path
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    let line = "cleave: \(name): is a directory; -o out/file makes a file in it\n"
    #expect(outcome.errorText == line)
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: engines
  )
  func aNameThatIsTakenMeanwhileIsKept(engine: String) throws {
    let series = try Series()
    let action = "append:\(series.output)"
    let outcome = try series.merge(
      engine,
      environment: FaultShim.environment("write@/.file#1=\(action)")
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(series.lines(outcome) == "cleave: file: exists; --force replaces it\n")
    #expect(try Files.read(series.output) == [UInt8(ascii: "+")])
    #expect(try series.directory.names() == ["file"] + series.parts.map(\.lastComponent))
  }

  // MARK: - Places

  @Test(arguments: engines) func aDirectoryThatIsNotThereIsTold(engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let places = [
      ("nowhere/out", "nowhere: does not exist; mkdir makes it"),
      ("file.001/out", "file.001/out: open failed: Not a directory (ENOTDIR)"),
      ("nowhere/", "nowhere/: is the name of a directory"),
    ]
    for (place, text) in places {
      let outcome = try series.merge(engine, ["-o", series.directory.file(FilePath(place))])
      try series.expectFailure(outcome, 73, text, since: before)
    }
  }

  @Test(arguments: engines) func aNameThatIsTooLongIsTold(engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let name = String(repeating: "n", count: 300)
    let outcome = try series.merge(engine, ["-o", series.directory.file(FilePath(name))])
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(series.lines(outcome).hasSuffix(": File name too long (ENAMETOOLONG)\n"))
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test(arguments: engines) func theLongestNameWorks(engine: String) throws {
    let series = try Series()
    let output = series.directory.file(FilePath(String(repeating: "n", count: 255)))
    let outcome = try series.merge(engine, ["-o", output])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Bytes.difference(Files.read(output), series.whole) == nil)
    #expect(try series.directory.names().count == 4)
  }

  /// Those of parts may leave no room for that of a temporary beside them.
  @Test(arguments: [239, 243, 244, 251])
  func partsWithLongNamesAreMerged(length: Int) throws {
    let directory = try TemporaryDirectory()
    let name = String(repeating: "n", count: length)
    let bytes = Bytes.pattern(count: 1900)
    for (index, part) in bytes.cut(to: 1000).enumerated() {
      try Files.write(part, to: directory.file(FilePath("\(name).00\(index + 1)")))
    }
    let outcome = try Tool.cleave.run(["merge", directory.file(FilePath("\(name).002"))])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file(FilePath(name))) == bytes)
    #expect(try directory.names().count == 3)
  }

  /// A file that may be what a part belongs behind is not what it makes.
  @Test func aLonePartDoesNotReplaceALongerFile() throws {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 5000), to: directory.file("film"))
    try Files.write(Bytes.pattern(count: 1000), to: directory.file("film.001"))
    for options in [[], ["--force"]] {
      let outcome = try Tool.cleave.run(["merge", directory.file("film.001")] + options)
      #expect(outcome.exitCode == 66, "\(outcome)")
      #expect(outcome.errorText.contains("may be the part in front of it"), "\(outcome)")
      #expect(try Files.read(directory.file("film")) == Bytes.pattern(count: 5000))
    }
  }

  #if os(Linux)
    private static let hasMemory = (try? FileStatus.of("/dev/shm"))?.kind == .directory

    @Test(.enabled(if: hasMemory, "there is no /dev/shm"), arguments: engines)
    func theOutputMayBeOnAnotherFileSystem(engine: String) throws {
      let series = try Series(in: "/var/tmp")
      let memory = try TemporaryDirectory(in: "/dev/shm")
      for mode in ["none", "stream", "readback"] {
        let outcome = try series.merge(
          engine,
          ["--force", "--verify", mode, "-o", memory.file("out")],
          isSynchronized: true
        )
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(try Bytes.difference(Files.read(memory.file("out")), series.whole) == nil)
        #expect(try memory.names() == ["out"])
      }
    }
  #endif

  @Test(
    .enabled(if: MemoryFileSystem.isAvailable && FaultShim.isAvailable, "needs root"),
    arguments: ["merge", "split", "repair"]
  )
  func aReadOnlyFileSystemIsToldBeforeAnythingIsRead(command: String) throws {
    let device = try MemoryFileSystem(size: 1 << 20)
    try device.makeReadOnly()
    let series = try Series()
    let set = try ZipSet(ZipWriter(ZipWriterTests.entries).parts(of: 2000))
    let joined = set.directory.file("joined.zip")
    try Files.write(set.parts.flatMap { try Files.read($0) }, to: joined)
    let output = device.path.appending("out")
    let words: [any ToolArgument] =
      switch command {
      case "merge": ["merge", "-o", output, series.parts[0]]
      case "split": ["split", "-b", "1000", series.parts[0], output]
      default: ["repair", "-o", output, joined]
      }
    // Its first bytes and its end are looked at; reading its data would take longer than the test waits.
    let outcome = try Tool.cleave.run(
      words,
      environment: FaultShim.environment("read@/file.00#11+=delay:600000")
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("cleave: \(output)"), "\(outcome)")
    let reason = ": open failed: Read-only file system (EROFS)\n"
    #expect(outcome.errorText.hasSuffix(reason), "\(outcome)")
  }

  @Test(arguments: engines) func aReadOnlyDirectoryIsNotPermitted(engine: String) throws {
    let series = try Series()
    let place = try TemporaryDirectory()
    guard let lock = try ReadOnly(place.path) else {
      print("skipped: nothing here makes a directory read-only for this user")
      return
    }
    let outcome = try series.merge(engine, ["-o", place.file("out")])
    lock.end()
    #expect(outcome.exitCode == 77, "\(outcome)")
    let line = outcome.errorText.replacing("\(place.path)/", with: "")
    #expect(line.hasPrefix("cleave: out: open failed: "), "\(line)")
    #expect(try place.names() == [])
  }
}

/// Keeps everyone from writing in a directory, root too.
private struct ReadOnly {
  private let path: FilePath

  /// Nil where that is not possible.
  init?(_ path: FilePath) throws {
    self.path = path
    try Files.setPermissions(0o555, of: path)
    _ = try Tool.find("chattr")?.run(["+i", path])
    let probe = path.appending("probe")
    guard (try? Files.write([], to: probe)) == nil else {
      end()
      try FileSystem.unlink(probe)
      return nil
    }
  }

  func end() {
    _ = try? Tool.find("chattr")?.run(["-i", path])
    try? Files.setPermissions(0o755, of: path)
  }
}
