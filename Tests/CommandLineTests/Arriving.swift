import Posix
import TestSupport
import Testing

/// A series whose parts are elsewhere, and come one by one.
struct Arriving {
  let series: Series
  /// Where they are before they come.
  let elsewhere: TemporaryDirectory

  init(_ sizes: [Int] = [3000, 3000, 1500], hasManifest: Bool = false) throws {
    series = try Series(sizes, hasManifest: hasManifest)
    elsewhere = try TemporaryDirectory()
    for name in try series.directory.names() {
      try FileSystem.rename(series.directory.file(name), replacing: elsewhere.file(name))
    }
  }

  /// The bytes of a part, counted from 1.
  func bytes(_ number: Int) throws -> [UInt8] { try Files.read(source(series.parts[number - 1])) }

  func source(_ path: FilePath) -> FilePath { elsewhere.file(path.lastComponent) }

  /// A copy that is written in place.
  func copy(_ numbers: Int...) throws {
    for number in numbers { try Files.write(bytes(number), to: series.parts[number - 1]) }
  }

  /// The file itself, or the manifest, in one step.
  func move(_ path: FilePath) throws {
    try FileSystem.rename(source(path), replacing: path)
  }

  func start(_ words: [any ToolArgument] = [], output: ToolOutput = .capture) throws
    -> RunningTool
  {
    try Tool.cleave.start(
      ["merge", "--no-sync", "-v"] + (words.isEmpty ? ["--wait"] : words) + [series.parts[0]],
      standardOutput: output
    )
  }

  /// Ends well, with the whole under its name and the parts as they came.
  func expectMerged(
    _ tool: RunningTool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 0, "\(outcome)", sourceLocation: sourceLocation)
    let difference = try Bytes.difference(Files.read(series.output), series.whole)
    #expect(difference == nil, sourceLocation: sourceLocation)
    let hidden = try series.directory.names().filter { $0.bytes.first == UInt8(ascii: ".") }
    #expect(hidden == [], sourceLocation: sourceLocation)
  }

  /// Waits until so much has been written under a temporary name.
  func awaitTemporary(_ tool: RunningTool, of size: Int) throws -> Bool {
    try tool.wait {
      let names = try series.directory.names().filter { $0.bytes.first == UInt8(ascii: ".") }
      return try names.contains {
        try FileStatus.ifPresent(series.directory.file($0))?.size ?? 0 >= size
      }
    }
  }
}
