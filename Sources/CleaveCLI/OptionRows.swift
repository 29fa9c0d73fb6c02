import Cleave
import CommandLineKit
import Posix

/// Options that several commands have, in the order in which their help lists them.
enum OptionRows {
  typealias Row = Option<Settings>

  static let help: Row = .init(
    "help",
    short: "h",
    group: "General",
    help: "Show all of this help and stop; -h shows one screen, examples first."
  ) { settings, argument in
    settings.help = argument.option == "-h" ? .short : .whole
  }

  static let version: Row = .flag(
    "version",
    short: "V",
    group: "General",
    help: "Show the version and stop.",
    sets: \.wantsVersion
  )

  static let general: [Row] = [
    help, version,
    .flag(
      "quiet",
      short: "q",
      group: "General",
      help: "Say nothing but errors.",
      sets: \.isQuiet
    ),
    .flag(
      "verbose",
      short: "v",
      group: "General",
      help: "Also tell the engine, its settings, the time and the memory used.",
      sets: \.isVerbose
    ),
    .flag(
      "json",
      group: "General",
      help: "Write the result as one JSON object, the last line of standard output.",
      sets: \.writesJSON
    ),
    .choice(
      "color",
      "WHEN",
      bare: AutoAlwaysNever.always,
      group: "General",
      help: "Color messages; auto does on a terminal, unless NO_COLOR is set.",
      sets: \.color
    ),
  ]

  /// For a command whose result has other forms.
  static let generalWithoutJSON: [Row] = general.filter { $0.row.long != "json" }

  static let progress: Row = .choice(
    "progress",
    "WHEN",
    bare: AutoAlwaysNever.always,
    group: "General",
    help: "Show a progress line; auto does on a terminal. With --json, always (or no WHEN) writes "
      + "a JSON object twice a second before the result instead.",
    sets: \.progress
  )

  static func output(_ help: String) -> Row {
    .value("output", short: "o", "FILE", group: "Output", help: help, sets: \.output) { $0.value }
  }

  static let force: Row = .flag(
    "force",
    short: "f",
    group: "Output",
    help: "Replace files that exist already; never one of the inputs.",
    sets: \.isForced
  )

  static let noSync: Row = .flag(
    "no-sync",
    group: "Output",
    help: "Do not wait until the output is on the device; faster, and gone after a power loss.",
    sets: \.synchronizes,
    to: false
  )

  static let dropCache: Row = .flag(
    "drop-cache",
    group: "Output",
    help: "Leave in memory only what was there before, so that a huge job does not push out the "
      + "files of everybody else; what no-sync has left unwritten stays.",
    sets: \.dropsCache
  )

  static func times(_ help: String) -> Row {
    .flag("times", group: "Output", help: help, sets: \.keepsTimes)
  }

  static let resume: Row = .flag(
    "resume",
    group: "Output",
    help: "Go on where an interrupted run of the same command has stopped, and leave what another "
      + "one can go on with.",
    sets: \.resumes
  )

  static let checkpoint: Row = .value(
    "checkpoint",
    "SIZE",
    group: "Output",
    help: "With --resume, make SIZE bytes durable at a time, 32M by default: what is done again "
      + "after an interruption at most, and the space that --consume needs.",
    sets: \.checkpoint
  ) { argument throws(UsageError) in
    let size = try argument.size
    guard size > 0 else { throw argument.refused("must be more than 0") }
    return size
  }

  static func consume(_ help: String) -> Row {
    .flag("consume", group: "Output", help: help, sets: \.consumes)
  }

  static let clone: Row = .choice(
    "clone",
    "WHEN",
    group: "Output",
    help: "Share the blocks of the source with the output instead of copying them: where the file "
      + "system can (auto, the default), or fail (always), or never. XFS and Btrfs on Linux can, for "
      + "what is aligned to their blocks, with the direct engine; the rest is copied.",
    sets: \.clone
  )

  static func dryRun(short: Character?) -> Row {
    .flag(
      "dry-run",
      short: short,
      group: "Output",
      help: "Say what would be done, and do nothing.",
      sets: \.isDryRun
    )
  }

  static func manifest(_ help: String) -> Row {
    .value(
      "manifest",
      "FILE",
      words: ["none"],
      group: "Checking",
      help: help,
      sets: \.manifest
    ) { $0.value == "none" ? .none : .file($0.value) }
  }

  static let verify: Row = .choice(
    "verify",
    "MODE",
    group: "Checking",
    help:
      "What to prove before the output gets its name: by a manifest, or else by what the content "
      + "says of itself, such as the CRC-32 of each entry of a zip (auto, the default); only by a "
      + "manifest, which is faster (stream); nothing but sizes (none); as auto, and also what the "
      + "device gives back (readback); or also that every entry of the zip can be unpacked (entries).",
    sets: \.verify
  )

  static func format(_ help: String) -> Row {
    .choice("format", "FORMAT", group: "Output", help: help, sets: \.format)
  }

