public import Posix

/// Whether a result is right: what was compared with what, and what came of it.
///
/// The only source of "as in", of `verified` and `proof` in JSON, of the exit code for wrong data, and
/// of the permission to free a source.
public struct Verdict: Hashable, Sendable {
  /// One comparison that found no difference.
  public struct Proof: Hashable, Sendable {
    /// What was compared with, as JSON spells it.
    public enum Ground: String, CaseIterable, Hashable, Sendable {
      /// Sums of each part, in a manifest.
      case parts = "manifest of the parts"
      /// Sums of what the parts make, in a manifest.
      case whole = "manifest of the whole"
      /// The CRC-32 and the size that a zip has of each of its entries.
      case entries
      /// The CRC-32 and the size behind each member of a gzip file.
      case gzip
      /// Sums of headers, of an index or a trailer: of the data they say nothing.
      case structure
      /// The store's own CRC-32 of all of an object.
      case store
    }

    public var ground: Ground
    /// The manifest, where it was one.
    public var manifest: FilePath?
    /// The end of a sentence such as "it is right".
    public var text: String
    /// Whether every byte was proved, and not only some of them.
    public var isComplete: Bool

    package init(_ ground: Ground, _ text: String, isComplete: Bool, manifest: FilePath? = nil) {
      (self.ground, self.text, self.isComplete) = (ground, text, isComplete)
      self.manifest = manifest
    }
  }

  public private(set) var proofs: [Proof] = []
  /// What is not as a manifest says.
  public private(set) var differences: [Manifest.Difference] = []
  /// What is not as the content itself says.
  public private(set) var faults: [ProofResult.Finding] = []
  /// Faults beyond those.
  private var moreFaults: Int64 = 0
  /// The manifest that was compared with, and the one that each difference is from.
  private var manifest: FilePath?
  private var sources: [FilePath] = []
  /// What there was something to compare with, and that was not compared; one sentence each.
  public private(set) var gaps: [String] = []
  /// A manifest that was there and says nothing of what was made.
  public private(set) var silent: FilePath?
  /// Whether nobody wanted to know.
  public private(set) var isWaived = false

  public init() {}

  /// The verdict of somebody who did not look.
  public static let waived: Verdict = {
    var verdict = Verdict()
    verdict.isWaived = true
    return verdict
  }()

  /// Whether every byte was compared with something, and nothing differs.
  public var isVerified: Bool { isRight && proofs.contains(where: \.isComplete) }

  /// Whether nothing is known to be wrong; no source may go where this is false.
  public var isRight: Bool { differences.isEmpty && faults.isEmpty }
}

// MARK: - Manifests

extension Verdict {
  /// Compares parts, and what they make, with a manifest.
  ///
  /// - Parameters:
  ///   - parts: standard input, which has no name, is compared only as part of the whole.
  ///   - whole: nil where what is made is not what the manifest tells of.
  ///   - base: the name that the parts share, if they do.
  ///   - digests: those that ``Manifest/digests(of:)`` asks for, of the same parts and their whole.
  ///   - kinds: which sums the checksums have.
  ///   - isPiece: whether no more than these parts were asked for, under a name that is not the whole's.
  package mutating func compare(
    with manifest: Manifest,
    parts: some RandomAccessCollection<(path: FilePath, checksum: Checksum)>,
    whole: Checksum?,
    of base: FilePath?,
    digests: Digests = Digests(),
    kinds: Checksum.Kinds = [.crc32, .adler32],
    isPiece: Bool = false
  ) {
    let result = manifest.compare(
      parts: parts,
      whole: whole,
      of: base,
      digests: digests,
      kinds: kinds
    )
    self.manifest = manifest.path
    differences += result.differences
    sources += result.differences.map { manifest.source(of: $0.path, by: $0.means) }
    guard result.differences.isEmpty else { return }
    let paths = parts.lazy.map(\.path)
    let name = manifest.name(telling: paths, orOfWhole: result.comparesWhole, base)
    let text = "as in \(name)"
    if result.comparesWhole {
      proofs.append(Proof(.whole, text, isComplete: true, manifest: manifest.path))
    }
    if result.partsCompared > 0 {
      // Some of the parts, or all in another order, are not what the manifest is about.
      let listed = base.map { manifest.parts(of: $0) } ?? manifest.entries
      let names = parts.lazy.map { manifest.listedName(of: $0.path) }
      // Of several lists, any may have the order.
      let isAll =
        listed.isEmpty || isPiece
        || ([listed] + manifest.told.map(\.entries)).contains { entries in
          entries.count == listed.count
            && Self.isAll(names, of: entries.indices.lazy.map { entries.name(at: $0) }, base)
        }
      let isComplete = isAll && result.partsCompared == parts.count
      proofs.append(Proof(.parts, text, isComplete: isComplete, manifest: manifest.path))
    }
    if !result.comparesWhole, result.partsCompared == 0 { silent = manifest.path }
  }

