/// A way for a system call to fail, and what must come of it.
struct SweptFault: Sendable {
  enum Consequence {
    /// Everything is as it was, and one line says why; or it does not matter, and all went well.
    case failure
    /// Nobody notices.
    case none
    /// Names are absent, old or whole; nothing else is left but temporaries.
    case death
  }

  /// As the fault shim spells it.
  let action: String
  let consequence: Consequence
  let operations: [String]
  /// Whether it takes its time, so that other calls are waiting behind it.
  var isLate = false

  static let operations = [
    "open", "read", "write", "fsync", "close", "rename", "link", "unlink", "ftruncate", "fallocate",
    "copy_file_range", "mmap", "share", "statvfs",
  ]

  static let all = [
    SweptFault("EIO", .failure),
    SweptFault("ENOSPC", .failure),
    SweptFault("ENOSPC", .failure, ["write"], isLate: true),
    SweptFault("EINTR", .none, operations.filter { $0 != "mmap" }),
    SweptFault("EAGAIN", .none, ["open", "read", "write"]),
    SweptFault("short:1", .none, ["read", "write", "copy_file_range"]),
    SweptFault("short:777", .none, ["read", "write", "copy_file_range"]),
    // A mapping without pages, as of a file that was cut.
    SweptFault("short:0", .failure, ["mmap"]),
    SweptFault("kill", .death),
  ]

  /// What `make test` has time for: calls that are made by all commands. What each errno of a write or
  /// a flush becomes is in ``WriteFaultTests``.
  static let quick = [
    SweptFault(
      "EIO",
      .failure,
      ["open", "read", "write", "fsync", "close", "rename", "fallocate", "mmap", "statvfs"]
    ),
    SweptFault("kill", .death, ["write", "rename"]),
  ]

  init(
    _ action: String,
    _ consequence: Consequence,
    _ operations: [String] = SweptFault.operations,
    isLate: Bool = false
  ) {
    (self.action, self.consequence, self.operations) = (action, consequence, operations)
    self.isLate = isLate
  }
}
