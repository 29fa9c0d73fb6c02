internal import Posix

extension Manifest {
  /// What a manifest lists, in the order of its lines; a name is found without going through all.
  ///
  /// A manifest may have more than a million lines: what is said of a file is kept as bytes, some 25
  /// besides its name and its digests, and an entry is made where it is asked for.
  public struct Entries: RandomAccessCollection, Sendable {
    private var names = NameTable()
    /// What is said of the files; see ``EntryRecord``.
    private var records: [UInt8] = []
    /// Where the record of each begins.
    private var starts: [UInt32] = []
    /// Whether digests may be said of any.
    private(set) var mayHaveDigests = false

    /// No entries.
    public init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { starts.count }

    public subscript(index: Int) -> Entry {
      let (expected, blocks) = said(at: index)
      return Entry(name: names[index], expected: expected, blocks: blocks)
    }

    private func said(at index: Int) -> (expected: Expected, blocks: BlockSums?) {
      var record = EntryRecord(records[Int(starts[index])...])
      return record.read()
    }

    func name(at index: Int) -> FilePath { names[index] }

    /// The first entry of this name.
    func firstIndex(named name: FilePath) -> Int? { names.firstIndex(of: name) }

    func contains(named name: FilePath) -> Bool { names.contains(name) }

    /// What the first entry of this name says.
    func expected(of name: FilePath) -> Expected? {
      names.firstIndex(of: name).map { said(at: $0).expected }
    }

    mutating func append(_ entry: Entry) {
      names.append(entry.name)
      // bounded: no larger than the lines of manifests that they come from, of 16 MiB each
      starts.append(UInt32(records.count))
      write(entry)
    }

    /// Says something else of the same file.
    mutating func replace(_ index: Int, with entry: Entry) {
      starts[index] = UInt32(records.count)
      write(entry)
    }

    /// Says what an entry does of a file, besides what is said of it, in sums of other kinds.
    mutating func add(_ entry: Entry) {
      guard let index = firstIndex(named: entry.name) else { return append(entry) }
      var known = self[index]
      known.expected = known.expected.withAll(of: entry.expected)
      replace(index, with: known)
    }

    private mutating func write(_ entry: Entry) {
      EntryRecord.write(entry, to: &records)
      mayHaveDigests = mayHaveDigests || !entry.expected.digests.isEmpty
    }

    /// Those for which something is so: the same storage where that is all.
    func keeping(where isSo: (Entry) -> Bool) -> Entries {
      guard let first = firstIndex(where: { !isSo($0) }) else { return self }
      var kept = Entries()
      for entry in self[..<first] { kept.append(entry) }
      for entry in self[(first + 1)...] where isSo(entry) { kept.append(entry) }
      return kept
    }
  }
}

extension Manifest.Entries: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for index in indices { hasher.combine(names[index]) }
  }
}

extension Manifest.Entries: ExpressibleByArrayLiteral {
  public init(arrayLiteral entries: Manifest.Entry...) {
    for entry in entries { append(entry) }
  }
}

/// What a manifest says of one file, as bytes: which sums there are, then each of them.
private struct EntryRecord {
  private struct Fields: OptionSet {
    let rawValue: UInt8
    static let size = Fields(rawValue: 1)
    static let crc32 = Fields(rawValue: 2)
    static let adler32 = Fields(rawValue: 4)
    static let digests = Fields(rawValue: 8)
    static let blocks = Fields(rawValue: 16)
  }

  private var rest: ArraySlice<UInt8>

  init(_ rest: ArraySlice<UInt8>) { self.rest = rest }

  static func write(_ entry: Manifest.Entry, to bytes: inout [UInt8]) {
    let expected = entry.expected
    var fields: Fields = []
    if expected.size != nil { fields.insert(.size) }
    if expected.crc32 != nil { fields.insert(.crc32) }
    if expected.adler32 != nil { fields.insert(.adler32) }
    if !expected.digests.isEmpty { fields.insert(.digests) }
    if entry.blocks != nil { fields.insert(.blocks) }
    bytes.append(fields.rawValue)
    if let size = expected.size { append(size, &bytes) }
    if let crc32 = expected.crc32 { append(crc32, &bytes) }
    if let adler32 = expected.adler32 { append(adler32, &bytes) }
    if !expected.digests.isEmpty {
      // bounded: one of each kind
      bytes.append(UInt8(expected.digests.count))
      for digest in expected.digests {
        bytes.append(UInt8(Digest.Kind.allCases.firstIndex(of: digest.kind) ?? 0))
        bytes += digest.bytes
      }
    }
    guard let blocks = entry.blocks else { return }
    append(blocks.size, &bytes)
    append(blocks.length, &bytes)
    for crc32 in blocks.crc32s { append(crc32, &bytes) }
  }

  mutating func read() -> (Manifest.Expected, BlockSums?) {
    let fields = Fields(rawValue: integer())
    var expected = Manifest.Expected()
    if fields.contains(.size) { expected.size = integer() }
    if fields.contains(.crc32) { expected.crc32 = integer() }
    if fields.contains(.adler32) { expected.adler32 = integer() }
    if fields.contains(.digests) {
      let count: UInt8 = integer()
      expected.digests = (0..<count).compactMap { _ in digest() }
    }
    return (expected, fields.contains(.blocks) ? blocks() : nil)
  }

  private mutating func digest() -> Digest? {
    let index: UInt8 = integer()
    let kind = Digest.Kind.allCases[Int(index)]
    let bytes = Array(rest.prefix(kind.count))
    rest = rest.dropFirst(kind.count)
    return Digest(kind, bytes: bytes)
  }

  private mutating func blocks() -> BlockSums? {
    let (size, length): (Int64, Int64) = (integer(), integer())
    let count = BlockSums.count(length, size)
    return BlockSums(size: size, length: length, crc32s: (0..<count).map { _ in integer() })
  }

  private static func append<I: FixedWidthInteger>(_ value: I, _ bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: I.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> I(shift)))
    }
  }

  private mutating func integer<I: FixedWidthInteger>() -> I {
    let count = I.bitWidth / 8
    let value = rest.prefix(count).reversed().reduce(into: I.zero) { value, byte in
      value = (I.bitWidth > 8 ? value << 8 : 0) | I(truncatingIfNeeded: byte)
    }
    rest = rest.dropFirst(count)
    return value
  }
}
