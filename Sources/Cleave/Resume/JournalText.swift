import Posix

/// The journal's form on disk: lines of words, each with a CRC-32 at its end, of the line and of the
/// CRC-32 ahead of it. So what a crash left half-written is seen, and that a line is gone.
///
///     cleave-journal 2 merge
///     job 1b2c3d4e consume crc32,adler32
///     typed merge --consume film.001                where it was kept
///     in DIRECTORY                                  where it was typed
///     at DIRECTORY                                  where the journal was, if links lead to it
///     base NAME                                     where the sources share one
///     manifest NAME                                 where they are compared with one
///     told CRC32                                    of what it says of the sources
///     asked last%3d4%20header                       what was said of the parts; '-' for nothing
///     open                                          where only the names told which parts there are
///     replaced                                      where others have taken the places of sources, by a list
///     mode 640                                      the permissions that every source has, octal
///     content split%20zip 61 a%20cut%20comment      where parts are not just bytes; a word for each thing that is not proved
///     from DIRECTORY                                where the sources behind it were
///     source NAME SIZE MODIFIED CHANGED INODE dense one for each, as the following; or 'sparse'
///     destination NAME SIZE
///     over NAME SIZE MODIFIED INODE                 what had the name of an output, which replaces it
///     copy SOURCE OFFSET LENGTH DESTINATION OFFSET
///     make LENGTH DESTINATION OFFSET
///     unread SOURCE OFFSET LENGTH CRC32 ADLER32
///     begin COUNT                                   how many lines of done follow at once
///     done EXTENT START LENGTH CRC32 ADLER32        as many as a round has
///     round BYTES                                   what stands before it counts; bytes of those lines
///     back COUNT                                    only the first COUNT lines of done still do
///     bad SOURCE                                    all of it is done, and it is not what it should be
///     taken SOURCE                                  it is no longer bad
///     replace SOURCE MODIFIED INODE dense COUNT     back, and that source is another file from now on
///     publish
///
/// Bytes other than letters, digits, '.', '-' and '_' are written as '%' and two hexadecimal digits.
extension Journal {
  /// Bytes; larger ones are refused, when they are read and before they are begun.
  static let largestFile = 64 << 20
  /// Bytes that a journal may grow by before it is written anew, without what later lines make needless.
  static func mostGrowth(over length: Int64) -> Int64 { max(4 << 20, length / 4) }
  /// Bytes of a line of what is done.
  private static let longestDone = 70

  /// Bytes that the journal has at most when nearly all of it is done, given its lines when it begins.
  func largestSize(_ lines: [String]) -> Int {
    let length = lines.reduce(0) { $0 + $1.utf8.count + JournalLines.overhead }
    return length + Int(Self.mostGrowth(over: Int64(length))) + extents.count * Self.longestDone
  }

  // MARK: Writing

