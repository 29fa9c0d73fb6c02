package import Posix

/// Where a zip is read from: one or more parts as if they were one file.
package protocol ZipBytes: Sendable {
  var layout: PartLayout { get }

  /// Fills the buffer from a position; both lie within the parts.
  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(CleaveError)

  /// What is behind `position` is about to be read.
  func willRead(to position: Int64)

  /// - Throws: `.changedInput` where a part that has been read is no longer what it was.
  func requireUnchanged() throws(CleaveError)
}

extension ZipBytes {
  /// Bytes of all parts together.
  var count: Int64 { layout.count }

  /// `count` bytes from `position`, or nil where there are not so many.
  func bytes(_ count: Int, at position: Int64) throws(CleaveError) -> [UInt8]? {
    guard position >= 0, count >= 0, position <= self.count - Int64(count) else { return nil }
    if count == 0 { return [] }
    var failure: CleaveError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(CleaveError) {
        try read(into: UnsafeMutableRawBufferPointer(buffer), at: position)
        filled = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// The parts of a zip one after the other.
package struct PartLayout: Hashable, Sendable {
  package let paths: PathList
  /// Where each part begins, and behind them where the last one ends.
  package let starts: [Int64]

  /// - Parameter sizes: bytes of each part; nil where their sum is out of range.
  package init?(_ paths: some Sequence<FilePath>, sizes: some Collection<Int64>) {
    var starts: [Int64] = [0]
    // bounded: the length of an array
    starts.reserveCapacity(sizes.count + 1)
    for size in sizes {
      let (end, overflow) = (starts.last ?? 0).addingReportingOverflow(size)
      if overflow || size < 0 { return nil }
      starts.append(end)
    }
    self.paths = PathList(paths)
    self.starts = starts
  }

  /// Bytes of all parts.
  package var count: Int64 { starts.last ?? 0 }
  package var parts: Int { starts.count - 1 }

  /// The bytes of a part.
  package func range(_ part: Int) -> Range<Int64> { starts[part]..<starts[part + 1] }

  /// The part that holds the byte at `position`, or the last one for the end.
  package func part(at position: Int64) -> Int {
    var (low, high) = (0, parts - 1)
    while low < high {
      // bounded: indices of an array
      let middle = (low + high + 1) / 2
      if starts[middle] <= position { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The pieces of a range, which lie in one part each, by position.
  func split(_ range: Range<Int64>) -> [(part: Int, range: Range<Int64>)] {
    guard !range.isEmpty else { return [] }
    return (part(at: range.lowerBound)...part(at: range.upperBound - 1)).compactMap { part in
      let piece = range.clamped(to: self.range(part))
      return piece.isEmpty ? nil : (part, piece)
    }
  }

  /// The name of the part that holds the byte at `position`.
  func path(at position: Int64) -> FilePath { paths[part(at: position)] }

  /// The position that a disk number and an offset within that disk mean.
  ///
  /// The offset may be the disk's size: some writers so name the start of the next.
  func position(disk: UInt32, offset: UInt64) -> Int64? {
    guard disk < parts, let offset = Int64(exactly: offset) else { return nil }
    let part = range(Int(disk))
    // bounded: within the part
    return offset <= part.upperBound - part.lowerBound ? part.lowerBound + offset : nil
  }
}

/// The parts of a zip as files, opened when they are read and a few of them kept open.
package final class ZipParts: ZipBytes {
  package let layout: PartLayout
  package let sources: SourceFiles
  private let inputs: Inputs
  private let held = Locked<[(part: Int, file: InputFile)]>([])

  /// As many as threads read at a time, and then some.
  private static let mostHeld = 8

  /// - Parameter names: what messages call the parts, if not by their paths.
  /// - Throws: `.badData` where the sizes together exceed 2⁶³−1.
  package init(
    _ sources: some Sequence<SourceFile>,
    named names: PathList? = nil
  ) throws(CleaveError) {
    let sources = SourceFiles(sources)
    let layout = PartLayout(names ?? sources.paths, sizes: sources.sizes)
    guard let layout else {
      throw .tooLarge(sources[0].path)
    }
    self.layout = layout
    self.sources = sources
    inputs = Inputs(sources)
  }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at position: Int64
  ) throws(CleaveError) {
    var filled = 0
    var part = layout.part(at: position)
    while filled < buffer.count, part < layout.parts {
      // bounded: within the parts, whose sum was checked
      let place = position + Int64(filled) - layout.starts[part]
      let count = Int(min(Int64(buffer.count - filled), sources.statuses[part].size - place))
      if count > 0 {
        // bounded: within the buffer
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + count)])
        try read(piece, from: part, at: place)
        // bounded: within the buffer
        filled += count
      }
      // bounded: an index of the parts
      part += 1
    }
    guard filled == buffer.count else {
      throw CleaveError(.badData, layout.path(at: position), "ends in the middle of a record")
    }
  }

  private func read(
    _ piece: UnsafeMutableRawBufferPointer,
    from part: Int,
    at place: Int64
  ) throws(CleaveError) {
    let file = try hold(part)
    let found: Int
    do { found = try file.descriptor.read(into: piece, at: place) } catch { throw .reading(error) }
    // bounded: within the file
    if found < piece.count { throw file.truncated(at: place + Int64(found)) }
  }

  package func willRead(to position: Int64) {
    let part = layout.part(at: position)
    guard let file = try? hold(part) else { return }
    file.willRead(to: position - layout.starts[part])
  }

  private func hold(_ part: Int) throws(CleaveError) -> InputFile {
    if let file = held.withLock({ held in held.first { $0.part == part }?.file }) { return file }
    let file = try inputs.acquire(part)
    let (extra, dropped) = held.withLock { held -> (Bool, Int?) in
      // Somebody else may have been faster.
      if held.contains(where: { $0.part == part }) { return (true, nil) }
      held.append((part, file))
      return (false, held.count > Self.mostHeld ? held.removeFirst().part : nil)
    }
    if extra { try inputs.release(part) }
    if let dropped { try inputs.release(dropped) }
    return file
  }

  package func requireUnchanged() throws(CleaveError) {
    for file in held.withLock({ $0.map(\.file) }) { try file.checkUnchanged() }
  }

  /// Closes the files.
  ///
  /// - Throws: `.changedInput` where one was changed since it was opened.
  package func close() throws(CleaveError) {
    let parts = held.withLock { held in
      defer { held = [] }
      return held.map(\.part)
    }
    for part in parts { try inputs.release(part) }
  }
}
