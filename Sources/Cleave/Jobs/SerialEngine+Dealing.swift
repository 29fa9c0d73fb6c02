internal import Posix

extension Feed {
  /// What is to be dealt out in turn, and to which files.
  package struct Dealing {
    let dealing: RecordDealing
    /// Nil for standard input.
    let source: SourceFile?
    /// The file of a number from 0, less than that of the parts.
    let name: (Int) -> FilePath
    /// Whether no files are made that would be empty, but for the only one.
    let elidesEmpty: Bool

    var names: [FilePath] { (0..<dealing.parts).map(name) }
  }
}

extension RecordDealing {
  /// Descriptors besides those of the parts; nobody has measured how many the greediest command needs.
  private static let otherFiles = 16

  /// - Throws: where so many parts cannot be open at a time.
  func requireOpenable() throws(CleaveError) {
    let most = max(0, ProcessState.openFileLimit - Self.otherFiles)
    guard parts > most else { return }
    throw CleaveError(
      .exhausted,
      "all \(parts) parts among which records are dealt out have to be open at a time, and this process may "
        + "open only \(most): 'ulimit -n' shows and raises the limit"
    )
  }
}

extension SerialPump {
  /// Deals records out, one to each of several files in turn. All files are open until the last record is dealt.
  func deal(_ feed: Feed.Dealing, _ report: inout JobReport) throws(CleaveError) {
    let outputs = DealtOutputs(feed, transfer)
    if let source = feed.source {
      try outputs.deal(source, reading: marks.high)
    } else {
      try outputs.deal(try StreamInput.standard(), reading: marks.high, stops(nil))
    }
    if !transfer.hasFailed { try outputs.finish(&report) }
  }

  /// Puts records together that were dealt out: takes one of each file in turn, to the only destination.
  func gather(
    _ files: SourceFiles,
    _ separator: UInt8,
    _ report: inout JobReport
  ) throws(CleaveError) {
    try open(destination: 0)
    guard let run = nextRun() else { return }
    let sources = try DealtSources(files, separator: separator, transfer)
    try sources.gather { write($0, to: run) }
    if transfer.hasFailed { return }
    report.destinations = [finish(run)]
    try sources.finish(&report)
  }
}

/// The files that records are dealt out to. Confined to the thread that calls.
private final class DealtOutputs {
  private struct Part {
    let index: Int
    let file: OutputFile
    var sum = Checksum.empty
    let digests: PassingDigests?
  }

  private let feed: Feed.Dealing
  private let transfer: Transfer
  private let dealer: RecordDealer
  /// In their order; those that are missing have had no record yet.
  private var parts: [Part] = []
  private var whole = Checksum.empty

  init(_ feed: Feed.Dealing, _ transfer: Transfer) {
    (self.feed, self.transfer) = (feed, transfer)
    dealer = RecordDealer(Int64(feed.dealing.parts), separator: feed.dealing.separator)
  }

  /// Deals out all records of a file.
  func deal(_ source: SourceFile, reading size: Int) throws(CleaveError) {
    transfer.outputs.limit(permissions: source.status.permissions)
    transfer.outputs.note(modified: source.status.modified)
    let index = transfer.inputs.add(source)
    let file = try transfer.inputs.acquire(index)
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size,
      alignment: Mapping.pageSize
    )
    defer { buffer.deallocate() }
    var position: Int64 = 0
    while position < file.size, !transfer.hasFailed {
      let count = Int(min(Int64(size), file.size - position))
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      file.willRead(to: position)
      try file.read(into: piece, at: position)
      try deal(UnsafeRawBufferPointer(piece))
      position += Int64(count)  // bounded: within the file
    }
    try transfer.inputs.release(index)
  }

  /// Deals out all records of a stream.
  func deal(
    _ input: StreamInput,
    reading size: Int,
    _ stops: StreamInput.Stops
  ) throws(CleaveError) {
    while !transfer.hasFailed {
      let bytes = try input.nextBytes(size, stops)
      if bytes.isEmpty { return }
      try bytes.withBytes { bytes throws(CleaveError) in try deal(bytes) }
    }
  }

  private func deal(_ bytes: UnsafeRawBufferPointer) throws(CleaveError) {
    whole.update(bytes, transfer.kinds)
    transfer.passing?.update(bytes)
    try dealer.deal(bytes, begin: begin, write: write)
  }

  private func begin() throws(CleaveError) {
    let index = transfer.outputs.add(feed.name(parts.count))
    parts.append(
      Part(index: index, file: try transfer.file(index), digests: try transfer.passing?.part())
    )
  }

  private func write(_ bytes: UnsafeRawBufferPointer, _ number: Int) throws(CleaveError) {
    let file = parts[number].file
    do { try file.write(bytes, at: parts[number].sum.count) } catch { throw .writing(error) }
    transfer.didWrite(bytes.count, to: file)
    parts[number].sum.update(bytes, transfer.kinds)
    parts[number].digests?.update(bytes)
  }

  /// Makes those that had no record, and completes all.
  func finish(_ report: inout JobReport) throws(CleaveError) {
    let count = feed.elidesEmpty ? 1 : feed.dealing.parts
    while parts.count < count { try begin() }
    for (number, part) in parts.enumerated() {
      if transfer.hasFailed { return }
      try dealer.flush(number, write: write)
      try transfer.finish(part.index, size: parts[number].sum.count)
      if let digests = part.digests { try transfer.passing?.add(digests) }
    }
    (report.destinations, report.dealt) = (parts.map(\.sum), whole)
  }
}

