import Cleave
import CleaveBench
import CommandLineKit
import Dispatch
import Posix

/// What the options of all commands set. Each command's table offers those that it heeds.
struct Settings: Sendable {
  // General
  /// The help that was asked for.
  var help: HelpForm?
  var wantsVersion = false
  /// Instead of help.
  var wantsManual = false
  var isQuiet = false
  var isVerbose = false
  var writesJSON = false
  var progress = AutoAlwaysNever.auto
  var color = AutoAlwaysNever.auto

  // Output
  var output: FilePath?
  var isForced = false
  var isDryRun = false
  var synchronizes = true
  var dropsCache = false
  var keepsTimes = false
  var resumes = false
  var consumes = false
  var checkpoint = Rounds.usualSize
  var clone = SharingPolicy.auto

  // Cutting
  var sizes: CutList?
  var count: CutList?
  /// How many parts lines are dealt out to.
  var dealing: Int?
  /// The only part that is wanted, from 1, to standard output.
  var part: Int?
  var lines: CutList?
  var lineBytes: CutList?
  /// The byte that ends a line; nil for a line feed.
  var separator: UInt8?
  var omitsEmptyParts = false
  /// Lines that all parts begin with; nil for none.
  var header: Int64?
  /// Digits of parts' numbers; nil for as many as they need.
  var suffixLength: Int?
  /// Nil for numbers from 1.
  var suffixes: PartSuffixes?
  var filter: FilePath?
  /// Filters at a time; nil for one.
  var jobs: Int?
  var additionalSuffix = FilePath("")
  var listsPresets = false
  var format = PartFormat.auto
  var keepsMarker = false
  var range: ByteRange?

  // Recognizing
  var reading = PartReading()
  var isStrict = false
  var isAsGiven = false
  var mergesAll = false
  var waits = false
  /// How long, at most, where nothing happens.
  var idleTimeout: Duration?

  // Checking
  var verify = VerifyMode.auto
  var manifest = ManifestChoice.automatic
  var sums: [SumKind] = []
  var isQuick = false
  var drawsMap = false
  var listsBad = false
  var endsNamesWithNull = false
  var makesJoiners = false
  /// Bytes of each block whose sum the manifest gets.
  var block: Int64?

  // Engine
  var engine = EngineOption.auto
  var highWater: Int?
  var lowWater: Int?
  var window: Int?
  var qualityOfService = QualityOfService.default

  // Measuring
  var bench = BenchSettings()
}

enum AutoAlwaysNever: String, CaseIterable, Sendable {
  case auto, always, never
}

enum EngineOption: String, CaseIterable, Sendable {
  case serial, multiqueue, zerocopy, direct, auto

  /// Nil where the engine is to be chosen by the plan.
  var name: EngineName? { EngineName(rawValue: rawValue) }
}

enum QualityOfService: String, CaseIterable, Sendable {
  case background, utility, `default`
  case userInitiated = "user-initiated"

  var dispatch: DispatchQoS {
    switch self {
    case .background: .background
    case .utility: .utility
    case .default: .default
    case .userInitiated: .userInitiated
    }
  }
}

// MARK: - What the library wants

extension Settings {
  /// What is said of a merge's operands.
  var selection: Selection.Request {
    var request = Selection.Request(manifest: manifest, format: format, reading: reading)
    request.isAsGiven = isAsGiven
    return request
  }

  /// - Throws: a ``UsageError`` where the water marks contradict each other.
  func engineSettings() throws(UsageError) -> EngineSettings {
    let settings = EngineSettings(
      lowWater: lowWater,
      highWater: highWater,
      window: window,
      qualityOfService: qualityOfService.dispatch
    )
    if let contradiction = settings.contradiction { throw UsageError(contradiction) }
    return settings
  }

  /// Whether the job is carried out in stages that another run can go on from.
  var isStaged: Bool { resumes || consumes }

  /// Whether a failure is told as an object: not where data goes to standard output. With --list-bad,
  /// which does not go with --json, nothing else is written.
  var endsInObject: Bool { writesJSON && output != "-" }

  /// Whether progress is told where the result goes, and not by a line for people.
  var writesProgressEvents: Bool { writesJSON && progress == .always && !isQuiet }

  var outputOptions: OutputOptions {
    OutputOptions(
      replacesExisting: isForced,
      synchronizes: synchronizes,
      readsBack: verify == .readback,
      dropsCache: dropsCache,
      keepsTimes: keepsTimes
    )
  }
}
