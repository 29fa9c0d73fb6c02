import Cleave
import CommandLineKit
import Posix

/// The machine, and what was done on it. The numbers mean nothing without it.
package struct BenchHost: Encodable, Sendable {
  var processors: Int
  /// The maker's name for the processor, where it is known.
  var processor: String?
  /// Bytes, where it is known.
  var memory: Int64?
  var kernel: String
  /// Of the directory that the outputs were in.
  var fileSystem: String
  /// Whether the inputs are dropped from the page cache before each run.
  var isCold: Bool
  /// The most bytes of the inputs that stayed in the page cache all the same.
  package var notDropped: Int64
  var isSynced: Bool
  var isSplit: Bool
  /// Bytes of the inputs.
  var bytes: Int64
  /// The number of parts, merged or made.
  var parts: Int
  /// The number of rounds that count.
  var runs: Int
  /// The name of the baseline, and its command.
  var baselineName: String?
  var baseline: String?
  var library = Checksum.library
  var version = cleaveVersion
  /// The arguments of this process.
  var arguments: [JSONName]
  /// When the last run ended, in UTC; see ISO 8601.
  var date: String

  private enum CodingKeys: String, CodingKey {
    case processors, processor, kernel, bytes, parts, runs, baseline, library, version, arguments
    case date
    case memory = "memory_byte"
    case fileSystem = "file_system"
    case isCold = "cold"
    case notDropped = "not_dropped_byte"
    case isSynced = "synced"
    case isSplit = "split"
  }

  /// The values of a parameter in the runs of cleave, in the order of the results, each once.
  static func values(of parameter: BenchParameter, in results: [BenchResult]) -> [String] {
    var seen: [String] = []
    for result in results {
      guard case .cleave(let one) = result.contender, let value = one.parameters[parameter],
        !seen.contains(value)
      else { continue }
      seen.append(value)
    }
    return seen
  }

  /// The line below the table.
  ///
  /// - Parameter results: the line also has the settings that all of them share.
  package func line(_ results: [BenchResult]) -> String {
    var words = ["\(processors) × \(processor ?? "unknown processor")"]
    if let memory { words.append("\(ByteSize.short(memory)) of memory") }
    words += [kernel, fileSystem, cache, isSynced ? "synced" : "not synced"]
    let count = parts.counted("part")
    words.append("\(ByteSize.described(bytes)) \(isSplit ? "split into" : "merged from") \(count)")
    words.append(runs.counted("run"))
    for parameter in BenchParameter.allCases where parameter != .engine {
      let values = Self.values(of: parameter, in: results)
      if values.count == 1 { words.append("\(parameter.title) \(values[0])") }
    }
    if let baseline { words.append("baseline: \(baseline)") }
    return (words + ["cleave \(version)", "sums by \(library)"]).joined(separator: "; ")
  }

  private var cache: String {
    guard isCold else { return "warm cache" }
    return notDropped == 0 ? "cold cache" : "cold cache but for \(ByteSize.described(notDropped))"
  }
}
