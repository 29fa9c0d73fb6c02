/// Statistics of at least one number.
struct BenchStatistics: Equatable {
  private let sorted: [Double]

  init(_ values: [Double]) { sorted = values.sorted() }

  var minimum: Double { quantile(0) }
  var lowerQuartile: Double { quantile(0.25) }
  var median: Double { quantile(0.5) }
  var upperQuartile: Double { quantile(0.75) }
  var maximum: Double { quantile(1) }

  var mean: Double { sorted.reduce(0, +) / Double(sorted.count) }

  /// The sample's standard deviation, with n − 1; nil for a single number.
  var deviation: Double? {
    guard sorted.count > 1 else { return nil }
    let mean = mean
    let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(sorted.count - 1)).squareRoot()
  }

  /// Type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996): linear
  /// interpolation between the two nearest, as R, NumPy and spreadsheets have it by default.
  ///
  /// - Parameter share: from 0 to 1.
  func quantile(_ share: Double) -> Double {
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
  }
}
