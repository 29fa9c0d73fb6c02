extension Manifest {
  /// What is known of some bytes before they are read.
  public struct Expected: Hashable, Sendable {
    /// Bytes, not negative.
    public var size: Int64?
    public var crc32: UInt32?
    public var adler32: UInt32?
    /// One of each kind.
    public var digests: [Checksum.Digest]

    init(
      size: Int64? = nil,
      crc32: UInt32? = nil,
      adler32: UInt32? = nil,
      digests: [Digest] = []
    ) {
      (self.size, self.crc32, self.adler32, self.digests) = (size, crc32, adler32, digests)
    }

    /// Without digests.
    init(_ sum: Checksum) {
      self.init(size: sum.count, crc32: sum.crc32, adler32: sum.adler32)
    }

    /// The digest to compare: others of the same bytes would prove nothing more.
    public var strongest: Checksum.Digest? {
      Digest.Kind.allCases.reversed().lazy.compactMap { kind in
        digests.first { $0.kind == kind }
      }.first
    }

    /// The kind of sum of which another has another one; nil where none contradicts.
    func contradiction(with other: Expected) -> String? {
      if let crc32, let sum = other.crc32, crc32 != sum { return "CRC-32" }
      let digest = digests.first { digest in
        other.digests.contains { $0.kind == digest.kind && $0 != digest }
      }
      return digest.map { $0.kind.rawValue.uppercased() }
    }

    /// The same with all sums of kinds that it has none of.
    func withAll(of other: Expected) -> Expected {
      var sums = self
      sums.size = size ?? other.size
      sums.crc32 = crc32 ?? other.crc32
      sums.adler32 = adler32 ?? other.adler32
      sums.digests += other.digests.filter { new in !digests.contains { $0.kind == new.kind } }
      return sums
    }

    /// The same with the CRC-32, and a digest, of another.
    ///
    /// - Parameter areOfSeveral: whether several lists have told these, so that all digests are needed: of those that one
    ///   has, one is enough.
    func adding(_ other: Expected, ofSeveral areOfSeveral: Bool) -> Expected {
      var sums = self
      sums.crc32 = crc32 ?? other.crc32
      let theirs = areOfSeveral ? other.digests : other.strongest.map { [$0] } ?? []
      let new = theirs.filter { new in !digests.contains { $0.kind == new.kind } }
      if new.isEmpty { return sums }
      sums.digests = (strongest.map { [$0] } ?? []) + digests.filter { $0 != strongest } + new
      return sums
    }

    /// Whether the bytes are compared by a sum that others would not have. No file is empty but one.
    func isCompared(_ found: Found) -> Bool {
      size == 0 && found.checksum.count == 0
        || crc32 != nil && found.kinds.contains(.crc32)
        || digests.contains { digest in found.digests.contains { $0.kind == digest.kind } }
    }

    /// How the bytes differ, as the end of a sentence, and by what that was seen; nil where they do not. What was not
    /// computed does not differ.
    func difference(from found: Found) -> (text: String, means: Comparison.Means)? {
      let sum = found.checksum
      if let size, size != sum.count { return ("has \(sum.count) bytes, not \(size)", .size) }
      if let crc32, found.kinds.contains(.crc32), crc32 != sum.crc32 {
        return ("has CRC-32 \(sum.crc32Text), not \(Checksum.hexadecimal(crc32))", .crc32)
      }
      if let adler32, found.kinds.contains(.adler32), adler32 != sum.adler32 {
        return ("has Adler-32 \(sum.adler32Text), not \(Checksum.hexadecimal(adler32))", .adler32)
      }
      for digest in found.digests {
        let expected = digests.first { $0.kind == digest.kind }
        if let expected, expected != digest {
          let text = "has \(digest.kind.name) \(digest.text), not \(expected.text)"
          return (text, .digest(digest.kind))
        }
      }
      return nil
    }

    /// The kinds of sums of which it has one.
    var means: Set<Comparison.Means> {
      Set(digests.map { .digest($0.kind) } + (crc32 == nil ? [] : [.crc32]))
    }
  }

  /// The CRC-32 of all that it says of some files, in their order.
  func crc32(ofSumsOf names: PathList) -> UInt32 {
    var sum = Checksum()
    for name in names {
      let expected = expected(of: name)
      let sums = [expected?.crc32, expected?.adler32].map { $0.map(Checksum.hexadecimal) ?? "-" }
      let digests = expected?.digests.map { "\($0.kind.rawValue)=\($0.text)" }.sorted() ?? []
      let line = ([expected?.size.map { "\($0)" } ?? "-"] + sums + digests).joined(separator: " ")
      sum.append(Checksum(of: Array("\(line)\n".utf8)[...], [.crc32]))
    }
    return sum.crc32
  }

  /// What was found of some bytes.
  struct Found {
    var checksum: Checksum
    /// Which sums the checksum has.
    var kinds: Checksum.Kinds
    var digests: [Digest]
  }
}
