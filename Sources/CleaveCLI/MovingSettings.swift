import Cleave
import CommandLineKit
import Dispatch

/// Which engine moves the bytes, and how.
struct MovingSettings: Sendable {
  var engine = EngineOption.auto
  var highWater: Int?
  var lowWater: Int?
  var window: Int?
  var qualityOfService = QualityOfService.default

  var settings: EngineSettings {
    EngineSettings(
      lowWater: lowWater,
      highWater: highWater,
      window: window,
      qualityOfService: qualityOfService.dispatch
    )
  }

  /// - Throws: where the water marks contradict each other.
  func validate() throws(UsageError) {
    if let contradiction = settings.contradiction { throw UsageError(contradiction) }
  }
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

extension Option<MovingSettings> {
  static var all: [Option] {
    [
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
        sets: \.highWater
      ) { argument throws(UsageError) in try argument.mark },
      .value(
        "low-water",
        "SIZE",
        group: "Engine",
        help:
          "The least that the serial engine calls a handler for; at most the high water mark.",
        sets: \.lowWater
      ) { argument throws(UsageError) in try argument.mark },
      .value(
        "window",
        "SIZE",
        group: "Engine",
        help: "The most that is read and not yet written; at least the high water mark.",
        sets: \.window
      ) { argument throws(UsageError) in try argument.mark },
      .choice(
        "qos",
        "CLASS",
        group: "Engine",
        help: "The quality of service of the queues.",
        sets: \.qualityOfService
      ),
    ]
  }
}

extension OptionArgument {
  /// Bytes, at least one.
  var positiveSize: Int64 {
    get throws(UsageError) {
      let size = try size
      guard size > 0 else { throw refused("must be more than 0") }
      return size
    }
  }

  /// Bytes of a water mark or a window.
  var mark: Int? { get throws(UsageError) { Int(try positiveSize) } }
}
