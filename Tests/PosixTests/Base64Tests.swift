import Foundation
import Posix
import TestSupport
import Testing

@Suite struct Base64Tests {
  @Test("bytes and their text are each other's, as Foundation has them", arguments: 0...70)
  func both(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Base64.text(of: bytes)
    #expect(text == Data(bytes).base64EncodedString())
    #expect(Base64.bytes(of: Array(text.utf8)) == bytes)
  }

  @Test(
    "what is no text of bytes is none",
    arguments: ["A", "AA", "AAA", "AB==", "AAB=", "A===", "AA=A", "A*==", "===="]
  )
  func others(text: String) { #expect(Base64.bytes(of: Array(text.utf8)) == nil) }
}
