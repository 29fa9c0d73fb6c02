package import Posix

/// A number of pseudo-random bytes, the same every time; a shorter sample is the start of a longer
/// one.
package struct Sample: Sendable {
  /// Bytes.
  package let size: Int64

  package init(size: Int64) { self.size = size }

  /// Makes the file; one that cannot be finished is removed again.
  ///
  /// - Parameter isCancelled: asked now and then; `ECANCELED` is thrown where it says so.
  /// - Parameter didWrite: told how many bytes more have been written.
  package func write(
    toNew path: FilePath,
    isCancelled: () -> Bool = { false },
    didWrite: (Int) -> Void = { _ in }
  ) throws(SystemError) {
    let file = try FileDescriptor.open(
      path,
      [.writeOnly, .create, .exclusive],
      permissions: 0o666
    )
    do {
      try write(to: file, isCancelled, didWrite)
      try file.close()
    } catch {
      try? FileSystem.unlink(path)
      throw error
    }
  }

  private func write(
    to file: borrowing FileDescriptor,
    _ isCancelled: () -> Bool,
    _ didWrite: (Int) -> Void
  ) throws(SystemError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var generator = SplitMix()
    var left = size
    while left > 0 {
      if isCancelled() { throw SystemError("write", file.path, at: size - left, .canceled) }
      generator.fill(buffer)
      let count = Int(min(left, Int64(buffer.count)))
      try file.write(all: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      left -= Int64(count)
      didWrite(count)
    }
  }
}

/// SplitMix64, by Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014):
/// eight bytes from a few instructions.
private struct SplitMix {
  private var state: UInt64 = 1

  /// Fills a buffer whose size is a multiple of 8.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) {
    for offset in stride(from: 0, to: buffer.count, by: 8) {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      mixed ^= mixed >> 31
      buffer.storeBytes(of: mixed.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
  }
}
