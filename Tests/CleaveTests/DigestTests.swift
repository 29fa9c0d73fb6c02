import Cleave
import Posix
import TestSupport
import Testing

/// Digests are those of coreutils, whatever pieces the bytes come in.
@Suite(.enabled(if: RunningDigest.isAvailable, "no libcrypto here"))
struct DigestTests {
  @Test(
    arguments: [
      // RFC 1321, RFC 3174, FIPS 180-2 and RFC 7693 have these of "abc".
      (.md5, "900150983cd24fb0d6963f7d28e17f72"),
      (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (.sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
      (
        .sha384,
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
          + "8086072ba1e7cc2358baeca134c825a7"
      ),
      (
        .sha512,
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
      (
        .b2,
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
          + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
      ),
    ] as [(Digest.Kind, String)]
  )
  func theStandardsSayTheSame(kind: Digest.Kind, text: String) throws {
    let digest = try RunningDigest(kind)
    for piece in ["a", "", "bc"] { Array(piece.utf8).withUnsafeBytes { digest.update($0) } }
    #expect(try digest.finish().text == text)
  }

  @Test(arguments: Digest.Kind.allCases) func coreutilsSayTheSame(kind: Digest.Kind) throws {
    guard let tool = Tool.find(FilePath("\(kind.rawValue)sum")) else {
      return print("skipped: \(kind.rawValue)sum is not installed")
    }
    let directory = try TemporaryDirectory()
    let running = try RunningDigest(kind)
    for count in [0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 100_000] {
      let bytes = Bytes.pattern(count: count)
      let path = directory.file("bytes")
      try Files.write(bytes, to: path)
      bytes.withUnsafeBytes { running.update($0) }
      let digest = try running.finish()
      #expect(digest.bytes.count == kind.count)
      let outcome = try tool.run([path])
      #expect(outcome.outputText == "\(digest.text)  \(path)\n", "\(count) bytes")
    }
  }
}
