import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A C library that tests preload into a program, to see or to change what it asks the system for.
///
/// Each is compiled once for every test process, into a directory of that process.
package enum PreloadLibrary {
  /// Whether libraries can be preloaded and compiled: on Linux with a C compiler.
  package static var isAvailable: Bool {
    #if os(Linux)
      compiler != nil
    #else
      false
    #endif
  }

  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  private static let compiler = Tool.find("cc") ?? Tool.find("clang")

  private static let directory = Result { try directoryUntilExit() }

  /// Compiles the C files in `Tests/NAME` into one library.
  ///
  /// - Throws: ``Unavailable`` where that is not possible.
  static func compile(_ name: FilePath) throws -> FilePath {
    guard isAvailable, let compiler else { throw Unavailable(description: "no C compiler") }
    let library = try directory.get().file(name.adding(".so"))
    let sources = BuildProducts.sources.appending("Tests").appending(name)
    let files = try FileSystem.names(in: sources).filter { $0.bytes.suffix(2) == [0x2E, 0x63] }
    let options = [
      "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-ldl", "-pthread",
    ]
    let outcome = try compiler.run(
      ["-o", library] + files.map { sources.appending($0) } + options
    )
    guard outcome.exitCode == 0 else { throw Unavailable(description: outcome.errorText) }
    return library
  }

  /// What a static property holds is never released, so the directory goes when the process does.
  private static func directoryUntilExit() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    atexit {
      if let directory = try? PreloadLibrary.directory.get() {
        TemporaryDirectory.remove(directory.path)
      }
    }
    return directory
  }
}
