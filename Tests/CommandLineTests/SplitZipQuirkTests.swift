import Posix
import TestSupport
import Testing

/// What other programs write, however odd, becomes an archive that is not.
@Suite struct SplitZipQuirkTests {
  @Test(arguments: QuirkRow.all) func whatIsOddMerges(row: QuirkRow) throws {
    let set = try row.set()
    let merged = try mergeEveryWay(set.parts)
    if let whole = try row.whole() { #expect(Bytes.difference(merged, whole) == nil) }
    try expectZip(merged, holds: row.tree, readers: row.readers)
  }

  /// A byte at a time, at every place where records may be cut.
  @Test(arguments: engines) func smallPiecesMakeNoDifference(engine: String) throws {
    let rows = QuirkRow.all.filter { !$0.writer.quirks.isEmpty }
    let marks = ["--high-water=7", "--low-water=7", "--window=21"]
    for row in rows {
      let set = try row.set()
      let merged = try mergeEveryWay(set.parts, marks, engines: [engine])
      if let whole = try row.whole() {
        #expect(Bytes.difference(merged, whole) == nil, "\(row.name)")
      }
    }
  }

  /// The whole content of a split archive is tested without merging it.
  @Test(arguments: QuirkRow.all) func whatIsOddCanBeVerified(row: QuirkRow) throws {
    let set = try row.set()
    let hasUntested = row.readers.isEmpty
    for part in [set.first, set.last] {
      let outcome = try Tool.cleave.run(["verify", part])
      #expect(outcome.exitCode == (hasUntested ? 1 : 0), "\(outcome)")
      #expect(outcome.outputText.contains("not tested") == hasUntested, "\(outcome)")
    }
    let quick = try Tool.cleave.run(["verify", "--quick", set.last])
    #expect(quick.exitCode == 0, "\(quick)")
  }

  @Test(arguments: QuirkRow.all) func everyEntryIsTestedWhereThatIsAskedFor(row: QuirkRow) throws {
    // What cannot be tested cannot have passed, and an archive whose entries are encrypted would
    // never get its name; the rows say which.
    guard !row.readers.isEmpty else { return }
    let set = try row.set()
    let output = set.directory.file("out")
    let outcome = try mergeZip(set.first, to: output, ["--verify", "entries"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    if let whole = try row.whole() {
      #expect(try Bytes.difference(Files.read(output), whole) == nil)
    }
  }
}
