package import Posix

/// Counts what a program asks of the system; `Tests/CountShim/count-shim.c` explains the numbers.
package enum CountShim {
  /// Whether calls can be counted: on Linux with glibc and a C compiler. Not under the thread
  /// sanitizer, which has an allocator of its own.
  package static var isAvailable: Bool {
    #if canImport(Glibc)
      PreloadLibrary.isAvailable && !BuildProducts.haveThreadSanitizer
    #else
      false
    #endif
  }

  /// What to add to a program's environment, so that it leaves its counts in a file.
  ///
  /// - Parameters:
  ///   - file: gets a JSON object when the program exits.
  ///   - directory: absolute and free of symbolic links; the files whose bytes count are below it.
  /// - Throws: ``PreloadLibrary/Unavailable`` where the library cannot be compiled.
  package static func environment(
    into file: FilePath,
    below directory: FilePath
  ) throws -> [String: String] {
    var environment: [String: String] = [:]
    environment["LD_PRELOAD"] = try library.get().string
    environment["CLEAVE_COUNTS"] = file.string
    environment["CLEAVE_COUNTS_BELOW"] = directory.string
    return environment
  }

  private static let library = Result { try PreloadLibrary.compile("CountShim") }
}
