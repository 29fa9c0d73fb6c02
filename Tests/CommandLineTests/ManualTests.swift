import Posix
import TestSupport
import Testing

/// Manual pages as `man(1)` gets them.
@Suite(.aside) struct ManualTests {
  private static let commands = [
    [], ["split"], ["merge"], ["cat"], ["verify"], ["info"], ["repair"], ["finish"], ["clean"],
    ["bench"], ["help"],
    ["completions"],
  ]

  /// As a file, of which mandoc then tells the lines.
  private func page(_ command: [String], in directory: TemporaryDirectory) throws -> FilePath {
    let file = directory.file("page.1")
    let outcome = try Tool.cleave.run(
      ["help", "--manual"] + command,
      standardOutput: .file(file),
      environment: ["SOURCE_DATE_EPOCH": "1795392000"]
    )
    #expect(outcome.exitCode == 0 && outcome.errorText == "", "\(outcome)")
    return file
  }

  @Test(.enabled(if: Tool.find("mandoc") != nil, "needs mandoc"), arguments: commands)
  func mandocFindsNothingToWarnOf(command: [String]) throws {
    let directory = try TemporaryDirectory()
    let file = try page(command, in: directory)
    let mandoc = try #require(Tool.find("mandoc"))
    let lint = try mandoc.run(["-T", "lint", "-W", "warning", file])
    #expect(lint.exitCode == 0 && lint.outputText == "" && lint.errorText == "", "\(lint)")
  }

  @Test(.enabled(if: Tool.find("mandoc") != nil, "needs mandoc")) func aPageReadsAsTheHelpDoes()
    throws
  {
    let directory = try TemporaryDirectory()
    let shown = try #require(Tool.find("mandoc")).run([
      "-T", "utf8", "-O", "width=200", try page(["split"], in: directory),
    ])
    // Bold is a character, a backspace and the character.
    let text = shown.outputText.replacing(/.\u{8}/, with: "")
    let headings = text.split(separator: "\n").filter { $0.first?.isUppercase == true }
    #expect(
      headings.dropFirst() == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SIGNALS", "JSON", "ENVIRONMENT", "FILES",
        "EXIT STATUS", "EXAMPLES", "SEE ALSO",
      ]
    )
    for part in [
      "cleave-split – cut a file into numbered parts, with a manifest to check them by\n",
      "cleave split {-b SIZE | -n N | -l N | -C SIZE} [OPTION]... FILE [PREFIX]\n",
      "\n     -b, --bytes=SIZE\n",
      "\n     --progress[=WHEN]\n", "PREFIX.z01, PREFIX.z02 … PREFIX.zip,", "4GiB-1 works.",
      "cleave split -b fat32 disk.img /media/stick/\n", "November 23, 2026",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func thePagesOfAllCommandsAreWritten() throws {
    let directory = try TemporaryDirectory()
    let script = BuildProducts.sources.appending("Scripts/manual.sh")
    for _ in 1...2 {
      let outcome = try Tool(script).run([Tool.cleave.path, directory.path])
      #expect(outcome.exitCode == 0 && outcome.errorText == "", "\(outcome)")
    }
    let pages = Self.commands.map { (["cleave"] + $0).joined(separator: "-") + ".1" }
    #expect(Set(try FileSystem.names(in: directory.file("man")).map(\.description)) == Set(pages))
    let scripts = try FileSystem.names(in: directory.file("completions")).map(\.description)
    #expect(Set(scripts) == ["cleave.bash", "_cleave", "cleave.fish"])
    for script in scripts {
      #expect(try !Files.read(directory.file("completions").appending(FilePath(script))).isEmpty)
    }
  }
}
