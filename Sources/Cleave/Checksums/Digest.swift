/// Inside the package by its short name, which other modules have a type of.
package typealias Digest = Checksum.Digest

extension Checksum {
  /// A cryptographic hash of some bytes. Unlike a ``Checksum`` it is not joined with its neighbour's:
  /// the bytes have to pass in their order.
  public struct Digest: Hashable, Sendable {
    /// The hashes that coreutils has programs for; each is no weaker than those before it.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
      case md5, sha1, sha224, sha256, sha384, sha512
      /// BLAKE2b of 512 bits, as in RFC 7693 and `b2sum(1)`.
      case b2

      /// The bytes of a digest.
      public var count: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512, .b2: 64
        }
      }

      /// How lines such as `SHA256 (name) = …` call it, and messages.
      public var name: String { self == .b2 ? "BLAKE2b" : rawValue.uppercased() }
    }

    public let kind: Kind
    /// ``Kind/count`` bytes.
    public let bytes: [UInt8]

    /// A digest from its bytes, or nil where they are not as many as it has.
    public init?(_ kind: Kind, bytes: [UInt8]) {
      guard bytes.count == kind.count else { return nil }
      (self.kind, self.bytes) = (kind, bytes)
    }

    /// A digest from its hexadecimal digits, of either case.
    package init?(_ kind: Kind, digits: some Collection<UInt8>) {
      guard digits.count == 2 * kind.count else { return nil }
      var bytes: [UInt8] = []
      var high: UInt8?
      for digit in digits {
        guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
        if let upper = high {
          bytes.append(upper << 4 | UInt8(value))
          high = nil
        } else {
          high = UInt8(value)
        }
      }
      self.init(kind, bytes: bytes)
    }

    /// Lower case hexadecimal digits, two for each byte.
    public var text: String {
      let digits = Array("0123456789abcdef".utf8)
      return String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
        as: UTF8.self
      )
    }
  }
}
