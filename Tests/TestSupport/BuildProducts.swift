package import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where the build put its programs, and where the sources are.
package enum BuildProducts {
  /// The directory of the test program, which is the one of `cleave` too.
  package static let directory: FilePath = {
    #if canImport(Darwin)
      // The running program is Xcode's; the tests are a bundle that it loaded:
      // DIRECTORY/cleavePackageTests.xctest/Contents/MacOS/cleavePackageTests.
      return image.directory.directory.directory.directory
    #else
      return Files.resolved("/proc/self/exe").directory
    #endif
  }()

  /// The top of the source tree, which this file is two directories below.
  package static let sources = FilePath(#filePath).directory.directory.directory

  /// Whether `make test-long` runs the tests: every case of tables of which `make test` takes some.
  package static let areTestsLong = ProcessState.environment("CLEAVE_LONG_TESTS") != nil

  /// Whether the programs were built with the thread sanitizer, whose runtime needs a large file of
  /// its own and takes minutes where others take seconds.
  package static let haveThreadSanitizer = dlsym(nil, "__tsan_init") != nil

  /// Whether the programs were built with a sanitizer that takes memory of its own for theirs.
  package static let haveMemoryOfSanitizers =
    haveThreadSanitizer || dlsym(nil, "__asan_init") != nil

  #if canImport(Darwin)
    private static var image: FilePath {
      var info = Dl_info()
      guard dladdr(#dsohandle, &info) != 0, let name = info.dli_fname else { return "." }
      return FilePath(cString: name)
    }
  #endif
}
