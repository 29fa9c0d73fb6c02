import Cleave
import CommandLineKit
import Posix

/// What is said of a word that stands where a command should: the line to type instead, if there is one.
enum WrongCommand {
  /// Of an archive in parts, merging is the first half; what unpacks it does the rest.
  private static let unpacking = ["extract", "unpack", "unzip", "x", "e"]

  private static func isUnpacking(_ word: FilePath) -> Bool {
    word.string.map { unpacking.contains($0.lowercased()) } ?? false
  }

  /// What other programs call it, or what people look for.
  private static let synonyms: [String: [String]] = [
    "merge": [
      "join", "concat", "concatenate", "combine", "assemble", "unsplit", "glue",
    ] + unpacking,
    "split": ["cut", "chop", "slice", "divide"],
    "verify": ["test", "check", "t"],
    "info": ["list", "ls", "l", "show"],
    "repair": ["fix"],
    "clean": ["cleanup"],
  ]

  /// What stands for the operands, where there are none.
  private static let operands = [
    "merge": "PART", "split": "FILE", "verify": "FILE", "info": "PART", "repair": "FILE",
  ]

  /// - Parameters:
  ///   - word: that is no command.
  ///   - others: all behind it.
  static func error(for word: FilePath, _ others: [FilePath]) -> UsageError {
    let typed = word.string?.lowercased() ?? ""
    if let command = synonyms.first(where: { $0.value.contains(typed) })?.key {
      return error(word, command, others)
    }
    guard let command = command(forFile: word) else { return unknown(word) }
    return error(word, command, [word] + others)
  }

  /// It is not even like one.
  static func unknown(_ word: FilePath) -> UsageError {
    let names = Program.commands.map(\.name)
    let question = Suggestion.question(for: word.string, in: names)
    return UsageError("'\(word)' is not a command\(question)")
  }

  private static func error(
    _ word: FilePath,
    _ command: String,
    _ arguments: [FilePath]
  ) -> UsageError {
    let saysSize = arguments.contains { $0.bytes.first == UInt8(ascii: "-") }
    let rest = arguments.isEmpty ? [operands[command] ?? ""] : arguments.map(\.quoted)
    let size = command == "split" && !saysSize ? ["-b SIZE"] : []
    let line = (["cleave", command] + size + rest.filter { !$0.isEmpty }).joined(separator: " ")
    // A shell may have put a whole directory there.
    return UsageError(
      line.count <= longest
        ? "'\(word)' is not a command; type '\(line)'\(isUnpacking(word) ? ", and unpack what that makes" : "")"
        : "'\(word)' is not a command; type 'cleave \(command)' in place of it"
    )
  }

  /// Characters.
  private static let longest = 200

  /// What may be done with a file, where the command was forgotten; nil where there is no such file.
  private static func command(forFile path: FilePath) -> String? {
    guard let kind = (try? FileStatus.of(path))?.kind else { return nil }
    if kind == .directory { return "info" }
    if Manifest.isManifest(at: path) { return "verify" }
    guard let selection = try? Selection.look(at: [path]) else { return nil }
    if selection.kind == .concatenatedZip { return "repair" }
    return selection.isPart ? "merge" : "split"
  }
}
