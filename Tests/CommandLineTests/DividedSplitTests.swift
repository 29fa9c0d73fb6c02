import Posix
import TestSupport
import Testing

/// Runs that make the parts of one file together, or read the files of one list.
@Suite struct DividedSplitTests {
  private let series: Series
  private let before: [FilePath]

  init() throws {
    series = try Series([300_000, 200_001, 1, 150_000], hasManifest: true)
    before = try series.directory.names().sorted()
  }

  private func split(_ share: String, _ options: [String] = [], faults: String? = nil) throws
    -> Outcome
  {
    try Tool.cleave.run(
      ["split", "--share=\(share)", "-b", "100000"] + options + [series.output],
      environment: try faults.map { try FaultShim.environment($0) } ?? [:],
      workingDirectory: series.directory.path
    )
  }

  /// The whole, and nothing of its parts.
  private func putWhole() throws {
    for name in before { try FileSystem.unlink(series.directory.file(name)) }
    try Files.write(series.whole, to: series.output)
  }

  private func expectParts() throws {
    let names = (1...7).map { FilePath("file.00\($0)") } + ["file", "file.sfv"]
    #expect(Set(try series.directory.names()) == Set(names))
    let verified = try Tool.cleave.run(["verify", series.directory.file("file.sfv")])
    #expect(verified.exitCode == 0, "\(verified)")
    let joined = try Tool.cleave.run(["cat", series.directory.file("file.004")])
    #expect(Bytes.difference(joined.standardOutput, series.whole) == nil)
  }

