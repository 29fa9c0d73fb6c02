import Posix
import TestSupport
import Testing

/// What other programs write, however odd, becomes an archive that other programs read. That every
/// engine makes the same of it, a few bytes at a time, too, is in `SplitZipTests`.
@Suite(.aside) struct SplitZipQuirkTests {
  @Test(arguments: QuirkRow.all) func whatIsOddMerges(row: QuirkRow) throws {
    let set = try row.set()
    let merged = try mergeEveryWay(set.parts, engines: ["auto"], telling: row.told)
    if let whole = try row.whole() { #expect(Bytes.difference(merged, whole) == nil) }
    try expectZip(merged, holds: row.tree, readers: row.readers)
  }

  /// The whole content of a split archive is tested without merging it.
  @Test(arguments: QuirkRow.all) func whatIsOddCanBeVerified(row: QuirkRow) throws {
    let set = try row.set()
    for part in [set.first, set.last] {
      let outcome = try Tool.cleave.run(["verify", part])
      #expect(outcome.exitCode == (row.hasUntestable ? 1 : 0), "\(outcome)")
      #expect(outcome.errorText.contains("not tested") == row.hasUntestable, "\(outcome)")
    }
    let quick = try Tool.cleave.run(["verify", "--quick", set.last])
    #expect(quick.exitCode == 0, "\(quick)")
  }

  @Test(arguments: QuirkRow.all.filter { !$0.hasUntestable })
  func everyEntryIsTestedWhereThatIsAskedFor(row: QuirkRow) throws {
    let set = try row.set()
    let output = set.directory.file("out")
    let outcome = try mergeZip(set.first, to: output, ["--verify", "entries"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    if let whole = try row.whole() {
      #expect(try Bytes.difference(Files.read(output), whole) == nil)
    }
  }
}
