import Posix
import TestSupport
import Testing

/// Command lines that are wrong, and help.
@Suite(.aside) struct UsageTests {
  @Test(
    arguments: [
      (
        [],
        "a command is missing: split, merge, cat, verify, info, repair, finish, clean, bench, help or completions "
          + "(see 'cleave --help')"
      ),
      (["mrege"], "'mrege' is not a command; did you mean merge? (see 'cleave --help')"),
      (["zzzzzzz"], "'zzzzzzz' is not a command (see 'cleave --help')"),
      (["help", "zzzzzzz"], "'zzzzzzz' is not a command (see 'cleave help --help')"),
      (["help", "cat", "merge"], "help is about one command at a time (see 'cleave help --help')"),
      (
        ["merge", "--forse", "x"],
        "unknown option --forse; did you mean --force? (see 'cleave merge --help')"
      ),
      (["merge", "-Z", "x"], "unknown option -Z (see 'cleave merge --help')"),
      (
        ["merge", "--ver", "x"],
        "--ver is ambiguous: --verify, --version, --verbose (see 'cleave merge --help')"
      ),
      (
        ["completions"], "a shell is missing: bash, zsh or fish (see 'cleave completions --help')"
      ),
      (
        ["completions", "bahs"],
        "'bahs' is not one of bash, zsh, fish; did you mean bash? (see 'cleave completions --help')"
      ),
      (["merge"], "a part to merge is missing (see 'cleave merge --help')"),
      (
        ["split", "-b", "1"],
        "a file to split is missing; - is standard input (see 'cleave split --help')"
      ),
      (
        ["split", "-b", "1", "a", "b", "c"],
        "'c' is one operand too many: FILE and PREFIX are enough (see 'cleave split --help')"
      ),
      (
        ["split", "-b", "1", "-"],
        "standard input has no name: a PREFIX is needed (see 'cleave split --help')"
      ),
      (
        ["split", "-n", "2", "--dry-run", "-", "x"],
        "--dry-run needs a file: standard input has no known length (see 'cleave split --help')"
      ),
      (
        ["split", "-b", "1,5G", "f"],
        "-b: '1,5G' would make one part of 1 byte: sizes are whole numbers, such as 1536M for 1.5G, and "
          + "'1,5G,rest' is a list of two (see 'cleave split --help')"
      ),
      (
        ["split", "-b", "githb", "f"],
        "-b: 'githb' is no size, and no preset of those that 'cleave split --list-presets' lists; did you "
          + "mean github? (see 'cleave split --help')"
      ),
      (
        ["unzip", "a.zip"],
        "'unzip' is not a command; type 'cleave merge a.zip', and unpack what that makes (see 'cleave --help')"
      ),
      (["merge", "--output"], "--output needs a FILE (see 'cleave merge --help')"),
      (["merge", "--force=x", "y"], "--force takes no argument (see 'cleave merge --help')"),
      (
        ["merge", "--low-water=2", "--high-water=1", "x"],
        "the low water mark is above the high water mark (see 'cleave merge --help')"
      ),
      (
        ["merge", "--high-water=2", "--window=1", "x"],
        "the window is smaller than the high water mark (see 'cleave merge --help')"
      ),
      (
        ["merge", "--low-water=2", "--window=1", "x"],
        "the window is smaller than the low water mark (see 'cleave merge --help')"
      ),
      (
        ["merge", "--high-water=0", "x"],
        "--high-water: '0' must be more than 0 (see 'cleave merge --help')"
      ),
      (
        ["merge", "--engine=searial", "x"],
        "--engine: 'searial' is not one of serial, multiqueue, zerocopy, direct, auto; did you mean serial? "
          + "(see 'cleave merge --help')"
      ),
      (
        ["merge", "--json", "-o", "-", "x"],
        "--json and data cannot both go to standard output (see 'cleave merge --help')"
      ),
    ] as [([String], String)]
  )
  func aWrongCommandLineIsToldInOneLine(arguments: [String], line: String) throws {
    let outcome = try Tool.cleave.run(arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText == "cleave: \(line)\n")
    #expect(outcome.outputText == "")
  }

  /// Words that people try, and what they are to type instead.
  @Test(
    arguments: [
      (["join", "a.001"], "merge a.001"), (["concat", "a.001", "a.002"], "merge a.001 a.002"),
      (["Join", "-o", "b c", "a.001"], "merge -o \"b c\" a.001"), (["combine"], "merge PART"),
      (["test", "a.zip"], "verify a.zip"), (["cut", "f"], "split -b SIZE f"),
      (["cut", "-n", "2", "f"], "split -n 2 f"), (["list"], "info PART"), (["cleanup"], "clean"),
      (["f.bin.001"], "merge f.bin.001"), (["f.bin.002", "-f"], "merge f.bin.002 -f"),
      (["f.bin.sfv"], "verify f.bin.sfv"), (["whole"], "split -b SIZE whole"), (["."], "info ."),
    ] as [([String], String)]
  )
  func anotherWordGetsTheLineToType(arguments: [String], line: String) throws {
    let directory = try TemporaryDirectory()
    for name in ["f.bin.001", "f.bin.002", "f.bin.sfv", "whole"] as [FilePath] {
      try Files.write(Array("content of \(name)".utf8), to: directory.file(name))
    }
    let outcome = try Tool.cleave.run(arguments, workingDirectory: directory.path)
    #expect(outcome.exitCode == 64, "\(outcome)")
    let told = "'\(arguments[0])' is not a command; type 'cleave \(line)'"
    #expect(outcome.errorText == "cleave: \(told) (see 'cleave --help')\n")
    #expect(outcome.outputText == "")
    #expect(try directory.names().count == 4)
  }

