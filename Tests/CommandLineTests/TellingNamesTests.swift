import Posix
import TestSupport
import Testing

/// What names and lists beside the parts tell of what is not there is acted upon.
@Suite struct TellingNamesTests: CommandLines {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// For `sh`, with 3372 bytes in `W`, and the program as `cleave`.
    let script: String
    /// Command lines, with what they end in and a part of what they say.
    let runs: [(code: CInt, line: String, text: String)]

    init(_ name: String, _ script: String, _ runs: (CInt, String, String)...) {
      (testDescription, self.script) = (name, script)
      self.runs = runs.map { ($0.0, $0.1, $0.2) }
    }
  }

  private static let cut = "split -a 3 -d -b 1024 --numeric-suffixes=1 W"

  private static let json = """
    \(cut) f.; (echo {; for n in 1 2 3 4; do
    echo "\\"f.00$n\\": \\"$(sha256sum f.00$n | cut -c 1-64)\\","; done; echo }) > sha256sums.json
    """

  static let cases = [
    Case(
      "letters that have become more belong to those in front of them",
      "head -c 1400 /dev/zero > Z; split -b 2 Z d.; rm Z; sha256sum d.* > d.sha256; rm d.aa",
      (66, "merge -o out d.zaaa", "1 part is missing: d.aa"),
      (66, "merge -o out d.ac", "1 part is missing: d.aa"),
      (65, "merge -o out .", "d (from d.ab), d (from d.zaaa)")
    ),
    Case(
      "the first of RAR volumes may be a program",
      "echo MZ > a.part1.exe; echo > a.part2.rar; echo > a.part3.rar",
      (66, "merge a.part1.exe", "a.part2.rar has the name of a RAR volume"),
      (66, "merge --consume .", "a.part2.rar has the name of a RAR volume")
    ),
    Case(
      "the next part may have another ending",
      "for n in 1 2; do head -c 1024 W > f.part$n.mkv; done; head -c 9 W > f.part3.avi",
      (66, "merge f.part1.mkv", "f.part3.avi may be f.part3.mkv"),
      (0, "merge --last=2 -o out f.part1.mkv", "from 2 parts")
    ),
    Case(
      "an ending that other parts have beside themselves is that of other files",
      "for n in 1 2; do head -c 1024 W > f.part$n.mkv; done; echo > f.part1.avi; echo > f.part3.avi",
      (0, "merge f.part1.mkv", "from 2 parts")
    ),
    Case(
      "subtitles are no parts of a film",
      "for n in 1 2; do head -c 1024 W > f.part$n.mkv; done; echo > f.part3.srt",
      (0, "merge f.part1.mkv", "from 2 parts")
    ),
    Case(
      "a list of what is kept beside a film is not about it",
      "\(cut) f.; md5sum W | sed s/W/f.nfo/ > f.md5",
      (0, "merge f.001", "nothing to compare with")
    ),
    Case(
      "a list that is asked for is one, whatever it is called",
      "\(cut) f.; sha256sum f.00? > parts; cp parts f.txt; echo x >> f.004",
      (1, "verify --manifest=parts", "3 right, 1 wrong, 0 missing"),
      (1, "verify --manifest=f.txt f.txt", "3 right, 1 wrong, 0 missing")
    ),
    Case(
      "of a whole whose parts are beside it, the first is named",
      "\(cut) f.; cp W f",
      (66, "merge f", "and parts of such a file are beside it: try f.001; else name all parts")
    ),
    Case(
      "a film that another part begins than the first is in the wrong order",
      "(printf 'RIFF\\044\\015\\0\\0WAVE'; cat W) | split -b 1100 -d -a 3 - f.wav.; "
        + "mv f.wav.000 x; mv f.wav.001 f.wav.000; mv x f.wav.001",
      (65, "merge f.wav.000", "but f.wav.001 does: they are in the wrong order"),
      (0, "merge --format=raw f.wav.000", "from 4 parts")
    ),
    Case(
      "a whole that has more than the parts tells of one that is missing",
      "\(cut) f.; rm f.004; cp W f",
      (
        66, "merge -f --consume f.001",
        "f: has 3372 bytes and begins as the parts do, which have 3072"
      ),
      (0, "merge -f --last=f.003 f.001", "from 3 parts")
    ),
    Case(
      "another file under the name of the whole may have more",
      "\(cut) f.; tac W > f; echo >> f",
      (73, "merge f.001", "f: exists; --force replaces it"),
      (0, "merge -f f.001", "from 4 parts")
    ),
    Case(
      "parts are not freed where a text has their sums",
      "\(cut) f.; (echo Sums:; md5sum f.00?) > README",
      (
        66, "merge --consume f.001",
        "compares with it; --manifest=none frees the parts all the same"
      ),
      (0, "merge f.001", "README: has sums of the parts"),
      (0, "merge -f --consume --manifest=none f.001", "from 4 parts")
    ),
    Case(
      "what is given is not freed beside a list of it",
      "\(cut) f.; md5sum f.00? > f.md5; cp f.001 f.002",
      (66, "merge --consume --as-given -o out f.001 f.002", "f.md5: has sums of the parts"),
      (0, "merge --consume --as-given --manifest=none -o out f.001 f.002", "from 2 parts")
    ),
    Case(
      "one digest beside one name may be a sum",
      "\(cut) f.; (echo '## f'; echo MD5: $(md5sum < W | cut -c-32)) > checksums.md",
      (0, "merge f.001", "checksums.md: may have sums that are not compared"),
      (66, "merge -f --consume f.001", "; --manifest=none frees the parts all the same")
    ),
    Case(
      "a part that was packed is to be unpacked",
      "\(cut) f.; gzip f.004",
      (66, "merge f.001", "f.004.gz may be f.004, which is not there: unpack it, or --last=3")
    ),
    Case(
      "a part that was saved twice is told",
      "cut() { split -b 65536 -a 3 -d --numeric-suffixes=1 - $1; }; seq 40000 | cut f.; cp f.002 f.003; "
        + "yes 1 | head -c 140000 | cut g.",
      (0, "merge f.001", "f.003: has the same bytes as f.002: one may have been saved"),
      (65, "merge -f --strict f.001", "f.003: has the same bytes as f.002"),
      (0, "merge --strict g.001", "from 3 parts")
    ),
    Case(
      "zeros are as good as others",
      "head -c 3000 /dev/zero | split -b 1024 -a 3 -d --numeric-suffixes=1 - f.",
      (0, "merge --strict f.001", "from 3 parts")
    ),
    Case(
      "lines of JSON are a list",
      "\(cut) f.; for p in f.00?; do echo \"{\\\"$p\\\":\\\"$(md5sum < $p | cut -c-32)\\\"}\"; done "
        + "> checksums.ndjson; cp f.002 f.003",
      (65, "merge f.001", "checksums.ndjson: ")
    ),
    Case(
      "the second disk is not the first",
      "for n in 1 2; do head -c 1024 W > g.wbf$n; done",
      (66, "merge -o out g.wbf1 g.wbf2", "those in front of it are not given"),
      (0, "merge --as-given -o out g.wbf1 g.wbf2", "from 2 parts")
    ),
    Case(
      "a list under the name of the whole is of that, whatever name it has in it",
      "\(cut) f.; echo \"$(md5sum < W | cut -c 1-32)  /srv/big.bin\" > f.md5",
      (65, "merge f.001", "big.bin, which may be what they make"),
      (65, "merge -o big f.001", "big.bin, which may be what they make"),
      (0, "merge -o big.bin f.001", "as in f.md5"),
      (0, "merge -o out --manifest=f.md5 f.001", "as in f.md5"),
      (0, "merge -o two --manifest=none f.001", "nothing to compare with")
    ),
    Case(
      "a list in JSON is a list",
      json,
      (0, "merge -o out f.001", "as in sha256sums.json")
    ),
    Case(
      "what only a list in JSON has is missing",
      json + "; rm f.004",
      (66, "merge f.001", "1 part is missing: f.004")
    ),
    Case(
      "a list may begin with number 1 where others begin with 0",
      "split -b 1024 --numeric-suffixes=1 W x; md5sum x0? > x.md5",
      (0, "merge -o out x.md5", "as in x.md5")
    ),
    Case(
      "letters have gaps",
      "split -a 1 -b 1024 W x; rm xb; for n in A B D; do echo > Film_$n; done",
      (66, "merge -o out xa xc xd", "the parts between them are not given"),
      (66, "merge -o out Film_A Film_B Film_D", "1 part is missing: Film_c"),
      (0, "merge -o out --as-given xa xc xd", "from 3 parts")
    ),
    Case(
      "one of several given letters is empty",
      "split -a 1 -b 1024 W x; : > xb",
      (65, "merge -o out xa xb xc xd", "xb")
    ),
    Case(
      "another copy is no part",
      "cp W name.bin; cp W 'name(1).bin'",
      (66, "merge -o out name(1).bin name.bin", "may be another copy of name.bin")
    ),
    Case(
      "letters that are not of ASCII have cases, too",
      "echo > für.001; echo 1 > für.002; md5sum für.00? | sed s/für/FÜR/ > l.md5",
      (65, "merge für.001", "FÜR.001, in letters of another case")
    ),
    Case(
      "the numbers in front count as those behind do",
      "for n in 1 2 3; do echo > [$n]f.00$n; done",
      (66, "merge [2]f.002", "[1]f.001 may be it")
    ),
    Case(
      "a part that was split is not renamed",
      "head -c 4096 /dev/zero | split -b 1024 -a 3 -d --numeric-suffixes=1 - f.; "
        + "split -b 512 -a 3 -d --numeric-suffixes=1 f.004 f.004.; rm f.004",
      (66, "merge -o out f.001", "f.004.001 is a part of f.004, which is not there")
    ),
    Case(
      "a part in the middle that was split is told",
      "\(cut) f.; split -b 512 -a 3 -d --numeric-suffixes=1 f.002 f.002.; rm f.002",
      (66, "merge -o out f.001", "f.002.001 is a part of it: merge that first")
    ),
  ]

  private static let all =
    cases + mixed + wider + apart + later + advice + lists + ofGiven

  @Test(arguments: all.indices)
  func whatIsTold(index: Int) throws {
    let one = Self.all[index]
    try Files.write(Bytes.pattern(count: 3372), to: directory.file("W"))
    let script = "cleave() { '\(Tool.cleave.path)' \"$@\"; }; " + one.script
    let made = try Tool.shell.run(["-c", script], workingDirectory: directory.path)
    #expect(made.exitCode == 0, "\(one.testDescription): \(made)")
    try FileSystem.unlink(directory.file("W"))
    for run in one.runs { try expect(run.code, run.line, run.text) }
  }
}
