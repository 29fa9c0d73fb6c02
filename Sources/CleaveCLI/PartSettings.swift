import Cleave
import CommandLineKit
import Posix

/// The settings of the commands that put parts together.
protocol PartSettings: CommandSettings {
  /// What is said of the operands.
  var request: Selection.Request { get }
  var keepsMarker: Bool { get }
  /// Lines that all parts begin with; nil for none.
  var header: Int64? { get set }
  /// Whether lines were dealt out in turn.
  var dealt: Bool { get set }
  /// The byte that ends a line; nil for a line feed.
  var separator: UInt8? { get set }
}

extension PartSettings {
  /// - Parameter purpose: what the parts are wanted for.
  func check(_ operands: [FilePath], to purpose: String) throws(Failure) {
    guard !operands.isEmpty else { throw usage("a part to \(purpose) is missing") }
    guard operands.filter({ $0 == "-" }).count <= 1 else {
      throw usage("standard input can be read only once")
    }
    guard request.format != .zip || !operands.contains("-") else {
      throw usage("--format=zip needs files, not standard input")
    }
  }

  /// Options of a merge, but for what only one of the commands has.
  func mergeOptions(_ work: WorkOptions) -> Merge.Options {
    var options = Merge.Options()
    (options.work, options.keepsMarker) = (work, keepsMarker)
    let separator = separator ?? UInt8(ascii: "\n")
    options.header = header.map { Merge.Header($0, separator: separator) }
    if dealt { options.dealtSeparator = separator }
    return options
  }

  /// What the parts' lines are.
  static var lineOptions: [Option<Self>] {
    [
      .header(
        group: "Parts",
        help:
          "Take the first line of the first part, or its first LINES lines, only once: all other "
          + "parts have to begin with the same bytes, which are left out. A manifest of split --header "
          + "tells it by itself.",
        sets: \.header
      ),
      .flag(
        "dealt",
        group: "Parts",
        help:
          "Take one line of each part in turn: lines were dealt out, by split -n r/N. Its manifest tells it "
          + "by itself.",
        sets: \.dealt
      ), .separator(group: "Parts", sets: \.separator),
    ]
  }

  /// - Parameter others: what the command has that does not go with parts among which lines were dealt out.
  static func lineConflicts(dealt others: [Conflict<Self>.Use]) -> [Conflict<Self>] {
    let header = Conflict<Self>.Use("--header") { $0.header != nil }
    return [
      .needs(
        Conflict.Use("--separator") { $0.separator != nil },
        Conflict.Use("--header or --dealt") { $0.header != nil || $0.dealt },
        "nothing else heeds lines"
      ),
      .excludes(
        Conflict.Use("--dealt", \.dealt),
        [header, .init("--format=zip") { $0.request.format == .zip }] + others,
        "lines are taken from all parts in turn"
      ),
    ]
  }
}

extension Option<Selection.Request> {
  /// How to read the parts' names, where they could mean several things.
  static var names: [Option] {
    [
      .value(
        "as",
        "FAMILY",
        words: NamingStyle.joinedFamilies.map(\.rawValue),
        group: "Parts",
        help: "Read the names as those of FAMILY: "
          + NamingStyle.joinedFamilies.map(\.rawValue).joined(separator: ", ") + ".",
        sets: \.reading.family
      ) { argument throws(UsageError) in
        try argument.check(isOneOf: NamingStyle.joinedFamilies.map(\.rawValue))
        return argument.value.string.flatMap(NamingStyle.Family.init)
      },
      bound(
        "first",
        "Begin with PART; those in front of it are left out.",
        \.reading.bounds.first
      ),
      bound(
        "last",
        "PART is the last; those behind it are left out. PART is a number, of which aa is 0 where names "
          + "count in letters, what a name has in place of it, such as ac, or a part's name.",
        \.reading.bounds.last
      ),
    ]
  }

  private static func bound(
    _ name: String,
    _ help: String,
    _ path: Target<PartSeries.Bound?>
  ) -> Option {
    .value(name, "PART", group: "Parts", help: help, sets: path) { argument throws(UsageError) in
      guard !argument.value.bytes.isEmpty else { throw argument.refused("names no part") }
      return .text(argument.value)
    }
  }

  static var asGiven: Option {
    .flag(
      "as-given",
      group: "Parts",
      help:
        "Join exactly the files that are given, in this order, as bytes, whatever they are called "
        + "and hold, as cat does; with --format=zip, as the parts of a zip.",
      sets: \.isAsGiven
    )
  }

  static var format: Option {
    .format(
      "What the parts are: found out by itself (auto), bytes to be joined whatever they hold "
        + "(raw), or those of a zip, and nothing else will do (zip).",
      sets: \.format
    )
  }

  static func manifest(_ help: String) -> Option { .manifest(help, sets: \.manifest) }
}

extension Option {
  static func strict(sets target: Target<Bool>) -> Option {
    .flag(
      "strict",
      group: "Parts",
      help:
        "Stop if it is doubtful that all parts are there; otherwise that is a warning, or shown by -v and info.",
      sets: target
    )
  }

  static func manifest(_ help: String, sets target: Target<ManifestChoice>) -> Option {
    .value(
      "manifest",
      "FILE",
      words: ["none"],
      group: "Checking",
      help: help,
      sets: target
    ) { $0.value == "none" ? .none : .file($0.value) }
  }

  /// `--header`, for those that cut or join.
  static func header(group: String, help: String, sets target: Target<Int64?>) -> Option {
    Option("header", .optional("LINES"), group: group, help: help) {
      settings,
      argument throws(UsageError) in
      settings[keyPath: target] =
        argument.isGiven ? Int64(try argument.number(in: 1...1_000_000)) : 1
    }
  }

  /// `-t`, for the commands that know of lines.
  static func separator(group: String, sets target: Target<UInt8?>) -> Option {
    .value(
      "separator",
      short: "t",
      "SEP",
      group: group,
      help: "The byte that ends a line, in place of a line feed; \\0 is the byte 0.",
      sets: target
    ) { argument throws(UsageError) in
      if argument.value == #"\0"# { return 0 }
      guard let byte = argument.value.bytes.first, argument.value.bytes.count == 1 else {
        throw argument.refused(#"has to be a single byte, or \0"#)
      }
      return byte
    }
  }
}
