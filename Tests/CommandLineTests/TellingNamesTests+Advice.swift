/// What is told of files that are not what they seem, and what to do then.
extension TellingNamesTests {
  private static let cut = "split -a 3 -d -b 1024 --numeric-suffixes=1 W"
  static let disc =
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
        + "printf 'not what it was' | dd of=f.z02 bs=1 seek=500 conv=notrunc status=none",
      (65, "merge -o out f.zip", "'cleave verify f.z01' tells in which parts it lies")
    ),
    Case(
      "what is left of a part is told of when its job is given up",
      "head -c 1048576 /dev/urandom | split -a 3 -d -b 262144 --numeric-suffixes=1 - f.; "
        + "(ulimit -f 1300; cleave merge -q --consume --checkpoint=32K f.001) 2> errors && exit 1; true",
      (0, "clean -f", "f.003.cleave-rest: 262144 bytes"),
      (75, "clean", "f.003.cleave-rest: 262144 bytes")
    ),
    Case(
      "names that tell how many there are may come in any order, and are looked at all the same",
      "for n in 1 2 3 4; do head -c 1000 W > d_${n}_of_4; done; truncate -s 500 d_2_of_4",
      (65, "merge -o out d_2_of_4 d_1_of_4 d_3_of_4 d_4_of_4", "d_2_of_4: has 500 bytes less"),
      (
        65, "merge --consume -o out d_4_of_4 d_3_of_4 d_2_of_4 d_1_of_4",
        "d_2_of_4: has 500 bytes less"
      ),
      (0, "merge --as-given -o out d_2_of_4 d_1_of_4 d_3_of_4 d_4_of_4", "out: 3500 bytes")
    ),
    Case(
      "that all parts are there does not say that none was cut short",
      "(printf '\\0\\0\\0\\020ftypisom\\0\\0\\0\\0\\0\\0\\015\\064mdat'; cat W) | head -c 3396 > m; truncate -s 3396 m; "
        + "split -b 1000 -d -a 1 --numeric-suffixes=1 m x; for n in 1 2 3 4; do mv x$n m.part${n}of4.mp4; done; "
        + "truncate -s 300 m.part4of4.mp4",
      (
        66, "merge m.part1of4.mp4",
        "its headers tell of 3396 bytes, and there are 3300, so that a part may have been cut"
      ),
      (66, "merge --consume m.part1of4.mp4", "its headers tell of 3396 bytes"),
      (0, "merge --format=raw -o out m.part1of4.mp4", "out: 3300 bytes")
    ),
    Case(
      "a tar file ends with a whole record, unless something else is behind it",
      "tar -b 1 -cf w W; truncate -s 6144 w; split -n 3 -d -a 1 --numeric-suffixes=1 w x; "
        + "for n in 1 2 3; do mv x$n b.part${n}of3.tar; done; rm w; cp -r . ../b; mv ../b b; truncate -s -1 b.part2of3.tar; "
        + "echo >> b/b.part3of3.tar",
      (66, "merge b.part1of3.tar", "it ends 511 bytes into a record of the tar file"),
      (66, "verify b.part1of3.tar", "it ends 511 bytes into a record of the tar file"),
      (0, "merge -o out b/b.part1of3.tar", "1 not tested")
    ),
    Case(
      "a sum of the whole counts also where the whole is there",
      "split -b 2000 -d -a 1 --numeric-suffixes=1 --additional-suffix=.csv W film_; cp W film.csv; "
        + "sha256sum film.csv > SHA256SUMS; printf Z | dd of=film_1.csv bs=1 seek=77 conv=notrunc status=none",
      (65, "merge -o out film_1.csv film_2.csv", "the whole has SHA256"),
      (0, "merge --manifest=none -o out film_1.csv film_2.csv", "nothing to compare with")
    ),
    Case(
      "a list that has a part in other letters is not said to have been compared",
      "cp W f; md5sum f > f.md5; \(cut) f.; for n in 1 3 4; do sha1sum f.00$n; done > f.sha1; "
        + "sha1sum f.002 | sed s/^..../0000/ >> f.sha1; rm f; mv f.002 F.002",
      (65, "merge f.001", "F.002: is not in f.sha1, which has f.002, in letters of another case"),
      (65, "verify f.001", "F.002: is not in f.sha1, which has f.002, in letters of another case")
    ),
    Case(
      "a list that has all parts in other letters is not compared where another proves them",
      "\(cut) f.; sha256sum f.00? > SHA256SUMS; sha1sum f.00? | tr f F > x.sha1",
      (0, "merge f.001", "as in SHA256SUMS")
    ),
    Case(
      "of two lists that have the parts and the whole, both are compared by verify, too",
      "cp W f; \(cut) f.; sha1sum f.00? f > all.sha1; sha256sum f.00? f | sed '5s/^..../0000/' > SHA256SUMS; rm f",
      (1, "verify f.001", "the parts of f make SHA256"),
      (65, "merge f.001", "f has SHA256")
    ),
    Case(
      "what a list calls as the whole with an ending may be the whole",
      "\(cut) f.; cp W f.mkv; sha256sum f.mkv > SHA256SUMS; rm f.mkv",
      (
        66, "merge --consume f.001",
        "has f.mkv, which the parts may make, and is not compared: -o f.mkv compares it"
      ),
      (0, "merge f.001", "warning: SHA256SUMS: has f.mkv"),
      (0, "merge -o f.mkv f.001", "as in SHA256SUMS")
    ),
    Case(
      "a list is in a shell's order, and about all parts",
      "split -b 300 -d -a 2 --numeric-suffixes=1 W x; for n in 1 2 3 4 5 6 7 8 9 10 11 12; do "
        + "mv x$(printf %02d $n) d_$n.mkv; done; sha256sum d_* > SHA256SUMS",
      (0, "merge d_1.mkv", "from 12 parts, CRC-32 5d2e3c2f, as in SHA256SUMS")
    ),
    Case(
      "what comes behind the last part while a job is interrupted is told of, also where that is shorter",
      "head -c 900000 /dev/urandom | split -a 3 -d -b 262144 --numeric-suffixes=1 - f.; "
        + "(ulimit -f 1000; cleave merge -q --resume --checkpoint=32K f.001) 2> errors && exit 1; echo x > f.006; true",
      (75, "merge --resume --checkpoint=32K f.001", "f.006: has come since the job was begun"),
      (0, "merge --resume --checkpoint=32K --last=4 f.001", "f: 900000 bytes")
    ),
    Case(
      "of other files than a DVD's, number 0 is a part",
      "split -d -a 1 -b 1024 --additional-suffix=.vob W film_; md5sum film_* > MD5SUMS",
      (
        0, "merge film_1.vob",
        "film.vob: 3372 bytes (3.3 KiB) from 4 parts, CRC-32 5d2e3c2f, as in MD5SUMS"
      )
    ),
    Case(
      "that the first part is missing is told whatever is in front of the number",
      "split -d -b 1024 W f.part.; rm f.part.00",
      (66, "merge --strict f.part.01", "'split -d' begins with f.part.00, which is not there")
    ),
    Case(
      "a sum of the whole proves parts that a list has in other letters",
      "\(cut) f.; cp W f; sha256sum f f.0* | sed 's/ f.0/ F.0/' > SHA256SUMS; rm f",
      (0, "merge f.001", "as in SHA256SUMS")
    ),
    Case(
      "what is kept beside a film is not taken for it",
      "\(cut) film.; cp W film.txt; sha256sum film.txt > SHA256SUMS; rm film.txt",
      (0, "merge --consume film.001", "film: 3372 bytes")
    ),
    Case(
      "what is behind the end of compressed data cuts nothing short",
      "bzip2 -k W; echo >> W.bz2; split -n 3 -d -a 1 --numeric-suffixes=1 W.bz2 x; rm W.bz2; "
        + "for n in 1 2 3; do mv x$n a.part${n}of3.bz2; done",
      (0, "merge a.part1of3.bz2", "from 3 parts")
    ),
    Case(
      "what leaves a part out does that, too, where all are given",
      "for n in 1 2 4; do head -c 1000 W > f.00$n; done; head -c 500 W > f.003",
      (65, "merge f.001 f.002 f.003 f.004", "--last=3 leaves out the parts behind it"),
      (0, "merge --last=3 f.001 f.002 f.003 f.004", "f: 2500 bytes (2.4 KiB) from 3 parts")
    ),
    Case(
      "what was split already is told where the file is gone",
      "cp W f; cleave split -q --consume -b 1024 f",
      (66, "split --consume -b 1024 f", "f: does not exist; f.001 is there: 'cleave verify f.001'"),
      (0, "verify f.001", "4 right")
    ),
    Case(
      "a list for the same whole under other names is in the way of a split",
      "cp W f.mkv; cleave split -q -b 1024 f.mkv",
      (
        73, "split -b 300 --alphabetic-suffixes f.mkv f.mkv. --manifest=none",
        "f.mkv.sfv: lists parts for the same whole"
      )
    ),
  ]
}
