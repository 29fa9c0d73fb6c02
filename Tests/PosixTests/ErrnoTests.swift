import Posix
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct ErrnoTests {
  @Test(
    "the table agrees with the C library",
    .enabled(if: SymbolName.function != nil),
    arguments: CInt(1)...133
  )
  func theTableAgrees(number: CInt) throws {
    let symbol = try #require(SymbolName.function)
    let expected = symbol(number).map { String(cString: $0) }
    #expect(Errno(rawValue: number).symbol == expected ?? "E?\(number)")
  }

  @Test func cancellationHasASymbol() {
    #expect(Errno(rawValue: ECANCELED).symbol == "ECANCELED")
    #expect(Errno.canceled.symbol == "ECANCELED")
  }

  @Test(
    "a number that stands for nothing is shown",
    arguments: [
      (0, "E?0"), (-1, "E?-1"), (99999, "E?99999"),
    ] as [(CInt, String)]
  )
  func aNumberWithoutMeaningIsShown(number: CInt, expected: String) {
    #expect(Errno(rawValue: number).symbol == expected)
  }

  @Test(
    "a missing operation is told from a failing one",
    arguments: [
      (Errno.notSupported, true), (.unsupportedOperation, true), (.invalidArgument, true),
      (.noSuchCall, true), (.noSpace, false), (.ioError, false), (.permissionDenied, false),
    ]
  )
  func aMissingOperationIsTold(errno: Errno, expected: Bool) {
    #expect(errno.meansUnsupported == expected)
  }
}

@Suite struct SystemErrorTests {
  @Test(
    "an error names file, call, offset and errno",
    arguments: [
      (
        SystemError("open", "a/b", .notFound),
        "a/b: open failed: No such file or directory (ENOENT)"
      ),
      (
        SystemError("read", "a", at: 4096, .ioError),
        "a: read failed at 4096: Input/output error (EIO)"
      ),
      (
        SystemError("write", "a\nb", at: 0, .noSpace),
        "a\\nb: write failed at 0: No space left on device (ENOSPC)"
      ),
      (
        SystemError("rename", FilePath(bytes: [0x61, 0xFF]), .exists),
        "a\\xff: rename failed: File exists (EEXIST)"
      ),
    ]
  )
  func anErrorNamesEverything(error: SystemError, text: String) {
    #expect("\(error)" == text)
  }

  @Test func aFailedCallNamesItselfAndTheFile() {
    #expect(throws: SystemError("open", "/nonexistent/x", .notFound)) {
      try FileDescriptor.open("/nonexistent/x", .readOnly).close()
    }
  }
}

/// `strerrorname_np(3)`, which only glibc has, since 2.32.
private enum SymbolName {
  static let function: (@convention(c) (CInt) -> UnsafePointer<CChar>?)? = {
    guard let address = dlsym(dlopen(nil, RTLD_LAZY), "strerrorname_np") else { return nil }
    return unsafeBitCast(address, to: (@convention(c) (CInt) -> UnsafePointer<CChar>?).self)
  }()
}
