/// Which parts of a zip could be in each other's place, or those of another zip, and nothing would show it.
///
/// Of data there are sums, and of local headers the names, sums and sizes that the directory has, too. A part
/// of the directory alone is proved by its records: there is one at least, and all are in the order of the
/// data.
struct UnprovedParts {
  private let layout: PartLayout
  private let directory: Range<Int64>
  private let comment: Range<Int64>
  private let zip64Extension: Range<Int64>
  private var lastRecord: Int64
  private var hasPartWithoutRecord = false
  private var hasPartInExtra = false
  private var hasCutName = false

  init(_ archive: ZipArchive) {
    layout = archive.bytes.layout
    directory = archive.directoryStart..<archive.directoryEnd
    let end = archive.end.upperBound
    comment = (end - Int64(archive.end.comment.count))..<end
    zip64Extension = archive.end.zip64Extension
    lastRecord = directory.lowerBound - 1
  }

  /// Takes up an entry, in the order of the directory.
  ///
  /// - Parameters:
  ///   - record: where its record in the directory is.
  ///   - start: where its local header is.
  mutating func add(_ record: Range<Int64>, _ local: LocalHeader, at start: Int64) {
    guard layout.parts > 1 else { return }
    noteGap(before: record.upperBound - 1)
    lastRecord = record.lowerBound
    let header = start..<(start + Int64(local.length))
    let extra = (start + Int64(local.extraStart))..<header.upperBound
    if layout.part(within: extra) != nil { hasPartInExtra = true }
    if !local.hasDirectoryName, isCut(record) || isCut(header) { hasCutName = true }
  }

  /// What was found, as nouns.
  ///
  /// - Parameter isSorted: whether the records are in the order of the data.
  mutating func found(isSorted: Bool) -> [String] {
    guard layout.parts > 1 else { return [] }
    noteGap(before: directory.upperBound)
    var lines: [String] = []
    if !isSorted, layout.part(within: directory) != nil {
      lines.append(
        "a directory in another order than the data, so that nothing proves the order of parts that hold nothing "
          + "else"
      )
    }
    if hasPartWithoutRecord {
      lines.append(
        "a part without a whole record of the directory, so that nothing proves its place"
      )
    }
    if hasPartInExtra { lines.append("a part within an extra field, which has no sum") }
    if hasCutName {
      lines.append(
        "an entry of two names with a header in several parts, whose order nothing proves"
      )
    }
    if layout.starts.contains(where: comment.contains) {
      lines.append("a comment in several parts, which has no sum")
    }
    if layout.starts.contains(where: zip64Extension.contains) {
      lines.append("an extension of the ZIP64 end record in several parts, which has no sum")
    }
    return lines
  }

  private mutating func noteGap(before end: Int64) {
    let gap = (lastRecord + 1)..<max(lastRecord + 1, end)
    if layout.part(within: gap) != nil { hasPartWithoutRecord = true }
  }

  private func isCut(_ range: Range<Int64>) -> Bool { layout.parts(covering: range).count > 1 }
}
