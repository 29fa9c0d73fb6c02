/// What lists are called, and what they have.
extension ListEvidenceTests {
  static let forms =
    told + compared + tables + unread + counted + ofWholes + kept + unrelated + proving + absent

  /// The last part is in a list alone.
  private static let told = [
    "SHA384SUMS", "f.sha384", "checksums.sha384", "checksums.txt", "checksums (1)",
  ].map { list in
    Row(
      name: "a last part that \(list) tells of, by digests of 384 bits",
      script: cut + "sha384sum f.00? >'\(list)'; " + last,
      words: ["merge", "f.001"],
      code: 66,
      text: "1 part is missing: f.005"
    )
  }

  private static let swapped = "mv f.001 x; mv f.002 f.001; mv x f.002"

  private static let compared =
    [
      ("SHA224SUMS", "sha224sum f.00?"), ("SHA256", "sha256sum --tag f.00?"),
      ("SHASUMS256.txt", "sha256sum f.00?"), ("f.sha224", "sha224sum f.00?"),
      ("f.crc32", crcs("$(crc $p)  $p")), ("CHECKSUMS", crcs("CRC32 ($p) = $(crc $p)")),
      ("crc32.txt", crcs("$(crc $p)\t$p")),
      ("sums.txt", crcs("CRC32 ($p) = $(crc $p)\\n$(md5sum --tag $p)")),
    ].flatMap(beside)
    + [
      "SHA256SUMS (1)", "SHA256SUMS(1)", "sha256sum(1).txt",
      "SHA256SUMS - Copy", "SHA256SUMS copy", "f.sha", "f.SHA", "f.sha2",
      "f.sha-256", "SHA2-256SUMS", "sums", "SUMS", "hashes", "f-sha256", "md5.txt", "shasum",
      "sha256checksums.txt", "f.sumfile", "sha256_hashes.txt", "SHA256SUMS-1", "sha256-2.txt",
    ].flatMap { beside($0, "sha256sum f.00?") }

