package import Posix

/// Takes options and operands off a command line as `getopt_long(3)` does in the GNU C library: options may
/// stand behind operands, long ones be shortened, short ones share a word.
package struct OptionWords {
  package enum Argument: Sendable { case none, required, optional }

  /// An option that was found.
  package struct Found {
    /// The short letter, or the one that a long one stands for.
    package var option: Character
    package var argument: FilePath?
    /// The number of the first word that had not been read completely before, the first being 1.
    package var word: Int
  }

  private let words: [FilePath]
  private let short: [Character: Argument]
  private let long: [(name: String, argument: Argument, option: Character)]
  private let stopsAtOperand: Bool
  /// The number of the word that is read; those before it have been.
  private var index = 1
  /// What is left of a word of short options.
  private var letters: ArraySlice<UInt8> = []
  package private(set) var operands: [FilePath] = []

  /// - Parameter words: without the program's name.
  package init(
    _ words: [FilePath],
    short: [Character: Argument],
    long: [(name: String, argument: Argument, option: Character)]
  ) {
    (self.words, self.short, self.long) = (words, short, long)
    stopsAtOperand = ProcessState.environment("POSIXLY_CORRECT") != nil
  }

  /// The next option; nil behind the last one, when ``operands`` are complete.
  package mutating func next() throws(SplitFailure) -> Found? {
    let word = index
    if !letters.isEmpty { return try shortOption(word) }
    while let text = current {
      if text.bytes == Array("--".utf8) {
        index += 1  // bounded: a list
        break
      }
      guard text.bytes.count > 1, text.bytes[0] == UInt8(ascii: "-") else {
        if stopsAtOperand { break }
        operands.append(text)
        index += 1  // bounded: a list
        continue
      }
      if text.bytes[1] == UInt8(ascii: "-") { return try longOption(text, word) }
      letters = text.bytes.dropFirst()
      return try shortOption(word)
    }
    operands += words.dropFirst(index - 1)
    index = words.count + 1  // bounded: a list
    return nil
  }

  private var current: FilePath? { index <= words.count ? words[index - 1] : nil }

  private mutating func shortOption(_ word: Int) throws(SplitFailure) -> Found? {
    guard let letter = letters.popFirst() else { return nil }
    if letters.isEmpty { index += 1 }  // bounded: a list
    let option = Character(Unicode.Scalar(letter))
    guard let argument = short[option] else {
      throw failure("invalid option -- '", [letter], "'")
    }
    guard argument == .required else { return Found(option: option, argument: nil, word: word) }
    if !letters.isEmpty {
      defer {
        letters = []
        index += 1  // bounded: a list
      }
      return Found(option: option, argument: FilePath(bytes: letters), word: word)
    }
    guard let value = current else {
      throw failure("option requires an argument -- '", [letter], "'")
    }
    index += 1  // bounded: a list
    return Found(option: option, argument: value, word: word)
  }

  private mutating func longOption(_ text: FilePath, _ word: Int) throws(SplitFailure) -> Found {
    index += 1  // bounded: a list
    let typed = text.bytes.dropFirst(2)
    let name = typed.prefix { $0 != UInt8(ascii: "=") }
    let value = typed.count > name.count ? FilePath(bytes: typed.dropFirst(name.count + 1)) : nil
    let option = try meant(by: Array(name), text)
    switch (option.argument, value) {
    case (.none, _?):
      throw failure("option '--\(option.name)' doesn't allow an argument")
    case (.required, nil):
      guard let next = current else {
        throw failure("option '--\(option.name)' requires an argument")
      }
      index += 1  // bounded: a list
      return Found(option: option.option, argument: next, word: word)
    default: return Found(option: option.option, argument: value, word: word)
    }
  }

  private func meant(
    by name: [UInt8],
    _ text: FilePath
  ) throws(SplitFailure) -> (name: String, argument: Argument, option: Character) {
    if let exact = long.first(where: { Array($0.name.utf8) == name }) { return exact }
    let matches = long.filter { $0.name.utf8.starts(with: name) }
    guard let first = matches.first else {
      throw failure("unrecognized option '", text.bytes, "'")
    }
    if matches.count == 1 { return first }
    let names = matches.map { " '--\($0.name)'" }.joined()
    throw failure("option '", text.bytes, "' is ambiguous; possibilities:\(names)")
  }

  private func failure(
    _ start: String,
    _ middle: [UInt8] = [],
    _ end: String = ""
  ) -> SplitFailure {
    SplitFailure(start, middle, end, isUsage: true)
  }
}
