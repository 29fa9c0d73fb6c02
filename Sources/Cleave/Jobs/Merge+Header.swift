internal import Posix

/// What all parts begin with, and the whole has once.
extension Merge {
  /// The first records of the first part, which the other parts begin with, too, and which are left out of
  /// those.
  public struct Header: Hashable, Sendable {
    /// How many.
    public var records: Int64
    /// The byte that a record ends with.
    public var separator: UInt8

    public init(_ records: Int64, separator: UInt8 = UInt8(ascii: "\n")) {
      (self.records, self.separator) = (records, separator)
    }
  }

  /// Whether the parts begin with a header: one was asked for, or the manifest tells of one.
  package var hasHeader: Bool { options.header != nil || selection.layout?.header ?? 0 > 0 }

  /// - Throws: where a header is asked for that cannot be.
  func checkHeader() throws(CleaveError) {
    guard let header = options.header else { return }
    guard header.records > 0 else {
      throw CleaveError(.contradiction, "the number of records must be more than 0")
    }
    guard !selection.kind.isRewritten else {
      throw CleaveError(.contradiction, "\(Setting.header) is for records, not for a split zip")
    }
  }

  /// What nobody has split may end without the end of a record; files that are joined as given are warned of.
  ///
  /// - Throws: `.badData` where a part does, so that its last record and the next part's first would become one.
  func checkRecords(_ files: SourceFiles) throws(CleaveError) {
    guard let header = options.header, selection.layout?.isOwn != true,
      selection.manifest?.covers(selection.names, makesWhole: true, of: selection.base) != true
    else { return }
    let count = try Int64(TransferPlan.header(header, of: selection, files).count)
    // Of the first, all is taken.
    let taken = files.enumerated().map { $0.element.status.size - ($0.offset > 0 ? count : 0) }
    guard let last = taken.lastIndex(where: { $0 > 0 }) else { return }
    for (index, file) in files.enumerated().prefix(last) where taken[index] > 0 {
      let input = try InputFile(file)
      if try input.bytes(1, at: file.status.size - 1) == [header.separator] { continue }
      let text: Sentence =
        "does not end with the end of a record: its last one and the next part's first"
      guard selection.request.isAsGiven else {
        throw CleaveError(.badData, file.path, text + " would become one; \(.asGiven()) joins them")
      }
      return work.tell(.warning("\(file.path): \(text) become one"))
    }
  }
}

extension TransferPlan {
  /// What all parts begin with; empty for nothing.
  ///
  /// - Parameter header: nil for what the manifest tells of it.
  /// - Throws: `.badData` where the first does not have all of it.
  static func header(
    _ header: Merge.Header?,
    of selection: Selection,
    _ files: SourceFiles
  ) throws(CleaveError) -> [UInt8] {
    let told = selection.layout?.header ?? 0
    guard let first = files.first, header != nil || told > 0 else { return [] }
    let input = try InputFile(first)
    let bytes: [UInt8]
    if let header {
      let records = try RecordHeader(header.records, separator: header.separator, of: input)
      // What split has made may be the header alone.
      let isAll = told > 0 && records.bytes.count == told
      guard records.isComplete || isAll || files.count == 1 else {
        let text: Sentence =
          "has fewer whole records than the \(header.records) that \(Setting.header) leaves out of the others"
        throw CleaveError(.badData, first.path, text)
      }
      bytes = records.bytes
    } else {
      guard told <= first.status.size else {
        throw CleaveError(.badData, first.path, "has fewer bytes than the \(told) of the header")
      }
      bytes = try input.bytes(told)
    }
    try input.requireUnchanged()
    return bytes
  }

  /// - Throws: `.badData` where a file does not begin with what all are to begin with.
  static func requireHeader(
    _ header: [UInt8],
    in files: SourceFiles
  ) throws(CleaveError) {
    guard let first = files.first, !header.isEmpty else { return }
    for file in files.dropFirst() {
      let input = try InputFile(file)
      guard file.status.size >= header.count, try input.bytes(Int64(header.count)) == header else {
        let text: Sentence = "does not begin with the same \(header.count) bytes as \(first.path)"
        throw CleaveError(.badData, file.path, text + ", which \(Setting.header) leaves out")
      }
      try input.requireUnchanged()
    }
  }
}
