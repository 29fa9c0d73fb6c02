package import Cleave
package import Posix

/// A source that was never a file.
package final class MemorySource: RandomAccessBytes {
  package let path: FilePath
  package let size: Int64
  package let identity = 1
  private let state: Locked<(bytes: [UInt8], identity: Int)>

  package init(_ path: FilePath, _ bytes: [UInt8]) {
    (self.path, size) = (path, Int64(bytes.count))
    state = Locked((bytes, identity))
  }

  /// Puts other bytes in the place of these.
  package func replace(with bytes: [UInt8]) { state.withLock { $0 = (bytes, $0.identity + 1) } }

  package func currentIdentity() -> Int { state.withLock { $0.identity } }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(CleaveError) {
    let bytes = state.withLock { $0.bytes }
    guard offset + Int64(buffer.count) <= bytes.count else {
      throw CleaveError(.badData, path, "was truncated")
    }
    buffer.copyBytes(from: bytes[Int(offset)..<(Int(offset) + buffer.count)])
  }
}

extension JoinedBytes {
  /// Parts in memory, named `a.001` and so on unless they have other names.
  package init(_ parts: [[UInt8]], named names: [FilePath]? = nil) throws(CleaveError) {
    let sources = parts.enumerated().map { index, bytes in
      MemorySource(names?[index] ?? FilePath("a.00\(index + 1)"), bytes)
    }
    try self.init(sources)
  }
}
