import Foundation
import Posix
import TestSupport
import Testing

/// What a command wrote with `--json`.
struct JSONSample {
  let outcome: Outcome
  /// What the last line should say.
  let event: String

  /// The lines as objects.
  func objects() throws -> [[String: Any]] {
    try outcome.outputText.split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
  }
}

/// Every kind of object that there is, from every command that writes it.
struct JSONSamples {
  private(set) var all: [JSONSample] = []
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try addFiles()
    try addStages()
    try addZips()
    try addDoubts()
    try addFailures()
    try addProgress()
  }

  private mutating func add(
    _ event: String,
    _ arguments: [any ToolArgument],
    code: CInt = 0,
    faults: String? = nil,
    input: ToolInput = .null
  ) throws {
    let outcome = try Tool.cleave.run(
      arguments + ["--json"],
      input: input,
      environment: faults.map { try FaultShim.environment($0) } ?? [:],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == code, "\(arguments): \(outcome)")
    all.append(JSONSample(outcome: outcome, event: event))
  }

  private func remove(_ names: FilePath...) throws {
    for name in names { try FileSystem.unlink(directory.file(name)) }
  }

  private mutating func addFiles() throws {
    try Files.write(Bytes.pattern(count: 7500), to: directory.file("file"))
    try add("plan", ["split", "-b", "3000", "--joiners", "--dry-run", "file"])
    try add("result", ["split", "-b", "3000", "--joiners", "file"])
    try add("result", ["split", "-b", "3000", "--verify=none", "--manifest=none", "file", "other"])
    try add("result", ["split", "-b", "3000", "-", "stream"], input: .file(directory.file("file")))
    try add("result", ["split", "-b", "3000", "-v", "--filter=cat >/dev/null", "file"])
    try add("failure", ["split", "-b", "3000", "--filter=exit 3", "file"], code: 74)
    try add("result", ["info", "file"])
    try add("result", ["verify", "file"])
    if Tool.cleaveHasDigests { try addDigests() }
    try remove("file")
    try add("result", ["info", "file.002"])
    try add("plan", ["merge", "-n", "file.001"])
    try add("plan", ["merge", "-n", "-o", "x", "-", "file.003"], input: .bytes([1]))
    try add("result", ["merge", "file.001"])
    try add("result", ["merge", "--verify=none", "-f", "file.001"])
    try add("result", ["merge", "-o", "x", "-", "file.003"], input: .bytes([1]))
    try add("plan", ["verify", "-n", "file.sfv"])
    try add("result", ["verify", "file.sfv"])
    try Files.flipByte(at: 0, of: directory.file("other.001"))
    try Files.copy(directory.file("file.sfv"), to: directory.file("f.sfv"))
    try add("result", ["split", "-b", "3000", "--block", "1000", "x", "blocks"])
    try Files.flipByte(at: 0, of: directory.file("blocks.001"))
    try add("result", ["verify", "blocks.sfv"], code: 1)
    try remove("file.002")
    try add("result", ["verify", "file.sfv"], code: 66)
    try add("result", ["info", "file.001"], code: 66)
    #if os(Linux)
      let odd = FilePath(bytes: [0xFF])
      try Files.write([1], to: directory.file(odd))
      try add("result", ["info", odd])
    #endif
  }

  private mutating func addDigests() throws {
    let all = "crc32,adler32,md5,sha1,sha256,sha512,b2"
    try add("plan", ["split", "-b", "3000", "--checksum", all, "--dry-run", "file", "summed"])
    try add("result", ["split", "-b", "3000", "--checksum", all, "file", "summed"])
    try add("result", ["verify", "summed.b2"])
    try add("result", ["merge", "--checksum", all, "--manifest=summed.sha1", "summed.001"])
  }

  private mutating func addStages() throws {
    try add("plan", ["merge", "-n", "--consume", "-o", "x2", "stream.001"])
    try add("plan", ["split", "--dry-run", "--consume", "-b", "1K", "x"])
    let again: [any ToolArgument] = [
      "merge", "--resume", "--checkpoint=1K", "-o", "again", "stream.001",
    ]
    let faults = try FaultShim.environment("fsync@.cleave-journal#4=kill")
    let killed = try Tool.cleave.run(again, environment: faults, workingDirectory: directory.path)
    #expect(killed.signal == .kill, "\(killed)")
    try add("plan", again + ["--dry-run"])
    try add("result", ["clean", "-n"])
    try add("result", ["clean"])
  }

  private mutating func addZips() throws {
    let writer = ZipWriter(ZipWriterTests.entries)
    let whole = try writer.single()
    let parts = try writer.parts(of: whole.count / 3 + 200)
    for (name, part) in zip(["a.z01", "a.z02", "a.zip"] as [FilePath], parts) {
      try Files.write(part, to: directory.file(name))
    }
    try Files.write(parts.flatMap { $0 }, to: directory.file("joined.zip"))
    try Files.write(Bytes.pattern(count: 200_000), to: directory.file("large"))
    try Files.write([0x28, 0xB5, 0x2F, 0xFD, 0x20, 0, 1, 0, 0], to: directory.file("a.zst"))
    try add("plan", ["verify", "-n", "a.zst"])
    try add("result", ["verify", "a.zst"])
    try add("plan", ["merge", "-n", "a.z01"])
    try add("plan", ["verify", "-n", "a.z01"])
    try add("result", ["merge", "a.z01"])
    try add("result", ["info", "a.z02"])
    try add("result", ["info", "a.merged.zip"])
    try add("result", ["verify", "a.zip"])
    try add("plan", ["repair", "-n", "joined.zip"])
    try add("result", ["repair", "joined.zip"])
    let larger = ZipWriter(writer.entries + [ZipEntry("large", Bytes.pattern(count: 100_000))])
    try Files.write(larger.single(), to: directory.file("larger.zip"))
    try add("plan", ["split", "--dry-run", "--format=zip", "-b", "64K", "larger.zip"])
    try add("result", ["split", "--format=zip", "-b", "64K", "larger.zip"])
    try Files.flipByte(at: 200, of: directory.file("a.merged.zip"))
    try add("result", ["verify", "a.merged.zip"], code: 1)
  }

  /// A part that is left over, what is no part, and what no manifest names.
  private mutating func addDoubts() throws {
    try Files.write(Bytes.pattern(count: 5000), to: directory.file("over"))
    try add("result", ["split", "-b", "3000", "over"])
    try Files.write([1], to: directory.file("over.003"))
    try add("failure", ["merge", "over.001"], code: 73)
    try remove("over")
    try add("plan", ["merge", "-n", "over.001"])
    try add("result", ["info", "over.001"])
    try add("share", ["merge", "--share=2/2", "-o", "shared", "over.002"])
    try add("failure", ["finish", "shared"], code: 66)
    try add("result", ["merge", "--share=1/2", "-o", "shared", "over.002"])
    try add("result", ["merge", "over.002"])
    try add("failure", ["merge", "-o", "x2", "large"], code: 66)
    try add("plan", ["verify", "-n", "over.003"])
    try add("result", ["verify", "over.001"])
    try add("result", ["verify", "over.003"], code: 1)
    let words: [any ToolArgument] = ["merge", "--consume", "--checkpoint=1K", "-f", "over.001"]
    let faults = try FaultShim.environment("fsync@.cleave-journal#4=kill")
    let killed = try Tool.cleave.run(words, environment: faults, workingDirectory: directory.path)
    #expect(killed.signal == .kill, "\(killed)")
    try add("result", ["clean"], code: 75)
    try add("result", ["clean", "nowhere"], code: 66)
  }

  private mutating func addFailures() throws {
    try add("failure", ["merge", "file.001"], code: 66)
    try add("failure", ["merge"], code: 64)
    try add("failure", ["merge", "--json", "--engine=other", "x"], code: 64)
    try add("failure", ["info", "nowhere"], code: 66)
    try add("failure", ["merge", "stream.001", "-o", "x"], code: 73)
    let small = ["--engine=serial"] + Series.smallPieces
    let words: [any ToolArgument] = ["merge"] + small + ["-o", "x3", "stream.001"]
    try add("failure", words, code: 74, faults: "read@/stream.002#2=EIO")
  }

  private mutating func addProgress() throws {
    let small = ["--progress", "--engine=serial"] + Series.smallPieces
    let words: [any ToolArgument] = ["merge"] + small + ["-o", "x4", "stream.001"]
    try add("failure", words, code: 74, faults: "write@/.x4#3=delay:1200; write@/.x4#4=EIO")
    try add("result", words, faults: "write@/.x4#3=delay:1200")
  }
}
