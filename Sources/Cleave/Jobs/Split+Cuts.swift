import Posix

/// Where a file is cut.
extension Split {
  /// The sizes of the parts, for which the file is read where records are counted.
  func sizes(of source: SourceFile) throws(CleaveError) -> [Int64] {
    var sizes: [Int64]
    if let rule = cuts.rule(for: source.status.size) {
      sizes = try recordSizes(rule, of: source)
    } else {
      do throws(CutError) {
        sizes = try cuts.sizes(of: source.status.size)
      } catch {
        throw CleaveError(.contradiction, Sentence(error.explanation))
      }
    }
    if options.omitsEmptyParts { sizes.removeAll { $0 == 0 } }
    // An empty file is split and merged again like any other.
    return sizes.isEmpty ? [0] : sizes
  }

  /// The name of a part of standard input.
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

  private func recordSizes(
    _ rule: RecordRule,
    of source: SourceFile
  ) throws(CleaveError) -> [Int64] {
    let file = try InputFile(source)
    let scanner = RecordScanner(separator: options.separator) {
      [cancellation = work.cancellation] buffer, offset throws(SystemError) in
      if cancellation.isCancelled { throw SystemError("read", file.path, at: offset, .canceled) }
      return try file.descriptor.read(into: buffer, at: offset)
    }
    var cuts = RecordCuts(rule, of: 0..<source.status.size, with: scanner)
    var sizes: [Int64] = []
    var last: Int64 = 0
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
    return sizes
  }

  private func next(_ cuts: inout RecordCuts) throws(CleaveError) -> Int64? {
    do { return try cuts.next() } catch { throw .reading(error) }
  }
}

extension CutList {
  /// Whether parts end where records do.
  package var isOfRecords: Bool { rule(for: 0) != nil }

  /// Whether so many parts are asked for, of whatever size.
  var isCount: Bool {
    switch self {
    case .count, .recordChunks: true
    case .every, .list, .records, .recordBytes: false
    }
  }

  /// The size of every part but the last, where that is asked for.
  var equalSize: Int64? { if case .every(let size) = self { size } else { nil } }

  /// How records decide where so many bytes are cut; nil where sizes alone do.
  func rule(for total: Int64) -> RecordRule? {
    switch self {
    case .every, .count, .list: nil
    case .records(let count): .records(count)
    case .recordBytes(let size): .recordBytes(size)
    case .recordChunks(let count): .recordChunks(EvenChunks(total, in: Int64(count)))
    }
  }
}
