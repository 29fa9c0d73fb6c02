package import Posix

/// How a program ended, and what it said.
package struct Outcome: Sendable {
  package enum End: Hashable, Sendable {
    case exited(CInt)
    case killed(Signal)
  }

  package var end: End
  /// Whether it was killed for not ending in time.
  package var timedOut: Bool
  package var standardOutput: [UInt8]
  package var standardError: [UInt8]
  /// From its start to its end, with an error of a few milliseconds.
  package var seconds: Double
}

extension Outcome {
  /// The exit code; nil where a signal ended the program.
  package var exitCode: CInt? {
    if case .exited(let code) = end { code } else { nil }
  }

  /// The signal that ended the program, if one did.
  package var signal: Signal? {
    if case .killed(let signal) = end { signal } else { nil }
  }

  /// Standard output as text; bytes that are not UTF-8 are replaced.
  package var outputText: String { String(decoding: standardOutput, as: UTF8.self) }

  /// Standard error as text; bytes that are not UTF-8 are replaced.
  package var errorText: String { String(decoding: standardError, as: UTF8.self) }

  /// From the status that `wait(2)` gave, whose layout is the same on Linux and Darwin; its macros
  /// are not for Swift.
  static func end(of status: CInt) -> End {
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(Signal(rawValue: signal))
  }
}

extension Outcome: CustomStringConvertible {
  /// For the message of a failed test: the end, and the start of what was said.
  package var description: String {
    let how =
      switch end {
      case .exited(let code): "exit \(code)"
      case .killed(let signal): "signal \(signal.rawValue)"
      }
    let output = standardOutput.isEmpty ? "" : ", output: \(outputText.prefix(500))"
    let error = standardError.isEmpty ? "" : ", error: \(errorText.prefix(500))"
    return how + (timedOut ? " after a timeout" : "") + output + error
  }
}
