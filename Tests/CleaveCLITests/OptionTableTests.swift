import CommandLineKit
import Foundation
import Posix
import TestSupport
import Testing

@testable import CleaveCLI

/// Everything that describes options has those of the table, each once, and no other.
@Suite struct OptionTableTests {
  /// By their names: a page would be printed in full.
  private static let pages = Program.pages.map(\.name)

  private static func page(_ name: String) throws -> CommandPage {
    try #require(Program.pages.first { $0.name == name })
  }

  /// `-o` and `--output`, of options of a command.
  private static func names(_ options: [OptionRow]) -> [[String]] {
    options.map { row in (row.short.map { ["-\($0)"] } ?? []) + [row.longName] }
  }

  /// The same under their headings.
  private static func grouped(_ page: CommandPage) -> [[String]] {
    names(page.groups.flatMap(\.options))
  }

  @Test(arguments: pages) func theHelpHasEachOptionOnce(name: String) throws {
    let page = try Self.page(name)
    let text = try #require(HelpCommand.text(ofCommand: page.name, .whole))
    let found = text.split(separator: "\n").compactMap { line -> [String]? in
      guard let match = line.prefixMatch(of: #/  (?:    |(-.), )(--[a-z0-9-]+)/#) else {
        return nil
      }
      return [match.1, match.2].compactMap { $0.map(String.init) }
    }
    #expect(found == Self.grouped(page))
  }

  @Test(arguments: pages) func theShortHelpHasEachOptionOnce(name: String) throws {
    let page = try Self.page(name)
    // That of the program shows its commands instead.
    guard page.name != "cleave" else { return }
    let text = page.shortHelpText(width: 80)
    let list = try #require(text.split(separator: "\n\n").last)
    let found = list.matches(of: #/(?:(-.)/)?(--[a-z0-9-]+)/#).map { match in
      [match.1, match.2].compactMap { $0.map(String.init) }
    }
    #expect(found == Self.grouped(page))
  }

  @Test(arguments: pages) func theManualHasEachOptionOnce(name: String) throws {
    let page = try Self.page(name)
    let manual = ManualText.page(page, of: Program.pages, seconds: 0)
    let found = manual.text.matches(of: #/(?m)^\.It (?:Fl (.) , )?Fl \\-([a-z0-9\\-]+)/#).map {
      match in
      (match.1.map { ["-\($0)"] } ?? []) + ["--" + match.2.replacing("\\-", with: "-")]
    }
    #expect(found == Self.grouped(page))
  }

  @Test func theManualNamesEveryCommandOnce() throws {
    let pages = Program.pages
    let text = ManualText.page(pages[0], of: pages, seconds: 0).text
    let named = text.matches(of: /(?m)^\.Xr cleave-([a-z]+) 1/).map { String($0.1) }
    #expect(named == pages.dropFirst().map(\.name).sorted())
    let listed = text.matches(of: #/(?m)^\.It "\\&([a-z]+)"/#).map { String($0.1) }
    #expect(listed.starts(with: pages.dropFirst().map(\.name)))
  }

  // MARK: Completions

  private static func script(_ shell: Completions.Shell) -> String {
    CompletionsCommand.script(for: shell)
  }

  /// What a script has between two lines, of which the first one is of a command.
  private static func block(_ script: String, _ start: String, _ end: String) throws -> Substring {
    let first = try #require(script.firstRange(of: start))
    let rest = script[first.upperBound...]
    #expect(rest.firstRange(of: start) == nil, "\(start) is there twice")
    let last = try #require(rest.firstRange(of: end))
    return rest[..<last.lowerBound]
  }

  @Test(arguments: pages) func bashHasEachOptionOnce(name: String) throws {
    let page = try Self.page(name)
    let name = name == "cleave" ? "''" : name
    let block = try Self.block(Self.script(.bash), "\n    \(name))\n", "\n      ;;\n")
    let list = try #require(block.firstMatch(of: #/_words '(-[^']*)'/#)).1
    let offered = list.split(separator: " ").map { String($0.last == "=" ? $0.dropLast() : $0) }
    // An argument that may be left out is offered with and without one.
    let twice = page.options.filter { if case .optional = $0.argument { true } else { false } }
    #expect(
      offered.sorted() == (Self.names(page.options).joined() + twice.map(\.longName)).sorted()
    )
    let withArgument = page.options.filter { $0.placeholder != nil }.map(\.longName)
    let patterns = block.matches(of: #/(?m)^ +(?:-. \| )?(--[a-z0-9-]+)\) /#).map { String($0.1) }
    #expect(patterns.sorted() == withArgument.sorted())
  }

  @Test(arguments: pages) func zshHasEachOptionOnce(name: String) throws {
    let page = try Self.page(name)
    let script = Self.script(.zsh)
    let block =
      page.name == "cleave"
      ? try Self.block(script, "\n_cleave() {\n", "[[ $state == operands ]]")
      : try Self.block(script, "\n    \(page.name))\n", "\n      ;;\n")
    let pattern = #/(?m)^ +'(?:\((-.) --[a-z0-9-]+\)(?:'\{-.\+?,)?)?(--[a-z0-9-]+)/#
    let found = block.matches(of: pattern).map { match in
      [match.1, match.2].compactMap { $0.map(String.init) }
    }
    #expect(found == Self.names(page.options))
  }

  @Test(arguments: pages) func fishHasEachOptionOnce(name: String) throws {
    let page = try Self.page(name)
    let name = name == "cleave" ? "''" : name
    let lines = Self.script(.fish).split(separator: "\n").filter {
      $0.hasPrefix("complete -c cleave -n \"__cleave_is \(name)\" ")
    }
    let found = lines.compactMap { line -> [String]? in
      guard let match = line.firstMatch(of: #/" (?:-s (.) )?-l ([a-z0-9-]+) /#) else { return nil }
      return (match.1.map { ["-\($0)"] } ?? []) + ["--\(match.2)"]
    }
    #expect(found == Self.names(page.options))
  }

  @Test(arguments: Completions.Shell.allCases)
  func everyWordOfTheTableIsOffered(shell: Completions.Shell) {
    let words = Set(Self.script(shell).split { " '()\n".contains($0) }.map(String.init))
    for page in Program.pages {
      for row in page.options {
        #expect(words.isSuperset(of: row.values + row.words), "\(page.name) \(row.longName)")
      }
    }
  }

  /// What the completions know and the parser does not check.
  @Test func wordsOfTheTableAreTaken() throws {
    for subcommand in Program.commands {
      for row in subcommand.page().options {
        for word in row.words {
          var known = Subcommand.Known()
          let given = FilePath("\(row.longName)=\(word)")
          #expect(throws: Never.self, "\(subcommand.name) \(given)") {
            try subcommand.parse([given], &known)
          }
        }
      }
    }
  }
}

@Suite struct CalendarDateTests {
  @Test(
    arguments: [
      (0, "January 1, 1970"), (86_399, "January 1, 1970"), (86_400, "January 2, 1970"),
      (951_782_399, "February 28, 2000"), (951_782_400, "February 29, 2000"),
      (951_868_800, "March 1, 2000"), (4_107_542_400, "March 1, 2100"),
      (1_795_392_000, "November 23, 2026"), (1_798_761_599, "December 31, 2026"),
      (-1, "January 1, 1970"), (.max, "December 31, 9999"),
    ] as [(Int64, String)]
  )
  func aDayHasItsName(seconds: Int64, text: String) {
    #expect(CalendarDate(seconds: seconds).text == text)
  }
}