/// Files among which records were dealt out, each of which is read from its start to its end. Confined to the
/// thread that calls.
private final class DealtSources {
  private final class Part {
    let index: Int
    let file: InputFile
    let digests: PassingDigests?
    let buffer: UnsafeMutableRawBufferPointer
    /// What is in the buffer, and was not taken yet.
    var rest = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Of what was read.
    var sum = Checksum.empty

    init(_ index: Int, _ transfer: Transfer, buffered: Int) throws(CleaveError) {
      self.index = index
      file = try transfer.inputs.acquire(index)
      digests = try transfer.passing?.part()
      buffer = .allocate(byteCount: buffered, alignment: 64)
    }

    deinit { buffer.deallocate() }

    /// Whether all of it was taken; reads more where nothing is in the buffer.
    func isAtEnd(_ kinds: Checksum.Kinds) throws(CleaveError) -> Bool {
      if !rest.isEmpty { return false }
      let count = Int(min(Int64(buffer.count), file.size - sum.count))
      if count == 0 { return true }
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      file.willRead(to: sum.count)
      try file.read(into: piece, at: sum.count)
      rest = UnsafeRawBufferPointer(piece)
      sum.update(rest, kinds)
      digests?.update(rest)
      return false
    }
  }

  /// How a record ended that was to be taken.
  private enum End {
    case separator
    /// The file ended within it.
    case file
    /// There was none.
    case before
  }

  private let transfer: Transfer
  private let separator: UInt8
  private var parts: [Part] = []
  /// What was taken, and is not given away yet.
  private var gathered: [UInt8] = []

  /// Bytes for the buffers of all parts, and of each.
  private static let mostBuffered = 8 << 20
  private static let buffered = (4 << 10)...WaterMarks.quarter

  init(_ files: SourceFiles, separator: UInt8, _ transfer: Transfer) throws(CleaveError) {
    (self.separator, self.transfer) = (separator, transfer)
    let share = Self.mostBuffered / max(1, files.count)
    let size = min(max(share, Self.buffered.lowerBound), Self.buffered.upperBound)
    transfer.outputs.limit(permissions: files.permissions)
    gathered.reserveCapacity(2 * WaterMarks.quarter)
    for file in files {
      transfer.outputs.note(modified: file.status.modified)
      parts.append(try Part(transfer.inputs.add(file), transfer, buffered: size))
    }
  }

  /// Gives all bytes away in their order.
  ///
  /// - Throws: `.badData` where these are not the parts that one file is dealt out to, in their order.
  func gather(into write: (ArraySlice<UInt8>) -> Void) throws(CleaveError) {
    var turn = 0
    var end = End.separator
    while end == .separator, !transfer.hasFailed {
      end = try takeRecord(of: parts[turn], write)
      // bounded: below the number of parts
      if end == .separator { turn = turn + 1 == parts.count ? 0 : turn + 1 }
    }
    if transfer.hasFailed { return }
    try requireEnd(of: parts[turn], end)
    write(gathered[...])
  }

  private func takeRecord(
    of part: Part,
    _ write: (ArraySlice<UInt8>) -> Void
  ) throws(CleaveError) -> End {
    var end = End.before
    while !transfer.hasFailed, try !part.isAtEnd(transfer.kinds) {
      let place = part.rest.firstPlace(of: separator)
      let length = place.map { $0 + 1 } ?? part.rest.count  // bounded: within the buffer
      gathered += UnsafeRawBufferPointer(rebasing: part.rest[..<length])
      part.rest = UnsafeRawBufferPointer(rebasing: part.rest[length...])
      if gathered.count >= WaterMarks.quarter {
        write(gathered[...])
        gathered.removeAll(keepingCapacity: true)
      }
      if place != nil { return .separator }
      end = .file
    }
    return end
  }

  /// - Parameter last: whose turn it was when no record with an end was left.
  private func requireEnd(of last: Part, _ end: End) throws(CleaveError) {
    for part in parts {
      guard part !== last, try !part.isAtEnd(transfer.kinds) else { continue }
      if end == .file {
        throw CleaveError(
          .badData,
          last.file.path,
          "ends with a record that has no end, but \(part.file.path.lastComponent) has another one behind it: "
            + "these are not the parts of one file whose records were dealt out, or not in their order"
        )
      }
      throw CleaveError(
        .badData,
        part.file.path,
        "has a record too many, or \(last.file.path.lastComponent) one too few: these are not the parts of one "
          + "file whose records were dealt out, or not in their order"
      )
    }
  }

  func finish(_ report: inout JobReport) throws(CleaveError) {
    for part in parts {
      try transfer.inputs.release(part.index)
      report.sources.append(part.sum)
      if let digests = part.digests { try transfer.passing?.add(digests) }
    }
  }
}
