/// Some of all bytes, with letters in both cases. Takes no memory of its own, and so no reference is
/// counted.
struct ByteSet: Sendable {
  private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  static let all = ByteSet { _ in true }
  static let decimal = ByteSet(where: PartAlphabet.decimal.contains)

  /// - Parameter bytes: letters in either case.
  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      insert(byte)
      if PartAlphabet.letters.contains(byte) { insert(byte ^ 0x20) }
    }
  }

  init(where isIn: (UInt8) -> Bool) {
    var byte: UInt8 = 0
    repeat {
      if isIn(byte) { insert(byte) }
      byte &+= 1
    } while byte != 0
  }

  private mutating func insert(_ byte: UInt8) {
    let bit: UInt64 = 1 << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: bits.0 |= bit
    case 1: bits.1 |= bit
    case 2: bits.2 |= bit
    default: bits.3 |= bit
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    let word =
      switch byte >> 6 {
      case 0: bits.0
      case 1: bits.1
      case 2: bits.2
      default: bits.3
      }
    return word >> UInt64(byte & 63) & 1 == 1
  }

  func intersects(_ other: ByteSet) -> Bool {
    bits.0 & other.bits.0 | bits.1 & other.bits.1 | bits.2 & other.bits.2 | bits.3 & other.bits.3
      != 0
  }

  mutating func formUnion(_ other: ByteSet) {
    bits.0 |= other.bits.0
    bits.1 |= other.bits.1
    bits.2 |= other.bits.2
    bits.3 |= other.bits.3
  }

  func union(_ other: ByteSet) -> ByteSet {
    var both = self
    both.formUnion(other)
    return both
  }
}
