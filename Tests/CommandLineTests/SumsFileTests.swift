import Posix
import TestSupport
import Testing

/// Sums files: written for other tools, and read from them.
@Suite(.aside, .enabled(if: Tool.cleaveHasDigests, "this cleave computes no digests"))
struct SumsFileTests {
  static let kinds = ["md5", "sha1", "sha256", "sha512", "b2"]
  private static let all = kinds.joined(separator: ",")

  /// Splits the series' whole once more beside its parts.
  private func split(_ series: Series, _ options: [any ToolArgument]) throws -> Outcome {
    try Files.write(series.whole, to: series.output)
    let words: [any ToolArgument] = ["split", "-f", "-b", "3000", "file"]
    let outcome = try cleave(series, words + options)
    try FileSystem.unlink(series.output)
    return outcome
  }

  private func cleave(_ series: Series, _ words: [any ToolArgument]) throws -> Outcome {
    try Tool.cleave.run(words, workingDirectory: series.directory.path)
  }

  // MARK: Written

  @Test(arguments: kinds) func otherToolsCheckWhatIsWritten(kind: String) throws {
    let series = try Series()
    #expect(try split(series, ["--checksum", kind]).exitCode == 0)
    #expect(!(try Files.exists(series.manifest)))
    for (name, words) in [("\(kind)sum", ["-c", "--strict"]), ("rhash", ["-c"])] {
      // RHash has no BLAKE2b in files of that ending before 1.4.4.
      guard let tool = Tool.find(FilePath(name)), name != "rhash" || kind != "b2" else {
        print("not checked by \(name): \(kind)")
        continue
      }
      let check = words + ["file.\(kind)"]
      let directory = series.directory.path
      #expect(try tool.run(check, workingDirectory: directory).exitCode == 0)
      try Files.flipByte(at: 7, of: series.parts[1])
      #expect(try tool.run(check, workingDirectory: directory).exitCode == 1)
      try Files.flipByte(at: 7, of: series.parts[1])
    }
  }

