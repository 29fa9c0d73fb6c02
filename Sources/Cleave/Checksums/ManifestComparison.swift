public import Posix

extension Manifest {
  /// A file that is not what the manifest says.
  public struct Difference: Hashable, Sendable {
    public var path: FilePath
    /// The end of a sentence that begins with the name.
    public var text: String
  }

  /// The differences alone, with what was not compared among them; see
  /// ``compare(parts:whole:of:digests:kinds:)``.
  ///
  /// - Parameter parts: standard input, which has no name, is compared only as part of the whole.
  /// - Parameter whole: nil where not all parts could be read.
  /// - Parameter base: the name that the parts share, if they do.
  /// - Parameter digests: those that ``digests(of:)`` asks for, of the same parts and their whole.
  public func differences(
    parts: [(path: FilePath, checksum: Checksum)],
    whole: Checksum?,
    of base: FilePath?,
    digests: Digests = Digests()
  ) -> [Difference] {
    let comparison = compare(parts: parts, whole: whole, of: base, digests: digests)
    var result = comparison.differences
    // What can be computed has to be there; and what is not listed is no reason for "as in".
    if result.isEmpty, !comparison.comparesWhole {
      result += comparison.parts.filter { !$0.isListed && comparison.partsListed > 0 }.map {
        Difference(path: $0.path, text: "is not in the manifest")
      }
      guard RunningDigest.isAvailable else { return result }
      result += comparison.parts.filter { $0.isListed && !$0.isCompared }.map {
        Difference(path: $0.path, text: "was not compared by its digest")
      }
    }
    return result
  }

  /// Which sums are needed to check the parts of `base` and the whole that they make.
  public func kinds(of base: FilePath?) -> Checksum.Kinds {
    whole(of: base)?.adler32 == nil ? [.crc32] : [.crc32, .adler32]
  }

  /// Which digests are needed to check the parts of `base` and the whole that they make.
  public func digests(of base: FilePath?) -> DigestRequest {
    let parts = base.map { self.parts(of: $0) } ?? entries + nested
    return DigestRequest(
      parts: Set(parts.compactMap { $0.expected.strongest?.kind }),
      whole: Set([whole(of: base)?.strongest?.kind].compactMap { $0 })
    )
  }

  /// - Throws: one `.badData` that names every difference, or the first twenty.
  public static func requireNone(
    _ differences: [Difference],
    _ path: FilePath
  ) throws(CleaveError) {
    guard !differences.isEmpty else { return }
    var texts = differences.prefix(20).map { $0.path == path ? $0.text : "\($0.path) \($0.text)" }
    if differences.count > 20 { texts.append("and \(differences.count - 20) more differ") }
    throw CleaveError(.badData, path, texts.joined(separator: "; "))
  }

  /// What is said of a file that is a whole itself.
  public func expected(ofWhole path: FilePath) -> Expected? {
    entries.first { $0.name == path.lastComponent }?.expected ?? whole(of: path)
  }
}

/// Which digests a job computes, as its bytes pass in their order.
public struct DigestRequest: Hashable, Sendable {
  /// Of each part.
  public var parts: Set<Digest.Kind>
  /// Of the whole.
  public var whole: Set<Digest.Kind>

  public init(parts: Set<Digest.Kind> = [], whole: Set<Digest.Kind> = []) {
    (self.parts, self.whole) = (parts, whole)
  }

  public var isEmpty: Bool { parts.isEmpty && whole.isEmpty }
}

/// The digests that a job has computed.
public struct Digests: Hashable, Sendable {
  /// Of each part; empty where none were asked for.
  public var parts: [[Digest]] = []
  /// Of the whole.
  public var whole: [Digest] = []

  public init() {}

  /// Those of a part by its index.
  public func part(_ index: Int) -> [Digest] {
    parts.indices.contains(index) ? parts[index] : []
  }
}
