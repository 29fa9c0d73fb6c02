import Posix
import TestSupport
import Testing

/// A suite that runs command lines, with a blank between words, in a directory of its own.
protocol CommandLines {
  var directory: TemporaryDirectory { get }
}

extension CommandLines {
  /// - Parameter place: a directory in the suite's own; empty for that.
  func run(_ line: String, faults: String? = nil, in place: String = "") throws -> Outcome {
    try Tool.cleave.run(
      line.split(separator: " ").map { FilePath(String($0)) },
      environment: faults.map { try FaultShim.environment($0) } ?? [:],
      workingDirectory: place.isEmpty ? directory.path : directory.file(FilePath(place))
    )
  }

  /// - Parameter text: a part of what is said.
  @discardableResult
  func expect(
    _ code: CInt,
    _ line: String,
    _ text: String = "",
    in place: String = ""
  ) throws -> Outcome {
    let outcome = try run(line, in: place)
    #expect(outcome.exitCode == code, "\(line): \(outcome)")
    let isSaid = text.isEmpty || (outcome.errorText + outcome.outputText).contains(text)
    #expect(isSaid, "\(line): \(outcome)")
    return outcome
  }

  /// Is killed by a fault.
  func kill(_ line: String, _ faults: String, in place: String = "") throws {
    let killed = try run(line, faults: faults, in: place)
    #expect(killed.wasKilled, "\(line): \(killed)")
  }
}
