import Cleave

/// Which contender is the fastest, and by how much.
struct BenchContest: Sendable {
  /// One contender, and what it is compared by: the ratios to the baseline, or seconds without one.
  struct Entry: Sendable {
    var name: String
    var isBaseline: Bool
    var result: BenchResult
    var measure: BenchStatistics
  }

  /// In the order of the results.
  let entries: [Entry]
  private let runs: Int
  private let digits: Int

  /// With fewer rounds, quartiles tell nothing.
  private static let fewestRuns = 3

  init(_ report: BenchReport) {
    let names = BenchNames(report.results)
    let comparing = report.host.baselineName != nil
    entries = report.results.map { result in
      Entry(
        name: names.name(of: result),
        isBaseline: result.contender.isBaseline,
        result: result,
        // The baseline's own ratio is 1 in each round.
        measure: comparing ? result.ratio ?? BenchStatistics([1]) : result.times
      )
    }
    (runs, digits) = (report.host.runs, report.digits)
  }

  /// One sentence.
  var sentence: String {
    let order = entrants.sorted { $0.measure.median < $1.measure.median }
    guard let best = order.first else { return "Nothing was measured." }
    guard order.count > 1 else {
      return "\(best.name) took \(best.result.times.median.fixed(digits)) s, and had no rival."
    }
    if runs < Self.fewestRuns {
      let least = entries.min { $0.measure.median < $1.measure.median } ?? best
      return "No clear winner: \(runs.counted("round")) cannot tell. The least median is "
        + "\(least.name)'s."
    }
    let rivals = order.dropFirst()
    let equals = rivals.filter { $0.measure.lowerQuartile <= best.measure.upperQuartile }
    let slower = rivals.filter { $0.measure.lowerQuartile > best.measure.upperQuartile }
    let compared = Self.compared(best, slower)
    if equals.isEmpty { return "The winner is \(best.name): \(compared)." }
    let names = Self.listed(([best] + equals).map(\.name))
    let rest = slower.isEmpty ? "" : " The first of these is \(compared)."
    return "No clear winner: the quartiles of \(names) overlap.\(rest)"
  }

  /// Where every engine runs, the one that cleave chooses is one of them, and not one more.
  private var entrants: [Entry] {
    let engines = Set(entries.compactMap(\.result.contender.engine))
    guard engines.count == EngineName.allCases.count else { return entries }
    return entries.filter { $0.isBaseline || $0.result.contender.engine != nil }
  }

  /// How much faster than the next one, and than the baseline.
  private static func compared(_ best: Entry, _ slower: [Entry]) -> String {
    let told = slower.prefix(1) + slower.dropFirst().filter(\.isBaseline)
    return listed(
      told.map { rival in
        let factor = rival.measure.median / best.measure.median
        return "\(factor.fixed(2)) times as fast as \(rival.name)"
      }
    )
  }

  private static func listed(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}

/// What contenders are called beside each other: by what they differ in.
struct BenchNames: Sendable {
  /// A parameter with one value for all is not in a name, but for the engine.
  let varying: [BenchParameter]

  init(_ results: [BenchResult]) {
    varying = BenchParameter.allCases.filter { parameter in
      parameter == .engine || BenchHost.values(of: parameter, in: results).count > 1
    }
  }

  /// `direct (high water 4.0 KiB)`.
  func name(of result: BenchResult) -> String {
    let parameters = result.contender.parameters
    let others = varying.compactMap { parameter -> String? in
      guard parameter != .engine, let value = parameters[parameter] else { return nil }
      return "\(parameter.title) \(parameter.shown(value))"
    }
    let engine = parameters[.engine] ?? ""
    return others.isEmpty ? engine : "\(engine) (\(others.joined(separator: ", ")))"
  }
}
