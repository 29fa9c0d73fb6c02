import Cleave

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// `verify PART`: compares parts with their manifest, or what is in them with what it says of itself. The
/// program ends with 1 where something is wrong or missing.
@main struct VerifyExample {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else { throw Usage("verify PART") }
    let result = try await Verify([FilePath(CommandLine.arguments[1])]).result()
    for finding in result.findings { print(finding.line) }
    print(result.summary)
    exit(result.isRight ? 0 : 1)
  }
}

struct Usage: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
