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

  /// - Parameter words: what is waited for; `--last` ends a series that nothing else ends.
  func start(_ words: [any ToolArgument] = ["--wait", "--last=3"], output: ToolOutput = .capture)
    throws -> RunningTool
  {
    try Tool.cleave.start(
      ["merge", "--no-sync", "-v"] + words + [series.parts[0]],
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

  /// Waits until the program has looked at what is there, and tells that it goes on waiting for this
  /// reason.
  func awaitReason(_ tool: RunningTool, _ reason: String) throws -> Bool {
    try tool.awaitReason(reason, in: series.directory.path)
  }

  /// Waits until so much has been written under a temporary name.
  func awaitTemporary(_ tool: RunningTool, of size: Int) throws -> Bool {
    try tool.wait { try hasTemporary(of: size) }
  }

  /// Whether so much has been written under a temporary name.
  func hasTemporary(of size: Int) throws -> Bool {
    let names = try series.directory.names().filter { $0.bytes.first == UInt8(ascii: ".") }
    return try names.contains {
      try FileStatus.ifPresent(series.directory.file($0))?.size ?? 0 >= size
    }
  }
}

extension RunningTool {
  /// Waits until `merge -v --wait` tells on standard error why it waits.
  ///
  /// - Parameter directory: what names begin with there, and not in `reason`.
  func awaitReason(_ reason: String, in directory: FilePath) throws -> Bool {
    try wait {
      try reasons().contains { $0.replacing("\(directory)/", with: "").hasPrefix(reason) }
    }
  }

  /// Waits until it has told more reasons than this. Returns how many.
  func awaitReasons(
    moreThan count: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Int {
    #expect(try wait { try reasons().count > count }, sourceLocation: sourceLocation)
    return try reasons().count
  }

  /// A line each, with its end.
  private func reasons() throws -> [String] {
    String(decoding: try errorSoFar(), as: UTF8.self).split(separator: "cleave: waiting: ")
      .map(String.init).filter { $0.hasSuffix("\n") }
  }
}