  @Test func aLongLineIsNotRepeated() throws {
    let outcome = try Tool.cleave.run(["join"] + (100...300).map { "film.\($0)" })
    #expect(outcome.exitCode == 64, "\(outcome)")
    let told = "'join' is not a command; type 'cleave merge' in place of it (see 'cleave --help')"
    #expect(outcome.errorText == "cleave: \(told)\n")
  }

  @Test(
    arguments: [
      [], ["split"], ["merge"], ["cat"], ["verify"], ["info"], ["repair"], ["clean"], ["bench"],
      ["help"], ["completions"],
    ]
  )
  func helpFitsEightyColumns(command: [String]) throws {
    for arguments in [command + ["--help"], command + ["-h"], ["help"] + command] {
      let outcome = try Tool.cleave.run(arguments)
      #expect(outcome.exitCode == 0)
      #expect(outcome.errorText == "")
      let lines = outcome.outputText.split(separator: "\n", omittingEmptySubsequences: false)
      let usage = try #require(lines.firstIndex { $0.hasPrefix("Usage: cleave ") })
      #expect(lines[usage].hasPrefix("Usage: cleave \(command.first ?? "COMMAND") "))
      #expect(lines.last == "")
      let wide = lines.filter { $0.count > 80 || $0.last == " " }
      #expect(wide == [])
      // Behind 24 lines there is an empty end.
      if arguments.last == "-h" {
        #expect(usage > 0 && lines.count <= 25, "\(arguments): \(lines.count)")
      } else {
        #expect(usage == 0)
      }
    }
  }

  @Test(arguments: [["help", "merge"], ["merge", "--help", "--nonsense"], ["--help", "merge"]])
  func helpIsFoundInSeveralWays(arguments: [String]) throws {
    let outcome = try Tool.cleave.run(arguments)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.hasPrefix("Usage: cleave merge "), "\(outcome)")
  }

  @Test(
    arguments: [["--version"], ["-V"], ["merge", "--version"], ["merge", "-V"], ["-V", "merge"]]
  )
  func theVersionAndTheLibraryAreTold(arguments: [String]) throws {
    let outcome = try Tool.cleave.run(arguments)
    #expect(outcome.exitCode == 0)
    let version = /cleave \d+\.\d+\.\d+\n/
    let libraries = /sums .* by (zlib|ISA-L), digests by libcrypto where it is installed\n/
    let text = outcome.outputText
    let rest = text.prefixMatch(of: version).map { text[$0.range.upperBound...] }
    #expect(rest?.wholeMatch(of: libraries) != nil, "\(outcome)")
  }

  @Test func presetsAreListed() throws {
    let outcome = try Tool.cleave.run(["split", "--list-presets"])
    #expect(outcome.exitCode == 0 && outcome.errorText == "", "\(outcome)")
    let lines = outcome.outputText.split(separator: "\n")
    #expect(lines.count > 10)
    #expect(
      lines.first
        == "fat32           4294967295 bytes (4.0 GiB)    the largest file that FAT32 can hold"
    )
    #expect(try Tool.cleave.run(["split", "--list-presets", "--json"]).exitCode == 64)
  }

  /// Wherever --json stands.
  @Test(
    arguments: [
      ["split", "-n", "x", "--json", "f"], ["split", "--json", "-n", "x", "f"],
      ["verify", "--json", "--list-bad", "f"], ["merge", "--forse", "--json", "f"],
    ]
  )
  func aWrongCommandLineIsAnObject(arguments: [String]) throws {
    let outcome = try Tool.cleave.run(arguments)
    #expect(outcome.exitCode == 64, "\(outcome)")
    let report = try JSON(outcome)
    #expect(report.text("event") == "failure" && report.text("command") == arguments[0])
    let plain = try Tool.cleave.run(["split", "-n", "x", "--", "--json"])
    #expect(plain.exitCode == 64 && plain.outputText == "", "\(plain)")
  }

  @Test func colorIsForThoseWhoAsk() throws {
    let plain = try Tool.cleave.run(["merge"])
    let colored = try Tool.cleave.run(["merge", "--color=always"])
    #expect(!plain.errorText.contains("\u{1B}"))
    #expect(colored.errorText.hasPrefix("\u{1B}[31mcleave:\u{1B}[0m a part to merge"))
  }
}
