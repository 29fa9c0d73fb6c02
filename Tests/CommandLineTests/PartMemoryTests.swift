import Posix
import TestSupport
import Testing

/// What each part of a series takes in memory, of which there may be a million.
@Suite(.aside) struct PartMemoryTests {
  /// A name, a status and, of a merge, an extent and its checksum: some 150 bytes, in lists that double.
  @Test(
    .enabled(
      if: CountShim.isAvailable && !BuildProducts.haveMemoryOfSanitizers,
      "needs Linux, glibc and a C compiler, and no sanitizer, which takes memory of its own"
    )
  )
  func everyPartTakesFewBytesOfMemory() throws {
    let directory = try TemporaryDirectory()
    let commands = [(["verify"], 66), (["merge", "--no-sync", "--force", "-o", "out"], 0)]
    func memory(with parts: ClosedRange<Int>) throws -> [Int] {
      for number in parts {
        let name = FilePath("f." + String(10_000_000 + number).dropFirst())
        try Files.write([UInt8(ascii: "x")], to: directory.file(name))
      }
      return try commands.map { command, code in
        let arguments = command + ["f.0000001"]
        let (counts, outcome) = try Counts.run(.cleave, arguments, in: directory.path)
        #expect(outcome.exitCode.map(Int.init) == code, "\(outcome)")
        return counts.peakResidentBytes
      }
    }
    let before = try memory(with: 1...2_000)
    let after = try memory(with: 2_001...22_000)
    for (command, (before, after)) in zip(commands, zip(before, after)) {
      let growth = after - before
      #expect(growth < 20_000 * 300, "\(command.0): \(growth) bytes for 20000 parts")
    }
  }
}
