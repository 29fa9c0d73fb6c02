import Posix
import TestSupport
import Testing

/// Under the name of `split`, cleave does what GNU `split` does: the same files with the same modes, the same
/// words, the same exit code.
///
/// `make gnu-split` tries many more command lines; `CLEAVE_GNU_SPLIT` names another GNU program.
@Suite(.aside) struct SplitComparisonTests {
  private static let cases = number("CLEAVE_SPLIT_CASES") ?? 150
  private static let seed = number("CLEAVE_SPLIT_SEED").map { UInt64($0) } ?? SeededGenerator.seed
  private static let groups = 10

  private static func number(_ name: String) -> Int? {
    ProcessState.environment(name).flatMap { Int($0) }
  }

  @Test(arguments: 0..<groups) func randomCommandLinesDoTheSame(group: Int) throws {
    guard let twins = try SplitTwins() else { return print("skipped: there is no GNU split") }
    var (left, number, skipped) = (Self.cases / Self.groups, group, [SplitDifference: Int]())
    while left > 0 {
      defer { number += Self.groups }
      let test = SplitCase(seed: Self.seed, number: number)
      guard twins.compares(test) else {
        for difference in test.differences { skipped[difference, default: 0] += 1 }
        continue
      }
      left -= 1
      let (own, others) = try twins.results(test)
      let comment = Comment("CLEAVE_SPLIT_SEED=\(Self.seed), case \(number): \(test)")
      #expect(own.differences(from: others) == [], comment)
    }
    guard Self.cases > 1000 else { return }
    let told = skipped.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }
    print("seed \(Self.seed), group \(group), split \(twins.version); left out: \(told)")
  }

  /// A script, and whether what 9.1 does is what 9.5 does.
  private static let scripts: [(sentence: String, isOld: Bool, script: String)] = [
    ("a file is not overwritten by its parts", true, "seq 9 > xab; split -l 3 xab; ls"),
    ("nor is it by another name", true, "seq 9 > in; ln -s in xab; split -l 3 in; ls -l | wc -l"),
    (
      "parts may be devices and pipes", true,
      "seq 9 > in; ln -s /dev/null xab; mkfifo xac; cat xac > got & split -l 3 in; wait; rm xab xac"
    ),
    (
      "parts keep what they are linked to", true,
      "seq 9 > in; seq 99 > kept; ln -s kept xab; chmod 600 kept; split -l 3 in"
    ),
    ("a part that cannot be written ends it", true, "seq 9 > in; mkdir xac; split -l 3 in; ls"),
    ("a full standard output is told", true, "seq 9 > in; split --verbose -l 3 in > /dev/full"),
    ("also by the one chunk", true, "seq 10 > in; split -n 1/3 in > /dev/full"),
    (
      "also by lines", true,
      "seq 12 > in; split -n l/1/3 in > /dev/full; split -n r/1/3 in > /dev/full"
    ),
    ("nothing is said where nobody listens", true, "seq 9 > in; split --verbose -l 3 in >&-"),
    ("a closed standard input is told", true, "split <&-"),
    ("a file needs none", true, "seq 9 > in; split -l 2 in <&-"),
    ("a directory cannot be read", true, "mkdir d; split d; split -n 2 d"),
    (
      "the position of standard input counts", true,
      "seq 1000 > in; (head -c 0; dd bs=7 count=1 of=/dev/null status=none; split -b 1000; cat) < in"
    ),
    ("it is at the end then", true, "seq 99999 > in; (split -l 9999; wc -c) < in"),
    (
      "also for chunks", true,
      "seq 1000 > in; (dd bs=3 count=1 of=/dev/null status=none; split -n 2) < in"
    ),
    ("a size limit is a signal", true, "seq 99999 > in; ulimit -f 8; split -b 100k in; echo $?"),
    (
      "too few descriptors are shared", true,
      "seq 999 > in; ulimit -n 30; split -n r/60 in; echo $?"
    ),
    (
      "more outputs than there is memory for are refused", true,
      "split -n r/1000000000000 < /dev/null; echo $?; ls"
    ),
    ("also unbuffered", true, "seq 99 > in; ulimit -n 30; split -n r/60 -u in; echo $?"),
    (
      "filters that end early are no fault", true,
      "seq 99999 > in; split -b 90000 --filter='head -c 9 > $FILE' in; echo $?"
    ),
    ("nor are all of them", true, "yes | split -n r/3 --filter='head -n 1 > $FILE'; echo $?"),
    (
      "a filter that fails ends it", true,
      "seq 99 > in; split -l 9 --filter='cat > $FILE; [ $FILE != xac ]' in; echo $?"
    ),
    (
      "a filter finds the pipe signal at its default", true,
      "seq 99 > in; split -l 50 --filter='yes | head -n 1; cat > $FILE' in; echo $?"
    ),
    (
      "one that is ignored stays so", true,
      "trap '' PIPE; seq 9 > in; split --filter='grep SigIgn /proc/self/status > $FILE' in; echo $?"
    ),
    (
      "a filter has standard output and error", true,
      "seq 9 > in; split -l 3 --filter='echo a; echo b >&2; cat > $FILE' in 2>&1"
    ),
    ("the reader may go", true, "seq 99999 > in; (split -n 1/2 in; echo $? >&2) | head -c 9"),
    (
      "long lines are cut", true,
      "head -c 1500000 /dev/zero | tr '\\0' a > in; echo >> in; seq 9 >> in; split -C 700000 in; cat in | split -C 700000 - y; cmp xab yab"
    ),
    (
      "long lines are held", true,
      "(echo a; head -c 900000 /dev/zero | tr '\\0' b; echo; seq 9) > in; split -C 700000 in; cat in | split -C 700000 - y"
    ),
    (
      "long lines cover chunks", true,
      "(head -c 899999 /dev/zero | tr '\\0' b; echo; seq 9999 | head -c 100000) > in; split -n l/10 in; split -n l/5/10 in; split -n l/10/10 in"
    ),
    (
      "large files are cut as well", true,
      "seq 999999 > in; split -l 100000 in; split -b 1M in y; split -C 1M in z; cat x* | cmp - in; cat y* | cmp - in; cat z* | cmp - in; split -n r/7 in r; rm in"
    ),
    (
      "large parts go to filters", true,
      "seq 999999 > in; split -b 2M --filter='cat > $FILE' in; split -l 333333 --filter='cat > $FILE' in y; split -C 2M --filter='cat > $FILE' in z; rm in"
    ),
    ("a file that says it is empty is read", true, "split -b 20 /proc/version; cat x*; rm x*"),
    ("chunks of it, too", false, "split -n 3 /proc/version; cat x* | cmp - /proc/version; rm x*"),
    (
      "a large stream is counted", false,
      "seq 99999 | split -n 3; seq 99999 | split -n l/2/3 > m; seq 99999 | split -n 3/3 > n; seq 99999 | split -n l/4 - y"
    ),
    (
      "by a temporary file where that is wanted", false,
      "seq 99999 > in; TMPDIR=/nowhere; export TMPDIR; cat in | split -n 2; TMPDIR=. ; cat in | split -n 3 - y"
    ),
    (
      "what is left over is spread", false,
      "seq 99 | head -c 101 > in; split -n 7 in; split -n l/7 in y"
    ),
  ]

  @Test(arguments: scripts.indices) func scriptsDoTheSame(index: Int) throws {
    let row = Self.scripts[index]
    guard let twins = try SplitTwins() else { return print("skipped: there is no GNU split") }
    guard row.isOld || twins.isRecent else { return }
    let (own, others) = try twins.results(ofScript: row.script)
    #expect(own.differences(from: others) == [], Comment(rawValue: row.sentence))
  }

  // MARK: What no installed program shows

  private func split(_ script: String) throws -> SplitTwins.Result? {
    try SplitTwins()?.results(ofScript: script).0
  }

  @Test func chunksOfLessThanTheirNumberAreAsMany() throws {
    guard let result = try split("printf 'a\nb\n' > in; split -n l/7 in; ls") else { return }
    #expect(result.output == "in\nxaa\nxab\nxac\nxad\nxae\nxaf\nxag\n")
    #expect(result.files["xaa"] == Array("a\n".utf8))
    #expect(result.end == .exited(0))
  }

  @Test func hexadecimalLettersAreCounted() throws {
    guard let result = try split("printf abc | split -b 1 --hex-suffixes=9f; ls") else { return }
    #expect(result.output == "x9f\nxa0\nxa1\n")
  }

  @Test func remaindersAreSpreadAsIn9_5() throws {
    let script = "printf 0123456789 > in; split -n 4 in; printf 0123456789 | split -n 3/4"
    guard let result = try split(script) else { return }
    #expect(result.output == "67")
    #expect(["xaa", "xab", "xac", "xad"].map { result.files[$0]?.count } == [3, 3, 2, 2])
  }

  @Test func helpAndVersionTellWhatItIs() throws {
    guard let result = try split("split --help; split --version") else { return }
    #expect(result.output.hasPrefix("Usage: split [OPTION]... [FILE [PREFIX]]\n"))
    #expect(result.output.contains("split (cleave "))
    for option in [
      "-a", "-b", "-C", "-d", "-x", "-e", "-l", "-n", "-t", "-u", "--filter", "--verbose",
    ] {
      #expect(result.output.contains(" \(option)"))
    }
  }

  /// What was reserved and not needed is given back.
  @Test func noSpaceIsKept() throws {
    let script =
      "seq 700000 | head -c 3000000 > in; split -b 2M in; split -l 300000 in y; du -k x?? y??"
    guard let result = try split(script) else { return }
    let sizes = result.output.split(separator: "\n").compactMap { Int($0.prefix { $0.isNumber }) }
    #expect(sizes.count == 4)
    let total: Int = sizes.reduce(0) { $0 + $1 }
    // Both sets have 2,930 KiB.
    #expect(total < 6000)
  }
}
