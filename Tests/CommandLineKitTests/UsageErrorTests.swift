import CommandLineKit
import Posix
import Testing

@Suite struct UsageErrorTests {
  @Test(
    "a wrong command line is answered in one sentence",
    arguments: [
      (["--hihg-water=5"], "unknown option --hihg-water; did you mean --high-water?"),
      (["--FORCE"], "unknown option --FORCE; did you mean --force?"),
      (["--nonsense"], "unknown option --nonsense"),
      (["--nonsense=x\ny"], "unknown option --nonsense"),
      (["a", "--nonsense", "b"], "unknown option --nonsense"),
      (["--=x"], "unknown option --=x"),
      (["--for\u{1B}[31m"], "unknown option --for\\x1b[31m"),
      (["-x"], "unknown option -x"),
      (["-fqx"], "unknown option -x"),
      (["-fxq", "a"], "unknown option -x"),
      (["a", "-fx", "b", "-f"], "unknown option -x"),
      (["-:"], "unknown option -:"),
      (
        ["-f.001"],
        "unknown option -. in -f.001; -- stands in front of names that begin with a dash"
      ),
      (["-?"], "unknown option -?"),
      (["-;"], "unknown option -;"),
      (["-W", "force"], "unknown option -W"),
      (["-\u{1B}"], "unknown option -\\x1b"),
      (["-\u{E9}"], "unknown option -\u{E9}"),
      (["-f\u{20AC}q", "-q"], "unknown option -\u{20AC}"),
      (["a", "-f\u{1F600}"], "unknown option -\u{1F600}"),
      ([.broken("-")], "unknown option -\\xff"),
      ([.broken("-f")], "unknown option -\\xff"),
      (["a", .broken("-f", 0xC3), "-b"], "unknown option -\\xc3"),
      ([.broken("--forc")], "unknown option --forc\\xff"),
      ([.broken("--force=")], "--force takes no argument"),
      (["--ver"], "--ver is ambiguous: --verify, --verify-never"),
      (["--h"], "--h is ambiguous: --high-water, --help"),
      (["--h=1"], "--h is ambiguous: --high-water, --help"),
      (["--high-water"], "--high-water needs a SIZE"),
      (["--high"], "--high-water needs a SIZE"),
      (["a", "--bytes"], "--bytes needs a SIZE"),
      (["-b"], "-b needs a SIZE"),
      (["a", "-fb"], "-b needs a SIZE"),
      (["--engine"], "--engine needs an ENGINE"),
      (["-j"], "-j needs an N"),
      (["--force=yes"], "--force takes no argument"),
      (["--fo="], "--force takes no argument"),
      (["--verify=no"], "--verify takes no argument"),
      (["-f=yes"], "unknown option -="),
    ] as [([FilePath], String)]
  )
  func aWrongCommandLineIsAnswered(arguments: [FilePath], message: String) {
    #expect(throws: UsageError(message)) { _ = try parse(arguments) }
  }

  @Test(
    "a wrong argument is answered with the option's name",
    arguments: [
      (
        ["--engine=foo"],
        "--engine: 'foo' is not one of serial, multiqueue, zerocopy, auto"
      ),
      (
        ["-e", "zercopy"],
        "-e: 'zercopy' is not one of serial, multiqueue, zerocopy, auto; did you mean zerocopy?"
      ),
      (["--engine="], "--engine: '' is not one of serial, multiqueue, zerocopy, auto"),
      (
        [.broken("--engine=serial")],
        "--engine: 'serial\\xff' is not one of serial, multiqueue, zerocopy, auto"
      ),
      (["--sums=md5"], "--sums: 'md5' is not one of none, crc, sfv"),
      (
        ["--color=nevr"],
        "--color: 'nevr' is not one of always, never, auto; did you mean never?"
      ),
      ([.broken("--name=a")], "--name: 'a\\xff' is not UTF-8"),
      (["-n", .broken("\n")], "-n: '\\n\\xff' is not UTF-8"),
      (
        ["--by", "12X"],
        "--bytes: '12X' is not a size; use a number with K, M, G, KB, KiB and the like"
      ),
      (["-j0"], "-j: '0' is not a number from 1 to 64"),
      (["--jobs=65"], "--jobs: '65' is not a number from 1 to 64"),
      (["--jobs=+5"], "--jobs: '+5' is not a number from 1 to 64"),
      (["--jobs="], "--jobs: '' is not a number from 1 to 64"),
      (["-j99999999999999999999"], "-j: '99999999999999999999' is not a number from 1 to 64"),
      (["-j", .broken("5")], "-j: '5\\xff' is not a number from 1 to 64"),
    ] as [([FilePath], String)]
  )
  func aWrongArgumentIsAnswered(arguments: [FilePath], message: String) {
    #expect(throws: UsageError(message)) { _ = try parse(arguments) }
  }

  @Test func anErrorDescribesItself() {
    #expect("\(UsageError("unknown option -x"))" == "unknown option -x")
  }
}
