import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What measurements depend on: the machine, its kernel, its file systems.
package enum Host {
  /// The kernel's name, its release and the machine's architecture; see `uname(2)`.
  package static var kernel: String {
    var info = utsname()
    guard uname(&info) == 0 else { return "an unknown kernel" }
    return [text(info.sysname), text(info.release), text(info.machine)].joined(separator: " ")
  }

  /// Now, in seconds and UTC, as ISO 8601 writes it; see `gmtime(3)`.
  package static var date: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return Self.text(text)
  }

  /// Bytes of memory, where the system tells; see `sysconf(3)`.
  package static var memoryBytes: Int64? {
    #if canImport(Darwin)
      var bytes: UInt64 = 0
      var size = MemoryLayout.size(ofValue: bytes)
      return sysctlbyname("hw.memsize", &bytes, &size, nil, 0) == 0 ? Int64(bytes) : nil
    #else
      let pages = sysconf(CInt(_SC_PHYS_PAGES))
      return pages > 0 ? Int64(pages) * Int64(Mapping.pageSize) : nil
    #endif
  }

  /// The maker's name for the processor, where the system knows it; see `proc(5)`, `/proc/cpuinfo`.
  package static var processorModel: String? {
    #if canImport(Darwin)
      var name = [UInt8](repeating: 0, count: 256)
      var size = name.count
      guard sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0 else { return nil }
      return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    #else
      // The first processor's entry is in the first lines.
      guard let file = try? FileDescriptor.open("/proc/cpuinfo", .readOnly),
        let bytes = try? file.read(4096, at: 0)
      else { return nil }
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        guard line.starts(with: "model name".utf8), let colon = line.firstIndex(of: 0x3A) else {
          continue
        }
        let words = line[(colon + 1)...].split { $0 == UInt8(ascii: " ") || $0 == 0x09 }
        return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
      }
      return nil
    #endif
  }

  /// The type of the file system that a path is on, such as `ext4`; the kernel's number for it where
  /// that is not among the usual ones. See `statfs(2)`.
  package static func fileSystem(at path: FilePath) throws(SystemError) -> String {
    var number: UInt64 = 0
    var name = [CChar](repeating: 0, count: 16)
    do {
      _ = try retrying { path.withCString { cplatform_file_system($0, &number, &name) } }
    } catch {
      throw SystemError("statfs", path, error)
    }
    if name[0] != 0 { return text(name) }
    return fileSystems[number] ?? "file system 0x\(String(number, radix: 16))"
  }

  /// From Linux's `magic.h`, and for those that are not in it from their own headers.
  private static let fileSystems: [UInt64: String] = [
    0xEF53: "ext4", 0x5846_5342: "xfs", 0x9123_683E: "btrfs", 0x0102_1994: "tmpfs",
    0x8584_58F6: "ramfs", 0x794C_7630: "overlayfs", 0x2FC1_2FC1: "zfs", 0xF2F5_2010: "f2fs",
    0xCA45_1A4E: "bcachefs", 0x4D44: "vfat", 0x2011_BAB0: "exfat", 0x7366_746E: "ntfs3",
    0x6969: "nfs", 0xFF53_4D42: "cifs", 0xFE53_4D42: "smb2", 0x0102_1997: "9p",
    0x6573_5546: "fuse", 0x9FA0: "proc",
  ]

  private static func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func text(_ name: [CChar]) -> String {
    String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
