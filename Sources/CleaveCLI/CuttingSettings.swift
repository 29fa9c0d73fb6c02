import Cleave
import CommandLineKit
import Posix

/// Where a file is cut.
struct CuttingSettings: Sendable {
  var sizes: CutList?
  var count: CutList?
  /// The only part that is wanted, from 1, to standard output.
  var part: Int?
  var lines: CutList?
  var lineBytes: CutList?
  /// The byte that ends a line; nil for a line feed.
  var separator: UInt8?
  var omitsEmptyParts = false
  /// Lines that all parts begin with; nil for none.
  var header: Int64?
  var listsPresets = false

  var cuts: CutList? { sizes ?? count ?? lines ?? lineBytes }
  /// Whether lines are dealt out in turn.
  var deals: Bool { if case .dealt = cuts { true } else { false } }
}

extension Option {
  /// `-b`, for the commands that cut.
  static func bytes(group: String, sets target: Target<CutList?>) -> Option {
    .value(
      "bytes",
      short: "b",
      "SIZE",
      words: PartSizePreset.all.map(\.name),
      group: group,
      help: "Cut parts of SIZE bytes; or of the sizes in a list such as 10M,20M,rest; or of a "
        + "preset such as fat32, mail or github, which split --list-presets lists.",
      sets: target
    ) { argument throws(UsageError) in try argument.cuts }
  }
}

extension OptionArgument {
  fileprivate var cuts: CutList {
    get throws(UsageError) {
      let text = try text
      if let preset = PartSizePreset.named(text) { return .every(preset.size) }
      var items = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if items.count == 1 { return .every(try partSize(items[0])) }
      let rest = items.last == "rest"
      if rest { items.removeLast() }
      var sizes: [Int64] = []
      for item in items { sizes.append(try partSize(item)) }
      // A comma where others have a point.
      if !rest, items.count == 2, items[0].allSatisfy(\.isNumber),
        items[1].first?.isNumber == true, items[1].contains(where: \.isLetter),
        sizes[0] < 1000
      {
        throw refused(
          "would make one part of \(sizes[0].counted("byte")): sizes are whole numbers, such as 1536M for "
            + "1.5G, and '\(text),rest' is a list of two"
        )
      }
      return .list(sizes, rest: rest)
    }
  }

  fileprivate func partSize(_ text: String) throws(UsageError) -> Int64 {
    if let preset = PartSizePreset.named(text) { return preset.size }
    if let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) {
      let names = PartSizePreset.all.map(\.name)
      let question = Suggestion.question(for: text, in: names)
      throw refused(
        "is no size, and no preset of those that 'cleave split --list-presets' lists\(question)"
      )
    }
    let size = try OptionArgument(option: option, value: FilePath(text)).size
    guard size > 0 else { throw refused("must be more than 0") }
    return size
  }
}

extension Option<CuttingSettings> {
  private static var heading: String { "Cutting" }

  static var all: [Option] {
    [
      bytes(group: heading, sets: \.sizes), PartSizePreset.list,
      Option(
        "number",
        short: "n",
        .required("N"),
        group: heading,
        help:
          "Cut N parts of equal size; with l/N, such as l/4, each ends where a line does; with r/N "
          + "lines are dealt out in turn, one to each part, and merge puts them together again. With K/N, "
          + "l/K/N or r/K/N, write only part K, to standard output. Standard input is first copied to "
          + "TMPDIR, which needs room for all of it; not with r/.",
        action: takeNumber
      ),
      .value(
        "lines",
        short: "l",
        "N",
        group: heading,
        help: "Cut parts of N lines.",
        sets: \.lines
      ) { argument throws(UsageError) in .records(Int64(try argument.number(in: 1...Int.max))) },
      .value(
        "line-bytes",
        short: "C",
        "SIZE",
        group: heading,
        help:
          "Put as many whole lines into each part as fit into SIZE bytes; longer lines are cut.",
        sets: \.lineBytes
      ) { argument throws(UsageError) in .recordBytes(try argument.partSize(try argument.text)) },
      separator(group: heading, sets: \.separator),
      header(
        group: heading,
        help: "Begin every part with the first line of FILE, or the first LINES lines, such as the "
          + "names of columns; -l and -n l/N count the other lines, and -C counts all bytes of a part. "
          + "The manifest has the sums of the parts, of FILE as it is, and the size of the header.",
        sets: \.header
      ),
      .flag(
        "elide-empty-files",
        short: "e",
        group: heading,
        help: "With -n, make no parts that would be empty, but one of an empty file.",
        sets: \.omitsEmptyParts
      ),
    ]
  }

  /// `N`, `K/N`, and both behind `l/` or `r/`.
  @Sendable private static func takeNumber(
    _ settings: inout CuttingSettings,
    _ argument: OptionArgument
  ) throws(UsageError) {
    var text = argument.value.bytes[...]
    let deals = text.starts(with: "r/".utf8)
    let heedsLines = text.starts(with: "l/".utf8)
    if deals || heedsLines { text = text.dropFirst(2) }
    func number(
      _ digits: ArraySlice<UInt8>,
      in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
      try OptionArgument(option: argument.option, value: FilePath(bytes: digits)).number(in: range)
    }
    let counts = 1...Int(CutList.mostParts)
    var part: Int?
    if let slash = text.firstIndex(of: UInt8(ascii: "/")) {
      let count = try number(text[(slash + 1)...], in: counts)
      part = try number(text[..<slash], in: 1...count)
      text = text[(slash + 1)...]
    }
    let count = try number(text, in: counts)
    settings.part = part
    settings.count = deals ? .dealt(count) : heedsLines ? .recordChunks(count) : .count(count)
  }
}
