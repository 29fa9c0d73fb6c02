import Cleave
import Testing

@testable import CleaveRemote

/// The examples of "Authenticating Requests (AWS Signature Version 4)" in Amazon's documentation of S3.
@Suite(.enabled(if: RunningDigest.isAvailable, "needs libcrypto"))
struct SignatureTests {
  private static let none = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let host = ("host", "examplebucket.s3.amazonaws.com")

  static let examples:
    [(query: String, path: String, headers: [(String, String)], signature: String)] = [
      (
        "", "/test.txt", [("range", "bytes=0-9")],
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
      ),
      ("lifecycle=", "/", [], "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
      (
        "max-keys=2&prefix=J", "/", [],
        "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
      ),
    ]

  @Test(arguments: examples.indices) func thePublishedExamplesHaveTheirSignatures(index: Int) throws
  {
    let example = Self.examples[index]
    let keys = ObjectStore.Keys(
      id: "AKIAIOSFODNN7EXAMPLE",
      secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    )
    let stamp = "20130524T000000Z"
    let headers =
      example.headers + [Self.host, ("x-amz-content-sha256", Self.none), ("x-amz-date", stamp)]
    let signature = SignatureVersion4(keys: keys, region: "us-east-1", stamp: stamp)
    let value = try signature.authorization("GET", example.path, example.query, headers, Self.none)
    #expect(value.hasSuffix("Signature=\(example.signature)"), "\(value)")
    let scope = "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
    #expect(value.hasPrefix("AWS4-HMAC-SHA256 \(scope)SignedHeaders=host;"), "\(value)")
  }

  /// RFC 4231, cases 1 and 6.
  @Test func hmacIsThatOfTheStandard() throws {
    let short = try SignatureVersion4.hmac(
      [UInt8](repeating: 0x0B, count: 20),
      Array("Hi There".utf8)
    )
    #expect(short.prefix(4) == [0xB0, 0x34, 0x4C, 0x61])
    let text = "Test Using Larger Than Block-Size Key - Hash Key First"
    let long = try SignatureVersion4.hmac([UInt8](repeating: 0xAA, count: 131), Array(text.utf8))
    #expect(long.prefix(4) == [0x60, 0xE4, 0x31, 0x59])
  }
}
