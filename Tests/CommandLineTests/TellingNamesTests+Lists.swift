/// What lists in several places, or of several kinds, say of the same files.
extension TellingNamesTests {
  private static let cut = "split -a 3 -d -b 1024 --numeric-suffixes=1 W"
  private static let wrong = "0000 0000 0000 0000 0000 0000 0000 0000".split(separator: " ")
    .joined()
  private static let rename = "\(cut) f.; for n in 1 2 3 4; do mv f.00$n chunk_$n; done"

  static let lists = [
    Case(
      "of two lists that have the parts and the output, both are compared",
      "\(cut) f.; cp W out.bin; sha256sum f.0* out.bin > SHA256SUMS; rm out.bin; "
        + "(md5sum f.0*; echo '\(wrong)  out.bin') > MD5SUMS; mkdir o; cp MD5SUMS SHA256SUMS o; "
        + "sed -i '/out/d' MD5SUMS SHA256SUMS",
      (65, "merge --strict -o o/out.bin f.001", "MD5SUMS: f has MD5"),
      (64, "merge --consume -o o/out.bin f.001", "frees parts before all bytes have been hashed")
    ),
    Case(
      "a list that is named after a part tells of the output, too",
      "\(rename); (md5sum chunk_?; echo '\(wrong)  film') > chunk_1.md5",
      (65, "merge --strict -o film chunk_1", "has MD5"),
      (0, "merge --manifest=none -o film chunk_1", "film: 3372 bytes")
    ),
    Case(
      "a list of one file that is named after a part is about what is asked for by its name",
      "\(cut) f.; cp W f.mkv; md5sum f.mkv | sed 's/^..../0000/' > f.001.md5; rm f.mkv",
      (65, "merge -o f.mkv f.001", "f.001.md5: f has MD5"),
      (0, "merge -o other f.001", "warning: f.001.md5: has f.mkv")
    ),
    Case(
      "what a list of one file has of another is about the file that it is named after",
      "\(cut) f.; echo > old.mkv; echo '\(wrong)  film.mkv' > old.mkv.md5",
      (0, "merge -o film.mkv f.001", "film.mkv: 3372 bytes")
    ),
    Case(
      "a list that has nothing but other letters is not said to be compared",
      "mkdir s; \(cut) s/f.; sha1sum s/* > SHA1SUMS; echo '\(wrong)  F.002' > s/x.md5",
      (0, "merge --strict s/f.001", "CRC-32 5d2e3c2f, as in SHA1SUMS")
    ),
    Case(
      "an operand that has the parts in other letters alone is refused, whatever other lists have",
      "mkdir s; split -n 3 -d -a 2 --numeric-suffixes=1 W s/a-; sha1sum s/* > SHA1SUMS; "
        + "sed 's,s/a,s/A,' SHA1SUMS > a.sha1",
      (65, "merge a.sha1", "is not in a.sha1, which has A-01, in letters of another case")
    ),
    Case(
      "an operand that has one file is about the whole, whatever other lists have of the parts",
      "\(cut) f.; sha256sum f.002 > f.001.sha256; echo 'OUT.BIN 12345678' > f.sfv",
      (65, "merge -o out.bin f.sfv", "f has CRC-32")
    ),
    Case(
      "files that share no name may be called otherwise in a list above, too",
      "mkdir s; split -n 3 W s/; (cd s; mv aa red; mv ab green; mv ac blue); echo '\(wrong)  s/Green' > MD5SUMS",
      (65, "merge -o q s/red s/green s/blue", "in letters of another case")
    ),
    Case(
      "the sums of all films of a disc are about the parts, and not the menu",
      disc + "; md5sum VTS_* > VTS_01.md5",
      (0, "merge VTS_01.md5", "VTS_01.VOB: 3073 bytes (3.0 KiB) from 3 parts"),
      (0, "merge -f VTS_01_1.VOB", ", as in VTS_01.md5"),
      (65, "merge --first=0 VTS_01_1.VOB", "'0' is neither a name nor a number of a part")
    ),
    Case(
      "what a list has besides the files may be what is asked for",
      "head -c 1000 W > alpha; tail -c +1001 W > beta; cp W out.bin; sha256sum alpha beta out.bin > alpha.sha256; rm out.bin",
      (0, "merge --strict -o out.bin alpha beta", "CRC-32 5d2e3c2f, as in alpha.sha256"),
      (66, "merge --strict -o other alpha beta", "lists 1 file more than is given")
    ),
    Case(
      "what has the list of a menu is checked by it",
      disc
        + "; for n in 0 1 2; do md5sum VTS_01_$n.VOB > VTS_01_$n.VOB.md5; done; echo >> VTS_01_0.VOB",
      (1, "verify VTS_01_0.VOB.md5", "VTS_01_0.VOB: has MD5"),
      (1, "verify .", "2 right, 1 wrong")
    ),
    Case(
      "what is left of a cut to smaller parts is told of",
      "head -c 2000 W > S; split -a 3 -d -b 300 --numeric-suffixes=1 S f.; split -a 3 -d -b 1100 --numeric-suffixes=1 W f.",
      (65, "merge f.001", "f.004: has 1028 bytes less than f.001 and f.002"),
      (65, "merge f.003", "--last=4 leaves out the parts behind it")
    ),
    Case(
      "of lists in several places, the one that is wrong is named",
      "mkdir d1 d2 o; head -c 1000 W > d1/f.part1of2; echo > d2/f.part2of2; (cd d1; sha1sum f.part1of2 > other.sha1); "
        + "sha256sum d1/f.part1of2 d2/f.part2of2 | sed '1s/^..../0000/' > f.sha256",
      (65, "merge -o o/f f.sha256", "cleave: f.sha256: d1/f.part1of2 has SHA256")
    ),
    Case(
      "a name in a list above files that share none is that of something there",
      "mkdir d; head -c 1000 W > d/a.bin; tail -c +1001 W > d/b.bin; cp W d/out.bin; (cd d; sha256sum out.bin > out.bin.sha256); "
        + "rm d/out.bin; echo '\(wrong)  A.bin' > MD5SUMS",
      (0, "merge -o d/out.bin d/a.bin d/b.bin", "as in d/out.bin.sha256")
    ),
    Case(
      "of parts of a text, a header of Hacha's is seen",
      "(printf '?????abcd?????log?????3420?????1200?????'; seq 1 9000 | head -c 1162) > log.0; seq 1 9000 | head -c 1200 > log.1; "
        + "seq 3 900 | head -c 1020 > log.2",
      (65, "merge --strict -o out log.0", "begins with a header of Hacha's")
    ),
    Case(
      "numbers that go on in letters are not said to end with 9",
      "split --hex-suffixes=8 -b 500 W x",
      (66, "merge -o out x08", "is not named like a part of a series: name all parts"),
      (66, "info x08 nothere", "nothere: does not exist")
    ),
    Case(
      "a part under a longer name is to be renamed also where all are given",
      "\(cut) f.; mv f.002 f.002.txt",
      (
        66, "merge f.001 f.002.txt f.003 f.004",
        "may be f.002, which is not there: rename it if it is that"
      ),
      (66, "merge -o out f.001 .", "--all merges each operand by itself")
    ),
    Case(
      "tables whose lines begin as a program's files do are tables",
      "seq 100001 103000 | sed 's/^/AC/' > all; split -l 1000 -d -a 3 --numeric-suffixes=1 all acc.tsv.; "
        + "sed 's/AC1/MAC /' all > mac; split -l 1000 -d -a 3 --numeric-suffixes=1 mac arp.log.",
      (0, "merge acc.tsv.001", "acc.tsv: 27000 bytes"),
      (0, "merge arp.log.001", "arp.log: 30000 bytes")
    ),
    Case(
      "programs for several processors may be cut where one of them begins",
      "(printf '\\312\\376\\272\\276\\000\\000\\000\\002'; head -c 4088 /dev/zero; printf '\\317\\372\\355\\376'; "
        + "head -c 4092 W W; printf '\\317\\372\\355\\376'; cat W) > o; "
        + "split -b 4096 -a 3 -d --numeric-suffixes=1 o tool.",
      (0, "merge tool.001", "tool: ")
    ),
    Case(
      "a list that is given with parts is compared, wherever it is, and whatever they are called",
      "mkdir p l a b; split -b 1024 W p/x; cp W film; for k in md5 sha1; do ${k}sum film > film.$k; done; rm film; cp p/x* l; "
        + "(cd l; md5sum x* > x.md5); split -b 1024 -d W IMG_; mv IMG_00 a; mv IMG_* b",
      (
        0, "merge -o out film.md5 ./film.md5 film.sha1 p/xaa p/xab p/xac p/xad",
        "as in film.md5 and film.sha1"
      ),
      (0, "merge -f -o out p/xaa film.md5", "as in film.md5"),
      (0, "merge -o all film.md5 a/IMG_00 b/IMG_01 b/IMG_02 b/IMG_03", "as in film.md5"),
      (0, "merge -f -o out l/x.md5 p/xaa p/xab p/xac p/xad", "as in l/x.md5")
    ),
    Case(
      "a list that is given with parts is not passed over where they are damaged",
      "mkdir p l a b; split -b 1024 W p/x; cp W film; for k in md5 sha1; do ${k}sum film > film.$k; done; rm film; cp p/x* l; "
        + "(cd l; md5sum x* > x.md5; cksum x* > x.sm3); split -b 1024 -d W IMG_; mv IMG_00 a; mv IMG_* b; "
        + "for f in p/xab b/IMG_02; do printf Z | dd of=$f bs=1 seek=7 conv=notrunc status=none; done",
      (65, "merge -o out film.md5 film.sha1 p/xaa p/xab p/xac p/xad", "film.md5: p/x has MD5"),
      (
        64, "merge --consume -o out film.md5 p/xaa p/xab p/xac p/xad",
        "'cleave verify --manifest=film.md5 p/xaa' compares"
      ),
      (
        65, "merge -o out film.md5 a/IMG_00 b/IMG_01 b/IMG_02 b/IMG_03",
        "film.md5: the whole has MD5"
      ),
      (65, "merge -o out l/x.md5 p/xaa p/xab p/xac p/xad", "l/x.md5: p/xab has MD5"),
      (65, "merge --consume -o out l/x.sm3 p/xaa p/xab p/xac p/xad", "l/x.sm3: has sums of"),
      (
        0, "merge -o out --manifest=none film.md5 p/xaa p/xab p/xac p/xad",
        "nothing to compare with"
      )
    ),
    Case(
      "lists of other files that are given with parts are told of, and refuse nothing",
      "cp W f.mkv; sha256sum f.mkv > f.mkv.sha256; echo > f.srt; md5sum f.srt > f.srt.md5; rm f.mkv f.srt; \(cut) f.mkv.; "
        + "split -b 1024 W x; echo > a; echo > b; md5sum a b > a.md5; rm b; cp W film; md5sum film a > rel.md5; rm film",
      (
        0, "merge f.mkv.001 f.mkv.002 f.mkv.003 f.mkv.004 f.mkv.sha256 f.srt.md5",
        ", as in f.mkv.sha256"
      ),
      (
        0, "merge -o out xaa xab xac xad a.md5",
        "warning: a.md5: names none of the parts; not compared"
      ),
      (66, "merge --consume -o out2 xaa xab xac xad a.md5", "a.md5: names none of the parts"),
      (0, "merge -o film xaa xab xac xad rel.md5", ", as in rel.md5")
    ),
    Case(
      "what is in an archive is not what its parts make",
      "cp W f.mkv; md5sum f.mkv > f.mkv.md5; gzip f.mkv; split -b 900 -d -a 3 --numeric-suffixes=1 f.mkv.gz f.mkv.gz.; "
        + "rm f.mkv.gz",
      (
        0, "merge f.mkv.gz.001 f.mkv.gz.002 f.mkv.gz.003 f.mkv.gz.004 f.mkv.md5",
        "proved by the CRC-32 and size of 1 gzip"
      )
    ),
    Case(
      "a job that was begun by a list which names no part goes on by it",
      "mkdir p; head -c 900000 /dev/urandom > film; md5sum film > film.md5; split -b 262144 film p/x; mv film w; "
        + "for way in '--manifest=film.md5 p/xaa' 'film.md5 p/xaa p/xab p/xac p/xad'; do (ulimit -f 500; cleave merge -q "
        + "--resume --checkpoint=32K -o out${way%%[ =]*} $way) 2> errors && exit 1; done; true",
      (
        0, "merge --resume --checkpoint=32K -o out--manifest --manifest=film.md5 p/xaa",
        "as in film.md5"
      ),
      (
        0, "merge --resume --checkpoint=32K -o outfilm.md5 film.md5 p/xaa p/xab p/xac p/xad",
        "as in film.md5"
      )
    ),
    Case(
      "a list of the whole is one of what a shell's star has, however the parts are counted",
      "cp W f.bin; md5sum f.bin > f.bin.md5; split -b 1024 --numeric-suffixes=1 W f.bin_; rm f.bin",
      (
        0, "merge -n f.bin.md5 f.bin_01 f.bin_02 f.bin_03 f.bin_04", "to be compared with f.bin.md5"
      ),
      (0, "merge f.bin.md5 f.bin_01 f.bin_02 f.bin_03 f.bin_04", "as in f.bin.md5")
    ),
    Case(
      "what a list has behind the only part counts though it is not there",
      "head -c 1500 W > '[1 of 2] f.001'; tail -c +1501 W > '[2 of 2] f.002'; sha256sum *of* > SHA256SUMS; rm *2.0* *002; "
        + "mkdir s; for n in 0 1 2; do head -c 1000 W > s/x0$n.001; done; (cd s; md5sum x* > MD5SUMS; rm x01* x02*)",
      (66, "merge --wait=1s .", "SHA256SUMS has [2 of 2] f.002, which is not there"),
      (66, "merge s/x00.001", "MD5SUMS has x01.001, which is not there"),
      (0, "merge --last=1 s/x00.001", "as in s/MD5SUMS")
    ),
    Case(
      "an ending that no other part has counts in a list, too",
      "split -b 1500 -d -a 1 --numeric-suffixes=1 --additional-suffix=.mkv W f.part; mv f.part3.mkv f.part3.avi; "
        + "md5sum f.part* > f.md5",
      (66, "merge f.part1.mkv", "f.md5: has f.part3.avi, which may be behind f.part2.mkv"),
      (0, "merge --last=2 f.part1.mkv", "from 2 parts")
    ),
    Case(
      "sums of any kind in a text are told of, and nothing is freed",
      "\(cut) f.; cksum f.0* > f.txt; mkdir b; cp f.0* b; (cd b; md5sum f.0* | cut -c-32 > notes)",
      (66, "merge --consume f.001", "f.txt: may have sums that are not compared"),
      (66, "merge --consume b/f.001", "b/notes: may have sums that are not compared"),
      (0, "merge f.001", "warning: f.txt: may have sums")
    ),
    Case(
      "split's own list of parts that were renamed is not passed over",
      "cp W f.mkv; cleave split -q -b 1024 f.mkv; rm f.mkv; mkdir r; for n in 1 2 3 4; do cp f.mkv.00$n r/g.00$n; "
        + "mv f.mkv.00$n f.mkv.00$n.txt; done; cp f.mkv.sfv r",
      (
        65, "merge --consume f.mkv.001.txt",
        "has f.mkv.001, of which f.mkv.001.txt may be another copy"
      ),
      (
        65, "merge --consume r/g.001",
        "is of as many parts with as many bytes, f.mkv.001 and others, which are not there"
      ),
      (0, "merge --manifest=none r/g.001", "from 4 parts")
    ),
    Case(
      "of lines that lead to nothing and contradict each other, none is taken",
      "mkdir v1 v2; \(cut) v1/f.; tr a-m n-z < W | split -a 3 -d -b 1024 --numeric-suffixes=1 - v2/f.; "
        + "for d in v2 v1; do (cd $d; sha256sum f.*) | sed \"s|  |  /mnt/gone/$d/|\"; done > SHA256SUMS",
      (65, "merge --consume v1/f.001", "have different sums, and either may be f.001"),
      (65, "verify v1/f.001", "have different sums, and either may be f.001")
    ),
    Case(
      "of a list that is given, the line is taken that leads to the output",
      "mkdir p l disc1 disc2; \(cut) p/f.mkv.; (md5sum < p/f.mkv.001 | sed 's|-$|disc1/film.mkv|'; "
        + "md5sum < W | sed 's|-$|disc2/film.mkv|') > l/MD5SUMS",
      (
        0, "merge -o disc2/film.mkv p/f.mkv.001 p/f.mkv.002 p/f.mkv.003 p/f.mkv.004 l/MD5SUMS",
        "as in l/MD5SUMS"
      )
    ),
    Case(
      "a list elsewhere that is given with parts of several series is told of",
      "mkdir p l; \(cut) p/f.mkv.; \(cut) p/g.mkv.; (cd p; md5sum f.mkv.* > ../l/f.md5; md5sum g.mkv.* > g.md5)",
      (
        0, "merge --all p/f.mkv.001 p/g.mkv.001 l/f.md5 p/g.md5",
        "warning: l/f.md5: is not compared, with --all"
      ),
      (0, "merge -f --all ./p/g.mkv.001 p/g.md5", ", as in ./p/g.md5")
    ),
    Case(
      "what a list that is given has besides is missing, wherever its lines lead",
      "mkdir p l d; \(cut) p/f.; sha256sum p/f.* > l/S.sha256; sed 's| p/| /mnt/gone/|' l/S.sha256 > l/G.sha256; "
        + "split -b 1024 W p/x; (cd l; sha256sum ../p/x* > X.sha256); rm p/f.004 p/xad; mv p/f.003 d",
      (
        66, "merge --consume -o out p/f.001 p/f.002 d/f.003 l/S.sha256",
        "l/S.sha256: has f.004, which is not given"
      ),
      (
        66, "merge -o out p/xaa p/xab p/xac l/X.sha256",
        "1 part is missing: xad; only l/X.sha256 tells of it"
      ),
      (66, "merge -o out p/f.001 l/G.sha256", "parts are missing: f.003 to f.004")
    ),
    Case(
      "of lists given for several series, each is about what is beside it",
      "for d in v1 v2; do mkdir $d; head -c 2500 /dev/urandom > w; (cd $d; split -a 3 -d -b 1024 --numeric-suffixes=1 ../w f.; "
        + "sha256sum f.0* > f.sha256; mv ../w f; md5sum f > f.md5; rm f); done; mkdir -p a; cp -r v1 v2 a; "
        + "for d in v1 v2; do mv a/$d/f.sha256 a/$d.sha256; rm a/$d/f.md5; done",
      (
        0, "merge --all v1/f.001 v1/f.md5 v1/f.sha256 v2/f.001 v2/f.md5 v2/f.sha256",
        "v2/f: 2500 bytes (2.4 KiB) from 3 parts"
      ),
      (0, "merge --all a/v1/f.001 a/v2/f.001 a/v1.sha256 a/v2.sha256", ", as in a/v2.sha256"),
      (66, "merge -o out a/v1/f.001 a/no.sha256", "a/no.sha256: "),
      (0, "merge -o out a/v1/f.001 a/v2.sha256 a/v1.sha256", ", as in a/v1.sha256")
    ),
    Case(
      "of lists that are given, the order does not matter",
      "mkdir p l; split -b 1024 W p/x; sha256sum W | sed 's/W/movie.iso/;s/^..../0000/' > l/m.sha256; "
        + "(cd p; sha256sum x* > ../l/S.sha256)",
      (
        0, "merge -o out p/xaa p/xab p/xac p/xad l/S.sha256 l/m.sha256",
        "warning: l/m.sha256: names none of the parts"
      ),
      (
        0, "merge -f -o out p/xaa p/xab p/xac p/xad l/m.sha256 l/S.sha256",
        "warning: l/m.sha256: names none of the parts"
      ),
      (
        65, "merge -o movie.iso p/xaa p/xab p/xac p/xad l/m.sha256 l/S.sha256",
        "cleave: l/m.sha256: p/x has SHA256"
      )
    ),
    Case(
      "verify and info compare parts with a list elsewhere that is given, as merge does",
      "mkdir p l; \(cut) p/f.; (cd p; sha256sum f.* > ../l/f.sha256); mkdir q; cp p/f.001 p/f.002 q; "
        + "(cd l; cp f.sha256 g.sha256; sed -i s/f.004/g.004/ g.sha256; cp ../p/f.001 g.004)",
      (0, "verify p/f.001 l/f.sha256", "4 right, 0 wrong, 0 missing, 0 not checked"),
      (0, "verify l/f.sha256 p/f.002 p/f.003 p/f.001 p/f.004", "4 right, 0 wrong, 0 missing"),
      (0, "info p/f.001 l/f.sha256", "manifest  f.sha256, which names 4 parts"),
      (66, "verify q/f.001 l/f.sha256", "2 right, 0 wrong, 2 missing, 0 not checked"),
      (66, "info q/f.001 q/f.002 l/f.sha256", "2 parts are missing: f.003 to f.004"),
      (66, "verify p/f.001 l/f.sha256 --manifest=none", "not checked"),
      (1, "verify p/f.001 l/g.sha256", "cleave: l/g.004: has SHA256")
    ),
  ]
}
