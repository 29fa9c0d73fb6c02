import Posix
import TestSupport
import Testing

@testable import Cleave

/// Deflate data comes back as it was, however it is given.
@Suite struct InflaterTests {
  private static let counts = [0, 1, 1000, (128 << 10) - 1, 128 << 10, (128 << 10) + 1, 400_000]

  @Test(arguments: counts, [1, 13, 4096, 1 << 20])
  func whatWasDeflatedComesBack(count: Int, piece: Int) throws {
    // Half of it compresses.
    let bytes = Bytes.text(count: count / 2) + Bytes.pattern(count: count - count / 2)
    let inflater = try Inflater()
    // Twice, since an inflater is used for many entries.
    for _ in 0..<2 {
      inflater.reset()
      let (made, outcome) = inflate(try ZipCoding.deflated(bytes), by: piece, inflater)
      #expect(Bytes.difference(made, bytes) == nil)
      #expect(outcome == .ended(0))
    }
  }

  @Test(arguments: [1, 5, 100]) func whatLiesBehindTheEndIsCounted(count: Int) throws {
    let bytes = Bytes.text(count: 5000)
    let data = try ZipCoding.deflated(bytes) + [UInt8](repeating: 0xA5, count: count)
    let (made, outcome) = inflate(data, by: data.count, try Inflater())
    #expect(made == bytes)
    #expect(outcome == .ended(count))
  }

  @Test func dataThatIsCutNeedsMore() throws {
    let data = try ZipCoding.deflated(Bytes.pattern(count: 5000)).dropLast(3)
    #expect(inflate(Array(data), by: 100, try Inflater()).1 == .unfinished)
  }

  @Test func whatIsNoDeflateDataIsDamaged() throws {
    // A block of the type that does not exist.
    #expect(inflate([0x07, 0, 0, 0], by: 4, try Inflater()).1 == .damaged)
  }

  private enum End: Equatable {
    /// With so many bytes behind the end.
    case ended(Int)
    case unfinished, damaged
  }

  private func inflate(_ data: [UInt8], by size: Int, _ inflater: Inflater) -> ([UInt8], End) {
    var made: [UInt8] = []
    for start in stride(from: 0, to: data.count, by: size) {
      let end = min(start + size, data.count)
      let outcome = data.withUnsafeBytes { buffer in
        inflater.inflate(UnsafeRawBufferPointer(rebasing: buffer[start..<end])) { made += $0 }
      }
      switch outcome {
      case .needsMore: continue
      case .ended(let count): return (made, .ended(data.count - start - count))
      case .damaged: return (made, .damaged)
      }
    }
    return (made, .unfinished)
  }
}
