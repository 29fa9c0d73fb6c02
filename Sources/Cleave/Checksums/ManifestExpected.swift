extension Manifest {
  /// What is known of some bytes before they are read.
  public struct Expected: Hashable, Sendable {
    /// Bytes, not negative.
    public var size: Int64?
    public var crc32: UInt32?
    public var adler32: UInt32?
    /// One of each kind.
    public var digests: [Digest]

    init(
      size: Int64? = nil,
      crc32: UInt32? = nil,
      adler32: UInt32? = nil,
      digests: [Digest] = []
    ) {
      (self.size, self.crc32, self.adler32, self.digests) = (size, crc32, adler32, digests)
    }

    /// The digest to compare: others of the same bytes would prove nothing more.
    public var strongest: Digest? {
      Digest.Kind.allCases.reversed().lazy.compactMap { kind in
        digests.first { $0.kind == kind }
      }.first
    }

    /// How the bytes differ, as the end of a sentence, or nil where they do not.
    ///
    /// - Parameter digests: of the bytes. That the one to compare is not there is a difference, but
    ///   where none can be computed.
    func difference(from found: Checksum, _ digests: [Digest] = []) -> String? {
      if let size, size != found.count { return "has \(found.count) bytes, not \(size)" }
      if let crc32, crc32 != found.crc32 {
        return "has CRC-32 \(found.crc32Text), not \(Checksum.hexadecimal(crc32))"
      }
      if let adler32, adler32 != found.adler32 {
        return "has Adler-32 \(found.adler32Text), not \(Checksum.hexadecimal(adler32))"
      }
      guard let strongest, RunningDigest.isAvailable else { return nil }
      guard let digest = digests.first(where: { $0.kind == strongest.kind }) else {
        return "was not compared by its \(strongest.kind.name)"
      }
      return digest == strongest
        ? nil : "has \(digest.kind.name) \(digest.text), not \(strongest.text)"
    }
  }
}
