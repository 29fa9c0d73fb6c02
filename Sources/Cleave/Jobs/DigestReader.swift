import Posix

/// Reads runs of bytes one after the other, and gives them to digests. Confined to one thread.
struct DigestReader: ~Copyable {
  private let inputs: Inputs
  private let passing: PassingDigests
  private let kinds: Checksum.Kinds
  private let progress: WorkProgress?
  private let isCancelled: () -> Bool
  private let buffer: UnsafeMutableRawBufferPointer
  private var open: (index: Int, file: InputFile)?

  /// Bytes that are read at a time: small enough to stay in the processor's cache until they have been
  /// through every digest.
  private static let bufferSize = 256 << 10

  /// - Parameter progress: counts what is read, where nothing else does.
  init(
    _ inputs: Inputs,
    _ passing: PassingDigests,
    kinds: Checksum.Kinds = .crc32,
    progress: WorkProgress? = nil,
    isCancelled: @escaping () -> Bool
  ) {
    (self.inputs, self.passing, self.isCancelled) = (inputs, passing, isCancelled)
    (self.kinds, self.progress) = (kinds, progress)
    buffer = .allocate(byteCount: Self.bufferSize, alignment: Mapping.pageSize)
  }

  deinit { buffer.deallocate() }

  /// Gives a run to the digests, and returns its sums.
  mutating func read(
    _ source: Extent.Source,
    _ length: Int64
  ) throws(CleaveError) -> Checksum {
    var sum = Checksum.empty
    if let bytes = try source.bytes() {
      bytes.withUnsafeBytes { bytes in
        sum.update(bytes, kinds)
        passing.update(bytes)
      }
      return sum
    }
    guard case .file(let index, let start) = source else { return sum }
    let file = try file(index)
    while sum.count < length {
      if isCancelled() { throw .cancelled }
      let count = Int(min(Int64(buffer.count), length - sum.count))
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      file.willRead(to: start + sum.count)
      try file.read(into: piece, at: start + sum.count)
      sum.update(UnsafeRawBufferPointer(piece), kinds)
      passing.update(UnsafeRawBufferPointer(piece))
      progress?.add(count)
    }
    return sum
  }

  private mutating func file(_ index: Int) throws(CleaveError) -> InputFile {
    if let open, open.index == index { return open.file }
    try close()
    let file = try inputs.acquire(index)
    open = (index, file)
    return file
  }

  /// - Throws: where the source that is open was changed meanwhile.
  mutating func close() throws(CleaveError) {
    guard let open else { return }
    self.open = nil
    try inputs.release(open.index)
  }
}
