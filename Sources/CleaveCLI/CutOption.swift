import Cleave
import CommandLineKit
import Posix

/// Options that say where to cut, and what parts are called.
enum CutOption {
  /// `-b`, for the commands that cut.
  static func bytes(
    group: String,
    sets target: Option<Settings>.Target<CutList?> = \.sizes
  ) -> Option<Settings> {
    .value(
      "bytes",
      short: "b",
      "SIZE",
      words: PartSizePreset.all.map(\.name),
      group: group,
      help: "Cut parts of SIZE bytes; or of the sizes in a list such as 10M,20M,rest; or of a "
        + "preset such as fat32, mail or github, which split --list-presets lists.",
      sets: target,
      convert: sizes
    )
  }

  @Sendable private static func sizes(_ argument: OptionArgument) throws(UsageError) -> CutList? {
    let text = try argument.text
    if let preset = PartSizePreset.named(text) { return .every(preset.size) }
    var items = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if items.count == 1 { return .every(try size(items[0], argument)) }
    let rest = items.last == "rest"
    if rest { items.removeLast() }
    var sizes: [Int64] = []
    for item in items { sizes.append(try size(item, argument)) }
    return .list(sizes, rest: rest)
  }

  private static func size(
    _ text: String,
    _ argument: OptionArgument
  ) throws(UsageError) -> Int64 {
    if let preset = PartSizePreset.named(text) { return preset.size }
    let size = try OptionArgument(option: argument.option, value: FilePath(text)).size
    guard size > 0 else { throw argument.refused("must be more than 0") }
    return size
  }

  /// `-t`, for the commands that know of lines.
  static func separator(group: String) -> Option<Settings> {
    .value(
      "separator",
      short: "t",
      "SEP",
      group: group,
      help: "The byte that ends a line, in place of a line feed; \\0 is the byte 0.",
      sets: \.separator,
      convert: separator
    )
  }

  /// `--header`, for those that cut or join.
  static func header(group: String, help: String) -> Option<Settings> {
    Option("header", .optional("LINES"), group: group, help: help) {
      settings,
      argument throws(UsageError) in
      settings.header = argument.isGiven ? Int64(try argument.number(in: 1...1_000_000)) : 1
    }
  }

  // MARK: - Of split alone

  private static let group = "Cutting"
  private static let naming = "Names"

  static let ofSplit: [Option<Settings>] = [
    bytes(group: group), PartSizePreset.list,
    Option(
      "number",
      short: "n",
      .required("N"),
      group: group,
      help: "Cut N parts of equal size; with l/N, such as l/4, each ends where a line does. With "
        + "K/N or l/K/N, write only part K, to standard output; with r/K/N every Nth line from line K "
        + "on. Standard input is first copied to TMPDIR, which needs room for all of it; not with "
        + "r/K/N.",
      action: takeNumber
    ),
    .value(
      "lines",
      short: "l",
      "N",
      group: group,
      help: "Cut parts of N lines.",
      sets: \.lines
    ) { argument throws(UsageError) in .records(Int64(try argument.number(in: 1...Int.max))) },
    .value(
      "line-bytes",
      short: "C",
      "SIZE",
      group: group,
      help: "Put as many whole lines into each part as fit into SIZE bytes; longer lines are cut.",
      sets: \.lineBytes
    ) { argument throws(UsageError) in .recordBytes(try size(try argument.text, argument)) },
    separator(group: group),
    header(
      group: group,
      help: "Begin every part with the first line of FILE, or the first LINES lines, such as the "
        + "names of columns; -l and -n l/N count the other lines, and -C counts all bytes of a part. "
        + "The manifest has the sums of the parts, of FILE as it is, and the size of the header."
    ),
    .flag(
      "elide-empty-files",
      short: "e",
      group: group,
      help: "With -n, make no parts that would be empty.",
      sets: \.omitsEmptyParts
    ),
  ]

