/// Parts in several directories, files that share no name, and several series beside one another.
extension TellingNamesTests {
  private static let own = "cp W v; cleave split -q -b 1K v; rm v; "
  private static let clips = "for i in 1 2 3; do head -c 100$i W > clip$i.ts; done; "

  static let apart = [
    Case(
      "every list beside files that share no name is compared",
      clips + "sha1sum clip?.ts > SHA1SUMS; echo x | md5sum | sed 's/-/clip2.ts/' > clip2.ts.md5",
      (65, "merge -o out clip1.ts clip2.ts clip3.ts", "clip2.ts.md5: clip2.ts has MD5"),
      (
        64, "merge --consume -o out clip1.ts clip2.ts clip3.ts",
        "'cleave verify SHA1SUMS' compares them before"
      ),
      (1, "verify clip1.ts clip2.ts clip3.ts", "2 right, 1 wrong, 0 missing, 0 not checked"),
      (0, "merge --manifest=SHA1SUMS -o out clip1.ts clip2.ts clip3.ts", "as in SHA1SUMS")
    ),
    Case(
      "what a name says is first comes in front of what is counted",
      "for i in 1 2 3; do head -c 1024 W > seg-$i.m4s; done; for f in init.mp4 head.bin cover.jpg; do "
        + "head -c 99 W > $f; done",
      (0, "merge -o a init.mp4 seg-1.m4s seg-2.m4s seg-3.m4s", "from 4 parts"),
      (0, "merge -o b head.bin seg-1.m4s seg-2.m4s seg-3.m4s", "from 4 parts"),
      (66, "merge -o c cover.jpg seg-1.m4s seg-2.m4s seg-3.m4s", "cover.jpg: is not counted"),
      (
        66, "merge -o d seg-1.m4s seg-2.m4s seg-3.m4s init.mp4",
        "init.mp4: says that it is in front"
      )
    ),
    Case(
      "a list has all parts of another file, whose name is longer",
      "for f in 'a.bin' 'a (1).bin' a-1.bin; do for i in 1 2 3; do head -c 1024 W > \"$f.00$i\"; done; done; "
        + "rm a.bin.003; sha256sum a* > SHA256SUMS",
      (0, "merge a.bin.001", "as in SHA256SUMS"),
      (0, "merge -f --all .", "a-1.bin: 3072 bytes")
    ),
    Case(
      "a list of which the first is not there is not that of another file",
      "for i in 1 2; do head -c 1024 W > a.bin.00$i; done; cp W 'a (1).bin.003'; sha256sum a* > SHA256SUMS; "
        + "rm 'a (1).bin.003'",
      (66, "merge a.bin.001", "which may be behind a.bin.002")
    ),
    Case(
      "parts of split in several directories, one of which is nowhere or not given",
      own + "mkdir a b; mv v.001 v.002 a; mv v.003 v.004 b",
      (66, "merge -o v a/v.001 b/v.003 b/v.004", "v.sfv: has parts that are not given: v.002"),
      (66, "merge -o v a/v.001 a/v.002 b/v.003", "v.004"),
      (0, "merge -o v a/v.001 b/v.003 b/v.004 a/v.002", "as in v.sfv")
    ),
    Case(
      "a split zip in two directories is one",
      "head -c 200000 /dev/urandom > random; zip -0 -q -s 64k z.zip random; mkdir a b; mv z.z01 z.z02 a; mv z.* b",
      (0, "verify a/z.z01 a/z.z02 b/z.z03 b/z.zip", "1 entry right, 0 wrong, 0 not checked"),
      (0, "info b/z.zip b/z.z03 a/z.z02 a/z.z01", "split zip of 4 parts"),
      (66, "verify a/z.z01 b/z.z03 b/z.zip", "z.z02"),
      (0, "merge -o z.zip a/z.z01 a/z.z02 b/z.z03 b/z.zip", "proved by")
    ),
    Case(
      "what has the mark of a copy is the only one of its part",
      own + "mv v.002 'v(1).002'; mkdir d; cp 'v(1).002' d/v.002",
      (
        66, "merge -o v v.001 v(1).002 v.003 v.004",
        "v(1).002: may be another copy of v.002, which is not there: rename it if it is that, or"
      ),
      (66, "merge -o v v.001 v.003 v.004", "v(1).002 may be it: rename it if it is")
    ),
    Case(
      "of two digits, the first may be 00",
      "split -d -b 1024 W v.; rm v.00",
      (
        66, "merge --strict -o out v.01",
        "'split -d' begins with v.00, which is not there; --first=1 says so"
      ),
      (0, "info v.02", "'split -d' begins with v.00"),
      (0, "merge --strict --first=1 -o out v.01", "from 3 parts")
    ),
    Case(
      "gzip data that ends too early may lack a part",
      "head -c 9000 /dev/urandom | gzip > W.gz; split -b 3000 W.gz w.gz.; rm w.gz.ad W.gz",
      (66, "verify w.gz.aa", "1 missing"),
      (66, "merge w.gz.aa", "so that w.gz.ad may be missing")
    ),
    Case(
      "the whole is what is wrong among its parts and their lists",
      own + "cp W v; md5sum v v.00? > v.md5",
      (66, "merge -f v v.001 v.002 v.003 v.004 v.md5 v.sfv", "v: has the name of the whole"),
      (0, "merge -f v.001 v.002 v.003 v.004 v.md5 v.sfv", "as in v.sfv")
    ),
    Case(
      "lists of several files one behind the other",
      own + "cp W w; cleave split -q -b 1K w; rm w; cat v.sfv w.sfv > all.sfv; rm v.sfv w.sfv",
      (0, "verify all.sfv", "8 right, 0 wrong, 0 missing, 0 not checked"),
      (0, "merge v.001", "as in all.sfv")
    ),
    Case(
      "a list among its files counts each once",
      "for i in 1 2 3; do cp W DSC_0$i.JPG; done; sha256sum DSC* > SHA256SUMS; echo n > notes.txt",
      (
        66, "verify DSC_01.JPG DSC_02.JPG DSC_03.JPG SHA256SUMS notes.txt",
        "3 right, 0 wrong, 0 missing, 1 not checked"
      )
    ),
    Case(
      "each file is compared with each list once, whichever are named",
      "for n in x y; do for i in 1 2; do head -c 10$i W > $n.mkv.00$i; done; done; "
        + "for f in *.mkv.*; do echo \"$f $(gzip -c $f | tail -c 8 | od -An -tx4 -N4 | tr -d ' ')\"; done > all.sfv; "
        + "sed -i '4s/........$/00000001/' all.sfv; sha256sum *.mkv.* > SHA256SUMS",
      (1, "verify x.mkv.001 y.mkv.001", "3 right, 1 wrong"),
      (1, "verify x.mkv.001 y.mkv.001 SHA256SUMS", "y.mkv.002: has CRC-32"),
      (1, "verify x.mkv.001 x.mkv.002 y.mkv.001 y.mkv.002 SHA256SUMS all.sfv", "7 right, 1 wrong")
    ),
    Case(
      "cleave's own list and another one",
      own + "sha256sum v.* > SHA256SUMS; sed -i /sfv/d SHA256SUMS",
      (
        0, "verify v.001 v.002 v.003 v.004 v.sfv SHA256SUMS",
        "8 right, 0 wrong, 0 missing, 0 not checked"
      )
    ),
    Case(
      "a part that a list among the operands has not is not checked",
      "for i in 1 2 3 4; do head -c 10$i W > f.bin.00$i; done; sha256sum f.bin.00[134] > SHA256SUMS",
      (
        1, "verify SHA256SUMS f.bin.001 f.bin.002 f.bin.003 f.bin.004",
        "3 right, 0 wrong, 0 missing, 1 not checked"
      ),
      (1, "verify f.bin.002", "3 right, 0 wrong, 0 missing, 1 not checked")
    ),
    Case(
      "lists above files that share no name, and beside those that are joined as given, are compared",
      "mkdir p q; cp W p/red.dat; cp W q/blue.dat; cp W p/blue.dat; (cd p; md5sum red.dat blue.dat > MD5SUMS; "
        + "md5sum red.dat > a.md5; sed 's/^../00/' a.md5 > b.md5); md5sum p/*.dat | sed '1s/^../00/' > check.md5",
      (65, "merge --consume -o out p/red.dat p/blue.dat", "another MD5"),
      (65, "merge --consume --as-given -o out p/red.dat q/blue.dat", "another MD5")
    ),
    Case(
      "the list beside one file has another, which is elsewhere",
      "mkdir p q; cp W p/red.dat; cp W q/blue.dat; (cd p; md5sum red.dat > MD5SUMS; "
        + "sed 's/^../00/; s/red/blue/' MD5SUMS >> MD5SUMS; sha1sum red.dat > SHA1SUMS)",
      (65, "merge -o out p/red.dat q/blue.dat", "blue.dat has MD5"),
      (0, "merge --manifest=none -o out p/red.dat q/blue.dat", "from 2 parts")
    ),
    Case(
      "files of one name in several directories, which a list above has",
      "mkdir p q; for d in p q; do cp W $d/log.txt; cp W $d/f.001; done; md5sum p/log.txt q/log.txt > MD5SUMS; "
        + "(cd p; sha1sum f.001 > SHA1SUMS)",
      (64, "merge --consume -o out p/log.txt q/log.txt", "as MD5SUMS needs"),
      (0, "merge -o out p/log.txt q/log.txt", ", as in MD5SUMS"),
      (66, "merge --as-given --consume -o two p/f.001 q/f.001", "p/SHA1SUMS: has sums of the parts")
    ),
    Case(
      "a list above has another file of the name, and the one beside all",
      "mkdir p; echo old > IMG_1.jpg; md5sum IMG_1.jpg > MD5SUMS; rm IMG_1.jpg; cp W p/IMG_1.jpg; cp W p/sea.jpg; "
        + "(cd p; md5sum * > MD5SUMS)",
      (0, "merge -o out p/IMG_1.jpg p/sea.jpg", "as in p/MD5SUMS")
    ),
    Case(
      "a list above files is named with them",
      "mkdir p; cp W p/sun.jpg; cp W p/sea.jpg; md5sum p/* > MD5SUMS",
      (0, "verify MD5SUMS p/sun.jpg p/sea.jpg", "2 right, 0 wrong, 0 missing, 0 not checked")
    ),
    Case(
      "logs are joined in the order in which they are named",
      "for i in 1 2 3; do head -c 1024 W > app.log.$i; done",
      (
        65, "merge -o all app.log.3 app.log.2 app.log.1",
        "--as-given -o OUT joins them in this order"
      ),
      (0, "merge --as-given -o all app.log.3 app.log.2 app.log.1", "from 3 parts")
    ),
  ]
}
