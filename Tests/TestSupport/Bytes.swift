#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Contents for test files, and comparing them without a page of output.
package enum Bytes {
  /// `count` bytes that look random, and are the same for the same seed.
  ///
  /// A shorter run is the start of a longer one.
  package static func pattern(count: Int, seed: UInt64 = 1) -> [UInt8] {
    // The one empty array that all share would be written to, which the thread sanitizer reports.
    guard count > 0 else { return [] }
    var generator = SeededGenerator(seed: seed)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      for start in stride(from: 0, to: count, by: 8) {
        withUnsafeBytes(of: generator.next().littleEndian) { word in
          let room = UnsafeMutableRawBufferPointer(rebasing: raw[start..<min(start + 8, count)])
          room.copyMemory(from: UnsafeRawBufferPointer(rebasing: word.prefix(room.count)))
        }
      }
      initialized = count
    }
  }

  /// `count` bytes for large files, made quickly: they repeat, but never at a block or a buffer.
  package static func repeatedPattern(count: Int, seed: UInt64 = 1) -> [UInt8] {
    let period = pattern(count: 100_003, seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += period.prefix(count - bytes.count) }
    return bytes
  }

  /// What is different about `found`, in a few words; nil where it is what was expected.
  ///
  /// `#expect(Bytes.difference(found, expected) == nil)` says more in one line than `==` does in a
  /// thousand.
  package static func difference(_ found: [UInt8], _ expected: [UInt8]) -> String? {
    if found.count != expected.count {
      return "\(found.count) bytes and not \(expected.count)"
    }
    // Swift's own comparison takes most of a test's time where nothing is optimised.
    if memcmp(found, expected, found.count) == 0 { return nil }
    var (same, end) = (0, found.count)
    while end - same > 1 {
      let middle = (same + end) / 2
      if memcmp(found, expected, middle) == 0 { same = middle } else { end = middle }
    }
    return "differs at byte \(same)"
  }
}
