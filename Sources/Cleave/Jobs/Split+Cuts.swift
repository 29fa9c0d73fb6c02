import Posix

/// Where a file is cut.
extension Split {
  /// The sizes of the parts, for which the file is read where records are counted, and what all but the
  /// first repeat.
  func sizes(of source: SourceFile) throws(CleaveError) -> (sizes: [Int64], header: [UInt8]) {
    var (sizes, header): ([Int64], [UInt8])
    if let rule = cuts.rule(for: source.status.size) {
      (sizes, header) = try recordSizes(rule, of: source)
    } else {
      header = []
      do throws(CutError) {
        sizes = try cuts.sizes(of: source.status.size)
      } catch {
        throw CleaveError(.contradiction, error.explanation)
      }
    }
    if options.omitsEmptyParts { sizes.removeAll { $0 == 0 } }
    // An empty file is split and merged again like any other.
    if sizes.isEmpty { sizes = [0] }
    // bounded: a header has few bytes
    return (sizes.map { $0 + Int64(header.count) }, header)
  }

  /// - Throws: where a header is asked for that cannot be.
  func checkHeader() throws(CleaveError) {
    if options.header == 0 { return }
    guard options.header > 0, cuts.isOfRecords else {
      throw CleaveError(.contradiction, "\(Setting.header) is for parts that end where records do")
    }
    guard options.block == nil, !options.makesJoiners else {
      throw CleaveError(
        .contradiction,
        "\(Setting.header) makes parts that are not just put together, unlike \(Setting.blocks) and "
          + "\(Setting.joiners)"
      )
    }
    if manifests.contains(where: { $0.form == .crc }) {
      throw CleaveError(
        .contradiction,
        "\(Setting.header) needs another manifest: Total Commander's has no place for it"
      )
    }
  }

  /// Parts that a stream may well have.
  static let mostLikely = 1000

  /// The name of a part of standard input by its number from 0; nil where there are no more.
  func streamedName(_ number: Int) -> FilePath? {
    guard naming.hasNames(for: number + 1) else { return nil }
    let path = naming.name(number)
    // `p.sfv` is behind `p.sfu`.
    return number >= Self.mostLikely && sidecars.contains(path) ? nil : path
  }

  /// - Throws: `.badData` where there are no more names, or would be too many parts.
  static func path(
    ofStreamed number: Int,
    _ name: (Int) -> FilePath?
  ) throws(CleaveError) -> FilePath {
    guard number < CutList.mostParts else {
      throw CleaveError(.badData, "standard input makes more than \(CutList.mostParts) parts")
    }
    guard let path = name(number) else {
      throw CleaveError(.badData, "standard input makes more parts than there are suffixes")
    }
    return path
  }

  /// The sizes of parts without the header, and that.
  private func recordSizes(
    _ rule: RecordRule,
    of source: SourceFile
  ) throws(CleaveError) -> ([Int64], header: [UInt8]) {
    let file = try InputFile(source)
    let header = try RecordHeader(options.header, separator: options.separator, of: file)
    guard let rule = rule.behind(header) else { throw .noRoom(for: header, in: self.file) }
    let scanner = RecordScanner(separator: options.separator) {
      [cancellation = work.cancellation] buffer, offset throws(SystemError) in
      if cancellation.isCancelled { throw SystemError("read", file.path, at: offset, .canceled) }
      return try file.descriptor.read(into: buffer, at: offset)
    }
    var last = Int64(header.bytes.count)
    var cuts = RecordCuts(rule, of: last..<source.status.size, with: scanner)
    var sizes: [Int64] = []
    while let end = try next(&cuts) {
      guard sizes.count < CutList.mostParts else {
        throw CleaveError(
          .contradiction,
          "that would make more than \(CutList.mostParts) parts, which are the most"
        )
      }
      sizes.append(end - last)
      last = end
    }
    try file.requireUnchanged()
    return (sizes, header.bytes)
  }

  private func next(_ cuts: inout RecordCuts) throws(CleaveError) -> Int64? {
    do { return try cuts.next() } catch { throw .reading(error) }
  }
}

extension CutList {
  /// Whether parts end where records do.
  package var isOfRecords: Bool { rule(for: 0) != nil }

  /// How many parts are asked for, of whatever size; nil where that is not said.
  var count: Int? {
    switch self {
    case .count(let count), .recordChunks(let count), .dealt(let count): count
    case .every, .list, .records, .recordBytes: nil
    }
  }

  var isCount: Bool { count != nil }

  /// The size of every part but the last, where that is asked for.
  var equalSize: Int64? { if case .every(let size) = self { size } else { nil } }

  /// How records decide where so many bytes are cut; nil where sizes alone do.
  func rule(for total: Int64) -> RecordRule? {
    switch self {
    case .every, .count, .list, .dealt: nil
    case .records(let count): .records(count)
    case .recordBytes(let size): .recordBytes(size)
    case .recordChunks(let count): .recordChunks(EvenChunks(total, in: Int64(count)))
    }
  }
}

extension RecordHeader {
  /// The first records of a file; all of it where it has no more.
  init(_ count: Int64, separator: UInt8, of file: InputFile) throws(CleaveError) {
    self.init(count, separator: separator)
    var position: Int64 = 0
    while !isComplete, position < file.size {
      let piece = try file.bytes(min(1 << 16, file.size - position), at: position)
      position += Int64(piece.count)  // bounded: within the file
      _ = piece.withUnsafeBytes { take($0) }
      if isTooLong { throw .longHeader(in: file.path) }
    }
  }
}
