import Foundation
import Posix
import TestSupport

/// `docs/json-schema.json`, and whether what a command wrote is as it says.
enum JSONSchema {
  static let path = BuildProducts.sources.appending("docs/json-schema.json")

  /// The schema itself.
  static func load() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(Files.read(path)))
    return value as? [String: Any] ?? [:]
  }

  /// A Python with the module jsonschema; that there is none is told on standard output, once.
  static let python: Tool? = {
    let check = "import jsonschema; jsonschema.Draft202012Validator"
    let found = [Tool.find("python3"), Tool("/usr/bin/python3")].compactMap(\.self).first {
      (try? $0.run(["-c", check]))?.exitCode == 0
    }
    if found == nil { print("JSON is not compared with its schema: no python3 with jsonschema") }
    return found
  }()

  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    schema = json.load(open(sys.argv[1]))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for line in sys.stdin:
        error = best_match(validator.iter_errors(json.loads(line)))
        if error: print(error.message[:300], "in", line.strip())
    """

  /// What is wrong with lines of JSON, each line of the answer about one of them.
  static func complaints(about lines: String) throws -> [String] {
    let outcome = try python?.run(
      ["-c", script, path],
      input: .bytes(Array(lines.utf8)),
      environment: ["PYTHONIOENCODING": "utf-8"]
    )
    guard let outcome, outcome.exitCode == 0 else { return ["\(outcome?.description ?? "none")"] }
    return outcome.outputText.split(separator: "\n").map(String.init)
  }
}