  /// How to read the parts' names, where they could mean several things.
  static let reading: [Row] = [
    .value(
      "as",
      "FAMILY",
      words: NamingStyle.joinedFamilies.map(\.rawValue),
      group: "Parts",
      help: "Read the names as those of FAMILY: "
        + NamingStyle.joinedFamilies.map(\.rawValue).joined(separator: ", ") + ".",
      sets: \.reading.family
    ) { argument throws(UsageError) in
      let family = argument.value.string.flatMap(NamingStyle.Family.init)
      guard let family, NamingStyle.joinedFamilies.contains(family) else {
        throw argument.refused("is no family of names that are joined")
      }
      return family
    },
    bound("first", "Begin with PART; those in front of it are left out.", \.reading.bounds.first),
    bound(
      "last",
      "PART is the last; those behind it are left out. PART is a number, what a name has in place of "
        + "it, such as ac, or a part's name.",
      \.reading.bounds.last
    ),
  ]

  static let wait: Row = .init(
    "wait",
    .optional("TIMEOUT"),
    group: "Parts",
    help:
      "Wait for parts that are not there yet, and put them together as they come, none before it is "
      + "finished; give up when nothing has happened to them for TIMEOUT, such as 90s, 30m or 2h."
  ) { settings, argument throws(UsageError) in
    settings.waits = true
    settings.idleTimeout = argument.isGiven ? try argument.time : nil
  }

  private static func bound(
    _ name: String,
    _ help: String,
    _ path: Row.Target<PartSeries.Bound?>
  ) -> Row {
    .value(name, "PART", group: "Parts", help: help, sets: path) { argument throws(UsageError) in
      guard !argument.value.bytes.isEmpty else { throw argument.refused("names no part") }
      return .text(argument.value)
    }
  }

  static let strict: Row = .flag(
    "strict",
    group: "Parts",
    help: "Stop where it is doubtful that all parts are there, instead of only saying so.",
    sets: \.isStrict
  )

  static let asGiven: Row = .flag(
    "as-given",
    group: "Parts",
    help:
      "Join exactly the files that are given, in this order, as bytes, whatever they are called "
      + "and hold, as cat does; with --format=zip, as the parts of a zip.",
    sets: \.isAsGiven
  )

  static let all: Row = .flag(
    "all",
    group: "Parts",
    help:
      "Merge every series that the operands name, or that a directory or a manifest has, one after "
      + "the other.",
    sets: \.mergesAll
  )

  /// What parts of lines begin with, where they are joined.
  static let header: [Row] = [
    CutOption.header(
      group: "Parts",
      help: "Take the first line of the first part, or its first LINES lines, only once: all other "
        + "parts have to begin with the same bytes, which are left out. A manifest of split --header "
        + "tells it by itself."
    ),
    CutOption.separator(group: "Parts"),
  ]

  /// Conflicts of those.
  static let headerConflict = Conflict<Settings>.needs(
    Conflict.Use("--separator") { $0.separator != nil },
    .header,
    "nothing else heeds lines"
  )

  static let keepMarker: Row = .flag(
    "keep-marker",
    group: "Output",
    help: "Leave the four bytes at the front that mark a split zip, so that file systems which "
      + "share blocks can; a few programs that read zips as streams want them gone.",
    sets: \.keepsMarker
  )

  static let engine: [Row] = [
    .choice(
      "engine",
      "NAME",
      group: "Engine",
      help: "How to move the bytes; auto, the default, takes direct, and serial for streams; -v "
        + "tells why.",
      sets: \.engine
    ),
    .value(
      "high-water",
      "SIZE",
      group: "Engine",
      help: "The most that one read or write moves; direct writes that much at a time.",
      sets: \.highWater,
      convert: mark
    ),
    .value(
      "low-water",
      "SIZE",
      group: "Engine",
      help: "The least that the serial engine calls a handler for; at most the high water mark.",
      sets: \.lowWater,
      convert: mark
    ),
    .value(
      "window",
      "SIZE",
      group: "Engine",
      help: "The most that is read and not yet written; at least the high water mark.",
      sets: \.window,
      convert: mark
    ),
    .choice(
      "qos",
      "CLASS",
      group: "Engine",
      help: "The quality of service of the queues.",
      sets: \.qualityOfService
    ),
  ]

  @Sendable static func mark(_ argument: OptionArgument) throws(UsageError) -> Int? {
    let size = try argument.size
    guard size > 0 else { throw argument.refused("must be more than 0") }
    return Int(size)
  }
}

/// Options that rows of conflicts name.
extension Conflict<Settings>.Use {
  static let all = Self("--all", \.mergesAll)
  static let asGiven = Self("--as-given", \.isAsGiven)
  static let bytes = Self("--bytes") { $0.sizes != nil }
  static let consume = Self("--consume", \.consumes)
  static let dryRun = Self("--dry-run", \.isDryRun)
  static let header = Self("--header") { $0.header != nil }
  static let json = Self("--json", \.writesJSON)
  static let lineBytes = Self("--line-bytes") { $0.lineBytes != nil }
  static let lines = Self("--lines") { $0.lines != nil }
  static let listBad = Self("--list-bad", \.listsBad)
  static let map = Self("--map", \.drawsMap)
  static let listPresets = Self("--list-presets", \.listsPresets)
  static let null = Self("--null", \.endsNamesWithNull)
  static let number = Self("--number") { $0.count != nil }
  static let output = Self("--output") { $0.output != nil }
  static let resume = Self("--resume", \.resumes)
  static let wait = Self("--wait", \.waits)
}
