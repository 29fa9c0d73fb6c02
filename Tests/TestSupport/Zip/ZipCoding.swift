import CZlib
import Posix

/// What the records of a zip are made of.
package enum ZipCoding {
  /// The CRC-32 that a zip has of its entries.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_z(0, bytes, bytes.count))
  }

  /// A raw deflate stream, as entries of method 8 have it.
  package static func deflated(_ bytes: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    let size = CInt(MemoryLayout<z_stream>.size)
    // A negative number of window bits means: without the header and checksum of zlib.
    let started = deflateInit2_(&stream, 6, Z_DEFLATED, -15, 8, 0, ZLIB_VERSION, size)
    guard started == Z_OK else { throw SystemError("deflateInit2", "zlib", .noMemory) }
    defer { deflateEnd(&stream) }
    // zlib's header has not heard of const.
    var input = bytes
    let bound = Int(deflateBound(&stream, uLong(bytes.count)))
    return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = uInt(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(output.count)
        deflate(&stream, Z_FINISH)
      }
      count = Int(stream.total_out)
    }
  }
}

extension [UInt8] {
  /// A record that starts with `PK` and these two bytes.
  init(zipSignature third: UInt8, _ fourth: UInt8) { self = [0x50, 0x4B, third, fourth] }

  /// Appends a number, the lowest byte first.
  package mutating func put(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// The number of that type at `offset`, the lowest byte first.
  package func number<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
    withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
  }

  /// The offset of the last place where these bytes are.
  package func lastOffset(of pattern: [UInt8]) -> Int? {
    guard count >= pattern.count else { return nil }
    return stride(from: count - pattern.count, through: 0, by: -1)
      .first { self[$0] == pattern[0] && self[$0..<($0 + pattern.count)].elementsEqual(pattern) }
  }
}
