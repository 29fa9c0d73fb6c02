import Cleave
import Posix

/// Brings the inputs into a known state before they are read.
enum BenchCache {
  /// Flushes the files to the device: the kernel shall not write them during the runs, and only what
  /// is on the device can be dropped. An error is left to the runs, which read the same files.
  static func settle(_ files: SourceFiles) {
    for file in files {
      guard let opened = try? FileDescriptor.open(file.path, .readOnly) else { continue }
      try? opened.synchronize()
    }
  }

  /// Drops the files from the page cache; see `posix_fadvise(2)`.
  ///
  /// - Returns: the bytes that stay there all the same: another process has them mapped, or the file
  ///   system is in memory.
  static func drop(_ files: SourceFiles) throws(CleaveError) -> Int64 {
    var resident: Int64 = 0
    do throws(SystemError) {
      for file in files {
        let opened = try FileDescriptor.open(file.path, .readOnly)
        opened.dropCache()
        resident += try residentBytes(of: opened, size: file.status.size)
      }
    } catch {
      throw .reading(error)
    }
    return resident
  }

  private static let window: Int64 = 64 << 20

  private static func residentBytes(
    of file: borrowing FileDescriptor,
    size: Int64
  ) throws(SystemError) -> Int64 {
    var resident: Int64 = 0
    for start in stride(from: 0, to: size, by: Int64.Stride(window)) {
      let count = Int(min(window, size - start))
      resident += Int64(try Mapping(file, at: start, count: count).residentCount)
    }
    return resident
  }
}
