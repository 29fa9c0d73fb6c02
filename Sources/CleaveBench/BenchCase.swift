import Cleave
import CommandLineKit
import Posix

/// One way to run cleave: an engine and its settings. The engine chooses those that are nil.
struct BenchCase: Hashable, Sendable {
  /// Nil is the engine that cleave chooses by itself.
  var engine: EngineName?
  /// Bytes, as are the next two.
  var highWater: Int?
  var lowWater: Int?
  var window: Int?
  var proof: BenchProof

  /// Every combination of the values in the lists.
  ///
  /// - Throws: a ``UsageError`` where the settings of one contradict each other.
  static func all(_ settings: BenchSettings) throws(UsageError) -> [BenchCase] {
    var cases: [BenchCase] = []
    for engine in settings.engines {
      for high in choices(settings.highWater) {
        for low in choices(settings.lowWater) {
          for window in choices(settings.window) {
            for proof in settings.proofs {
              let one = BenchCase(
                engine: engine,
                highWater: high,
                lowWater: low,
                window: window,
                proof: proof
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

  /// Its settings as text.
  var parameters: [BenchParameter: String] {
    var values: [BenchParameter: String] = [
      .engine: engine?.rawValue ?? "auto", .verify: proof.rawValue,
    ]
    values[.highWater] = highWater.map(String.init)
    values[.lowWater] = lowWater.map(String.init)
    values[.window] = window.map(String.init)
    return values
  }

  /// The options to run cleave with.
  var options: [String] {
    let given = BenchParameter.allCases.compactMap { parameter in
      parameters[parameter].map { "--\(parameter.option)=\($0)" }
    }
    // Without a proof no sums are computed either, and so split writes no manifest.
    return proof == .none ? given + ["--manifest=none"] : given
  }
}

/// A setting that cases differ in; the raw value is its name in exports.
enum BenchParameter: String, CaseIterable, Sendable {
  case engine
  case highWater = "high_water"
  case lowWater = "low_water"
  case window
  case verify

  static let marks: [BenchParameter] = [.highWater, .lowWater, .window]

  /// The option of cleave, without its dashes.
  var option: String { rawValue.substituting("_", with: "-") }
  /// Its name in a table.
  var title: String { rawValue.substituting("_", with: " ") }

  /// A value of it, for people.
  func shown(_ value: String) -> String {
    guard Self.marks.contains(self), let bytes = Int64(value) else { return value }
    return ByteSize.short(bytes)
  }
}
