public import Posix

/// What is known of files before they are read, and where that was found.
public struct Manifest: Hashable, Sendable {
  public var path: FilePath
  /// The files that are listed, in the order of the lines; no name twice.
  public private(set) var entries: [Entry] = []
  /// What is said of the file that parts make up, apart from the list.
  public private(set) var whole: Whole?
  /// How many parts there are, where that is said.
  public private(set) var partCount: Int64?
  /// Whether it is of cleave's own form, with all sums of the whole.
  public private(set) var isOwn = false

  /// One file that is listed.
  public struct Entry: Hashable, Sendable {
    /// A name in the directory of the manifest.
    public var name: FilePath
    public var expected: Expected
    /// The sums of the blocks that it consists of, where they are known.
    public var blocks: BlockSums?
  }

  /// The file that parts make up.
  public struct Whole: Hashable, Sendable {
    /// What it was called, without a directory, where that is said.
    public var name: FilePath?
    public var expected = Expected()
  }

  init(_ sfv: SFV, _ path: FilePath) {
    self.path = path
    entries = sfv.entries.map { entry in
      let expected = Expected(size: entry.blocks?.length, crc32: entry.crc32)
      return Entry(name: entry.name, expected: expected, blocks: entry.blocks)
    }
    whole = sfv.whole.map { whole in
      let sums = Expected(size: whole.size, crc32: whole.crc32, adler32: whole.adler32)
      return Whole(name: whole.name, expected: sums)
    }
    isOwn = whole != nil
  }

  init(_ sums: Sums, _ path: FilePath) {
    self.path = path
    entries = sums.entries.map { Entry(name: $0.name, expected: Expected(digests: $0.digests)) }
    whole = sums.whole.map {
      Whole(name: $0.name, expected: Expected(size: $0.size, digests: [$0.digest]))
    }
  }

  init(_ crc: TotalCommanderCRC, _ path: FilePath) {
    self.path = path
    whole = Whole(name: crc.name, expected: Expected(size: crc.size, crc32: crc.crc32))
  }

  init(_ metadata: RcloneMetadata, _ path: FilePath) {
    self.path = path
    let expected = Expected(size: metadata.size, digests: metadata.digests)
    whole = Whole(name: path.lastComponent, expected: expected)
    partCount = metadata.chunks
  }

  /// A file that the manifest names, which is always in the manifest's own directory.
  public func file(_ entry: Entry) -> FilePath {
    let file = path.sibling(entry.name)
    // By itself the dash stands for standard input.
    return file == "-" ? "./-" : file
  }

  /// The sums of blocks, by the name of the file.
  public var blocks: [FilePath: BlockSums] {
    entries.reduce(into: [:]) { $0[$1.name] = $1.blocks }
  }

  /// The entries for parts of a series, in the manifest's order.
  ///
  /// - Parameter base: what the parts' names have in common; of a split zip, the last part.
  public func parts(of base: FilePath) -> [Entry] {
    let name = base.lastComponent
    let numbered = entries.filter { PartName($0.name)?.base == name }
    if !numbered.isEmpty { return numbered }
    guard let last = SplitZipName(name), last.place == .last else { return named(for: name) }
    let parts = entries.filter { SplitZipName($0.name)?.isPart(with: last) ?? false }
    // The last part alone is a whole zip.
    return parts.contains { $0.name != name } ? parts : []
  }

  /// The entries of any other family of names that has a whole of this name.
  private func named(for base: FilePath) -> [Entry] {
    let known = Set(entries.map(\.name))
    // What makes one name a part's makes those of the others.
    var forms: [PartName] = []
    return entries.filter { entry in
      if forms.contains(where: { $0.digits(of: entry.name) != nil }) { return true }
      guard let form = PartName.reading(of: entry.name, for: base),
        form.style.isCertain || form.firsts.contains(where: known.contains)
      else { return false }
      forms.append(form)
      return true
    }
  }

  /// Whether the parts of `base` are those of a split zip, which are not just put together.
  package func isOfSplitZip(_ base: FilePath) -> Bool {
    let name = base.lastComponent
    return SplitZipName(name) != nil
      && parts(of: base).contains { PartName.reading(of: $0.name, for: name) == nil }
  }

  /// What the manifest says of the whole that the parts of `base` make: apart from the list, or from
  /// an entry under the whole's name.
  func whole(of base: FilePath?) -> Expected? {
    if let whole { return whole.expected }
    guard let name = base?.lastComponent else { return nil }
    return entries.first { $0.name == name }?.expected
  }
}