  @Test func theWholeStandsInComments() throws {
    let series = try Series()
    let outcome = try split(series, ["--checksum", "crc32,sha256"])
    let tool = try #require(Tool.find("sha256sum"))
    let sums = try tool.run(
      ["-b", "--"] + series.parts.map(\.lastComponent),
      workingDirectory: series.directory.path
    )
    let whole = try tool.run([], input: .bytes(series.whole)).outputText.prefix(64)
    let text = try Files.text(series.directory.file("file.sha256"))
    let lines = text.split(separator: "\n")
    #expect(lines.dropFirst().prefix(3) == ["# name: file", "# size: 7500", "# sha256: \(whole)"])
    #expect(
      lines.dropFirst(4).joined(separator: "\n") + "\n"
        == sums.outputText.replacing(" *", with: "  ")
    )
    #expect(outcome.outputText.contains(", manifests file.sfv, file.sha256\n"), "\(outcome)")
    #expect(outcome.outputText.hasSuffix("\nSHA256 (file) = \(whole)\n"), "\(outcome)")
  }

  @Test func totalCommandersFileIsWritten() throws {
    let series = try Series()
    #expect(try split(series, ["--manifest=file.crc"]).exitCode == 0)
    let text = try Files.text(series.directory.file("file.crc"))
    #expect(text.hasPrefix("filename=file\r\nsize=7500\r\ncrc32="))
    let verified = try cleave(series, ["verify", "file.crc"]).outputText
    #expect(verified == "the parts of file: OK\n1 right, 0 wrong, 0 missing, 0 not checked\n")
  }

  @Test(
    arguments: [
      (["--checksum=sha256", "--manifest=x.md5"], "--manifest=FILE has the sums that its ending "),
      (["--checksum=md4"], "--checksum: 'md4' is not one of crc32, adler32, md5, sha1, "),
      (["--checksum=md5,md5"], "--checksum: 'md5' is there twice"),
      (
        ["--checksum=md5", "--consume"], "--consume frees bytes before all of them have been hashed"
      ),
      (["--checksum=md5", "--block=1K"], "--block is for SFV files"),
    ]
  )
  func contradictionsAreUsageErrors(options: [String], line: String) throws {
    let series = try Series()
    let outcome = try split(series, options)
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("cleave: \(line)"), "\(outcome)")
  }

  // MARK: Read

  /// What makes a manifest of the parts, and its name.
  static let makers = [
    ("sha256sum file.0* >file.sha256", "file.sha256"), ("md5sum -b file.0* >MD5SUMS", "MD5SUMS"),
    ("sha1sum --tag file.0* >file.sha1sum", "file.sha1sum"),
    ("b2sum --tag ./file.0* >any.b2", "any.b2"),
    ("sha512sum ./file.0* >SHA512SUMS.txt", "SHA512SUMS.txt"),
    ("cat file.0* | md5sum | sed s/-/file/ >file.md5", "file.md5"),
    ("rhash --bsd --md5 --sha256 file.0* >x.md5", "x.md5"),
    ("openssl dgst -sha256 file.0* >FILE.SHA256", "FILE.SHA256"),
    ("cksfv file.0* >file.sfv", "file.sfv"),
    (
      "printf 'filename=C:\\\\x\\\\file\\nsize=7500\\ncrc32=' >file.crc; cat file.0* | gzip -1 | tail -c8 | "
        + "od -An -N4 -tx4 | tr -d ' ' >>file.crc", "file.crc"
    ),
  ]

  @Test(arguments: makers.indices, ["merge", "verify", "verify MANIFEST"])
  func whatOtherToolsWriteIsCompared(index: Int, command: String) throws {
    let (script, name) = Self.makers[index]
    let series = try Series()
    let made = try Tool.shell.run(["-c", script], workingDirectory: series.directory.path)
    guard made.exitCode == 0,
      Tool.find(FilePath(script.prefix { $0 != " " }.description)) != nil
        || script.hasPrefix("printf")
    else {
      print("skipped: \(made)")
      return
    }
    let words: [any ToolArgument] =
      switch command {
      case "merge": ["merge", "--no-sync", "file.002"]
      case "verify": ["verify", "file.002"]
      default: ["verify", name]
      }
    let right = try cleave(series, words)
    #expect(right.exitCode == 0, "\(right)")
    if command == "merge" {
      #expect(right.outputText.hasSuffix(", as in \(name)\n"), "\(right)")
      #expect(try Files.read(series.output) == series.whole)
      try FileSystem.unlink(series.output)
    }
    try Files.flipByte(at: 7, of: series.parts[1])
    let wrong = try cleave(series, words)
    #expect(wrong.exitCode == (command == "merge" ? 65 : 1), "\(wrong)")
    #expect(wrong.errorText.split(separator: "\n").count == 1, "\(wrong)")
    #expect(!(try Files.exists(series.output)))
  }

  @Test func namesWithEscapesAreRead() throws {
    let series = try Series([100, 50])
    let base = FilePath("a\\b\nc")
    for (index, part) in series.parts.enumerated() {
      try Files.copy(part, to: series.directory.file(base.adding(".00\(index + 1)")))
    }
    for tag in ["", "--tag "] {
      let script = "sha256sum \(tag)a*.0* >SHA256SUMS"
      _ = try Tool.shell.run(["-c", script], workingDirectory: series.directory.path)
      let outcome = try cleave(series, ["merge", "-f", "--no-sync", base.adding(".001")])
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.outputText.hasSuffix(", as in SHA256SUMS\n"), "\(outcome)")
    }
    #expect(try cleave(series, ["verify", "SHA256SUMS"]).exitCode == 0)
    try FileSystem.unlink(series.directory.file("SHA256SUMS"))
    let split = try cleave(series, ["split", "-fq", "-b", "100", "--checksum=md5", base])
    #expect(split.exitCode == 0, "\(split)")
    let name = base.adding(".md5")
    let check = try #require(Tool.find("md5sum")).run(
      ["-c", "--strict", name],
      workingDirectory: series.directory.path
    )
    #expect(check.exitCode == 0, "\(check)")
  }

  @Test func rclonesMetadataIsRead() throws {
    let series = try Series()
    for (index, part) in series.parts.enumerated() {
      try Files.copy(part, to: series.output.adding(".rclone_chunk.00\(index + 1)"))
      try FileSystem.unlink(part)
    }
    let md5 = try #require(Tool.find("md5sum")).run([], input: .bytes(series.whole)).outputText
    let text = "{\"ver\":1,\"size\":7500,\"nchunks\":3,\"md5\":\"\(md5.prefix(32))\"}"
    try Files.write(Array(text.utf8), to: series.output)
    let part = FilePath("file.rclone_chunk.002")
    for operand in [part, "file"] as [FilePath] {
      let verified = try cleave(series, ["verify", operand]).outputText
      #expect(verified == "file: OK\n1 right, 0 wrong, 0 missing, 0 not checked\n")
    }
    let unnamed = try cleave(series, ["merge", part])
    #expect(unnamed.exitCode == 64)
    #expect(unnamed.errorText.contains("file: has the name of the whole, and tells of its parts"))
    let merged = try cleave(series, ["merge", "--no-sync", "-o", "x", part])
    #expect(merged.outputText.hasSuffix(", as in file\n"), "\(merged)")
    try Files.flipByte(at: 0, of: series.directory.file(part))
    #expect(try cleave(series, ["verify", "file"]).exitCode == 1)
    #expect(try cleave(series, ["merge", "-o", "y", part]).exitCode == 65)
  }

  // MARK: Computed

  @Test(arguments: engines, [[3000, 3000, 1500], [1, 0, 70_000, 0], [0, 0]])
  func everyEngineTellsWhatCoreutilsSay(engine: String, sizes: [Int]) throws {
    let series = try Series(sizes)
    let options = ["--engine", engine, "--last=\(sizes.count)", "--checksum", Self.all]
    let words = ["merge", "--no-sync"] + options + ["file.001"]
    let outcome = try cleave(series, words)
    #expect(outcome.exitCode == 0, "\(outcome)")
    let wanted = try Self.kinds.compactMap { kind in
      try Tool.find(FilePath("\(kind)sum"))?.run(
        ["--tag", "file"],
        workingDirectory: series.directory.path
      ).outputText
    }
    #expect(
      outcome.outputText.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
        == wanted.joined()
    )
    // Every part by its own digest, and the whole.
    try FileSystem.unlink(series.output)
    _ = try Tool.shell.run(
      ["-c", "sha256sum file.0* >file.sha256"],
      workingDirectory: series.directory.path
    )
    let again = try cleave(series, ["merge", "--no-sync", "--engine", engine, "file.001"])
    #expect(again.outputText.hasSuffix(", as in file.sha256\n"), "\(again)")
  }

  @Test func ofSumsFilesForEachPartTheRightOneIsNamed() throws {
    let series = try Series()
    let script = "for part in file.0*; do md5sum $part >$part.md5; done"
    _ = try Tool.shell.run(["-ec", script], workingDirectory: series.directory.path)
    try Files.flipByte(at: 7, of: series.parts[2])
    let last = try cleave(series, ["merge", "--no-sync", "file.001"])
    #expect(last.exitCode == 65, "\(last)")
    #expect(last.errorText.hasPrefix("cleave: file.003.md5: file.003 has MD5 "), "\(last)")
    try Files.flipByte(at: 7, of: series.parts[1])
    let both = try cleave(series, ["merge", "--no-sync", "file.001"])
    #expect(both.errorText.hasPrefix("cleave: file.002.md5: file.002 has MD5 "), "\(both)")
    #expect(both.errorText.contains("; file.003 has MD5 "), "\(both)")
    #expect(both.errorText.contains(" in file.003.md5; --manifest=none"), "\(both)")
  }

  /// Total Commander leaves out the end of the name, which its manifest has.
  @Test func theWholeIsCalledAsItsManifestSays() throws {
    let series = try Series()
    let text = "filename=file.mkv\r\nsize=7500\r\ncrc32=12345678\r\n"
    try Files.write(Array(text.utf8), to: series.directory.file("file.crc"))
    for operand in ["file.crc", "file.002"] {
      let outcome = try cleave(series, ["verify", operand])
      let start = "cleave: the parts of file.mkv make CRC-32 "
      #expect(outcome.errorText.hasPrefix(start), "\(outcome)")
    }
    let merged = try cleave(series, ["merge", "--no-sync", "file.001"])
    #expect(merged.errorText.hasPrefix("cleave: file.crc: file.mkv has CRC-32 "), "\(merged)")
  }

  @Test func streamsAreHashedAsTheyPass() throws {
    let series = try Series()
    let split = try Tool.cleave.run(
      ["split", "-b", "3000", "--checksum=sha256", "-", "s"],
      input: .bytes(series.whole),
      workingDirectory: series.directory.path
    )
    #expect(split.exitCode == 0, "\(split)")
    let check = try #require(Tool.find("sha256sum")).run(
      ["-c", "--strict", "s.sha256"],
      workingDirectory: series.directory.path
    )
    #expect(check.exitCode == 0, "\(check)")
    let words: [any ToolArgument] = [
      "merge", "-o", "x", "--manifest=s.sha256", "s.001", "-", "s.003",
    ]
    for (bytes, code) in [(3000..<6000, 0), (3001..<6001, 65)] as [(Range<Int>, CInt)] {
      let outcome = try Tool.cleave.run(
        words + ["-f"],
        input: .bytes(Array(series.whole[bytes])),
        workingDirectory: series.directory.path
      )
      #expect(outcome.exitCode == code, "\(outcome)")
    }
    #expect(try Files.read(series.directory.file("x")) == series.whole)
  }

  @Test func aSplitZipIsCheckedPartForPartAndAsAWhole() throws {
    let directory = try TemporaryDirectory()
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.entries.append(ZipEntry("large", Bytes.pattern(count: 100_000)))
    try Files.write(writer.single(), to: directory.file("a.zip"))
    let split = try Tool.cleave.run(
      ["split", "--format=zip", "-b", "64K", "--checksum=sha256", "a.zip", "b"],
      workingDirectory: directory.path
    )
    #expect(split.exitCode == 0, "\(split)")
    let merge = ["merge", "--checksum=sha256", "b.z01"]
    let outcome = try Tool.cleave.run(merge, workingDirectory: directory.path)
    #expect(outcome.outputText.contains(", as in b.zip.sha256\n"), "\(outcome)")
    #expect(try Files.read(directory.file("b.merged.zip")) == writer.single())
    let lines = try Files.text(directory.file("b.zip.sha256")).split(separator: "\n")
    let whole = try #require(lines.first { $0.hasPrefix("# sha256: ") }).dropFirst(10)
    #expect(outcome.outputText.hasSuffix("SHA256 (b.merged.zip) = \(whole)\n"), "\(outcome)")
  }

  @Test func aJobThatIsGoneOnWithIsHashedFromTheStart() throws {
    let series = try Series([180_000, 180_000, 10_002])
    _ = try Tool.shell.run(
      ["-c", "sha1sum file.0* >file.sha1"],
      workingDirectory: series.directory.path
    )
    let words = ["merge", "--resume", "--checkpoint=100K", "--checksum=b2", "file.001"]
    if FaultShim.isAvailable {
      let killed = try Tool.cleave.run(
        words,
        environment: FaultShim.environment("fsync@.cleave-journal#4=kill"),
        workingDirectory: series.directory.path
      )
      #expect(killed.exitCode != 0, "\(killed)")
    }
    let outcome = try cleave(series, words)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.contains(", as in file.sha1\n"), "\(outcome)")
    let wanted = try Tool.find("b2sum")?.run(
      ["--tag", "file"],
      workingDirectory: series.directory.path
    ).outputText
    if let wanted { #expect(outcome.outputText.hasSuffix(wanted), "\(outcome)") }
  }

  @Test func consumingIsRefusedWhereAllBytesAreNeeded() throws {
    let series = try Series()
    _ = try Tool.shell.run(
      ["-c", "md5sum file.0* >file.md5"],
      workingDirectory: series.directory.path
    )
    let before = try series.contents()
    let outcome = try cleave(series, ["merge", "--consume", "file.001"])
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.contains("as file.md5 needs"), "\(outcome)")
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aReadThatFailsOnlyForTheDigestsEndsTheJob() throws {
    let series = try Series()
    _ = try Tool.shell.run(
      ["-c", "md5sum file.0* >file.md5"],
      workingDirectory: series.directory.path
    )
    // The engine has read each part once by then, and the digests have not begun with the third.
    let outcome = try Tool.cleave.run(
      ["merge", "--engine=serial", "file.001"],
      environment: FaultShim.environment("read@/file.003#2+=EIO"),
      workingDirectory: series.directory.path
    )
    #expect(outcome.exitCode == 74, "\(outcome)")
    #expect(!(try Files.exists(series.output)))
  }

  #if os(Linux)
    @Test(
      "where libcrypto cannot be loaded, what needs it is refused, and the rest works",
      arguments: [
        "split -f -b 3000 --checksum=sha256 file": 64,
        "split -f -b 3000 --manifest=x.md5 file": 64,
        "verify file.md5": 64,
        "split -f -b 3000 file other": 0,
      ]
    )
    func aMissingLibraryIsNamed(line: String, code: CInt) throws {
      let series = try Series()
      try Files.write(series.whole, to: series.output)
      _ = try Tool.shell.run(
        [
          "-c",
          "md5sum file.0* >file.md5; mkdir none; >none/libcrypto.so.3; >none/libcrypto.so.1.1",
        ],
        workingDirectory: series.directory.path
      )
      let outcome = try Tool.cleave.run(
        line.split(separator: " ").map(String.init),
        environment: ["LD_LIBRARY_PATH": "\(series.directory.path)/none"],
        workingDirectory: series.directory.path
      )
      #expect(outcome.exitCode == code, "\(outcome)")
      let isNamed = outcome.errorText.contains(
        "needs OpenSSL's libcrypto, which cannot be loaded here"
      )
      #expect(isNamed == (code != 0), "\(outcome)")
    }
  #endif
}
