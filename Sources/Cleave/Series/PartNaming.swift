public import Posix

/// The names that split gives to parts.
public struct PartNaming: Sendable {
  /// What the manifest is named after: the parts' common name, or the last part of a split zip.
  public let prefix: FilePath
  private let style: Style

  private enum Style: Sendable {
    /// PREFIX.001 and so on, padded to so many digits.
    case numbered(width: Int, separator: String)
    /// PREFIX.z01 … PREFIX.zip, of so many parts.
    case splitZip(SplitZipSeries, count: Int)
  }

  private static let usualWidth = 3
  /// Whether the user has said how many digits numbers have.
  private var isWidthGiven = false

  /// - Parameters:
  ///   - prefix: what the parts' names begin with.
  ///   - isTyped: whether the user has typed it for that purpose: one that ends in a dot, a dash or an
  ///     underscore then has the number directly behind it.
  ///   - width: the digits that are wanted; nil for as many as the number of parts needs, and at least 3.
  public init(numbered prefix: FilePath, isTyped: Bool, width: Int?) {
    let separator = isTyped ? Self.separator(of: prefix.lastComponent) : nil
    self.prefix = separator == nil ? prefix : FilePath(bytes: prefix.bytes.dropLast())
    style = .numbered(width: width ?? Self.usualWidth, separator: separator ?? ".")
    isWidthGiven = width != nil
  }

  /// What a name ends in that need not be put between it and a number.
  private static func separator(of name: FilePath) -> String? {
    let rest = FilePath(bytes: name.bytes.dropLast())
    guard rest != "", rest != ".", rest != ".." else { return nil }
    return [".", "-", "_"].first { name.ends(in: $0) }
  }

  /// - Parameter file: the zip.
  /// - Parameter given: a prefix with or without `.zip`; without one the parts are beside the file
  ///   under another name, since it has the last part's.
  public init(splitZip file: FilePath, _ given: FilePath?) {
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
    switch style {
    case .numbered(let width, let separator):
      if isWidthGiven { return self }
      // Names sort as bytes then.
      return PartNaming(
        prefix,
        .numbered(width: max(width, "\(count)".count), separator: separator)
      )
    case .splitZip(let series, _): return PartNaming(prefix, .splitZip(series, count: count))
    }
  }

  /// Whether parts are numbered, and no split zip's.
  var isNumbered: Bool { if case .numbered = style { true } else { false } }

  /// The digits of numbers, at least.
  var width: Int {
    switch style {
    case .numbered(let width, _): width
    case .splitZip: Self.usualWidth
    }
  }

  /// Between the prefix and the numbers.
  var separator: String {
    if case .numbered(_, let separator) = style { separator } else { "." }
  }

  /// The name of a part by its index.
  package func name(_ index: Int) -> FilePath {
    switch style {
    case .numbered(let width, let separator):
      PartName.format(
        base: prefix,
        number: Int64(index) + 1,
        width: width,
        separator: separator
      )
    case .splitZip(let series, let count):
      index == count - 1 ? prefix : series.name(Int64(index) + 1)
    }
  }

  /// Whether a part of any number would be called so.
  func names(_ path: FilePath) -> Bool {
    guard case .numbered(_, let separator) = style else { return false }
    let head = prefix.adding(separator).bytes
    guard path.bytes.starts(with: head), path.bytes.count <= head.count + 18,
      let digits = String(validating: path.bytes.dropFirst(head.count), as: UTF8.self),
      let number = Int(digits), number > 0
    else { return false }
    return name(number - 1) == path
  }

  /// What exists under the names of so many parts, and beyond them.
  func existing(count: Int) throws(CleaveError) -> PartSeries.Existing {
    switch style {
    case .numbered(let width, let separator):
      try PartSeries.stale(after: count, base: prefix, width: width, separator: separator)
    case .splitZip(let series, _): try series.existing(count: count)
    }
  }
}
