import Foundation
import Posix
import TestSupport
import Testing

/// A job that can be interrupted and gone on with: what is there before, and what it makes.
struct StagedJob {
  enum Kind: String, CaseIterable, Sendable {
    case merge, split, mergeConsuming, splitConsuming

    var merges: Bool { self == .merge || self == .mergeConsuming }
    var consumes: Bool { self == .mergeConsuming || self == .splitConsuming }
  }

  let kind: Kind
  let directory: TemporaryDirectory
  private let sizes: [Int]
  private let before: [FilePath: [UInt8]]
  /// Every file that is there when all is done.
  let after: [FilePath: [UInt8]]

  /// - Parameter sizes: of the parts; checkpoints are elsewhere.
  init(
    _ kind: Kind,
    _ sizes: [Int] = [300_000, 200_001, 1, 150_000],
    in parent: FilePath? = nil
  ) throws {
    let series = try Series(sizes, hasManifest: true)
    let manifest = ["file.sfv": try Files.read(series.manifest)] as [FilePath: [UInt8]]
    let whole = ["file": series.whole] as [FilePath: [UInt8]]
    var parts: [FilePath: [UInt8]] = [:]
    for part in series.parts { parts[part.lastComponent] = try Files.read(part) }
    let made = kind.merges ? whole : parts.merging(manifest) { first, _ in first }
    before = kind.merges ? parts.merging(manifest) { first, _ in first } : whole
    after =
      kind.consumes
      ? (kind.merges ? whole.merging(manifest) { first, _ in first } : made)
      : before.merging(made) { first, _ in first }
    (self.kind, self.sizes) = (kind, sizes)
    directory = try TemporaryDirectory(in: parent)
    try restore()
  }

  /// Brings about what is there before.
  func restore() throws {
    for name in try directory.names() { TemporaryDirectory.remove(directory.file(name)) }
    for (name, bytes) in before { try Files.write(bytes, to: directory.file(name)) }
  }

  /// Leaves in the manifest the sums of the parts alone, as lists of other programs have them.
  ///
  /// - Returns: what was in it.
  func leaveSizesOut() throws -> [UInt8] {
    let manifest = directory.file("file.sfv")
    let sums = try Files.read(manifest)
    let lines = String(decoding: sums, as: UTF8.self).split(separator: "\n")
    let plain = lines.filter { $0.hasPrefix("file.0") }.map { "\($0)\n" }.joined()
    try Files.write(Array(plain.utf8), to: manifest)
    return sums
  }

  /// Leaves the sources as they are.
  func removeWhatWasMade() throws {
    for name in try directory.names() where before[name] == nil {
      TemporaryDirectory.remove(directory.file(name))
    }
  }

  /// Runs the command, which makes a checkpoint every 130 KiB.
  func run(
    _ engine: String = "auto",
    _ options: [any ToolArgument] = ["--resume"],
    faults: String? = nil
  ) throws -> Outcome {
    try Tool.cleave.run(
      arguments(engine, options),
      environment: try faults.map { try FaultShim.environment($0) } ?? [:]
    )
  }

  func arguments(
    _ engine: String = "auto",
    _ options: [any ToolArgument] = ["--resume"]
  ) -> [any ToolArgument] {
    let cut = sizes.map(String.init).joined(separator: ",")
    let command: [any ToolArgument] =
      kind.merges
      ? ["merge", directory.file("file.001")] : ["split", "-b", cut, directory.file("file")]
    let consuming = kind.consumes ? ["--consume"] : []
    return command + ["--engine", engine, "--checkpoint=130K"] + consuming + options
  }

  /// Runs the command until the journal has been flushed so often, and then kills it.
  func kill(_ engine: String = "auto", atCheckpoint number: Int = 4) throws {
    let outcome = try run(engine, faults: "fsync@.cleave-journal#\(number)=kill")
    try #require(outcome.signal == .kill, "\(outcome)")
    try #require(try Files.exists(directory.file(".file.cleave-journal")))
  }

  /// Types what a message says goes on with the job.
  func run(named outcome: Outcome) throws -> Outcome {
    let text = outcome.errorText
    let end = try #require(text.range(of: "' goes on"), "\(outcome)")
    let start = try #require(text[..<end.lowerBound].range(of: "'cleave ", options: .backwards))
    let words = text[start.upperBound..<end.lowerBound]
    return try Tool.shell.run(["-c", "\(Tool.cleave.path) \(words)"], workingDirectory: "/")
  }

  /// All is done, and nothing else is there.
  func expectDone(
    _ outcome: Outcome,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(outcome.exitCode == 0, "\(outcome)", sourceLocation: sourceLocation)
    let names = try directory.names().sorted()
    #expect(names == after.keys.sorted(), sourceLocation: sourceLocation)
    for (name, bytes) in after where names.contains(name) {
      let difference = Bytes.difference(try Files.read(directory.file(name)), bytes)
      #expect(difference == nil, "\(name)", sourceLocation: sourceLocation)
    }
  }

  /// What a command said on standard error, without the name of the directory.
  func lines(_ outcome: Outcome) -> String {
    outcome.errorText.replacing("\(directory.path)/", with: "")
  }
}
