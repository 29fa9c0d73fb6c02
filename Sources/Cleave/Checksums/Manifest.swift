public import Posix

/// What is known of files before they are read, and where that was found.
public struct Manifest: Hashable, Sendable {
  public var path: FilePath
  /// Those that were read together with it, each of which has the sums of one part.
  public internal(set) var others: [FilePath] = []
  /// Whether it has the sums of single parts, from files that are named after each.
  public internal(set) var isOfSingleParts = false
  /// The files in its own directory that are listed, in the order of the lines; no name twice.
  public internal(set) var entries: Entries = []
  /// Those in directories below it, by their paths from its own; no path twice.
  public internal(set) var nested: Entries = []
  /// Those anywhere else, by paths that are never opened.
  var elsewhere: Entries = []
  /// How many lines name files outside of its directory. They are left out.
  public internal(set) var outside = 0
  /// Whether the entries are under the paths of files as they were given, some of which have the same name.
  var isByPath = false
  /// Whether the last of its parts has the name that their whole would have, as that of a split zip has.
  var isOfVolumes = false
  /// What is said of the file that parts make up, apart from the list.
  public internal(set) var whole: Whole?
  /// Lists that have told nothing else of the same files.
  private(set) var echoes: [FilePath] = []
  /// What each of the lists has told, this one first, where they are several that are compared.
  private(set) var told: [Told] = []
  /// How many parts there are, where that is said.
  public private(set) var partCount: Int64?
  /// Whether it is of cleave's own form, with all sums of the whole.
  public private(set) var isOwn = false

  /// What one list said of files, and of the whole, before it was united with others.
  struct Told: Hashable, Sendable {
    let path: FilePath
    var entries: Entries = []
    var whole: Expected?

    func has(_ means: Comparison.Means?, of file: FilePath) -> Bool {
      guard let expected = entries.expected(of: file) else { return false }
      return means.map(expected.means.contains) ?? true
    }