  /// Whether these are all parts that are listed, in any order of the lines, and in that of their
  /// numbers.
  private static func isAll(
    _ names: some Collection<FilePath>,
    of listed: some Collection<FilePath>,
    _ base: FilePath?
  ) -> Bool {
    if names.elementsEqual(listed) { return true }
    guard names.count == listed.count, Set(names) == Set(listed) else { return false }
    let names = Array(names)
    // Without numbers the order is that of the lines alone.
    let form =
      PartName.common(names) ?? base.flatMap { PartName.counting(names, for: $0.lastComponent) }
    guard let form else { return false }
    let numbers = names.compactMap { form.digits(of: $0)?.number }
    return zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// - Throws: one `.badData` that names every difference, or the first twenty; `.missingInput` where the content
  ///   ends too early.
  public func requireRight() throws(CleaveError) {
    try requireNoDifference()
    guard let first = faults.first else { return }
    let error = first.error(among: Int64(faults.count) + moreFaults)
    throw error.adding("; \(.withoutContent) does not look at the content")
  }
}

extension Verdict {
  private func requireNoDifference() throws(CleaveError) {
    guard let manifest, let first = sources.first else { return }
    var texts = zip(differences, sources).prefix(20).map { different, source in
      if different.path == manifest { return different.text }
      let other = source == first ? "" : " in \(source.lastComponent)"
      return "\(different.path) \(different.text)\(other)"
    }
    if differences.count > 20 { texts.append("and \(differences.count - 20) more differ") }
    var error = CleaveError(
      .badData,
      first,
      "\(texts.joined(separator: "; ")); \(.withoutManifest) does not compare with it"
    )
    error.wrong = differences.prefix(100).map(\.path)
    throw error
  }
}

// MARK: - Contents

extension Verdict {
  /// Adds what the content says of itself; nil where it says nothing.
  package mutating func add(_ content: ProofResult?) {
    guard let content else { return }
    faults += content.differences.first
    moreFaults += content.differences.count - Int64(content.differences.first.count)
    if content.untested.count > 0 { gaps.append("\(content.untested.count) not tested") }
    guard content.differences.count == 0, content.coverage != .nothing else { return }
    let ground: Proof.Ground
    switch content.kind {
    case .zip: ground = .entries
    case .gzip: ground = .gzip
    case .sevenZip, .xz, .lzip, .zstd, .tar: ground = .structure
    }
    let isComplete = content.coverage == .whole
    proofs.append(Proof(ground, "proved by \(content.described)", isComplete: isComplete))
  }
}

// MARK: - Stores

extension Verdict {
  /// A store has compared its own sum of what it has with one that a manifest proves.
  mutating func add(storeHasCompared isProved: Bool) {
    guard isProved, isVerified else { return }
    proofs.append(Proof(.store, "proved by the store", isComplete: true))
  }

  /// Nothing could be compared, and why.
  ///
  /// - Parameter manifest: one that there was to compare with.
  mutating func add(gap: String, _ manifest: FilePath? = nil) {
    gaps.append(gap)
    silent = manifest ?? silent
  }
}

// MARK: - Telling

extension Verdict: CustomStringConvertible {
  /// The end of a line that tells of the result: "as in film.sfv".
  public var description: String {
    if isWaived { return "not verified" }
    var texts: [String] = []
    if let silent { texts.append("not compared with \(silent)") }
    var seen: Set<String> = []
    for proof in proofs where seen.insert(proof.text).inserted {
      texts.append(text(of: proof))
    }
    if proofs.isEmpty, silent == nil { texts.append("nothing to compare with") }
    return (texts + gaps).joined(separator: ", ")
  }

  /// What one of the proofs tells, with how far it goes.
  package func text(of proof: Proof) -> String {
    proof.isComplete || isVerified ? proof.text : "in part \(proof.text)"
  }
}
