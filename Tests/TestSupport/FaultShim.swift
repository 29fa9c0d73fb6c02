package import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Makes chosen system calls of a program fail; `Tests/FaultShim/fault-shim.c` explains the rules.
///
/// The library is compiled once for every test process, into a directory of that process.
package enum FaultShim {
  /// Whether faults can be injected: on Linux with a C compiler.
  package static var isAvailable: Bool {
    #if os(Linux)
      compiler != nil
    #else
      false
    #endif
  }

  /// What to add to a program's environment for `rules`, such as `write@/out#7=ENOSPC`.
  ///
  /// - Parameter log: a file that gets a line for every rule that fires.
  /// - Throws: ``Unavailable`` where the library cannot be compiled.
  package static func environment(
    _ rules: String,
    log: FilePath? = nil
  ) throws -> [String: String] {
    var environment = ["CLEAVE_FAULTS": rules]
    environment["LD_PRELOAD"] = try library.get().string
    environment["CLEAVE_FAULT_LOG"] = log?.string
    return environment
  }

  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  private static let compiler = Tool.find("cc") ?? Tool.find("clang")

  private static let library = Result { try compile() }

  private static func compile() throws -> FilePath {
    guard isAvailable, let compiler else { throw Unavailable(description: "no C compiler") }
    let directory = try TemporaryDirectory()
    let library = directory.file("fault-shim.so")
    let sources = BuildProducts.sources.appending("Tests/FaultShim")
    let outcome = try compiler.run([
      "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library,
      sources.appending("fault-shim.c"), sources.appending("calls.c"), "-ldl", "-pthread",
    ])
    guard outcome.exitCode == 0 else { throw Unavailable(description: outcome.errorText) }
    keepUntilExit(directory)
    return library
  }

  /// What a static property holds is never released, so the directory goes when the process does.
  private static func keepUntilExit(_ directory: TemporaryDirectory) {
    _ = Unmanaged.passRetained(directory)
    atexit {
      if let library = try? FaultShim.library.get() { TemporaryDirectory.remove(library.directory) }
    }
  }
}
