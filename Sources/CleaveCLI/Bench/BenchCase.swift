import Cleave
import CommandLineKit
import Posix

/// One way to have cleave do the work: an engine and what tunes it. What is nil is left to the engine.
struct BenchCase: Hashable, Sendable {
  var engine: EngineChoice
  /// Bytes, as all of these.
  var highWater: Int?
  var lowWater: Int?
  var window: Int?
  var verify: VerifyMode

  /// Every combination of what the lists name.
  ///
  /// - Throws: a ``UsageError`` where one of them contradicts itself.
  static func all(_ settings: BenchSettings) throws(UsageError) -> [BenchCase] {
    var cases: [BenchCase] = []
    for engine in settings.engines {
      for high in choices(settings.highWater) {
        for low in choices(settings.lowWater) {
          for window in choices(settings.window) {
            for verify in settings.verify {
              let one = BenchCase(
                engine: engine,
                highWater: high,
                lowWater: low,
                window: window,
                verify: verify
              )
              try one.requireSense()
              cases.append(one)
            }
          }
        }
      }
    }
    return cases
  }

  private static func choices(_ list: [Int?]) -> [Int?] { list.isEmpty ? [nil] : list }

  private func requireSense() throws(UsageError) {
    let settings = EngineSettings(lowWater: lowWater, highWater: highWater, window: window)
    guard let contradiction = settings.contradiction else { return }
    let marks = parameters.filter { BenchParameter.marks.contains($0.key) }
    let given = marks.map { "--\($0.key.option)=\($0.value)" }.sorted().joined(separator: " ")
    throw UsageError("\(given): \(contradiction)")
  }

  /// What distinguishes it from others, as text.
  var parameters: [BenchParameter: String] {
    var values: [BenchParameter: String] = [.engine: engine.rawValue, .verify: verify.rawValue]
    values[.highWater] = highWater.map(String.init)
    values[.lowWater] = lowWater.map(String.init)
    values[.window] = window.map(String.init)
    return values
  }

  /// What to tell cleave.
  var options: [String] {
    let given = BenchParameter.allCases.compactMap { parameter in
      parameters[parameter].map { "--\(parameter.option)=\($0)" }
    }
    // Where nothing is verified no sums are computed either, as for a manifest that split writes.
    return verify == .none ? given + ["--manifest=none"] : given
  }
}

/// What runs differ in; the raw value is its name in exports.
enum BenchParameter: String, CaseIterable, Sendable {
  case engine
  case highWater = "high_water"
  case lowWater = "low_water"
  case window
  case verify

  static let marks: [BenchParameter] = [.highWater, .lowWater, .window]

  /// The option of cleave, without its dashes.
  var option: String { rawValue.replacing("_", with: "-") }
  /// In a table.
  var title: String { rawValue.replacing("_", with: " ") }
}
