import Foundation
import Testing

/// Nobody but a verdict says that something was compared.
@Suite struct VerdictTextTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources").standardized

  /// The lines of all sources that are no comments.
  private static func lines() throws -> [(file: String, line: String)] {
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    )
    var lines: [(String, String)] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let text = line.trimmingCharacters(in: .whitespaces)
        if !text.hasPrefix("//") { lines.append((file.lastPathComponent, text)) }
      }
    }
    try #require(lines.count > 10_000)
    return lines
  }

  @Test(arguments: ["as in \\(", "proved by", "entries tested\""])
  func onlyAVerdictSaysSo(words: String) throws {
    let found = try Self.lines().filter { $0.line.contains(words) && $0.file != "Verdict.swift" }
    #expect(found.map(\.line) == [])
  }

  @Test func jsonHasItFromAVerdict() throws {
    let found = try Self.lines().filter {
      $0.file.hasPrefix("JSON") && $0.line.contains(#/\bverified\b/#)
    }
    #expect(
      found.map(\.line) == [
        "var verified: Bool?", "(verified, proof) = (verdict.isVerified, Proof.all(verdict))",
      ]
    )
  }
}
