import Posix

/// Reads a journal that anybody may have written.
struct JournalParser {
  let bytes: [UInt8]
  let path: FilePath
  var position = 0
  /// Of the last line that was read, from 1.
  var number = 0
  /// Of the same line.
  var lastCheck = ""
  /// Where the sources are that come next.
  var place: FilePath?

  init(_ bytes: [UInt8], _ path: FilePath) { (self.bytes, self.path) = (bytes, path) }

  /// See ``Journal/parse(_:_:)``.
  mutating func run() throws(CleaveError) -> Journal.Parsed? {
    guard let first = try line() else { return try nothing() }
    guard first.count == 3, first[0] == "cleave-journal" else {
      throw wrong("is not a journal of cleave")
    }
    guard first[1] == "2", let command = Journal.Command(rawValue: first[2]) else {
      throw wrong("was written by another version of cleave")
    }
    guard var words = try line() else { return nil }
    var journal = try begin(command, words)
    while true {
      guard let next = try line() else { return nil }
      words = next
      if words.count == 2, words[0] == "begin" { break }
      try read(words, into: &journal)
    }
    try check(journal)
    let known = try index(words[1])
    let end = try readRounds(into: &journal, known: known)
    try checkSum(journal.done.map(\.checksum.count))
    return Journal.Parsed(journal: journal, length: end.position, check: end.check)
  }

  /// A journal is never begun where nothing is in the file, or a part of the first line: what else is there
  /// is somebody's.
  private func nothing() throws(CleaveError) -> Journal.Parsed? {
    guard bytes.starts(with: Self.beginning.prefix(bytes.count)) else {
      if Journal.isBegun(by: bytes) { throw damaged }
      throw CleaveError(.badData, path, "is in the way: a journal goes there, and this is not one")
    }
    return nil
  }

  fileprivate static let beginning = Array("cleave-journal ".utf8)

  private func begin(
    _ command: Journal.Command,
    _ words: [String]
  ) throws(CleaveError) -> Journal {
    guard words.count == 4, words[0] == "job", let job = Self.hexadecimal(words[1]),
      ["consume", "keep"].contains(words[2])
    else { throw wrong("has no job") }
    var kinds: Checksum.Kinds = []
    for word in words[3].split(separator: ",") {
      switch word {
      case "crc32": kinds.insert(.crc32)
      case "adler32": kinds.insert(.adler32)
      default: throw wrong("has unknown sums")
      }
    }
    guard kinds.contains(.crc32) else { throw wrong("has no CRC-32") }
    return Journal(command, consumes: words[2] == "consume", kinds: kinds, job: job)
  }

  // MARK: The plan

  private mutating func read(
    _ words: [String],
    into journal: inout Journal
  ) throws(CleaveError) {
    switch (words[0], words.count) {
    case ("typed", 2...(Journal.mostArguments + 1)):
      journal.arguments = words.dropFirst().compactMap(Self.name)
    case ("in", 2): journal.directory = Self.name(words[1])
    case ("at", 2): journal.home = Self.place(words[1])
    case ("base", 2): journal.base = try file(words[1])
    case ("manifest", 2): journal.manifest = try file(words[1])
    case ("told", 2): journal.told = Self.hexadecimal(words[1])
    case ("asked", 2): journal.asked = Self.name(words[1])?.string
    case ("open", 1): journal.isOpen = true
    case ("proved", 1): journal.isProved = true
    case ("replaced", 1): journal.hasReplaced = true
    case ("mode", 2):
      guard let mode = UInt32(words[1], radix: 8), mode <= 0o777 else {
        throw wrong("has a wrong line")
      }
      journal.permissions = mode
    case ("content", 3...):
      guard let kind = Self.name(words[1])?.string.flatMap(Selection.Kind.init) else {
        throw wrong("has a wrong line")
      }
      journal.content = Journal.Content(
        kind: kind,
        entries: try count(words[2]),
        unproved: words.dropFirst(3).compactMap { Self.name($0)?.string }
      )
    case ("from", 2): place = Self.place(words[1])
    case ("source", 7): journal.sources.append(try source(words))
    case ("destination", 3):
      journal.destinations.append(
        Journal.Destination(name: try file(words[1]), size: try count(words[2]))
      )
    case ("over", 5): journal.former.append(try former(words))
    case ("copy", 6): journal.extents.append(try extent(words[3...], words[1], words[2]))
    case ("make", 4): journal.extents.append(try extent(words[1...], nil, "0"))
    case ("unread", 6):
      journal.unread.append(
        TransferPlan.Unread(
          source: try index(words[1]),
          offset: try count(words[2]),
          checksum: try checksum(words[3...])
        )
      )
    default: throw wrong("has a wrong line")
    }
  }