    /// What it says of what another tells of; nil where that is nothing.
    func about(_ other: Told) -> Told? {
      let these = entries.keeping { other.entries.contains(named: $0.name) }
      let sums = other.whole == nil ? nil : whole
      return these.isEmpty && sums == nil ? nil : Told(path: path, entries: these, whole: sums)
    }
  }

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
    /// Bytes at its start with which every part begins.
    public var header: Int64 = 0
    /// How its records were dealt out in turn; nil where the parts are pieces of it.
    public var dealing: RecordDealing?
  }

  init(
    _ path: FilePath,
    _ lists: ManifestLists,
    outside: Int,
    _ whole: Whole? = nil,
    isOwn: Bool = false
  ) {
    (self.path, self.outside, self.whole, self.isOwn) = (path, outside, whole, isOwn)
    (entries, nested, elsewhere) = (lists.entries, lists.nested, lists.elsewhere)
  }

  init(_ crc: TotalCommanderCRC, _ path: FilePath) {
    self.path = path
    whole = Whole(name: crc.name, expected: Expected(size: crc.size, crc32: crc.crc32))
  }

  init(_ path: FilePath, of file: FilePath, _ expected: Expected) {
    self.path = path
    entries.append(Entry(name: file, expected: expected))
  }

  /// The same with other lists.
  func with(_ entries: Entries, nested: Entries, elsewhere: Entries) -> Manifest {
    var manifest = self
    (manifest.entries, manifest.nested, manifest.elsewhere) = (entries, nested, elsewhere)
    return manifest
  }

  init(_ path: FilePath, ofWhole whole: Whole) { (self.path, self.whole) = (path, whole) }

  /// The same, of which what is said of the only file in the list is said of the whole; nil of any other.
  var onlyAsWhole: Manifest? {
    guard whole == nil, only != nil, let entry = [entries, nested, elsewhere].joined().first else {
      return nil
    }
    let whole = Whole(name: entry.name.lastComponent, expected: entry.expected)
    return Manifest(path, ofWhole: whole)
  }

  /// The same for some files that it was named for: where it says nothing of them, what it says of its only file is said
  /// of the whole.
  func named(for files: PathList, of base: FilePath?) -> Manifest {
    fit(files, of: base) == .namesNothing ? onlyAsWhole ?? self : self
  }

  /// The same, of which what is said of a file in the list is said of the whole.
  func ofWhole(_ file: FilePath) -> Manifest {
    let name = file.lastComponent
    guard whole == nil, let expected = entries.expected(of: name) else { return self }
    var manifest = self
    manifest.whole = Whole(name: name, expected: expected)
    return manifest
  }

  /// Takes in what another list has of the whole.
  ///
  /// - Throws: `.badData` where it has another sum of it.
  mutating func takeWhole(
    _ file: FilePath,
    _ sums: Expected,
    from other: Manifest
  ) throws(CleaveError) {
    guard sums.canProve else { return }
    let known = whole(of: file)
    let before = Told(path: path, entries: entries, whole: known)
    try require(known, sums, of: file, in: other)
    // What it says of the size tells nothing of this list.
    let expected = (known ?? Expected()).adding(sums, ofSeveral: other.isUnited)
    if expected == known, whole != nil { return noteEcho(other) }
    whole = Whole(
      name: whole?.name ?? file.lastComponent,
      expected: expected,
      header: header,
      dealing: dealing
    )
    note(Told(path: other.path, whole: sums), from: other, beside: before)
  }

  /// Takes in what another list says of files, and of those that are not in this one.
  ///
  /// - Parameter entries: those of its own that matter.
  /// - Throws: `.badData` where it has another sum of one.
  mutating func take(_ theirs: Entries, from other: Manifest) throws(CleaveError) {
    let before = Told(path: path, entries: entries, whole: whole?.expected)
    var isNew = false
    for entry in theirs {
      guard let place = entries.firstIndex(named: entry.name) else {
        entries.append(entry)
        isNew = true
        continue
      }
      var known = entries[place]
      try require(known.expected, entry.expected, of: entry.name, in: other)
      let merged = known.expected.adding(entry.expected, ofSeveral: other.isUnited)
      if merged == known.expected { continue }
      known.expected = merged
      entries.replace(place, with: known)
      isNew = true
    }
    if isNew {
      note(Told(path: other.path, entries: theirs), from: other, beside: before)
    } else if !theirs.isEmpty {
      noteEcho(other)
    }
  }

  private mutating func noteEcho(_ other: Manifest) {
    for path in [other.path] + other.others + other.echoes where !has(list: path) {
      echoes.append(path)
    }
  }

  /// Whether it has what a list told, or a list that says the same.
  package func has(list path: FilePath) -> Bool {
    path == self.path || others.contains(path) || echoes.contains(path)
  }

  /// All lists that have told what it has, and those that say the same.
  package var lists: [FilePath] { [path] + others + echoes }

  /// Names another list with this one.
  private mutating func note(_ news: Told, from other: Manifest, beside own: Told) {
    if told.isEmpty { told = [own] }
    told.append(contentsOf: other.isUnited ? other.told.compactMap { $0.about(news) } : [news])
    for path in [other.path] + other.others where path != self.path && !others.contains(path) {
      others.append(path)
    }
    echoes.append(contentsOf: other.echoes.filter { !has(list: $0) })
  }

  init(_ metadata: RcloneMetadata, _ path: FilePath) {
    self.path = path
    let expected = Expected(size: metadata.size, digests: metadata.digests)
    whole = Whole(name: path.lastComponent, expected: expected)
    partCount = metadata.chunks
  }

  /// Everything that it names.
  package var files: ListedFiles { ListedFiles(entries, nested: nested, beside: path) }

  /// What is said of it where it names no file that is looked at, and others.
  var outsideAlone: String? {
    guard outside > 0 else { return nil }
    return
      "every name in it leads out of its directory, and is not followed: put it beside the files that it tells of"
  }

  /// What messages call it.
  public var name: String { named([path] + others) }

  /// The same without lists that tell nothing of some files, nor of the whole.
  func name(telling parts: some Sequence<FilePath>, orOfWhole withWhole: Bool, _ base: FilePath?)
    -> String
  {
    if told.isEmpty { return name }
    let wholes = withWhole ? [whole?.name, base?.lastComponent].compactMap(\.self) : []
    let names = PathSet([parts.map(listedName), wholes].joined())
    let tellers = told.filter { list in
      withWhole && list.whole != nil || list.entries.contains { names.contains($0.name) }
    }
    let silent = Set(told.map(\.path)).subtracting(tellers.map(\.path))
    return named(([path] + others).filter { !silent.contains($0) })
  }

  func named(_ lists: [FilePath]) -> String {
    let path = lists.first ?? path
    let others = lists.dropFirst()
    func shortened(_ other: FilePath) -> FilePath {
      other.directory == path.directory ? other.lastComponent : other
    }
    return switch others.count {
    case 0: "\(path)"
    case 1: "\(path) and \(shortened(lists[1]))"
    case _ where !isOfSingleParts || isUnited: "\(path) and \(others.count) more lists"
    default: "\(path) to \(shortened(others.last ?? path))"
    }
  }

  /// What this list tells by itself, without what was taken in from others.
  var alone: Manifest {
    guard let first = told.first else { return self }
    var list = self
    (list.entries, list.told, list.others) = (first.entries, [], [])
    if let sums = first.whole { list.whole?.expected = sums }
    return list
  }

  /// Whether one of the lists is called so, in whatever directory.
  func has(listNamed name: FilePath) -> Bool {
    lists.contains { $0.lastComponent == name }
  }

  /// Whether several lists have told of the same files, so that each of their sums is compared.
  var isUnited: Bool { !told.isEmpty }

  /// The list whose digests are compared.
  var sourceOfDigests: FilePath {
    told.first { $0.entries.mayHaveDigests || $0.whole?.digests.isEmpty == false }?.path ?? path
  }

  /// Another list that has told of the whole.
  var sourceOfWhole: FilePath? { told.first { $0.whole != nil && $0.path != path }?.path }

  /// Bytes that every part but the first repeats of the start of the whole.
  var header: Int64 { whole?.header ?? 0 }

  /// How records were dealt out among the parts.
  var dealing: RecordDealing? { whole?.dealing }

  /// Whether the parts one after the other are the whole, but for those of a split zip.
  var isPlain: Bool { header == 0 && dealing == nil }

  /// How many bytes so many parts of `base` have together, where it says so.
  func partsSize(of base: FilePath?, count: Int) -> Int64? {
    guard let size = whole(of: base)?.size else { return nil }
    let (repeated, isHuge) = header.multipliedReportingOverflow(by: Int64(max(0, count - 1)))
    let (sum, overflow) = size.addingReportingOverflow(repeated)
    return isHuge || overflow ? .max : sum
  }

  /// What the manifest says of the whole that the parts of `base` make: apart from the list, or from
  /// an entry under the whole's name.
  func whole(of base: FilePath?) -> Expected? {
    if let whole { return whole.expected }
    // The last part of a split zip has the name that its whole would have.
    guard let base, !isOfVolumes, !isOfSplitZip(base) else { return nil }
    return entries.expected(of: base.lastComponent)
  }
}

