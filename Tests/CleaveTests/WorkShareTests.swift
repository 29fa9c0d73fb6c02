import Posix
import TestSupport
import Testing

@testable import Cleave

/// Shares of a plan, and what runs leave of them.
@Suite struct WorkShareTests {
  @Test("all shares of a plan together are all of it, in order, however many there are")
  func shares() throws {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let directory = try TemporaryDirectory()
      let plan = try RandomPlan(in: directory, using: &random).plan
      let count = Int.random(in: 1...40, using: &random)
      var next: (extent: Int, start: Int64) = (0, 0)
      for number in 1...count {
        for piece in plan.pieces(of: try #require(WorkShare(number, of: count))) {
          #expect((piece.extent, piece.start) == next)
          #expect(piece.length > 0)
          let isWhole =
            piece.start == 0 && piece.start + piece.length == plan.extents[piece.extent].length
          #expect(plan.extents[piece.extent].sourceIndex != nil || isWhole)
          let hasEnded = piece.start + piece.length == plan.extents[piece.extent].length
          next = hasEnded ? (piece.extent + 1, 0) : (piece.extent, piece.start + piece.length)
        }
      }
      #expect(next == (plan.extents.count, 0))
    }
  }

  @Test(
    "a share is one of those there are",
    arguments: [(0, 4), (5, 4), (1, 0), (-1, 3), (1, WorkShare.most + 1), (.max, .max)]
  )
  func none(number: Int, count: Int) { #expect(WorkShare(number, of: count) == nil) }

  private func receipt(_ share: WorkShare) -> ShareReceipt {
    var receipt = ShareReceipt(plan: "9-0a-0b", share: share, identity: 77)
    receipt.done = [
      Journal.Done(extent: 0, start: 3, checksum: Checksum(count: 9, crc32: 1, adler32: 2)),
      Journal.Done(extent: 4, start: 0, checksum: Checksum(count: 1, crc32: 5, adler32: 6)),
    ]
    (receipt.arguments, receipt.directory) = (["merge", "--share=2/3", "f 1"], "/a b")
    return receipt
  }

  @Test("what is written is read again, and nothing else counts")
  func receipts() throws {
    let directory = try TemporaryDirectory()
    let output = directory("film")
    let written = receipt(try #require(WorkShare(2, of: 3)))
    try written.write(beside: output)
    #expect(try ShareReceipt.all(beside: output) == [written])
    #expect(try ShareReceipt.all(beside: directory("fil")).isEmpty)
    let path = ShareReceipt.path(beside: output, written.plan, written.share)
    #expect(ShareReceipt.job(ofName: path) == ShareReceipt.job(of: written.plan))
    let bytes = try Files.read(path)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 1
      try Files.write(other, to: path)
      #expect(try ShareReceipt.all(beside: output).isEmpty, "byte \(index)")
      try Files.write(Array(bytes[..<index]), to: path)
      #expect(try ShareReceipt.all(beside: output).isEmpty, "\(index) bytes")
    }
    // Under another share's name it is none.
    let other = ShareReceipt.path(beside: output, written.plan, try #require(WorkShare(1, of: 3)))
    try Files.write(bytes, to: other)
    TemporaryDirectory.remove(path)
    #expect(try ShareReceipt.all(beside: output).isEmpty)
  }
}
