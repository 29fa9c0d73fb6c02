import Posix
import TestSupport
import Testing

@testable import Cleave

/// What speaks for and against parts, before anybody decides.
@Suite struct EvidenceTests {
  @Test("a note says nothing but itself")
  func notes() {
    var evidence = Evidence()
    evidence.note(.sizes, "all alike")
    #expect(
      evidence.lines.map(\.topic) == [.sizes] && evidence.lines[0].text.description == "all alike"
    )
    #expect(!evidence.isBorneOut && !evidence.isEndKnown && !evidence.isEndLikely)
    #expect(evidence.doubts == [] && evidence.refusal == nil)
  }

  @Test("what is confirmed says more than names")
  func confirms() {
    var evidence = Evidence()
    evidence.confirm(.content, "a zip")
    #expect(evidence.isBorneOut && evidence.lines.count == 1 && !evidence.isEndKnown)
  }

  @Test("that an end is likely is not that it is known")
  func ends() {
    var evidence = Evidence()
    evidence.looksLikeEnd()
    #expect(evidence.isEndLikely && !evidence.isEndKnown)
    evidence.knowEnd()
    #expect(evidence.isEndKnown)
  }

  @Test("a doubt refuses by its severity alone", arguments: Doubt.Code.allCases)
  func refuses(code: Doubt.Code) {
    var evidence = Evidence()
    evidence.suspect(.parts, Doubt(code, "f.001", "is odd"))
    #expect(evidence.lines[0].text.description == "f.001: is odd")
    switch code.severity {
    case .refused(let kind):
      #expect(evidence.refusal == CleaveError(kind, "f.001", "is odd"))
    case .warned, .noted, .told:
      #expect(evidence.refusal == nil)
      // Who is strict refuses it all the same.
      #expect(evidence.doubts[0].error == CleaveError(.missingInput, "f.001", "is odd"))
    }
  }

  @Test("of several doubts the first that refuses is the reason")
  func firstRefusal() {
    var evidence = Evidence()
    evidence.suspect(.sizes, Doubt(.longLast, "f.002", "is long"))
    evidence.suspect(.beside, Doubt(.size, "f.003", "is short"))
    evidence.suspect(.beside, Doubt(.end, "f.002", "is no end"))
    #expect(evidence.refusal == CleaveError(.badData, "f.003", "is short"))
    #expect(evidence.doubts.map(\.code) == [.longLast, .size, .end])
  }

  /// A manifest, how many parts it names, and the line.
  static let manifests: [(String?, Int, String)] = [
    (nil, 0, "none"), ("f.001 00000000\n", 2, "f.sfv, which names 2 parts"),
    ("f 00000000\n", 0, "f.sfv"),
  ]

  @Test("a manifest speaks for the parts, and none does not", arguments: manifests)
  func manifest(text: String?, count: Int, line: String) throws {
    var evidence = Evidence()
    let manifest = try text.map { try Manifest(parsingSFV: Array($0.utf8), path: "f.sfv") }
    evidence.note(manifest, naming: count)
    #expect(evidence.lines.map { $0.text.description } == [line])
    #expect(evidence.isBorneOut == (text != nil))
  }
}