  @Test(arguments: [[], ["--block=30000"], ["--joiners"], ["--engine=serial"]])
  func partsAreMadeByShares(options: [String]) throws {
    try putWhole()
    for (number, missing) in [(3, "1, 2, 4"), (1, "2, 4"), (1, "2, 4"), (4, "2")] {
      let outcome = try split("\(number)/4", options)
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.outputText.hasSuffix("share \(number)/4 is done, not yet \(missing)\n"))
      #expect(try !Files.exists(series.directory.file("file.sfv")))
    }
    let last = try split("2/4", options)
    #expect(last.exitCode == 0 && last.outputText.contains("manifest "), "\(last)")
    let other = try TemporaryDirectory()
    let alone = try Tool.cleave.run(
      ["split", "-b", "100000"] + options + [series.output, other.file("file")]
    )
    #expect(alone.exitCode == 0)
    try FileSystem.unlink(series.output)
    #expect(try Contents(of: series.directory.path) == Contents(of: other.path))
  }

  @Test func moreSharesThanPartsDoNothing() throws {
    try putWhole()
    for number in 1...9 { #expect(try split("\(number)/9").exitCode == 0) }
    try expectParts()
  }

  @Test func atOnceAndTwiceTheyMakeTheSameParts() throws {
    try putWhole()
    let tools = try [1, 2, 3, 2, 3, 1].map { number in
      try Tool.cleave.start(
        ["split", "--share=\(number)/3", "-b", "100000", series.output],
        workingDirectory: series.directory.path
      )
    }
    for tool in tools {
      let outcome = try tool.wait()
      #expect([0, 73].contains(outcome.exitCode), "\(outcome)")
    }
    try expectParts()
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: [
      "write=kill", "fsync=kill", "rename=kill", "rename#2=kill", "rename#3=kill", "unlink=kill",
    ]
  )
  func aKilledShareOfASplitIsRunAgain(fault: String) throws {
    try putWhole()
    for number in 1...3 {
      _ = try split("\(number)/3", faults: fault)
      if try Files.exists(series.directory.file("file.sfv")) { break }
      let outcome = try split("\(number)/3")
      #expect(outcome.exitCode == 0, "\(outcome)")
    }
    if try !Files.exists(series.directory.file("file.sfv")) { _ = try split("1/3") }
    #expect(try Tool.cleave.run(["clean", series.directory.path]).exitCode == 0)
    try expectParts()
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func partsThatNobodyHasCompletedAreFinished() throws {
    try putWhole()
    #expect(try split("1/2").exitCode == 0)
    let finish: [any ToolArgument] = ["finish", series.output]
    let missing = try Tool.cleave.run(finish, workingDirectory: "/")
    #expect(missing.exitCode == 66 && missing.errorText.contains("not done yet: share 2/2"))
    #expect(try split("2/2", faults: "rename@/file.sfv=kill").signal == .kill)
    let outcome = try Tool.cleave.run(finish, workingDirectory: "/")
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Tool.cleave.run(["clean", series.directory.path]).exitCode == 0)
    try expectParts()
  }

  @Test(arguments: [["merge"], ["merge", "--consume"], ["cat"], ["info"], ["verify"]])
  func partsOfSomeSharesAreNotAll(command: [String]) throws {
    try putWhole()
    #expect(try split("1/2").exitCode == 0)
    let before = try series.directory.names()
    let part = series.directory.file("file.001")
    let outcome = try Tool.cleave.run(command + [part])
    #expect(outcome.exitCode == 66, "\(outcome)")
    let text = "says that other shares of the split are not done: --last="
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(try series.directory.names() == before)
  }

  @Test(arguments: [".cleave-share-1-2-00000000", "..cleave-share-1-2-00000000"])
  func aReceiptThatIsNamedAfterNothingIsNoSplits(name: String) throws {
    let directory = try TemporaryDirectory()
    for name in [name, "f.001", "f.002"] {
      try Files.write([1], to: directory.file(FilePath(name)))
    }
    let cleaned = try Tool.cleave.run(["clean", "-n"], workingDirectory: directory.path)
    #expect(cleaned.exitCode == 0, "\(cleaned)")
    let merged = try Tool.cleave.run(["merge", "f.001"], workingDirectory: directory.path)
    #expect(merged.exitCode == 0, "\(merged)")
  }

  /// Their names alone do not make them that share's.
  @Test func whatALeftReceiptTellsIsAboutItsOwnParts() throws {
    try putWhole()
    #expect(try split("1/2").exitCode == 0)
    for name in try series.directory.names() where "\(name)".hasPrefix("file.0") {
      try FileSystem.unlink(series.directory.file(name))
    }
    let made = try Tool.cleave.run(
      ["split", "--manifest=none", "-n", "3", series.output],
      workingDirectory: series.directory.path
    )
    #expect(made.exitCode == 0, "\(made)")
    let out = series.directory.file("out")
    let first = series.directory.file("file.001")
    let outcome = try Tool.cleave.run(["merge", "-o", out, first])
    #expect(outcome.exitCode == 0, "\(outcome)")
  }

  @Test func aPartThatIsGoneOrAnotherIsNotTakenForDone() throws {
    try putWhole()
    #expect(try split("1/2").exitCode == 0)
    try FileSystem.unlink(series.directory.file("file.002"))
    #expect(try split("2/2").outputText.contains("not yet 1"))
    try Files.write([UInt8](repeating: 1, count: 100_000), to: series.directory.file("file.002"))
    // What is there of the parts would seem to be all.
    let kept = try Tool.cleave.run(["clean", series.directory.path])
    #expect(kept.exitCode == 75 && kept.errorText.contains("is of a split that did not end"))
    let taken = try Tool.cleave.run(["clean", "-f", series.directory.path])
    #expect(taken.exitCode == 0)
    let refused = try split("1/2")
    #expect(refused.exitCode == 73, "\(refused)")
    #expect(refused.errorText.contains("file.002: exists"))
    try FileSystem.unlink(series.directory.file("file.002"))
    #expect(try split("1/2").exitCode == 0)
    #expect(try split("2/2").exitCode == 0)
    try expectParts()
  }

  @Test func aPartThatWasChangedIsNotInTheList() throws {
    try putWhole()
    #expect(try split("1/2").exitCode == 0)
    let part = series.directory.file("file.002")
    try Files.write([UInt8](repeating: 1, count: 100_000), to: part)
    let refused = try split("2/2")
    #expect(refused.exitCode == 65, "\(refused)")
    let text = "file.002: is not what share 1/2 has made; remove it, and run that share again"
    #expect(refused.errorText.contains(text), "\(refused)")
    try FileSystem.unlink(part)
    #expect(try split("2/2").outputText.contains("not yet 1"))
    #expect(try split("1/2").exitCode == 0)
    try expectParts()
  }

  @Test func theFileIsNoPartOfItself() throws {
    for name in before { try FileSystem.unlink(series.directory.file(name)) }
    let file = series.directory.file("file.001")
    try Files.write(series.whole, to: file)
    let words: [any ToolArgument] = ["split", "--share=1/1", "-b", "1G", "file.001", "file"]
    let outcome = try Tool.cleave.run(words, workingDirectory: series.directory.path)
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(try series.directory.names() == ["file.001"])
  }

  @Test func aLongNameIsNoObstacle() throws {
    try putWhole()
    let prefix = FilePath(String(repeating: "ä", count: 60))
    for number in 1...2 {
      let words: [any ToolArgument] = ["split", "--share=\(number)/2", "-b200000", "file", prefix]
      let outcome = try Tool.cleave.run(words, workingDirectory: series.directory.path)
      #expect(outcome.exitCode == 0, "\(outcome)")
    }
    #expect(try series.directory.names().count == 6)
  }

  @Test(arguments: [
    "--checksum=sha256", "--manifest=none", "--no-sync", "--resume", "--filter=cat",
    "--force",
  ])
  func whatCannotBeDividedIsRefused(option: String) throws {
    try putWhole()
    let outcome = try split("1/2", [option])
    #expect(outcome.exitCode == 64 && outcome.errorText.contains("--share"), "\(outcome)")
    #expect(try series.directory.names() == ["file"])
  }

  @Test func aListIsReadByShares() throws {
    let list = series.directory.file("file.sfv")
    for (share, text) in [("1/2", "file.001: OK\n"), ("2/3", "file.002: OK\n")] {
      let outcome = try Tool.cleave.run(["verify", "--share=\(share)", list])
      #expect(outcome.exitCode == 0 && outcome.outputText.contains(text), "\(outcome)")
    }
    try Files.write([1], to: series.directory.file("file.001"))
    #expect(try Tool.cleave.run(["verify", "--share=1/2", list]).exitCode == 1)
    #expect(try Tool.cleave.run(["verify", "--share=2/2", list]).exitCode == 0)
    let alone = try Tool.cleave.run(["verify", "--share=1/2", "--manifest=none", series.parts[0]])
    #expect(alone.exitCode == 64, "\(alone)")
  }
}