  /// What parts are called.
  static let names: [Option<Settings>] = [
    .value(
      "suffix-length",
      short: "a",
      "LEN",
      group: naming,
      help: "Number parts with at least LEN digits; by default with as many as the last part of a "
        + "file needs, and at least 3.",
      sets: \.suffixLength
    ) { argument throws(UsageError) in try argument.number(in: 1...9) },
    numbers(
      "numeric-suffixes",
      short: "d",
      .decimal,
      "Number parts as split -d does, directly behind PREFIX: 00, 01 …; or from FROM on."
    ),
    numbers(
      "hex-suffixes",
      short: "x",
      .hexadecimal,
      "Number parts as split -x does, directly behind PREFIX: 00 … 09, 0a …; or from FROM on."
    ),
    .flag(
      "alphabetic-suffixes",
      group: naming,
      help: "Name parts as split does by default: aa, ab …, directly behind PREFIX.",
      sets: \.suffixes,
      to: PartSuffixes(.letters)
    ),
    .value(
      "additional-suffix",
      "SUFFIX",
      group: naming,
      help: "End the names of all parts in SUFFIX, such as .csv.",
      sets: \.additionalSuffix
    ) { argument throws(UsageError) in
      guard !argument.value.bytes.contains(UInt8(ascii: "/")) else {
        throw argument.refused("has a slash in it, and cannot be the end of a name")
      }
      return argument.value
    },
  ]

  /// Where parts go instead of to files.
  static let filters: [Option<Settings>] = [
    .value(
      "filter",
      "COMMAND",
      group: "Output",
      help: "Feed each part to COMMAND in the shell, with the part's name in $FILE, and write no "
        + "file and no manifest: what COMMAND makes is not checked, and replaces what it likes. A part is "
        + "done when COMMAND has ended with 0.",
      sets: \.filter
    ) { argument throws(UsageError) in
      guard !argument.value.bytes.isEmpty else { throw argument.refused("is no command") }
      return argument.value
    },
    .value(
      "jobs",
      "N",
      group: "Output",
      help: "Let N filters be at work at a time, 1 by default. Parts of a file are then fed "
        + "side by side; those of standard input one after the other.",
      sets: \.jobs
    ) { argument throws(UsageError) in try argument.number(in: 1...256) },
  ]

  private static func numbers(
    _ name: String,
    short: Character,
    _ alphabet: PartAlphabet,
    _ help: String
  ) -> Option<Settings> {
    Option(
      name,
      short: short,
      .optional("FROM"),
      group: naming,
      help: help
    ) { settings, argument throws(UsageError) in
      guard argument.isGiven else {
        settings.suffixes = PartSuffixes(alphabet)
        return
      }
      guard let digits = PartDigits(argument.value.bytes, alphabet), digits.width <= 9 else {
        throw argument.refused("is not a number of at most 9 digits")
      }
      settings.suffixes = PartSuffixes(alphabet, from: digits.number)
    }
  }

