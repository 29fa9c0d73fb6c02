public import Posix

extension Manifest {
  /// A file that is not what the manifest says.
  public struct Difference: Hashable, Sendable {
    public var path: FilePath
    /// The end of a sentence that begins with the name.
    public var text: String
    /// By what that was seen; nil where nothing was compared.
    public var means: Comparison.Means?
  }

  /// Which sums are needed to check the parts of `base` and the whole that they make.
  public func kinds(of base: FilePath?) -> Checksum.Kinds {
    whole(of: base)?.adler32 == nil ? [.crc32] : [.crc32, .adler32]
  }

  /// Which digests are needed to check the parts of `base` and the whole that they make.
  public func digests(of base: FilePath?) -> DigestRequest {
    var request = DigestRequest(whole: whole(of: base).map(compared) ?? [])
    // To tell whose the entries are takes time.
    guard entries.mayHaveDigests || nested.mayHaveDigests else { return request }
    let listed: Entries = base.map { parts(of: $0) } ?? []
    // Parts of a family that only the user knows of are among all that it lists.
    let isKnown = !isUnited && (!listed.isEmpty || base != nil && whole(of: base) != nil)
    for list in isKnown ? [listed] : [entries, nested] {
      for entry in list {
        request.parts.formUnion(compared(entry.expected))
      }
    }
    return request
  }

  /// The digests that are compared: of those that one list has, the strongest; what others have besides may be of other
  /// bytes.
  func compared(_ expected: Expected) -> Set<Checksum.Digest.Kind> {
    Set(isUnited ? expected.digests.map(\.kind) : expected.strongest.map { [$0.kind] } ?? [])
  }

  /// What is said of a file that is a whole itself.
  public func expected(ofWhole path: FilePath) -> Expected? {
    whole(named: path) ?? entries.expected(of: path.lastComponent) ?? whole(of: path)
  }
}

/// Which digests a job computes, as its bytes pass in their order.
public struct DigestRequest: Hashable, Sendable {
  /// Of each part.
  public var parts: Set<Checksum.Digest.Kind>
  /// Of the whole.
  public var whole: Set<Checksum.Digest.Kind>

  public init(parts: Set<Checksum.Digest.Kind> = [], whole: Set<Checksum.Digest.Kind> = []) {
    (self.parts, self.whole) = (parts, whole)
  }

  public var isEmpty: Bool { parts.isEmpty && whole.isEmpty }
}

/// The digests that a job has computed.
public struct Digests: Hashable, Sendable {
  /// Of each part; empty where none were asked for.
  public var parts: [[Checksum.Digest]] = []
  /// Of the whole.
  public var whole: [Checksum.Digest] = []

  public init() {}

  /// Those of a part by its index.
  public func part(_ index: Int) -> [Checksum.Digest] {
    parts.indices.contains(index) ? parts[index] : []
  }
}
