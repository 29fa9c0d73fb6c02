import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The file's pages in memory. All of it is advice: nothing here fails, or changes a byte.
extension FileDescriptor {
  /// Asks the kernel to read a range ahead; see `posix_fadvise(2)`.
  package borrowing func willNeed(_ range: Range<Int64>) {
    if let remote { return remote.willRead(range) }
    _ = cplatform_will_need(rawValue, off_t(range.lowerBound), off_t(range.count64))
  }

  /// Bytes of a range that are in memory, counted in pages, or nil where the kernel does not tell;
  /// see `cachestat(2)`.
  package borrowing func cachedBytes(in range: Range<Int64>) -> Int64? {
    let pages = cplatform_cached_pages(rawValue, off_t(range.lowerBound), off_t(range.count64))
    return pages < 0 ? nil : pages * Int64(Mapping.pageSize)
  }

  /// Drops the clean pages of a range, or of the whole file, so that the next read of them comes
  /// from the device.
  package borrowing func dropCache(_ range: Range<Int64> = 0..<0) {
    _ = cplatform_drop_cache(rawValue, off_t(range.lowerBound), off_t(range.count64))
  }

  /// Starts writing the file's dirty pages to the device, without waiting; see `sync_file_range(2)`.
  package borrowing func startWriteback() { cplatform_write_back(rawValue, 0) }

  /// Waits for what is on its way to the device. Unlike ``synchronize()`` it promises nothing.
  package borrowing func waitForWriteback() { cplatform_write_back(rawValue, 1) }
}

/// Blocks that files share.
extension FileDescriptor {
  /// Makes a file that somebody else keeps open share the blocks of a range of another, where the
  /// file system can and all of it is aligned to its blocks; see `ioctl_ficlonerange(2)`.
  ///
  package static func share(
    _ range: Range<Int64>,
    of source: borrowing FileDescriptor,
    with rawValue: CInt,
    at offset: Int64,
    path: FilePath
  ) throws(SystemError) {
    do throws(Errno) {
      _ = try retrying {
        cplatform_share_range(
          source.rawValue,
          off_t(range.lowerBound),
          off_t(range.count64),
          rawValue,
          off_t(offset)
        )
      }
    } catch {
      throw SystemError("clone", path, at: offset, error)
    }
  }

  /// The file system's block size in bytes, or nil where it does not tell; see `fstatvfs(3)`.
  package borrowing func blockSize() -> Int64? {
    let size = cplatform_block_size(rawValue)
    return size > 0 ? Int64(size) : nil
  }
}

extension Range<Int64> {
  /// Bytes.
  package var count64: Int64 { upperBound - lowerBound }
}
