import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Mounting file systems for a test, which takes root and tools that many containers do not have.
package enum Mounting {
  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  @discardableResult
  static func run(_ name: FilePath, _ arguments: [any ToolArgument]) throws -> Outcome {
    guard let tool = Tool.find(name) else {
      throw Unavailable(description: "\(name) is not installed")
    }
    let outcome = try tool.run(arguments)
    guard outcome.exitCode == 0 else { throw Unavailable(description: "\(name): \(outcome)") }
    return outcome
  }

  /// Unmounts as soon as nobody is in there.
  ///
  /// A child that another test has just started has every descriptor of this process until its own
  /// program runs, those of files that are being written here among them.
  static func unmountOnceLeft(_ path: FilePath) throws {
    let start = ContinuousClock.now
    while true {
      do {
        try run("umount", [path])
        return
      } catch let error as Unavailable where error.description.contains("busy") {
        if ContinuousClock.now - start > .seconds(RunningTool.patience) { throw error }
        usleep(50_000)
      }
    }
  }

  static func unmount(_ path: FilePath) {
    // Lazily where somebody is still in there.
    guard (try? run("umount", [path])) == nil else { return }
    _ = try? run("umount", ["-l", path])
  }

  /// Whether `make` gets a file system. Where it does not, that is told on standard output.
  static func isPossible(_ kind: String, _ make: () throws -> Void) -> Bool {
    do {
      #if os(Linux)
        try make()
        return true
      #else
        throw Unavailable(description: "needs Linux")
      #endif
    } catch {
      print("tests on \(kind) are skipped: \(error)")
      return false
    }
  }
}
