import Posix

/// Two parts one behind the other that are the same: one may have been saved under two names.
extension Merge {
  private var mayHaveTwins: Bool {
    [.series, .files].contains(selection.kind) && !selection.request.isAsGiven
  }

  /// Tells of the first.
  ///
  /// - Throws: where warnings refuse, and nothing has been freed.
  func tellTwins(_ report: JobReport) throws(CleaveError) {
    guard mayHaveTwins, let made = report.temporaries.first else { return }
    var place: Int64 = 0
    for (index, (sum, next)) in zip(report.sources, report.sources.dropFirst()).enumerated() {
      defer { place += sum.count }
      guard sum.count >= Self.leastAlike, sum == next,
        let start = try? FileDescriptor.open(made, [.readOnly]).read(4096, at: place),
        !Self.isRepeated(start)
      else { continue }
      return try tell(twin: index + 1, isRefused: work.isStrict && !work.consumes)
    }
  }

  /// Reads the parts that have the size of the one in front of them, as far as they are the same, before any is freed.
  ///
  /// - Throws: where warnings refuse, and two are.
  func refuseTwins() throws(CleaveError) {
    guard mayHaveTwins, work.isStrict, !isCovered, let files = selection.files else { return }
    for (index, (file, next)) in zip(files, files.dropFirst()).enumerated()
    where file.status.size == next.status.size && file.status.size >= Self.leastAlike {
      do throws(SystemError) {
        let left = try FileDescriptor.open(file.path, [.readOnly])
        let right = try FileDescriptor.open(next.path, [.readOnly])
        if Self.isRepeated(try left.read(4096, at: 0)) { continue }
        var place: Int64 = 0
        while place < file.status.size {
          let count = Int(Swift.min(1 << 20, file.status.size - place))
          let bytes = try left.read(count, at: place)
          let others = try right.read(count, at: place)
          if bytes.isEmpty || bytes != others { break }
          place += Int64(bytes.count)
        }
        if place < file.status.size { continue }
      } catch {
        throw .reading(error)
      }
      try tell(twin: index + 1, isRefused: true)
    }
  }

  private func tell(twin index: Int, isRefused: Bool) throws(CleaveError) {
    let (twin, other) = (selection.names[index], selection.names[index - 1].lastComponent)
    // One that is given twice is meant twice.
    if twin == selection.names[index - 1] { return }
    let text: Sentence = "has the same bytes as \(other): one may have been saved under two names"
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
