import Posix
import TestSupport
import Testing

@Suite struct FilePathQuotingTests {
  static let rows: [(bytes: [UInt8], quoted: String)] = [
    (Array("film.001".utf8), "film.001"),
    (Array("--engine=auto".utf8), "--engine=auto"),
    ([], #""""#),
    (Array("two  blanks".utf8), #""two  blanks""#),
    (Array("it's".utf8), #""it's""#),
    (Array("$(exit 7)`exit 7`".utf8), "'$(exit 7)`exit 7`'"),
    (Array("!!".utf8), "'!!'"),
    (Array("\"'$".utf8), #"'"'\''$'"#),
    (Array("*?[a-z]~;&|<>(){}#".utf8), #""*?[a-z]~;&|<>(){}#""#),
    (Array("a\\b".utf8), #"$'a\\b'"#),
    (Array("new\nline's".utf8), #"$'new\012line\'s'"#),
    (Array("\u{1B}[31m".utf8), #"$'\033[31m'"#),
    (Array("\u{202E}gpj".utf8), #"$'\342\200\256gpj'"#),
    ([0xFF, 0x31], #"$'\3771'"#),
    (Array("e\u{301}".utf8), "e\u{301}"),
    // One character of two scalars, and for a shell a quotation mark.
    (Array("$'\u{301}`exit 7`".utf8), "'$'\\''\u{301}`exit 7`'"),
  ]

  @Test("an argument is one word on one line", arguments: rows)
  func word(row: (bytes: [UInt8], quoted: String)) {
    let quoted = FilePath(bytes: row.bytes).quoted
    #expect(quoted == row.quoted)
    #expect(!quoted.utf8.contains { $0 < 0x20 })
  }

  @Test(
    "a shell reads it back",
    .enabled(if: Tool.find("bash") != nil, "needs bash"),
    arguments: rows
  )
  func readBack(row: (bytes: [UInt8], quoted: String)) throws {
    let bash = try #require(Tool.find("bash"))
    let outcome = try bash.run(["-c", "printf %s \(row.quoted)"])
    #expect(outcome.standardOutput == row.bytes, "\(outcome)")
  }
}
