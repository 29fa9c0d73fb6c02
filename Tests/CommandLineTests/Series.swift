import Posix
import TestSupport
import Testing

/// Every engine, by the name that `--engine` takes.
let engines = ["serial", "multiqueue", "zerocopy", "direct"]

/// `file.001`, `file.002` and so on in a directory of their own, and what they make.
///
/// Paths are absolute; ``lines(_:)`` takes the directory off again, so that messages can be
/// compared whole.
struct Series {
  let directory: TemporaryDirectory
  let whole: [UInt8]
  let parts: [FilePath]

  /// - Parameters:
  ///   - sizes: of the parts, in bytes.
  ///   - hasManifest: whether `file.sfv` is beside them.
  ///   - parent: where their directory is made.
  init(
    _ sizes: [Int] = [3000, 3000, 1500],
    hasManifest: Bool = false,
    in parent: FilePath? = nil
  ) throws {
    let directory = try TemporaryDirectory(in: parent)
    self.directory = directory
    let size = sizes.reduce(0, +)
    whole = size < 1 << 20 ? Bytes.pattern(count: size) : Bytes.repeatedPattern(count: size)
    var position = 0
    var parts: [FilePath] = []
    for (index, size) in sizes.enumerated() {
      let digits = String(index + 1)
      let padding = String(repeating: "0", count: max(0, 3 - digits.count))
      parts.append(directory.file("file").adding(".\(padding)\(digits)"))
      try Files.write(Array(whole[position..<(position + size)]), to: parts[index])
      position += size
    }
    self.parts = parts
    if hasManifest { try writeManifest(sizes) }
  }

  /// Cuts the whole at the same places once more, elsewhere, for the sake of the manifest.
  private func writeManifest(_ sizes: [Int]) throws {
    let other = try TemporaryDirectory()
    try Files.write(whole, to: other.file("file"))
    let list = sizes.map(String.init).joined(separator: ",") + ",rest"
    let outcome = try Tool.cleave.run(["split", "-q", "--no-sync", "-b", list, other.file("file")])
    try #require(outcome.exitCode == 0, "\(outcome)")
    try Files.copy(other.file("file.sfv"), to: manifest)
  }

  /// Where merge writes to if it is told nothing else.
  var output: FilePath { directory.file("file") }
  var manifest: FilePath { directory.file("file.sfv") }

  func contents() throws -> Contents { try Contents(of: directory.path) }

  /// What a command said on standard error, without the name of the directory.
  func lines(_ outcome: Outcome) -> String {
    outcome.errorText.replacing("\(directory.path)/", with: "")
  }

  /// What a command said on standard output, without the name of the directory.
  func output(_ outcome: Outcome) -> String {
    outcome.outputText.replacing("\(directory.path)/", with: "")
  }
}

// MARK: - Merging it

extension Series {
  /// Pieces of 1000 bytes, one at a time, so that every engine writes in the same order.
  static let smallPieces = ["--high-water=1000", "--window=1000"]

  /// Merges the series from its first part.
  ///
  /// - Parameter isSynchronized: whether to wait for the device, which is what makes tests slow.
  func merge(
    _ engine: String = "auto",
    _ options: [any ToolArgument] = [],
    isSynchronized: Bool = false,
    environment: [String: String] = [:],
    closing: Set<CInt> = [],
    limits: ToolLimits = ToolLimits()
  ) throws -> Outcome {
    try Tool.cleave.run(
      ["merge", "--engine", engine] + (isSynchronized ? [] : ["--no-sync"]) + options + [parts[0]],
      environment: environment,
      closing: closing,
      limits: limits
    )
  }

  /// The command failed with this code and this line, and changed nothing.
  func expectFailure(
    _ outcome: Outcome,
    _ code: CInt,
    _ line: String,
    since before: Contents,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(!outcome.timedOut, "hung", sourceLocation: sourceLocation)
    #expect(outcome.exitCode == code, "\(outcome)", sourceLocation: sourceLocation)
    #expect(lines(outcome) == "cleave: \(line)\n", sourceLocation: sourceLocation)
    #expect(outcome.outputText == "", sourceLocation: sourceLocation)
    #expect(try contents().changes(since: before) == [], sourceLocation: sourceLocation)
  }

  /// The command made the whole, and nothing else.
  func expectMerged(
    _ outcome: Outcome,
    since before: Contents,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(outcome.exitCode == 0, "\(outcome)", sourceLocation: sourceLocation)
    let after = try contents()
    #expect(after.changes(since: before) == ["file is new"], sourceLocation: sourceLocation)
    let difference = Bytes.difference(after.bytes("file") ?? [], whole)
    #expect(difference == nil, sourceLocation: sourceLocation)
  }
}
