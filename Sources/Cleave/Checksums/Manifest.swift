public import Posix

/// An SFV file, and where it was found.
public struct Manifest: Hashable, Sendable {
  public var path: FilePath
  public var sfv: SFV

  /// Reads a manifest.
  ///
  /// - Throws: `.badData` with the line that is wrong; or what opening and reading report.
  public init(reading path: FilePath) throws(CleaveError) {
    self.path = path
    sfv = try SFV.read(path)
  }

  /// Where split puts the manifest of the parts of `base`, and merge looks for it.
  public static func path(beside base: FilePath) -> FilePath { base.adding(".sfv") }

  /// Whether a file has the name of a manifest, which `NAME.*` of a shell takes in among the parts.
  static func isName(_ path: FilePath) -> Bool { path.ends(in: ".sfv") }

  /// The manifest beside the parts of `base`, if there is one.
  public static func beside(_ base: FilePath) throws(CleaveError) -> Manifest? {
    let path = path(beside: base)
    do {
      guard try FileStatus.ifPresent(path) != nil else { return nil }
    } catch {
      throw .reading(error)
    }
    return try Manifest(reading: path)
  }

  /// A file that the manifest names, which is always in the manifest's own directory.
  public func file(_ entry: SFV.Entry) -> FilePath {
    let file = path.sibling(entry.name)
    // By itself the dash stands for standard input.
    return file == "-" ? "./-" : file
  }

  /// The entries for parts of a series, in the manifest's order.
  ///
  /// - Parameter base: what the parts' names have in common; of a split zip, the last part.
  public func parts(of base: FilePath) -> [SFV.Entry] {
    let name = base.lastComponent
    let numbered = sfv.entries.filter { PartName($0.name)?.base == name }
    if !numbered.isEmpty { return numbered }
    guard let last = SplitZipName(name), last.place == .last else {
      return sfv.entries.filter { PartName.isPart($0.name, of: name) }
    }
    let parts = sfv.entries.filter { SplitZipName($0.name)?.isPart(with: last) ?? false }
    // The last part alone is a whole zip.
    return parts.contains { $0.name != name } ? parts : []
  }

  /// Whether the parts of `base` are those of a split zip, which are not just put together.
  package func isOfSplitZip(_ base: FilePath) -> Bool {
    parts(of: base).contains { PartName($0.name) == nil }
  }

  /// What the manifest says of the whole that the parts of `base` make: from cleave's own header,
  /// or from an entry under the whole's name.
  func whole(of base: FilePath?) -> Expected? {
    if let whole = sfv.whole { return Expected(whole) }
    guard let name = base?.lastComponent else { return nil }
    return sfv.entries.first { $0.name == name }.map { Expected(crc32: $0.crc32) }
  }

  /// What is known of some bytes before they are read.
  struct Expected: Hashable, Sendable {
    var size: Int64?
    var crc32: UInt32
    var adler32: UInt32?

    init(crc32: UInt32) { self.crc32 = crc32 }

    init(_ whole: SFV.Whole) {
      (size, crc32, adler32) = (whole.size, whole.crc32, whole.adler32)
    }

    /// How the bytes differ, as the end of a sentence, or nil where they do not.
    func difference(from found: Checksum) -> String? {
      if let size, size != found.count { return "has \(found.count) bytes, not \(size)" }
      if crc32 != found.crc32 {
        return "has CRC-32 \(found.crc32Text), not \(Checksum.hexadecimal(crc32))"
      }
      if let adler32, adler32 != found.adler32 {
        return "has Adler-32 \(found.adler32Text), not \(Checksum.hexadecimal(adler32))"
      }
      return nil
    }
  }
}

// MARK: - Comparing

extension Manifest {
  /// A file that is not what the manifest says.
  public struct Difference: Hashable, Sendable {
    public var path: FilePath
    /// The end of a sentence that begins with the name.
    public var text: String
  }

  /// Compares parts, and the whole that they make, with the manifest, and finds a difference where
  /// there is nothing to compare.
  ///
  /// - Parameter parts: standard input, which has no name, is compared only as part of the whole.
  /// - Parameter whole: nil where not all parts could be read.
  /// - Parameter base: the name that the parts share, if they do.
  public func differences(
    parts: [(path: FilePath, checksum: Checksum)],
    whole: Checksum?,
    of base: FilePath?
  ) -> [Difference] {
    let sums = Dictionary(sfv.entries.map { ($0.name, $0.crc32) }) { first, _ in first }
    let named = parts.filter { $0.path != "-" }
    let expected = self.whole(of: base)
    // A manifest may be of the whole alone.
    let listsParts = named.contains { sums[$0.path.lastComponent] != nil }
    if !listsParts, expected == nil {
      return [Difference(path: path, text: "names none of the parts")]
    }
    var result: [Difference] = []
    for (path, checksum) in named where listsParts {
      guard let crc32 = sums[path.lastComponent] else {
        result.append(Difference(path: path, text: "is not in the manifest"))
        continue
      }
      if let text = Expected(crc32: crc32).difference(from: checksum) {
        result.append(Difference(path: path, text: text))
      }
    }
    if result.isEmpty, let whole, let text = expected?.difference(from: whole) {
      result.append(Difference(path: base ?? "the whole", text: text))
    }
    return result
  }

  /// Whether Adler-32 is needed to check the whole that the parts of `base` make.
  public func kinds(of base: FilePath?) -> Checksum.Kinds {
    whole(of: base)?.adler32 == nil ? [.crc32] : [.crc32, .adler32]
  }

  /// - Throws: one `.badData` that names every difference, or the first twenty.
  public static func requireNone(
    _ differences: [Difference],
    _ path: FilePath
  ) throws(CleaveError) {
    guard !differences.isEmpty else { return }
    var texts = differences.prefix(20).map { "\($0.path) \($0.text)" }
    if differences.count > 20 { texts.append("and \(differences.count - 20) more differ") }
    throw CleaveError(.badData, path, texts.joined(separator: "; "))
  }
}

extension Manifest {
  /// Compares files that are wholes themselves with the manifest.
  public func differences(
    ofWhole files: [(path: FilePath, checksum: Checksum)]
  ) -> [Difference] {
    files.compactMap { path, checksum in
      let entry = sfv.entries.first { $0.name == path.lastComponent }
      guard let expected = entry.map({ Expected(crc32: $0.crc32) }) ?? whole(of: path) else {
        return Difference(path: path, text: "is not in the manifest")
      }
      return expected.difference(from: checksum).map { Difference(path: path, text: $0) }
    }
  }
}
