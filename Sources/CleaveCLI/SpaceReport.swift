import Cleave
import CommandLineKit
import Posix

/// Whether there is room for what would be made.
struct SpaceReport: Encodable {
  /// The type of the file system that it would be on, such as `ext4`, where that is known.
  private(set) var fileSystem: String?
  /// Bytes at most; of a job that consumes its sources, those that it has not given back before.
  let needed: Int64
  /// Bytes, where the file system counts them.
  private(set) var free: Int64?
  /// Bytes of the largest file.
  let largestFile: Int64
  /// Whether a file on FAT32 may be as large as that.
  let fitsFAT32: Bool

  /// - Parameter directory: where the files would be.
  init(in directory: FilePath, needed: Int64, largestFile: Int64) {
    (self.needed, self.largestFile) = (needed, largestFile)
    fitsFAT32 = largestFile <= OutputCheck.mostOnFAT32
    do { fileSystem = try Host.fileSystem(at: directory) } catch {}
    do { free = try FileSystem.available(at: directory) } catch {}
  }

  /// For people.
  var lines: [String] {
    var line = "  space     \(ByteSize.described(needed)) needed"
    if let free {
      line += ", \(ByteSize.described(free)) free"
      if let fileSystem { line += " on \(fileSystem)" }
      if free < needed { line += ", \(ByteSize.described(needed - free)) too few" }
    }
    if fitsFAT32 { return [line] }
    let most = OutputCheck.mostOnFAT32
    return [
      line, "  FAT32     has at most \(most) bytes in a file: split -b fat32 makes parts that fit",
    ]
  }
}