extension Manifest {
  /// The same of a file by its own name, whatever else the manifest is about.
  func whole(named base: FilePath) -> Expected? {
    if let whole, whole.name != base.lastComponent { return nil }
    return whole(of: base)
  }
}

/// What a manifest lists in its own directory, below it, and elsewhere.
struct ManifestLists {
  private(set) var entries: Manifest.Entries
  private(set) var nested: Manifest.Entries
  private(set) var elsewhere = Manifest.Entries()

  init(_ entries: Manifest.Entries = [], nested: Manifest.Entries = []) {
    (self.entries, self.nested) = (entries, nested)
  }

  var isEmpty: Bool { entries.isEmpty && nested.isEmpty && elsewhere.isEmpty }

  mutating func append(_ entry: Manifest.Entry) {
    if Self.isNested(entry.name) { nested.append(entry) } else { entries.append(entry) }
  }

  /// Adds all sums of a file, none of which contradicts what is known of it.
  mutating func add(_ entry: Manifest.Entry) {
    if Self.isNested(entry.name) { nested.add(entry) } else { entries.add(entry) }
  }

  mutating func append(outside path: FilePath, _ crc32: UInt32) {
    elsewhere.append(Manifest.Entry(name: path, expected: Manifest.Expected(crc32: crc32)))
  }

  /// What is said of a file in the manifest's directory or below it.
  func expected(of name: FilePath) -> Manifest.Expected? {
    (Self.isNested(name) ? nested : entries).expected(of: name)
  }

  /// Adds a digest of a file.
  ///
  /// - Returns: false where there is another of its kind.
  mutating func add(_ digest: Digest, of file: ListedPath) -> Bool {
    switch file {
    case .inside(let name) where Self.isNested(name): Self.add(digest, of: name, to: &nested)
    case .inside(let name): Self.add(digest, of: name, to: &entries)
    case .outside(let path): Self.add(digest, of: path, to: &elsewhere)
    }
  }

  private static func add(
    _ digest: Digest,
    of name: FilePath,
    to list: inout Manifest.Entries
  ) -> Bool {
    guard let index = list.firstIndex(named: name) else {
      list.append(Manifest.Entry(name: name, expected: Manifest.Expected(digests: [digest])))
      return true
    }
    var entry = list[index]
    if let known = entry.expected.digests.first(where: { $0.kind == digest.kind }) {
      return known == digest
    }
    entry.expected.digests.append(digest)
    list.replace(index, with: entry)
    return true
  }

  private static func isNested(_ name: FilePath) -> Bool {
    name.bytes.contains(UInt8(ascii: "/"))
  }
}
