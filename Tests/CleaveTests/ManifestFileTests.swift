import Posix
import TestSupport
import Testing

@testable import Cleave

@Suite struct ManifestFileTests {
  @Test("a manifest is read from a file")
  func read() throws {
    let directory = try TemporaryDirectory()
    let entries = [Manifest.Entry(name: "a.001", crc32: 1)]
    let path = try directory.make("a.sfv", SFV.render(entries))
    #expect(try Manifest(reading: path) == Manifest(sfv: entries, path))
  }

  @Test("an error names the manifest and the line")
  func wrong() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.make("a.sfv", Array("a.001 1\na.001 2\n".utf8))
    let error = #expect(throws: CleaveError.self) { try Manifest(reading: path) }
    #expect(error == CleaveError(.badData, path, "line 2: a.001 appears twice"))
  }

  @Test("a manifest has to be a regular file, and a pipe holds nothing up")
  func irregular() throws {
    let directory = try TemporaryDirectory()
    let cases = [
      (try directory.directory("d.sfv"), "a directory"),
      (try directory.fifo("f.sfv"), "a named pipe"),
      ("/dev/zero", "a character device"),
    ]
    for (path, kind) in cases {
      let error = #expect(throws: CleaveError.self) { try Manifest(reading: path) }
      #expect(error == CleaveError(.missingInput, path, "is \(kind), not a regular file"))
    }
  }

  @Test("a manifest that is not there is missing")
  func missing() throws {
    let directory = try TemporaryDirectory()
    let path = directory("a.sfv")
    let error = #expect(throws: CleaveError.self) { try Manifest(reading: path) }
    #expect(error?.kind == .missingInput)
    #expect(error?.message == "\(path): open failed: No such file or directory (ENOENT)")
  }

  @Test("a file that is too large for a manifest is not read")
  func tooLarge() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.sparse("a.sfv", size: Int(Manifest.largestFile) + 1)
    let error = #expect(throws: CleaveError.self) { try Manifest(reading: path) }
    #expect(error?.kind == .badData)
    let text = "has 16777217 bytes, more than the 16777216 of the largest manifest"
    #expect(error?.message == "\(path): \(text)")
  }
}
