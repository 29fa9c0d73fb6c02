import Cleave
import Posix

/// A program that does the same work, to compare cleave with.
enum BenchBaseline: Hashable, Sendable {
  case cat
  /// GNU split, into parts of so many bytes, with so many digits in their names.
  case split(size: Int64, digits: Int)
  /// The user's own command.
  case command(FilePath)

  /// Its name in tables.
  var name: String {
    switch self {
    case .cat: "cat"
    case .split: "split"
    case .command: "baseline"
    }
  }

  /// For `/bin/sh -c`. The inputs are its operands. `$OUT` is the name of the output; for splitting,
  /// the names of the parts begin with it.
  func script(splits: Bool, isDurable: Bool) -> FilePath {
    let outputs = splits ? #""$OUT"*"# : #""$OUT""#
    // Darwin's sync takes no names.
    #if canImport(Darwin)
      let flush = "sync"
    #else
      let flush = "sync -d -- \(outputs)"
    #endif
    guard isDurable else { return command }
    // On lines of its own: the command may end in a comment.
    return FilePath(bytes: Array("{\n".utf8) + command.bytes + Array("\n} && \(flush)".utf8))
  }

  /// The command, without flushing.
  var command: FilePath {
    switch self {
    case .cat: #"cat -- "$@" > "$OUT""#
    case .split(let size, let digits):
      FilePath(#"split -b \#(size) -d -a \#(digits) -- "$1" "$OUT""#)
    case .command(let command): command
    }
  }
}

/// One of the competitors: cleave with some settings, or the baseline.
enum BenchContender: Hashable, Sendable {
  case cleave(BenchCase)
  case baseline(BenchBaseline)

  var parameters: [BenchParameter: String] {
    switch self {
    case .cleave(let one): one.parameters
    case .baseline(let baseline): [.engine: baseline.name]
    }
  }

  var isBaseline: Bool { if case .baseline = self { true } else { false } }

  /// Nil for the baseline, and for the engine that cleave chooses by itself.
  var engine: EngineName? { if case .cleave(let one) = self { one.engine } else { nil } }

  /// For messages: `engine direct, high water 4096`.
  var description: String {
    switch self {
    case .cleave(let one):
      BenchParameter.allCases
        .compactMap { parameter in one.parameters[parameter].map { "\(parameter.title) \($0)" } }
        .joined(separator: ", ")
    case .baseline(.command(let command)): "baseline '\(command)'"
    case .baseline(let baseline): "baseline \(baseline.name)"
    }
  }
}
