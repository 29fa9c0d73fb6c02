import CZlib
import Cleave
import TestSupport
import Testing

/// The sums of whatever library is built in are zlib's, at every length and alignment.
@Suite struct ChecksumTests {
  private static let bytes = Bytes.pattern(count: 70_000)

  @Test(arguments: 0..<17) func theSumsAreThoseOfZlib(alignment: Int) {
    for count in Array(1...300) + [1023, 4096, 65_521, 65_535] {
      let (found, wanted) = Self.bytes.withUnsafeBytes { buffer in
        let piece = UnsafeRawBufferPointer(rebasing: buffer[alignment..<(alignment + count)])
        var sum = Checksum.empty
        sum.update(piece, [.crc32, .adler32])
        let start = piece.bindMemory(to: UInt8.self).baseAddress
        return (
          [sum.crc32, sum.adler32],
          [crc32(0, start, uInt(count)), adler32(1, start, uInt(count))].map(UInt32.init)
        )
      }
      #expect(found == wanted, "\(count) bytes at \(alignment)")
    }
  }

  @Test(arguments: [1, 7, 4096, 65_537]) func piecesGiveTheSumOfTheWhole(size: Int) {
    var whole = Checksum.empty
    var appended = Checksum.empty
    Self.bytes.withUnsafeBytes { whole.update($0, [.crc32, .adler32]) }
    var grown = Checksum.empty
    for start in stride(from: 0, to: Self.bytes.count, by: size) {
      let end = min(start + size, Self.bytes.count)
      Self.bytes.withUnsafeBytes { buffer in
        let piece = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
        var alone = Checksum.empty
        alone.update(piece, [.crc32, .adler32])
        appended.append(alone)
        grown.update(piece, [.crc32, .adler32])
      }
    }
    #expect(appended == whole)
    #expect(grown == whole)
  }

  @Test func noBytesChangeNothing() {
    var sum = Checksum.empty
    Self.bytes.withUnsafeBytes {
      sum.update(UnsafeRawBufferPointer(rebasing: $0[..<10]), [.crc32, .adler32])
    }
    let before = sum
    Self.bytes.withUnsafeBytes {
      sum.update(UnsafeRawBufferPointer(rebasing: $0[10..<10]), [.crc32, .adler32])
    }
    #expect(sum == before)
  }
}
