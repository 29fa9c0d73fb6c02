import Posix

/// The journal's form on disk: lines of words, each with its CRC-32 at the end, so that what a crash
/// left half-written is seen.
///
///     cleave-journal 1 merge
///     job 1b2c3d4e consume crc32,adler32
///     typed merge --consume film.001                where it was kept
///     base NAME                                     where the sources share one
///     manifest NAME                                 where they are compared with one
///     content split%20zip 61                        where parts are not just bytes
///     source NAME SIZE MODIFIED INODE               one for each, as the following
///     destination NAME SIZE
///     copy SOURCE OFFSET LENGTH DESTINATION OFFSET
///     make LENGTH DESTINATION OFFSET
///     unread SOURCE OFFSET LENGTH CRC32 ADLER32
///     begin
///     done EXTENT START LENGTH CRC32 ADLER32        as many as a round has
///     round                                         what stands before it counts
///     back COUNT                                    only the first COUNT lines of done still do
///     bad SOURCE COUNT                              the same, and that source is to be replaced
///     publish
///
/// Bytes other than letters, digits, '.', '-' and '_' are written as '%' and two hexadecimal digits.
extension Journal {
  /// Bytes; larger ones are refused. Rounds of 32 MiB fill it after tens of terabytes.
  static let largestFile = 64 << 20

  // MARK: Writing

  /// Everything up to `begin`.
  func header() -> [UInt8] {
    var lines = JournalLines()
    lines.add("cleave-journal 1 \(command.rawValue)")
    let sums = [kinds.contains(.crc32) ? "crc32" : nil, kinds.contains(.adler32) ? "adler32" : nil]
    lines.add(
      "job \(Checksum.hexadecimal(job)) \(consumes ? "consume" : "keep") "
        + sums.compactMap { $0 }.joined(separator: ",")
    )
    if (1...Self.mostArguments).contains(arguments.count), !arguments.contains("") {
      lines.add("typed " + arguments.map(JournalLines.word).joined(separator: " "))
    }
    if let base { lines.add("base \(JournalLines.word(base))") }
    if let manifest { lines.add("manifest \(JournalLines.word(manifest))") }
    if let content {
      let kind = JournalLines.word(FilePath(content.kind.rawValue))
      lines.add("content \(kind) \(content.entries)")
    }
    for source in sources {
      let name = JournalLines.word(source.name)
      lines.add("source \(name) \(source.size) \(source.modified) \(source.inode)")
    }
    for destination in destinations {
      lines.add("destination \(JournalLines.word(destination.name)) \(destination.size)")
    }
    for extent in extents {
      let place = "\(extent.length) \(extent.destination) \(extent.offset)"
      if let source = extent.source {
        lines.add("copy \(source) \(extent.sourceOffset) \(place)")
      } else {
        lines.add("make \(place)")
      }
    }
    for range in unread {
      lines.add("unread \(range.source) \(range.offset) \(JournalLines.words(range.checksum))")
    }
    lines.add("begin")
    return lines.bytes
  }

  /// What one round appends.
  static func round(_ done: [Done]) -> [UInt8] {
    var lines = JournalLines()
    for done in done {
      lines.add("done \(done.extent) \(done.start) \(JournalLines.words(done.checksum))")
    }
    lines.add("round")
    return lines.bytes
  }

  static func back(to count: Int) -> [UInt8] { JournalLines("back \(count)").bytes }
  static func bad(_ source: Int, keeping count: Int) -> [UInt8] {
    JournalLines("bad \(source) \(count)").bytes
  }
  static var publish: [UInt8] { JournalLines("publish").bytes }

  // MARK: Reading

  /// - Returns: the journal, and how many bytes of it count; nil where it was never begun.
  /// - Throws: `.badData` where it is none, or contradicts itself.
  static func parse(
    _ bytes: [UInt8],
    _ path: FilePath
  ) throws(CleaveError) -> (journal: Journal, length: Int)? {
    var parser = JournalParser(bytes, path)
    return try parser.run()
  }
}

/// Lines that are being written.
struct JournalLines {
  private(set) var bytes: [UInt8] = []

  init() {}
  init(_ line: String) { add(line) }

  mutating func add(_ line: String) {
    bytes += line.utf8
    bytes += " \(Self.check(Array(line.utf8)[...]))\n".utf8
  }

  static func check(_ line: ArraySlice<UInt8>) -> String {
    Checksum(of: line, .crc32).crc32Text
  }

  static func words(_ sum: Checksum) -> String {
    "\(sum.count) \(sum.crc32Text) \(sum.adler32Text)"
  }

  /// A name as one word.
  static func word(_ name: FilePath) -> String {
    name.bytes.map { byte in
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || [0x2D, 0x2E, 0x5F].contains(byte)
      if isPlain { return String(UnicodeScalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
