package import Posix

/// How the parts of one family of names are called, counted and put together: a row of
/// the only table of them.
///
/// A family may have several rows, where some of its names say more than others.
public struct NamingStyle: Sendable {
  /// The families, by the names that messages and `--as` use.
  public enum Family: String, CaseIterable, Sendable {
    case splitZip = "split-zip"
    case zipx
    case rcloneChunks = "rclone"
    /// Those of other programs, which must not be joined.
    case foreign
    case zipPieces = "zip-pieces"
    case ofTotal = "n-of-m"
    case dumps = "dump"
    case hexadecimal
    case numbers
    case digit
    case partWord = "part"
    case partLetters = "part-letters"
    case letters
    case dashDigits = "dash"
    case digits
  }

  /// What may be done with the parts.
  enum Joining: Sendable {
    /// They are joined as they are.
    case bytes
    /// The same, but only where a manifest, the sizes or what is inside bear it out: names alone are
    /// those of other things, too, such as rotated logs.
    case withEvidence
    /// The same, but only where the first part is there, and another one.
    case withFirst
    /// The same, but only where the sizes are those of a file that was cut: most names of this form are
    /// those of files of their own, such as photos and chapters.
    case withSizes
    /// Joining is not enough: headers are written anew.
    case rewritten
    /// They are not to be joined; the reason, and what to use instead.
    case never(String)
  }

  let family: Family
  /// None for a split zip, whose names ``SplitZipName`` reads.
  var patterns: [NamePattern] = []
  let joining: Joining
  /// The numbers that the first part may have.
  var firsts: ClosedRange<Int64> = 0...1
  /// 0 or 1: of 1, a file with number 0 is something else, such as the menu of a DVD's films.
  var lowest: Int64 = 0

  /// Whether parts of the family can be joined as they are.
  var isJoined: Bool {
    switch joining {
    case .bytes, .withEvidence, .withFirst, .withSizes: true
    case .rewritten, .never: false
    }
  }

  /// Whether the parts must not be joined.
  var isRefused: Bool { if case .never = joining { true } else { false } }

  /// Whether a name of the row alone says that it is a part's.
  var isCertain: Bool {
    if case .bytes = joining { return true }
    if case .withEvidence = joining { return family == .digit }
    return false
  }

  /// The families that `--as` can ask for.
  public static let joinedFamilies = Family.allCases.filter { family in
    table.contains { $0.family == family && $0.isJoined }
  }

  /// - Throws: `.badData` for a name of which the parts must not be joined, with what to use instead.
  ///
  /// - Parameter isNamed: whether it is the operand, and not found in one.
  package static func refuse(_ path: FilePath, isNamed: Bool = true) throws(CleaveError) {
    guard case .never(let reason) = first(of: path)?.joining else { return }
    // Of some, the first has no number, or none of them has one that is known.
    let isNumbered = PartName.readings(of: path.lastComponent).contains(where: \.style.isRefused)
    let way: Sentence =
      isNumbered
      ? "\(.format(.raw)) joins the bytes\(isNamed ? "" : " of the parts of a file that is named")"
      : "\(.asGiven(namesOutput: true)) joins the files named"
    throw .ofWholeFile(path, "\(reason); \(way)")
  }

  /// The most specific row that a name has the form of.
  static func first(of path: FilePath) -> NamingStyle? {
    let name = path.lastComponent
    if let zip = SplitZipName(name), case .number = zip.place {
      return table.first { $0.family == zip.family.naming }
    }
    let set = ByteSet(name.bytes)
    return table.first { row in row.patterns.contains { $0.fits(name.bytes, of: set) } }
  }
}

/// One form of names of a row of the table, with what is asked of each name of a large directory. A class,
/// so that going through them counts no references of what they hold.
final class NamingForm: Sendable {
  let style: NamingStyle
  let pattern: NamePattern
  let isRefused: Bool
  /// Whether a first part has to be there.
  let needsFirst: Bool

  private init(_ style: NamingStyle, _ pattern: NamePattern) {
    (self.style, self.pattern, isRefused) = (style, pattern, style.isRefused)
    needsFirst = if case .withFirst = style.joining { true } else { false }
  }

  /// All, most specific first.
  static let all = NamingStyle.table.flatMap { style in
    style.patterns.map { NamingForm(style, $0) }
  }

  /// Those that a name may have by its last byte, in the same order.
  static func ending(in byte: UInt8) -> [NamingForm] { byLastByte[Int(byte)] }

  private static let byLastByte = (0...UInt8.max).map { byte in
    all.filter { $0.pattern.mayEnd(in: byte) }
  }
}

extension SplitZipName.Family {
  /// The row of the table.
  var naming: NamingStyle.Family { self == .zip ? .splitZip : .zipx }
}
