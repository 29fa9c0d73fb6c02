import Posix
import TestSupport
import Testing

/// `split -n r/N`, and what takes the records of its parts back in turn.
@Suite(.aside) struct DealtTests {
  private let directory: TemporaryDirectory
  private let bytes: [UInt8]
  private var file: FilePath { directory.file("f") }
  private var whole: FilePath { directory.file("whole") }

  init() throws {
    directory = try TemporaryDirectory()
    bytes = (0..<900).flatMap { Array("\($0),\(String(repeating: "x", count: $0 % 40))\n".utf8) }
    try Files.write(bytes, to: file)
  }

  private func run(
    _ words: [FilePath],
    input: ToolInput = .null,
    limits: ToolLimits = ToolLimits()
  ) throws -> Outcome {
    try Tool.cleave.run(words, input: input, limits: limits, workingDirectory: directory.path)
  }

  /// Every line of which the number is so much more than a multiple.
  private func lines(_ part: Int, of count: Int) -> [UInt8] {
    let lines = bytes.split(separator: 10)
    return stride(from: part, to: lines.count, by: count).flatMap { lines[$0] + [10] }
  }

  @Test func aFileAndAStreamAreDealtOutAlike() throws {
    for input in ["f", "-"] as [FilePath] {
      let outcome = try run(["split", "-n", "r/4", input, "p."], input: .file(file))
      #expect(outcome.exitCode == 0, "\(outcome)")
      let told = "\(input == "-" ? "standard input" : "f"): \(bytes.count) bytes"
      #expect(outcome.outputText.hasPrefix(told), "\(outcome)")
      #expect(outcome.outputText.contains(" in p.001 to p.004, CRC-32 "), "\(outcome)")
      #expect(outcome.outputText.hasSuffix(", manifest p.sfv\n"), "\(outcome)")
      for part in 0..<4 {
        let name = directory.file(FilePath("p.00\(part + 1)"))
        #expect(try Files.read(name) == lines(part, of: 4))
        try? FileSystem.unlink(name)
      }
      try FileSystem.unlink(directory.file("p.sfv"))
    }
  }

  /// Names that are taken for no series, all of them named.
  @Test func aManifestOfAnotherNameTellsHowNamedPartsWereDealt() throws {
    let split = ["split", "-qn", "r/3", "--additional-suffix=.csv", "--manifest=sums.sfv", "f"]
    #expect(try run(split.map { FilePath($0) }).exitCode == 0)
    let parts = ["f.001.csv", "f.002.csv", "f.003.csv"] as [FilePath]
    let merged = try run(["merge", "-o", "whole"] + parts)
    #expect(merged.outputText.hasSuffix(", as in sums.sfv\n"), "\(merged)")
    #expect(try Files.read(whole) == bytes)
    let some = try run(["merge", "-fo", "whole"] + parts.prefix(2))
    let text = "cleave: sums.sfv: has parts that are not given: f.003.csv\n"
    #expect(some.exitCode == 66 && some.errorText == text, "\(some)")
  }

  /// How parts are put together is one question, and what they are compared with another.
  @Test func recordsAreTakenInTurnWhateverIsComparedWith() throws {
    #expect(try run(["split", "-qn", "r/3", "f", "p."]).exitCode == 0)
    let sums = try Tool.shell.run(
      ["-c", "md5sum p.00? > all.md5"],
      workingDirectory: directory.path
    )
    try #require(sums.exitCode == 0, "\(sums)")
    // Also where split's own list has another name.
    for name in ["p.sfv", "p.sha256"] as [FilePath] {
      if name == "p.sha256" {
        // Of what is there by then.
        let sums = try Files.read(directory.file("all.md5"))
        for list in ["p.sfv", "all.md5"] as [FilePath] {
          try FileSystem.unlink(directory.file(list))
        }
        defer { try? Files.write(sums, to: directory.file("all.md5")) }
        let split = ["split", "-fqn", "r/3", "--manifest=p.sha256", "f", "p."]
        let again = try run(split.map { FilePath($0) })
        #expect(again.exitCode == 0, "\(again)")
      }
      for words in [["all.md5"], ["--manifest=all.md5", "p.002"], ["--manifest=none", "p.001"]] {
        let merged = try run((["merge", "-fo", "whole"] + words).map { FilePath($0) })
        #expect(merged.exitCode == 0, "\(merged)")
        #expect(try Files.read(whole) == bytes, "\(words)")
      }
    }
  }

