@testable import CommandLineKit

extension CommandPage {
  /// What is wrong with the table, in words; empty for a good one.
  func problems() -> [String] {
    var problems = sentence(summary).map { "\(name): summary \($0)" }
    if usage.isEmpty { problems.append("\(name): no usage line") }
    problems += repeated(options.map(\.longName)) + repeated(options.compactMap(\.shortNameIfAny))
    for option in options { problems += option.problems() }
    for example in examples {
      problems += sentence(example.explanation).map { "\(name): example \($0)" }
    }
    return problems
  }

  private func repeated(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }.map { "\(name): \($0) is there twice" }
  }
}

extension Command {
  /// What is wrong with the table; see ``CommandPage/problems()``.
  func problems() -> [String] {
    let names = Set(page.options.map(\.longName))
    // A conflict may be of one value alone.
    let used = conflicts.flatMap { [$0.use] + $0.others }.map {
      String($0.name.prefix { $0 != "=" })
    }
    return page.problems()
      + used.filter { !names.contains($0) }.map { "\(page.name): a conflict names \($0)" }
  }
}

extension OptionRow {
  fileprivate var shortNameIfAny: String? { short.map { "-\($0)" } }

  fileprivate func problems() -> [String] {
    let problems = nameProblems() + argumentProblems() + sentence(help).map { "help \($0)" }
    return (group.isEmpty ? problems + ["no group"] : problems).map { "\(longName): \($0)" }
  }

  private func nameProblems() -> [String] {
    var problems: [String] = []
    let isPlain = long.allSatisfy { $0 == "-" || $0.isASCII && ($0.isNumber || $0.isLowercase) }
    if !isPlain || long.count < 2 || long.first == "-" || long.last == "-" {
      problems.append("not two or more lower-case letters, digits and inner hyphens")
    }
    // A question mark or colon would look like an error of getopt_long's.
    if let short, !short.isASCII || !(short.isLetter || short.isNumber) {
      problems.append("-\(short) is not an ASCII letter or digit")
    }
    if label.count > TextLayout.narrowest { problems.append("too wide for a narrow terminal") }
    return problems
  }

  private func argumentProblems() -> [String] {
    guard let placeholder else {
      return values.isEmpty ? [] : ["allowed values, but no argument"]
    }
    var problems: [String] = []
    let isUpperCase = placeholder.allSatisfy {
      $0 == "-" || $0.isASCII && ($0.isNumber || $0.isUppercase)
    }
    if placeholder.isEmpty || !isUpperCase {
      problems.append("argument '\(placeholder)' is not in upper case")
    }
    if Set(values).count < values.count { problems.append("an allowed value is there twice") }
    return problems
  }
}

/// What keeps text from being one line that begins with a capital and ends in a full stop.
private func sentence(_ text: String) -> [String] {
  var problems: [String] = []
  if text.first?.isUppercase != true { problems.append("does not begin with a capital") }
  if text.last != "." { problems.append("does not end in a full stop") }
  if text.contains(where: \.isNewline) { problems.append("is more than one line") }
  return problems
}
