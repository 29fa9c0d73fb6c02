import Posix
import TestSupport
import Testing

/// What lists beside files tell, in whatever list it is; every set is made of `w` by a line of shell.
@Suite(.aside) struct ListEvidenceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// Makes the set of `w`, 4,300 bytes.
    let script: String
    let words: [String]
    var code: CInt = 0
    /// What standard output or standard error has in it.
    let text: String

    var testDescription: String { name }
  }

  static let cut = "split -b 1000 -d -a 3 --numeric-suffixes=1 w f.; "
  private static let cutInput = "split -b 1000 -d -a 3 --numeric-suffixes=1 - f.; "
  static let last = "mv f.005 w ..; "
  static func damage(_ file: String) -> String {
    "printf x | dd of=\(file) bs=1 seek=5 conv=notrunc; "
  }
  /// CRC-32s, as gzip has them.
  static let crc =
    "crc() { gzip -c $1 | tail -c 8 | od -An -tx4 -N4 | tr -d ' '; }; "
  private static func sums(_ files: String, _ list: String) -> String {
    crc + "for p in \(files); do echo $p $(crc $p); done >\(list); "
  }
  /// The first two parts in one directory, and the others in another.
  private static let apart = cut + "mkdir a b; mv f.00[12] a; mv f.00? b; "
  private static let scattered = ["a/f.001", "a/f.002", "b/f.003", "b/f.004", "b/f.005"]
  /// As a browser calls what is saved a second time.
  private static let second = "for n in 1 2 3 4 5; do mv f.00$n \"f (1).00$n\"; done; "
  /// Parts whose name has a letter that may be spelled in two ways, of which the list has the other one.
  private static let accents =
    "c=$(printf 'caf\\303\\251'); d=$(printf 'cafe\\314\\201'); "
    + "split -b 1000 -d -a 3 --numeric-suffixes=1 w $c.; "
  private static let accented = accents + "md5sum $c.* | sed \"s/$c/$d/\" >L.md5; rm w; "
  /// The same with a list of all but the last, which is as long as the others.
  private static let longer =
    "head -c 3000 w >v; mv v w; " + cut
    + "cp f.002 f.004; md5sum f.00[123] >L.md5; rm w; mkdir a b; "
    + "mv f.00[12] a; mv f.00? b; "
  /// Two wholes in a list, whose parts alone are there.
  private static let wholes =
    cut + "cp w f; cp w g; for p in f.0*; do cp $p g${p#f}; done; md5sum f g >L.md5; rm f g w"
  /// The sum of the whole under its name.
  private static func whole(_ tool: String, _ list: String) -> String {
    "\(tool) <w | sed 's/-/f/' >>\(list); "
  }

  static let rows = [
    Row(
      name: "a list of the whole beside one of the parts",
      script: cut + whole("md5sum", "f.md5") + last + "sha256sum f.00? >f.sha256",
      words: ["merge", "f.001"],
      code: 65,
      text: "cleave: f.md5: f has MD5 "
    ),
    Row(
      name: "the same of what is all there",
      script: cut + whole("md5sum", "MD5SUMS") + "rm w; sha256sum f.00? >f.sha256",
      words: ["merge", "f.001"],
      text: ", as in f.sha256 and MD5SUMS\n"
    ),
    Row(
      name: "the same, verified",
      script: cut + whole("md5sum", "f.md5") + last + "sha256sum f.00? >f.sha256",
      words: ["verify"],
      code: 1,
      text: "f.md5: 0 right, 1 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "a list above a directory that contradicts the one in it, verified",
      script: cut + "rm w; sha256sum f.00? | sed 's@f.00@d/&@; s/^....../000000/' >SHA256SUMS; "
        + "mkdir d; sha256sum f.00? >d/f.sha256; mv f.00? d",
      words: ["verify", "d"],
      code: 65,
      text: "cleave: SHA256SUMS: has another SHA256 of f.001 than d/f.sha256"
    ),
    Row(
      name: "a part more than the list above has, in several directories",
      script: longer,
      words: ["merge", "a/f.001", "a/f.002", "b/f.003", "b/f.004", "-o", "o"],
      code: 65,
      text:
        "cleave: b/f.004: is not in L.md5, which has other parts: --manifest=none takes it in\n"
    ),
    Row(
      name: "the same without the list",
      script: longer,
      words: [
        "merge", "--manifest=none", "a/f.001", "a/f.002", "b/f.003", "b/f.004", "-o", "o",
      ],
      text: "o: 4000 bytes (3.9 KiB) from 4 parts, CRC-32 "
    ),
    Row(
      name: "a list beside the first parts alone",
      script: longer + "rm L.md5; cd a; md5sum f.* >L.md5; cd ..; ",
      words: ["merge", "a/f.001", "a/f.002", "b/f.003", "b/f.004", "-o", "o"],
      text: ", in part as in a/L.md5\n"
    ),
    Row(
      name: "a part in front of those of the list above, in several directories",
      script: longer + "cp a/f.002 a/f.000; ",
      words: ["merge", "a/f.000", "a/f.001", "a/f.002", "b/f.003", "-o", "o"],
      code: 65,
      text: "cleave: a/f.000: is not in L.md5, which has other parts: --manifest=none takes it in\n"
    ),
    Row(
      name: "a list beside the first parts of the last one alone",
      script: apart + "(cd a; md5sum ../b/f.005 >L.md5); " + damage("b/f.005"),
      words: ["merge", "-o", "o"] + scattered,
      code: 65,
      text: "cleave: a/L.md5: b/f.005 has MD5 "
    ),
    Row(
      name: "a second list beside the first parts that has the others",
      script: apart
        + "(cd a; sha256sum f.* >f.sha256; cp ../b/f.* .; md5sum f.* >MD5SUMS; rm f.00[345]); "
        + damage("b/f.005"),
      words: ["merge", "-o", "o"] + scattered,
      code: 65,
      text: "cleave: a/MD5SUMS: b/f.005 has MD5 "
    ),
    Row(
      name: "the same, verified",
      script: apart
        + "(cd a; sha256sum f.* >f.sha256; cp ../b/f.* .; md5sum f.* >MD5SUMS; rm f.00[345]); "
        + damage("b/f.005"),
      words: ["verify"] + scattered,
      code: 1,
      text: "\n4 right, 1 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "a list of the whole above several directories, verified",
      script: apart + "md5sum w | sed 's/w/f/' >f.md5; mv f.md5 a",
      words: ["verify"] + scattered,
      text: "the parts of a/f: OK\n"
    ),
    Row(
      name: "a list above in other bytes for the same letters, of moved parts",
      script: accented + "mkdir a; mv $c.00? a; rm a/$c.005",
      words: ["merge", "-o", "o", "a/caf\u{e9}.001"],
      code: 65,
      text:
        "is not in L.md5, which has cafe\u{301}.001, in other bytes for the same letters: rename it, or "
    ),
    Row(
      name: "the same in several directories",
      script: accented + "mkdir a b; mv $c.00[12] a; mv $c.00? b; " + damage("b/$c.004"),
      words: ["merge", "-o", "o"] + (1...5).map { "\($0 < 3 ? "a" : "b")/caf\u{e9}.00\($0)" },
      code: 65,
      text:
        "is not in L.md5, which has cafe\u{301}.001, in other bytes for the same letters: rename it, or "
    ),
    Row(
      name: "a part in other bytes for the same letters, which the list has so",
      script: accents + "mv $c.005 $d.005; md5sum *.00? >L.md5; rm w; ",
      words: ["merge", "caf\u{e9}.001"],
      code: 66,
      text:
        "1 part is missing: caf\u{e9}.005; cafe\u{301}.005, in other bytes for the same letters, "
        + "may be it: rename it if it is; only L.md5 tells of it"
    ),
    Row(
      name: "a part that the names tell of and the list does not",
      script:
        "head -c 1000 w >f.part1of2; tail -c 300 w >f.part2of2; rm w; md5sum f.part1of2 >L.md5",
      words: ["merge", "f.part1of2"],
      code: 65,
      text: "cleave: f.part2of2: is not in L.md5: --manifest=none takes it in\n"
    ),
    Row(
      name: "a gap in several directories, verified",
      script: apart + "rm w b/f.003; md5sum a/* b/* >L.md5",
      words: ["verify"] + scattered.filter { $0 != "b/f.003" },
      code: 66,
      text: "cleave: b/f.004: comes behind a/f.002, and the parts between them are not given: "
    ),
    Row(
      name: "a part in letters of another case, verified",
      script: cut + "rm w; mv f.002 F.002; md5sum [fF].00? >L.md5; " + damage("F.002"),
      words: ["verify", "f.001"],
      code: 1,
      text: "cleave: F.002: has MD5 "
    ),
    Row(
      name: "ten parts with an ending behind their numbers",
      script:
        "split -b 430 -d -a 3 --numeric-suffixes=1 --additional-suffix=.mp4 w f.; rm w; md5sum f.* >L.md5",
      words: ["merge", "-o", "o"] + (1...10).map { "f.\($0 < 10 ? "00" : "0")\($0).mp4" },
      text: "from 10 parts, CRC-32 "
    ),
    Row(
      name: "a part that is a link which leads nowhere",
      script: cut + "rm w f.003; ln -s gone f.003",
      words: ["merge", "f.001"],
      code: 66,
      text: "cleave: f: 1 part is missing: f.003; f.003 is a link that leads nowhere\n"
    ),
    Row(
      name: "letters in a list of few, and one more in another that is not there",
      script: "split -b 1000 w f.; rm w; md5sum f.aa >f.md5; sha1sum f.a? >SHA1SUMS; rm f.ae",
      words: ["merge", "f.md5"],
      code: 66,
      text: "1 part is missing: f.ae; only SHA1SUMS tells of it: --manifest=none does without it"
    ),
    Row(
      name: "some of the parts of a list moved away from it",
      script: cut + "rm w; sha256sum f.00? >SHA256SUMS; mkdir d; mv f.00[123] d",
      words: ["merge", "d/f.001"],
      code: 66,
      text: "2 parts are missing: f.004 to f.005; only SHA256SUMS tells of it"
    ),
    Row(
      name: "lists of single parts above, of which some did not move with the others",
      script: cut + "rm w; for p in f.00?; do md5sum $p >$p.md5; done; mkdir d; mv f.00[123] d",
      words: ["merge", "d/f.001"],
      code: 66,
      text: "2 parts are missing: f.004 to f.005; only f.004.md5 tells of it"
    ),
    Row(
      name: "the list of a part alone above the others",
      script: cut + "rm w; sha1sum f.004 >f.004.sha1; mkdir d; mv f.00[123] d; rm f.00?",
      words: ["merge", "d/f.001"],
      code: 66,
      text: "1 part is missing: f.004; only f.004.sha1 tells of it"
    ),
    Row(
      name: "a list beside parts that has others in a directory beside theirs",
      script: cut + "rm w; mkdir d e; mv f.00[12] d; mv f.00? e; "
        + "(cd d; sha256sum f.00? ../e/f.00? >SHA256SUMS)",
      words: ["merge", "d/f.001"],
      code: 66,
      text: "3 parts are missing: f.003 to f.005; only SHA256SUMS tells of it"
    ),
    Row(
      name: "the same, where those are of another whole",
      script: cut
        + "rm w; mkdir d e; cp f.00? e; mv f.00[12] d; (cd d; sha256sum * ../e/* >SHA256SUMS)",
      words: ["merge", "d/f.001"],
      text: "d/f: 2000 bytes (2.0 KiB) from 2 parts, CRC-32 "
    ),
    Row(
      name: "a list in a directory that has others elsewhere, verified",
      script: cut + "rm w; mkdir d e; mv f.00[12] d; mv f.00? e; "
        + "(cd d; sha256sum f.00? ../e/f.00? >SHA256SUMS)",
      words: ["verify", "d"],
      text: "cleave: warning: d/f: 3 parts are missing: f.003 to f.005"
    ),
    Row(
      name: "a part of it, verified",
      script: cut + "rm w; mkdir d e; mv f.00[12] d; mv f.00? e; "
        + "(cd d; sha256sum f.00? ../e/f.00? >SHA256SUMS)",
      words: ["verify", "d/f.001"],
      code: 66,
      text: "d/f: 3 parts are missing: f.003 to f.005"
    ),
    Row(
      name: "hexadecimal parts in several directories, of which one with a letter is missing",
      script:
        "split -b 400 -x w f.; rm w; mkdir d e; mv f.0[0-5] d; mv f.0? e; md5sum d/* e/* >list.md5; "
        + "rm e/f.0a",
      words: ["merge", "-o", "f", "list.md5"],
      code: 66,
      text: "f.0a"
    ),
    Row(
      name: "files counted alike, with a list that has one more of them",
      script: cut
        + "rm w; for i in 1 2 3 4 5; do mv f.00$i x00$i; done; sha256sum x00? >SHA256SUMS",
      words: ["merge", "-o", "x", "x001", "x002", "x003", "x004"],
      code: 66,
      text: "cleave: SHA256SUMS: has x005, which is not given: --manifest=none merges without it\n"
    ),
    Row(
      name: "the same with the list above them",
      script: cut
        + "rm w; mkdir d; for i in 1 2 3 4 5; do mv f.00$i d/x00$i; done; md5sum d/* >l.md5",
      words: ["merge", "-o", "x", "d/x001", "d/x002", "d/x003", "d/x004"],
      code: 66,
      text: "cleave: l.md5: has x005, which is not given: --manifest=none merges without it\n"
    ),
    Row(
      name: "a part that no list has, where merging refuses it",
      script: cut + "cp w f; sha256sum f f.00? >SHA256SUMS; rm f w; cp f.001 f.006",
      words: ["verify", "f.001"],
      code: 1,
      text: "5 right, 0 wrong, 0 missing, 1 not checked\n"
    ),
    Row(
      name: "a part in letters that no list has, verified by the directory",
      script: "split -b 1000 w data; rm w; sha256sum data?? >SHA256SUMS; cp dataaa dataaf",
      words: ["verify"],
      text: "cleave: warning: dataaf: is not in SHA256SUMS; not checked\n"
    ),
    Row(
      name: "lists of single parts above two sets of the same names",
      script: cut + "rm w; mkdir d e; mv f.00? e; cp e/f.00[123] d; md5sum d/f.* >f.md5; "
        + "for p in d/f.001 d/f.002 d/f.003 e/f.004 e/f.005; do md5sum $p >$(basename $p).md5; done",
      words: ["merge", "d/f.001"],
      text: "d/f: 3000 bytes (2.9 KiB) from 3 parts, CRC-32 "
    ),
    Row(
      name: "a list of hexadecimal parts from 1 on in several directories",
      script:
        "split -b 400 -x --hex-suffixes=1 w f.; rm w; mkdir d e; mv f.0[0-8] d; mv f.0? e; md5sum d/* e/* >f.md5",
      words: ["merge", "-o", "o", "f.md5"],
      text: "o: 4300 bytes (4.2 KiB) from 11 parts, CRC-32 "
    ),
    Row(
      name: "decimal digits alone of hexadecimal parts in several directories",
      script:
        "split -b 400 -x w f.; rm w; mkdir d e; mv f.0[0-5] d; mv f.0? e; md5sum d/* e/* >f.md5; rm e/f.0a",
      words: [
        "merge", "-o", "f", "d/f.00", "d/f.01", "d/f.02", "d/f.03", "d/f.04", "d/f.05", "e/f.06",
        "e/f.07",
        "e/f.08", "e/f.09",
      ],
      code: 66,
      text: "cleave: f.md5: has f.0a, which is not given"
    ),
    Row(
      name: "lists of single hexadecimal parts above them, without the last",
      script:
        "split -b 400 -x w f.; rm w; for p in f.0?; do md5sum $p >$p.md5; done; mkdir d; mv f.0? d; rm d/f.0a",
      words: ["merge", "d/f.00"],
      code: 66,
      text: "1 part is missing: f.0a; only f.0a.md5 tells of it"
    ),
    Row(
      name: "a list above whose lines lead to a directory that is gone",
      script: cut + "rm w; mkdir d; mv f.00? d; md5sum d/* | sed 's@ d/@ /old/d/@' >f.md5; "
        + damage("d/f.002"),
      words: ["merge", "d/f.001"],
      code: 65,
      text: "cleave: f.md5: d/f.002 has MD5 "
    ),
    Row(
      name: "the same of parts in several directories",
      script: cut
        + "rm w; mkdir d e; mv f.00[12] d; mv f.00? e; md5sum d/* e/* | sed 's@ ./@ /old/@' >f.md5; "
        + damage("d/f.002"),
      words: ["merge", "-o", "f", "d/f.001", "d/f.002", "e/f.003", "e/f.004", "e/f.005"],
      code: 65,
      text: "cleave: f.md5: d/f.002 has MD5 "
    ),
    Row(
      name: "capital letters in several directories, without the last",
      script:
        "split -b 1000 w q.; rm w; mkdir d e; mv q.aa d/F.AA; mv q.ab d/F.AB; mv q.ac e/F.AC; mv q.ad e/F.AD; "
        + "rm q.ae; md5sum d/* e/* >F.md5; rm e/F.AD",
      words: ["merge", "-o", "f", "d/F.AA", "d/F.AB", "e/F.AC"],
      code: 66,
      text: "cleave: F.md5: has F.AD, which is not given"
    ),
    Row(
      name: "capital letters, verified by one part",
      script: "split -b 2200 w q.; rm w; mv q.aa F.AA; mv q.ab F.AB; md5sum F.A? >F.md5",
      words: ["verify", "F.AA"],
      text: "F.AB: OK\n2 right, 0 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name:
        "a split zip of encrypted entries, of which a part lacks the four bytes in front of a descriptor",
      script:
        "head -c 150000 /dev/urandom >a; cp a b; zip -q -0 -P pw -s 64k e.zip a b; truncate -s -4 e.z01; rm a b w",
      words: ["merge", "-o", "f", "e.zip"],
      code: 65,
      text: "cleave: e.z01: is 4 bytes too short"
    ),
    Row(
      name: "split was killed when some of the parts had their names",
      script:
        "mv w f; cleave split -qb 1000 --manifest=none f; for i in 4 5; do mv f.00$i .f.00$i.cleave-tmp-0123abc0; done; rm f",
      words: ["merge", "f.001"],
      code: 66,
      text:
        ".f.004.cleave-tmp-0123abc0 says that f.004 is still being made: --last=3 merges the parts that are there"
    ),
    Row(
      name: "what verify would read of a directory is told once",
      script: "mv w f; cleave split -qb 1000 f; rm f",
      words: ["verify", "-n", "."],
      text: "4300 bytes (4.2 KiB) to read\n"
    ),
    Row(
      name: "the list of a zip that was split as one, beside which it is split as bytes",
      script:
        "head -c 200000 /dev/urandom >w; zip -q0 w.zip w; cleave split -qb 65536 --format=zip w.zip",
      words: ["split", "-b", "150000", "w.zip"],
      text: "w.zip"
    ),
    Row(
      name: "a part of capital letters that two lists of the others have not",
      script:
        "split -b 860 w q.; rm w; for i in A B C D E; do mv q.a$(echo $i | tr A-E a-e) f.A$i; done; "
        + "md5sum f.A? >MD5SUMS; sha1sum f.A? >SHA1SUMS; cp f.AA f.AF",
      words: ["merge", "f.AA"],
      code: 65,
      text: "cleave: f.AF: is not in "
    ),
    Row(
      name: "parts whose whole is there with its sum, and ends in the first of their letters",
      script: "mv w data; split -b 1000 data data; md5sum data >data.md5; rm dataae",
      words: ["merge", "dataaa"],
      code: 66,
      text: "cleave: data: has 4300 bytes and begins as the parts do, which have 4000"
    ),
    Row(
      name: "a part more than lists of single parts and one of all have",
      script: cut
        + "rm w; for p in f.00?; do md5sum $p >$p.md5; done; md5sum f.00? >f.md5; cp f.001 f.006",
      words: ["merge", "f.002.md5"],
      code: 65,
      text: "cleave: f.006: is not in f.001.md5"
    ),
    Row(
      name: "the same with the list of all above",
      script: cut + "rm w; md5sum f.00? >MD5SUMS; mkdir d; mv f.00? d; cd d; "
        + "for p in f.00?; do sha1sum $p >$p.sha1; done; cp f.001 f.006",
      words: ["merge", "d/f.001"],
      code: 65,
      text: "cleave: d/f.006: is not in "
    ),
    Row(
      name: "the sum of a whole whose name ends in the first of its parts' letters, verified",
      script: "mv w data; split -b 1000 data data; md5sum data >data.md5; rm data",
      words: ["verify", "data.md5"],
      text: "data: OK"
    ),
    Row(
      name: "the next part with a number behind its name",
      script: cut + "rm w; mv f.005 f.005_1",
      words: ["merge", "f.001"],
      code: 66,
      text: "f.005_1 may be f.005"
    ),
    Row(
      name: "a list of one part more beside those of single parts",
      script: cut + "sha256sum f.00? >SHA256SUMS; " + last
        + "for p in f.00?; do md5sum $p >$p.md5; done",
      words: ["merge", "f.001"],
      code: 66,
      text: "1 part is missing: f.005; only SHA256SUMS tells of it"
    ),
    Row(
      name: "the list of a single part that is missing, counted in letters",
      script: "split -b 1000 w f.; sha256sum f.ae >f.ae.sha256; rm f.ae w",
      words: ["merge", "f.aa"],
      code: 66,
      text: "1 part is missing: f.ae; only f.ae.sha256 tells of it"
    ),
    Row(
      name: "the only one that is there, of letters behind what looks like a part's number",
      script: "split -b 2200 w Movie.part1.mkv.; sha256sum M*.a? >SHA256SUMS; rm M*.ab w",
      words: ["merge", "Movie.part1.mkv.aa"],
      code: 65,
      text: "is also a part of Movie.part1.mkv, as Movie.part1.mkv.ab is, which SHA256SUMS names"
    ),
    Row(
      name: "the whole in a list above the parts",
      script: cut + "mkdir a b; mv f.00[12] a; mv f.00[34] b; mv f.005 ..; "
        + whole("sha256sum", "SHA256SUMS") + "sha256sum a/* b/* >>SHA256SUMS; rm w",
      words: ["merge", "-o", "f", "a/f.001", "a/f.002", "b/f.003", "b/f.004"],
      code: 65,
      text: "cleave: SHA256SUMS: the whole has SHA256 "
    ),
    Row(
      name: "the last part in a list above the parts",
      script:
        "head -c 1000 w >f.001; head -c 900 w >f.002; head -c 800 w >f.003; mkdir a b; mv f.001 a; "
        + "mv f.00? b; sha256sum a/* b/* >SHA256SUMS; rm b/f.003 w",
      words: ["merge", "-o", "f", "a/f.001", "b/f.002"],
      code: 66,
      text: "cleave: SHA256SUMS: has f.003, which is not given"
    ),
    Row(
      name: "how records were dealt, in a list above that is not the only one",
      script: "seq 900 >t; cp t w; cleave split -qn r/3 t; mkdir a b; sed -i 's@^t.001@a/t.001@; "
        + "s@^t.00\\([23]\\)@b/t.00\\1@' t.sfv; mv t.001 a; mv t.00? b; (cd a; md5sum t.001 >t.001.md5); "
        + "(cd b; md5sum t.00? >t.md5)",
      words: ["merge", "-o", "o", "a/t.001", "b/t.002", "b/t.003"],
      text: ", as in t.sfv and 2 more lists\n"
    ),
    Row(
      name: "a list of all that is in a directory makes no parts of logs",
      script: "head -c 900 w >l.1; cp w l.2; rm w; sha256sum l.? >SHA256SUMS",
      words: ["merge", "."],
      code: 65,
      text: "cleave: l.1: is named like many things"
    ),
    Row(
      name: "parts in several directories by their list",
      script:
        "mkdir a b; split -b 1000 -d w f.; mv f.00 f.01 a; mv f.0? b; sha256sum a/* b/* >f.sha256; mv w ..",
      words: ["merge", "-o", "o", "f.sha256"],
      text: "o: 4300 bytes (4.2 KiB) from 5 parts, "
    ),
    Row(
      name: "the same named, verified by the list above them",
      script:
        "mkdir a b; split -b 1000 -d w f.; mv f.00 f.01 a; mv f.0? b; sha256sum a/* b/* >f.sha256; mv w ..",
      words: ["verify", "a/f.00", "a/f.01", "b/f.02", "b/f.03", "b/f.04"],
      text: "5 right, 0 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "some of them with their list",
      script:
        "mkdir a b; split -b 1000 -d w f.; mv f.00 f.01 a; mv f.0? b; sha256sum a/* b/* >f.sha256",
      words: ["merge", "-o", "f", "--manifest=f.sha256", "a/f.00"],
      code: 66,
      text:
        "3 parts are missing: f.02 to f.04; b/f.02 is there: name f.sha256 for all parts, with -o f"
    ),
    Row(
      name: "a volume that is no part, verified by the list that has it",
      script: "(printf 'Rar!\\032\\007\\000'; cat w) >f.part1.rar; rm w; md5sum f.part1.rar >f.md5",
      words: ["verify", "f.part1.rar"],
      text: "f.part1.rar: OK\n"
    ),
    Row(
      name: "a file with a list of its own, called like a part of another",
      script:
        "mv w f.mkv; cleave split -qb 1500 f.mkv; cp f.mkv f.2.mkv; sha256sum f.2.mkv >f.2.mkv.sha256",
      words: ["verify", "f.2.mkv"],
      text: "f.2.mkv: OK\n"
    ),
    Row(
      name: "a whole beside a list of its parts alone",
      script: "split -b 1000 w f.; cp w f; sha256sum f.a? >f.sha256",
      words: ["verify", "f"],
      code: 66,
      text: "cleave: f: no manifest tells of it"
    ),
    Row(
      name: "logs beside a file that a list has",
      script: "head -c 900 w >l.1; cp w l.2; sha256sum w >w.sha256",
      words: ["verify", "."],
      text: "w: OK\n1 right, 0 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "a sequel beside it, which is no copy",
      script: "split -b 1500 -d w f.mkv.; tail -c +9 w | split -b 2000 -d - 'f 2.mkv.'",
      words: ["merge", "--strict", "f.mkv.00"],
      text: "f.mkv: 4300 bytes (4.2 KiB) from 3 parts, "
    ),
    Row(
      name: "copies of two parts, one of which is cut short",
      script:
        "split -b 2200 -d -a 3 w f.mkv.; for p in 0 1; do cp f.mkv.00$p \"f 2.mkv.00$p\"; done; "
        + "truncate -s 900 f.mkv.001; rm w",
      words: ["merge", "-o", "f", "f.mkv.000"],
      code: 65,
      text: "f 2.mkv.001, which may be another copy of it"
    ),
    Row(
      name: "a whole of which two lists have other sums",
      script: cut + whole("md5sum", "f.md5")
        + "echo 0123456789abcdef0123456789abcdef f >MD5SUMS; rm w",
      words: ["merge", "f.001"],
      code: 65,
      text: "has another MD5 of f than "
    ),
    Row(
      name: "a part in front of those that are named",
      script: "split -b 1000 -d w x; sha256sum x0? >sums.sha256; rm x00 w",
      words: ["merge", "-o", "f", "x01", "x02", "x03", "x04"],
      code: 66,
      text: "cleave: sums.sha256: has x00, which is not given"
    ),
    Row(
      name: "lists of two directories, and one of the whole in one of them",
      script: apart + "(cd a; sha1sum f.* >l.sha1); (cd b; sha1sum f.* >l.sha1); "
        + "cd a; mv ../w .; " + whole("md5sum", "l.md5") + "mv w ../..",
      words: ["merge", "-o", "o", "a/f.001", "a/f.002", "b/f.003", "b/f.004", "b/f.005"],
      text: ", as in a/l.sha1 and 2 more lists\n"
    ),
    Row(
      name: "a list of several directories in any order",
      script: cut
        + "mkdir a b; mv f.00[135] a; mv f.00? b; md5sum b/f.004 a/* b/f.002 >f.md5; mv w ..",
      words: ["merge", "-o", "o", "f.md5"],
      text: ", as in f.md5\n"
    ),
    Row(
      name: "the first part with a list of it alone, and one above that has others elsewhere",
      script: cut
        + "mkdir a b; mv f.001 a; mv f.00? b; md5sum a/* b/* >MD5SUMS; cd a; sha256sum f.001 >f.sha256",
      words: ["merge", "a/f.sha256"],
      code: 66,
      text:
        "4 parts are missing: f.002 to f.005; b/f.002 is there: name MD5SUMS for all parts, with -o f\n"
    ),
    Row(
      name: "a list of parts in several directories, and of other files",
      script: apart + "echo n >README; echo n >a/f.nfo; mv w f; "
        + "find . -type f ! -name L.sha256 -exec sha256sum {} + >L.sha256; rm f",
      words: ["merge", "-o", "f", "L.sha256"],
      text: ", as in L.sha256\n"
    ),
    Row(
      name: "a list of four parts as operand beside one of five",
      script: cut + "md5sum f.* >MD5SUMS; rm f.005; sha256sum f.00? >f.sha256; rm w",
      words: ["merge", "f.sha256"],
      code: 66,
      text: "1 part is missing: f.005; only MD5SUMS tells of it"
    ),
    Row(
      name: "a damaged part of which a list beside that of the whole tells",
      script: cut + whole("md5sum", "f.md5") + "sha1sum f.0* >parts.sha1; rm w; echo x >f.005",
      words: ["verify", "f.001"],
      code: 1,
      text: "f.005: has SHA1 "
    ),
    Row(
      name: "the same merged",
      script: cut + whole("md5sum", "f.md5") + "sha1sum f.0* >parts.sha1; rm w; rm f.005",
      words: ["merge", "f.001"],
      code: 66,
      text: "1 part is missing: f.005; only parts.sha1 tells of it"
    ),
    Row(
      name: "the sum of the last part of a split zip, in a list of its own",
      script:
        "head -c 150000 /dev/zero >>w; zip -q0 -s 64k a.zip w; rm w; md5sum a.zip >a.zip.md5",
      words: ["merge", "a.z01"],
      text: "a.merged.zip: 154"
    ),
    Row(
      name: "a list of two wholes whose parts are there",
      script: wholes,
      words: ["verify"],
      text: "the parts of f: OK\nthe parts of g: OK\n2 right, 0 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "the same merged",
      script: wholes,
      words: ["merge", "L.md5"],
      code: 65,
      text: "L.md5: is about 2 files, f, g: name a part of one, or --all merges all of them"
    ),
    Row(
      name: "each of the same",
      script: wholes,
      words: ["merge", "--all", "L.md5"],
      text: ", as in L.md5\n"
    ),
    Row(
      name: "a list of the whole and its parts in several directories, verified",
      script: apart + "mv w f; sha1sum f a/* b/* >L.sha1; rm f",
      words: ["verify", "L.sha1"],
      text: "f: OK\n6 right, 0 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "a list of the whole for parts in several directories, named",
      script: apart + "mv w f; sha1sum f >L.sha1; rm f",
      words: [
        "merge", "-o", "o", "--manifest=L.sha1", "a/f.001", "a/f.002", "b/f.003", "b/f.004",
        "b/f.005",
      ],
      text: ", as in L.sha1\n"
    ),
    Row(
      name: "a list with blanks behind the names",
      script: cut + "rm w; md5sum * | sed 's/$/  /' >l.md5",
      words: ["merge", "f.001"],
      code: 65,
      text: "f.001: is not in l.md5, which has f.001  , with blanks around it: rename it, or"
    ),
    Row(
      name: "lists of two directories, and one above that contradicts them",
      script: apart + "for d in a b; do (cd $d; md5sum f.* >MD5SUMS); done; "
        + "(cd b; sed 's/.*f/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef  b\\/f/' MD5SUMS) "
        + ">SHA256SUMS; rm w",
      words: ["merge", "-o", "o", "a/f.001", "a/f.002", "b/f.003", "b/f.004", "b/f.005"],
      code: 65,
      text: "has SHA256 "
    ),
    Row(
      name: "a list of other parts that contradicts the strongest one of a part",
      script: cut + "sha256sum f.00[1-3] >SHA256SUMS; md5sum f.00[45] >MD5SUMS; rm w; "
        + "echo '0123456789abcdef0123456789abcdef  f.003' >>MD5SUMS",
      words: ["merge", "f.001"],
      code: 65,
      text: "f.003 has MD5 "
    ),
    Row(
      name: "a list of all parts that contradicts the strongest one",
      script: cut + "sha256sum f.00? >SHA256SUMS; md5sum f.00? >MD5SUMS; rm w; "
        + "sed -i 's/.*  f.003/0123456789abcdef0123456789abcdef  f.003/' MD5SUMS",
      words: ["verify", "f.001"],
      code: 1,
      text: "4 right, 1 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "a part behind a shorter one in a list above",
      script:
        "head -c 1000 w >f.001; head -c 700 w >f.002; head -c 500 w >f.003; rm w; mkdir a b c; "
        + "mv f.001 a; mv f.002 b; mv f.003 c; sha256sum ?/* >SHA256SUMS; rm c/f.003",
      words: ["merge", "-o", "f", "a/f.001", "b/f.002"],
      code: 66,
      text: "cleave: SHA256SUMS: has f.003, which is not given"
    ),
    Row(
      name: "lists of single parts, and one of the whole beside the output",
      script: cut
        + "sha256sum w | sed 's/w/f/' >f.sha256; mkdir p; mv f.0* p; cd p; mv f.005 ../w; "
        + "for p in f.0*; do md5sum $p >$p.md5; done",
      words: ["merge", "-o", "f", "p/f.001"],
      code: 65,
      text: "cleave: f.sha256: p/f has SHA256 "
    ),
    Row(
      name: "a list that has the output besides files in the wrong order",
      script:
        "head -c 1000 w >head; tail -c +1001 w >tail; mv w v; sha1sum head tail v >SHA1SUMS; rm v",
      words: ["merge", "-o", "v", "tail", "head"],
      code: 65,
      text: "SHA1SUMS: the whole has SHA1 "
    ),
    Row(
      name: "a list above the only directory of the parts",
      script: cut + "mkdir p; mv f.0* p; sha256sum p/* >SHA256SUMS; rm p/f.005 w",
      words: ["merge", "p/f.001"],
      code: 66,
      text: "p/f: 1 part is missing: f.005; only SHA256SUMS tells of it"
    ),
    Row(
      name: "the same of what is all there",
      script: cut + "mkdir p; mv f.0* p; sha256sum p/* >SHA256SUMS; rm w",
      words: ["merge", "p/f.001"],
      text: ", as in SHA256SUMS\n"
    ),
    Row(
      name: "lists above of two versions in directories of their own",
      script: cut
        + "mkdir v1 v2; mv f.0* v1; tr a-m n-z <w | split -b 1000 -d -a 3 --numeric-suffixes=1 - v2/f.; "
        + "for d in v1 v2; do (cd $d; sha256sum f.0*) >$d.sha256; done; rm w",
      words: ["merge", "v2/f.001"],
      text: "v2/f: 4300 bytes (4.2 KiB) from 5 parts, "
    ),
    Row(
      name: "two lists above, of which the weaker one is right",
      script: cut
        + "mkdir p; mv f.0* p; sha256sum p/* >b.sha256; echo >>p/f.005; md5sum p/* >a.md5; rm w",
      words: ["merge", "p/f.001"],
      code: 65,
      text: "p/f.005 has SHA256 "
    ),
    Row(
      name: "a list above directories at several depths",
      script: cut
        + "mkdir -p a s/b; mv f.00[12] a; mv f.00? s/b; find . -name 'f.0*' | xargs sha256sum "
        + ">SHA256SUMS; rm s/b/f.005 w",
      words: ["merge", "-o", "f", "a/f.001", "a/f.002", "s/b/f.003", "s/b/f.004"],
      code: 66,
      text: "cleave: SHA256SUMS: has f.005, which is not given"
    ),
    Row(
      name: "a file of one name in each of the directories of a list",
      script: apart
        + "echo a >a/README; echo b >b/README; sha256sum a/* b/* >SHA256SUMS; rm b/f.005 w",
      words: ["merge", "-o", "f", "a/f.001", "a/f.002", "b/f.003", "b/f.004"],
      code: 66,
      text: "cleave: SHA256SUMS: has f.005, which is not given"
    ),
    Row(
      name: "a list that is damaged where a missing part is, beside those of the others",
      script: cut + "sha256sum f.00? | sed 's/^.\\(.*5$\\)/\\1/' >SHA256SUMS; rm f.005 w; "
        + "for p in f.0*; do md5sum $p >$p.md5; done",
      words: ["merge", "f.001"],
      code: 65,
      text: "cleave: SHA256SUMS: line 5: "
    ),
    Row(
      name: "a list made of what is there, without the end of what is inside",
      script:
        "gzip w; split -b 1000 -d w.gz w.gz.; rm w.gz $(ls w.gz.0* | tail -1); md5sum w.gz.* >MD5SUMS",
      words: ["merge", "w.gz.00"],
      code: 66,
      text: "so that w.gz.04 may be missing"
    ),
    Row(
      name: "each directory with a list of its parts and of the whole",
      script: apart + "mv w f; (cd a; sha1sum ../f f.* | sed s@../@@ >S.sha1); "
        + "(cd b; sha1sum ../f f.* | sed s@../@@ >S.sha1); rm f",
      words: ["merge", "-o", "o", "a/f.001", "a/f.002", "b/f.003", "b/f.004", "b/f.005"],
      text: ", as in a/S.sha1 and b/S.sha1\n"
    ),
    Row(
      name: "the whole itself beside its parts",
      script: cut + "mv w f; sha1sum f >f.sha1; echo >>f",
      words: ["verify", "f.001"],
      text: "the parts of f: OK\n"
    ),
    Row(
      name: "a part of many that are named like logs",
      script: "split -b 300 -d w x; sha1sum x?? >l.sha1; truncate -s 200 x12; rm w",
      words: ["verify", "x08"],
      code: 1,
      text: "14 right, 1 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "the download of a second copy of the last part",
      script: cut + "rm w; truncate -s 1000 f.005; mv f.005 'f (1).005.crdownload'",
      words: ["merge", "f.001"],
      code: 66,
      text: "says that f.005 is still being downloaded"
    ),
    Row(
      name: "another file's list of split beside it",
      script: "split -b 1500 -d w f.; md5sum f.0? >f.md5; mv w g; cleave split -qb 1500 g",
      words: ["merge", "f.00"],
      text: ", as in f.md5\n"
    ),
    Row(
      name: "a damaged part of a family that is asked for",
      script:
        "split -b 1500 --numeric-suffixes=1 w; sha256sum x0? >SHA256SUMS; echo wrong >x02; truncate -s 1500 x02",
      words: ["merge", "-o", "f", "--as=digits", "--first=1", "x01"],
      code: 65,
      text: "cleave: SHA256SUMS: x02 has SHA256 "
    ),
    Row(
      name: "a list that is not in the order of the numbers",
      script: "split -d -a1 -n 10 w f.part; mv f.part0 f.part10; "
        + "(cat f.part? f.part10) >f; for p in f.part1 f.part10 f.part[2-9] f; do "
        + "echo $p $(gzip -c $p | tail -c8 | od -An -tx4 -N4); done >f.sfv",
      words: ["verify", "f.part1"],
      text: "10 right, 0 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "a list of some parts that are counted in letters",
      script:
        "split -b 500 w f.; md5sum f.?? >MD5SUMS; sha256sum f.ag f.ai | sed 's/ai/zz/' >g.sha256; "
        + "sed -i 's/^../00/' g.sha256; rm w",
      words: ["merge", "f.aa"],
      code: 65,
      text: "cleave: g.sha256: f.ag has SHA256 "
    ),
    Row(
      name: "a list of some parts that are counted in hexadecimal digits",
      script: "split -x -b 300 w f.; md5sum f.?? >MD5SUMS; sha256sum f.06 f.0c >g.sha256; "
        + "echo wrong | dd of=f.0c bs=1 conv=notrunc status=none; md5sum f.?? >MD5SUMS; rm w",
      words: ["merge", "f.00"],
      code: 65,
      text: "cleave: g.sha256: f.0c has SHA256 "
    ),
    Row(
      name: "a list of one part more that is counted in letters",
      script: "split -b 500 w f.; "
        + "sha256sum f.ag f.ai >g.sha256; rm f.ai; truncate -s 500 f.a?; "
        + "md5sum f.?? >MD5SUMS; rm w",
      words: ["merge", "f.aa"],
      code: 66,
      text: "1 part is missing: f.ai; only g.sha256 tells of it"
    ),
    Row(
      name: "a list of some parts beside one of the whole that was made after the damage",
      script: cut + "rm w; sha256sum f.00[2-5] >f.sha256; truncate -s 999 f.002; echo >>f.002; "
        + "cat f.00? | sha1sum | sed s/-/f/ >l.sha1",
      words: ["merge", "f.001"],
      code: 65,
      text: "cleave: f.sha256: f.002 has SHA256 "
    ),
    Row(
      name: "the same, where the list of the whole is the operand",
      script: cut + "rm w; sha256sum f.00[2-5] >f.sha256; truncate -s 999 f.002; echo >>f.002; "
        + "cat f.00? | sha1sum | sed s/-/f/ >l.sha1",
      words: ["merge", "l.sha1"],
      code: 65,
      text: "cleave: f.sha256: f.002 has SHA256 "
    ),
    Row(
      name: "a list of some parts beside one of the whole, both right",
      script: cut + whole("sha1sum", "l.sha1") + "rm w; sha256sum f.00[2-5] >f.sha256",
      words: ["merge", "f.001"],
      text: ", as in l.sha1 and f.sha256\n"
    ),
    Row(
      name: "a whole in a directory below that is not there, but its parts",
      script: "mkdir s; mv w s/f; sha1sum s/f >L.sha1; cd s; mv f w; " + cut + "rm w",
      words: ["verify", "L.sha1"],
      text: "s/f: OK\n1 right, "
    ),
    Row(
      name: "the same with the parts in the list, one of them wrong",
      script: "mkdir s; mv w s/f; cd s; cp f w; " + cut + "rm w; cd ..; sha1sum s/f* >L.sha1; "
        + "rm s/f; echo >>s/f.005",
      words: ["verify", "L.sha1"],
      code: 1,
      text: "cleave: s/f.005: has SHA1 "
    ),
    Row(
      name: "a list of the whole above its parts",
      script: "mkdir s; mv w s/f; sha1sum s/f >L.sha1; cd s; mv f w; " + cut + "rm w; echo >>f.005",
      words: ["merge", "s/f.001"],
      code: 65,
      text: "cleave: L.sha1: s/f has SHA1 "
    ),
    Row(
      name: "parts of which none is there",
      script: "split -b 300 -d -a 3 --numeric-suffixes=1 w f.; md5sum f.* >f.md5; rm w f.0*",
      words: ["merge", "f.001", "--manifest=f.md5"],
      code: 66,
      text: "cleave: f: 15 parts are missing: f.001 to f.015"
    ),
    Row(
      name: "a list above beside one of some parts that is beside them",
      script: "mkdir s; mv w s; cd s; " + cut + "rm w; cd ..; sha256sum s/* >SUMS.sha256; cd s; "
        + "md5sum f.001 >f.001.md5; echo wrong | dd of=f.003 conv=notrunc status=none",
      words: ["merge", "s/f.001"],
      code: 65,
      text: "cleave: SUMS.sha256: s/f.003 has SHA256 "
    ),
    Row(
      name: "a list above beside one that is about something else",
      script: "mkdir s; mv w s; cd s; " + cut + "rm w; cd ..; sha256sum s/* >SUMS.sha256; cd s; "
        + "md5sum ../SUMS.sha256 | sed 's/ .*/  readme/' >f.md5; echo >>f.005",
      words: ["merge", "s/f.001"],
      code: 65,
      text: "cleave: SUMS.sha256: s/f.005 has SHA256 "
    ),
    Row(
      name: "a list above that contradicts a complete one beside the parts",
      script: "mkdir s; mv w s; cd s; " + cut + "rm w; cd ..; sha256sum s/* >SUMS.sha256; cd s; "
        + "echo >>f.005; sha256sum f.* >f.sha256",
      words: ["merge", "s/f.001"],
      code: 65,
      text: "cleave: SUMS.sha256: has another SHA256 of f.005 than s/f.sha256; "
    ),
    Row(
      name: "a list above that cannot be read",
      script: "mkdir s; mv w s; cd s; " + cut + "rm w; cd ..; sha256sum s/* >SHA256SUMS; "
        + "echo garbage >>SHA256SUMS; echo >>s/f.005",
      words: ["merge", "s/f.001"],
      code: 65,
      text: "cleave: SHA256SUMS: line 6"
    ),
    Row(
      name: "a list above that cannot be read, about others",
      script: "mkdir s t; mv w s; cd s; " + cut
        + "rm w; cp f.* ../t; cd ..; sha256sum t/* >SHA256SUMS; "
        + "echo garbage >>SHA256SUMS",
      words: ["merge", "s/f.001"],
      text: "nothing to compare with"
    ),
    Row(
      name: "a list above that has the last part alone",
      script: "mkdir s; mv w s; cd s; " + cut + "rm w; cd ..; md5sum s/f.005 >MD5SUMS; rm s/f.005",
      words: ["merge", "s/f.001"],
      code: 66,
      text: "f.005"
    ),
    Row(
      name: "a list above that has all, and one beside that has one",
      script: "mkdir s; mv w s; cd s; " + cut
        + "rm w; md5sum f.001 >MD5SUMS; cd ..; sha256sum s/f.* >SUMS.sha256",
      words: ["merge", "s/f.001"],
      text: ", as in s/MD5SUMS and SUMS.sha256\n"
    ),
    Row(
      name: "a directory that a link leads to",
      script: "mkdir s t; mv w s; cd s; " + cut
        + "rm w; cd ..; sha256sum s/* >SUMS.sha256; echo >>s/f.005; "
        + "ln -s ../s t/l",
      words: ["merge", "t/l/f.001"],
      code: 65,
      text: "cleave: t/l/../SUMS.sha256: t/l/f.005 has SHA256 "
    ),
    Row(
      name: "a list of parts above as the operand, with another beside the parts",
      script: "mkdir s; mv w s; cd s; " + cut + "rm w; cd ..; sha256sum s/* >SHA256SUMS; "
        + "echo 'f.002 12345678' >s/x.sfv",
      words: ["merge", "SHA256SUMS"],
      code: 65,
      text: "cleave: s/x.sfv: s/f.002 has CRC-32 "
    ),
    Row(
      name: "a list of parts in several directories as the operand, with another beside some",
      script: apart
        + "sha256sum a/* b/* >SHA256SUMS; (cd b; md5sum f.005 >MD5SUMS); echo >>b/f.005; "
        + "sed -i /005/d SHA256SUMS",
      words: ["merge", "-o", "f", "SHA256SUMS"],
      code: 66,
      text: "f.005"
    ),
    Row(
      name: "the whole beside some of its parts, which have weak names",
      script:
        "split -b 1000 -d -a 2 w f_; mkdir a b; mv f_0[01] a; mv f_0? b; (cd a; md5sum f_* <../w >MD5SUMS; "
        + "md5sum <../w | sed s/-/f/ >>MD5SUMS); echo >>b/f_04; rm w",
      words: ["merge", "-o", "f", "a/f_00", "a/f_01", "b/f_02", "b/f_03", "b/f_04"],
      code: 65,
      text: "cleave: a/MD5SUMS: the whole has MD5 "
    ),
    Row(
      name: "letters of which the first has no sum",
      script: "split -b 1000 w f.; rm w; sha256sum f.ab >sha256sum.txt; md5sum f.ad >f.ad.md5; "
        + "md5sum f.ae >f.ae.md5; echo wrong | dd of=f.ab conv=notrunc status=none",
      words: ["merge", "f.aa"],
      code: 65,
      text: "cleave: sha256sum.txt: f.ab has SHA256 "
    ),
    Row(
      name: "the same, verified",
      script:
        "split -b 1000 w f.; rm w; md5sum f.a[b-e] >MD5SUMS; echo wrong | dd of=f.ab conv=notrunc status=none",
      words: ["verify", "f.ac"],
      code: 1,
      text: "cleave: f.ab: has MD5 "
    ),
    Row(
      name: "names with an underscore, of which another list has the last",
      script:
        "split -b 1000 -d -a 2 w f_; rm w; md5sum f_0[0-3] >f.md5; sha256sum f_04 >SHA256SUMS; rm f_04",
      words: ["merge", "f_00"],
      code: 66,
      text: "1 part is missing: f_04; only SHA256SUMS tells of it"
    ),
    Row(
      name: "letters of which a list has the last alone",
      script:
        "split -b 1000 w f.; rm w; sha256sum f.ae >SHA256SUMS; rm f.ae; echo >f.py; md5sum f.py >MD5SUMS",
      words: ["merge", "f.aa"],
      code: 66,
      text: "f.ae"
    ),
    Row(
      name: "a file type of two letters that a list has",
      script: "split -b 1000 w f.; rm w; echo >f.py; md5sum f.py >MD5SUMS",
      words: ["merge", "f.aa"],
      text: "nothing to compare with"
    ),
    Row(
      name: "a list of one part as the operand beside one of all",
      script: cut + "rm w; md5sum f.001 >f.001.md5; sha256sum f.00? >SHA256SUMS",
      words: ["merge", "f.001.md5"],
      text: "SHA256SUMS\n"
    ),
    Row(
      name:
        "the whole in a list of some parts, all parts in another that was made after the damage",
      script: cut
        + "(md5sum f.001; md5sum <w | sed s/-/f/) >f.md5; rm w; echo wrong | dd of=f.003 conv=notrunc status=none; "
        + "sha256sum f.00? >SHA256SUMS",
      words: ["verify", "f.002"],
      code: 1,
      text: "5 right, 1 wrong, "
    ),
    Row(
      name: "a part more than a list above has",
      script: "mkdir s; mv w s; cd s; " + cut + "rm w; cd ..; sha256sum s/f.00[1-4] >SUMS.sha256",
      words: ["merge", "s/f.001"],
      code: 65,
      text: "cleave: s/f.005: is not in SUMS.sha256; --last=4 leaves it out"
    ),
    Row(
      name: "parts of sizes that only a list above explains",
      script:
        "mkdir s; cd s; head -c 1000 ../w >f.001; head -c 1000 ../w >f.002; head -c 500 ../w >f.003; "
        + "head -c 1000 ../w >f.004; cd ..; rm w; sha256sum s/* >SUMS.sha256",
      words: ["merge", "s/f.001"],
      text: ", as in SUMS.sha256\n"
    ),
    Row(
      name: "a list beside parts that has the missing one alone, and one above that has the others",
      script: "mkdir s; mv w s; cd s; " + cut
        + "rm w; md5sum f.005 >MD5SUMS; rm f.005; cd ..; sha256sum s/f* >SUMS.sha256",
      words: ["merge", "s/f.001"],
      code: 66,
      text: "cleave: s/f: 1 part is missing: f.005; only MD5SUMS tells of it"
    ),
    Row(
      name: "a list above that has a name far behind those of a complete one beside the parts",
      script: "mkdir s; mv w s; cd s; split -b 1000 -d w f_; rm w; md5sum f_* >MD5SUMS; "
        + "cp f_00 f_2019; cd ..; md5sum s/* | grep -v SUMS >SUMS.md5; rm s/f_2019",
      words: ["merge", "s/f_00"],
      text: ", as in s/MD5SUMS\n"
    ),
    Row(
      name: "a list above that has the next of those of a complete one beside the parts",
      script: "mkdir s; mv w s; cd s; " + cut
        + "rm w; md5sum f.00[1-4] >MD5SUMS; cd ..; sha256sum s/f* >SUMS.sha256; rm s/f.005",
      words: ["merge", "s/f.001"],
      code: 66,
      text: "f.005; only SUMS.sha256 tells of it"
    ),
    Row(
      name: "parts in several directories whose names tell how many there are",
      script:
        "split -b 1500 -d -a1 --numeric-suffixes=1 --additional-suffix=of3 w f.part; mkdir a b; "
        + "mv f.part1of3 a; mv f.part2of3 b; rm f.part3of3 w",
      words: ["merge", "-o", "f", "a/f.part1of3", "b/f.part2of3"],
      code: 66,
      text: "the names tell of 3 parts, of which 2 are given: --last=2 joins these"
    ),
    Row(
      name: "a complete list above, and one beside of a name far behind",
      script: "mkdir s; mv w s; cd s; split -b 1000 -d w f_; rm w; cd ..; md5sum s/* >MD5SUMS; "
        + "sed -n 's/s.f_00/f_2019/p' MD5SUMS >s/x.md5",
      words: ["merge", "s/f_00"],
      text: ", as in MD5SUMS\n"
    ),
    Row(
      name: "two lists above that have all together, but for one that is left over",
      script: "mkdir s; mv w s; cd s; " + cut
        + "rm w; cd ..; md5sum s/f.00[12] >A.md5; md5sum s/f.00[34] >B.md5",
      words: ["merge", "s/f.001"],
      code: 65,
      text: "cleave: s/f.005: is not in A.md5; --last=4 leaves it out"
    ),
    Row(
      name: "a list above several directories that has the missing part alone",
      script: apart + "rm w; md5sum b/f.005 >MD5SUMS; rm b/f.005",
      words: ["merge", "-o", "f", "a/f.001", "a/f.002", "b/f.003", "b/f.004"],
      code: 66,
      text: "cleave: MD5SUMS: has f.005, which is not given"
    ),
    Row(
      name: "a list above several directories of a name far behind",
      script: apart + "rm w; cp b/f.005 b/f.264; md5sum b/f.264 >MD5SUMS; rm b/f.264",
      words: ["merge", "-o", "f", "a/f.001", "a/f.002", "b/f.003", "b/f.004", "b/f.005"],
      text: "nothing to compare with"
    ),
    Row(
      name: "split's own list above the parts",
      script:
        "mkdir s; cleave split -q -b 1000 --manifest=w.sfv w s/; rm w; printf X | dd of=s/w.002 conv=notrunc",
      words: ["merge", "s/w.001"],
      code: 65,
      text: "cleave: w.sfv: s/w.002 has CRC-32 "
    ),
    Row(
      name: "the same, verified",
      script: "mkdir s; cleave split -q -b 1000 --manifest=w.sfv w s/; rm w",
      words: ["verify", "s"],
      text: "5 right, 0 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "the same beside a right list of another kind",
      script:
        "mkdir s; cleave split -q -b 1000 --manifest=w.sfv w s/; rm w; printf X | dd of=s/w.002 conv=notrunc; "
        + "cd s; md5sum w.* >w.md5",
      words: ["merge", "s/w.001"],
      code: 65,
      text: "cleave: w.sfv: s/w.002 has CRC-32 "
    ),
    Row(
      name: "split's list above of another directory's parts of the same name",
      script:
        "mkdir a b; cp w v; head -c 2000 w >u; mv u w; cleave split -q -b 1000 --manifest=a.sfv w a/; mv v w; "
        + "cleave split -q -b 1000 --manifest=b.sfv w b/; rm w",
      words: ["merge", "b/w.001"],
      text: ", as in b.sfv\n"
    ),
    Row(
      name: "split's list above, and a wrong list of another kind beside the parts",
      script:
        "mkdir s; cleave split -q -b 1000 --manifest=w.sfv w s/; rm w; cd s; sha256sum w.* >w.sha256; "
        + "sed -i '2s/^..../0000/' w.sha256",
      words: ["merge", "s/w.001"],
      code: 65,
      text: "cleave: s/w.sha256: s/w.002 has SHA256 "
    ),
    Row(
      name: "a list above of a whole and its parts, as operand",
      script:
        "mkdir s; mv w s/f; cd s; split -b 1000 -d -a 3 f f.; cd ..; md5sum s/f* >MD5SUMS; rm s/f",
      words: ["merge", "MD5SUMS"],
      text: "s/f: 4300 bytes (4.2 KiB) from 5 parts"
    ),
    Row(
      name: "a shorter first part of two, with a list for each",
      script:
        "head -c 1000 w >f.001; head -c 2000 w >f.002; rm w; for p in f.*; do md5sum $p >$p.md5; done",
      words: ["merge", "f.001"],
      text: ", as in f.001.md5 and f.002.md5\n"
    ),
    Row(
      name: "a directory with the sum of the whole, and a list above of some parts",
      script: "mkdir s; mv w s; cd s; " + cut + whole("md5sum", "f.md5")
        + "rm w; cd ..; md5sum s/f.00[23] >L.md5",
      words: ["verify", "s"],
      text: "s/f: OK"
    ),
    Row(
      name: "a line with an absolute name that contradicts another",
      script: cut + "rm w; sha256sum $PWD/f.0* >SHA256SUMS; "
        + "sha256sum ../d/f.002 | sed 's/^..../0000/' >>SHA256SUMS",
      words: ["merge", "f.001"],
      code: 65,
      text: "has two different SHA256 of f.002"
    ),
    Row(
      name: "a list above in letters of another form",
      script: "mkdir s; mv w s; cd s; split -b 1000 -d w $(printf 'Caf\\303\\251.'); rm w; cd ..; "
        + "md5sum s/* | sed \"s/$(printf '\\303\\251')/$(printf 'e\\314\\201')/\" >MD5SUMS",
      words: ["merge", "s/Caf\u{E9}.00"],
      code: 65,
      text: "in other bytes for the same letters"
    ),
    Row(
      name: "lines with a directory in front and in letters of another case",
      script: cut + "rm w; md5sum f.00? | sed 's,  f,  dir/F,' >MD5SUMS",
      words: ["merge", "f.001"],
      code: 65,
      text: "which has F.001, in letters of another case"
    ),
    Row(
      name: "the whole whose name ends like a part's number",
      script: "mv w data; split -b 1000 data data; md5sum data >data.md5; rm data",
      words: ["merge", "dataaa"],
      text: "data: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 13685c40, as in data.md5\n"
    ),
    Row(
      name: "a whole and its parts in a directory below a list",
      script:
        "mkdir s; mv w s/f; cd s; split -b 1000 -d -a 3 f f.; cd ..; md5sum s/f* >MD5SUMS; rm s/f",
      words: ["verify", "MD5SUMS"],
      text: "6 right, 0 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "a directory with a list of one part, and one above of all",
      script: "mkdir s; mv w s; cd s; " + cut + "rm w; md5sum f.001 >checksums.md5; cd ..; "
        + "sha256sum s/f* >f.sha256; printf X | dd of=s/f.002 conv=notrunc",
      words: ["verify", "s"],
      code: 1,
      text: "cleave: s/f.002: has SHA256 "
    ),
    Row(
      name: "split's own list, left above the parts",
      script: "cp w f; mkdir d; cleave split -qb 1000 f d/; mv d/f.sfv .; rm f w; "
        + damage("d/f.002"),
      words: ["merge", "d/f.001"],
      code: 65,
      text: "cleave: f.sfv: d/f.002 has CRC-32 "
    ),
    Row(
      name: "the same of records that were dealt out",
      script: "seq 900 >f; mkdir d; cleave split -qn r/3 f d/; mv d/f.sfv .; rm f; "
        + "sed -i '5s/.*/x/' d/f.002",
      words: ["merge", "d/f.001"],
      code: 65,
      text: "cleave: d/f: the parts have "
    ),
    Row(
      name: "sums that were left above the parts",
      script: cut + "sha256sum f.00? >SHA256SUMS; mkdir d; mv f.00? d; rm w; " + damage("d/f.002"),
      words: ["merge", "d/f.001"],
      code: 65,
      text: "d/f.002 has SHA256 "
    ),
    Row(
      name: "parts whose sums do not make that of the whole",
      script: cut + "mv f.001 x; mv f.002 f.001; mv x f.002; " + sums("f.00?", "l.sfv")
        + "printf 'filename=f\nsize=4300\ncrc32=%s\n' $(crc w) >f.crc; mv w ..",
      words: ["merge", "--consume", "f.001"],
      code: 65,
      text: "cleave: f.crc: f has CRC-32 "
    ),
    Row(
      name: "a list of one part as operand, beside one that has not the last",
      script: "head -c 2500 w | " + cutInput + sums("f.00?", "l.sfv")
        + "head -n 1 l.sfv >f.001.sfv; head -c 300 w >f.004; rm w",
      words: ["merge", "--consume", "f.001.sfv"],
      code: 65,
      text: "cleave: f.004: is not in f.001.sfv; --last=3 leaves it out"
    ),
    Row(
      name: "sums files of single parts that contradict each other",
      script: cut + "rm w; for p in f.00?; do md5sum $p >$p.md5; "
        + "printf '%032d  %s\n' 0 $p >$p.md5sum; done",
      words: ["merge", "f.001"],
      code: 65,
      text: "cleave: f.001.md5sum: has another MD5 of f.001 than f.001.md5"
    ),
    Row(
      name: "a short part in the middle that alone has a sum",
      script: cut + "rm w; head -c 500 f.001 >f.002; md5sum f.002 >f.002.md5",
      words: ["merge", "--consume", "f.001"],
      code: 65,
      text: "f.002"
    ),
    Row(
      name: "another sum of a file under its absolute name",
      script:
        "printf 'MD5 (w) = %s\nSHA256 (%s/w) = %064d\n' $(md5sum <w | cut -c1-32) \"$PWD\" 0 >C.txt; "
        + "mv C.txt CHECKSUMS.txt",
      words: ["verify", "CHECKSUMS.txt"],
      code: 1,
      text: "cleave: w: has SHA256 "
    ),
    Row(
      name: "the sum of a whole tells where the numbers begin, and that the last part is missing",
      script: "mv w data; split -b 1000 data data; sha1sum data >data.sha1; rm data dataae; "
        + "for p in dataa?; do md5sum $p >$p.md5; done",
      words: ["merge", "dataaa"],
      code: 65,
      text: "cleave: data.sha1: data has SHA1 "
    ),
    Row(
      name: "the same with the list above",
      script:
        "mkdir d; mv w d/data; split -b 1000 d/data d/data; sha1sum d/data >data.sha1; rm d/data; "
        + damage("d/dataab"),
      words: ["merge", "d/dataaa"],
      code: 65,
      text: "d/data has SHA1 "
    ),
    Row(
      name: "a list of the whole beside split's sums, verified by a part",
      script:
        "mv w f; cleave split -qb 1000 --checksum=sha256 f; rm f; printf '%032d  f\n' 0 >f.md5",
      words: ["verify", "f.001"],
      code: 1,
      text: "MD5"
    ),
    Row(
      name: "a first part that neither is there nor listed, verified",
      script: cut + "rm w f.001; md5sum f.00? >f.md5",
      words: ["verify", "f.002"],
      code: 66,
      text: "1 part is missing: f.001"
    ),
    Row(
      name: "the whole in the directory of one part, in a list above",
      script: "mkdir a b; mv w a/f; sha1sum a/f >SHA1SUMS; cd a; split -b 1000 -d -a 3 f f.; rm f; "
        + "mv f.00[12] ../b; cd ..; " + damage("b/f.002"),
      words: ["merge", "-o", "f", "a/f.000", "b/f.001", "b/f.002", "a/f.003", "a/f.004"],
      code: 65,
      text: "SHA1SUMS"
    ),
    Row(
      name: "two lists that differ about a file that is no part",
      script: cut + "rm w; echo 1 >n; sha1sum f.00? n >a.sha1; echo 2 >n; sha1sum f.00? n >b.sha1",
      words: ["merge", "f.001"],
      text: "f: 4300 bytes (4.2 KiB) from 5 parts, "
    ),
    Row(
      name: "a directory with a list of all parts, and another above",
      script: "mkdir d; mv w d; cd d; " + cut
        + "rm w; md5sum f.00? >MD5SUMS; cd ..; for p in d/f.00?; do echo \"$p 00000000\"; done >up.sfv",
      words: ["verify", "d"],
      code: 1,
      text: "cleave: d/f.001: has CRC-32 "
    ),
    Row(
      name: "a part whose others are in directories beside it, verified",
      script: cut + "rm w; mkdir a b; mv f.00[123] a; mv f.00? b; md5sum a/* b/* >MD5SUMS",
      words: ["verify", "a/f.001"],
      code: 66,
      text:
        "2 parts are missing: f.004 to f.005; b/f.004 is there: name MD5SUMS for all parts, with -o f\n"
    ),
    Row(
      name: "a list of some parts in several directories, and one of the whole",
      script: apart + "sha1sum a/f.001 >f.sha1; " + whole("md5sum", "f.md5") + "rm w",
      words: ["merge", "-o", "f"] + scattered,
      text: ", as in f.sha1 and f.md5"
    ),
    Row(
      name: "a list that cannot be read, and that is named after nothing beside it",
      script: cut + "rm w; ln -s gone L.sfv",
      words: ["merge", "--consume", "f.001"],
      code: 66,
      text: "cleave: L.sfv: open failed: "
    ),
    Row(
      name: "one that is named after something else",
      script: cut + "mv w L; ln -s gone L.sfv",
      words: ["merge", "f.001"],
      text: "f: 4300 bytes (4.2 KiB) from 5 parts, "
    ),
    Row(
      name: "one beside another that has all",
      script: cut + "md5sum f.00? >f.md5; rm w; ln -s gone L.sfv",
      words: ["merge", "f.001"],
      text: ", as in f.md5\n"
    ),
    Row(
      name: "one above parts",
      script: "mkdir d; mv w d; cd d; " + cut + "rm w; ln -s gone ../L.sfv",
      words: ["merge", "-o", "f", "d/f.001"],
      code: 66,
      text: "cleave: L.sfv: open failed: "
    ),
    Row(
      name: "one above parts in several directories",
      script: apart + "rm w; ln -s gone L.sfv",
      words: ["merge", "--consume", "-o", "f"] + scattered,
      code: 66,
      text: "cleave: L.sfv: open failed: "
    ),
    Row(
      name: "a wrong part of those that a job with a header is planned from",
      script: crc + "for n in 1 2 3; do { echo id; seq $n; } >f.00$n; done; "
        + "for p in f.00?; do echo $p $(crc $p); done >f.sfv; echo 7 >>f.002",
      words: ["merge", "--consume", "--header", "f.001"],
      code: 65,
      text: "; put a good f.002 in its place\n"
    ),
    Row(
      name: "a wrong date in the directory of a split zip that goes",
      // An hour that no clock tells.
      script: "head -c 99999 /dev/urandom >r; zip -q -s 64k f.zip r; rm r w; "
        + sums("f.z*", "f.sfv")
        + "printf '\\377' | dd of=f.zip bs=1 seek=$(($(stat -c %s f.zip) - 80)) conv=notrunc",
      words: ["merge", "--consume", "-o", "f", "f.zip"],
      code: 65,
      text: "; put a good f.zip in its place\n"
    ),
    Row(
      name: "names in capital letters in one list, and another of one part",
      script: cut + "sha256sum f.00? | tr f F >other.sha256; md5sum f.003 >f.003.md5; rm w; "
        + damage("f.001"),
      words: ["merge", "f.001"],
      code: 65,
      text: "in letters of another case"
    ),
    Row(
      name: "the whole in capital letters in one list, and another of one part",
      script: cut + "sha256sum <w | sed 's/-/F/' >other.sha256; md5sum f.003 >f.003.md5; rm w; "
        + damage("f.001"),
      words: ["merge", "f.001"],
      code: 65,
      text: "has F and not f, in letters of another case"
    ),
    Row(
      name: "the whole in capital letters above",
      script: "mkdir d; mv w d; cd d; " + cut + "sha256sum <w | sed 's/-/F/' >../L.sha256; rm w; "
        + damage("f.001"),
      words: ["merge", "-o", "f", "d/f.001"],
      code: 65,
      text: "in letters of another case"
    ),
    Row(
      name: "the whole in capital letters beside parts in several directories",
      script: apart + "sha256sum <w | sed 's/-/F/' >b/L.sha256; rm w; " + damage("a/f.001"),
      words: ["merge", "-o", "f"] + scattered,
      code: 65,
      text: "in letters of another case"
    ),
    Row(
      name: "the next of files that are of no family, and could be the last",
      script: "split -b 1000 -d -a 1 --numeric-suffixes=1 w f.cd; rm w",
      words: ["merge", "-o", "f", "f.cd1", "f.cd2", "f.cd3", "f.cd4"],
      code: 66,
      text: "cleave: f.cd5: has the next number, and is not given: "
    ),
    Row(
      name: "all of them",
      script: "split -b 1000 -d -a 1 --numeric-suffixes=1 w f.cd; rm w",
      words: ["merge", "-o", "f", "f.cd1", "f.cd2", "f.cd3", "f.cd4", "f.cd5"],
      text: "f: 4300 bytes (4.2 KiB) from 5 parts, "
    ),
    Row(
      name: "files in a shell's order, of which the first has no number",
      script: "for n in '' 1 2 10; do cp w f$n.mp4; done; rm w",
      words: ["merge", "-o", "f", "f.mp4", "f1.mp4", "f10.mp4", "f2.mp4"],
      code: 66,
      text: "cleave: f2.mp4: is given behind f10.mp4, against their numbers"
    ),
    Row(
      name: "a directory with a list of one part, and one of the whole above",
      script: "mkdir d; mv w d; cd d; " + cut + whole("sha1sum", "../checksums.sha1")
        + "rm w; sha1sum f.003 >f.003.sha1; " + damage("f.001"),
      words: ["verify", "d"],
      code: 1,
      text: "cleave: the parts of d/f make SHA1 "
    ),
    Row(
      name: "parts of a split zip beside pieces of the file that has the name of its last",
      script: "head -c 150000 /dev/urandom >r; zip -q -s 64k a.zip r; "
        + "split -b 60000 -d -a 3 --numeric-suffixes=1 r a.zip.; rm r w",
      words: ["merge", "-o", "f", "a.z01"],
      text: " from 3 parts of a split zip with 1 entry, "
    ),
    Row(
      name: "a part of another series that lacks one, as what --force would replace",
      script: "split -b 2000 -d -a 3 --numeric-suffixes=1 w x.; split -b 1000 -d -a 3 "
        + "--numeric-suffixes=1 x.001 x.001.; rm x.003 w",
      words: ["merge", "-f", "x.001.001"],
      code: 73,
      text: "cleave: x.001: may itself be a part, as x.002 is: -o x.001 replaces it\n"
    ),
    Row(
      name: "the same where all are merged",
      script: "split -b 2000 -d -a 3 --numeric-suffixes=1 w x.; split -b 1000 -d -a 3 "
        + "--numeric-suffixes=1 x.001 x.001.; rm x.002 w",
      words: ["merge", "--all", "-f", "."],
      code: 66,
      text: "cleave: x.001: may itself be a part, as x.003 is: -o x.001 replaces it\n"
    ),
    Row(
      name: "parts in several directories, shown",
      script: apart + "rm w",
      words: ["info"] + scattered,
      text: "f: 5 parts in several directories\n  a/f.001  1000 bytes"
    ),
    Row(
      name: "some of them in the wrong size, shown",
      script: apart + "rm w; : >a/f.002",
      words: ["info"] + scattered,
      code: 65,
      text: "f: 5 parts in several directories, which cannot be merged so"
    ),
    Row(
      name: "a tar without its beginning, shown",
      script: "tar cf x w; split -b 1000 -d -a 3 x x.tar.; rm x x.tar.000 w",
      words: ["info", "x.tar.001"],
      code: 65,
      text: "does not begin like a tar file"
    ),
    Row(
      name: "a tar without its beginning, verified",
      script: "tar cf x w; split -b 1000 -d -a 3 x x.tar.; rm x x.tar.000 w",
      words: ["verify", "x.tar.001"],
      code: 65,
      text: "does not begin like a tar file"
    ),
    Row(
      name: "a list of a series and of other files that are counted, all merged",
      script: cut + "cp f.001 a-00; cp f.002 a-01; cp f.003 a-02; rm w; sha256sum * >SHA256SUMS",
      words: ["merge", "--all", "SHA256SUMS"],
      text: "a-00: may be a part of a series, too, which is not looked at: name it to do that"
    ),
    Row(
      name: "parts in letters behind the first, which a list has",
      script: "split -b 2000 -a 1 w f.; md5sum f.? >MD5SUMS; rm f.a w",
      words: ["merge", "-o", "o", "f.b", "f.c"],
      code: 66,
      text: "cleave: MD5SUMS: has f.a, which is not given: --manifest=none merges without it\n"
    ),
    Row(
      name: "files of no family, counted from 0, which a list has",
      script: "for n in 0 1 2; do cp w film$n.mkv; done; md5sum film* >MD5SUMS; rm film0.mkv w",
      words: ["merge", "-o", "o", "film1.mkv", "film2.mkv"],
      code: 66,
      text: "cleave: film0.mkv: is in MD5SUMS, and is not given: --as-given joins those that are\n"
    ),
    Row(
      name: "the last of a list beside one of the others and one of the whole",
      script: cut + sums("f.001 f.002 f.003 f.004", "f.sfv") + "sha256sum f.00? >SHA256SUMS; "
        + whole("sha256sum", "SHA256SUMS") + "rm f.005 w",
      words: ["merge", "--verify=none", "f.001"],
      code: 66,
      text: "cleave: f: 1 part is missing: f.005; only SHA256SUMS tells of it: --manifest=none does"
    ),
    Row(
      name: "split's list above, in which a line is wrong",
      script: "cleave split -q -b 1000 w f; rm w; mkdir d; mv f.00? d; sed -i 2p f.sfv; "
        + damage("d/f.002"),
      words: ["merge", "-o", "o", "d/f.001"],
      code: 65,
      text: "cleave: f.sfv: line 3: the key name appears twice; --manifest=none does without it\n"
    ),
    Row(
      name: "a list above of files of no family, of which the last is gone",
      script: "mkdir p; for n in 1 2 3; do cp w \"p/film $n.mkv\"; done; md5sum p/* >MD5SUMS; "
        + "rm 'p/film 3.mkv' w",
      words: ["merge", "-o", "o", "p/film 1.mkv", "p/film 2.mkv"],
      code: 66,
      text: "p/film 3.mkv: is in MD5SUMS, and is not given"
    ),
    Row(
      name: "a list of another name that cannot be read as one",
      script: cut + sums("f.00?", "f.sfv") + "rm w; echo about f.001 >notes.sfv",
      words: ["merge", "f.001"],
      code: 65,
      text:
        "of a CRC-32; --manifest=FILE names the one to compare with; --manifest=none does without"
    ),
    Row(
      name: "split's list of digests that lacks the last part",
      script: "cleave split -q -b 1000 --checksum=sha256 w f; rm w f.005; sed -i /f.005/d f.sha256",
      words: ["verify", "f.001"],
      code: 1,
      text: "cleave: the parts of f make 4000 bytes, not 4300\n"
    ),
    Row(
      name: "a list of the first part and of the whole",
      script: cut + sums("f.001", "f.sfv") + "cp w f; " + crc
        + "echo f $(crc f) >>f.sfv; rm f w",
      words: ["verify", "f.001"],
      code: 1,
      text: "\n1 right, 0 wrong, 0 missing, 4 not checked\n"
    ),
    Row(
      name: "split's list in the order of names as text",
      script: "cleave split -q -a 1 -b 400 w f; rm w; "
        + "(grep '^;' f.sfv; grep -v '^;' f.sfv | sort) >t; mv t f.sfv",
      words: ["verify", "f.sfv"],
      text: "\n11 right, 0 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "a list of parts that are counted from 5",
      script: "split -b 1000 -d -a 3 --numeric-suffixes=5 w f.; rm w; md5sum f.0* >MD5SUMS",
      words: ["merge", "f.006"],
      code: 66,
      text: "cleave: f: 4 parts are missing: f.001 to f.004; --first=5 begins with f.005\n"
    ),
    Row(
      name: "of two parts that are named, the first cut short",
      script: "head -c 990 w >f.001; head -c 1000 w >f.002; rm w",
      words: ["merge", "f.001", "f.002"],
      code: 65,
      text: "it was probably cut short; --last=2 joins all\n"
    ),
    Row(
      name: "a tar without its beginning, written to standard output",
      script: "tar cf x w; split -b 1000 -d -a 3 x x.tar.; rm x x.tar.000 w",
      words: ["cat", "x.tar.001"],
      code: 65,
      text: "or in the wrong order; --format=raw joins them all the same\n"
    ),
    Row(
      name: "the same of a part behind the first",
      script: "tar cf x w; split -b 1000 -d -a 3 --numeric-suffixes=1 x x.tar.; rm x w",
      words: ["cat", "--first=2", "x.tar.001"],
      text: ""
    ),
    Row(
      name: "hexadecimal numbers, a file type and a list in two of their digits",
      script:
        "split -x -a 2 -b 100 w f.; rm w; sha256sum f.?? >f.sha256; cp f.00 f.db; cp f.00 f.b2",
      words: ["merge", "f.00"],
      text: "f: 4300 bytes (4.2 KiB) from 43 parts, CRC-32 "
    ),
    Row(
      name: "hexadecimal numbers, of which most in the middle are gone",
      script: "split -x -a 2 -b 100 w f.; rm w; cp f.00 f.fd; cp f.00 f.fe; cp f.00 f.ff",
      words: ["merge", "f.00"],
      code: 65,
      text: "f.0a is there, so that the digits may be hexadecimal: choose by --as="
    ),
    Row(
      name: "hexadecimal numbers from 8 on",
      script: "split --hex-suffixes=8 -b 1500 w f.part; rm w",
      words: ["merge", "-o", "f", "f.part08"],
      code: 65,
      text: ": --as=part leaves it out, --as-given -o OUT joins those that are named\n"
    ),
    Row(
      name: "numbers behind 4, told of with what takes them",
      script: "split --numeric-suffixes=5 -b 1500 w x; rm w",
      words: ["merge", "-o", "f", "x05"],
      code: 66,
      text: "though --as=digits with --first=5 would take 3 files for its parts: name all parts"
    ),
    Row(
      name: "the same, typed",
      script: "split --numeric-suffixes=5 -b 1500 w x; rm w",
      words: ["merge", "-o", "f", "--as=digits", "--first=5", "x05"],
      text: "f: 4300 bytes (4.2 KiB) from 3 parts, CRC-32 "
    ),
    Row(
      name: "parts that were all saved a second time, beside the list of the first",
      script: cut + "sha256sum f.00? >SHA256SUMS; rm w; " + second + damage("'f (1).002'"),
      words: ["merge", "f (1).003"],
      code: 65,
      text: "cleave: SHA256SUMS: has f.001, of which f (1).001 may be another copy, and nothing "
        + "else proves the parts: rename the parts, or --manifest=none merges without it\n"
    ),
    Row(
      name: "the same with the list under their first name, and to be freed",
      script: cut + "sha256sum f.00? >f.sha256; rm w; " + second,
      words: ["merge", "--consume", "f (1).001"],
      code: 65,
      text: "cleave: f.sha256: has f.001, of which f (1).001 may be another copy, and nothing else"
    ),
    Row(
      name: "the same with one of the whole",
      script: cut + whole("md5sum", "f.md5") + "rm w; " + second,
      words: ["merge", "f (1).001"],
      code: 65,
      text: "cleave: f.md5: has f, of which f (1).001 may be another copy, and nothing else proves"
    ),
    Row(
      name: "the same of a list that was saved a second time, too",
      script: cut + whole("md5sum", "'f (1).md5'") + "rm w; " + second,
      words: ["merge", "--consume", "f (1).001"],
      code: 65,
      text: "cleave: f (1).md5: has f, of which f (1).001 may be another copy, and nothing else"
    ),
    Row(
      name: "sums of 16 digits in what 7-Zip shows",
      script: cut
        + "rm w; (printf 'XXH64                     Size  Name\\n---------------- -------------  ------------\\n'; "
        + "for p in f.00?; do echo \"2A308AB26F8F70FD          1000  $p\"; done) >checksums.txt",
      words: ["merge", "f.001"],
      code: 65,
      text:
        "cleave: checksums.txt: has sums of 64 bits, which are not computed here, and nothing else"
    ),
    Row(
      name: "sizes in words behind the names",
      script: cut
        + "rm w; for p in f.00?; do echo \"$p (1000 bytes) $(md5sum <$p | cut -c -32)\"; done >CHECKSUMS.md5",
      words: ["merge", "f.001"],
      code: 65,
      text:
        "cleave: CHECKSUMS.md5: has f.001 in a line that is not read, and nothing else proves the parts"
    ),
    Row(
      name: "CRC-32s in brackets and dates",
      script: cut
        + "rm w; for p in f.00?; do echo \"[0123456a] 2026-11-27 $p\"; done >checksums.txt",
      words: ["merge", "f.001"],
      code: 65,
      text: "cleave: checksums.txt: has f.001 in a line that is not read, and nothing else proves"
    ),
    Row(
      name: "copies that are all given, in front of the ending",
      script: "split -b 1000 -d -a 1 --numeric-suffixes=1 --additional-suffix=.bin w f.part; rm w; "
        + "sha256sum f.part?.bin >SHA256SUMS; for n in 1 2 3 4 5; do mv f.part$n.bin \"f.part$n (1).bin\"; done",
      words: [
        "merge", "-o", "f", "f.part1 (1).bin", "f.part2 (1).bin", "f.part3 (1).bin",
        "f.part4 (1).bin", "f.part5 (1).bin",
      ],
      code: 65,
      text: "cleave: SHA256SUMS: has f.part1.bin, of which f.part1 (1).bin may be another copy, and"
    ),
    Row(
      name: "a second copy of a file manager's",
      script: cut + "sha256sum f.00? >f.sha256; rm w; "
        + "for n in 1 2 3 4 5; do mv f.00$n \"f copy 2.00$n\"; done",
      words: ["merge", "f copy 2.001"],
      code: 65,
      text: "cleave: f.sha256: has f.001, of which f copy 2.001 may be another copy, and nothing"
    ),
    Row(
      name: "the same in German, in front of the name",
      script: cut + "sha256sum f.00? >f.sha256; rm w; "
        + "for n in 1 2 3 4 5; do mv f.00$n \"Kopie von f.00$n\"; done",
      words: ["merge", "Kopie von f.001"],
      code: 65,
      text: "cleave: f.sha256: has f.001, of which Kopie von f.001 may be another copy, and nothing"
    ),
    Row(
      name: "a list of files without a number that is no mark of a copy",
      script: cut + "md5sum f.00? >MD5SUMS; rm w; for n in 1 2 3 4 5; do mv f.00$n f-2.00$n; done",
      words: ["merge", "f-2.001"],
      text: "f-2: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
    ),
    Row(
      name: "a list of another file without a word that people put behind names",
      script: cut + "md5sum w | sed 's/w/f.img/' >MD5SUMS; rm w; for n in 1 2 3 4 5; do "
        + "mv f.00$n f.old.img.00$n; done",
      words: ["merge", "f.old.img.001"],
      text: "f.old.img: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
    ),
    Row(
      name: "sizes and dates under the name of a list",
      script: cut
        + "rm w; for p in f.00?; do echo \"2026-11-27 10:00:00 10000000 $p\"; done >hashes.txt",
      words: ["merge", "f.001"],
      text: "f: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
    ),
    Row(
      name: "split's own list of names that may be hexadecimal, verified",
      script: "cleave split -q -b 900 -d --manifest=p.sfv w p.b; rm w",
      words: ["verify", "p.sfv"],
      text: "5 right, 0 wrong, 0 missing, 0 not checked\n"
    ),
    Row(
      name: "the same without the list",
      script: cut + "sha256sum f.00? >SHA256SUMS; rm w; " + second,
      words: ["merge", "--manifest=none", "f (1).001"],
      text: "f (1): 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
    ),
    Row(
      name: "the same where the first are there, too",
      script: cut + "sha256sum f.00? >SHA256SUMS; rm w; cp f.001 k; " + second
        + "for n in 1 2 3 4 5; do cp \"f (1).00$n\" f.00$n; done; rm k",
      words: ["merge", "f (1).001"],
      text: "f (1): 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
    ),
    Row(
      name: "a list with the marks of the copies",
      script: cut + "rm w; " + second + "sha256sum f* >SHA256SUMS",
      words: ["merge", "f (1).001"],
      text: ", as in SHA256SUMS\n"
    ),
    Row(
      name: "a table with a CRC-32 between names and digests",
      script: cut + "rm w; for p in f.00?; do echo \"$p  01234567  $(md5sum <$p | cut -c -32)\"; "
        + "done >hashes.txt; " + damage("f.002"),
      words: ["merge", "f.001"],
      code: 65,
      text: "cleave: hashes.txt: f.002 has MD5 "
    ),
    Row(
      name: "a size behind the name",
      script: cut + "rm w; sha256sum f.00? | sed 's/$/  1000/' >SHA256SUMS",
      words: ["merge", "f.001"],
      code: 65,
      text: "cleave: SHA256SUMS: has f.001 in a line that is not read, and nothing else proves"
    ),
    Row(
      name: "a list as the operand that is named, too",
      script: cut + "md5sum f.00? >f.md5; rm w",
      words: ["merge", "--manifest=f.md5", "f.md5"],
      text: ", as in f.md5\n"
    ),
    Row(
      name: "a list above that has another set of the same names, in another directory",
      script: "mkdir b x; for n in 1 2 3 4; do cp w x/film$n.mkv; done; cp x/film[123].mkv b; "
        + "md5sum b/* x/* >MD5SUMS; rm w",
      words: ["merge", "-o", "o", "b/film1.mkv", "b/film2.mkv", "b/film3.mkv"],
      text: ", as in MD5SUMS\n"
    ),
    Row(
      name: "a last part of zeros, in which the zeros of a gzip trailer end",
      script: "gzip -nc w >x; head -c -1 x >x.gz.001; head -c 100 /dev/zero >x.gz.002; rm x w",
      words: ["merge", "x.gz.001"],
      code: 65,
      text: "x.gz.002: does not belong here: the gzip data ends with x.gz.001"
    ),
    Row(
      name: "a part that is wrong beside one that is missing, drawn",
      script: "cleave split -q -b 1000 w f; rm w f.005; " + damage("f.001"),
      words: ["info", "--compare", "f.001"],
      code: 1,
      text: "1 part is missing: f.005"
    ),
    Row(
      name: "beside split's list, another sum of the whole",
      script: ownList + "echo $(echo x | md5sum | head -c32) f >f.md5",
      words: ["merge", "f.001"],
      code: 65,
      text: "f.md5: f has MD5 "
    ),
    Row(
      name: "beside split's list, other sums of the parts under another name",
      script: ownList + "for n in 1 2 3 4 5; do echo f.00$n DEADBEEF; done >other.sfv",
      words: ["merge", "f.001"],
      code: 65,
      text: "other.sfv: has another CRC-32 of f.001 than f.sfv; --manifest=FILE names the one"
    ),
    Row(
      name: "beside split's list, digests of the parts",
      script: ownList + "sha256sum f.00? >SHA256SUMS",
      words: ["merge", "f.001"],
      text: ", as in f.sfv and SHA256SUMS\n"
    ),
    Row(
      name: "beside split's list, the digest of another part",
      script: ownList + "sha256sum f.00? | sed '2s/^......../deadbeef/' >SHA256SUMS",
      words: ["merge", "f.001"],
      code: 65,
      text: "SHA256SUMS: f.002 has SHA256 "
    ),
    Row(
      name: "the same, verified",
      script: ownList + "sha256sum f.00? | sed '2s/^......../deadbeef/' >SHA256SUMS",
      words: ["verify", "f.001"],
      code: 1,
      text: "4 right, 1 wrong, 0 missing, 0 not checked"
    ),
    Row(
      name: "beside split's list under another name, another sum of the whole",
      script: "cleave split -qb 1000 w g; echo $(echo x | sha256sum | head -c64) w >w.sha256; rm w",
      words: ["merge", "-o", "f", "g.001"],
      code: 65,
      text: "w.sha256: w has SHA256 "
    ),
    Row(
      name: "beside split's list under another name, a sum of a file that is called as the parts",
      script: "cleave split -qb 1000 w g; rm w; echo x >g; sha256sum g >SHA256SUMS",
      words: ["merge", "-o", "f", "g.001"],
      text: ", as in g.sfv\n"
    ),
    Row(
      name: "beside split's list, a sum of the whole, of which some parts are merged",
      script: ownList + "echo $(echo x | sha256sum | head -c64) f >SHA256SUMS",
      words: ["merge", "--last=2", "-o", "out", "f.001"],
      text: ", as in f.sfv\n"
    ),
    Row(
      name: "split's lists, where the parts are freed on the way",
      script: "mv w f; cleave split -qb 1000 --checksum crc32,sha256 f; rm f",
      words: ["merge", "--consume", "f.001"],
      text: ", as in f.sfv\n"
    ),
    Row(
      name: "digests beside split's list, one of which differs, where the parts are freed",
      script: ownList + "sha256sum f.00? | sed '2s/^......../deadbeef/' >SHA256SUMS",
      words: ["merge", "--consume", "-o", "out", "f.001"],
      code: 65,
      text: "SHA256SUMS: f.002 has SHA256 "
    ),
    Row(
      name: "a digest of the whole beside split's list, which differs, where the parts are freed",
      script: ownList + "echo $(echo x | sha256sum | head -c64) f >SHA256SUMS",
      words: ["merge", "--consume", "-o", "out", "f.001"],
      code: 65,
      text: "nothing was freed; --manifest=FILE names the one to compare with"
    ),
    Row(
      name: "digests beside split's list, where another is asked for",
      script: ownList + "sha256sum f.00? | sed '2s/^......../deadbeef/' >SHA256SUMS",
      words: ["merge", "--consume", "--manifest=f.sfv", "-o", "out", "f.001"],
      text: ", as in f.sfv\n"
    ),
    Row(
      name: "digests beside split's list, where the parts are freed",
      script: ownList + "sha256sum f.00? >SHA256SUMS",
      words: ["merge", "--consume", "-o", "out", "f.001"],
      text: ", as in f.sfv\n"
    ),
    Row(
      name: "parts in two directories, split's list in the first, another in the second",
      script: ownList
        + "mkdir p q; mv f.00[45] q; (cd q; sha256sum f.* | sed '1s/^..../0000/' >SHA256SUMS); "
        + "mv f.* p",
      words: ["merge", "-o", "f", "p/f.001", "p/f.002", "p/f.003", "q/f.004", "q/f.005"],
      code: 65,
      text: "q/f.004 has SHA256 "
    ),
    Row(
      name: "the whole in a line that is not read",
      script: cut.replacing("f.;", with: "film.;")
        + "echo \"film SHA256: $(sha256sum w | head -c64)\" >SHA256SUMS; rm w",
      words: ["merge", "film.001"],
      code: 65,
      text: "SHA256SUMS: has film in a line that is not read"
    ),
  ]

  private static let ownList = "mv w f; cleave split -qb 1000 f; rm f; "

  @Test(arguments: rows + forms) func nothingThatAListTellsIsPassedOver(row: Row) throws {
    let directory = try TemporaryDirectory()
    let inner = directory.file("d")
    try Files.makeDirectory(inner)
    let bytes = Bytes.pattern(count: 4300)
    try Files.write(bytes, to: inner.appending("w"))
    let tool = Tool.cleave.path.directory
    let script = "PATH=\"$PATH:\(tool)\"; \(row.script)"
    let made = try Tool.shell.run(["-ec", script], workingDirectory: inner)
    try #require(made.exitCode == 0, "\(made)")
    let names = try FileSystem.names(in: inner).sorted()
    let outcome = try Tool.cleave.run(row.words, workingDirectory: inner)
    #expect(outcome.exitCode == row.code, "\(outcome)")
    if row.code != 0 { #expect(try FileSystem.names(in: inner).sorted() == names) }
    let said = outcome.outputText + outcome.errorText
    #expect(said.contains(row.text), "\(outcome)")
    if row.code != 0, row.words[0] == "merge" { #expect(try !Files.exists(inner.appending("f"))) }
  }

  /// A run that goes on knows what the one before it was told.
  @Test(arguments: [[], ["--verify=stream"]]) func aZipThatGoesOnIsDoubtedAsItWas(
    options: [String]
  ) throws {
    let directory = try TemporaryDirectory()
    let script =
      "PATH=\"$PATH:\(Tool.cleave.path.directory)\"; head -c 300000 /dev/urandom >e; zip -q0 x e; "
      + "split -n 5 -d -a 3 --numeric-suffixes=1 x.zip f.; rm e x.zip; cksum f.00? >cksum.txt; "
      + "printf x >>f.005; (ulimit -f 300; cleave merge --resume --checkpoint=64K f.001); test $? = 74"
    let made = try Tool.shell.run(["-c", FilePath(script)], workingDirectory: directory.path)
    try #require(made.exitCode == 0, "\(made)")
    let outcome = try Tool.cleave.run(
      ["merge", "--resume"] + options + ["f.001"],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("f: going on, "), "\(outcome)")
    #expect(outcome.errorText.contains("cleave: cksum.txt: has sums of cksum"), "\(outcome)")
    #expect(try !Files.exists(directory.file("f")))
  }
}
