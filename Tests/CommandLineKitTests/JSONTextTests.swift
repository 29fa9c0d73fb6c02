import CommandLineKit
import Foundation
import Posix
import Testing

@Suite("JSON is what Foundation's encoder would write") struct JSONTextTests {
  private struct Numbers: Encodable {
    var small = 0.000_012_5
    var tenth = 0.1
    var whole = 3.0
    var large = 1e300
    var negative = -0.0
    var least = Int64.min
    var most = UInt64.max
    var byte: UInt8 = 7
    var yes = true
    var no = false
    var list = [1.0, 2.5, -3.75]
  }

  private struct Words: Encodable {
    enum Kind: String, Encodable { case one, other = "the other" }
    var plain = "film.001"
    var quoted = #"a "b" \ / c"#
    var control = String(String.UnicodeScalarView((0...0x20).compactMap(Unicode.Scalar.init)))
    var delete = "\u{7F}\u{80}\u{2028}"
    var wide = "é 日本 🎬 e\u{301}"
    var empty = ""
    var kind = Kind.other
    var kinds = [Kind.one, .other]
    var named = ["b": "2", "a": "1", "ab": "3", "B": "4", "é": "5", "10": "6", "9": "7"]
  }

  private struct Nested: Encodable {
    struct Inner: Encodable {
      var name: String?
      var numbers: [[Int]] = [[], [1], [2, 3]]
    }
    struct Nothing: Encodable {}
    var inner = Inner()
    var there: Inner? = Inner(name: "x")
    var missing: Inner?
    var list = [Inner(name: "a"), Inner()]
    var optional: [String?] = ["a", nil]
    var nothing = Nothing()
    var none: [String] = []
    var noNames: [String: Int] = [:]
    var byName: [String: Inner] = ["k": Inner()]
  }

  /// Keys of its own, a member that is null, and containers that are made by hand.
  private struct Written: Encodable {
    enum Keys: String, CodingKey {
      case first
      case second = "2nd"
      case third
      case last
    }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Keys.self)
      try members.encodeNil(forKey: .first)
      try members.encode(Double?.none, forKey: .second)
      var inner = members.nestedContainer(keyedBy: Keys.self, forKey: .third)
      try inner.encode("x", forKey: .last)
      var list = members.nestedUnkeyedContainer(forKey: .last)
      try list.encode(1)
      try list.encodeNil()
      var deep = list.nestedContainer(keyedBy: Keys.self)
      try deep.encode(true, forKey: .first)
      // A second container of the same object adds to it.
      var again = encoder.container(keyedBy: Keys.self)
      try again.encode("late", forKey: .second)
    }
  }

  private static func expected(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `of numbers`() throws {
    #expect(try JSONText.of(Numbers()) == Self.expected(Numbers()))
  }

  @Test func `of words`() throws {
    #expect(try JSONText.of(Words()) == Self.expected(Words()))
  }

  @Test func `of values in values`() throws {
    #expect(try JSONText.of(Nested()) == Self.expected(Nested()))
    #expect(try JSONText.of([Nested(), Nested()]) == Self.expected([Nested(), Nested()]))
  }

  @Test func `of what a type writes itself`() throws {
    #expect(try JSONText.of(Written()) == Self.expected(Written()))
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func `no number is no JSON`(number: Double) {
    #expect(throws: EncodingError.self) { try JSONText.of([number]) }
  }

  @Test func `a name that is not UTF-8 is written as its bytes`() throws {
    for count in 0...9 {
      let bytes = [0xFF] + (0..<count).map { UInt8(0x80 + 13 * $0) }
      let text = try JSONText.of(JSONName(FilePath(bytes: bytes)))
      #expect(text == #"{"base64":"\#(Data(bytes).base64EncodedString())"}"#)
    }
    #expect(try JSONText.of([JSONName("é/\"")]) == #"["é/\""]"#)
  }
}
