public import Posix

/// What is known of files before they are read, and where that was found.
public struct Manifest: Hashable, Sendable {
  public var path: FilePath
  /// Those that were read together with it, each of which has the sums of one part.
  public internal(set) var others: [FilePath] = []
  /// Whether it has the sums of single parts, from files that are named after each.
  public internal(set) var isOfSingleParts = false
  /// The files in its own directory that are listed, in the order of the lines; no name twice.
  public internal(set) var entries: [Entry] = []
  /// Those in directories below it, by their paths from its own; no path twice.
  public internal(set) var nested: [Entry] = []
  /// How many lines name files outside of its directory. They are left out.
  public private(set) var outside = 0
  /// What is said of the file that parts make up, apart from the list.
  public private(set) var whole: Whole?
  /// How many parts there are, where that is said.
  public private(set) var partCount: Int64?
  /// Whether it is of cleave's own form, with all sums of the whole.
  public private(set) var isOwn = false

  /// One file that is listed.
  public struct Entry: Hashable, Sendable {
    /// A name in the directory of the manifest, or a path from there.
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
    self.init(heading: sfv, path)
    for entry in sfv.entries { take(Entry(entry)) }
  }

  /// What an SFV file says apart from its list.
  private init(heading sfv: SFV, _ path: FilePath) {
    self.path = path
    outside = sfv.outside
    whole = sfv.whole.map { whole in
      let sums = Expected(size: whole.size, crc32: whole.crc32, adler32: whole.adler32)
      return Whole(name: whole.name, expected: sums)
    }
    isOwn = whole != nil
  }

  /// Reads an SFV file without a second copy of its list.
  init(parsingSFV bytes: [UInt8], path: FilePath) throws(CleaveError) {
    var lists = Manifest(heading: SFV(entries: []), path)
    let sfv = try SFV.parse(bytes, path: path) { lists.take(Entry($0)) }
    self.init(heading: sfv, path)
    swap(&entries, &lists.entries)
    swap(&nested, &lists.nested)
  }

  init(_ sums: Sums, _ path: FilePath) {
    self.path = path
    outside = sums.outside
    whole = sums.whole.map {
      Whole(name: $0.name, expected: Expected(size: $0.size, digests: [$0.digest]))
    }
    for entry in sums.entries {
      take(Entry(name: entry.name, expected: Expected(digests: entry.digests)))
    }
  }

  private mutating func take(_ entry: Entry) {
    if entry.name.bytes.contains(UInt8(ascii: "/")) {
      nested.append(entry)
    } else {
      entries.append(entry)
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

  /// A file that the manifest names, which is always in the manifest's own directory or below it.
  public func file(_ entry: Entry) -> FilePath {
    let file = path.sibling(entry.name)
    // By itself the dash stands for standard input.
    return file == "-" ? "./-" : file
  }

  /// Everything that it names.
  public var files: [FilePath] { (entries + nested).map { file($0) } }

  /// What messages call it.
  public var name: String {
    switch others.count {
    case 0: "\(path)"
    case 1: "\(path) and \(others[0].lastComponent)"
    default: "\(path) to \((others.last ?? path).lastComponent)"
    }
  }

  /// The sums of blocks, by the name of the file.
  public var blocks: [FilePath: BlockSums] {
    entries.reduce(into: [:]) { $0[$1.name] = $1.blocks }
  }

  /// What the manifest says of the whole that the parts of `base` make: apart from the list, or from
  /// an entry under the whole's name.
  func whole(of base: FilePath?) -> Expected? {
    if let whole { return whole.expected }
    // The last part of a split zip has the name that its whole would have.
    guard let base, !isOfSplitZip(base) else { return nil }
    return entries.first { $0.name == base.lastComponent }?.expected
  }
}

extension Manifest.Entry {
  fileprivate init(_ entry: SFV.Entry) {
    let expected = Manifest.Expected(size: entry.blocks?.length, crc32: entry.crc32)
    self.init(name: entry.name, expected: expected, blocks: entry.blocks)
  }
}