  /// Everything up to `begin`, and what is done, as a journal that is written anew has it.
  func lines() -> [String] {
    var lines: [String] = []
    lines.append("cleave-journal 2 \(command.rawValue)")
    let sums = [kinds.contains(.crc32) ? "crc32" : nil, kinds.contains(.adler32) ? "adler32" : nil]
    lines.append(
      "job \(Checksum.hexadecimal(job)) \(consumes ? "consume" : "keep") "
        + sums.compactMap { $0 }.joined(separator: ",")
    )
    if (1...Self.mostArguments).contains(arguments.count), !arguments.contains("") {
      lines.append("typed " + arguments.map(JournalLines.word).joined(separator: " "))
    }
    if let directory { lines.append("in \(JournalLines.word(directory))") }
    if let home { lines.append("at \(JournalLines.word(home))") }
    if let base { lines.append("base \(JournalLines.word(base))") }
    if let manifest { lines.append("manifest \(JournalLines.word(manifest))") }
    if let told { lines.append("told \(Checksum.hexadecimal(told))") }
    if let asked { lines.append("asked \(JournalLines.word(FilePath(asked)))") }
    if isOpen { lines.append("open") }
    if isProved { lines.append("proved") }
    if hasReplaced { lines.append("replaced") }
    if let permissions { lines.append("mode \(String(permissions, radix: 8))") }
    if let content {
      let kind = JournalLines.word(FilePath(content.kind.rawValue))
      let unproved = content.unproved.map { " " + JournalLines.word(FilePath($0)) }.joined()
      lines.append("content \(kind) \(content.entries)\(unproved)")
    }
    lines += Self.lines(sources)
    for destination in destinations {
      lines.append("destination \(JournalLines.word(destination.name)) \(destination.size)")
    }
    for file in former {
      let name = JournalLines.word(file.name)
      lines.append("over \(name) \(file.size) \(file.modified) \(file.inode)")
    }
    for extent in extents {
      let place = "\(extent.length) \(extent.destination) \(extent.offset)"
      if let source = extent.source {
        lines.append("copy \(source) \(extent.sourceOffset) \(place)")
      } else {
        lines.append("make \(place)")
      }
    }
    for range in unread {
      lines.append("unread \(range.source) \(range.offset) \(JournalLines.words(range.checksum))")
    }
    lines.append("begin \(done.count)")
    if !done.isEmpty { lines += Self.round(done) }
    lines += bad.sorted().map(Self.bad)
    if isPublishing { lines.append(Self.publish) }
    return lines
  }

  /// The sources, and where they were.
  static func lines(_ sources: some Sequence<Source>) -> [String] {
    var place: FilePath?
    return sources.flatMap { source in
      let name = JournalLines.word(source.name)
      let form = source.isSparse ? "sparse" : "dense"
      let times = "\(source.modified) \(source.changed)"
      let line = "source \(name) \(source.size) \(times) \(source.inode) \(form)"
      if source.place == place { return [line] }
      place = source.place
      return ["from \(JournalLines.word(place ?? "-"))", line]
    }
  }

  /// What one round appends.
  static func round(_ done: [Done]) -> [String] {
    let lines = done.map { "done \($0.extent) \($0.start) \(JournalLines.words($0.checksum))" }
    return lines + ["round \(lines.reduce(0) { $0 + $1.utf8.count + JournalLines.overhead })"]
  }

  static func back(to count: Int) -> String { "back \(count)" }
  static func bad(_ source: Int) -> String { "bad \(source)" }
  static func taken(_ source: Int) -> String { "taken \(source)" }
  static func replace(
    _ source: Int,
    by file: FileStatus,
    isSparse: Bool,
    keeping count: Int
  ) -> String {
    let form = isSparse ? "sparse" : "dense"
    return "replace \(source) \(file.modified) \(file.identity.inode) \(form) \(count)"
  }
  static let publish = "publish"

  // MARK: Reading

  /// What of a file counts.
  struct Parsed {
    var journal: Journal
    /// Bytes.
    var length: Int
    /// What stands at the end of the last line.
    var check: String
  }

  /// - Returns: nil where the journal was never begun.
  /// - Throws: `.badData` where it is not a journal, is damaged, or contradicts itself.
  static func parse(
    _ bytes: [UInt8],
    _ path: FilePath
  ) throws(CleaveError) -> Parsed? {
    var parser = JournalParser(bytes, path)
    return try parser.run()
  }
}

/// Lines that are being written.
struct JournalLines {
  private(set) var bytes: [UInt8] = []
  /// Of the last line; empty ahead of the first.
  private(set) var check: String
  /// Bytes of a line besides its words.
  static let overhead = 10

  init(behind check: String = "") { self.check = check }

  mutating func add(_ lines: [String]) {
    for line in lines {
      check = Self.check(Array(line.utf8)[...], behind: check)
      bytes += line.utf8
      bytes += " \(check)\n".utf8
    }
  }

  static func check(_ line: ArraySlice<UInt8>, behind check: String) -> String {
    Checksum(of: (check.utf8 + line)[...], .crc32).crc32Text
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
      return isPlain ? String(UnicodeScalar(byte)) : "%" + byte.hex
    }.joined()
  }
}
