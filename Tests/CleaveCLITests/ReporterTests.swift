import Cleave
import CommandLineKit
import Foundation
import Posix
import TestSupport
import Testing

@testable import CleaveCLI

/// What each value becomes in lines, and in an object.
@Suite struct ReporterTests {
  private let directory: TemporaryDirectory
  private let whole = Bytes.pattern(count: 2500, seed: 4)

  init() throws {
    directory = try TemporaryDirectory()
    try Files.write(whole, to: directory.file("f"))
  }

  /// What went to standard output and to standard error.
  private final class Channels: Sendable {
    private let texts = Locked([CInt: [UInt8]]())

    func take(_ bytes: [UInt8], _ descriptor: CInt) {
      texts.withLock { $0[descriptor, default: []] += bytes }
    }

    func text(_ descriptor: CInt) -> String {
      String(decoding: texts.withLock { $0[descriptor] ?? [] }, as: UTF8.self)
    }
  }

  /// What a reporter makes of what it is told; directories are cut off.
  private func told(
    by command: String,
    _ general: GeneralSettings = GeneralSettings(),
    _ report: ReportSettings = ReportSettings(),
    body: (any Reporter) throws -> Void
  ) throws -> (output: String, errors: String) {
    let channels = Channels()
    let page = try #require(Program.pages.first { $0.name == command })
    let session = Session(general, report, page, [], sink: { channels.take($0, $1) })
    try body(session.reporter)
    let cut = { (text: String) in
      text.replacingOccurrences(of: "\(directory.path)/", with: "")
    }
    return (cut(channels.text(1)), cut(channels.text(2)))
  }

  private func object(
    _ command: String,
    _ body: (any Reporter) throws -> Void
  ) throws -> [String: Any] {
    var general = GeneralSettings()
    general.writesJSON = true
    let text = try told(by: command, general, body: body).output
    #expect(text.hasSuffix("}\n") && text.filter { $0 == "\n" }.count == 1, "\(text)")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(object as? [String: Any])
  }

  private func split() throws -> (Split.Prepared, Cleave.Outcome) {
    let prepared = try Split(directory.file("f"), .every(1000)).prepare()
    return (prepared, try prepared.run())
  }

