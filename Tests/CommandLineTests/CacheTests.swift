import Posix
import TestSupport
import Testing

/// What is left in memory of inputs and outputs, with `--drop-cache` and without.
///
/// Systems let go of pages by themselves, some of them early, and a few pages are looked at before a
/// job begins: half of a file is enough to count as in memory. Pages that the system is at just then
/// cannot be let go of; with other tests beside this one, a sixth of a file was seen to stay so, and a
/// quarter counts as gone.
@Suite(
  .aside,
  .serialized,
  .enabled(if: Cache.isTold, "needs cachestat(2), and /var/tmp on a device")
)
struct CacheTests {
  @Test(arguments: ["merge", "split"], engines)
  func inputsFromTheDeviceDoNotStay(command: String, engine: String) throws {
    for options in [["--verify=stream"], ["--verify=none", "--no-sync"], ["--window=252K"]] {
      let share = try least {
        let example = try Example(command)
        try Cache.drop(example.inputs)
        #expect(try Cache.share(of: example.inputs) < Cache.gone)
        try example.run(["--engine", engine, "--drop-cache"] + options)
        return try Cache.share(of: example.inputs)
      }
      #expect(share < Cache.gone, "\(options): \(share) of the inputs stayed")
    }
  }

  /// Of three times, one has to go well.
  private func least(_ measure: () throws -> Double) rethrows -> Double {
    var least = 1.0
    for _ in 0..<3 where least >= Cache.gone { least = min(least, try measure()) }
    return least
  }

  @Test(arguments: ["merge", "split"], engines)
  func inputsThatWereInMemoryStay(command: String, engine: String) throws {
    let example = try Example(command)
    try Cache.fill(example.inputs)
    try example.run(["--engine", engine, "--drop-cache"])
    let share = try Cache.share(of: example.inputs)
    #expect(share > 0.5, "only \(share) of the inputs stayed")
  }

  @Test(arguments: ["merge", "split"], engines)
  func outputsDoNotStay(command: String, engine: String) throws {
    for mode in ["stream", "readback"] {
      let share = try least {
        let example = try Example(command)
        try example.run(["--engine", engine, "--drop-cache", "--verify", mode])
        return try Cache.share(of: example.outputs)
      }
      #expect(share < Cache.gone, "\(mode): \(share) of the outputs stayed")
    }
  }

  @Test(arguments: ["merge", "split"], engines)
  func withoutTheOptionEverythingStays(command: String, engine: String) throws {
    let example = try Example(command)
    try Cache.drop(example.inputs)
    try example.run(["--engine", engine])
    let (inputs, outputs) = (
      try Cache.share(of: example.inputs), try Cache.share(of: example.outputs)
    )
    #expect(inputs > 0.5 && outputs > 0.5, "\(inputs) and \(outputs) stayed")
  }

  @Test func streamsLeaveAsLittle() throws {
    let example = try Example("merge")
    let output = example.directory.file("out")
    let outcome = try Tool.cleave.run(
      ["merge", "-q", "--drop-cache", "-o", output, "-"],
      input: .file(example.inputs[0])
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Cache.share(of: [output]) < Cache.gone)
  }
}

/// Parts that are merged, or one file that is split into as many.
private struct Example {
  let directory: TemporaryDirectory
  let inputs: [FilePath]
  let outputs: [FilePath]
  private let arguments: [any ToolArgument]

  private static let partCount = 3
  /// Bytes; larger than what any engine reads ahead.
  private static let partSize = 16 << 20

  init(_ command: String) throws {
    let directory = try Cache.directory()
    self.directory = directory
    let whole = directory.file("file")
    let parts = (1...Self.partCount).map { directory.file(FilePath("file.00\($0)")) }
    if command == "split" {
      (inputs, outputs) = ([whole], parts)
      arguments = ["split", "-q", "-b", Self.partSize, whole]
    } else {
      (inputs, outputs) = (parts, [whole])
      arguments = ["merge", "-q", parts[0]]
    }
    let bytes = Bytes.repeatedPattern(count: Self.partSize * Self.partCount / inputs.count)
    for input in inputs { try Files.write(bytes, to: input) }
  }

  func run(_ options: [String]) throws {
    let outcome = try Tool.cleave.run(arguments + options)
    try #require(outcome.exitCode == 0, "\(outcome)")
  }
}

/// The pages of files in memory.
private enum Cache {
  /// Whether the kernel says what is in memory, and lets go of it: not on tmpfs, for one.
  static let isTold: Bool = {
    guard let directory = try? directory() else { return false }
    let file = directory.file("file")
    guard (try? Files.write([UInt8](repeating: 1, count: 1 << 20), to: file)) != nil else {
      return false
    }
    return (try? share(of: [file])) == 1 && (try? drop([file])) != nil
      && (try? share(of: [file])) == 0
  }()

  /// On a device, where `$TMPDIR` may be in memory.
  static func directory() throws -> TemporaryDirectory { try TemporaryDirectory(in: "/var/tmp") }

  /// The share of a file that counts as nothing.
  static let gone = 0.25

  struct NotTold: Error {}

  /// How much of the files is in memory, from 0 to 1.
  static func share(of paths: [FilePath]) throws -> Double {
    var (cached, whole) = (0 as Int64, 0 as Int64)
    for path in paths {
      let file = try FileDescriptor.open(path, .readOnly)
      let size = try file.status().size
      guard let bytes = file.cachedBytes(in: 0..<size) else { throw NotTold() }
      (cached, whole) = (cached + bytes, whole + size)
    }
    return Double(cached) / Double(whole)
  }

  static func drop(_ paths: [FilePath]) throws {
    for path in paths {
      let file = try FileDescriptor.open(path, .readWrite)
      try file.synchronize()
      file.dropCache()
    }
  }

  static func fill(_ paths: [FilePath]) throws {
    for path in paths { _ = try Files.read(path) }
  }
}
