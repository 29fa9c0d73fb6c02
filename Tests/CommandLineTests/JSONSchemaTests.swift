import Foundation
import Posix
import TestSupport
import Testing

/// What `docs/json-schema.json` says of the output is true, and all of it.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct JSONSchemaTests {
  private static let samples = Result { try JSONSamples().all }

  @Test func theLastLineIsTheOnlyResult() throws {
    for sample in try Self.samples.get() {
      let events = try sample.objects().map { $0["event"] as? String }
      #expect(events.last == sample.event, "\(sample.outcome)")
      let isOnTheWay = { (event: String?) in event == "progress" || event == "part" }
      #expect(events.dropLast().allSatisfy(isOnTheWay), "\(sample.outcome)")
      #expect(sample.outcome.standardOutput.last == UInt8(ascii: "\n"))
    }
  }

  @Test(.enabled(if: JSONSchema.python != nil, "needs python3 with jsonschema"))
  func everyObjectIsAsTheSchemaSays() throws {
    let lines = try Self.samples.get().map(\.outcome.outputText).joined()
    #expect(try JSONSchema.complaints(about: lines) == [])
  }

  @Test(
    .enabled(if: JSONSchema.python != nil, "needs python3 with jsonschema"),
    arguments: [
      #"{"bytes":1,"event":"progress","seconds":0.5,"more":1}"#,
      #"{"bytes":-1,"event":"progress","seconds":0.5}"#, #"{"bytes":1,"seconds":0.5}"#,
      #"{"command":"clean","event":"result","removed":[{"path":{"base64":"?"}}]}"#,
      #"{"command":"clean","event":"result","removed":[{"path":"a","size":1}]}"#,
    ]
  )
  func anythingElseIsNot(line: String) throws {
    #expect(try JSONSchema.complaints(about: line + "\n").count == 1)
  }

  /// Every member that the schema has is written by some command.
  @Test func theSchemaHasNothingThatIsNotWritten() throws {
    var seen: [String: Set<String>] = [:]
    for object in try Self.samples.get().flatMap({ try $0.objects() }) {
      seen[try definition(of: object), default: []].formUnion(object.keys)
    }
    let definitions = try #require(JSONSchema.load()["$defs"] as? [String: [String: Any]])
    for (name, keys) in seen {
      var properties = definitions[name]?["properties"] as? [String: Any] ?? [:]
      if !Tool.cleaveHasDigests { properties["digests"] = nil }
      #expect(Set(properties.keys) == keys, "\(name)")
    }
    #expect(Set(seen.keys) == Set(try listed()))
  }

  @Test func everythingIsExplainedAndNothingElseAllowed() throws {
    let definitions = try #require(JSONSchema.load()["$defs"] as? [String: Any])
    try check(definitions.map { ($0.key, $0.value) })
  }

  private func check(_ schemas: [(name: String, value: Any)]) throws {
    for (name, value) in schemas {
      guard let schema = value as? [String: Any] else { continue }
      #expect(schema["description"] is String, "\(name)")
      if let properties = schema["properties"] as? [String: Any] {
        #expect(schema["additionalProperties"] as? Bool == false, "\(name)")
        try check(properties.map { ("\(name).\($0.key)", $0.value) })
      }
      if let items = schema["items"] as? [String: Any], items["properties"] != nil {
        try check([("\(name)[]", items)])
      }
    }
  }

  /// The objects that the schema lists.
  private func listed() throws -> [String] {
    let list = try #require(JSONSchema.load()["oneOf"] as? [[String: String]])
    return list.compactMap { $0["$ref"]?.replacing("#/$defs/", with: "") }
  }

  private func definition(of object: [String: Any]) throws -> String {
    let event = try #require(object["event"] as? String)
    guard let command = object["command"] as? String, event != "failure" else { return event }
    return switch (event, command) {
    case ("plan", "verify"): "verifyPlan"
    case ("plan", _): "plan"
    case ("share", _): "share"
    case (_, "verify"): "verification"
    case (_, "clean"): "cleaning"
    case (_, "info"): "info"
    default: "transfer"
    }
  }
}