  @Test func aSplit() throws {
    let (prepared, outcome) = try split()
    let sum = outcome.report.whole.crc32Text
    #expect(
      try told(by: "split") { try $0.tell(prepared, outcome) }.output
        == "f: 2500 bytes (2.4 KiB) in f.001 to f.003, CRC-32 \(sum), manifest f.sfv\n"
    )
    let object = try object("split") { try $0.tell(prepared, outcome) }
    #expect(object["bytes"] as? Int == 2500 && object["crc32"] as? String == sum)
    #expect(
      (object["parts"] as? [[String: Any]])?.map { $0["bytes"] as? Int } == [1000, 1000, 500]
    )
    #expect(object["event"] as? String == "result" && object["verified"] == nil)
  }

  @Test func aMerge() throws {
    let outcome = try split().1
    let merge = try Merge(Selection(of: [directory.file("f.001")]), into: directory.file("g"))
    let sum = outcome.report.whole.crc32Text
    let forecast = try merge.forecast()
    let lines = try told(by: "merge") { try $0.tell(merge, forecast) }.output.split(separator: "\n")
    #expect(
      lines.prefix(4) == [
        "g: 2500 bytes (2.4 KiB) from 3 parts, by the direct engine, to be compared with f.sfv",
        "  f.001  1000 bytes at 0", "  f.002  1000 bytes at 1000", "  f.003  500 bytes at 2000",
      ]
    )
    let plan = try object("merge") { try $0.tell(merge, forecast) }
    #expect(plan["event"] as? String == "plan" && plan["bytes"] as? Int == 2500)
    let made = try merge.run()
    let report = ReportSettings(sums: [.crc32])
    #expect(
      try told(by: "merge", GeneralSettings(), report) { try $0.tell(merge, made) }.output
        == "g: 2500 bytes (2.4 KiB) from 3 parts, CRC-32 \(sum), as in f.sfv\n"
        + "CRC32 (g) = \(sum)\n"
    )
    let object = try object("merge") { try $0.tell(merge, made) }
    #expect(object["verified"] as? Bool == true && object["kind"] as? String == "series")
    let proofs = try #require(object["proof"] as? [[String: Any]])
    #expect(
      proofs.map { $0["by"] as? String } == ["manifest of the whole", "manifest of the parts"]
    )
  }

  @Test func aVerification() throws {
    _ = try split()
    let right = try Verify([directory.file("f.sfv")]).run()
    #expect(
      try told(by: "verify") { try $0.tell(right) }.output
        == "f.001: OK\nf.002: OK\nf.003: OK\n3 right, 0 wrong, 0 missing, 0 not checked\n"
    )
    try Files.write([1], to: directory.file("f.002"))
    try FileSystem.unlink(directory.file("f.003"))
    let wrong = try Verify([directory.file("f.sfv")]).run()
    #expect(wrong.worst == .different && !wrong.isRight)
    let told = try told(by: "verify") { try $0.tell(wrong) }
    #expect(told.output == "f.001: OK\n1 right, 1 wrong, 1 missing, 0 not checked\n")
    #expect(told.errors.hasPrefix("cleave: f.003: missing\ncleave: f.002: has "))
    let report = ReportSettings(listsBad: true, endsNamesWithNull: true)
    let listed = try self.told(by: "verify", GeneralSettings(), report) { try $0.tell(wrong) }
    #expect(listed.output == "f.003\0f.002\0")
    let object = try object("verify") { try $0.tell(wrong) }
    #expect(object["exitCode"] as? Int == 1)
    let files = try #require(object["files"] as? [[String: Any]])
    #expect(files.map { $0["status"] as? String } == ["missing", "ok", "different"])
    #expect((object["summary"] as? [String: Any])?["missing"] as? Int == 1)
  }

  @Test func whatAVerificationWouldRead() throws {
    _ = try split()
    let plan = try Verify([directory.file("f.sfv")]).plan()
    let lines = try told(by: "verify") { try $0.tell(plan) }.output.split(separator: "\n")
    #expect(
      lines.first == "f.001: 1000 bytes, by f.sfv" && lines.last == "2500 bytes (2.4 KiB) to read"
    )
    let object = try object("verify") { try $0.tell(plan) }
    #expect((object["files"] as? [Any])?.count == 3 && object["bytes"] as? Int == 2500)
  }

  @Test func whatIsKnownOfASeries() throws {
    _ = try split()
    try FileSystem.unlink(directory.file("f.002"))
    let part = Selection.Part(path: directory.file("f.001"), manifest: .automatic)
    let info = try #require(
      try SeriesInfo(of: part, Selection.Request(), WorkOptions(), unless: PathSet())
    )
    let lines = try told(by: "info") { try $0.tell(info) }.output.split(separator: "\n")
    #expect(lines.first == "f: series of 2 parts, incomplete")
    let object = try object("info") { try $0.tell(info) }
    #expect(object["exitCode"] as? Int == 66)
    #expect((object["missing"] as? [String])?.first?.hasSuffix("f.002") == true)
  }

  @Test func aFailureIsAnObjectAndNoLine() throws {
    let error = CleaveError(.missingInput, "f", "is not there")
    #expect(try told(by: "merge") { $0.tell(.job(error), .noInput) }.output == "")
    let object = try object("merge") { $0.tell(.job(error), .noInput) }
    #expect(object["error"] as? String == "f: is not there" && object["exitCode"] as? Int == 66)
    let usage = try self.object("merge") { $0.tell(.usage(UsageError("no")), .usage) }
    #expect(usage["error"] as? String == "no" && usage["exitCode"] as? Int == 64)
  }
}
