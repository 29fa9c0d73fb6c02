import Cleave
import CommandLineKit
import Posix

/// Command lines, an argument on each line, for a table with every kind of option.
enum OptionTrial {
  private enum Word: String, CaseIterable, Sendable { case auto, always, never }

  private struct Settings {
    var size: Int64 = 0
    var sizes: [Int64] = []
    var number = 1
    var word = Word.auto
    var words: [Word] = []
    var text = ""
    var file: FilePath = ""
    var flag = false

    var described: String {
      let words = words.map(\.rawValue)
      return "\(size) \(sizes) \(number) \(word.rawValue) \(words) '\(text)' '\(file)' \(flag)"
    }
  }

  private static let command = Command<Settings>(
    "trial",
    summary: "Take anything.",
    usage: ["cleave trial"],
    options: [
      .value("size", short: "s", "SIZE", group: "A", help: "One.", sets: \.size) {
        argument throws(UsageError) in try argument.size
      },
      .list("sizes", short: "l", "SIZE,...", group: "A", help: "Many.", sets: \.sizes) {
        argument throws(UsageError) in try argument.size
      },
      .value("number", short: "n", "N", group: "A", help: "One.", sets: \.number) {
        argument throws(UsageError) in try argument.number(in: 1...1_000_000)
      },
      .choice("word", "WHEN", bare: Word.always, group: "A", help: "Any.", sets: \.word),
      .list("words", "WHEN,...", group: "A", help: "Many.", sets: \.words) {
        argument throws(UsageError) in try argument.choice(of: Word.allCases)
      },
      .value("text", short: "t", "TEXT", group: "A", help: "Any.", sets: \.text) {
        argument throws(UsageError) in try argument.text
      },
      .value("file", short: "f", "FILE", group: "A", help: "Any.", sets: \.file) { $0.value },
      .flag("flag", short: "F", group: "A", help: "Any.", sets: \.flag),
    ]
  )

  static func run(_ input: [UInt8]) -> String {
    let arguments = input.split(separator: UInt8(ascii: "\n")).map { FilePath(bytes: $0) }
    var outcomes: [String] = []
    for stopsEarly in [false, true] {
      var settings = Settings()
      var operands: [FilePath]?
      do throws(UsageError) {
        operands = try command.parse(arguments, into: &settings, stopAtFirstOperand: stopsEarly)
        outcomes.append("\(operands?.count ?? 0) operands, \(settings.described)")
      } catch {
        outcomes.append("\(error)")
      }
      // Operands are arguments, and "--" may be gone.
      precondition(operands.map { $0.allSatisfy(arguments.contains) } ?? true)
      check(settings)
    }
    for argument in arguments {
      guard let size = try? ByteSize.parse(argument) else { continue }
      precondition(size >= 0)
      precondition((try? ByteSize.parse(FilePath("\(size)"))) == size)
      precondition(!ByteSize.described(size).isEmpty)
    }
    return outcomes.joined(separator: "; ")
  }

  private static func check(_ settings: Settings) {
    precondition(settings.size >= 0 && settings.sizes.allSatisfy { $0 >= 0 })
    precondition(Set(settings.words).count == settings.words.count)
    precondition((1...1_000_000).contains(settings.number))
    let sizes = settings.sizes.filter { $0 > 0 }
    let cuts: [CutList] = [
      .list(sizes, rest: settings.flag), .count(settings.number), .every(max(1, settings.size)),
    ]
    for cut in cuts {
      // A file of that many bytes has few parts, whatever is asked for.
      guard let parts = try? cut.sizes(of: 5000) else { continue }
      precondition(parts.reduce(0, +) == 5000 && parts.allSatisfy { $0 >= 0 })
    }
    _ = try? CutList.list(sizes, rest: true).sizes(of: .max)
  }
}
