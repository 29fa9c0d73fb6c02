import Posix
import TestSupport
import Testing

/// Manifests as people have them: written by the usual tools, and kept as they come.
@Suite(.aside, .enabled(if: Tool.cleaveHasDigests, "this cleave computes no digests"))
struct ManifestFormTests {
  private func cleave(_ series: Series, _ words: [any ToolArgument]) throws -> Outcome {
    try Tool.cleave.run(words, workingDirectory: series.directory.path)
  }

  private func shell(_ series: Series, _ script: String) throws {
    let outcome = try Tool.shell.run(["-c", script], workingDirectory: series.directory.path)
    try #require(outcome.exitCode == 0, "\(outcome)")
  }

  /// What makes the manifest of `file.001` to `file.003`, and what merge calls it.
  static let forms: [(script: String, name: String)] = [
    // One for each part.
    ("for p in file.0*; do md5sum $p >$p.md5; done", "file.001.md5 to file.003.md5"),
    ("for p in file.0*; do sha1sum --tag $p >$p.sha1; done", "file.001.sha1 to file.003.sha1"),
    ("for p in file.0*; do b2sum <$p | cut -c1-128 >$p.b2; done", "file.001.b2 to file.003.b2"),
    ("for p in file.0*; do sha512sum <$p >$p.sha512; done", "file.001.sha512 to file.003.sha512"),
    (
      "for p in file.0*; do sha256sum $p >$p.sha256sum; done",
      "file.001.sha256sum to file.003.sha256sum"
    ),
    ("for p in file.0*; do md5sum $p >$p.md5.txt; done", "file.001.md5.txt to file.003.md5.txt"),
    ("for p in file.0*; do cksfv -q $p >$p.sfv; done", "file.001.sfv to file.003.sfv"),
    (
      "for p in file.0*; do openssl dgst -sha256 $p >$p.sha256; done",
      "file.001.sha256 to file.003.sha256"
    ),
    // A digest without a name, of the whole.
    ("cat file.0* | sha1sum | cut -c1-40 | tr a-f A-F >file.sha1", "file.sha1"),
    ("cat file.0* | md5sum >file.md5", "file.md5"),
    ("cat file.0* | openssl dgst -sha256 >file.sha256", "file.sha256"),
    ("cat file.0* | openssl dgst -r -sha256 >file.sha256", "file.sha256"),
    ("cat file.0* | md5sum | cut -c1-32 | sed 's/$/\\r/' >file_md5.txt", "file_md5.txt"),
    // Names, orders and lines of other systems.
    ("sha256sum file.0* >checksums.txt", "checksums.txt"),
    ("md5sum file.0* | sort -r >MD5SUM", "MD5SUM"),
    ("sha256sum file.0* | sed 's/$/\\r/' >sha256.sum", "sha256.sum"),
    ("(printf '\\357\\273\\277'; sha1sum -b file.0*) >CHECKSUMS", "CHECKSUMS"),
    ("sha512sum ./file.0* | shuf >file.sha512.txt", "file.sha512.txt"),
    ("rhash --sha1 file.0* >hashes.txt", "hashes.txt"),
    ("rhash --sfv file.0* | sed 's/$/\\r/' >x.sfv", "x.sfv"),
    // With other files among them.
    (
      "mkdir docs; echo a >docs/a; sha256sum docs/a file.0* /dev/null >SHA256SUMS", "SHA256SUMS"
    ),
    ("d=$(basename $PWD); (cd ..; sha256sum $d/file.0*) >SHA256SUMS.txt", "SHA256SUMS.txt"),
    (
      "sha256sum file.0* | sed 's,file,C:\\\\dl\\\\file,' >o; sha1sum file.0* >o.sha1; mv o x.sha256",
      "x.sha256"
    ),
  ]

  @Test(arguments: forms.indices) func everyFormIsComparedAndADifferenceFound(index: Int) throws {
    let (script, name) = Self.forms[index]
    let series = try Series()
    try shell(series, script)
    let merge: [any ToolArgument] = ["merge", "--no-sync", "file.002"]
    let merged = try cleave(series, merge)
    #expect(merged.exitCode == 0, "\(merged)")
    // Which of several files is named is not all that matters.
    let first = name.prefix { $0 != " " }
    #expect(merged.outputText.contains(", as in \(first)"), "\(merged)")
    #expect(try Files.read(series.output) == series.whole)
    try FileSystem.unlink(series.output)
    let right = try cleave(series, ["verify", "file.003"])
    #expect(right.exitCode == 0, "\(right)")
    #expect(right.errorText == "", "\(right)")
    #expect(right.outputText.hasSuffix(" right, 0 wrong, 0 missing, 0 not checked\n"), "\(right)")
    try Files.flipByte(at: 7, of: series.parts[1])
    let wrong = try cleave(series, ["verify", "file.003"])
    #expect(wrong.exitCode == 1, "\(wrong)")
    #expect(wrong.outputText.contains(", 1 wrong, 0 missing, 0 not checked\n"), "\(wrong)")
    let refused = try cleave(series, merge)
    #expect(refused.exitCode == 65, "\(refused)")
    #expect(!(try Files.exists(series.output)))
  }

