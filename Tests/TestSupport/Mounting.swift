import Posix

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
