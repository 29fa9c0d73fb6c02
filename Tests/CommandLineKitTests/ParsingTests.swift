import CommandLineKit
import Posix
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct ParsingTests {
  @Test(
    "an option reaches its setting in every spelling",
    arguments: [
      (["-f"], settings { $0.force = true }),
      (["--force"], settings { $0.force = true }),
      (["--fo"], settings { $0.force = true }),
      (["--verify-never"], settings { $0.verify = false }),
      (["--verify-never", "--verify"], settings { $0.verify = true }),
      (["-b10M"], settings { $0.bytes = 10 << 20 }),
      (["-b", "10M"], settings { $0.bytes = 10 << 20 }),
      (["--bytes=10M"], settings { $0.bytes = 10 << 20 }),
      (["--bytes", "10M"], settings { $0.bytes = 10 << 20 }),
      (["--by=1", "-b2", "--bytes", "3"], settings { $0.bytes = 3 }),
      (["-fqb7"], settings { ($0.force, $0.quiet, $0.bytes) = (true, true, 7) }),
      (["-fqb", "7"], settings { ($0.force, $0.quiet, $0.bytes) = (true, true, 7) }),
      (["-n", "-f"], settings { $0.name = "-f" }),
      (["--name", "--"], settings { $0.name = "--" }),
      (["--name="], settings { $0.name = "" }),
      (["--name=a=b"], settings { $0.name = "a=b" }),
      (["-n=a"], settings { $0.name = "=a" }),
      (["--engine=zerocopy"], settings { $0.engine = .zerocopy }),
      (["-eserial", "-e", "multiqueue"], settings { $0.engine = .multiqueue }),
      (["--sums=crc"], settings { $0.sums = .crc }),
      (["-j8"], settings { $0.jobs = 8 }),
      (["--color"], settings { $0.color = .always }),
      (["-c"], settings { $0.color = .always }),
      (["--color=auto"], settings { $0.color = .auto }),
      (["-cq"], settings { ($0.color, $0.quiet) = (.always, true) }),
    ] as [([FilePath], SampleSettings)]
  )
  func anOptionReachesItsSetting(arguments: [FilePath], expected: SampleSettings) throws {
    let (settings, operands) = try parse(arguments)
    #expect(settings == expected)
    #expect(operands == [])
  }

  @Test(
    "operands are what is left over, in their order",
    arguments: [
      ([], []),
      (["a", "b"], ["a", "b"]),
      (["-f", "a", "b"], ["a", "b"]),
      (["a", "-f", "b"], ["a", "b"]),
      (["a", "b", "-f"], ["a", "b"]),
      (["a", "-b", "1", "b", "-f", "c"], ["a", "b", "c"]),
      (["-"], ["-"]),
      (["-", "-f", "-"], ["-", "-"]),
      (["-f", "--", "-b", "--force"], ["-b", "--force"]),
      (["a", "--", "-b", "--"], ["a", "-b", "--"]),
      (["--"], []),
      ([""], [""]),
      (["", "-f", ""], ["", ""]),
      (["-c", "never"], ["never"]),
      (["--color", "never"], ["never"]),
      ([.broken("a"), "-f", .broken("-", 0x0A)], [.broken("a")]),
      (["--", .broken("-"), .broken("--")], [.broken("-"), .broken("--")]),
    ] as [([FilePath], [FilePath])]
  )
  func operandsAreLeftOver(arguments: [FilePath], expected: [FilePath]) throws {
    var settings = SampleSettings()
    let command = Command<SampleSettings>(
      "any",
      summary: "",
      usage: [],
      options: [
        .flag("force", short: "f", group: "", help: "", sets: \.force),
        .value("bytes", short: "b", "SIZE", group: "", help: "", sets: \.path) { $0.value },
        .choice("color", short: "c", "WHEN", bare: .always, group: "", help: "", sets: \.color),
        .flag("odd", short: "\n", group: "", help: "", sets: \.quiet),
      ]
    )
    #expect(try command.parse(arguments, into: &settings) == expected)
  }

  @Test func bytesThatAreNotTextReachTheSettings() throws {
    #expect(try parse([.broken("--path=")]).settings.path == .broken(""))
    #expect(try parse(["--path", .broken("a")]).settings.path == .broken("a"))
    #expect(try parse([.broken("-fp")]).settings.path == .broken(""))
    #expect(try parse(["-p", .broken("\u{E9}", 0x80)]).settings.path == .broken("\u{E9}", 0x80))
  }

  @Test func theSettingsKeepWhatWasSaidBeforeAnError() {
    var settings = SampleSettings()
    #expect(throws: UsageError("unknown option -x")) {
      _ = try sample.parse(["-hx", "-f"], into: &settings)
    }
    #expect(settings.help)
    #expect(!settings.force)
  }

  @Test func aScanThatFailedLeavesNothingForTheNext() throws {
    #expect(throws: UsageError.self) { _ = try parse(["-xfq", "a"]) }
    let (settings, operands) = try parse(["-b1", "a"])
    #expect(settings.bytes == 1)
    #expect(!settings.force)
    #expect(operands == ["a"])
  }
}

@Suite struct FirstOperandTests {
  @Test(
    "the scan stops at the first operand and tells how far it came",
    arguments: [
      (["-f", "split", "-q", "a"], 1),
      (["split", "-q"], 0),
      (["-b", "1", "split", "-q"], 2),
      (["-f", "--", "split", "-q"], 2),
      (["-f", "-", "-q"], 1),
      (["-f"], 1),
      ([], 0),
    ] as [([FilePath], Int)]
  )
  func theScanStops(arguments: [FilePath], consumed: Int) throws {
    let (settings, rest) = try parse(arguments, stopAtFirstOperand: true)
    #expect(rest == Array(arguments.dropFirst(consumed)))
    #expect(!settings.quiet)
  }

  #if compiler(>=6.2)
    // Its own process: the environment belongs to all tests.
    @Test func theScanStopsForThoseWhoWantPosix() async {
      await #expect(processExitsWith: .success) {
        setenv("POSIXLY_CORRECT", "1", 1)
        let (settings, operands) = try parse(["-f", "a", "-q"])
        #expect(settings == SampleSettings(force: true))
        #expect(operands == ["a", "-q"])
      }
    }
  #endif
}
