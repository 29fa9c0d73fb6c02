import Posix
import TestSupport
import Testing

/// What a user takes for granted: a name is the whole's, a count counts all, a way out is named.
@Suite(.aside) struct HonestyTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func split(_ name: FilePath, _ words: [String] = ["-n", "3"], seed: UInt64 = 1) throws {
    let file = directory.file(name)
    try Files.write(Bytes.pattern(count: 3000, seed: seed), to: file)
    let outcome = try Tool.cleave.run(["split", "-q", "--no-sync"] + words + [file])
    #expect(outcome.exitCode == 0, "\(outcome)")
    try FileSystem.unlink(file)
  }

  private func run(_ words: [any ToolArgument]) throws -> Outcome {
    try Tool.cleave.run(words, workingDirectory: directory.path)
  }

  // MARK: - A piece is not the whole

  @Test(arguments: ["--last=2", "--first=2"])
  func someOfTheListedPartsNeedAName(bound: String) throws {
    try split("f")
    let refused = try run(["merge", bound, "f.002"])
    #expect(refused.exitCode == 64)
    #expect(
      refused.errorText.contains("f.sfv lists 3 parts, of which these 2 do not make the whole")
    )
    #expect(try !Files.exists(directory.file("f")))
    let told = try run(["info", bound, "f.002"])
    #expect(
      told.outputText.contains("  merged    -o is needed: these do not make the whole, 2000 ")
    )
    #expect(try run(["merge", "-q", "--no-sync", "-o", "piece", bound, "f.002"]).exitCode == 0)
    #expect(try FileStatus.of(directory.file("piece")).size == 2000)
  }

  @Test func someOfTheListedPartsAreNotConsumed() throws {
    try split("f")
    let outcome = try run(["merge", "--consume", "--last=2", "-o", "piece", "f.001"])
    #expect(
      outcome.exitCode == 66 && outcome.errorText.contains("f.sfv: lists parts that are left out")
    )
    #expect(try directory.names().sorted() == ["f.001", "f.002", "f.003", "f.sfv"])
  }

  @Test func aManifestMakesNoHiddenFile() throws {
    try split("f")
    let manifest = directory.file("f.sfv")
    try Files.write(
      Array(Files.text(manifest).replacing("name: f", with: "name: .profile").utf8),
      to: manifest
    )
    #expect(try run(["merge", "-q", "--no-sync", "f.001"]).exitCode == 0)
    #expect(try Files.exists(directory.file("f")))
    #expect(try !Files.exists(directory.file(".profile")))
  }

  // MARK: - A directory is looked at whole

  @Test func aManifestDoesNotHideAnotherSeries() throws {
    try split("f")
    try split("g.bin", ["-n", "3", "--manifest=none"], seed: 2)
    let all = try run(["verify"])
    #expect(all.exitCode == 0, "\(all)")
    #expect(all.outputText.hasSuffix("3 right, 0 wrong, 0 missing, 1 not checked\n"))
    try FileSystem.unlink(directory.file("g.bin.002"))
    let missing = try run(["verify"])
    #expect(missing.exitCode == 66 && missing.errorText.contains("g.bin.002"), "\(missing)")
    #expect(missing.outputText.hasSuffix("3 right, 0 wrong, 1 missing, 0 not checked\n"))
    // With a list of their own nothing else is looked at.
    #expect(try run(["verify", "f.sfv"]).exitCode == 0)
  }

  @Test func aSeriesDoesNotHideAnotherOne() throws {
    try split("f", ["-n", "3", "--manifest=none"])
    try Files.write([1, 2, 3], to: directory.file("g.part1of3"))
    let outcome = try run(["verify"])
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText.contains("g.part2of3") && outcome.errorText.contains("f.001"))
  }

  @Test(arguments: ["f.001", "f.002", "f.003"]) func aSeriesIsListedInPart(name: String) throws {
    try split("f", ["-n", "3"])
    let lines = try Files.text(directory.file("f.sfv")).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix(name) })
    try FileSystem.unlink(directory.file("f.sfv"))
    try Files.write(Array("\(line)\n".utf8), to: directory.file("list.sfv"))
    let outcome = try run(["verify"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(
      outcome.outputText == "\(name): OK\n1 right, 0 wrong, 0 missing, 2 not checked\n"
    )
  }

  @Test func anOperandThatIsMissingIsToBeFetched() throws {
    #expect(try run(["verify", "--list-bad", "gone"]).outputText == "gone\n")
  }

  // MARK: - What is left of another split

  @Test func anotherSeriesKeepsItsSums() throws {
    try split("g", ["-n", "2", "-a", "1"])
    let sums = try Files.text(directory.file("g.sfv"))
    try Files.write(Bytes.pattern(count: 3000), to: directory.file("h"))
    let outcome = try run(["split", "-f", "-n", "3", "h", "g_"])
    #expect(
      outcome.exitCode == 73 && outcome.errorText.contains("g.sfv: lists g.1, which is no part")
    )
    #expect(try Files.text(directory.file("g.sfv")) == sums)
  }

  @Test func aLineOfAManifestThatCannotBeReadCounts() throws {
    try split("f", ["-n", "3"])
    let path = directory.file("f.sfv")
    let lines = "other.txt ed6f7a7a\nno line of a manifest\n"
    try Files.write(Array(lines.utf8), to: path)
    for name in ["f", "other.txt"] {
      try Files.write(Bytes.pattern(count: 3000), to: directory.file(FilePath(name)))
    }
    let before = try Contents(of: directory.path)
    let outcome = try run(["split", "-f", "-n", "3", "f"])
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.contains("f.sfv: lists other.txt, which is no part of this split"))
    #expect(try Contents(of: directory.path).changes(since: before) == [])
    try FileSystem.unlink(directory.file("other.txt"))
    #expect(try run(["split", "-qf", "-n", "3", "f"]).exitCode == 0)
  }

  @Test func anOldScriptGoesFirst() throws {
    try split("f", ["-n", "3", "--joiners"])
    try Files.write(Bytes.pattern(count: 3000, seed: 2), to: directory.file("f"))
    let outcome = try run(["split", "-f", "-n", "3", "f"])
    #expect(outcome.exitCode == 73 && outcome.errorText.contains("f.join.sh: joins other parts"))
    #expect(try run(["split", "-qf", "--no-sync", "-n", "3", "--joiners", "f"]).exitCode == 0)
    // A script of somebody's own is nothing to do with it.
    for name in ["f.join.sh", "f.join.py", "f.join.ps1", "f.join.bat"] {
      try Files.write(Array("#!/bin/sh\n".utf8), to: directory.file(FilePath(name)))
    }
    #expect(try run(["split", "-qf", "--no-sync", "-n", "3", "f"]).exitCode == 0)
  }

  // MARK: - A damaged journal

  @Test func aDamagedJournalCanBeGivenUp() throws {
    let journal = directory.file(".f.cleave-journal")
    let text = "cleave-journal 2 merge 00000000\nnonsense\n"
    try Files.write(Array(text.utf8), to: journal)
    try Files.write([1, 2, 3], to: directory.file(".f.cleave-tmp-0000000100000000"))
    let kept = try run(["clean"])
    #expect(
      kept.exitCode == 65
        && kept.errorText.contains("'cleave clean -f .f.cleave-journal' gives up"),
      "\(kept)"
    )
    #expect(try Files.exists(journal))
    let forced = try run(["clean", "--force"])
    #expect(forced.exitCode == 0, "\(forced)")
    #expect(forced.outputText.contains(".f.cleave-journal: \(text.utf8.count) bytes removed"))
    #expect(try !Files.exists(journal))
  }

  @Test func whatIsNoJournalStays() throws {
    let file = directory.file(".f.cleave-journal")
    try Files.write(Array("a diary\n".utf8), to: file)
    #expect(try run(["clean", "--force"]).exitCode == 65)
    #expect(try Files.exists(file))
  }
}
