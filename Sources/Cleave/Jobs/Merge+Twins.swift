import Posix

/// Two parts that are the same: one may have been saved under two names.
extension Merge {
  private var mayHaveTwins: Bool {
    [.series, .files].contains(selection.kind) && !selection.request.isAsGiven
  }

  /// Tells of the first.
  ///
  /// - Throws: where warnings refuse, and nothing has been freed.
  func tellTwins(_ report: JobReport) throws(CleaveError) {
    guard mayHaveTwins, let made = report.temporaries.first else { return }
    var seen: [Checksum: Int] = [:]
    var place: Int64 = 0
    for (index, sum) in report.sources.enumerated() {
      defer { place += sum.count }
      guard sum.count >= Self.leastAlike, let other = seen.updateValue(index, forKey: sum),
        let start = try? FileDescriptor.open(made, [.readOnly]).read(4096, at: place),
        !Self.isRepeated(start)
      else { continue }
      return try tell(twin: index, of: other, isRefused: work.isStrict && !work.consumes)
    }
  }

  /// Reads the parts that have the size and the first bytes of another, as far as they are the same, before any is freed.
  ///
  /// - Throws: where warnings refuse, and two are.
  func refuseTwins() throws(CleaveError) {
    guard mayHaveTwins, work.isStrict, !isCovered, let files = selection.files else { return }
    // By the size and the CRC-32 of the first bytes.
    var seen: [[Int64]: Int] = [:]
    for (index, file) in files.enumerated() where file.status.size >= Self.leastAlike {
      let other: Int
      do throws(SystemError) {
        let start = try FileDescriptor.open(file.path, [.readOnly]).read(4096, at: 0)
        if Self.isRepeated(start) { continue }
        let key = [file.status.size, Int64(Checksum(of: start[...], .crc32).crc32)]
        guard let found = seen.updateValue(index, forKey: key),
          try Self.areSame(file.path, files[found].path, file.status.size)
        else { continue }
        other = found
      } catch {
        throw .reading(error)
      }
      try tell(twin: index, of: other, isRefused: true)
    }
  }

  private static func areSame(
    _ one: FilePath,
    _ other: FilePath,
    _ size: Int64
  ) throws(SystemError) -> Bool {
    let left = try FileDescriptor.open(one, [.readOnly])
    let right = try FileDescriptor.open(other, [.readOnly])
    var place: Int64 = 0
    while place < size {
      let count = Int(Swift.min(1 << 20, size - place))
      let bytes = try left.read(count, at: place)
      let others = try right.read(count, at: place)
      if bytes.isEmpty || bytes != others { return false }
      place += Int64(bytes.count)
    }
    return true
  }

  private func tell(twin index: Int, of first: Int, isRefused: Bool) throws(CleaveError) {
    let (twin, other) = (selection.names[index], selection.names[first])
    // One that is given twice is meant twice.
    if twin == other { return }
    let text: Sentence =
      "has the same bytes as \(other.lastComponent): one may have been saved under two names"
    guard isRefused else {
      return work.tell(.warning("\(twin): \(text)"))
    }
    let way: Sentence = "; \(.asGiven(namesOutput: true)) joins them all the same"
    throw CleaveError(.badData, twin, text + way)
  }

  /// Whether some bytes are the same few again and again, as on an empty disk.
  private static func isRepeated(_ bytes: [UInt8]) -> Bool {
    (1...512).contains { bytes.dropFirst($0).elementsEqual(bytes.dropLast($0)) }
  }

  /// Bytes of a part that is hardly another one's by chance.
  private static let leastAlike: Int64 = 1 << 16
}