  /// A list that cannot be read hides no other, and parts may be in several directories.
  @Test func whatTellsOfDealingIsFoundBesideOtherLists() throws {
    let words = ["split", "-qn", "r/3", "--manifest=deal.sfv", "f", "p."]
    #expect(try run(words.map { FilePath($0) }).exitCode == 0)
    let script = """
      ln -s gone SHA1SUMS; mkdir MD5SUMS; echo x > SHA512SUMS; sha256sum p.00? > p.sha256
      mkdir a b; cp p.001 a; cp p.002 p.003 deal.sfv b; (cd a; md5sum ../p.00? > p.md5)
      """
    let made = try Tool.shell.run(["-c", script], workingDirectory: directory.path)
    try #require(made.exitCode == 0, "\(made)")
    let scattered = ["a/p.001", "b/p.002", "b/p.003"]
    for words in [
      ["p.001"], ["--manifest=none", "p.001"], scattered, ["--manifest=none"] + scattered,
    ] {
      let merged = try run((["merge", "-fo", "whole"] + words).map { FilePath($0) })
      #expect(merged.exitCode == 0, "\(merged)")
      #expect(try Files.read(whole) == bytes, "\(words)")
    }
  }

  /// Where they were moved without it.
  @Test func whatTellsOfDealingIsFoundAboveTheParts() throws {
    #expect(try run(["split", "-qn", "r/3", "f", "p."]).exitCode == 0)
    let move = ["-c", "mkdir d; mv p.00? d; cp -r d e; cp p.sfv e/q.sfv; cp -r d g; cp d/* ."]
    let moved = try Tool.shell.run(move, workingDirectory: directory.path)
    try #require(moved.exitCode == 0, "\(moved)")
    // Where the parts are beside their list, others are not what it tells of.
    let plain = try run(["merge", "-qfo", "whole", "g/p.001"])
    #expect(plain.exitCode == 0, "\(plain)")
    #expect(try Files.read(whole) != bytes)
    for name in ["p.001", "p.002", "p.003"] as [FilePath] {
      try FileSystem.unlink(directory.file(name))
    }
    for words in [["d/p.002"], ["d"], ["--manifest=none", "d/p.001"], ["e/p.001"]] {
      let merged = try run((["merge", "-fo", "whole"] + words).map { FilePath($0) })
      #expect(merged.exitCode == 0, "\(merged)")
      #expect(try Files.read(whole) == bytes, "\(words)")
    }
    let inside = try Tool.cleave.run(
      ["merge", "-fo", whole, "p.001"],
      workingDirectory: directory.file("d")
    )
    #expect(inside.exitCode == 0, "\(inside)")
    #expect(try Files.read(whole) == bytes)
  }

  /// Verifying puts no records together, and calls nothing wrong that it has not compared.
  @Test func aListOfTheWholeIsComparedByMerging() throws {
    #expect(try run(["split", "-qn", "r/3", "f"]).exitCode == 0)
    let script = ["-c", "sha256sum f > f.sha256; rm f"]
    let sums = try Tool.shell.run(script, workingDirectory: directory.path)
    try #require(sums.exitCode == 0, "\(sums)")
    let verified = try run(["verify", "f.sha256"])
    #expect(verified.exitCode != 0 && verified.exitCode != 1, "\(verified)")
    #expect(verified.errorText.contains("only merging takes back"), "\(verified)")
    let merged = try run(["merge", "--manifest=f.sha256", "f.001"])
    #expect(merged.outputText.hasSuffix(", as in f.sha256\n"), "\(merged)")
  }