  @Test func namesThatAreNotUTF8AreRead() throws {
    let series = try Series([100, 50])
    let base = FilePath(bytes: [0x61, 0xFF, 0x20])
    for (index, part) in series.parts.enumerated() {
      try Files.copy(part, to: series.directory.file(base.adding(".00\(index + 1)")))
    }
    try shell(series, "for p in a*; do sha256sum \"$p\" >\"$p.sha256\"; done")
    let outcome = try cleave(series, ["verify", base.adding(".001")])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.hasSuffix("\n2 right, 0 wrong, 0 missing, 0 not checked\n"))
  }

  // MARK: What is not checked

  @Test func aPartWithoutItsSumsFileIsNotChecked() throws {
    let series = try Series()
    try shell(series, "for p in file.001 file.002; do md5sum $p >$p.md5; done")
    let outcome = try cleave(series, ["verify", "file.001"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.hasSuffix("\n2 right, 0 wrong, 0 missing, 1 not checked\n"))
    let names = "file.001.md5 and file.002.md5"
    #expect(outcome.errorText == "cleave: warning: file.003: is not in \(names); not checked\n")
    // What was asked about fails.
    let asked = try cleave(series, ["verify", "file.003"])
    #expect(asked.exitCode == 1, "\(asked)")
    let one = try cleave(series, ["verify", "file.001.md5"])
    #expect(one.exitCode == 0, "\(one)")
    #expect(one.outputText == outcome.outputText)
    try FileSystem.unlink(series.directory.file("file.001.md5"))
    let alone = try cleave(series, ["verify", "file.002.md5"])
    #expect(alone.exitCode == 0, "\(alone)")
    #expect(alone.outputText == "file.002: OK\n1 right, 0 wrong, 0 missing, 2 not checked\n")
    try shell(series, "md5sum file.001 >file.001.md5")
    let json = try JSON(try cleave(series, ["verify", "--json", "file.001"]))
    #expect(json.member("summary")?.number("notChecked") == 1)
    #expect(json.list("files").last?.text("status") == "not checked")
    // Nobody is told that all of it is as in a manifest.
    let merged = try cleave(series, ["merge", "--no-sync", "file.001"])
    #expect(merged.outputText.hasSuffix(", in part as in \(names)\n"), "\(merged)")
    let report = try JSON(cleave(series, ["merge", "--no-sync", "-f", "--json", "file.001"]))
    #expect(report.flag("verified") == false)
    #expect(report.list("proof").map { $0.flag("complete") } == [false])
  }

  @Test(arguments: [["big.ah.md5"], ["big.ab"], ["."], ["big.ah.md5", "big.ab.md5"]])
  func sumsFilesForEachPartAreReadTogetherWhicheverIsNamed(operands: [String]) throws {
    let series = try Series()
    // `ab` can be read as hexadecimal digits, and `ah` cannot.
    try shell(series, "split -b 300 file.001 big.; rm file*")
    try shell(series, "for p in big.a?; do md5sum $p >$p.md5; done; rm big.ae")
    let outcome = try cleave(series, ["verify"] + operands)
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText == "cleave: big.ae: missing\n")
    let right = "abcdfghij".map { "big.a\($0): OK\n" }.joined()
    #expect(outcome.outputText == right + "9 right, 0 wrong, 1 missing, 0 not checked\n")
  }

  @Test func everyManifestOfADirectoryIsNamed() throws {
    let series = try Series()
    // Not there.
    let outside = "../\(series.directory.path.lastComponent).x"
    try shell(series, "cksfv -q file.0* >a.sfv; sha256sum file.001 >SHA256SUMS")
    try shell(series, "echo \"$(printf %064d 0)  \(outside)\" >>SHA256SUMS; cp file.003 file.004")
    try Files.flipByte(at: 7, of: series.parts[0])
    try FileSystem.unlink(series.parts[1])
    let outcome = try cleave(series, ["verify", "."])
    #expect(outcome.exitCode == 1, "\(outcome)")
    let lines = outcome.outputText.split(separator: "\n").suffix(3)
    let wanted = [
      "SHA256SUMS: 0 right, 1 wrong, 0 missing, 2 not checked",
      "a.sfv: 1 right, 1 wrong, 1 missing, 0 not checked",
      "1 right, 2 wrong, 1 missing, 2 not checked",
    ]
    #expect(lines.map(String.init) == wanted, "\(outcome)")
    #expect(outcome.errorText.contains("SHA256SUMS: 1 line names a file outside of its directory"))
    #expect(outcome.errorText.contains("cleave: file.002: missing\n"))
    #expect(outcome.errorText.contains("file.004: is not in SHA256SUMS; not checked\n"))
  }

  @Test func aListIsFollowedBelowItsDirectoryAndNoFurther() throws {
    let series = try Series()
    try shell(
      series,
      "mkdir -p in/dist; mv file.0* in/dist; echo x >out; cd in; sha256sum dist/* ../out $PWD/../out >SHA256SUMS"
    )
    try FileSystem.unlink(series.directory.file("out"))
    let outcome = try cleave(series, ["verify", "in/SHA256SUMS"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.hasPrefix("in/dist/file.001: OK\n"), "\(outcome)")
    #expect(outcome.outputText.hasSuffix("\n3 right, 0 wrong, 0 missing, 2 not checked\n"))
    let merged = try cleave(
      series,
      ["merge", "--no-sync", "-o", "x", "--manifest=in/SHA256SUMS", "in/dist/file.001"]
    )
    #expect(merged.outputText.hasSuffix(", as in in/SHA256SUMS\n"), "\(merged)")
  }

  @Test func aListOfPartsBelowItsDirectoryStandsForThem() throws {
    let series = try Series()
    try shell(series, "mkdir d; mv file.0* d; md5sum d/file.0* >file.md5")
    let merged = try cleave(series, ["merge", "--no-sync", "file.md5"])
    #expect(merged.exitCode == 0, "\(merged)")
    #expect(merged.outputText.hasSuffix(", as in file.md5\n"), "\(merged)")
    #expect(try Files.read(series.directory.file("d/file")) == series.whole)
    let info = try cleave(series, ["info", "file.md5"])
    #expect(info.outputText.hasPrefix("d/file: series of 3 parts\n"), "\(info)")
  }

  @Test(arguments: [("merge", 66), ("verify", 65)] as [(String, CInt)])
  func aListOfAbsoluteNamesIsSaidToBe(command: String, code: CInt) throws {
    let series = try Series()
    try shell(series, "md5sum file.0* | sed 's,file,/nowhere/gone,' >MD5SUMS")
    let outcome = try cleave(series, [command, "MD5SUMS"])
    #expect(outcome.exitCode == code, "\(outcome)")
    let line =
      "every name in it leads out of its directory, and is not followed: put it beside the files that it tells of"
    #expect(outcome.errorText == "cleave: MD5SUMS: \(line)\n", "\(outcome)")
  }

  @Test(arguments: ["$PWD/in/dist/", "../in/dist/", "./x/../../in/dist/"])
  func namesThatLeadIntoItsDirectoryAreFollowed(start: String) throws {
    let series = try Series()
    try shell(
      series,
      "mkdir -p in/dist; mv file.0* in/dist; cd in/dist; "
        + "sha256sum file.0* | (cd ../..; sed \"s,  ,  \(start),\") >../SHA256SUMS"
    )
    let right = try cleave(series, ["verify", "in/SHA256SUMS"])
    #expect(right.exitCode == 0, "\(right)")
    #expect(right.outputText.hasSuffix("3 right, 0 wrong, 0 missing, 0 not checked\n"), "\(right)")
    try shell(series, "rm in/dist/file.002")
    let lacking = try cleave(series, ["verify", "in/SHA256SUMS"])
    #expect(lacking.exitCode == 66, "\(lacking)")
  }

  @Test func aPartCalledLikeAManifestIsAPart() throws {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 200_000), to: directory.file("h"))
    let script = "split -x -b 1000 h h. && sha256sum h.?? >h.sha256 && rm h"
    let made = try Tool.shell.run(["-c", script], workingDirectory: directory.path)
    try #require(made.exitCode == 0, "\(made)")
    for operand in ["h.00", "h.b2", "."] {
      let merged = try Tool.cleave.run(
        ["merge", "--no-sync", "-f", "-o", "x", operand],
        workingDirectory: directory.path
      )
      #expect(merged.exitCode == 0, "\(operand): \(merged)")
      #expect(merged.outputText.contains("from 200 parts"), "\(merged)")
      #expect(try Files.read(directory.file("x")) == Bytes.pattern(count: 200_000))
      try FileSystem.unlink(directory.file("x"))
    }
    let verify = try Tool.cleave.run(["verify", "h.b2"], workingDirectory: directory.path)
    #expect(verify.outputText.hasSuffix("\n200 right, 0 wrong, 0 missing, 0 not checked\n"))
  }

  // MARK: Written

  @Test(arguments: ["x ", " x", ";x", "#x", "x\ny", "*x"] as [FilePath])
  func aNameThatNoSFVFileHoldsHasASumsFile(name: FilePath) throws {
    let directory = try TemporaryDirectory()
    let bytes = Bytes.pattern(count: 2500)
    try Files.write(bytes, to: directory.file(name))
    let run = { (words: [any ToolArgument]) in
      try Tool.cleave.run(words, workingDirectory: directory.path)
    }
    let operand = FilePath("./").appending(name)
    let split = try run(["split", "--no-sync", "-b", "1000", operand])
    #expect(split.exitCode == 0, "\(split)")
    #expect(
      split.errorText.contains("an SFV file cannot hold this name; its sums go to "),
      "\(split)"
    )
    #expect(try Files.exists(directory.file(name.adding(".sha256"))))
    #expect(!(try Files.exists(directory.file(name.adding(".sfv")))))
    try FileSystem.unlink(directory.file(name))
    let merge = try run(["merge", "--no-sync", operand.adding(".001")])
    #expect(merge.exitCode == 0 && merge.outputText.contains(", as in "), "\(merge)")
    #expect(try Files.read(directory.file(name)) == bytes)
    let sfv = try run(["split", "-f", "-b", "1000", "--manifest=m.sfv", operand])
    #expect(sfv.exitCode == 64, "\(sfv)")
    #expect(sfv.errorText.contains("--manifest=none writes no manifest"), "\(sfv)")
  }

  @Test func aManifestThatWouldContradictTheNewPartsIsNamed() throws {
    let series = try Series()
    try Files.write(series.whole, to: series.output)
    for (script, name) in [
      ("sha256sum file.0* >file.sha256", "file.sha256"), ("md5sum file.0* >MD5SUMS", "MD5SUMS"),
      ("md5sum file.001 >file.001.md5", "file.001.md5"),
    ] {
      try shell(series, script)
      let before = try series.contents()
      let outcome = try cleave(series, ["split", "-f", "-b", "2000", "file"])
      #expect(outcome.exitCode == 73, "\(outcome)")
      #expect(
        outcome.errorText.hasPrefix("cleave: \(name): lists parts of the same names"),
        "\(outcome)"
      )
      #expect(try series.contents().changes(since: before) == [])
      try FileSystem.unlink(series.directory.file(FilePath(name)))
    }
    // A sum of the whole alone stays true.
    try shell(series, "md5sum file >file.md5")
    try Files.write(
      Array("filename=file\nsize=7500\ncrc32=0\n".utf8),
      to: series.directory.file("file.crc")
    )
    let wrong = try cleave(series, ["split", "-f", "-b", "2000", "file"])
    #expect(wrong.exitCode == 73, "\(wrong)")
    #expect(
      wrong.errorText.hasPrefix("cleave: file.crc: tells of another file called file: "),
      "\(wrong)"
    )
    try FileSystem.unlink(series.directory.file("file.crc"))
    #expect(try cleave(series, ["split", "-f", "-b", "2000", "file"]).exitCode == 0)
  }

  /// Nobody shall believe that it was compared, though its name alone makes it no manifest.
  @Test(arguments: ["f.bin.002 is bad, too", "\(String(repeating: "0", count: 32))  f.bin.002"])
  func aListWithAWrongLineIsToldOf(line: String) throws {
    let directory = try TemporaryDirectory()
    for number in 1...3 {
      try Files.write(
        Bytes.pattern(count: 1000 / number),
        to: directory.file(FilePath("f.bin.00\(number)"))
      )
    }
    func run(_ words: String) throws -> Outcome {
      try Tool.shell.run(["-c", words], workingDirectory: directory.path)
    }
    _ = try run("md5sum f.bin.00? >checksums.txt; echo '\(line)' >>checksums.txt")
    let merge = "\(Tool.cleave.path) merge --no-sync f.bin.001"
    let refused = try run(merge)
    #expect(refused.exitCode == 65, "\(refused)")
    #expect(refused.errorText.contains("checksums.txt: line 4"), "\(refused)")
    #expect(refused.errorText.contains("; --manifest=none does without it"), "\(refused)")
    #expect(try run("\(merge) --manifest=none").exitCode == 0)
    // What only speaks of files is no list.
    try Files.write(Array("f.bin.002 is bad\n".utf8), to: directory.file("checksums.txt"))
    let merged = try run("rm f.bin; \(merge)")
    #expect(merged.exitCode == 0, "\(merged)")
  }

  /// Lists of other tools know the parts whatever they are called: a wrong one is found, and a missing one.
  @Test(
    arguments: [
      "f.img.a?", "f.img.aa?", "f.part?.zip", "f.zip.part?", "f.zip.a?", "f.zip-0?", "f.zip.0?",
      "f (? of 4).zip", "f.img.part?",
    ],
    [
      "sha256sum * >SHA256SUMS", "md5sum * >$w.md5", "cksfv -q * >$w.sfv",
      "md5sum * >checksums.txt",
    ]
  )
  func aListKnowsPartsOfAnyName(form: String, list: String) throws {
    let directory = try TemporaryDirectory()
    func run(_ words: String) throws -> Outcome {
      try Tool.shell.run(["-c", words], workingDirectory: directory.path)
    }
    let isZip = form.contains("zip")
    try Files.write(Bytes.pattern(count: 3500), to: directory.file("content"))
    if isZip { _ = try run("zip -q0 whole content") } else { _ = try run("mv content whole.zip") }
    let whole = try Files.read(directory.file("whole.zip"))
    _ = try run("rm -f content whole.zip")
    let letters = form.contains(".a?") || form.contains(".aa?")
    let signs =
      letters
      ? ["a", "b", "c", "d"] : form.contains("0?") ? ["0", "1", "2", "3"] : ["1", "2", "3", "4"]
    var names: [FilePath] = []
    for (index, part) in whole.cut(to: 1000).enumerated() {
      names.append(FilePath(form.replacing("?", with: signs[index])))
      try Files.write(part, to: directory.file(names[index]))
    }
    try #require(names.count == 4)
    let made = try run("w=\(isZip ? "f.zip" : "f.img"); \(list)")
    try #require(made.exitCode == 0, "\(made)")
    let merge: [any ToolArgument] = ["merge", "--no-sync", "-f", "-o", "out", names[0]]
    func merged() throws -> Outcome {
      try Tool.cleave.run(merge, workingDirectory: directory.path)
    }
    let right = try merged()
    #expect(right.exitCode == 0, "\(right)")
    #expect(right.outputText.contains("as in "), "\(right)")
    #expect(try Files.read(directory.file("out")) == whole)
    try FileSystem.unlink(directory.file("out"))
    // The time of the first entry, which its CRC-32 knows nothing of.
    try Files.flipByte(at: 11, of: directory.file(names[0]))
    let wrong = try merged()
    #expect(wrong.exitCode == 65, "\(wrong)")
    try Files.flipByte(at: 11, of: directory.file(names[0]))
    try FileSystem.unlink(directory.file(names[3]))
    let missing = try merged()
    #expect([65, 66].contains(missing.exitCode), "\(missing)")
    #expect(try !Files.exists(directory.file("out")))
  }

  /// A number in the name of the whole is not taken for that of the part, where the list knows better.
  @Test(arguments: ["chunk00", "part00"]) func aListTellsWhichNumberCounts(ending: String) throws {
    let directory = try TemporaryDirectory()
    func run(_ words: String) throws -> Outcome {
      try Tool.shell.run(["-c", words], workingDirectory: directory.path)
    }
    for number in 0...1 {
      let name = FilePath("disk.part1.img.\(ending)\(number)")
      try Files.write(Bytes.pattern(count: 1000 - number), to: directory.file(name))
    }
    _ = try run("sha256sum disk* >disk.part1.img.sha256; rm disk.part1.img.\(ending)0")
    let merge = "\(Tool.cleave.path) merge --no-sync disk.part1.img.\(ending)1"
    let outcome = try run(merge)
    #expect([65, 66].contains(outcome.exitCode), "\(outcome)")
    #expect(outcome.errorText.contains("disk.part1.img.\(ending)0"), "\(outcome)")
    #expect(try directory.names().count == 2)
  }
}
