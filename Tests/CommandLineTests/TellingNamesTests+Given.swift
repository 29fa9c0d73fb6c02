/// Lists that are given among files, under whatever names.
extension TellingNamesTests {
  /// More names than are ever looked at by themselves.
  private static let many = ["red", "green", "mauve", "orange", "ivory", "beige"].flatMap { color in
    ["ox", "cat", "horse", "weasel", "donkeys", "elk", "magpie", "bee", "ant", "gnu", "yak", "emu"]
      .map { "\(color)-\($0)" }
  }

  static let ofGiven: [Case] = [
    Case(
      "a list elsewhere that is given has the sum of the output under its name",
      "mkdir l; printf aaaa > a.bin; printf bbb > b.dat; cat a.bin b.dat > both; "
        + "(sha256sum a.bin b.dat both) > l/all.sha256; rm both; split -a 1 -d -b 1124 --numeric-suffixes=1 W f.00; "
        + "(sha256sum f.00*; sha256sum a.bin | sed s/a.bin/out.bin/) > l/f.sha256",
      (65, "merge -o both b.dat a.bin l/all.sha256", "l/all.sha256: the whole has SHA256"),
      (
        65, "merge -o both b.dat a.bin --manifest=l/all.sha256",
        "l/all.sha256: the whole has SHA256"
      ),
      (0, "merge -o both a.bin b.dat l/all.sha256", ", as in l/all.sha256"),
      (65, "merge -o out.bin f.001 l/f.sha256", "l/f.sha256: f has SHA256"),
      (0, "merge -o other.bin f.001 l/f.sha256", ", as in l/f.sha256")
    ),
    Case(
      "a text that has sums of the files is no part, whatever it is called",
      "mkdir p; for i in 1 2 3; do head -c 1000 /dev/urandom > p/f_0$i.mkv; done; sha256sum p/* > notes; "
        + "(cd p; sha256sum * > notes.txt); split -b 1024 W x.a; sha256sum x.a* > mine; "
        + "printf 'aaaa\\n' > a.txt; printf 'about a.txt and others\\n' > b.txt",
      (0, "merge -o out p/f_01.mkv p/f_02.mkv p/f_03.mkv notes", ", as in notes"),
      (0, "merge -f -o out p/f_01.mkv p/f_02.mkv p/f_03.mkv p/notes.txt", ", as in p/notes.txt"),
      (66, "merge -f -o out p/f_02.mkv p/f_01.mkv p/f_03.mkv notes", "against their numbers"),
      (0, "merge -f -o out x.aab mine", "3372 bytes (3.3 KiB) from 4 parts"),
      (0, "merge -f --manifest=none -o out x.aaa mine", "from 4 parts, CRC-32"),
      (0, "merge -f -o out a.txt b.txt", "out: 28 bytes from 2 parts")
    ),
    Case(
      "several lists alone tell nothing of what is to be done with them",
      "split -a 1 -d -b 1124 --numeric-suffixes=1 W f.00; sha256sum f.00* > SHA256SUMS; md5sum f.00* > MD5SUMS",
      (
        66, "merge --consume -o out SHA256SUMS MD5SUMS",
        "is a list of sums, as all others are: name one of them"
      ),
      (66, "cat SHA256SUMS MD5SUMS", "SHA256SUMS: is a list of sums"),
      (0, "merge --as-given -o out SHA256SUMS MD5SUMS", "out: "),
      (0, "merge --all SHA256SUMS MD5SUMS", "f: 3372 bytes (3.3 KiB) from 3 parts")
    ),
    Case(
      "a text that has more in it than sums is data",
      "printf 'aaaa\\n' > a.txt; printf 'bbbb\\n' > b.txt; (seq 9 | sed 's/^/line /'; md5sum a.txt b.txt; echo end) > c.txt; "
        + "printf \"-- after a.txt\\nVALUES('0123456789abcdef0123456789abcdef');\\n\" > d.txt; md5sum a.txt > e.txt",
      (0, "merge -o out a.txt b.txt c.txt", "from 3 parts"),
      (0, "merge -f -o out a.txt b.txt d.txt", "from 3 parts"),
      (66, "merge -f -o out a.txt b.txt e.txt", "e.txt: is a list of sums: leave it out"),
      (
        66, "merge -f --manifest=none -o out b.txt d.txt e.txt",
        "e.txt: is a list of sums: leave it out"
      ),
      (66, "cat --manifest=none a.txt b.txt e.txt", "e.txt: is a list of sums: leave it out")
    ),
    Case(
      "a text of nothing but sums is a list, however many it has, and whatever comments",
      "mkdir p; for f in apple pear fig; do head -c 1000 /dev/urandom > p/$f; done; cd p; "
        + "(md5sum --tag *; sha256sum --tag *; sha256sum *) > ../two; seq -f '; comment %020.0f' 40 > ../crcs; "
        + "for f in *; do echo $f $(gzip -c $f | tail -c 8 | od -An -tx4 -N4); done >> ../crcs; cd ..; "
        + "(seq -f '# comment %020.0f' 40; cat two) > long; sed 's/= .../= 000/;s/^[0-9a-f]../000/' two > bad; "
        + "mkdir m; for f in \(many.joined(separator: " ")); do echo $f > m/$f; done; sha1sum m/* > sums",
      (0, "merge -o out p/apple p/fig p/pear two", "3000 bytes (2.9 KiB) from 3 parts"),
      (0, "merge -f -o out p/apple p/fig p/pear long", ", as in long"),
      (0, "merge -f -o out p/apple p/fig p/pear crcs", ", as in crcs"),
      (
        65, "merge -f -o out p/apple p/fig p/pear bad", "; --manifest=none does not compare with it"
      ),
      (0, "merge -f -o out --manifest=none p/apple p/fig p/pear bad", "from 3 parts"),
      (0, "merge -o many m/\(many.joined(separator: " m/")) sums", "as in sums")
    ),
    Case(
      "verify and info take lists under any name, and contradict themselves as merge does",
      "split -a 1 -d -b 1124 --numeric-suffixes=1 W f.00; sha256sum f.00* > mine; sed '2s/^..../0000/' mine > bad; "
        + "mkdir p l; cp f.001 p/apple; cp f.002 p/pear; cd p; sha256sum * > ../l/mine; cd ..; sed '2s/^..../0000/' l/mine > l/bad",
      (0, "verify f.001 f.002 f.003 mine", "3 right, 0 wrong, 0 missing, 0 not checked"),
      (1, "verify bad f.001 f.002 f.003", "2 right, 1 wrong, 0 missing, 0 not checked"),
      (0, "info mine f.001 f.002 f.003", "manifest  mine, which names 3 parts"),
      (65, "verify f.001 f.002 f.003 mine bad", "has another SHA256 of f.002 than"),
      (65, "verify p/apple p/pear l/mine l/bad", "l/bad: has another SHA256 of pear than l/mine"),
      (65, "verify p/apple p/pear l/bad l/mine", "l/mine: has another SHA256 of pear than l/bad"),
      (65, "info p/apple p/pear l/mine l/bad", "l/bad: has another SHA256 of pear than l/mine")
    ),
    Case(
      "tables of sums are lists in whatever form",
      "printf 'AAAA\\n' > a.bin; printf 'BBBB\\n' > b.txt; md5sum a.bin b.txt > gnu; "
        + "sed 's/\\(.*\\)  \\(.*\\)/\\2 \\1/' gnu > names; sed 's/  /,/' gnu > comma; sed 's/^/5,/' comma > sizes; "
        + "sed 's/\\(.*\\)  \\(.*\\)/\\2: \\1/' gnu > colons; sed 's/$/  /' gnu > blanks; "
        + "for i in a.bin b.txt; do echo $(gzip -c $i | tail -c 8 | od -An -tx4 -N4) $i; done > crcs; "
        + "sed 's/^......../00000000/' crcs > bad; cat a.bin b.txt | md5sum | sed 's/-/made/' > whole",
      (0, "merge -f -o out a.bin b.txt gnu", ", as in gnu"),
      (0, "merge -f -o out a.bin b.txt names", ", as in names"),
      (0, "merge -f -o out a.bin b.txt comma", ", as in comma"),
      (0, "merge -f -o out a.bin b.txt sizes", ", as in sizes"),
      (0, "merge -f -o out a.bin b.txt colons", ", as in colons"),
      (0, "merge -f -o out a.bin b.txt crcs", ", as in crcs"),
      (65, "merge -f -o out a.bin b.txt bad", "bad: a.bin has CRC-32"),
      (66, "merge -f -o out a.bin b.txt blanks", "blanks: is a list of sums: leave it out"),
      (0, "verify a.bin b.txt gnu ./gnu", "2 right, 0 wrong, 0 missing, 0 not checked"),
      (0, "merge --share=1/1 -o made a.bin b.txt whole", ", as in whole")
    ),
    Case(
      "what has sums of other things than the files is refused, and never left out",
      "printf 'head\\n' > h.csv; printf 'two\\n' > b.bin; echo 'd41d8cd98f00b204e9800998ecf8427e  HEAD' > one; "
        + "(cat one; echo 'da39a3ee5e6b4b0d3255bfef95601890afd80709  HEAD') > token; mkdir s; sha256sum h.csv token b.bin > s/all.sha256; "
        + "cat h.csv b.bin | sha256sum | sed 's/-/both/' > whole; for i in h.csv eve; do sha1sum $i; done > users 2> x; "
        + "echo \"$(head -c 40 users)  eve\" >> users; (echo 'h.csv d3d99e8b'; md5sum h.csv b.bin) > mix",
      (0, "merge -o all h.csv token b.bin s/all.sha256", "from 3 parts"),
      (65, "merge -o out h.csv one b.bin", "one: has the sum of HEAD, which is none of the files"),
      (65, "merge -o out h.csv token b.bin", "token: has the sum of HEAD, which is none of the"),
      (
        65, "merge -o out h.csv b.bin whole",
        "whole: has the sum of both, which is none of the files"
      ),
      (0, "merge -o both h.csv b.bin whole", ", as in whole"),
      (66, "merge --manifest=none -o out h.csv b.bin users", "users: is a list of sums: leave it"),
      (65, "merge -o out h.csv b.bin mix", "mix: line 2: does not end in the 8 hexadecimal digits"),
      (0, "merge -o out --manifest=none h.csv b.bin mix", "from 2 parts")
    ),
    Case(
      "what a list has among the files is data, whatever is in it; and a list that cannot be read is not left out",
      "printf 'alpha\\n' > alpha; printf 'beta\\n' > beta; printf 'gamma\\0' > b.sfv; echo 'd41d8cd98f00b204e9800998ecf8427e  HEAD' > zed; "
        + "sha256sum alpha beta zed > SHA256SUMS; mkdir d; cp alpha beta b.sfv d; cat alpha beta | sha256sum > d/made; "
        + "(echo sha256,name; sha256sum alpha beta | sed 's/  /,/') > d/table; echo 'OUT deadbeef' > d/cut",
      (0, "verify alpha beta zed", "3 right, 0 wrong, 0 missing, 0 not checked"),
      (0, "merge -o all alpha beta zed", ", as in SHA256SUMS"),
      (66, "merge -o OUT d/alpha d/beta d/b.sfv", "d/b.sfv: is a list of sums: leave it out"),
      (0, "merge -o OUT d/alpha d/beta d/made", ", as in d/made"),
      (0, "cat d/alpha d/beta d/made", "alpha\nbeta\n"),
      (0, "merge -f -o OUT --manifest=d/table d/alpha d/beta d/table", ", as in d/table"),
      (65, "merge -f -o OUT d/alpha d/beta d/cut", "d/cut: the whole has CRC-32"),
      (0, "merge -f -o OUT --manifest=d/made d/alpha d/beta d/made", ", as in d/made")
    ),
    Case(
      "a list of the output is taken where parts look cut",
      "head -c 700 /dev/zero > chap1; cp chap1 chap2; echo a > chap3; echo bb > chap4; cat chap* | sha256sum | sed 's/-/OUT/' > list",
      (0, "merge -o OUT chap1 chap2 chap3 chap4 list", ", as in list"),
      (65, "merge -o other chap1 chap2 chap3 chap4 list", "")
    ),
    Case(
      "a list of files that share no name may have a part of something among them",
      "printf A > f.img.001; printf B > z.dat; md5sum f.img.001 z.dat > all.md5",
      (0, "merge -o out f.img.001 z.dat all.md5", ", as in all.md5"),
      (0, "verify f.img.001 z.dat all.md5", "2 right, 0 wrong")
    ),
    Case(
      "a list that is given and is no file is not passed over",
      "split -a 1 -d -b 1124 --numeric-suffixes=1 W f.00; mkfifo sums.sha256",
      (66, "merge -o out f.001 f.002 f.003 sums.sha256", "is a named pipe, not a regular file"),
      (0, "merge -o out --manifest=none f.001 f.002 f.003 sums.sha256", "from 3 parts")
    ),
    Case(
      "verify tells of each list that is given, and of each file",
      "mkdir d e; for f in a.x b.y; do echo $f > $f; done; sha1sum a.x b.y > e/SHA1SUMS; echo broken > c.z; "
        + "printf '%064d  other.iso\\n' 0 > other.sha256; cp a.x d/f.001; cp b.y d/f.002; (cd d; sha256sum f.00*) > e/f.sha256; "
        + "(cd d; sha256sum f.00* > f.sha256; printf '%064d  f.nfo\\n' 0 >> f.sha256)",
      (66, "verify a.x b.y c.z e/SHA1SUMS other.sha256", "3 missing, 3 not checked"),
      (0, "verify a.x b.y e/SHA1SUMS", "2 right, 0 wrong, 0 missing, 0 not checked"),
      (66, "verify d/f.001 d/f.002 e/f.sha256 other.sha256", "other.iso: missing"),
      (66, "verify d/f.sha256 d/f.001 d/f.002", "d/f.nfo: missing")
    ),
    Case(
      "a list above of the whole that parts make is found by the name that they count for",
      "mkdir p; printf aaaaaaaa > p/f_01.mkv; printf bbb > p/f_02.mkv; echo 'p/f.mkv deadbeef' > l.sfv",
      (65, "merge --consume -o out p/f_01.mkv p/f_02.mkv", "l.sfv: the whole has CRC-32")
    ),
    Case(
      "a list under any name does not keep a job from going on",
      "mkdir d; split -a 1 -d -b 1124 --numeric-suffixes=1 W d/f.00; sha256sum d/f.00* > checksums.txt; cp checksums.txt notes; "
        + "for i in 1 2 3; do (ulimit -f 4; cleave merge --resume --checkpoint=1K -o out$i d/f.00* checksums.txt > /dev/null 2>&1); done; true",
      (
        0, "merge --resume --checkpoint=1K -o out1 d/f.001 d/f.002 d/f.003 checksums.txt",
        ", as in checksums.txt"
      ),
      (0, "merge --resume --checkpoint=1K -o out2 d checksums.txt", ", as in checksums.txt"),
      (
        0, "merge --resume --checkpoint=1K -o out3 d/f.003 d/f.002 d/f.001 notes checksums.txt",
        ", as in checksums.txt"
      )
    ),
    Case(
      "scripts that join the parts do not keep a job of another name from going on",
      "cp W x; cleave split -q -b 1124 --joiners x; rm x; "
        + "(ulimit -f 4; cleave merge --resume --checkpoint=1K x.* -o out > /dev/null 2>&1); true",
      (
        0, "merge --resume --checkpoint=1K x.001 x.002 x.003 x.join.bat x.join.sh x.sfv -o out",
        ", as in x.sfv"
      )
    ),
    Case(
      "lists of files that share no name are taken wherever their lines lead",
      "mkdir p l d1 d2; printf aaaa > p/a.bin; printf bbb > p/b.dat; (cd l; sha256sum ../p/a.bin ../p/b.dat > S.sha256); "
        + "cat p/a.bin p/b.dat > both; sha256sum both > both.sha256; rm both; echo 1 > d1/x.bin; echo 2 > d2/x.bin; "
        + "(cd l; sha256sum ../d?/x.bin > n.sha256; sha256sum ../p/a.bin > one.sha256)",
      (0, "merge -o both p/a.bin p/b.dat l/S.sha256", ", as in "),
      (0, "merge -f -o both p/a.bin p/b.dat both.sha256", ", as in both.sha256"),
      (65, "merge -f -o both p/b.dat p/a.bin both.sha256", "both.sha256: the whole has SHA256"),
      (0, "merge -o n d1/x.bin d2/x.bin l/n.sha256", ", as in l/n.sha256"),
      (
        66, "merge -f -o both p/a.bin p/b.dat l/one.sha256",
        "l/one.sha256: is a list of sums: leave it out"
      )
    ),
    Case(
      "a list that is given spells names as the parts do",
      "mkdir l; split -a 1 -d -b 1124 --numeric-suffixes=1 W F.MKV.00; sha256sum F.* | sed s/F.MKV/f.mkv/ > l/S.sha256; "
        + "sha256sum F.* > l/B3SUMS",
      (65, "merge -o out F.MKV.001 l/S.sha256", "which has f.mkv.001, in letters of another case"),
      (
        65, "merge -o out F.MKV.001 l/B3SUMS",
        "l/B3SUMS: has sums of BLAKE3, which are not computed here, and nothing"
      )
    ),
    Case(
      "a list of a directory that parts were copied from is compared with the copies",
      "mkdir a b; split -a 1 -d -b 1124 --numeric-suffixes=1 W a/f.00; (cd a; sha256sum $PWD/f.00* > SHA256SUMS); cp a/* b; "
        + "mkdir c; cp b/* c; printf X | dd of=c/f.002 bs=1 seek=9 conv=notrunc 2> /dev/null",
      (0, "merge b/f.001", ", as in b/SHA256SUMS"),
      (0, "verify b/SHA256SUMS", "3 right, 0 wrong, 0 missing, 0 not checked"),
      (65, "merge c/f.001", "c/SHA256SUMS: c/f.002 has SHA256"),
      (1, "verify c/SHA256SUMS", "2 right, 1 wrong"),
      (65, "merge -o out --manifest=c/SHA256SUMS c/f.001", "c/f.002 has SHA256")
    ),
    Case(
      "what is named like a list and has other sums is data where a list has it, and refused where none has",
      "mkdir o; printf 1 > o/x; (cd o; sha256sum x > ../b.sha256); cp W a.bin; cp W c.dat; "
        + "mkdir l; sha256sum a.bin b.sha256 c.dat > l/S.sums; sha256sum a.bin c.dat > T.sums",
      (0, "merge -o out a.bin b.sha256 c.dat l/S.sums", ", as in T.sums and l/S.sums"),
      (
        65, "merge -f -o out a.bin b.sha256 c.dat T.sums",
        "b.sha256: has the sum of x, which is none"
      ),
      (
        65, "merge -f -o out a.bin c.dat T.sums b.sha256",
        "b.sha256: has the sum of x, which is none"
      ),
      (0, "merge -f -o out a.bin c.dat T.sums", "as in T.sums")
    ),
    Case(
      "--all goes on behind what has no parts",
      "mkdir e; split -a 1 -d -b 1124 --numeric-suffixes=1 W f.00; cp f.001 g.001; cp f.002 g.002; sha256sum f.00* > notes.txt",
      (66, "merge --all f.001 e g.001 notes.txt", "g: 2248 bytes")
    ),
  ]
}
