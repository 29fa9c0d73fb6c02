package import Posix

/// Sources one behind the other as if they were one, or some of their bytes. Copies share what is open.
package struct JoinedBytes: Sendable {
  package let layout: PartLayout
  /// Where these bytes begin among those of all sources.
  private let start: Int64
  private let sources: HeldSources

  /// Files, opened when they are read.
  ///
  /// - Parameter names: what messages call the files, if not by their paths.
  /// - Throws: `.badData` where the sizes together exceed 2⁶³−1.
  package init(
    _ files: some Sequence<SourceFile>,
    named names: PathList? = nil
  ) throws(CleaveError) {
    let files = SourceFiles(files)
    try self.init(names ?? files.paths, files.sizes) { index throws(CleaveError) in
      try InputFile(files[index])
    }
  }

  /// Sources of any kind.
  ///
  /// - Throws: `.badData` where the sizes together exceed 2⁶³−1.
  package init(_ sources: [any RandomAccessBytes]) throws(CleaveError) {
    try self.init(PathList(sources.map { $0.path }), sources.map { $0.size }) { sources[$0] }
  }

  private init(
    _ paths: PathList,
    _ sizes: some Collection<Int64>,
    open: @escaping HeldSources.Open
  ) throws(CleaveError) {
    guard let layout = PartLayout(paths, sizes: sizes) else { throw .tooLarge(paths[0]) }
    self.init(layout, from: 0, of: HeldSources(layout, open))
  }

  private init(_ layout: PartLayout, from start: Int64, of sources: HeldSources) {
    (self.layout, self.start, self.sources) = (layout, start, sources)
  }

  /// Those of one part.
  func part(_ part: Int) -> JoinedBytes {
    // bounded: within the parts
    JoinedBytes(layout.alone(part), from: start + layout.starts[part], of: sources)
  }

  /// The same bytes as if they were in other parts, which have as many together.
  func divided(like layout: PartLayout) -> JoinedBytes {
    JoinedBytes(layout, from: start, of: sources)
  }

  /// Bytes of all parts together.
  package var count: Int64 { layout.count }

  /// `count` bytes from `position`, or nil where there are not so many.
  func bytes(_ count: Int, at position: Int64) throws(CleaveError) -> [UInt8]? {
    guard position >= 0, count >= 0, position <= self.count - Int64(count) else { return nil }
    return try [UInt8](capacity: count) { buffer throws(CleaveError) in
      try read(into: buffer, at: position)
      return count
    }
  }

  /// Fills the buffer from a position; both lie within the parts.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at position: Int64
  ) throws(CleaveError) {
    guard position <= count - Int64(buffer.count) else {
      throw CleaveError(.badData, layout.path(at: position), "ends in the middle of a record")
    }
    // bounded: within the parts, whose sum was checked
    try sources.read(into: buffer, at: start + position)
  }

  /// What is behind `position` is about to be read.
  // bounded: within the parts, whose sum was checked
  package func willRead(to position: Int64) { sources.willRead(to: start + position) }

  /// - Throws: `.changedInput` where a source that is open is no longer what it was.
  package func requireUnchanged() throws(CleaveError) { try sources.requireUnchanged() }

  /// Closes the sources, also those of other parts.
  ///
  /// - Throws: `.changedInput` where one was changed since it was opened.
  package func close() throws(CleaveError) { try sources.close() }
}

/// Sources that are opened when they are read, of which a few are kept open.
private final class HeldSources: Sendable {
  typealias Open = @Sendable (Int) throws(CleaveError) -> any RandomAccessBytes

  private let layout: PartLayout
  private let open: Open
  private let held = Locked<[(index: Int, source: any RandomAccessBytes)]>([])

  /// As many as threads read at a time, and then some.
  private static let most = 8

  init(_ layout: PartLayout, _ open: @escaping Open) { (self.layout, self.open) = (layout, open) }

  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at position: Int64
  ) throws(CleaveError) {
    var (index, filled) = (layout.part(at: position), 0)
    while filled < buffer.count {
      let range = layout.range(index)
      // bounded: within the parts, whose sum was checked
      let place = position + Int64(filled)
      let count = Int(min(Int64(buffer.count - filled), range.upperBound - place))
      // bounded: within the buffer
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + count)])
      if count > 0 { try hold(index).read(into: piece, at: place - range.lowerBound) }
      // bounded: within the buffer, and an index of the parts
      (filled, index) = (filled + count, index + 1)
    }
  }

  func willRead(to position: Int64) {
    let index = layout.part(at: position)
    (try? hold(index))?.willRead(to: position - layout.starts[index])
  }

  private func hold(_ index: Int) throws(CleaveError) -> any RandomAccessBytes {
    let known = held.withLock { held in held.first { $0.index == index }?.source }
    if let known { return known }
    let source = try open(index)
    let dropped = held.withLock { held -> (any RandomAccessBytes)? in
      // Somebody else may have been faster.
      if held.contains(where: { $0.index == index }) { return nil }
      held.append((index, source))
      return held.count > Self.most ? held.removeFirst().source : nil
    }
    try dropped?.requireUnchanged()
    return source
  }

  func requireUnchanged() throws(CleaveError) {
    for (_, source) in held.withLock({ $0 }) { try source.requireUnchanged() }
  }

  func close() throws(CleaveError) {
    let sources = held.withLock { held in
      defer { held = [] }
      return held
    }
    for (_, source) in sources { try source.requireUnchanged() }
  }
}
