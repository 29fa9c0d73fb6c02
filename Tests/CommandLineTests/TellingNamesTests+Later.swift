/// Lists that come between two runs, and lists of files in several directories that have the same names.
extension TellingNamesTests {
  /// A merge of some files that writes 2 KiB and is stopped then.
  private static func begin(_ files: String, _ option: String) -> String {
    "(ulimit -f 4; cleave merge -q \(option) --checkpoint=1K -o film \(files)) 2> errors && exit 1; true; "
  }
  private static let two = "mkdir p q; head -c 2048 W > p/head; cp W p/tail; "
  private static let alike = "mkdir p q; head -c 2048 W > p/chunk; cp W q/chunk; "
  private static let damage = "| dd bs=1 seek=100 conv=notrunc status=none of="
  private static let films =
    "for d in p q; do mkdir $d; head -c 2500 /dev/urandom > $d/f.mkv; "
    + "split -b 1000 -d -a 3 --numeric-suffixes=1 $d/f.mkv $d/f.mkv.; done; "

  static let later = [
    Case(
      "what waits for parts gives the whole the name that their list tells, as a merge of all does",
      "cp W film.bin; cleave split -q -b 1124 film.bin f; rm film.bin; mv f.003 x; (sleep 0.3; mv x f.003) > y 2>&1 &",
      (0, "merge --wait=60s f.001", "film.bin: 3372 bytes (3.3 KiB) from 3 parts")
    ),
    Case(
      "a list above that came since is compared with",
      two + "sha256sum p/* > kept; printf XY \(damage)p/tail; "
        + begin("p/head p/tail", "--resume") + "mv kept SHA256SUMS",
      (65, "merge --resume --checkpoint=1K -o film p/head p/tail", "p/tail has SHA256")
    ),
    Case(
      "a list above that came since keeps parts from being freed",
      two + "sha256sum p/* > kept; " + begin("p/head p/tail", "--consume")
        + "mv kept SHA256SUMS",
      (
        64, "merge --consume --checkpoint=1K -o film p/head p/tail",
        "frees parts before all bytes have been hashed, as SHA256SUMS needs"
      ),
      (
        0, "merge --consume --checkpoint=1K --manifest=none -o film p/head p/tail",
        "film: 5420 bytes"
      )
    ),
    Case(
      "a job that was begun by a list above goes on by it",
      two + "sha256sum p/* > SHA256SUMS; " + begin("p/head p/tail", "--resume"),
      (0, "merge --resume --checkpoint=1K -o film p/head p/tail", "as in SHA256SUMS")
    ),
    Case(
      "a job that was begun by a list above which is gone says so",
      two + "sha256sum p/* > SHA256SUMS; " + begin("p/head p/tail", "--resume")
        + "rm SHA256SUMS",
      (
        66, "merge --resume --checkpoint=1K -o film p/head p/tail",
        "SHA256SUMS: is what the job was begun by, and no list of that name that is given, beside the parts or above them says"
      )
    ),
    Case(
      "another list beside that by which a job was begun is compared with as well",
      two + "mv p/tail q; sha256sum p/* q/* > SHA256SUMS; "
        + begin("p/head q/tail", "--resume") + "md5sum p/* q/* > MD5SUMS",
      (
        0, "merge --resume --checkpoint=1K -o film p/head q/tail",
        "as in MD5SUMS and SHA256SUMS"
      )
    ),
    Case(
      "files of one name in several directories are compared by their paths",
      alike + "sha256sum p/* q/* > SHA256SUMS",
      (0, "merge -o out p/chunk q/chunk", ", as in SHA256SUMS"),
      (0, "merge -f -o out ./p/chunk ./q/../q/chunk", ", as in SHA256SUMS"),
      (0, "merge -f --manifest=SHA256SUMS -o out ./p/chunk q/chunk", ", as in SHA256SUMS"),
      (
        64, "merge --consume -o out p/chunk q/chunk",
        "'cleave verify SHA256SUMS' compares them before"
      )
    ),
    Case(
      "all lists of what files of no common name make are compared",
      two
        + "cat p/head p/tail | sha256sum | sed s/-/film/ > film.sha256; cat p/tail | md5sum | sed s/-/film/ > film.md5",
      (65, "merge -o film p/head p/tail", "film.md5: the whole has MD5"),
      (0, "merge --manifest=film.sha256 -o film p/head p/tail", "as in film.sha256")
    ),
    Case(
      "one of several files of one name is wrong",
      alike + "sha256sum p/* q/* > SHA256SUMS; printf XY \(damage)q/chunk",
      (65, "merge -o out p/chunk q/chunk", "SHA256SUMS: q/chunk has SHA256"),
      (65, "merge --manifest=SHA256SUMS -o out p/chunk q/chunk", "q/chunk has SHA256"),
      (1, "verify p/chunk q/chunk", "1 right, 1 wrong, 0 missing, 0 not checked")
    ),
    Case(
      "one of several files of one name has a list beside it",
      alike + "(cd q; md5sum chunk > MD5SUMS); printf XY \(damage)q/chunk",
      (65, "merge -o out p/chunk q/chunk", "q/MD5SUMS: q/chunk has MD5")
    ),
    Case(
      "a list that came since of files of one name is compared with",
      alike + "sha256sum p/* q/* > kept; printf XY \(damage)q/chunk; "
        + begin("p/chunk q/chunk", "--resume") + "mv kept SHA256SUMS",
      (65, "merge --resume --checkpoint=1K -o film p/chunk q/chunk", "q/chunk has SHA256")
    ),
    Case(
      "the last part of a split zip in two directories is not what they make",
      "head -c 150000 /dev/urandom > x; mkdir a b; zip -q -0 -s 64k a/a.zip x; mv a/a.z02 b; sha256sum a/* b/* > SHA256SUMS",
      (
        64, "merge --consume -o o.zip a/a.z01 b/a.z02 a/a.zip",
        "'cleave verify SHA256SUMS' compares them before"
      ),
      (0, "verify SHA256SUMS", "3 right, 0 wrong"),
      (0, "merge -o o.zip a/a.z01 b/a.z02 a/a.zip", "as in SHA256SUMS")
    ),
    Case(
      "the whole in one directory is not that of the parts in another",
      films + "sha256sum p/f.mkv p/f.mkv.* > SHA256SUMS; rm ?/f.mkv",
      (0, "merge q/f.mkv.001", "nothing to compare with"),
      (0, "merge --all p q -f", "p/f.mkv: 2500 bytes (2.4 KiB) from 3 parts")
    ),
    Case(
      "a list has the parts of two files of one name, and the whole of one",
      films + "sha256sum p/f.mkv ?/f.mkv.* > SHA256SUMS; rm ?/f.mkv",
      (0, "merge --all SHA256SUMS", "q/f.mkv: 2500 bytes (2.4 KiB) from 3 parts")
    ),
    Case(
      "two lists of the same parts stand for one file",
      films + "rm ?/f.mkv; sha256sum p/* > SHA256SUMS; md5sum p/* > MD5SUMS",
      (0, "merge --all MD5SUMS SHA256SUMS", "as in MD5SUMS and SHA256SUMS")
    ),
    Case(
      "a part that is alone is one of those that a list has",
      "for f in a b; do head -c 1800 W | split -b 1000 - $f.bin.; done; sha256sum *.bin.* > SHA256SUMS; rm a.bin.ab",
      (66, "merge --all .", "a.bin: 1 part is missing: a.bin.ab"),
      (0, "merge -f .", "b.bin: 1800 bytes"),
      (66, "info .", "a.bin: 1 part is missing: a.bin.ab")
    ),
    Case(
      "a list above tells of single files",
      "mkdir p; for i in 1 2 3; do head -c 50$i W > p/IMG_$i.jpg; done; md5sum p/* > MD5SUMS; echo >> p/IMG_2.jpg",
      (1, "verify p/IMG_1.jpg p/IMG_2.jpg p/IMG_3.jpg", "2 right, 1 wrong, 0 missing"),
      (0, "verify p/IMG_1.jpg", "1 right, 0 wrong, 0 missing, 0 not checked")
    ),
    Case(
      "a line of a file of one name that was moved is that of the only file that no line leads to",
      alike + "sha256sum p/* q/* > SHA256SUMS; mv q r; printf XY \(damage)r/chunk",
      (65, "merge -o out p/chunk r/chunk", "r/chunk has SHA256")
    ),
    Case(
      "a line that may be of one of several files frees none of them",
      alike + "sha256sum p/* | sed s/p/n/ > SHA256SUMS",
      (
        0, "merge -o out p/chunk q/chunk",
        "has n/chunk, which is nowhere, and may be one of several"
      ),
      (
        66, "merge -f --consume -o out p/chunk q/chunk",
        "--manifest=none frees the parts all the same"
      )
    ),
    Case(
      "a list has more files of that name",
      alike
        + "sha256sum p/* q/* > SHA256SUMS; sed -n s/p/n/p SHA256SUMS >> SHA256SUMS; mkdir n; cp W n/chunk",
      (0, "merge -o out p/chunk q/chunk", "lists 1 file more than is given, and tells no order")
    ),
    Case(
      "a list of what files of one name make is asked for",
      alike + "cat p/chunk q/chunk | sha256sum | sed s/-/film/ > film.sha256",
      (0, "merge --manifest=film.sha256 -o out p/chunk q/chunk", "as in film.sha256"),
      (0, "merge -o film p/chunk q/chunk", "as in film.sha256")
    ),
    Case(
      "a list that says the same as another which has come is not missed",
      alike + "(cd p; sha256sum chunk ../q/chunk > SHA256SUMS); "
        + begin("p/chunk q/chunk", "--resume")
        + "cp p/SHA256SUMS p/MD5SUMS",
      (0, "merge --resume --checkpoint=1K -o film p/chunk q/chunk", ", as in p/")
    ),
    Case(
      "lines of a directory in which some parts are left are those of the others",
      "mkdir p q; for i in 1 2; do head -c 100$i /dev/urandom > p/f.00$i; done; cp p/* q; sha256sum q/f.* > SHA256SUMS; "
        + "rm q/f.002; echo >> p/f.002",
      (65, "merge p/f.001", "is not in SHA256SUMS, which lists others of the parts")
    ),
    Case(
      "a list above has the output",
      films + "rm ?/f.mkv; echo | sha256sum | sed s,-,q/f.mkv, > SHA256SUMS",
      (0, "merge p/f.mkv.001", "nothing to compare with"),
      (65, "merge -f -o q/f.mkv p/f.mkv.001", "SHA256SUMS: ")
    ),
    Case(
      "a list that cannot be read, and may have anything, is not in the way of a single file",
      "mkdir p SHA256SUMS; echo | gzip -n > p/x.gz",
      (0, "verify p/x.gz", "proved by the CRC-32"),
      (0, "info p/x.gz", "p/x.gz")
    ),
    Case(
      "one list in two directories is about the parts in each",
      films
        + "rm ?/f.mkv; cp p/* q; (cd p; md5sum * > MD5SUMS); ln -s ../p/MD5SUMS q/MD5SUMS; echo >> q/f.mkv.003",
      (65, "merge --all p/MD5SUMS q/MD5SUMS", "q/MD5SUMS: q/f.mkv.003 has MD5")
    ),
    Case(
      "lists of the same parts that say the same stand for one file",
      films
        + "rm ?/f.mkv; sha256sum p/* > a.sha256; cp a.sha256 b.sha256; head -n 1 a.sha256 > c.sha256",
      (0, "merge --all a.sha256 b.sha256 c.sha256 ./a.sha256", "as in a.sha256")
    ),
    Case(
      "other names in a list are no parts that are missing",
      "split -d -b 1000 W f.; cp W m.aa; for i in aa ab af de; do echo | md5sum | sed s/-/m.$i/; done > x.md5",
      (0, "merge --all .", "f: 3372 bytes")
    ),
    Case(
      "a list above a single file contradicts the one beside it",
      "mkdir p; cp W p/a.jpg; (cd p; md5sum a.jpg > a.md5); echo | md5sum | sed s,-,p/a.jpg, > all.md5",
      (65, "verify p/a.jpg", "all.md5: has another MD5 of a.jpg than p/a.md5"),
      (65, "info p/a.jpg", "all.md5: has another MD5 of a.jpg than p/a.md5")
    ),
    Case(
      "a list that leads to none of several files of one name is about others",
      alike + "mkdir n; cp W n/chunk; sha256sum n/chunk > SHA256SUMS",
      (0, "merge --consume -o out p/chunk q/chunk", "nothing to compare with")
    ),
    Case(
      "a line that leads to nothing yields to one that leads to the file",
      alike + "(cd q; sha256sum chunk > SHA256SUMS); sha256sum p/chunk > SHA256SUMS; "
        + "echo | sha256sum | sed s,-,n/chunk, >> SHA256SUMS",
      (0, "merge -o out p/chunk q/chunk", "q/SHA256SUMS and SHA256SUMS")
    ),
    Case(
      "a list that stands for several files is compared with others",
      films
        + "rm ?/f.mkv; for i in 1 2; do cp p/f.mkv.00$i p/g.mkv.00$i; done; (cd p; md5sum * > a.md5); "
        + "sha256sum p/f.mkv.* | sed '2s/^....../000000/' > b.sha256",
      (65, "merge --all p/a.md5 b.sha256", "b.sha256: p/f.mkv.002 has SHA256"),
      (65, "merge -f --all b.sha256 p/a.md5", "b.sha256: p/f.mkv.002 has SHA256")
    ),
    Case(
      "a lone part in letters is one of those of a list that counts",
      "split -b 2000 W f.; md5sum f.a? > f.md5; rm f.ab",
      (66, "merge .", "f: 1 part is missing: f.ab"),
      (66, "merge --manifest=none .", "has no parts in it")
    ),
    Case(
      "what goes on names sources in all directories that were moved",
      "mkdir -p s/p s/q d; split -b 2000 -d W s/p/f.; mv s/p/f.01 s/q; "
        + "(ulimit -f 5; cleave merge -q --consume --checkpoint=1K -o d/f s/p/f.00 s/q/f.01) 2> errors && exit 1; mv s t",
      (75, "clean t/p", "/t/p/f.00 "),
      (75, "clean t/q", "/t/q/f.01' goes on"),
      (0, "merge --consume --checkpoint=1K -o d/f t/p/f.00 t/q/f.01", "d/f: 3372 bytes")
    ),
    Case(
      "what goes on names sources where they were moved to",
      "mkdir p q d; split -d -b 1000 W p/f.; "
        + "(ulimit -f 5; cleave merge -q --consume --checkpoint=1K -o q/f p/f.00) 2> errors && exit 1; mv p d",
      (66, "info d/p", "d/p/f.00' goes on"),
      (66, "merge -o x d/p/f.03", "d/p/f.00' goes on"),
      (75, "clean d/p", "d/p/f.00' goes on"),
      (
        66, "merge --consume --checkpoint=1K -o q/f p/f.00",
        "put it back, or name it where it is now"
      ),
      (0, "merge --consume --checkpoint=1K -o q/f d/p/f.00", "q/f: 3372 bytes")
    ),
    Case(
      "a directory that a job took parts from, which is nowhere",
      "mkdir p q; cp W p/f; (ulimit -f 3; cleave split -q --consume --checkpoint=1K -n 2 p/f q/) 2> errors && exit 1; "
        + "mv q r",
      (66, "info p", "an interrupted run may have it: 'cleave clean p' tells more"),
      (66, "merge -o x p", "an interrupted run may have it: 'cleave clean p' tells more")
    ),
  ]
}
