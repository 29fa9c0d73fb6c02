import Cleave
import CommandLineKit
import Posix
import Testing

@testable import CleaveCLI

/// What a remedy is to whom types a command.
@Suite struct RemedySpellingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let sentence: Sentence
    /// By the commands; that of nil is what every other one says.
    let texts: [String?: String]

    var testDescription: String { sentence.description }
  }

  static let rows = [
    Row(sentence: "\(.replacing)", texts: [nil: "--force"]),
    Row(
      sentence: "\(.format(.raw))",
      texts: [
        nil: "'cleave merge --format=raw …'", "merge": "--format=raw", "cat": "--format=raw",
        "split": "--format=raw",
      ]
    ),
    Row(
      sentence: "\(.asGiven())",
      texts: [nil: "'cleave merge --as-given …'", "merge": "--as-given", "cat": "--as-given"]
    ),
    Row(
      sentence: "\(.asGiven(namesOutput: true))",
      texts: [
        nil: "'cleave merge --as-given -o OUT …'", "merge": "--as-given -o OUT",
        "cat": "--as-given",
      ]
    ),
    Row(sentence: "\(.each)", texts: [nil: "'cleave merge --all …'", "merge": "--all"]),
    Row(
      sentence: "name all\(.namingOutput, behind: " and "), or none",
      texts: [nil: "name all and -o OUT, or none", "cat": "name all, or none"]
    ),
    Row(sentence: "\(.family(.ofTotal)) \(.family(nil))", texts: [nil: "--as=n-of-m --as"]),
    Row(sentence: "\(.first("ab")) \(mentioning: .first(nil))", texts: [nil: "--first=ab --first"]),
    Row(
      sentence: "\(.last("3")) \(.last(nil)) \(mentioning: .last(nil))",
      texts: [nil: "--last=3 --last=N --last"]
    ),
    Row(
      sentence: "\(.withoutManifest) \(.withoutContent)",
      texts: [nil: "--manifest=none --verify=stream"]
    ),
    Row(
      sentence: "too few\(.consuming, behind: "; less: ")",
      texts: [
        nil: "too few", "split": "too few; less: --consume", "merge": "too few; less: --consume",
      ]
    ),
    Row(
      sentence: "\(.leavingOutHeader)",
      texts: [
        nil: "'cleave merge --header …'", "merge": "--header", "cat": "--header",
        "split": "--header",
      ]
    ),
    Row(sentence: "\(.copying)", texts: [nil: "--clone=auto"]),
    Row(sentence: "\(.output(nil)) \(.output("a b"))", texts: [nil: "-o -o \"a b\""]),
    Row(sentence: "\(Setting.consuming)", texts: [nil: "--consume"]),
    Row(
      sentence: "\(.splitting(atMost: 4_294_967_295)), \(.splitting(atMost: 7))",
      texts: [nil: "split -b fat32, split -b 7"]
    ),
    Row(sentence: "\(.splittingAsBytes)", texts: [nil: "without --format=zip"]),
    Row(sentence: "\(.verifying("a b"))", texts: [nil: "'cleave verify \"a b\"'"]),
    Row(sentence: "\(.repairing("a.zip"))", texts: [nil: "'cleave repair a.zip'"]),
    Row(sentence: "\(.readingBack)", texts: [nil: "--verify=readback"]),
    // Names are left alone, whatever they look like.
    Row(sentence: "--all: --format and -o OUT", texts: [nil: "--all: --format and -o OUT"]),
  ]

  @Test(arguments: rows) func everyCommandSpellsWhatItHas(row: Row) throws {
    for command in ["merge", "cat", "verify", "info", "repair", "split", "clean"] {
      let page = try #require(Program.pages.first { $0.name == command })
      let text = try #require(row.texts[command] ?? row.texts[nil])
      #expect(row.sentence.spelled(for: page) == text, "\(command)")
    }
    #expect(row.sentence.spelled(for: nil) == row.texts["merge"] ?? row.texts[nil])
  }

  @Test func whatMergeOffersItHas() throws {
    let page = try #require(Program.pages.first { $0.name == "merge" })
    let names = Set(page.options.map(\.longName))
    for row in Self.rows.dropLast() {
      for piece in row.sentence.spelled(for: page).split(whereSeparator: { " =,".contains($0) })
      where piece.hasPrefix("--") {
        #expect(names.contains(String(piece)), "\(piece)")
      }
    }
  }
}
