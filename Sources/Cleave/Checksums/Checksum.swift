import CZlib
import Posix

#if CLEAVE_ISAL
  import CISAL
#endif

/// The CRC-32 and Adler-32 of a run of bytes, and how many they are.
///
/// Two that belong to neighbouring runs are joined without reading anything again, so that parts may
/// be read in any order and on any number of threads.
public struct Checksum: Hashable, Sendable {
  /// Bytes.
  public private(set) var count: Int64 = 0
  /// CRC-32 as in zip, gzip and SFV files; 0 for no bytes, or where it was not asked for.
  public private(set) var crc32: UInt32 = 0
  /// Adler-32 as in RFC 1950; 1 for no bytes, or where it was not asked for.
  public private(set) var adler32: UInt32 = 1

  /// The checksum of no bytes.
  public static let empty = Checksum()

  init() {}

  /// So many bytes of which no sum was asked for.
  init(unsummed count: Int64) { self.count = count }

  /// The checksum of bytes that were summed before.
  init(count: Int64, crc32: UInt32, adler32: UInt32) {
    (self.count, self.crc32, self.adler32) = (count, crc32, adler32)
  }

  /// The checksum of some bytes.
  init(of bytes: ArraySlice<UInt8>, _ kinds: Kinds) {
    bytes.withUnsafeBytes { update($0, kinds) }
  }

  /// Which sums to compute.
  public struct Kinds: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let crc32 = Kinds(rawValue: 1)
    public static let adler32 = Kinds(rawValue: 2)
  }

  /// Puts the checksum of the bytes that follow behind this one.
  public mutating func append(_ next: Checksum) {
    let crc = crc32_combine(uLong(crc32), uLong(next.crc32), .init(next.count))
    let adler = adler32_combine(uLong(adler32), uLong(next.adler32), .init(next.count))
    crc32 = UInt32(truncatingIfNeeded: crc)
    adler32 = UInt32(truncatingIfNeeded: adler)
    count += next.count
  }

  /// The checksum of what is behind some bytes that these begin with.
  ///
  /// - Parameter start: of no more bytes than there are.
  func behind(_ start: Checksum) -> Checksum {
    // bounded: no more than there are
    let count = count - start.count
    // What the start adds to the sum of both is taken away by adding it once more.
    let crc = crc32_combine(uLong(start.crc32), uLong(crc32), .init(count))
    let modulus: Int64 = 65_521
    let (low, startLow) = (Int64(adler32 & 0xFFFF), Int64(start.adler32 & 0xFFFF))
    let (high, startHigh) = (Int64(adler32 >> 16), Int64(start.adler32 >> 16))
    let first = (low - startLow + 1 + modulus) % modulus
    let added = startHigh + (count % modulus) * (startLow + modulus - 1) % modulus
    let second = (high - added + 2 * modulus) % modulus
    return Checksum(
      count: count,
      crc32: UInt32(truncatingIfNeeded: crc),
      adler32: UInt32(second << 16 | first)
    )
  }

  /// The library that computes the sums; zlib's are combined in any case.
  #if CLEAVE_ISAL
    package static let library = "ISA-L"
    private static let functions: Functions = (cisal_crc32, cisal_adler32)
  #else
    package static let library = "zlib"
    private static let functions: Functions = (crc32_z, adler32_z)
  #endif
  private typealias Functions = (
    crc32: MappedMemory.ChecksumFunction, adler32: MappedMemory.ChecksumFunction
  )

  /// Goes on over more bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer, _ kinds: Kinds) {
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    if kinds.contains(.crc32) {
      crc32 = UInt32(
        truncatingIfNeeded: Self.functions.crc32(uLong(crc32), start, bytes.count)
      )
    }
    if kinds.contains(.adler32) {
      adler32 = UInt32(
        truncatingIfNeeded: Self.functions.adler32(uLong(adler32), start, bytes.count)
      )
    }
    count += Int64(bytes.count)
  }

  /// Goes on over mapped bytes. Returns false where the file behind them was truncated.
  package mutating func update(mapped bytes: UnsafeRawBufferPointer, _ kinds: Kinds) -> Bool {
    var (crc, adler) = (uLong(crc32), uLong(adler32))
    let isWhole = MappedMemory.checksums(
      kinds.contains(.crc32) ? Self.functions.crc32 : nil,
      &crc,
      kinds.contains(.adler32) ? Self.functions.adler32 : nil,
      &adler,
      over: bytes
    )
    (crc32, adler32) = (UInt32(truncatingIfNeeded: crc), UInt32(truncatingIfNeeded: adler))
    count += Int64(bytes.count)
    return isWhole
  }

  /// The CRC-32 as eight hexadecimal digits.
  public var crc32Text: String { Self.hexadecimal(crc32) }
  /// The Adler-32 as eight hexadecimal digits.
  public var adler32Text: String { Self.hexadecimal(adler32) }

  package static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
