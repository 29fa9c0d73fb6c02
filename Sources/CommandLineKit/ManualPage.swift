/// A command's manual page in the language of `mdoc(7)`, made from its table.
package struct ManualPage: Sendable {
  /// What stands under a heading.
  package struct Section: Hashable, Sendable {
    /// A term with its explanation.
    package struct Entry: Hashable, Sendable {
      package var term: String
      package var text: String

      package init(_ term: String, _ text: String) { (self.term, self.text) = (term, text) }
    }

    package var heading: String
    /// Paragraphs in front of the entries, as in ``CommandPage/details``.
    package var lead: String
    package var entries: [Entry]
    /// Paragraphs behind them.
    package var text: String

    package init(_ heading: String, lead: String = "", _ entries: [Entry] = [], text: String = "") {
      (self.heading, self.lead, self.entries, self.text) = (heading, lead, entries, text)
    }
  }

  var page: CommandPage
  /// The name of the program; that of its own page.
  var program: String
  /// As in `November 23, 2026`.
  var date: String
  var version: String
  /// The others; ENVIRONMENT, FILES and EXIT STATUS are to come in this order, which is the usual one.
  var sections: [Section]
  /// Names of the pages to see also, in alphabetical order.
  var others: [String]

  package init(
    _ page: CommandPage,
    of program: String,
    date: String,
    version: String,
    sections: [Section],
    others: [String]
  ) {
    (self.page, self.program, self.date, self.version) = (page, program, date, version)
    (self.sections, self.others) = (sections, others)
  }

  /// `cleave` or `cleave-merge`.
  package var name: String { page.name == program ? program : "\(program)-\(page.name)" }

  package var text: String {
    let lines =
      head + synopsis + [".Sh DESCRIPTION"] + Roff.paragraphs(sentence + "\n\n" + page.details)
      + options + sections.flatMap(Self.lines) + examples + seeAlso
    return lines.map { $0 + "\n" }.joined()
  }

  private var head: [String] {
    [
      ".\\\" Written by '\(program) help --manual'.",
      ".Dd \(date)", ".Dt \(name.uppercased()) 1", ".Os \(program) \(version)",
      ".Sh NAME", ".Nm \(name)", ".Nd \(Roff.words(page.summary.sentenceAsClause))",
    ]
  }

  private var sentence: String {
    page.name == program
      ? page.summary : "\(program) \(page.name): \(page.summary.sentenceAsClause)."
  }

  private var synopsis: [String] {
    let lines = page.usage.flatMap { line in
      // The first words are names; what is upper case is to be replaced.
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      return [".Nm \(words[0])", Roff.synopsis(words.dropFirst().joined())]
    }
    return [".Sh SYNOPSIS"] + lines
  }

  private var options: [String] {
    guard !page.options.isEmpty else { return [] }
    let groups = page.groups.flatMap { heading, rows in
      [".Ss \(Roff.words(heading))", ".Bl -tag -width Ds"]
        + rows.flatMap { [".It \($0.item)"] + Roff.lines($0.fullHelp) } + [".El"]
    }
    return [".Sh OPTIONS"] + groups
  }

  private static func lines(_ section: Section) -> [String] {
    var lines = [".Sh \(section.heading)"] + Roff.paragraphs(section.lead)
    if !section.entries.isEmpty {
      lines.append(".Bl -tag -width Ds")
      for entry in section.entries {
        lines += [".It \(Roff.argument(entry.term))"] + Roff.lines(entry.text)
      }
      lines.append(".El")
      if !section.text.isEmpty { lines.append(".Pp") }
    }
    return lines + Roff.paragraphs(section.text)
  }

  private var examples: [String] {
    guard !page.examples.isEmpty else { return [] }
    return [".Sh EXAMPLES"]
      + page.examples.enumerated().flatMap { index, example in
        (index == 0 ? [] : [".Pp"]) + Roff.lines(example.explanation)
          + [".Bd -literal -offset indent", Roff.words(example.command), ".Ed"]
      }
  }

  private var seeAlso: [String] {
    guard let last = others.last else { return [] }
    return [".Sh SEE ALSO"] + others.dropLast().map { ".Xr \($0) 1 ," } + [".Xr \(last) 1"]
  }
}

extension OptionRow {
  /// `Fl o , Fl \-output Ns = Ns Ar FILE`
  fileprivate var item: String {
    let names = (short.map { "Fl \($0) , " } ?? "") + "Fl \\-\(Roff.words(long))"
    return switch argument {
    case .none: names
    case .required(let name): "\(names) Ns = Ns Ar \(Roff.words(name))"
    case .optional(let name): "\(names) Ns Oo = Ns Ar \(Roff.words(name)) Oc"
    }
  }
}

extension String {
  /// A sentence without its capital and its full stop.
  fileprivate var sentenceAsClause: String {
    let text = last == "." ? dropLast() : self[...]
    return (text.first?.lowercased() ?? "") + text.dropFirst()
  }
}

/// Text for `mdoc(7)` and `roff(7)`.
private enum Roff {
  /// Text in which nothing is taken for a request, an escape or a hyphen.
  static func words(_ text: some StringProtocol) -> String {
    text.unicodeScalars.reduce(into: "") { words, scalar in
      switch scalar {
      case "\\": words += "\\e"
      case "-": words += "\\-"
      case _ where !scalar.isASCII: words += "\\[u\(hexadecimal(scalar.value))]"
      default: words.unicodeScalars.append(scalar)
      }
    }
  }

  /// At least four digits.
  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// An argument of a macro, which may have spaces and be called like another macro.
  static func argument(_ text: String) -> String {
    "\"\\&\(words(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }

  /// The longest line of text that `mandoc -T lint` does not call long.
  private static let width = 80

  /// A paragraph. Each sentence begins on a line of its own, which is how `roff` knows where one ends.
  static func lines(_ text: some StringProtocol) -> [String] {
    var lines: [String] = []
    var sentence: [Substring] = []
    func end() {
      // Room for what keeps a line from being a request.
      let wrapped = TextLayout.wrap(words(sentence.joined(separator: " ")), width: width - 2)
      lines += wrapped.map { $0.first == "." || $0.first == "'" ? "\\&" + $0 : $0 }
      sentence = []
    }
    for word in text.split(whereSeparator: \.isWhitespace).map({ Substring($0) }) {
      sentence.append(word)
      if word.last == "." || word.last == "?" { end() }
    }
    end()
    return lines
  }

  /// Paragraphs with blank lines between them.
  static func paragraphs(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let paragraphs = lines.split { $0.allSatisfy(\.isWhitespace) }.map { $0.joined(separator: " ") }
    return Array(paragraphs.map { self.lines($0) }.joined(separator: [".Pp"]))
  }

  /// A command line behind the program's name: what is upper case is emphasized, and other words are bold.
  static func synopsis(_ usage: String) -> String {
    var text = ""
    var word = ""
    func end() {
      guard !word.isEmpty else { return }
      let isPlaceholder = word.contains { $0.isUppercase } && !word.hasPrefix("-")
      text += word == "..." ? word : "\(isPlaceholder ? "\\fI" : "\\fB")\(words(word))\\fR"
      word = ""
    }
    for character in usage {
      if character == ".", word.last != "." { end() }
      guard " []{}|".contains(character) else {
        word.append(character)
        continue
      }
      end()
      text.append(character)
    }
    end()
    return text
  }
}
