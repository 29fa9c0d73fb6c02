/// A process that has a file's lock.
package struct LockHolder: Hashable, Sendable {
  package let process: Int
  /// The name of its program, at most 15 bytes; nil where it is not told.
  package let program: FilePath?

  /// Who keeps a file from being locked, where the system tells: `/proc/locks` of Linux, see
  /// `proc_locks(5)`. Processes that are not seen from here, as outside of a container, have no number.
  package static func ofLock(on file: borrowing FileDescriptor) -> LockHolder? {
    #if os(Linux)
      guard let identity = try? file.status().identity, let list = try? contents("/proc/locks")
      else { return nil }
      guard let process = holder(of: identity, in: list) else { return nil }
      let name = try? contents(FilePath("/proc/\(process)/comm"))
      let program = name.map { FilePath(bytes: $0.prefix { $0 != UInt8(ascii: "\n") }) }
      return LockHolder(process: process, program: program)
    #else
      return nil
    #endif
  }

  /// The first process that has the `flock(2)` lock of a file.
  ///
  /// - Parameter list: lines like `1: FLOCK  ADVISORY  WRITE 4711 fd:01:131074 0 EOF`, where the device is
  ///   hexadecimal. Those who wait have `->` behind the number.
  package static func holder(of identity: FileStatus.Identity, in list: [UInt8]) -> Int? {
    let device = identity.device
    // As glibc's gnu_dev_major(3) has it.
    let major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
    let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
    func hexadecimal(_ number: UInt64) -> String {
      (number < 16 ? "0" : "") + String(number, radix: 16)
    }
    let file = "\(hexadecimal(major)):\(hexadecimal(minor)):\(identity.inode)"
    for line in list.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count >= 6, words[1].elementsEqual("FLOCK".utf8),
        words[5].elementsEqual(file.utf8),
        let process = Int(String(decoding: words[4], as: UTF8.self)), process > 0
      else { continue }
      return process
    }
    return nil
  }

  /// A file that does not tell its size.
  private static func contents(_ path: FilePath) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor.open(path, .readOnly)
    return try file.read(longest, at: 0)
  }

  /// Bytes; some 60 for each lock of the whole system.
  private static let longest = 1 << 20
}

extension LockHolder: CustomStringConvertible {
  /// `process 4711 (flock)`.
  package var description: String { "process \(process)" + (program.map { " (\($0))" } ?? "") }
}