  private func former(_ words: [String]) throws(CleaveError) -> Journal.Former {
    guard let modified = Int64(words[3]), let inode = UInt64(words[4]) else {
      throw wrong("has a wrong line")
    }
    return Journal.Former(
      name: try file(words[1]),
      size: try count(words[2]),
      modified: modified,
      inode: inode
    )
  }

  private func extent(
    _ words: ArraySlice<String>,
    _ source: String?,
    _ offset: String
  ) throws(CleaveError) -> Journal.Extent {
    let place = Array(words)
    var index: Int?
    if let source { index = try self.index(source) }
    return Journal.Extent(
      source: index,
      sourceOffset: try count(offset),
      length: try count(place[0]),
      destination: try self.index(place[1]),
      offset: try count(place[2])
    )
  }

  /// What the plan itself checks is left to it, but for what is looked at before there is one.
  private func check(_ journal: Journal) throws(CleaveError) {
    for range in journal.unread {
      guard journal.sources.indices.contains(range.source) else {
        throw wrong("has no source \(range.source)")
      }
      let size = journal.sources[range.source].size
      guard Self.isWithin(size, range.offset, range.checksum.count) else {
        throw wrong("has a range beyond the end of a source")
      }
    }
    let sources = Set(journal.sources.map { Twin(name: $0.name, inode: $0.inode) })
    if journal.consumes, sources.count < journal.sources.count {
      throw wrong("has a source twice")
    }
    for extent in journal.extents {
      if let source = extent.source {
        guard journal.sources.indices.contains(source) else {
          throw wrong("has no source \(source)")
        }
        guard Self.isWithin(journal.sources[source].size, extent.sourceOffset, extent.length) else {
          throw wrong("has a range beyond the end of a source")
        }
      }
      guard journal.destinations.indices.contains(extent.destination) else {
        throw wrong("has no destination \(extent.destination)")
      }
    }
    try checkSum(journal.extents.map(\.length) + journal.unread.map(\.checksum.count))
  }

  /// What no two sources have in common.
  private struct Twin: Hashable {
    let name: FilePath
    let inode: UInt64
  }

  /// - Throws: where the sum is too large for a number.
  private func checkSum(_ counts: [Int64]) throws(CleaveError) {
    var total: Int64 = 0
    for count in counts {
      let (sum, overflow) = total.addingReportingOverflow(count)
      if overflow { throw wrong("has a wrong number") }
      total = sum
    }
  }

  private static func isWithin(_ size: Int64, _ start: Int64, _ count: Int64) -> Bool {
    count <= size && start <= size - count
  }

  // MARK: The rounds

  /// Reads as far as lines are whole. Returns where the last one that counts ends.
  private mutating func readRounds(
    into journal: inout Journal,
    known: Int
  ) throws(CleaveError) -> (position: Int, check: String) {
    // Those came with the beginning, in one piece.
    var known = known
    var end = (position: position, check: lastCheck)
    var round: [Journal.Done] = []
    while let words = nextLine() {
      switch (words[0], words.count) {
      case ("done", 6):
        guard let done = try? done(words), journal.extents.indices.contains(done.extent),
          Self.isWithin(journal.extents[done.extent].length, done.start, done.checksum.count)
        else { throw wrong("has a wrong line") }
        round.append(done)
        continue
      case ("round", 2):
        _ = try count(words[1])
        journal.done += round
        known -= min(known, round.count)
        round = []
      case ("back", 2): try goBack(to: words[1], in: &journal)
      case ("bad", 2):
        let source = try index(words[1])
        guard journal.sources.indices.contains(source) else { throw wrong("has a wrong line") }
        journal.bad.insert(source)
      case ("taken", 2): journal.bad.remove(try index(words[1]))
      case ("replace", 6):
        let source = try index(words[1])
        guard journal.sources.indices.contains(source), let modified = Int64(words[2]),
          let inode = UInt64(words[3]), ["dense", "sparse"].contains(words[4])
        else { throw wrong("has a wrong line") }
        journal.replace(source, modified, inode, isSparse: words[4] == "sparse")
        try goBack(to: words[5], in: &journal)
        guard !journal.done.contains(where: { journal.extents[$0.extent].source == source }) else {
          throw wrong("has a wrong line")
        }
      case ("publish", 1): journal.isPublishing = true
      default: throw wrong("has a wrong line")
      }
      end = (position, lastCheck)
    }
    // A line that is whole and wrong was damaged later, and what it and those behind it say is gone must
    // not be forgotten.
    if known > 0 || !Self.isTorn(bytes[end.position...], at: position) { throw damaged }
    return end
  }

