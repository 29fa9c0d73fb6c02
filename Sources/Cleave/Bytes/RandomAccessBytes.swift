package import Posix

/// A source of bytes that can be read at any offset, and that can tell whether it still has the same bytes:
/// a local file, an object of a store, what a server gives in ranges.
///
/// Whatever looks into sources, at their formats, ends, records and proofs, reads ``JoinedBytes``, and those
/// read through this. A new kind of source is a new conformance.
package protocol RandomAccessBytes: Sendable {
  /// What tells the bytes from others under the same name: an inode, a size and a time; the version of an
  /// object.
  associatedtype Identity: Hashable & Sendable

  /// What messages call the source.
  var path: FilePath { get }
  /// Bytes, 0 or more.
  var size: Int64 { get }
  /// The identity of the bytes that ``size`` was told of.
  var identity: Identity { get }

  /// The identity of the bytes that are there now, which is asked for each time.
  ///
  /// - Throws: `.missingInput` where there is nothing to read any more, `.badData` where there are fewer
  ///   bytes; the error of asking.
  func currentIdentity() throws(CleaveError) -> Identity

  /// Fills the buffer from an offset; both lie within ``size``. Several threads may call this at a time.
  ///
  /// - Throws: the error of reading; `.badData` where the bytes end before the buffer is full.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(CleaveError)

  /// What is behind `offset` is about to be read, in order.
  func willRead(to offset: Int64)
}

extension RandomAccessBytes {
  package func willRead(to offset: Int64) {}

  /// - Throws: `.changedInput` where the bytes are no longer the same; as ``currentIdentity()``.
  package func requireUnchanged() throws(CleaveError) {
    guard try currentIdentity() == identity else { throw .changed(path) }
  }
}