  static let conflicts: [Conflict<Settings>] = [
    .excludes(.listPresets, [.json], "the list is for people"),
    .excludes(.bytes, [.number, .lines, .lineBytes], reason),
    .excludes(.number, [.lines, .lineBytes], reason),
    .excludes(.lines, [.lineBytes], reason),
    .needs(
      Conflict.Use("--separator") { $0.separator != nil },
      Conflict.Use("--lines, --line-bytes, --number=l/N or r/K/N") {
        $0.cuts?.isOfRecords == true || $0.dealing != nil
      },
      "other cuts heed no lines"
    ),
    .needs(
      .header,
      Conflict.Use("--lines, --line-bytes or --number=l/N") { $0.cuts?.isOfRecords == true },
      "the first line would not be a whole one in other parts"
    ),
    .excludes(
      .header,
      [
        Conflict.Use("--block") { $0.block != nil }, Conflict.Use("--joiners", \.makesJoiners),
      ],
      "the parts are not just put together"
    ),
    .needs(
      Conflict.Use("--elide-empty-files", \.omitsEmptyParts),
      .number,
      "no other option makes empty parts"
    ),
    .excludes(
      .consume,
      [.lines, .lineBytes, Conflict.Use("--number=l/N") { $0.cuts?.isOfRecords == true }],
      "it frees the file from its end, and lines are counted from the start"
    ),
    .excludes(
      .consume,
      [Conflict.Use("--times", \.keepsTimes)],
      "what is left of the file becomes part 1, and has been changed by then"
    ),
    .excludes(
      Conflict.Use("--filter") { $0.filter != nil },
      [
        Conflict.Use("--manifest=FILE") {
          if case .file = $0.manifest { true } else { false }
        },
        Conflict.Use("--checksum") { !$0.sums.isEmpty },
        Conflict.Use("--block") { $0.block != nil },
        Conflict.Use("--joiners", \.makesJoiners), .resume, .consume, .dryRun,
        Conflict.Use("--times", \.keepsTimes),
        Conflict.Use("--format=zip") { $0.format == .zip },
        Conflict.Use("--verify") { $0.verify == .readback || $0.verify == .entries },
        Conflict.Use("--clone=always") { $0.clone == .always },
        Conflict.Use("--engine") { $0.engine != .auto },
      ],
      "cleave does not know what a filter makes"
    ),
    .excludes(
      Conflict.Use("--number=K/N") { $0.part != nil },
      [
        Conflict.Use("--filter") { $0.filter != nil },
        Conflict.Use("--manifest=FILE") {
          if case .file = $0.manifest { true } else { false }
        },
        Conflict.Use("--checksum") { !$0.sums.isEmpty },
        Conflict.Use("--block") { $0.block != nil },
        Conflict.Use("--joiners", \.makesJoiners), .resume, .consume, .dryRun, .header, .json,
        Conflict.Use("--elide-empty-files", \.omitsEmptyParts),
        Conflict.Use("--times", \.keepsTimes),
        Conflict.Use("--format=zip") { $0.format == .zip },
      ],
      "nothing but the bytes of one part is written, to standard output"
    ),
    .needs(
      Conflict.Use("--jobs") { $0.jobs != nil },
      Conflict.Use("--filter") { $0.filter != nil },
      "it says how many filters there may be"
    ),
    .excludes(
      Conflict.Use("--format=zip") { $0.format == .zip },
      [
        Conflict.Use("--additional-suffix") { $0.additionalSuffix != "" },
        Conflict.Use("-d, -x or --alphabetic-suffixes") { $0.suffixes != nil },
      ],
      "the names of a split zip's parts are told by the format"
    ),
  ]

  private static let reason = "one of them says where to cut"

  /// `N`, `K/N`, and both behind `l/` or `r/`.
  @Sendable private static func takeNumber(
    _ settings: inout Settings,
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
    guard !deals || part != nil else {
      throw argument.refused(
        "deals lines out in turn, and merging cannot put such parts together again; l/N can be merged"
      )
    }
    (settings.part, settings.dealing) = (part, deals ? count : nil)
    settings.count = heedsLines ? .recordChunks(count) : .count(count)
    if part != nil { settings.output = "-" }
  }

  @Sendable private static func separator(_ argument: OptionArgument) throws(UsageError) -> UInt8? {
    if argument.value == #"\0"# { return 0 }
    guard let byte = argument.value.bytes.first, argument.value.bytes.count == 1 else {
      throw argument.refused(#"is not one byte, or \0"#)
    }
    return byte
  }
}

extension Settings {
  /// Where a file is to be cut.
  var cuts: CutList? { sizes ?? count ?? lines ?? lineBytes }

  /// What is behind the prefix of parts.
  var partSuffixes: PartSuffixes {
    var made = suffixes ?? PartSuffixes()
    (made.length, made.ending) = (suffixLength, additionalSuffix)
    return made
  }
}
