import Posix

/// Waiting for something not to happen.
enum Pause {
  static func milliseconds(_ count: CInt) { try? Readiness.pause(milliseconds: count) }
}
