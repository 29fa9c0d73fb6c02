import CommandLineKit
import Posix

/// What the options of a command set: of all that there are, those that its table offers.
protocol CommandSettings: Sendable {
  var general: GeneralSettings { get set }
  /// Whether data goes to standard output, and what is told of it to standard error.
  var writesData: Bool { get }
  /// The engine that may run in this process; nil where none does.
  var engineInside: EngineOption? { get }
  var report: ReportSettings { get }

  init()

  /// Looks at all options together, when the last one has been read.
  ///
  /// - Throws: a ``UsageError`` where they contradict each other.
  mutating func validate() throws(UsageError)
}

extension CommandSettings {
  var writesData: Bool { false }
  var engineInside: EngineOption? { .auto }
  var report: ReportSettings { ReportSettings() }

  mutating func validate() throws(UsageError) { try requireApart() }

  /// - Throws: where the data and what is told of it would be mixed.
  func requireApart() throws(UsageError) {
    if writesData, general.writesJSON {
      throw UsageError("--json and data cannot both go to standard output")
    }
  }
}

/// What every command has.
struct GeneralSettings: Sendable {
  /// The help that was asked for.
  var help: HelpForm?
  var wantsVersion = false
  var isQuiet = false
  var isVerbose = false
  var writesJSON = false
  var progress = AutoAlwaysNever.auto
  var color = AutoAlwaysNever.auto

  var isTalkative: Bool { isVerbose && !isQuiet }

  /// Whether progress is told where the result goes, and not by a line for people.
  var writesProgressEvents: Bool { writesJSON && progress == .always && !isQuiet }
}

/// What is told of a result.
struct ReportSettings: Sendable {
  var sums: [SumKind] = []
  /// Whether nothing was done but said.
  var isDryRun = false
  /// Names of what is bad, and nothing else.
  var listsBad = false
  var endsNamesWithNull = false
  var drawsMap = false
  var moving = MovingSettings()
}

enum AutoAlwaysNever: String, CaseIterable, Sendable {
  case auto, always, never
}

extension Option<GeneralSettings> {
  static var help: Option {
    Option(
      "help",
      short: "h",
      group: "General",
      help: "Show all of this help and stop; -h shows one screen, examples first."
    ) { settings, argument in
      settings.help = argument.option == "-h" ? .short : .whole
    }
  }

  static var version: Option {
    .flag(
      "version",
      short: "V",
      group: "General",
      help: "Show the version and stop.",
      sets: \.wantsVersion
    )
  }

  static var quiet: Option {
    .flag("quiet", short: "q", group: "General", help: "Say nothing but errors.", sets: \.isQuiet)
  }

  static var verbose: Option {
    .flag(
      "verbose",
      short: "v",
      group: "General",
      help: "Also tell the engine, its settings, the time and the memory used.",
      sets: \.isVerbose
    )
  }

  static var json: Option {
    .flag(
      "json",
      group: "General",
      help: "Write the result as one JSON object, the last line of standard output.",
      sets: \.writesJSON
    )
  }

  static var color: Option {
    .choice(
      "color",
      "WHEN",
      bare: AutoAlwaysNever.always,
      group: "General",
      help: "Color messages; auto does on a terminal, unless NO_COLOR is set.",
      sets: \.color
    )
  }

  static var progress: Option {
    progress(
      and:
        " With --json, always (or no WHEN) writes a JSON object twice a second before the result instead."
    )
  }
  /// For a command whose result has other forms.
  static var progressWithoutJSON: Option { progress(and: "") }

  private static func progress(and more: String) -> Option {
    .choice(
      "progress",
      "WHEN",
      bare: AutoAlwaysNever.always,
      group: "General",
      help: "Show a progress line; auto does on a terminal, where p pauses and goes on." + more,
      sets: \.progress
    )
  }

  static var all: [Option] { [help, version, quiet, verbose, json, color] }
  /// For a command whose result has other forms.
  static var withoutJSON: [Option] { [help, version, quiet, verbose, color] }
}
