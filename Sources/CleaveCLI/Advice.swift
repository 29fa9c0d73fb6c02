import Cleave
import CommandLineKit

/// What messages say to type, for one command: the library names options of merge, which others may not
/// have.
struct Advice {
  private let options: Set<String>

  init(_ page: CommandPage) {
    options = Set(page.options.map(\.longName))
  }

  /// The options of merge that decide what is refused, and that other commands lack.
  private static let remedies = ["--all", "--as-given", "--format"]
  private static let output = "-o"
  private var hasOutput: Bool { options.contains("--output") }

  /// The error, whose message begins with a name that is left alone.
  func fitting(_ error: CleaveError) -> CleaveError {
    var error = error
    let text = error.text
    error.message = String(error.message.dropLast(text.count)) + fitting(text)
    return error
  }

  /// The end of a sentence in which every option is one of this command, or stands behind `cleave merge`.
  func fitting(_ text: String) -> String {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    var isQuoted = false
    var index = 0
    // Of the commands that join what is given, cat makes no file.
    if options.contains("--as-given"), !hasOutput,
      let place = words.indices.dropLast(2).first(where: {
        words[$0...$0 + 1] == ["and", Self.output]
      })
    {
      words[place - 1] += words[place + 2].dropFirst("OUT".count)
      words.removeSubrange(place...place + 2)
    }
    while index < words.count {
      isQuoted = isQuoted || words[index].hasPrefix("'cleave")
      if !isQuoted, isForeign(words[index]) { takeOutput(behind: index, &words, isKept: true) }
      if !isQuoted, isForeign(words[index]) {
        let (option, mark) = Self.cut(words[index])
        words[index] = "'cleave merge \(option)'\(mark)"
      } else if !isQuoted, !hasOutput, Self.remedies.contains(words[index]) {
        takeOutput(behind: index, &words, isKept: false)
      }
      if isQuoted, Self.cut(words[index]).word.hasSuffix("'") { isQuoted = false }
      index += 1
    }
    return words.joined(separator: " ")
  }

  /// Makes `-o OUT` behind an option one word with it, or drops it.
  private func takeOutput(behind index: Int, _ words: inout [String], isKept: Bool) {
    guard index + 2 < words.count, words[index + 1] == Self.output else { return }
    words[index] += isKept ? " -o \(words[index + 2])" : Self.cut(words[index + 2]).mark
    words.removeSubrange(index + 1...index + 2)
  }

  private func isForeign(_ word: String) -> Bool {
    guard let option = word.split(whereSeparator: { "=,;: ".contains($0) }).first.map(String.init)
    else { return false }
    return Self.remedies.contains(option) && !options.contains(option)
  }

  /// A word and the mark behind it.
  private static func cut(_ word: String) -> (word: String, mark: String) {
    guard let last = word.last, ",;:".contains(last) else { return (word, "") }
    return (String(word.dropLast()), String(last))
  }
}
