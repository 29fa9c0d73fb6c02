import Posix
import TestSupport
import Testing

/// What README.md and docs show of a terminal is what comes out when it is typed.
///
/// A transcript is a block that begins with "```console". A line "$ COMMAND" is run by the shell, and the lines
/// below it are what it writes. Each transcript has an empty directory, in which the comment "<!-- before" that
/// is right above it is run first; it ends with 77 where something is not installed. One that stands below
/// "<!-- goes on -->" has the directory that the one before it has left.
@Suite(.aside) struct TranscriptTests {
  @Test(arguments: Transcript.all)
  func whatAPageShowsIsWhatIsWritten(transcripts: Transcript.Chain) throws {
    let directory = try TemporaryDirectory()
    for transcript in transcripts.blocks {
      let before = try Self.run(transcript.before, in: directory)
      guard before.exitCode != 77 else {
        return print("skipped: \(transcript): \(before.errorText)")
      }
      #expect(before.exitCode == 0, "\(transcript): \(before)")
      for step in transcript.steps {
        let outcome = try Self.run("exec 2>&1\n\(step.command)", in: directory)
        #expect(
          Self.masked(outcome.outputText) == Self.masked(step.output),
          "\(transcript): \(step.command)"
        )
      }
    }
  }

  /// What begins like one outside of such a block is not run.
  @Test(arguments: Transcript.pages) func everyTranscriptIsRun(page: FilePath) throws {
    for (number, line) in Transcript.outside(of: page) {
      #expect(!line.contains(#/^\s*[$] /#), "\(page):\(number): \(line)")
    }
  }

  @Test func thereAreTranscripts() {
    #expect(Transcript.all.count > 12)
  }

  private static func run(_ script: String, in directory: TemporaryDirectory) throws -> Outcome {
    let programs = [Tool.cleave.path.directory, BuildProducts.directory].map(\.description)
    let path = programs + [ProcessState.environment("PATH") ?? "/usr/bin:/bin"]
    return try Tool.shell.run(
      ["-c", script],
      environment: [
        "PATH": path.joined(separator: ":"), "LC_ALL": "C", "TZ": "UTC",
        "FIXTURES": "\(BuildProducts.sources)/Fixtures",
      ],
      workingDirectory: directory.path
    )
  }

  /// Without what differs from machine to machine and from run to run.
  private static func masked(_ text: String) -> String {
    text.replacing(/[0-9]+ bytes \([^)]*\) free on \w+/, with: "N bytes free")
      .replacing(/"(seconds|peakMemory)":[0-9.e-]+/) { "\"\($0.1)\":N" }
      .replacing(#/ failed at [0-9]+:/#, with: " failed at N:")
  }
}

/// One block of a page.
struct Transcript: Sendable, CustomStringConvertible {
  /// A block and those that go on from it.
  struct Chain: Sendable, CustomTestStringConvertible {
    var blocks: [Transcript]
    var testDescription: String { blocks.map(\.description).joined(separator: ", ") }
  }

  let page: FilePath
  let line: Int
  /// The commands of the comment above it.
  var before = ""
  var steps: [(command: String, output: String)] = []
  var description: String { "\(page):\(line)" }

  /// Below the top of the source tree.
  static let pages: [FilePath] = {
    let names = (try? FileSystem.names(in: BuildProducts.sources.appending("docs"))) ?? []
    let inDocs = names.filter { $0.ends(in: ".md") }.map { FilePath("docs").appending($0) }
    return ["README.md"] + inDocs.sorted()
  }()

  static let all = pages.flatMap { page in
    read(page).reduce(into: [Chain]()) { chains, block in
      if block.goesOn, !chains.isEmpty {
        chains[chains.count - 1].blocks.append(block)
      } else {
        chains.append(Chain(blocks: [block]))
      }
    }
  }

  private var goesOn = false

  private init(page: FilePath, line: Int) { (self.page, self.line) = (page, line) }

  private static func lines(of page: FilePath) -> [(number: Int, text: Substring)] {
    let text = (try? Files.text(BuildProducts.sources.appending(page))) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { ($0.offset + 1, $0.element) }
  }

  private static func read(_ page: FilePath) -> [Transcript] {
    var all: [Transcript] = []
    var block: Transcript?
    var before: String?
    var (isBefore, goesOn) = (false, false)
    for (number, line) in lines(of: page) {
      if isBefore {
        isBefore = line != "-->"
        if isBefore { before = (before ?? "") + line + "\n" }
      } else if let open = block {
        if line == "```" {
          all.append(open)
          block = nil
        } else {
          block?.add(line)
        }
      } else if line == "<!-- before" {
        isBefore = true
      } else if line == "<!-- goes on -->" {
        goesOn = true
      } else if line == "```console" {
        block = Transcript(page: page, line: number)
        block?.before = before ?? ""
        block?.goesOn = goesOn
        (before, goesOn) = (nil, false)
      }
    }
    return all
  }

  private mutating func add(_ line: Substring) {
    if line.hasPrefix("$ ") {
      steps.append((String(line.dropFirst(2)), ""))
    } else if !steps.isEmpty {
      steps[steps.count - 1].output += line + "\n"
    }
  }

  /// The lines that no block has, and no comment.
  static func outside(of page: FilePath) -> [(number: Int, text: Substring)] {
    var isInside = false
    return lines(of: page).filter { line in
      if line.text == "```console" || line.text == "<!-- before" { isInside = true }
      defer { if line.text == "```" || line.text == "-->" { isInside = false } }
      return !isInside
    }
  }
}
