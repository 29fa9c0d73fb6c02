public import Posix

extension Manifest {
  /// What came of comparing files with a manifest: what was compared, and what differs.
  public struct Comparison: Hashable, Sendable {
    /// What is wrong. The whole is named only where no part is.
    public internal(set) var differences: [Difference] = []
    /// How many parts were compared by a CRC-32 or a digest.
    public internal(set) var partsCompared = 0
    /// Whether the whole was compared by a CRC-32 or a digest.
    public internal(set) var comparesWhole = false

    /// One part, or the whole.
    public struct Item: Hashable, Sendable {
      public var isListed: Bool
      /// Whether it was compared by a sum that other bytes would not have.
      public var isCompared: Bool
    }

    /// By what a difference was seen.
    public enum Means: Hashable, Sendable {
      case size, crc32, adler32
      case digest(Checksum.Digest.Kind)
    }
  }

  /// Compares parts, and the whole that they make, with the manifest.
  ///
  /// - Parameters:
  ///   - parts: standard input, which has no name, is compared only as part of the whole.
  ///   - whole: nil where not all parts could be read, or they are not just put together.
  ///   - base: the name that the parts share, if they do.
  ///   - digests: those that ``digests(of:)`` asks for, of the same parts and their whole. What is not
  ///     among them is not compared.
  ///   - kinds: which sums the checksums have.
  public func compare(
    parts: some RandomAccessCollection<(path: FilePath, checksum: Checksum)>,
    whole: Checksum?,
    of base: FilePath?,
    digests: Digests = Digests(),
    kinds: Checksum.Kinds = [.crc32, .adler32]
  ) -> Comparison {
    var comparison = Comparison()
    let expectedWhole = self.whole(of: base)
    let listsParts = parts.contains { $0.path != "-" && expected(of: $0.path) != nil }
    if !listsParts, expectedWhole == nil {
      comparison.differences.append(Difference(path: path, text: "names none of the parts"))
    }
    // Files that share no name may be of several lists.
    let requiresAll = listsParts && listsAllParts && (base != nil || isOwn)
    for (index, part) in parts.enumerated() where part.path != "-" {
      let found = Found(checksum: part.checksum, kinds: kinds, digests: digests.part(index))
      // A manifest may be of the whole alone, or of some parts.
      let result = compare(part: part.path, found, requiresListing: requiresAll)
      if result.item.isCompared { comparison.partsCompared += 1 }
      if let difference = result.difference { comparison.differences.append(difference) }
    }
    if let whole {
      let found = Found(checksum: whole, kinds: kinds, digests: digests.whole)
      // Parts may be called otherwise, as Total Commander's, which leave out the end of the name.
      let told = Format(of: self.path) == .crc || isOwn ? self.whole?.name : nil
      let name = told.map { base?.sibling($0) ?? $0 } ?? base
      let result = Comparison.item(name ?? Comparison.namelessWhole, expectedWhole, found)
      comparison.comparesWhole = result.item.isCompared
      if let difference = result.difference, comparison.differences.isEmpty {
        comparison.differences.append(difference)
      }
    }
    return comparison
  }

  /// Compares one part with what is said of it.
  ///
  /// - Parameter requiresListing: whether a part that is not listed differs by that.
  /// - Returns: what was compared, and how it differs, as the end of a sentence that begins with its
  ///   name.
  func compare(
    part path: FilePath,
    _ found: Found,
    requiresListing: Bool
  ) -> (item: Comparison.Item, difference: Difference?) {
    let (item, difference) = Comparison.item(path, expected(of: path), found)
    guard !item.isListed, requiresListing else { return (item, difference) }
    return (item, Difference(path: path, text: "is not in the manifest"))
  }

  /// Compares a file that is a whole itself with the manifest.
  ///
  /// - Returns: what was compared, and how it differs, as the end of a sentence that begins with its
  ///   name.
  public func compare(
    whole path: FilePath,
    _ checksum: Checksum,
    digests: [Checksum.Digest] = [],
    kinds: Checksum.Kinds = [.crc32, .adler32]
  ) -> (item: Comparison.Item, difference: Difference?) {
    let found = Found(checksum: checksum, kinds: kinds, digests: digests)
    return Comparison.item(path, expected(ofWhole: path), found)
  }

