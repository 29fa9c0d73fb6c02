import Cleave
import Posix

/// The names that split gives to parts.
struct PartNaming {
  /// What the manifest is named after: the parts' common name, or the last part of a split zip.
  let prefix: FilePath
  private let style: Style

  private enum Style {
    /// PREFIX.001 and so on, padded to so many digits.
    case numbered(width: Int)
    /// PREFIX.z01 … PREFIX.zip, of so many parts.
    case splitZip(SplitZipSeries, count: Int)
  }

  init(numbered prefix: FilePath, width: Int) {
    self.prefix = prefix
    style = .numbered(width: width)
  }

  /// - Parameter given: a prefix with or without `.zip`; without one the parts are beside the file
  ///   under another name, since it has the last part's.
  init(splitZip file: FilePath, _ given: FilePath?) {
    let series = SplitZipSeries(naming: given ?? file, like: file, given == nil ? ".split" : "")
    prefix = series.lastName
    style = .splitZip(series, count: 0)
  }

  private init(_ prefix: FilePath, _ style: Style) {
    self.prefix = prefix
    self.style = style
  }

  /// The same names for so many parts.
  func counting(_ count: Int) -> PartNaming {
    guard case .splitZip(let series, _) = style else { return self }
    return PartNaming(prefix, .splitZip(series, count: count))
  }

  /// The digits of numbers, at least.
  var width: Int {
    switch style {
    case .numbered(let width): width
    case .splitZip: 3
    }
  }

  /// The name of a part by its index.
  func name(_ index: Int) -> FilePath {
    switch style {
    case .numbered(let width):
      PartName.format(base: prefix, number: Int64(index) + 1, width: width)
    case .splitZip(let series, let count):
      index == count - 1 ? prefix : series.name(Int64(index) + 1)
    }
  }

  /// What exists under the names of so many parts, and beyond them.
  func existing(count: Int) throws(CleaveError) -> PartSeries.Existing {
    switch style {
    case .numbered(let width): try PartSeries.stale(after: count, base: prefix, width: width)
    case .splitZip(let series, _): try series.existing(count: count)
    }
  }
}
