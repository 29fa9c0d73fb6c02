import Cleave
import CommandLineKit
import Foundation
import Posix
import TestSupport
import Testing

@testable import CleaveCLI

/// The words that `docs/json-schema.json` lists are those that the types have, and all of them.
@Suite struct JSONSchemaEnumTests {
  /// Where the schema lists words, and where they come from.
  private static let wanted: [String: [String]] = [
    "doubt.code": Doubt.Code.allCases.map(\.rawValue),
    "finding.status": Verify.Finding.Status.allCases.map(\.rawValue),
    "info.engine": EngineName.allCases.map(\.rawValue),
    "info.evidence[].topic": Evidence.Topic.allCases.map(\.rawValue),
    "info.kind": Selection.Kind.allCases.map(\.rawValue),
    "plan.command": ["merge", "split", "repair"],
    "plan.consumes": ["parts", "source"],
    "plan.engine": EngineName.allCases.map(\.rawValue) + ["store"],
    "plan.kind": Selection.Kind.allCases.map(\.rawValue),
    "proof.by": Verdict.Proof.Ground.allCases.map(\.rawValue),
    "share.command": ["merge", "split", "finish"],
    "transfer.command": ["merge", "split", "repair", "finish"],
    "transfer.engine": EngineName.allCases.map(\.rawValue) + ["store"],
    "transfer.kind": Selection.Kind.allCases.map(\.rawValue),
  ]

  @Test func everyListHasTheWordsOfItsType() throws {
    let found = try Self.found("enum") { $0 as? [String] }
    #expect(Set(found.keys) == Set(Self.wanted.keys))
    for (place, words) in found {
      #expect(words.count == Set(words).count, "\(place)")
      #expect(Set(words) == Set(Self.wanted[place] ?? []), "\(place)")
    }
  }

  /// Others write data, a form of their own, or texts.
  @Test func everyCommandHasAnObject() throws {
    let lists = try Self.found("enum") { $0 as? [String] }
    let single = try Self.found("const") { $0 as? String }
    let isCommand = { (place: String) in place.hasSuffix(".command") }
    let named =
      lists.filter { isCommand($0.key) }.flatMap(\.value)
      + single.filter { isCommand($0.key) }.map(\.value)
    let commands = Program.pages.map(\.name).filter { $0 != "cleave" }
    let others: Set = ["cat", "bench", "help", "completions"]
    #expect(Set(named) == Set(commands).subtracting(others))
    #expect(Set(commands).isSuperset(of: others))
  }

  /// What the schema has under a key, by the member that it is said of.
  private static func found<Value>(
    _ key: String,
    _ value: (Any) -> Value?
  ) throws -> [String: Value] {
    let path = BuildProducts.sources.appending("docs/json-schema.json")
    let schema = try JSONSerialization.jsonObject(with: Data(Files.read(path)))
    let definitions = try #require((schema as? [String: Any])?["$defs"] as? [String: Any])
    var found: [String: Value] = [:]
    func look(at schema: Any, _ place: String) {
      guard let schema = schema as? [String: Any] else { return }
      if let value = schema[key].flatMap(value) { found[place] = value }
      for (name, member) in schema["properties"] as? [String: Any] ?? [:] {
        look(at: member, "\(place).\(name)")
      }
      if let items = schema["items"] { look(at: items, "\(place)[]") }
      for one in schema["oneOf"] as? [Any] ?? [] { look(at: one, place) }
    }
    for (name, definition) in definitions { look(at: definition, name) }
    return found
  }
}