  /// What programs show, and what people write.
  private static let tables = [
    ("SHA256SUMS", "sha256sum -z f.00?"), ("f.blake2b", "b2sum f.00?"),
    ("BLAKE2BSUMS", "b2sum f.00?"), ("BLAKE2SUMS", "b2sum --tag f.00?"),
    (
      "sha256.txt",
      "echo 'SHA256  Size  Name'; echo '------ ---- ----'; "
        + lines("$(sha)         $(stat -c %s $p)  $p") + "; echo \"$(sha f.001)         4300\""
    ),
    ("crc32.txt", "echo 'CRC32 Size Name'; " + lines("$(crc $p)         $(stat -c %s $p)  $p")),
    ("hashes.txt", lines(#"\"SHA256\",\"$(sha)\",\"D:\\\\g\\\\$p\""#)),
    (
      "sums.txt", lines(#"\"SHA384\",\"$(sha384sum <$p | cut -c-96)\",\"D:\\\\g\\\\$p\""#)
    ),
    ("checksums.txt", "echo '## size,md5,sha256,filename'; " + lines("9,$(md5),$(sha),/home/g/$p")),
    ("sums.json", "echo {; " + lines(#"\"$p\": \"$(sha)\","#) + " | sed '$s/,//'; printf }"),
    ("checksums.txt", lines("$p: $(md5)")), ("sums.txt", lines("$p $(md5) $(sha)")),
    (
      "SHA256SUMS.asc",
      "{ echo -----BEGIN PGP SIGNED MESSAGE-----; echo Hash: SHA256; echo; sha256sum f.00?; echo "
        + "-----BEGIN PGP SIGNATURE-----; echo; echo iQIzBAEBCgAdFiEEvs0Zm9Y8uKq5bR1c; }"
    ),
    ("SHA256.sig", "echo untrusted comment: signature; sha256sum --tag f.00?"),
    ("sums.txt", lines("MD4 ($p) = $(md5)\nSHA256 ($p) = $(sha)")),
    ("CHECKSUMS", lines("SHA256 ($p) = $(base64of)")),
    ("f.checksums", lines("SHA384 ($p) = $(sha384sum <$p | cut -c-96 | \(encoded)64 -w0)")),
    ("SHA256SUMS", lines("$(base64of)  $p")), ("hashes.txt", lines("$(base64of)  $p")),
    ("CKSUM", lines("$(sha512sum <$p | cut -c-128 | \(encoded)64 -w0)  $p")),
    // cksum writes digests of other kinds, too.
    ("f.cksum", "sha256sum --tag f.00?"), ("CKSUM", "sha1sum --tag f.00?"),
    ("checksums.cksum", "md5sum --tag f.00?"), ("CKSUMS.txt", "sha512sum f.00?"),
  ].flatMap { list, command in beside(list, "{ \(command); }") }

  private static let object = #"{\"path\": \"$p\", \"sha256\": \"$(sha)\"}"#
  private static let rule = String(repeating: "=", count: 50)
  private static let inOneLine = " | paste -sd, | sed 's/.*/[&]/'"

  /// Hexadecimal digits as bytes, in another base.
  private static let encoded = "tr a-f A-F | tr -d '\\n' | basenc --base16 -d | basenc --base"

  /// A line for each part.
  private static func lines(_ line: String) -> String {
    crc + "sha() { sha256sum <${1:-$p} | cut -c-64; }; md5() { md5sum <$p | cut -c-32; }; "
      + "base64of() { sha | \(encoded)64 -w0; }; "
      + "base32of() { sha1sum <$p | cut -c-40 | \(encoded)32 -w0; }; "
      + "for p in f.00?; do printf \"\(line)\\n\"; done"
  }

  private static func crcs(_ line: String) -> String {
    crc + "for p in f.00?; do printf \"\(line)\\n\"; done"
  }

  private static func beside(_ list: String, _ command: String) -> [Row] {
    let script = cut + "rm w; \(command) >'\(list)'; "
    return [
      Row(
        name: "parts beside \(list)",
        script: script,
        words: ["merge", "f.001"],
        text: ", as in \(list)\n"
      ),
      Row(
        name: "two parts that have each other's names, beside \(list)",
        script: script + swapped,
        words: ["merge", "f.001"],
        code: 65,
        text: "f.001 has "
      ),
    ]
  }

  private static let unread = [
    ("CKSUMS", "cksum f.00?", "has sums of cksum, which are not computed here, and nothing else"),
    ("cksums.txt", "cksum f.00?", "has sums of cksum, which"),
    ("checksums.txt", "cksum f.00?", "has sums of cksum, which"),
    ("hashes.txt", "sum f.00?", "has sums of sum, which"),
    // As RHash and cksum write some.
    ("f.tth", lines("$(base32of)  $p"), "has sums of Tiger, which"),
    ("f.aich", lines("$(base32of)  $p"), "has sums of AICH, which"),
    ("TTHSUMS", lines("$(base32of)  $p"), "has sums of Tiger, which"),
    ("checksums.txt", lines("$(base32of)  $p"), "has lines that are not a digest"),
    (
      "f.checksums", lines("$(sha1sum <$p | cut -c-32 | \(encoded)32 -w0 | tr -d =)  $p"),
      "has lines that are not a digest"
    ),
    (
      "hashes.txt", lines("$p 0 $(sha384sum <$p | cut -c-96 | \(encoded)64 -w0)"),
      "has lines that are not a digest"
    ),
    ("f.btih", "sha1sum f.00?", "has sums of BitTorrent, which"),
    ("f.gost12-256", "sha256sum f.00?", "has sums of GOST, which"),
    ("f.snefru256", "sha256sum f.00?", "has sums of Snefru, which"),
    ("f.edonr512", "sha512sum f.00?", "has sums of EDON-R, which"),
    ("f.b3", "sha256sum f.00?", "has sums of BLAKE3, which"),
    ("f.001.b3", "sha256sum - <f.001", "has sums of BLAKE3, which"),
    ("B3SUMS", "sha256sum f.00?", "has sums of BLAKE3, which"),
    ("f.xxh128", "md5sum f.00?", "has sums of xxHash, which"),
    ("checksums.txt", "md5sum f.00? | cut -c17-", "has sums of 64 bits, which"),
    ("f.sha3-256", "sha256sum f.00?", "has sums of SHA-3, which"),
    ("SM3SUMS", "sha256sum f.00?", "has sums of SM3, which"),
    (
      "digests.txt", "sha256sum --tag f.00? | sed 's/SHA256/SHA3-256/'",
      "has sums of SHA3-256, which"
    ),
    ("SHA3-256SUMS", "sha256sum f.00?", "has sums of SHA-3, which"),
    ("SHA3SUMS(1)", "sha256sum f.00?", "has sums of SHA-3, which"),
    ("BLAKE3", "sha256sum f.00?", "has sums of BLAKE3, which"),
    ("blake3.txt", "sha256sum f.00?", "has sums of BLAKE3, which"),
    ("SHA512256SUMS", "sha256sum f.00?", "has sums of SHA-512/256, which"),
    ("f.sha512-256", "sha256sum f.00?", "has sums of SHA-512/256, which"),
    ("hashes.txt", lines("$p 12345678 $(md5) $(md5)"), "has lines that are not a digest"),
    (
      "sums.txt",
      "{ echo 'CRC32 CRC64 MD5 Size Name'; echo '-------- ---------------- ---- ---- ----'; "
        + "echo '12345678 1234567890abcdef 12 9000 f'; echo '-------- ---------------- ---- ---- ----'; }",
      "has lines that are not a digest"
    ),
    (
      "hash.txt", "printf 'Algorithm Hash Path\\n--- --- ---\\nMD5 0 f.001\\n'",
      "is what Get-FileHash shows"
    ),
    (
      "checksums.txt", "printf '%s\n' '%%%% HASHDEEP-1.0' '%%%% size,md5,filename' 1000,0,f.001",
      "is what hashdeep writes"
    ),
    ("SHA256SUMS", lines(object), "has lines that are not a digest"),
    ("f.sha256.json", lines(object) + inOneLine, "has lines that are not a digest"),
    (
      "sums.json", lines(#"\"$p\": \"$(sha)\""#) + inOneLine + " | tr '[]' '{}'",
      "has lines that are not a digest"
    ),
    ("sha256.txt", lines(#"<f n=\"$p\" s=\"$(sha)\"/>"#), "has lines that are not a digest"),
    // HashMyFiles
    (
      "hash.txt", lines("\(rule)\nFilename : $p\nSHA-256 : $(sha)\nSize : 1,000\n\(rule)"),
      "has lines that are not a digest"
    ),
    ("checksums.yaml", lines("name: $p\n  sha256: $(sha)"), "has lines that are not a digest"),
    (
      "SHA256SUMS.asc", "{ echo -----BEGIN PGP SIGNED MESSAGE-----; cksum f.00?; }",
      "is signed by PGP"
    ),
  ].flatMap { list, command, text in
    let script = cut + "rm w; \(command) >'\(list)'; "
    let above = "mkdir d; mv f.0* d; mv d/f.001.* . 2>/dev/null || :"
    return [
      Row(
        name: "\(list), which is not read: \(text)",
        script: script + swapped,
        words: ["merge", "--strict", "f.001"],
        code: 65,
        text: "cleave: \(list): \(text)"
      ),
      Row(
        name: "\(list), which is not read, above the parts: \(text)",
        script: script + above,
        words: ["merge", "d/f.001"],
        code: 65,
        text: "cleave: \(list): \(text)"
      ),
      Row(
        name: "\(list), which is not read, beside sums that are: \(text)",
        script: script + "sha1sum f.00? >f.sha1",
        words: ["merge", "f.001"],
        text: ", as in f.sha1\n"
      ),
      Row(
        name: "\(list), which is not read, as an operand: \(text)",
        script: script,
        words: ["merge", list],
        code: 65,
        text: "cleave: \(list): \(text.prefix { $0 != "," })"
      ),
      Row(
        name: "\(list), which is not read, for another file: \(text)",
        script: script + "for p in f.00?; do cp $p g${p#f}; done; rm f.00?",
        words: ["merge", "g.001"],
        text: "g: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
      ),
    ]
  }

  /// Lists of the whole, beside parts whose names hardly tell what it is called.
  private static let ofWholes = [
    ("img.bin.sha256", "img.bin", numbered("img0%d.bin")),
    ("SHA256SUMS", "img.bin", numbered("img0%d.bin")),
    ("disc.bin.sha256", "disc.bin", numbered("disc%d.bin")),
    (
      "g.mkv.sha256", "g.mkv",
      Array(numbered("a/g_%d.mkv").prefix(2)) + numbered("b/g_%d.mkv").dropFirst(2)
    ),
    ("p/o.sha256", "o", ["p/xaa", "p/xab", "p/xac", "p/xad", "p/xae"]),
    ("SHA256SUMS", "o", numbered("p/chunk%d.bin")),
  ].flatMap { list, whole, parts in
    let moves = parts.enumerated().map { "mv f.00\($0 + 1) \($1); " }.joined()
    let script = cut + "mkdir a b p; \(moves)sha256sum <w | sed 's/-/\(whole)/' >\(list); rm w; "
    return ["", damage(parts[1])].map { damage in
      Row(
        name: "\(parts[0]) … and \(list) of \(whole)\(damage.isEmpty ? "" : ", damaged")",
        script: script + damage,
        words: ["merge", "-o", "o"] + parts,
        code: damage.isEmpty ? 0 : 65,
        text: damage.isEmpty ? ", as in \(list)\n" : "cleave: \(list): "
      )
    }
  }

  private static func numbered(_ form: String) -> [String] {
    (1...5).map { number in form.replacing("%d", with: "\(number)") }
  }

  /// What is kept beside parts is none.
  private static let kept = ["asc", "sig", "torrent", "sha3", "sum", "sha256.txt", "par2"].map {
    ending in
    Row(
      name: "parts in a directory with a .\(ending) of each",
      script: cut + "rm w; mkdir d; for n in 1 2 3 4 5; do mv f.00$n d/f.part$n.mkv; "
        + "echo x >d/f.part$n.mkv.\(ending); done",
      words: ["merge", "-o", "o", "d"],
      text: "o: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
    )
  }

  /// Names that most other files have, too.
  private static let counted = [
    "film.00%d.mkv", "film_0%d.mkv", "film_%d.mkv", "chunk%d.mkv", "film (%d of 5).mkv", "x0%d.mkv",
    "img0%d.bin",
  ].flatMap { form in
    let names = numbered(form)
    let script = cut + "rm w; for n in 1 2 3 4 5; do mv f.00$n \"$(printf '\(form)' $n)\"; done; "
    return [
      Row(
        name: "\(form) as they are",
        script: script,
        words: ["merge", "-o", "o"] + names,
        text: "o: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
      ),
      Row(
        name: "\(form), one of which is cut short",
        script: script + "truncate -s 600 '\(names[1])'",
        words: ["merge", "-o", "o"] + names,
        code: 65,
        text: "has 400 bytes less than "
      ),
      Row(
        name: "\(form), one of which is empty",
        script: script + ": >'\(names[1])'",
        words: ["merge", "-o", "o"] + names,
        code: 65,
        text: "is empty, not of 1000 bytes like "
      ),
      Row(
        name: "\(form), the last of which is being downloaded",
        script: script + "mv '\(names[4])' '\(names[4]).crdownload'",
        words: ["merge", "-o", "o"] + names.dropLast(),
        code: 66,
        text: ".crdownload"
      ),
    ]
  }
}

extension ListEvidenceTests {
  /// Sets that are right, beside what has their names in it and is not about them.
  static let unrelated =
    [
      ("a list of a longer name", "$z  old-f.001' >SHA256SUMS", "f.001"),
      ("a list of another file with the whole's name in it", "$z  f.srt' >B3SUMS", "f.001"),
      ("a signature of something beside", "$z  f.nfo' >f.nfo.sha3", "f.001"),
      ("prose", "We made f.001 today.\\nThe sum of other.zip is $z' >hashes.txt", "f.001"),
      ("a list of another directory", "$z  s2/f.001' >B3SUMS; mkdir s2; cp f.001 s2", "f.001"),
      ("rubbish", "10 20 total' >f.digest", "f.001"),
    ].map { name, script, part in
      Row(
        name: "parts beside \(name)",
        script: cut + "rm w; z=$(sha256sum </dev/null | cut -c-64); printf '%s\\n' '"
          + script.replacing("$z", with: "'\"$z\"'").replacing("\\n", with: "' '"),
        words: ["merge", part],
        text: "f: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
      )
    }
    + [
      Row(
        name: "parts whose ending is that of a signature",
        script: cut + "rm w; for n in 1 2 3 4 5; do mv f.00$n f.part$n.asc; done",
        words: ["merge", "f.part1.asc"],
        text: "f.asc: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
      ),
      Row(
        name: "a hexadecimal part that may be a list",
        script:
          "seq 2000 | while read i; do echo \"$(echo $i | md5sum | cut -c-32)  f$i\"; done >l; "
          + "split -n 256 -x -a 2 l f.; rm l w",
        words: ["merge", "f.b3"],
        text: " from 256 parts, CRC-32 "
      ),
      Row(
        name: "digests that were cut",
        script:
          "seq 300 | md5sum | head -c 30 >w; split -n 3 --numeric-suffixes=1 -a 1 w hash.; rm w",
        words: ["merge", "-o", "o", "hash.1", "hash.2", "hash.3"],
        text: "o: 30 bytes from 3 parts, CRC-32 "
      ),
      Row(
        name: "a list of the whole, of a file that is there",
        script: cut + "for n in 1 2 3 4 5; do mv f.00$n img$n; done; mv w img; echo x >>img; "
          + "sha256sum img >img.sha256",
        words: ["merge", "-o", "o", "img1", "img2", "img3", "img4", "img5"],
        text: "o: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
      ),
      Row(
        name: "a table under the name of no list",
        script: cut
          + "rm w; echo 'Our film.' >README.md; for p in f.00?; do echo \"| $p | $(sha256sum <$p | cut -c-64) |\"; "
          + "done >>README.md",
        words: ["merge", "f.001"],
        text:
          "README.md: has sums of the parts or the whole, and is not called as lists are: --manifest=FILE compares with it"
      ),
      Row(
        name: "sums of 32 bits under the name of no list",
        script: cut
          + "rm w; for p in f.00?; do echo \"$p $(gzip -c <$p | tail -c 8 | od -An -tx4 -N4)\"; done "
          + "| tr -s ' ' >notes.txt",
        words: ["merge", "f.001"],
        text:
          "notes.txt: has sums of the parts or the whole, and is not called as lists are: --manifest=FILE compares with it"
      ),
      Row(
        name: "eight decimal digits for each part",
        script: cut + "rm w; for p in f.00?; do echo \"$p 20240101\"; done >notes.txt",
        words: ["merge", "--strict", "f.001"],
        text: "f: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
      ),
      Row(
        name: "the sizes of the parts",
        script: cut + "rm w; stat -c '%n 1234%s' f.00? >sizes.txt; wc f.00? >out.txt",
        words: ["merge", "--strict", "f.001"],
        text: "f: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
      ),
      Row(
        name: "a table whose line of a part that is missing has more in it",
        script: cut + "for p in f.00?; do echo \"$p: $(md5sum <$p | cut -c-32)\"; done "
          + "| sed '/f.005/s/$/ (the last one)/' >checksums.txt; rm w f.005",
        words: ["merge", "f.001"],
        code: 65,
        text: "cleave: checksums.txt: has lines that are not a digest"
      ),
      Row(
        name: "two copies with a number behind a dash, one of the last part",
        script: cut + "rm w; cp f.004 f-1.004; mv f.005 f-1.005",
        words: ["merge", "f.001"],
        code: 66,
        text: "f-1.005 may be f.005, which is not there"
      ),
      Row(
        name: "another series with a number behind a dash",
        script: cut + "rm w; for n in 1 2 3 4 5 6; do head -c 1000 /dev/zero >f-2.00$n; done",
        words: ["merge", "--strict", "f.001"],
        text: "f: 4300 bytes (4.2 KiB) from 5 parts, CRC-32 "
      ),
      Row(
        name: "a page with digests beside the parts that is not read",
        script: cut
          + "rm w; for p in f.00?; do printf '<file name=\"%s\">\\n<md5>%s</md5></file>\\n' "
          + "$p $(md5sum <$p | cut -c-32); done >f_files.xml",
        words: ["merge", "f.001"],
        text: "f_files.xml: may have sums that are not compared, and nothing else proves the parts"
      ),
      Row(
        name: "a page with the name of the next part",
        script: cut + "rm w f.005; printf '<li>%s</li>\\n' f.00? f.005.md5 f.005 >page.html",
        words: ["merge", "f.001"],
        text: "page.html: names f.005, which is not there"
      ),
      Row(
        name: "a page with a name that only begins as that of the next part",
        script: cut + "rm w; echo 'f.006.txt xf.006 f.0061' >page.html",
        words: ["merge", "f.001"],
        text: "f: 4300 bytes"
      ),
      Row(
        name: "a table whose last line was cut",
        script: cut + "rm w f.005; sha256sum f.00? | sed 's/^/# /; s/# //' >checksums.txt; "
          + "echo 'some words' >>checksums.txt; echo 5d41 >>checksums.txt",
        words: ["merge", "f.001"],
        code: 65,
        text: "cleave: checksums.txt: line 5: "
      ),
      Row(
        name: "gzip data beside a list that is not read",
        script: "gzip -n w; split -b 100 -d -a 3 w.gz w.gz.; rm w.gz; cksum w.gz.* >CKSUMS",
        words: ["merge", "w.gz.000"],
        text: ", proved by the CRC-32 and size of 1 gzip member"
      ),
      Row(
        name: "a damaged line in a list with tags",
        script: cut + "rm w; sha256sum --tag f.00? | sed '1s/.$//' >SHA256SUMS",
        words: ["merge", "f.001"],
        code: 65,
        text: "cleave: SHA256SUMS: line 1: does not have the 64 hexadecimal digits of SHA256"
      ),
      Row(
        name: "a list of what is made that is called after nothing",
        script: cut + "sha256sum <w | sed 's/-/o/' >checksums.sha256; rm w; " + damage("f.002"),
        words: ["merge", "-o", "o", "f.001"],
        code: 65,
        text: "cleave: checksums.sha256: "
      ),
      Row(
        name: "the next number as a download, beside a last part that is shorter",
        script: cut + "rm w; for n in 1 2 3 4 5; do mv f.00$n disc$n.iso; done; : >disc6.iso.aria2",
        words: [
          "merge", "-o", "o", "disc1.iso", "disc2.iso", "disc3.iso", "disc4.iso", "disc5.iso",
        ],
        code: 66,
        text: "cleave: disc6.iso.aria2: is a download of the next"
      ),
    ]

  // MARK: Lists that are not read, beside what may prove itself

  private static let gzip =
    "gzip -n w; mv w.gz w; split -n 5 -d -a 3 --numeric-suffixes=1 w f.; rm w; cksum f.00? >cksum.txt; "
  private static let zip = "mv w e; zip -q0 w e; mv w.zip w; \(cut)rm w e; cksum f.00? >cksum.txt; "
  private static let notComputed =
    "cleave: cksum.txt: has sums of cksum, which are not computed here"

  private static let proving =
    [("gzip data", gzip, "1 gzip member"), ("a zip", zip, "the CRC-32 of 1 entry")].flatMap {
      what,
      script,
      proof in
      [
        Row(
          name: "\(what) that proves itself",
          script: script,
          words: ["merge", "f.001"],
          text: proof
        ),
        Row(
          name: "\(what) that is not looked into",
          script: script,
          words: ["merge", "--verify=stream", "f.001"],
          code: 65,
          text: notComputed
        ),
        Row(
          name: "\(what) that is written before it is looked into",
          script: script,
          words: ["cat", "f.001"],
          code: 65,
          text: notComputed
        ),
        Row(
          name: "\(what) that nobody wants proved",
          script: script,
          words: ["merge", "--verify=none", "f.001"],
          text: "not verified"
        ),
      ]
    }
    + [["merge", "f.001"], ["merge", "--consume", "f.001"]].map { words in
      Row(
        name: "a zip that proves itself in part, by \(words)",
        script: zip + "printf x >>f.005; ",
        words: words,
        code: 65,
        text: notComputed
      )
    } + [
      Row(
        name: "a zip beside PAR 2.0 that has its parts",
        script: zip + "rm cksum.txt; printf 'PAR2\\0PKT f.001' >f.par2; printf x >>f.005",
        words: ["merge", "f.001"],
        text: "in part proved by the CRC-32 of 1 entry"
      ),
      Row(
        name: "one of parts that begin as wholes do, which is there twice, with a list for each",
        script:
          "printf %%PDF-1.4 | cat - w >x; rm w; split -n 5 -d -a 3 --numeric-suffixes=1 x f.pdf.; rm x; "
          + "for p in f.pdf.*; do md5sum $p >$p.md5; done; cp f.pdf.001 f.pdf.002",
        words: ["verify", "f.pdf.003"],
        code: 1,
        text: "4 right, 1 wrong"
      ),
      Row(
        name: "a split zip beside a list that is not read",
        script:
          "head -c 150000 /dev/urandom >e; rm w; zip -q0 -s 64k a.zip e; cksum a.z* >cksum.txt",
        words: ["cat", "a.zip"],
        code: 65,
        text: notComputed
      ),
      Row(
        name: "numbers in front of the file type, and a table under the name of no list",
        script: cut + "rm w; for n in 1 2 3 4 5; do mv f.00$n d.part$n.img; done; "
          + "echo '\"Algorithm\",\"Hash\",\"Path\"' >hashes.csv; for p in d.*; do "
          + "echo \"\\\"SHA256\\\",\\\"$(sha256sum <$p | cut -c-64)\\\",\\\"C:\\\\$p\\\"\"; done >>hashes.csv",
        words: ["merge", "d.part1.img"],
        text: "as in hashes.csv"
      ),
      Row(
        name: "one of parts that begin as wholes do, which is there twice",
        script:
          "printf %%PDF-1.4 | cat - w >x; rm w; split -n 5 -d -a 3 --numeric-suffixes=1 x f.pdf.; rm x; "
          + "sha256sum f.pdf.* >SHA256SUMS; cp f.pdf.001 f.pdf.002",
        words: ["verify", "f.pdf.003"],
        code: 1,
        text: "4 right, 1 wrong"
      ),
    ]
    + ["f.sfv", "f.crc", "f.crc32"].flatMap {
      beside(
        $0,
        "{ echo; echo 'CRC32             Size  Name'; echo '-------- -------------  ------------'; "
          + lines("$(crc $p)          $(stat -c %s $p)  $p") + "; }"
      )
    }

  // MARK: Parts of a list, none of which is there

  private static let absent =
    [
      ("aa to ae", "split -b 1000 w f.", "f: 5 parts are missing: f.aa to f.ae"),
      (
        "01 to 05", "split -b 1000 --numeric-suffixes=1 w f.",
        "f: 5 parts are missing: f.01 to f.05"
      ),
      (
        "8 to 12", "split -a 2 -b 1000 --numeric-suffixes=8 w f.",
        "f: 5 parts are missing: f.08 to f.12"
      ),
    ].map { name, command, text in
      Row(
        name: "a list of parts \(name), of which none is there",
        script: "\(command); sha256sum f.* >SHA256SUMS; rm w f.*",
        words: ["merge", "SHA256SUMS"],
        code: 66,
        text: text
      )
    } + [
      Row(
        name: "the list of a split zip without its first part",
        script:
          "head -c 150000 /dev/urandom >e; rm w; zip -q0 -s 64k a.zip e; sha256sum a.z* >SHA256SUMS; "
          + "rm a.z01",
        words: ["merge", "SHA256SUMS"],
        code: 66,
        text: "cleave: a.zip: 1 part is missing: a.z01\n"
      )
    ]
}