  /// What is said of a file, which may be in a directory below the manifest's own.
  func expected(of file: FilePath) -> Expected? {
    let name = listedName(of: file)
    // What several lists say of a file is under its name alone.
    if isUnited, let united = entries.expected(of: name) { return united }
    guard !nested.isEmpty else { return entries.expected(of: name) }
    let directory = path.sibling("").bytes
    guard file.bytes.starts(with: directory) else { return entries.expected(of: name) }
    let below = FilePath(bytes: file.bytes.dropFirst(directory.count))
    return nested.expected(of: below) ?? entries.expected(of: name)
  }
}

extension Manifest.Comparison {
  /// What messages call what is made of files that share no name.
  static let namelessWhole: FilePath = "the whole"

  fileprivate static func item(
    _ path: FilePath,
    _ expected: Manifest.Expected?,
    _ found: Manifest.Found
  ) -> (item: Item, difference: Manifest.Difference?) {
    guard let expected else { return (Item(isListed: false, isCompared: false), nil) }
    let difference = expected.difference(from: found).map { difference in
      Manifest.Difference(path: path, text: difference.text, means: difference.means)
    }
    return (Item(isListed: true, isCompared: expected.isCompared(found)), difference)
  }
}

extension Manifest {
  /// What is wrong with a manifest for these parts, before any of them is read.
  enum Fit: Hashable, Sendable {
    case fits
    /// It says nothing of any part, nor of the whole.
    case namesNothing
    /// It lists some parts, and should list this one, too.
    case lacks(FilePath)
  }

  func fit(_ names: PathList, of base: FilePath?) -> Fit {
    let missing = names.filter { $0 != "-" && expected(of: $0) == nil }
    guard let first = missing.first else { return .fits }
    let listsNone = missing.count == names.count(where: { $0 != "-" })
    if listsNone { return whole(of: base) == nil ? .namesNothing : .fits }
    // One of a file that is called as a whole is may have been made of whatever ends in `.zip`.
    let isOfLast =
      isOfVolumes && entries.count == 1 && entries.first?.name == base?.lastComponent
    return listsAllParts && !isOfLast ? .lacks(first) : .fits
  }

  /// What it lists that may be parts of `base`, by names that are spelled otherwise or lead elsewhere: as
  /// many files, or some that end as the parts do; nil where there is none.
  func likelyMeant(by names: PathList, of base: FilePath) -> String? {
    let listed = entries.count + nested.count + elsewhere.count
    if listed == names.count { return "as many files by other names" }
    let start = base.lastComponent.bytes
    let ends = names.map(\.lastComponent.bytes).map { name in
      Array(name.dropFirst(name.starts(with: start) ? start.count : 0))
    }
    var missing = Set(ends.map { SplitZipName.folded($0) })
    let lengths = Set(missing.map(\.count))
    guard !missing.contains([]) else { return nil }
    for entry in [entries, nested, elsewhere].joined() where !missing.isEmpty {
      let name = SplitZipName.folded(entry.name.bytes)
      for length in lengths { missing.remove(Array(name.suffix(length))) }
    }
    return missing.isEmpty ? "files that end as they do" : nil
  }

  /// The name of an entry that is a part's but for the case of its letters, or the form in which Unicode has them.
  func entry(folding part: FilePath) -> FilePath? {
    let spelling = part.spelling
    return entries.lazy.map(\.name).first { $0.spelling == spelling }
  }

  /// Whether comparing will prove every byte of some parts, or of what they make.
  package func covers(_ names: PathList, makesWhole: Bool, of base: FilePath?) -> Bool {
    if makesWhole, whole(of: base)?.canProve == true { return true }
    return names.allSatisfy { $0 != "-" && expected(of: $0)?.canProve == true }
  }
}

extension Manifest.Expected {
  /// Whether there is a sum that can be compared here.
  var canProve: Bool {
    size == 0 || crc32 != nil || strongest != nil && RunningDigest.isAvailable
  }
}
