import CommandLineKit
import Posix
import TestSupport
import Testing

@testable import CleaveCLI

/// README.md and the pages in docs have what there is, and nothing else.
@Suite struct DocumentTests {
  private static let pages: [FilePath] = {
    let names = (try? FileSystem.names(in: BuildProducts.sources.appending("docs"))) ?? []
    let inDocs = names.filter { $0.ends(in: ".md") }.map { FilePath("docs").appending($0) }
    return ["README.md", "SECURITY.md"] + inDocs.sorted()
  }()

  private static func text(_ path: FilePath) throws -> String {
    try Files.text(BuildProducts.sources.appending(path))
  }

  // MARK: Options, commands and codes

  /// Those of zip and of the Swift package manager.
  private static let foreign: Set = [
    "--array", "--base64", "--fsize", "--out", "--swift-sdk", "--wd", "--wrap",
  ]

  @Test(arguments: pages) func aPageNamesNoOptionThatIsNotThere(page: FilePath) throws {
    let known = Set(Program.pages.flatMap(\.options).map(\.longName))
    let named = try Self.text(page).matches(of: /(?:^|[^\w-])(--[a-z][a-z0-9-]*)/).map {
      String($0.1)
    }
    #expect(Set(named).subtracting(known).subtracting(Self.foreign) == [])
  }

  /// Those in the text, as far as they have no placeholder and nothing that only a shell understands.
  @Test(arguments: pages) func commandLinesCanBeTyped(page: FilePath) throws {
    for match in try Self.text(page).matches(of: /`cleave ([a-z]+)( [^`\n]+)`/) {
      let (name, rest) = (String(match.1), match.2)
      guard !rest.contains(/[A-Z]{3}|['"|>$…*]/) else { continue }
      let subcommand = try #require(Program.commands.first { $0.name == name }, "\(match.0)")
      var known = Subcommand.Known()
      let words = rest.split(separator: " ").map { FilePath(String($0)) }
      #expect(throws: Never.self, "\(match.0)") {
        try subcommand.parse(words, &known)
      }
    }
  }

  @Test func theReadmeNamesEveryCommand() throws {
    let text = try Self.text("README.md")
    for command in Program.commands {
      #expect(text.contains("cleave \(command.name)"), "\(command.name)")
    }
  }

  @Test func thePageOnScriptsAndTheManualHaveEveryExitCode() throws {
    let rows = try Self.text("docs/scripts.md").matches(of: /(?m)^\| ([0-9]+) \|/)
    let told = rows.compactMap { Int32($0.1) }
    #expect(told == ManualText.codes.map(\.code.rawValue))
    let source = try Self.text("Sources/CleaveCLI/ExitCode.swift")
    let known = source.matches(of: /static let \w+ = ExitCode\(rawValue: (\d+)\)/)
    #expect(known.compactMap { Int32($0.1) } == told)
  }

  // MARK: Pages

  @Test func theReadmeIsShort() throws {
    #expect(
      try Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count
        <= 151
    )
  }

  @Test(arguments: pages) func aPageHasATitleAndThenText(page: FilePath) throws {
    let lines = try Self.text(page).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.hasPrefix("# ") == true && lines.dropFirst().first == "")
    #expect(lines.dropFirst(2).first?.contains(/^[A-Za-z`]/) == true)
  }

  private static func links(_ page: FilePath) throws -> [FilePath] {
    try text(page).matches(of: /\]\(([^)#]+)[^)]*\)/).map { FilePath(String($0.1)) }
      .filter { !"\($0)".hasPrefix("https://") }
  }

  @Test(arguments: pages) func whatAPageLinksToIsThere(page: FilePath) throws {
    let directory = BuildProducts.sources.appending(page).directory
    for link in try Self.links(page) {
      #expect(try Files.exists(directory.appending(link)), "\(link)")
    }
  }

  @Test func theReadmeLeadsToEveryPage() throws {
    let links = Set(try Self.links("README.md"))
    #expect(Set(Self.pages).subtracting(links) == ["README.md"])
  }
}
