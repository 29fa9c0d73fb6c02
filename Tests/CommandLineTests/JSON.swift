import Foundation
import TestSupport
import Testing

/// The one object that a command wrote with `--json`.
struct JSON {
  private let object: [String: Any]

  init(_ outcome: Outcome) throws {
    #expect(outcome.standardOutput.last == UInt8(ascii: "\n"))
    #expect(outcome.outputText.split(separator: "\n").count == 1, "\(outcome)")
    let value = try JSONSerialization.jsonObject(with: Data(outcome.standardOutput))
    object = try #require(value as? [String: Any])
  }

  private init(_ object: [String: Any]) { self.object = object }

  /// The objects that a command wrote, each on a line.
  static func lines(_ outcome: Outcome) throws -> [JSON] {
    try outcome.outputText.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return JSON(try #require(value as? [String: Any]))
    }
  }

  func text(_ key: String) -> String? { object[key] as? String }
  func number(_ key: String) -> Int? { (object[key] as? NSNumber)?.intValue }
  var seconds: Double? { (object["seconds"] as? NSNumber)?.doubleValue }
  func flag(_ key: String) -> Bool? { (object[key] as? NSNumber)?.boolValue }
  func member(_ key: String) -> JSON? { (object[key] as? [String: Any]).map(JSON.init) }
  func names(_ key: String) -> [String] { object[key] as? [String] ?? [] }
  func list(_ key: String) -> [JSON] { (object[key] as? [[String: Any]] ?? []).map(JSON.init) }
}
