/// Parts of several files, numbers and letters far behind, and lists in words of their own.
extension TellingNamesTests {
  private static let cut = "split -a 3 -d -b 1024 --numeric-suffixes=1 W f.; "
  private static let two =
    "split -b 1024 W film.mkv.; split -b 1024 W other.mkv.; split -d -b 1024 W a; split -d -b 1024 W b; "

  static let mixed = [
    Case(
      "two parts of two files are not joined",
      two,
      (65, "merge -o out film.mkv.aa other.mkv.ab", "is a part of another file than film.mkv.aa"),
      (65, "merge -o out film.mkv.ab other.mkv.aa", "is a part of another file than film.mkv.ab"),
      (65, "cat film.mkv.aa other.mkv.ab", "is a part of another file"),
      (65, "merge --consume -o out film.mkv.ac other.mkv.aa", "is a part of another file"),
      (65, "merge -o out a00 b01", "is a part of another file than a00"),
      (0, "merge --as-given -o out film.mkv.aa other.mkv.ab", "from 2 parts"),
      (0, "merge -o two film.mkv.aa film.mkv.ab film.mkv.ac film.mkv.ad", "from 4 parts")
    ),
    Case(
      "names that tell of others are parts without those, too",
      "cp W a_1of3; cp W b_2of3; cp W c_3of3; cp W d_3of3",
      (65, "merge -o out a_1of3 b_2of3", "is a part of another file than a_1of3"),
      (65, "merge -o out c_3of3 d_3of3", "is a part of another file than c_3of3")
    ),
    Case(
      "the last of so many is missing where the others have one size",
      "for n in 1 2 3; do head -c 2048 W > n_${n}of4; done",
      (66, "merge n_1of4", "1 part is missing: n_4of4"),
      (0, "merge --as-given -o out n_1of4 n_2of4 n_3of4", "from 3 parts")
    ),
    Case(
      "letters far behind the others are told by what is in the file",
      "for n in aa ab; do cp W f.mkv.part$n; done; head -c 99 W > f.mkv.partba",
      (66, "merge f.mkv.partaa", "f.mkv.partba may be f.mkv.partac, which is not there"),
      (66, "merge f.mkv.partba", "24 parts are missing: f.mkv.partac to f.mkv.partaz"),
      (0, "merge --last=ab f.mkv.partaa", "from 2 parts")
    ),
    Case(
      "a file of another kind is no part far behind",
      "seq 900 > data.aa; seq 900 | tac > data.ab; seq 9 | gzip > data.gz; for n in md py xml; do echo text > data.$n; done",
      (0, "merge data.aa", "from 2 parts")
    ),
    Case(
      "what is large often begins in the first part, whatever it is called",
      "tar cf - W W W | split -b 2048 -a 3 -d --numeric-suffixes=1 - backup.; "
        + "mv backup.001 x; mv backup.002 backup.001; mv x backup.002",
      (65, "merge backup.001", "but backup.002 does: they are in the wrong order"),
      (0, "merge --format=raw backup.001", "backup")
    ),
    Case(
      "a boot sector may be in front of anything",
      "(head -c 510 W; printf '\\125\\252'; head -c 512 W; gzip < W) > D; "
        + "split -b 1024 -a 3 -d --numeric-suffixes=1 D disk.",
      (0, "merge disk.001", "disk")
    ),
    Case(
      "the whole that is longer counts where something else is made, too",
      cut + "rm f.004; cp W f",
      (66, "merge --consume -o out f.001", "f: has 3372 bytes and begins as the parts do"),
      (0, "merge -o out --last=3 f.001", "from 3 parts")
    ),
    Case(
      "words behind names are not read",
      cut + "sha256sum f.00? | sed 's/$/ (1 KiB)/' > SHA256SUMS; cp f.001 f.002",
      (65, "merge f.001", "SHA256SUMS: has lines that are not a digest, two blanks and a name"),
      (65, "merge --consume f.001", "SHA256SUMS: has lines that are not"),
      (0, "merge --manifest=none f.001", "from 4 parts")
    ),
    Case(
      "a sum of several may be cut",
      cut + "sha256sum f.00? | sed '3s/^./x/' > README.txt",
      (66, "merge --consume f.001", "README.txt: may have sums that are not compared"),
      (0, "merge f.001", "warning: README.txt: may have sums that are not compared")
    ),
    Case(
      "a digest that is called so is a sum",
      cut + "(ls f.00?; echo 'MD5 when joined:' $(md5sum < W | cut -c-32)) > README.txt",
      (66, "merge --consume f.001", "README.txt: may have sums that are not compared")
    ),
    Case(
      "a CRC-32 is a sum, too",
      cut + "for n in f.00?; do echo \"$n ..... 0a1b2c3d\"; done > f.nfo",
      (66, "merge --consume f.001", "f.nfo: may have sums"),
      (0, "merge f.001", "warning: f.nfo: may have sums")
    ),
    Case(
      "a CRC-32 in data is a sum, too",
      cut
        + "(echo [; for n in f.00?; do echo '{\"name\":\"'$n'\",\"crc32\":\"0A1B2C3D\"},'; done; echo ]) "
        + "> checksums.json",
      (65, "merge --consume f.001", "checksums.json: has lines that are not")
    ),
    Case(
      "a date, a word, what is in the name itself, and what is said of something else are no sums",
      cut
        + "echo 'f.001 20260102 deadbeef facade' > notes.txt; echo 'cat f.001 f.002 f.003 f.004 > f' > how.txt; "
        + "echo 'rev 1a2b3c4d' >> how.txt; md5sum how.txt >> how.txt; for n in 1 2 3 4; do cp f.00$n "
        + "\"[G] F [1A2B3C4D].mkv.00$n\"; done; ls *mkv* > 'read me'",
      (0, "merge --strict f.001", "from 4 parts"),
    ),
    Case(
      "what is given is not freed beside lists that are not read",
      cut + "b2sum -l 256 f.00? > B3SUMS",
      (65, "merge --consume --as-given -o out f.001 f.002", "B3SUMS: has sums of BLAKE3"),
      (0, "merge --as-given -o out f.001 f.002", "from 2 parts"),
      (0, "merge -f --consume --as-given --manifest=none -o out f.001 f.002", "from 2 parts")
    ),
    Case(
      "what could prove itself is not freed where nothing looks",
      "gzip -n < W > f.gz; split -a 3 -d -b 400 --numeric-suffixes=1 f.gz f.gz.; rm f.gz; md5sum f.gz.* > README",
      (66, "merge --consume --verify=stream f.gz.001", "README: has sums of the parts"),
      (66, "merge --consume --format=raw f.gz.001", "README: has sums of the parts"),
      (0, "merge --consume f.gz.001", "proved by the CRC-32 and size of 1 gzip member")
    ),
    Case(
      "two same parts are refused before one is freed",
      "seq 40000 | split -b 65536 -a 3 -d --numeric-suffixes=1 - f.; cp f.002 f.003",
      (65, "merge --strict --consume f.001", "f.003: has the same bytes as f.002"),
      (0, "merge -o out f.001 f.002 f.003 f.004", "f.003: has the same bytes as f.002"),
      (0, "merge -f --consume f.001", "f.003: has the same bytes as f.002")
    ),
    Case(
      "a sum is seen behind whatever is in front of it",
      cut
        + "(echo {; for n in f.00?; do echo \"\\\"$n\\\": \\\"0x$(md5sum < $n | cut -c-32)\\\",\"; done; echo }) > sums.json",
      (65, "merge --consume f.001", "sums.json: has lines that are not")
    ),
    Case(
      "parts of a split zip that are there, and were not given, are not missing",
      "cp W x; zip -q -0 -s 64k a.zip x; head -c 200000 /dev/zero > x; zip -q -0 -s 64k b.zip x; rm x",
      (66, "merge -o out b.z01 b.zip", "b.z02: is a part, too (and 1 more), and is not given")
    ),
    Case(
      "a text with sums is compared with where it is named",
      cut
        + "md5sum f.00? > README.txt; (for n in f.00?; do echo \"- $n (md5 $(md5sum < $n))\"; done) > r.txt",
      (66, "verify README.txt", "'cleave verify --manifest=README.txt f.001' compares with it"),
      (0, "verify --manifest=README.txt f.001", "4 right"),
      (
        64, "merge --consume --manifest=README.txt f.001",
        "'cleave verify --manifest=README.txt f.001'"
      ),
      (65, "merge --manifest=r.txt f.001", "r.txt: has lines that are not a digest")
    ),
    Case(
      "a list may be above the directory where one is",
      "mkdir d; cd d; cp ../W f",
      (0, "split -q -b 1024 --manifest=f.sfv d/f", ""),
      (0, "verify f.sfv", "4 right")
    ),
    Case(
      "a whole of another size beside its parts is told of",
      "cp W f",
      (0, "split -q -b 1024 f", ""),
      (0, "verify f.sfv", "4 right"),
      (0, "split -q -f -b 1000 --manifest=none f g.", ""),
      (0, "merge -q -f --as-given -o f f.001", ""),
      (0, "verify f.sfv", "f: is there, too, and has 1024 bytes, not the 3372 that the parts make")
    ),
    Case(
      "what is no part is seen wherever it stands among parts",
      "for i in 1 2 3; do cp W f.mkv.00$i; done; for i in a b c d z; do echo $i > $i.txt; done; mkdir o; cd o; cp ../W xaa; "
        + "cp ../W xab; head -c 9 ../W > xac; cp ../W XAB; cp ../W m_1.bin; cp ../W M_2.bin; cp ../W m_3.bin; "
        + "for i in 001 003; do cp ../W n.$i.bin; done; cp ../W old-n.002.bin",
      (
        66, "merge -o out a.txt b.txt c.txt d.txt f.mkv.001 f.mkv.002 f.mkv.003 z.txt",
        "a.txt: is not a part of f.mkv, as other operands are"
      ),
      (66, "merge -o out o/XAB o/xaa o/xab o/xac", "o/XAB: is no part of x: leave it out"),
      (66, "merge -o out o/M_2.bin o/m_1.bin o/m_3.bin", "o/m_1.bin: is given behind o/M_2.bin"),
      (0, "merge -o out o/m_1.bin o/M_2.bin o/m_3.bin", "from 3 parts"),
      (
        66, "merge -o out2 o/n.001.bin o/n.003.bin o/old-n.002.bin",
        "old-n.002.bin: is not counted as"
      )
    ),
    Case(
      "two counts of other names, as a shell has them, are two files, and the head of a stream is in front",
      "for i in 1 2; do cp W a-$i.bin; cp W b-$i.bin; cp W s1-$i.bin; cp W s2-$i.bin; cp W c-$((i+2)).bin; cp W s-$i.m4s; "
        + "done; echo > init.mp4; cp W f.z01; cp W f.z02; cp W g.z01; mkdir l; sha256sum a-?.bin b-?.bin > l/S.sha256; "
        + "cat a-?.bin b-?.bin > out1; md5sum out1 > l/out1.md5; rm out1",
      (
        0, "merge -o out a-1.bin a-2.bin b-1.bin b-2.bin",
        "b-1.bin: begins another count than a-1.bin"
      ),
      (0, "merge -f -o out b-1.bin b-2.bin a-1.bin a-2.bin", "from 4 parts"),
      (0, "merge -f -o out a-1.bin a-2.bin b-1.bin b-2.bin l/S.sha256", ", as in l/S.sha256"),
      (
        0, "merge -o out1 a-1.bin a-2.bin b-1.bin b-2.bin l/S.sha256 l/out1.md5",
        ", as in l/S.sha256 and out1.md5"
      ),
      (0, "merge -f -o out a-1.bin a-2.bin c-3.bin c-4.bin", "from 4 parts"),
      (0, "merge -f -o out s1-1.bin s1-2.bin s2-1.bin s2-2.bin", "from 4 parts"),
      (
        66, "merge -f -o out s-1.m4s s-2.m4s init.mp4",
        "init.mp4: says that it is in front of the others"
      ),
      (0, "merge -f -o out init.mp4 s-1.m4s s-2.m4s", "from 3 parts"),
      (65, "merge -f -o out f.z01 f.z02 g.z01", "g.z01: is a part of another file than f.z01")
    ),
    Case(
      "a lone part beside its whole is told of, and does not replace it; numbers of logs rise",
      "for i in 1 2; do cp W s$i.mkv.001; done; head -c 9 W > s1.mkv.002; echo > s2.mkv; "
        + "for i in 1 2 3 4 5 6 7 8 9 10; do cp W log.$i; done; mkdir d; cp W d/f.001; cp W f.001; cp W f.002",
      (0, "merge --all -n --force s1.mkv.001 .", "s2.mkv.001: may be a part of a series"),
      (
        66, "merge log.1 log.10 log.2 log.3 log.4 log.5 log.6 log.7 log.8 log.9",
        "log.2: is given behind log.10, against their numbers"
      ),
      (
        66, "merge -o out d/f.001 f.001 f.002",
        "too: leave one of them out, or --as-given joins both"
      )
    ),
    Case(
      "a prefix whose digits the numbers go on is that of no other series",
      "cp W s; mkdir d e; cp s d/log.099",
      (
        64, "split -b 1000 -d --manifest=none s e/log.1",
        "e/log.100: would be taken for a part of another file"
      ),
      (
        64, "split -b 1000 -d --manifest=e/log.1.crc s e/log.1",
        "e/log.100: would be taken for a part of another file"
      ),
      (0, "split -b 1000 -d s e/log.1", "in e/log.100 to e/log.103"),
      (0, "merge -o out e/log.102", ", as in e/log.1.sfv"),
      (73, "split -b 1000 -d s d/log.1", "d/log.099: would be taken for a part of the new series"),
      (0, "split -b 1000 s d/log.1", "in d/log.1.001 to d/log.1.004")
    ),
    Case(
      "a list that is given and names nothing that is there is not passed over",
      "cp W f; cleave split -q -b 1000 f; rename() { for n in f.00?; do mv $n z${n#f}; done; }; rename; mv f W2; mkdir o; "
        + "for i in 1 2; do cp W o/g.00$i; done; md5sum W2 W > o/others.md5; echo > h; md5sum h > h.md5",
      (
        65, "merge z.001",
        "f.sfv: is of as many parts with as many bytes, f.001 and others, which are not there"
      ),
      (65, "merge z.001 f.sfv", "--manifest=FILE compares with it, rename the parts, or"),
      (0, "merge z.001 --manifest=f.sfv", ", as in f.sfv"),
      (0, "merge -n --verify=none z.001 --manifest=f.sfv", "by the direct engine"),
      (
        65, "merge o/g.001 o/others.md5", "o/others.md5: names none of the parts, nor what is there"
      ),
      (0, "merge o/g.001 h.md5", "h.md5: names none of the parts; not compared")
    ),
    Case(
      "rows of tables are not joined into one, nor their headers repeated",
      "printf 'id,v\\n1,a' > m.001.csv; printf 'id,v\\n2,b\\n' > m.002.csv; printf 'id,v\\n3,c\\n' > jan.csv; "
        + "printf 'id,v\\n4,d\\n' > feb.csv; "
        + "printf 'id,v\\n' > mar.csv; printf 'id,v\\n1,a\\n2,b' > x.csv; printf 'id,v\\n5,e' > apr.csv; for i in 1 2; do printf \"0,0\\n$i,1\\n\" > n$i.csv; done",
      (
        65, "merge --header -o out m.001.csv m.002.csv",
        "m.001.csv: does not end with the end of a record"
      ),
      (
        0, "merge --header --as-given -o out m.001.csv m.002.csv",
        "warning: m.001.csv: does not end"
      ),
      (65, "merge -o both jan.csv feb.csv", "jan.csv: all parts begin with the same line"),
      (0, "merge --header -o both jan.csv feb.csv", "both: 13 bytes"),
      (65, "merge -o all jan.csv feb.csv mar.csv", "jan.csv: all parts begin with the same line"),
      (0, "merge --header -o all apr.csv mar.csv", "all: 8 bytes"),
      (0, "merge -o all2 n1.csv n2.csv", "all2: 16 bytes"),
      (0, "split -q -n l/4 --header --manifest=none x.csv p", ""),
      (0, "merge --header -o out3 p.001", "out3: 12 bytes")
    ),
    Case(
      "what is left of a file, and no job needs, is listed",
      "echo > f.001.cleave-rest",
      (75, "clean", "no journal tells of the rest; 'cleave clean -f f.001.cleave-rest' removes it"),
      (75, "clean -f", "'cleave clean -f f.001.cleave-rest' removes it"),
      (66, "merge f.001.cleave-rest", "no journal tells of the rest of it"),
      (66, "merge f.002.cleave-rest", "does not exist"),
      (0, "clean -f f.001.cleave-rest", "removed"),
      (0, "clean", "")
    ),
  ]
}
