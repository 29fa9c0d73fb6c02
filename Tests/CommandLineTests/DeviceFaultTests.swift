import Posix
import TestSupport
import Testing

/// Devices that are full, or that fail: true faults, beside those that a preloaded library makes up.
@Suite(.aside) struct DeviceFaultTests {
  private static let mebibyte = 1 << 20
  /// More than any of the devices below have room for.
  private static let sizes = [3 * mebibyte, 3 * mebibyte + 1, 3 * mebibyte]
  private static let room = 4 * mebibyte

  // MARK: - A full device

  /// Faults that keep it from being noticed early, and what notices it then.
  static let blindness = [
    (nil, "not enough space: 9437185 bytes are needed and "),
    ("statvfs=EIO; fallocate=EOPNOTSUPP", "write failed at "),
  ]

  @Test(
    .enabled(if: MemoryFileSystem.isAvailable && FaultShim.isAvailable, "needs root"),
    arguments: engines,
    blindness.indices
  )
  func memoryMayBeFull(engine: String, index: Int) throws {
    let device = try MemoryFileSystem(size: Self.room)
    try expectNoRoom(on: device.path, engine, Self.blindness[index])
  }

  @Test(
    .enabled(if: LoopFileSystem.available.contains(.xfs) && FaultShim.isAvailable, "needs XFS"),
    arguments: engines,
    (blindness + [("statvfs=EIO", "fallocate failed: ")]).indices
  )
  func aDeviceMayBeFull(engine: String, index: Int) throws {
    let device = try LoopFileSystem(.xfs)
    try device.fill(leaving: Int64(Self.room))
    let rows = Self.blindness + [("statvfs=EIO", "fallocate failed: ")]
    try expectNoRoom(on: device.path, engine, rows[index])
  }

  private func expectNoRoom(
    on path: FilePath,
    _ engine: String,
    _ row: (rules: String?, start: String)
  ) throws {
    let series = try Series(Self.sizes)
    let environment = try row.rules.map { try FaultShim.environment($0) } ?? [:]
    let before = try FileSystem.names(in: path)
    let outcome = try Tool.cleave.run(
      ["merge", "-q", "--engine", engine, "-o", path.appending("out"), series.parts[0]],
      environment: environment
    )
    #expect(outcome.exitCode == 74, "\(outcome)")
    let line = "cleave: \(path)/out: \(row.start)"
    #expect(outcome.errorText.hasPrefix(line), "\(outcome)")
    if row.rules != nil {
      #expect(outcome.errorText.hasSuffix(": No space left on device (ENOSPC)\n"), "\(outcome)")
    }
    #expect(try FileSystem.names(in: path) == before)
  }

  @Test(.enabled(if: MemoryFileSystem.isAvailable, "needs root"), arguments: ["merge", "split"])
  func nothingIsLeftOfAStreamThatIsTooLong(command: String) throws {
    let device = try MemoryFileSystem(size: Self.room)
    let output = device.path.appending("out")
    let words: [any ToolArgument] =
      command == "merge" ? ["merge", "-o", output, "-"] : ["split", "-b", "1M", "-", output]
    let bytes = Bytes.repeatedPattern(count: 2 * Self.room)
    let outcome = try Tool.cleave.run(words, input: .bytes(bytes))
    #expect(outcome.exitCode == 74, "\(outcome)")
    #expect(outcome.errorText.hasSuffix(": No space left on device (ENOSPC)\n"), "\(outcome)")
    #expect(outcome.errorText.contains(" failed at "), "\(outcome)")
    #expect(try FileSystem.names(in: device.path) == [])
  }

  @Test(
    .enabled(if: MemoryFileSystem.isAvailable && LoopFileSystem.available.contains(.ext4)),
    arguments: engines
  )
  func aDeviceMayBeFullWhenItIsFlushed(engine: String) throws {
    let backing = try MemoryFileSystem(size: Self.room)
    // It believes that there is room.
    let device = try LoopFileSystem(.ext4, size: 64 << 20, in: backing.path)
    let series = try Series(Self.sizes)
    let before = try FileSystem.names(in: device.path)
    let output = device.path.appending("out")
    let outcome = try Tool.cleave.run(
      ["merge", "-q", "--engine", engine, "-o", output, series.parts[0]]
    )
    #expect(outcome.exitCode == 74, "\(outcome)")
    let line = "cleave: \(output): fsync failed: No space left on device (ENOSPC)\n"
    #expect(outcome.errorText == line)
    #expect(try FileSystem.names(in: device.path) == before)
  }

  // MARK: - A broken device

  @Test(.enabled(if: LoopFileSystem.available.contains(.ext4), "needs ext4"), arguments: engines)
  func aDeviceThatCannotBeReadNamesThePartAndTheOffset(engine: String) throws {
    let device = try LoopFileSystem(.ext4, size: 32 << 20)
    let series = try Series(Self.sizes, in: device.path)
    // What is in memory could still be read.
    try device.remount()
    try device.cutDevice(to: 6 << 20)
    let elsewhere = try TemporaryDirectory()
    let output = elsewhere.file("out")
    let outcome = try Tool.cleave.run(
      ["merge", "-q", "--engine", engine, "-o", output, series.parts[0]]
    )
    #expect(outcome.exitCode == 74, "\(outcome)")
    let pattern = /cleave: (file.00.): read failed at ([0-9]+): Input\/output error \(EIO\)\n/
    let told = try #require(series.lines(outcome).wholeMatch(of: pattern), "\(outcome)")
    // A program without any cleverness fails at the same place.
    let dd = try #require(Tool.find("dd")).run([
      "if=\(series.directory.path)/\(told.1)", "of=/dev/null", "iflag=skip_bytes", "bs=1",
      "count=1", "skip=\(told.2)",
    ])
    #expect(dd.errorText.contains("Input/output error"), "\(outcome): \(dd)")
    #expect(try elsewhere.names() == [])
  }
}