  /// Whether a crash has left the last lines half-written: without an end, or with zeros where they are
  /// not on the device, though what is behind them is.
  ///
  /// - Parameters:
  ///   - tail: what is behind the lines that count. It was written at once, and nothing behind it before
  ///     it was on the device.
  ///   - position: where the first line begins that is not whole.
  private static func isTorn(_ tail: ArraySlice<UInt8>, at position: Int) -> Bool {
    let newline = UInt8(ascii: "\n")
    guard let end = tail[position...].firstIndex(of: newline) else { return true }
    guard tail[position..<end].contains(0) else { return false }
    var lines = tail.split(separator: newline, omittingEmptySubsequences: false)
    if let last = lines.popLast(), last.isEmpty, let closing = lines.popLast() {
      let words = closing.split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      // With more in front of it than its own lines, another round was damaged.
      if words.count == 3, words[0] == "round", Int(words[1]) != tail.count - closing.count - 1 {
        return false
      }
    }
    return lines.allSatisfy { $0.contains(0) || $0.starts(with: "done ".utf8) }
  }

  private func goBack(to word: String, in journal: inout Journal) throws(CleaveError) {
    guard let count = Int(word), (0...journal.done.count).contains(count) else {
      throw wrong("has a wrong line")
    }
    journal.done.removeLast(journal.done.count - count)
  }

  /// The next line before `begin`; nil where the file ends within it.
  private mutating func line() throws(CleaveError) -> [String]? {
    if let words = nextLine() { return words }
    guard bytes[position...].contains(UInt8(ascii: "\n")) else { return nil }
    throw damaged
  }

  private var damaged: CleaveError {
    let temporaries = Leftovers.temporaries(beside: path)
    // What does not begin as one is not removed: it may be anything.
    let way =
      if Journal.isBegun(by: bytes) {
        "\(Leftovers.givingUp(path)) gives"
      } else if let first = temporaries.first {
        "'rm \(path.quoted)' and then \(Leftovers.givingUp(first.path)) give"
      } else {
        "'rm \(path.quoted)' gives"
      }
    let copy =
      temporaries.contains(where: \.freesSources)
      ? "temporaries beside it may be the only copy of what was freed; " : ""
    return CleaveError(
      .badData,
      path,
      "is damaged in line \(number + 1); nothing was touched; \(copy)where all that it "
        + "was about is still there, \(way) up what it had done"
    )
  }
}

extension JournalParser {
  /// The receipt in a file; nil where it is none, or not whole. See ``ShareReceipt``.
  static func receipt(_ bytes: [UInt8], _ path: FilePath) -> ShareReceipt? {
    var parser = JournalParser(bytes, path)
    guard let first = parser.nextLine(), first.count == 6, first[0] == "cleave-share",
      first[1] == "1", let number = Int(first[3]), let count = Int(first[4]),
      let share = WorkShare(number, of: count), let identity = UInt64(first[5])
    else { return nil }
    var receipt = ShareReceipt(plan: first[2], share: share, identity: identity)
    while let words = parser.nextLine() {
      switch (words[0], words.count) {
      case ("typed", 2...(Journal.mostArguments + 1)):
        receipt.arguments = words.dropFirst().compactMap(name)
      case ("in", 2): receipt.directory = name(words[1])
      case ("makes", 3):
        (receipt.part, receipt.list) = (try? parser.file(words[1]), try? parser.file(words[2]))
      case ("from", 2): parser.place = place(words[1])
      case ("source", 7):
        guard let source = try? parser.source(words) else { return nil }
        receipt.sources.append(source)
      case ("done", 6):
        guard let done = try? parser.done(words) else { return nil }
        receipt.done.append(done)
      case ("end", 2): return Int(words[1]) == receipt.done.count ? receipt : nil
      default: return nil
      }
    }
    return nil
  }
}

extension Journal {
  /// A journal whose plan is still to be read.
  fileprivate init(_ command: Command, consumes: Bool, kinds: Checksum.Kinds, job: UInt32) {
    (self.command, self.consumes, self.kinds, self.job) = (command, consumes, kinds, job)
    (sources, destinations, extents, unread) = ([], [], [], [])
  }
}

extension Journal {
  /// Whether some bytes are the start of a journal, or what a power loss may have left of one: zeros, or nothing.
  static func isBegun(by bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(JournalParser.beginning.count)
    return start.allSatisfy { $0 == 0 } || JournalParser.beginning.starts(with: start)
  }
}
