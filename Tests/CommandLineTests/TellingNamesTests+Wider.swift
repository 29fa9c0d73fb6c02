/// Parts that are counted on in another number of digits, names that count days, and lists that tell of more.
extension TellingNamesTests {
  private static let cut = "split -a 3 -d -b 1024 --numeric-suffixes=1 W f.; "
  private static func hexadecimal(_ last: Int) -> String {
    "for i in $(seq 0 \(last)); do printf '%05d' $i > f.$(printf %02x $i); done; "
  }

  private static let many = (1...70).map { "n\($0)x.txt" }.joined(separator: " ")

  static let wider =
    ["f.4", "f.0004", "f.004.txt", "'f (1).004'", "f.part4"].map { name in
      Case(
        "a list that has \(name) behind the last part",
        cut + "mv f.004 \(name); md5sum f.00[123] \(name) > f.md5",
        (66, "merge f.001", "f.md5: has \(name.filter { $0 != "'" }), which may be behind f.003"),
        (66, "merge --consume f.001", "which may be behind f.003"),
        (0, "merge -o out --last=3 f.001", "from 3 parts")
      )
    } + [
      Case(
        "a list that has a part behind the last one, which is nowhere",
        cut + "mv f.004 f.4; md5sum f.00[123] f.4 > f.md5; rm f.4",
        (66, "merge --strict --consume f.md5", "f.md5: has f.4, which may be behind f.003")
      ),
      Case(
        "numbers without zeros that go on with some",
        "for i in 1 2 3 4 5 6 7 8 9 010 011; do echo $i > f.$i; done; md5sum f.* > f.md5",
        (66, "merge f.1", "f.md5: has f.010, which may be behind f.9"),
        (0, "merge -o out --last=9 f.1", "from 9 parts")
      ),
      Case(
        "a list may have other files, too",
        cut + "cp f.001 g; cp f.001 f.nfo; cp f.001 f.3.nfo; md5sum * > MD5SUMS",
        (0, "merge f.001", "as in MD5SUMS")
      ),
      Case(
        "hexadecimal numbers that outgrow their digits",
        hexadecimal(257),
        (66, "merge f.00", "f.100 may be behind f.ff, in another number of digits"),
        (66, "merge --consume f.0a", "f.100 may be behind f.ff"),
        (0, "merge --last=ff f.00", "from 256 parts")
      ),
      Case(
        "and are in a list",
        hexadecimal(257) + "sha256sum f.* > f.sha256",
        (66, "merge --strict f.00", "f.100 may be behind f.ff"),
        (66, "merge f.sha256", "")
      ),
      Case(
        "hexadecimal numbers without zeros",
        "for i in $(seq 20); do echo $i > f.$(printf %x $i); done; md5sum f.* > f.md5",
        (65, "merge f.1", "f.a is there, so that the letters may be hexadecimal digits"),
        (65, "merge f.f", "f.9 is there, so that the letters may be hexadecimal digits"),
        (65, "merge f.10", "hexadecimal digits")
      ),
      Case(
        "letters that outgrow their number",
        "for a in a b c d e f g h i j k l m n o p q r s t u v w x y z; do echo $a > f.$a; done; echo > f.aa",
        (66, "merge f.a", "f.aa may be behind f.z, in another number of digits"),
        (0, "merge --last=z f.a", "from 26 parts")
      ),
      Case(
        "files of one size, counted by days",
        "for i in 1 2 3; do cp W vm.2024-02-0$i; cp W db_2024_03_0$i.sql; cp W log-2024-0$i; done",
        (65, "merge vm.2024-02-01", "--as=dash joins it with the others"),
        (65, "merge vm.2024-02-01 vm.2024-02-02 vm.2024-02-03", "is named like many things"),
        (65, "merge db_2024_03_01.sql db_2024_03_02.sql db_2024_03_03.sql", "is named like many"),
        (65, "merge --consume log-2024-01", "is named like many things"),
        (0, "merge -o out --as=dash vm.2024-02-01", "from 3 parts")
      ),
      Case(
        "parts of one disk, counted by days",
        "split -d -a 2 -b 1024 --numeric-suffixes=1 W vm.2024-02-; cp vm.2024-02-01 x.2024-13-01; cp vm.2024-02-01 x.2024-13-02",
        (0, "merge -o out vm.2024-02-01", "from 4 parts"),
        (0, "merge -o two x.2024-13-01", "from 2 parts")
      ),
      Case(
        "logs of one size",
        "for i in 1 2 3; do cp W app.log.$i; done",
        (65, "merge .", "such as a log that was rotated"),
        (65, "merge app.log.1 app.log.2 app.log.3", "such as a log that was rotated"),
        (65, "verify app.log.1 app.log.2 app.log.3", "such as a log that was rotated"),
        (0, "merge -o out --as=digit app.log.1", "from 3 parts")
      ),
      Case(
        "tables with sizes",
        cut + "(echo filename,size,md5; for i in f.00?; do "
          + "echo $i,$(stat -c %s $i),$(md5sum < $i | cut -c-32); done) > md5sums.csv; mkdir d; cp f.00? d; "
          + "(echo md5,size,filename; for i in f.00?; do "
          + "echo $(md5sum < $i | cut -c-32),$(stat -c %s $i),$i; done) > d/md5sums.csv",
        (0, "verify md5sums.csv", "4 right, 0 wrong, 0 missing, 0 not checked"),
        (0, "merge -o out f.001", "as in md5sums.csv"),
        (0, "verify d/md5sums.csv", "4 right, 0 wrong, 0 missing, 0 not checked")
      ),
      Case(
        "another copy of a part that is missing",
        cut + "mv f.002 'f (1).002'; rm -f x",
        (66, "verify --list-bad .", "f.002"),
        (66, "verify .", "0 right, 0 wrong, 1 missing, 0 not checked"),
        (66, "merge .", "1 part is missing: f.002; f (1).002 may be it")
      ),
      Case(
        "a digest as GitHub shows it",
        cut + "echo sha256:$(sha256sum < W | cut -c-64) > f.sha256",
        (0, "merge -o out f.001", "as in f.sha256")
      ),
      Case(
        "a list of the whole alone, which is longer, does not tell what is wrong",
        cut + "(echo filename=f; echo size=$(stat -c %s W); echo crc32=$(gzip -c W | tail -c 8 | "
          + "od -An -tx4 -N4 | tr -d ' ')) > f.crc; truncate -s 100 f.004",
        (
          65, "merge -o out f.001",
          "one may be missing behind the last, or have been cut short; --manifest=none"
        )
      ),
      Case(
        "many files that one list has",
        "for i in $(seq 80); do echo $i > n${i}x.txt; done; md5sum n*x.txt > md5sums.txt; rm n7x.txt; echo > n8x.txt; "
          + "echo x | gzip > g.gz; touch -d @0 *",
        (1, "verify .", "78 right, 1 wrong, 1 missing, 0 not checked"),
        (
          1,
          "verify \((1...80).filter { $0 != 7 }.map { "n\($0)x.txt" }.joined(separator: " ")) g.gz md5sums.txt",
          "79 right, 1 wrong, 1 missing"
        ),
        (
          1,
          "verify \((1...80).filter { $0 != 7 }.map { "n\($0)x.txt" }.joined(separator: " "))",
          "78 right, 1 wrong, 0 missing"
        ),
        (
          0, "verify \((9...80).map { "n\($0)x.txt" }.joined(separator: " "))",
          "72 right, 0 wrong, 0 missing, 0 not checked"
        )
      ),
      Case(
        "what was made since the parts were listed is not compared with them",
        "cp W f; touch -d @0 f",
        (0, "split -q -b 1024 f", ""),
        (0, "verify f.sfv", "4 right, 0 wrong, 0 missing, 0 not checked"),
        (0, "merge -f f.001", "as in f.sfv"),
        (0, "verify f.sfv", "f: is there, too: 'cleave verify f' compares it; not checked"),
        (0, "verify f f.sfv", "5 right, 0 wrong, 0 missing, 0 not checked")
      ),
      Case(
        "the last part of a split zip is not the whole",
        "for i in $(seq 60); do cat W; done > B; zip -q0 a.zip B; mkdir out",
        (0, "split -q --format=zip -b 64K a.zip out/", ""),
        (0, "verify out", "4 right, 0 wrong, 0 missing, 0 not checked")
      ),
      Case(
        "pieces of a whole zip under the names of a split one",
        "cp W B; zip -q0 a.zip B; split -d -a 2 -b 1024 --numeric-suffixes=1 a.zip a.z; rm a.zip",
        (
          66, "merge a.z01",
          "a.z01 begins as a whole zip does: --as=zip-pieces with --first=1 joins"
        ),
        (0, "merge --as=zip-pieces --first=1 a.z01", "from 4 parts of a zip with 1 entry")
      ),
      Case(
        "many files, and parts among them, that one list has",
        "for i in $(seq 70); do echo $i > n${i}x.txt; done; for i in 1 2 3; do cp W film_0$i; cp W g.dat.00$i; done; "
          + "md5sum n* f* g* > ../m; mv ../m MD5SUMS; rm film_03 g.dat.003",
        (66, "verify \(many) film_01 film_02", "72 right, 0 wrong, 1 missing, 0 not checked"),
        (66, "verify \(many) g.dat.001 g.dat.002", "72 right, 0 wrong, 1 missing, 0 not checked"),
        (66, "verify \(many) film_01 MD5SUMS", "74 right, 0 wrong, 2 missing, 0 not checked")
      ),
      Case(
        "a list has files of other directories, too",
        cut + "mkdir o; for i in 1 2 3 4; do cp W o/f.$i; done; md5sum f.00? o/* > MD5SUMS",
        (0, "merge f.001", "as in MD5SUMS")
      ),
      Case(
        "parts that count from zero are no days, and a catalog is no log",
        "split -d -n 4 W data-2024-; for i in 1 2 3; do head -c 1024 W > blog.$i; done",
        (0, "merge -o out data-2024-00", "from 4 parts"),
        (0, "merge -o two blog.1", "from 3 parts")
      ),
      Case(
        "names with a comma and digits",
        "cp W 12,film.dat; cp W track,01; (echo md5,name; md5sum 12,film.dat track,01 | sed 's/  /,/') > md5sums.csv; "
          + "echo x > 12,film.dat",
        (1, "verify md5sums.csv", "1 right, 1 wrong, 0 missing, 0 not checked")
      ),
      Case(
        "one operand is not counted as the others are",
        "for i in 1 2 3; do head -c 1024 W > v.raw_$i; cp W f.00$i.bin; done; echo > v.srt; cp W of1.part1of3.bin; "
          + "md5sum f* > MD5SUMS; rm f.002.bin",
        (66, "merge --strict -o OUT v.raw_1 v.raw_2 v.raw_3 v.srt", "v.srt: is not"),
        (66, "merge -o OUT f.001.bin f.003.bin v.srt", "v.srt: is not"),
        (66, "merge --strict -o OUT of1.part1of3.bin v.srt", "v.srt: is not a part of of1.bin"),
        (0, "merge --as-given -o OUT v.raw_1 v.raw_2 v.raw_3 v.srt", "from 4 parts")
      ),
      Case(
        "a part behind the end that the headers tell",
        "(printf 'RIFF\\370\\013\\000\\000WAVE'; head -c 3060 /dev/zero) > S; split -b 1024 -a 3 -d "
          + "--numeric-suffixes=1 S s.wav.; cp s.wav.002 s.wav.004; truncate -s 999 s.wav.004",
        (
          65, "merge -o out s.wav.001",
          "which end with s.wav.003, so that s.wav.004 is hardly a part of it"
        ),
        (0, "merge -o out --last=3 s.wav.001", "from 3 parts")
      ),
      Case(
        "all of so many are sorted, as the shell does not",
        "for n in 1 2 3 4 5 6 7 8 9 10 11; do head -c 4$n W > v.csv.${n}of11; done",
        (
          0,
          "merge -o out v.csv.10of11 v.csv.11of11 v.csv.1of11 v.csv.2of11 v.csv.3of11 v.csv.4of11 v.csv.5of11 "
            + "v.csv.6of11 v.csv.7of11 v.csv.8of11 v.csv.9of11",
          "parts are joined in the order of their numbers"
        ),
        (66, "merge -o two v.csv.1of11 v.csv.2of11", "")
      ),
      Case(
        "the file that begins as the ending says is the first, also of several that share no name",
        "(printf 'RIFF\\370\\013\\000\\000WAVE'; head -c 3060 /dev/zero) > S; split -b 1024 -a 1 -d S s; "
          + "mv s0 other.wav; mv s1 a.wav; mv s2 b.wav",
        (65, "merge -o out a.wav b.wav other.wav", "other.wav: begins as "),
        (0, "merge -o out other.wav a.wav b.wav", "from 3 parts")
      ),
      Case(
        "a file between others that are counted is one of theirs by its number alone",
        "for n in x1 x2 y2 x3 S01.001 S01.002 S02.003 S02.002 S03.003 note 2023-11 2023-12 2024-01; do head -c 1024 W > $n.dat; done",
        (66, "merge -n -o out x1.dat x2.dat y2.dat x3.dat", "y2.dat: is not counted as the other"),
        (66, "merge -n -o out S01.001.dat S01.002.dat S02.003.dat", "S02.003.dat: is not counted"),
        (0, "merge -n -o out S01.001.dat S01.002.dat S03.003.dat", "from 3 parts"),
        (0, "merge -n -o out x1.dat x2.dat note.dat x3.dat", "from 4 parts"),
        (0, "merge -n -o out x1.dat x2.dat y2.dat", "y2.dat: begins another count than x1.dat"),
        (0, "merge -n --strict -o out 2023-11.dat 2023-12.dat 2024-01.dat", "from 3 parts"),
        (0, "merge -o out --as-given x1.dat x2.dat y2.dat x3.dat", "from 4 parts")
      ),
      Case(
        "a whole that ends as the parts do may lack its first one",
        "split -d -a 3 -b 1024 W f.; rm f.000; cp W f; split -b 300 -d -a 1 "
          + "--numeric-suffixes=1 f.001 h.00; cp f.001 h; rm h.004; "
          + "cp W k; cleave split -q -b 1024 k; cat W W > k",
        (66, "merge -f f.001", "f: has 3372 bytes and ends as the parts do, which have 2348"),
        (66, "merge -f -o h h.001", "h: has 1024 bytes and begins as the parts do, which have 900"),
        (0, "merge -f k.001", "as in k.sfv"),
        (0, "merge -f --first=1 f.001", "f: 2348 bytes (2.3 KiB) from 3 parts")
      ),
      Case(
        "a list of the parts' sums does not tell that tables are one",
        "for i in 1 2 3; do printf 'id,n\\n1,r%s\\n' $i > t$i.csv; done; sha256sum t?.csv > SHA256SUMS; : > e.csv; "
          + "printf '\\357\\273\\277id,n\\r\\n2,x\\r\\n' > m.csv; echo POST,x > p.csv",
        (65, "merge -o out t1.csv t2.csv t3.csv", "begin with the same line: --header takes it"),
        (65, "merge --manifest=none -o out t1.csv e.csv t3.csv", ""),
        (65, "merge --manifest=none -o out t1.csv m.csv", "begin with the same line"),
        (0, "merge -n --manifest=none -o out t1.csv p.csv t3.csv", "from 3 parts"),
        (
          65, "merge --header -o out e.csv t1.csv t2.csv",
          "e.csv: has fewer whole records than the 1"
        ),
        (
          65, "merge --header=3 -o out t1.csv t2.csv t3.csv",
          "t1.csv: has fewer whole records than the 3"
        ),
        (0, "merge --header -o out t1.csv t2.csv t3.csv", "out: 20 bytes from 3 parts")
      ),
      Case(
        "the parts of a list that are as large as its whole are all",
        "split -a 3 -d -b 1124 W f.; cp W g; cleave split -q -n 3 --manifest=none g g; rm g.00?; rm -f f.000; "
          + "cp W log; cleave split -q -n 2 -d -a 2 log log.10; mv log whole; echo > LOG.00",
        (0, "merge -o out log.1000", ", as in log.10.sfv"),
        (0, "merge -o other log.10.sfv", ", as in log.10.sfv")
      ),
      Case(
        "the files of a list may be in another directory, whatever they are called",
        "mkdir d e; for n in one two three; do echo $n > d/$n.txt; done; (cd d; sha256sum *) > l.sha256; "
          + "split -n 3 -d -a 3 W d/f.; cp -r d b; rm b/two.txt; echo > b/one.txt; "
          + "(cd d; sha256sum * > ../all.sha256; sha256sum f.* > ../f.sha256; cat f.* > f; "
          + "sha256sum f f.* > ../w.sha256; rm f); cp -r d c; echo > c/one.txt; cp -r c g; echo > g/f",
        (0, "verify --manifest=l.sha256 d", "3 right, 0 wrong, 0 missing"),
        (1, "verify --manifest=l.sha256 b", "1 right, 1 wrong, 1 missing"),
        (0, "verify --manifest=all.sha256 d", "6 right, 0 wrong"),
        (1, "verify --manifest=all.sha256 c", "5 right, 1 wrong"),
        (0, "verify --manifest=f.sha256 c", "3 right, 0 wrong"),
        (0, "verify --manifest=w.sha256 d", "d/f: OK"),
        (1, "verify --manifest=w.sha256 g", "3 right, 1 wrong"),
        (66, "verify l.sha256", "'cleave verify --manifest=l.sha256 DIRECTORY' compares those"),
        (66, "verify --manifest=l.sha256 e", "e/one.txt: missing")
      ),
    ]
}
