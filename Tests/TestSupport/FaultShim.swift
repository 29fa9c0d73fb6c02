package import Posix

/// Makes chosen system calls of a program fail; `Tests/FaultShim/fault-shim.c` explains the rules.
package enum FaultShim {
  /// Whether faults can be injected: on Linux with a C compiler.
  package static var isAvailable: Bool { PreloadLibrary.isAvailable }

  /// What to add to a program's environment for `rules`, such as `write@/out#7=ENOSPC`.
  ///
  /// - Parameter log: a file that gets a line for every rule that fires.
  /// - Throws: ``PreloadLibrary/Unavailable`` where the library cannot be compiled.
  package static func environment(
    _ rules: String,
    log: FilePath? = nil
  ) throws -> [String: String] {
    var environment = ["CLEAVE_FAULTS": rules]
    environment["LD_PRELOAD"] = try library.get().string
    environment["CLEAVE_FAULT_LOG"] = log?.string
    return environment
  }

  private static let library = Result { try PreloadLibrary.compile("FaultShim") }
}
