import CPlatform
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A range of a file mapped read-only; unmapped when the last reference goes, or before.
///
/// Touching a page of a file that has been truncated since raises SIGBUS. System calls report it as
/// `EFAULT`; code that touches the bytes itself goes through ``MappedMemory``.
package final class Mapping: @unchecked Sendable {
  // Sendable: the pointers never change and the pages are mapped read-only.
  private let base: UnsafeMutableRawPointer
  private let mappedLength: Int
  private let isMapped = Atomic(true)
  /// The bytes that were asked for.
  package let bytes: UnsafeRawBufferPointer
  /// Where in the file they begin.
  package let offset: Int64

  /// Maps `count` bytes, more than 0, from `offset`, which need not be aligned; see `mmap(2)`.
  package init(_ file: borrowing FileDescriptor, at offset: Int64, count: Int) throws(SystemError) {
    self.offset = offset
    let lead = Int(offset % Int64(Self.pageSize))
    mappedLength = lead + count
    let start = mmap(
      nil,
      mappedLength,
      PROT_READ,
      MAP_SHARED,
      file.rawValue,
      off_t(offset - Int64(lead))
    )
    guard let start, start != MAP_FAILED else {
      throw SystemError("mmap", file.path, at: offset, .current)
    }
    base = start
    bytes = UnsafeRawBufferPointer(start: start + lead, count: count)
  }

  deinit { unmap() }

  /// Unmaps the range; nobody may touch ``bytes`` any more. Does nothing the second time.
  package func unmap() {
    if isMapped.exchange(false, ordering: .relaxed) { munmap(base, mappedLength) }
  }

  /// How many of the bytes are in memory, whether this process has touched them or not; see
  /// `mincore(2)`. Linux tells it of files that the caller owns or may write, and says all of others.
  package var residentCount: Int {
    let lead = mappedLength - bytes.count
    var pages = [PageState](repeating: 0, count: (mappedLength - 1) / Self.pageSize + 1)
    guard mincore(base, mappedLength, &pages) == 0 else { return bytes.count }
    let resident = pages.filter { $0 & 1 != 0 }.count * Self.pageSize
    return max(0, min(resident - lead, bytes.count))
  }

  #if canImport(Darwin)
    private typealias PageState = CChar
  #else
    private typealias PageState = UInt8
  #endif

  package static let pageSize = Int(sysconf(CInt(_SC_PAGESIZE)))
}

/// Reading mapped bytes in user space, where a truncated file would otherwise end the process.
package enum MappedMemory {
  /// A function such as zlib's `crc32_z`.
  package typealias ChecksumFunction = @convention(c) (UInt, UnsafePointer<UInt8>?, Int) -> UInt

  /// Brings the bytes in, and runs up to two checksum functions over them. Returns false where the
  /// file was truncated (SIGBUS).
  package static func checksums(
    _ first: ChecksumFunction?,
    _ firstValue: inout UInt,
    _ second: ChecksumFunction?,
    _ secondValue: inout UInt,
    over bytes: UnsafeRawBufferPointer
  ) -> Bool {
    cplatform_guarded_checksums(
      first,
      &firstValue,
      second,
      &secondValue,
      bytes.bindMemory(to: UInt8.self).baseAddress,
      bytes.count
    ) == 0
  }
}
