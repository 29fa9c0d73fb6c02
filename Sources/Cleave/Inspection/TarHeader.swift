internal import Posix

/// One record of 512 bytes in front of the data of a member; see `tar(5)`.
struct TarHeader {
  static let length = 512

  let type: UInt8
  /// Bytes that the size field tells of.
  let size: Int64
  /// Whether another record goes on with the map of a sparse file of old GNU tar.
  let isExtended: Bool

  /// - Parameter record: 512 bytes.
  /// - Returns: nil where the sum of the bytes is not the one told, or the size is no number.
  init?(_ record: UnsafeRawBufferPointer) {
    guard Self.hasRightSum(record),
      let size = Self.number(UnsafeRawBufferPointer(rebasing: record[124..<136]))
    else { return nil }
    type = record[156]
    self.size = size
    isExtended = record[482] != 0
  }

  /// - Parameter head: of which the first 512 bytes count.
  /// - Returns: nil also where there are fewer.
  init?(_ head: [UInt8]) {
    guard head.count >= Self.length else { return nil }
    let header = head.withUnsafeBytes { TarHeader(UnsafeRawBufferPointer(rebasing: $0[..<512])) }
    guard let header else { return nil }
    self = header
  }

  /// Whether a record is one of the zeros that end a tar file.
  static func isZero(_ record: UnsafeRawBufferPointer) -> Bool { record.allSatisfy { $0 == 0 } }

  /// The sum of all bytes, with those of the sum itself as spaces. Some old programs took bytes for
  /// signed.
  private static func hasRightSum(_ record: UnsafeRawBufferPointer) -> Bool {
    guard let told = number(UnsafeRawBufferPointer(rebasing: record[148..<156])) else {
      return false
    }
    var (unsigned, signed): (Int64, Int64) = (0, 0)
    for (index, byte) in record.enumerated() {
      let byte = (148..<156).contains(index) ? UInt8(ascii: " ") : byte
      // bounded: 512 bytes
      unsigned += Int64(byte)
      // bounded: 512 bytes
      signed += Int64(Int8(bitPattern: byte))
    }
    return told == unsigned || told == signed
  }

  /// An octal number with spaces in front and a space or NUL behind, or a binary one with its highest
  /// bit set; nil where it is neither, negative, or 2⁶³ or more.
  static func number(_ field: UnsafeRawBufferPointer) -> Int64? {
    guard let first = field.first else { return nil }
    if first & 0x80 != 0 { return first == 0x80 ? binary(field.dropFirst()) : nil }
    let digits = field.drop { $0 == UInt8(ascii: " ") }
      .prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
      // 12 digits at most.
      // bounded: 12 digits at most
      value = value << 3 | Int64(digit - UInt8(ascii: "0"))
    }
    return value
  }

  private static func binary(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int64? {
    var value: Int64 = 0
    for byte in bytes {
      guard value >> 55 == 0 else { return nil }
      // bounded: the highest byte was 0
      value = value << 8 | Int64(byte)
    }
    return value
  }
}

extension TarHeader {
  /// Headers that tell more about the member behind them.
  enum Kind {
    case paxOfMember, paxOfAll, hardLink, sparse, withoutData, other
  }

  var kind: Kind {
    switch type {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): .paxOfMember
    case UInt8(ascii: "g"): .paxOfAll
    case UInt8(ascii: "1"): .hardLink
    case UInt8(ascii: "S"): .sparse
    // Links, devices, directories and FIFOs have no data, whatever the size says.
    case UInt8(ascii: "2")...UInt8(ascii: "6"): .withoutData
    default: .other
    }
  }

  /// Whether the header of a member is still to come behind this one: names that are too long for it.
  var isAboutNext: Bool { type == UInt8(ascii: "L") || type == UInt8(ascii: "K") }
}

extension TarHeader {
  /// The bytes of the content with what it is padded by; nil where it is not certain how many they are.
  var paddedSize: Int64? {
    switch kind {
    // Some programs write the size of the target.
    case .withoutData: return 0
    case .hardLink where size != 0: return nil
    default: break
    }
    let isMapped = kind == .sparse && isExtended
    guard !isMapped, size < .max - 512 else { return nil }
    // bounded: the size is less than that
    return (size + 511) / 512 * 512
  }

  /// Whether a file begins as the second volume of `tar -M`, or a later one, does.
  ///
  /// - Parameter head: its first bytes.
  static func isLaterVolume(_ head: [UInt8]) -> Bool {
    guard let header = TarHeader(head) else { return false }
    if header.type == UInt8(ascii: "M") { return true }
    // In the POSIX format, a global header tells the file that goes on, and from where.
    guard header.type == UInt8(ascii: "g") else { return false }
    return head[length...].contains("GNU.volume.".utf8)
  }
}

extension Collection<UInt8> {
  /// Whether these bytes are in it, one behind the other.
  func contains(_ bytes: some Collection<UInt8>) -> Bool {
    indices.contains { self[$0...].starts(with: bytes) }
  }
}
