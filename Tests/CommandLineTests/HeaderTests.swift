import Posix
import TestSupport
import Testing

/// `--header`: lines that every part begins with, from a file and from a stream.
@Suite(.aside) struct HeaderTests {
  private let directory: TemporaryDirectory
  private let bytes: [UInt8]
  private var file: FilePath { directory.file("f") }

  init() throws {
    directory = try TemporaryDirectory()
    bytes = (0..<900).flatMap { Array("\($0),\(String(repeating: "x", count: $0 % 40))\n".utf8) }
    try Files.write(bytes, to: file)
  }

  private func run(_ words: [FilePath], input: ToolInput = .null) throws -> Outcome {
    try Tool.cleave.run(words, input: input, workingDirectory: directory.path)
  }

  /// Removes what was made, and returns it.
  private func takeParts() throws -> [[UInt8]] {
    try directory.names().filter { $0 != "f" && $0 != "whole" }.map { name in
      defer { try? FileSystem.unlink(directory.file(name)) }
      return try Files.read(directory.file(name))
    }
  }

  @Test(arguments: [["-l", "100"], ["-C", "4K"]], ["1", "2", "3"])
  func aStreamMakesWhatAFileMakes(cut: [String], lines: String) throws {
    let options = (["split", "--header=\(lines)"] + cut).map { FilePath($0) }
    for more in [["--manifest=p.sfv"], ["--manifest=p.sha256"], ["--filter=cat >$FILE"]] {
      if more == ["--manifest=p.sha256"], !Tool.cleaveHasDigests { continue }
      let words = options + more.map { FilePath($0) }
      let outcome = try run(words + ["f", "p"])
      #expect(outcome.exitCode == 0, "\(outcome)")
      let made = try takeParts()
      let streamed = try run(words + ["-", "p"], input: .file(file))
      #expect(streamed.exitCode == 0, "\(streamed)")
      let isFiltered = more[0].hasPrefix("--filter")
      let crc32 = { (outcome: Outcome) in
        outcome.outputText.firstMatch(of: #/CRC-32 ([0-9a-f]{8})/#).map { String($0.1) }
      }
      #expect(crc32(outcome) != nil && crc32(outcome) == crc32(streamed), "\(outcome)")
      let parts = isFiltered ? made : Array(made.dropLast())
      #expect(parts.count > 5)
      // By what the manifest tells, and by what is asked for.
      for option in isFiltered ? ["--header=\(lines)"] : ["--verify=auto", "--header=\(lines)"] {
        let merged = try run(["merge", "-fo", "whole", FilePath(option), "p.001"])
        #expect(merged.exitCode == 0, "\(merged)")
        #expect(try Files.read(directory.file("whole")) == bytes)
      }
      let again = try takeParts()
      #expect(isFiltered ? again == made : Array(again.dropLast()) == parts)
    }
  }

  @Test func catAndWaitingLeaveHeadersOut() throws {
    #expect(try run(["split", "-n", "l/4", "--header", "f"]).exitCode == 0)
    #expect(try run(["cat", "f.001"]).standardOutput == bytes)
    let piece = try run(["cat", "--range=5000-5999", "f.001"])
    #expect(piece.standardOutput == Array(bytes[5000..<6000]), "\(piece)")
    let waited = try run(["merge", "--wait=9s", "-o", "whole", "f.001"])
    #expect(waited.exitCode == 0, "\(waited)")
    #expect(try Files.read(directory.file("whole")) == bytes)
    let info = try run(["info", "f.001"])
    #expect(info.outputText.contains("f, which exists, \(bytes.count) bytes"), "\(info)")
    let tables = try run(["merge", "--as-given", "--header", "-o", "twice", "f", "f"])
    #expect(tables.exitCode == 0, "\(tables)")
    #expect(try Files.read(directory.file("twice")) == bytes + bytes.drop { $0 != 10 }.dropFirst())
    #expect(tables.errorText.isEmpty, "\(tables)")
  }

  @Test func aTableWhoseLastLineDoesNotEndIsTold() throws {
    try Files.write(bytes.dropLast(), to: directory.file("g"))
    let outcome = try run(["merge", "--as-given", "--header", "-o", "-", "g", "f"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let text =
      "cleave: warning: g: does not end with the end of a record: its last one and the next"
    #expect(outcome.errorText.hasPrefix(text), "\(outcome)")
    let last = try run(["merge", "--as-given", "--header", "-o", "-", "f", "g"])
    #expect(!last.errorText.contains("warning"), "\(last)")
  }

  @Test(
    arguments: [
      (["split", "-l9", "--header", "--joiners", "f"], 64, "does not go with --joiners"),
      (["split", "-b9", "--header", "f"], 64, "--header is for --lines"),
      (["split", "-l9", "--header=0", "f"], 64, "--header"),
      (["split", "-C2", "--header", "-", "p"], 65, "3 bytes, and fill a part"),
      (["split", "-C2", "--header=99999", "-", "p"], 65, " bytes, and fill a part"),
      (["merge", "-t", "x", "f"], 64, "--separator is for --header"),
      (["merge", "--header", "-o", "x", "-", "f"], 64, "needs files, not standard input"),
    ]
  )
  func whatCannotBeIsRefused(words: [String], code: CInt, text: String) throws {
    let outcome = try run(words.map { FilePath($0) }, input: .file(file))
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1, "\(outcome)")
    #expect(try directory.names() == ["f"])
  }
}
