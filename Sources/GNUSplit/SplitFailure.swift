package import Posix

/// Why the run ends early: what is said, and the exit code.
package struct SplitFailure: Error, Sendable {
  /// Bytes, since names are; nil where all has been said.
  package var message: [UInt8]?
  package var code: CInt = 1
  /// Whether the user is told of `--help`.
  package var isUsage = false

  package init(_ message: [UInt8], code: CInt = 1, isUsage: Bool = false) {
    (self.message, self.code, self.isUsage) = (message, code, isUsage)
  }

  /// - Parameter middle: bytes between two texts, such as a name.
  package init(
    _ start: String,
    _ middle: [UInt8] = [],
    _ end: String = "",
    code: CInt = 1,
    isUsage: Bool = false
  ) {
    self.init(Array(start.utf8) + middle + Array(end.utf8), code: code, isUsage: isUsage)
  }

  /// `NAME: Permission denied`.
  package init(_ name: FilePath, _ errno: Errno) {
    self.init("", Quoting.name(name), ": \(errno)")
  }
}