  @Test func whatIsMergedIsWhatWasSplit() throws {
    #expect(
      try run(["split", "-n", "r/3", "-d", "--additional-suffix=.csv", "f", "x"]).exitCode == 0
    )
    for words in [["merge", "-o", "whole", "x01.csv"], ["merge", "-fo", "whole", "x.csv.sfv"]] {
      let merged = try run(words.map { FilePath($0) })
      #expect(merged.exitCode == 0, "\(merged)")
      #expect(merged.outputText.hasSuffix(", as in x.csv.sfv\n"), "\(merged)")
      #expect(try Files.read(whole) == bytes)
    }
    for words in [["cat", "x00.csv"], ["merge", "-qo", "-", "x02.csv"]] {
      #expect(try run(words.map { FilePath($0) }).standardOutput == bytes)
    }
    let waited = try run(["merge", "--wait=9s", "-fo", "whole", "x00.csv"])
    #expect(waited.exitCode == 0, "\(waited)")
    #expect(try Files.read(whole) == bytes)
    let verified = try run(["verify", "x.csv.sfv"])
    #expect(verified.outputText.hasSuffix("3 right, 0 wrong, 0 missing, 0 not checked\n"))
    #expect(try run(["verify", "f"]).outputText.hasPrefix("f: OK\n"))
    let planned = try run(["merge", "-n", "-fo", "whole", "x00.csv"])
    #expect(
      planned.exitCode == 0 && planned.outputText.contains("\(bytes.count) bytes"),
      "\(planned)"
    )
    let info = try run(["info", "x00.csv"])
    let line = "  records   dealt out in turn among 3 parts; each ends with a line feed\n"
    #expect(info.exitCode == 0 && info.outputText.contains(line), "\(info)")
    #expect(info.outputText.contains("  merged    x.csv, \(bytes.count) bytes"), "\(info)")
    try FileSystem.unlink(directory.file("x02.csv"))
    #expect(try run(["merge", "-fo", "whole", "x00.csv"]).exitCode == 66)
  }

  @Test func withoutAManifestAnOptionTellsIt() throws {
    let words: [FilePath] = ["split", "-n", "r/3", "-t", "x", "--manifest=none", "f", "p."]
    #expect(try run(words).exitCode == 0)
    for command in [["merge", "-fo", "whole"], ["merge", "-fo", "-"], ["cat"]] as [[FilePath]] {
      let outcome = try run(command + ["--dealt", "-t", "x", "p.001"])
      #expect(outcome.exitCode == 0, "\(outcome)")
      let made = command.last == "whole" ? try Files.read(whole) : outcome.standardOutput
      #expect(made == bytes)
    }
    // In another order, and of another end, they are the parts of no file.
    try FileSystem.unlink(whole)
    for parts in [["-t", "x", "p.002", "p.001", "p.003"], ["p.001", "p.002", "p.003"]] {
      let words = ["merge", "--dealt", "--as-given", "-o", "whole"] + parts
      let outcome = try run(words.map { FilePath($0) })
      #expect(outcome.exitCode == 65, "\(outcome)")
      #expect(outcome.errorText.contains("not the parts of one file"), "\(outcome)")
      #expect(try !Files.exists(whole))
    }
  }

  /// Both of the same bytes: lines of any length, with or without an end of the last.
  @Test func partsAreThoseOfAnInstalledSplit() throws {
    guard let split = Tool.find("split"),
      try split.run(["--version"]).outputText.contains("GNU coreutils")
    else { return print("skipped: there is no GNU split") }
    let seed = SeededGenerator.seed
    var generator = SeededGenerator(seed: seed)
    for trial in 0..<20 {
      let place = try TemporaryDirectory()
      let longest = [3, 300, 200_000].randomElement(using: &generator) ?? 3
      let end = [10, 0, 59].randomElement(using: &generator) ?? 10
      var records = (0..<Int.random(in: 0...(longest > 300 ? 20 : 3000), using: &generator)).flatMap
      { _ in
        [UInt8](repeating: 120, count: Int.random(in: 0...longest, using: &generator)) + [
          UInt8(end)
        ]
      }
      if Bool.random(using: &generator) { _ = records.popLast() }
      try Files.write(records, to: place.file("f"))
      let elides = Bool.random(using: &generator)
      let count = Int.random(in: 1...12, using: &generator)
      let words =
        ["-a3", "-d", "-t", end == 0 ? "\\0" : String(UnicodeScalar(UInt8(end)))]
        + (elides ? ["-e"] : []) + ["-n", "r/\(count)"]
      let input = Bool.random(using: &generator) ? "f" : "-"
      let told = "seed \(seed), trial \(trial): \(words) \(input)"
      for (tool, more) in [(split, []), (.cleave, ["split"])] {
        let name = tool.path == split.path ? "theirs" : "ours"
        let outcome = try tool.run(
          more + words + [input, name],
          input: .file(place.file("f")),
          workingDirectory: place.path
        )
        #expect(outcome.exitCode == 0, "\(told): \(outcome)")
      }
      let names = try place.names()
      let ours = names.filter { $0.bytes.starts(with: "ours0".utf8) }
      let theirs = names.filter { $0.bytes.starts(with: "theirs".utf8) }
      // Of an empty file, cleave makes a part all the same.
      if !elides || !records.isEmpty { #expect(ours.count == theirs.count, "\(told)") }
      for (own, other) in zip(ours, theirs) {
        #expect(try Files.read(place.file(own)) == Files.read(place.file(other)), "\(told)")
      }
      let merged = try Tool.cleave.run(
        ["merge", "-o", "whole", "ours.sfv"],
        workingDirectory: place.path
      )
      #expect(
        merged.exitCode == 0 && merged.outputText.contains(", as in ours.sfv"),
        "\(told): \(merged)"
      )
      #expect(try Files.read(place.file("whole")) == records, "\(told)")
    }
  }

  @Test func moreFilesThanMayBeOpenAreRefused() throws {
    let limits = ToolLimits(openFiles: 60)
    let split = try run(["split", "-n", "r/99", "f"], limits: limits)
    #expect(split.exitCode == 71, "\(split)")
    #expect(split.errorText.contains("all 99 parts"), "\(split)")
    #expect(try directory.names() == ["f"])
    #expect(try run(["split", "-n", "r/20", "f", "p."], limits: limits).exitCode == 0)
    #expect(try run(["merge", "-o", "whole", "p.001"], limits: limits).exitCode == 0)
    #expect(try Files.read(whole) == bytes)
    #expect(try run(["split", "-n", "r/99", "f", "q."]).exitCode == 0)
    let merge = try run(["merge", "-fo", "whole", "q.001"], limits: limits)
    #expect(merge.exitCode == 71 && merge.errorText.contains("all 99 parts"), "\(merge)")
  }

  static let refused: [([String], CInt, String)] = [
    (["split", "-n", "r/2", "--block=9", "f"], 64, "--number=r/N does not go with --block"),
    (["split", "-n", "r/2", "--joiners", "f"], 64, "does not go with --joiners"),
    (["split", "-n", "r/2", "--filter=cat", "f"], 64, "does not go with --filter"),
    (["split", "-n", "r/2", "--consume", "f"], 64, "does not go with --consume"),
    (["split", "-n", "r/2", "--resume", "f"], 64, "does not go with --resume"),
    (["split", "-n", "r/2", "--share=1/2", "f"], 64, "does not go with --share"),
    (["split", "-n", "r/2", "--format=zip", "f"], 64, "does not go with --format=zip"),
    (["split", "-n", "r/2", "--dry-run", "f"], 64, "does not go with --dry-run"),
    (["split", "-n", "r/2", "--clone=always", "f"], 64, "does not go with --clone=always"),
    (["split", "-n", "r/2", "--engine=direct", "f"], 64, "does not go with --engine"),
    (["split", "-n", "r/2", "--header", "f"], 64, "--header is for --lines"),
    (["split", "-n", "r/2", "--manifest=x.crc", "f"], 64, "Total Commander's has no place"),
    (["split", "-n", "r/2", "f", "s3://bucket/p"], 64, "does not go with objects of a store"),
    (["split", "-n", "r/2", "--times", "-", "p"], 64, "--times needs files"),
    (["split", "-n", "r/0", "f"], 64, "is not a number from 1 to 1000000"),
    (["merge", "--dealt", "--header", "f"], 64, "--dealt does not go with --header"),
    (["merge", "--dealt", "--resume", "f"], 64, "--dealt does not go with --resume"),
    (["merge", "--dealt", "--consume", "f"], 64, "--dealt does not go with --consume"),
    (["merge", "--dealt", "--share=1/2", "f"], 64, "does not go with --share"),
    (["merge", "--dealt", "--format=zip", "f"], 64, "does not go with --format=zip"),
    (["merge", "--dealt", "--clone=always", "f"], 64, "does not go with --clone=always"),
    (["merge", "--dealt", "--engine=zerocopy", "f"], 64, "does not go with --engine"),
    (["merge", "--dealt", "--verify=entries", "f"], 64, "does not go with --verify=entries"),
    (["merge", "--dealt", "-o", "x", "-", "f"], 64, "--dealt needs files, not standard input"),
    (["cat", "--dealt", "--range=0-9", "f"], 64, "--dealt does not go with --range"),
    (["cat", "-t", "x", "f"], 64, "--separator is for --header or --dealt"),
  ]

  @Test(arguments: refused)
  func whatDoesNotGoTogetherIsRefused(words: [String], code: CInt, text: String) throws {
    let outcome = try run(words.map { FilePath($0) }, input: .file(file))
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1, "\(outcome)")
    #expect(try directory.names() == ["f"])
  }

  /// The manifest tells of dealing, and the command line does not.
  @Test(
    arguments: [
      (["merge", "--resume"], "--resume"), (["merge", "--consume"], "--consume"),
      (["merge", "--share=1/2"], "--share"), (["merge", "--header"], "--header"),
      (["merge", "--clone=always"], "--clone=always"), (["cat", "--range=0-9"], "--range"),
      (["merge", "--engine=direct"], "only the serial engine"),
      (["merge", "--dealt", "-t", "x"], "says that records end with a line feed"),
    ]
  )
  func theSameIsRefusedByTheManifest(words: [String], text: String) throws {
    #expect(try run(["split", "-n", "r/2", "f", "p."]).exitCode == 0)
    let output = words[0] == "cat" ? [] : ["-o", "whole"]
    let outcome = try run((words + output + ["p.001"]).map { FilePath($0) })
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(outcome.standardOutput == [])
    #expect(try directory.names() == ["f", "p.001", "p.002", "p.sfv"])
  }
}
