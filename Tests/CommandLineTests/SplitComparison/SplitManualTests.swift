import Posix
import TestSupport
import Testing

/// A test for each sentence of GNU split's manual page, which is what its `--help` says.
@Suite(.aside) struct SplitManualTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// What stands on the left of the page; empty for what is about no option.
    var option: String
    var sentence: String
    /// What shows it; `in` has the lines 1 to 12.
    var script: String
    var shows: String
    /// Whether GNU split 9.1 does the same.
    var isOld = true

    var testDescription: String { option.isEmpty ? sentence : option }
  }

  private static let rows = [
    Row(
      option: "",
      sentence: "Output pieces of FILE to PREFIXaa, PREFIXab, ...",
      script: "split -l 5 in p; tail -n +1 p*",
      shows: "==> paa <==\n1\n2\n3\n4\n5\n\n==> pab <==\n6\n7\n8\n9\n10\n\n==> pac <==\n11\n12\n"
    ),
    Row(
      option: "",
      sentence: "default size is 1000 lines, and default PREFIX is 'x'.",
      script: "seq 2001 > in; split in; wc -l x* | sed 's/^ *//'",
      shows: "1000 xaa\n1000 xab\n1 xac\n2001 total\n"
    ),
    Row(
      option: "",
      sentence: "With no FILE, or when FILE is -, read standard input.",
      script: "split < in; cmp in xaa; cat in | split -l 9 - y; cat yaa yab | cmp - in; ls",
      shows: "in\nxaa\nyaa\nyab\n"
    ),
    Row(
      option: "",
      sentence: "Mandatory arguments to long options are mandatory for short options too.",
      script: "for o in a b C l n t; do split -$o 2>&1 | head -n 1; done",
      shows: "abClnt".map { "split: option requires an argument -- '\($0)'\n" }.joined()
    ),
    Row(
      option: "-a, --suffix-length=N",
      sentence: "generate suffixes of length N (default 2)",
      script: "split -l 6 -a 4 in; split -l 6 --suffix-length=1 in y; ls",
      shows: "in\nxaaaa\nxaaab\nya\nyb\n"
    ),
    Row(
      option: "--additional-suffix=SUFFIX",
      sentence: "append an additional SUFFIX to file names",
      script: "split -l 6 --additional-suffix=.txt in; ls",
      shows: "in\nxaa.txt\nxab.txt\n"
    ),
    Row(
      option: "-b, --bytes=SIZE",
      sentence: "put SIZE bytes per output file",
      script: "split -b 10 in; split --bytes=20 in y; wc -c x* y* | sed 's/^ *//'",
      shows: "10 xaa\n10 xab\n7 xac\n20 yaa\n7 yab\n54 total\n"
    ),
    Row(
      option: "-C, --line-bytes=SIZE",
      sentence: "put at most SIZE bytes of records per output file",
      script: """
        split -C 5 in; head -qn 1 x*
        split --line-bytes=2 in y; wc -c yaj yak yal | sed 's/^ *//'
        """,
      shows: "1\n3\n5\n7\n9\n11\n12\n2 yaj\n1 yak\n2 yal\n5 total\n"
    ),
    Row(
      option: "-d",
      sentence: "use numeric suffixes starting at 0, not alphabetic",
      script: "split -d -l 6 in; ls",
      shows: "in\nx00\nx01\n"
    ),
    Row(
      option: "--numeric-suffixes[=FROM]",
      sentence: "same as -d, but allow setting the start value",
      script: "split --numeric-suffixes -l 6 in; split --numeric-suffixes=9 -l 6 in y; ls",
      shows: "in\nx00\nx01\ny09\ny10\n"
    ),
    Row(
      option: "-x",
      sentence: "use hex suffixes starting at 0, not alphabetic",
      script: "split -x -l 1 in; ls",
      shows: "in\nx00\nx01\nx02\nx03\nx04\nx05\nx06\nx07\nx08\nx09\nx0a\nx0b\n"
    ),
    Row(
      option: "--hex-suffixes[=FROM]",
      sentence: "same as -x, but allow setting the start value",
      script: "split --hex-suffixes -l 6 in; split --hex-suffixes=9 -l 6 in y; ls",
      shows: "in\nx00\nx01\ny09\ny0a\n"
    ),
    Row(
      option: "-e, --elide-empty-files",
      sentence: "do not generate empty output files with '-n'",
      script: "printf ab > in; split -n 4 -e in; split -n 4 --elide-empty-files in y; ls",
      shows: "in\nxaa\nxab\nyaa\nyab\n"
    ),
    Row(
      option: "--filter=COMMAND",
      sentence: "write to shell COMMAND; file name is $FILE",
      script: "split -l 6 --filter='tac > $FILE.tac; echo $FILE' in; cat xab.tac; ls",
      shows: "xaa\nxab\n12\n11\n10\n9\n8\n7\nin\nxaa.tac\nxab.tac\n"
    ),
    Row(
      option: "-l, --lines=NUMBER",
      sentence: "put NUMBER lines/records per output file",
      script: "split -l 9 in; split --lines=11 in y; wc -l x* y* | sed 's/^ *//'",
      shows: "9 xaa\n3 xab\n11 yaa\n1 yab\n24 total\n"
    ),
    Row(
      option: "-n, --number=CHUNKS",
      sentence: "generate CHUNKS output files; see explanation below",
      script: "split -n 3 in; split --number=2 in y; ls",
      shows: "in\nxaa\nxab\nxac\nyaa\nyab\n"
    ),
    Row(
      option: "-t, --separator=SEP",
      sentence: "use SEP instead of newline as the record separator; '\\0' (zero) specifies NUL",
      script: """
        printf 'a;b;c' > in; split -t ';' -l 2 in; tail -n +1 x*; echo
        tr ';' '\\000' < in | split --separator='\\0' -l 1 - y; cat y* | tr '\\000' .; ls y*
        """,
      shows: "==> xaa <==\na;b;\n==> xab <==\nc\na.b.cyaa\nyab\nyac\n"
    ),
    Row(
      option: "-u, --unbuffered",
      sentence: "immediately copy input to output with '-n r/...'",
      script: """
        mkfifo go; (cat in; cat go > /dev/null; echo 13) | split -u -n r/2 - &
        until [ "$(cat xab 2>/dev/null | wc -l)" = 6 ]; do sleep 0.01; done
        cat xab; echo > go; wait; tail -n 1 xaa; rm go
        """,
      shows: "2\n4\n6\n8\n10\n12\n13\n"
    ),
    Row(
      option: "--verbose",
      sentence: "print a diagnostic just before each output file is opened",
      script: "mkdir xab; split --verbose -l 6 in 2>&1",
      shows: "creating file 'xaa'\ncreating file 'xab'\nsplit: xab: Is a directory\n"
    ),
    Row(
      option: "--help",
      sentence: "display this help and exit",
      script: "split --help -l 6 in | head -n 1; ls",
      shows: "Usage: split [OPTION]... [FILE [PREFIX]]\nin\n"
    ),
    Row(
      option: "--version",
      sentence: "output version information and exit",
      script: "split --version -l 6 in | head -n 1 | cut -c 1-7; ls",
      shows: "split (\nin\n"
    ),
    Row(
      option: "",
      sentence: "The SIZE argument is an integer and optional unit (example: 10K is 10*1024).",
      script: "head -c 20000 /dev/zero > in; split -b 10K in; wc -c x* | sed 's/^ *//'",
      shows: "10240 xaa\n9760 xab\n20000 total\n"
    ),
    Row(
      option: "",
      sentence: "Units are K,M,G,T,P,E,Z,Y,R,Q (powers of 1024) or KB,MB,... (powers of 1000).",
      script: """
        head -c 2000000 /dev/zero > in; head -c 2000 in > few
        for u in KB K; do split -b 1$u --filter='wc -c' few | head -n 1; done
        for u in MB M G T P E EB GB TB PB; do split -b 1$u --filter='wc -c' in | head -n 1; done
        """,
      shows: "1000\n1024\n1000000\n1048576\n" + String(repeating: "2000000\n", count: 8)
    ),
    Row(
      option: "",
      sentence: "Z, Y, R and Q are as large as there are any.",
      script: "for u in Z Y R Q ZB YB RB QB; do split -b 1$u in $u. && cat $u.*; done | wc -c",
      shows: "216\n",
      isOld: false
    ),
    Row(
      option: "",
      sentence: "Binary prefixes can be used, too: KiB=K, MiB=M, and so on.",
      script: "head -c 9999 /dev/zero > in; split -b 1KiB --filter='wc -c' in | head -n 1",
      shows: "1024\n"
    ),
    Row(
      option: "N",
      sentence: "split into N files based on size of input",
      script: "split -n 3 in; wc -c x* | sed 's/^ *//'",
      shows: "9 xaa\n9 xab\n9 xac\n27 total\n"
    ),
    Row(
      option: "K/N",
      sentence: "output Kth of N to stdout",
      script: "split -n 2/3 in; ls",
      shows: "\n6\n7\n8\n9\nin\n"
    ),
    Row(
      option: "l/N",
      sentence: "split into N files without splitting lines/records",
      script: "split -n l/3 in; tail -n +1 x*",
      shows: "==> xaa <==\n1\n2\n3\n4\n5\n\n==> xab <==\n6\n7\n8\n9\n\n==> xac <==\n10\n11\n12\n"
    ),
    Row(
      option: "l/K/N",
      sentence: "output Kth of N to stdout without splitting lines/records",
      script: "split -n l/2/3 in; ls",
      shows: "6\n7\n8\n9\nin\n"
    ),
    Row(
      option: "r/N",
      sentence: "like 'l' but use round robin distribution",
      script: "split -n r/5 in; cat xab; wc -l x* | sed 's/^ *//'",
      shows: "2\n7\n12\n3 xaa\n3 xab\n2 xac\n2 xad\n2 xae\n12 total\n"
    ),
    Row(
      option: "r/K/N",
      sentence: "likewise but only output Kth of N to stdout",
      script: "split -n r/2/5 in; ls",
      shows: "2\n7\n12\nin\n"
    ),
  ]

  private func run(_ script: String, by program: FilePath) throws -> Outcome {
    let (place, programs) = (try TemporaryDirectory(), try TemporaryDirectory())
    try Files.symlink(programs.file("split"), to: Files.resolved(program))
    let lines = (1...12).map { "\($0)\n" }.joined()
    try Files.write(Array(lines.utf8), to: place.file("in"))
    let path = ProcessState.environment("PATH") ?? "/usr/bin:/bin"
    return try Tool.shell.run(
      ["-c", FilePath(script)],
      environment: ["PATH": "\(programs.path):\(path)", "LC_ALL": "C"],
      workingDirectory: place.path
    )
  }

  @Test(arguments: rows) func theSentenceIsTrue(row: Row) throws {
    let outcome = try run(row.script, by: Tool.cleave.path)
    #expect(outcome.outputText == row.shows, "\(row.sentence): \(outcome)")
    // What the installed program does shows that the row is right.
    guard let twins = try SplitTwins(), row.isOld || twins.isRecent else { return }
    let script = "seq 12 > in; LC_ALL=C; export LC_ALL\n\(row.script)"
    let theirs = try twins.results(ofScript: script).1
    #expect(theirs.output == row.shows, "\(row.sentence), of \(twins.version): \(theirs.error)")
  }

  /// Of the installed program's page, all that has a left side.
  @Test func everyOptionHasARow() throws {
    guard let twins = try SplitTwins() else { return print("skipped: there is no GNU split") }
    let help = try twins.results(ofScript: "LC_ALL=C split --help").1.output
    let left = #/(?m)^  +(-.*?|[lr]?/?[KN](?:/N)?)(?:  .*)?$/#
    let found = help.matches(of: left).map { String($0.1) }
    #expect(found.count > 20, "\(found)")
    for option in found {
      #expect(Self.rows.contains { $0.option == option }, "\(option)")
    }
  }
}
