import Posix
import TestSupport
import Testing

/// The same for what is done with zips: directories are read, and headers written, before data is.
extension SweepTests {
  private static let zipRows = operations.map { (operation: $0, error: "EIO") }

  @Test(arguments: zipRows, engines)
  func aMergedZipIsWholeOrNotThere(row: (operation: String, error: String), engine: String) throws {
    let set = try ZipSet(ZipWriter(ZipWriterTests.entries).parts(of: 2000))
    let whole = try ZipWriter(ZipWriterTests.entries).single()
    let flushing = Self.needsFlushing(row.operation) ? [] : ["--no-sync"]
    try sweep(row, engine, in: set.directory, makes: ["a.merged.zip": whole]) { environment in
      try Tool.cleave.run(
        ["merge", "--engine", engine, "--verify=entries"] + Series.smallPieces
          + flushing + [set.first],
        environment: environment,
        timeout: 30
      )
    }
  }

  @Test(arguments: zipRows)
  func aZipThatIsSplitIsWholeOrNotThere(row: (operation: String, error: String)) throws {
    let made = try Self.made(["split", "--format=zip", "-b", "64K", "a.zip", "b"]) {
      var writer = ZipWriter(ZipWriterTests.entries)
      writer.entries.append(ZipEntry("large", Bytes.pattern(count: 100_000)))
      try Files.write(writer.single(), to: $0.file("a.zip"))
    }
    try sweep(row, "auto", in: made.directory, makes: made.files) { environment in
      try made.run(environment)
    }
  }

  @Test(arguments: zipRows)
  func aRepairedZipIsWholeOrNotThere(row: (operation: String, error: String)) throws {
    let made = try Self.made(["repair", "a.zip"]) {
      let parts = try ZipWriter(ZipWriterTests.entries).parts(of: 2000)
      try Files.write(Array(parts.joined()), to: $0.file("a.zip"))
    }
    try sweep(row, "auto", in: made.directory, makes: made.files) { environment in
      try made.run(environment)
    }
  }

  /// A command, and the files that it makes when nothing fails.
  private struct Made {
    let directory: TemporaryDirectory
    let arguments: [String]
    var files: [FilePath: [UInt8]] = [:]

    func run(_ environment: [String: String]) throws -> Outcome {
      // By its full path, so that the calls on it are found.
      let paths = arguments.map {
        $0.contains("a.zip") || $0 == "b" ? "\(directory.path)/\($0)" : $0
      }
      return try Tool.cleave.run(paths, environment: environment, timeout: 30)
    }
  }

  private static func made(
    _ arguments: [String],
    from prepare: (TemporaryDirectory) throws -> Void
  ) throws -> Made {
    var made = Made(directory: try TemporaryDirectory(), arguments: arguments)
    try prepare(made.directory)
    let before = try made.directory.names()
    let outcome = try made.run([:])
    #expect(outcome.exitCode == 0, "\(outcome)")
    for name in try made.directory.names() where !before.contains(name) {
      made.files[name] = try Files.read(made.directory.file(name))
      try FileSystem.unlink(made.directory.file(name))
    }
    return made
  }
}
