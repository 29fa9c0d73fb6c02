/// What is told of files that are not what they seem, and what to do then.
extension TellingNamesTests {
  private static let cut = "split -a 3 -d -b 1024 --numeric-suffixes=1 W"
  private static let disc =
    "for n in 0 1 2; do head -c 1024 W > VTS_01_$n.VOB; echo $n >> VTS_01_$n.VOB; done; "
    + "truncate -s 1536 VTS_01_?.VOB; echo > VTS_01_3.VOB"

  static let advice = [
    Case(
      "the menu of a DVD is no part of its film",
      disc,
      (
        66, "merge -o out VTS_01_0.VOB VTS_01_1.VOB VTS_01_2.VOB VTS_01_3.VOB",
        "VTS_01_0.VOB: is not a part of"
      ),
      (66, "merge -o out VTS_01_0.VOB", "VTS_01_0.VOB: is not named like a part"),
      (0, "merge -o out VTS_01_1.VOB VTS_01_2.VOB VTS_01_3.VOB", "out: 3073 bytes"),
      (0, "merge .", "VTS_01.VOB: 3073 bytes (3.0 KiB) from 3 parts")
    ),
    Case(
      "nobody is waited for that reads what was not asked for",
      "\(cut) f.; mkfifo f",
      (73, "merge f.001", "f: is a named pipe: -o f writes to it"),
      (73, "merge -f f.001", "f: is a named pipe: -o f writes to it")
    ),
    Case(
      "a part that was saved under two names is told of wherever it is",
      "for n in 1 2 3 4; do head -c 70000 /dev/urandom > f.00$n; done; cp f.001 f.003",
      (
        65, "merge --strict --last=4 f.001",
        "f.003: has the same bytes as f.001: one may have been saved under two names"
      ),
      (65, "merge --strict --consume --last=4 f.001", "f.003: has the same bytes as f.001"),
      (0, "merge f.001", "f.003: has the same bytes as f.001")
    ),
    Case(
      "of a list whose files are elsewhere, the command that finds them is named",
      "mkdir p q; \(cut) p/f.; (cd p; md5sum f.*) > q/f.md5",
      (
        66, "verify q/f.md5",
        "'cleave verify --manifest=q/f.md5 DIRECTORY' compares those in another directory"
      ),
      (0, "verify --manifest=q/f.md5 p", "4 right, 0 wrong")
    ),
    Case(
      "a directory that is not there is made by mkdir, for zips, too",
      "head -c 90000 /dev/urandom > x; zip -q f.zip x",
      (73, "split --format=zip -b 64K f.zip p/", "p: does not exist; mkdir makes it")
    ),
    Case(
      "of what is wrong in a split zip, the command that tells where is named",
      "head -c 200000 /dev/urandom > x; zip -q -0 -s 64k f.zip x; "
        + "printf XY | dd of=f.z02 bs=1 seek=500 conv=notrunc status=none",
      (65, "merge -o out f.zip", "'cleave verify f.z01' tells in which parts it lies")
    ),
    Case(
      "what is left of a part is told of when its job is given up",
      "head -c 1048576 /dev/urandom | split -a 3 -d -b 262144 --numeric-suffixes=1 - f.; "
        + "(ulimit -f 1300; cleave merge -q --consume --checkpoint=32K f.001) 2> errors && exit 1; true",
      (0, "clean -f", "f.003.cleave-rest: 262144 bytes"),
      (75, "clean", "f.003.cleave-rest: 262144 bytes")
    ),
  ]
}
