public import Posix

/// The parts of one file that are in one directory, in the order of their numbers.
public struct PartSeries: Hashable, Sendable {
  /// One part, as it was when the series was read.
  public struct Part: Hashable, Sendable {
    /// The name, with the directory that the operand had.
    public var path: FilePath
    /// The number in the name; letters count as digits.
    public var number: Int64
    /// Of what the name leads to, through symbolic links.
    public var status: FileStatus
    /// Bytes.
    public var size: Int64 { status.size }
  }

  /// How the parts' names are made.
  let form: PartName
  /// The name of the whole, with the parts' directory: `dir/gcd.mp4.zip`.
  public let base: FilePath
  /// How the parts are counted.
  public let numbering: Numbering
  /// The parts that exist, by number; at least one.
  public let parts: Parts
  /// The number of the first part: 0 or 1, but where a manifest tells another one.
  public let first: Int64
  /// The highest number that is known of; no part may have it.
  let last: Int64
  /// Names that are like the parts' but belong to other files.
  let foreign: [FilePath]
  /// Names that are like the parts', with more zeros in front of the number, or fewer.
  let others: [FilePath]
  /// Copies and downloads of parts.
  let neighbours: Neighbours

  /// The digits that the parts' numbers are padded to.
  public var width: Int { numbering.width }

  /// The family that the names are of.
  public var family: NamingStyle.Family { form.family }

  /// The name of the part with a number, whether there is one or not.
  func name(_ number: Int64) -> FilePath { base.sibling(form.name(number, numbering)) }

  /// The name behind the last part that is there.
  var following: FilePath {
    let last = parts.last?.number ?? first
    // bounded: a number has 18 digits at most
    return name(numbering.successor(of: last) ?? last + 1)
  }

  /// Whether one of the parts has a name.
  func hasPart(called name: FilePath) -> Bool {
    guard let number = form.digits(of: name, folding: true)?.number,
      let index = parts.index(ofNumber: number)
    else { return false }
    // Of one number, there may be several.
    return parts.numbers[index...].prefix { $0 == number }.indices
      .contains { parts[$0].path.lastComponent == name }
  }

  /// Whether a name has a year or a date where the parts have numbers of fewer digits, far behind them.
  func isDated(_ part: FilePath) -> Bool {
    guard let digits = form.digits(of: part, folding: true), digits.alphabet == .decimal,
      digits.width >= 4, digits.width > form.width, let last = parts.last
    else { return false }
    // Behind `x89`, `x9000` is the next.
    let widening = Numbering.widening(.decimal)
    if form.width == widening.width, widening.contains(digits) { return false }
    return digits.number - last.number > Int64(max(100, parts.count))
  }

  /// - Parameters:
  ///   - numbers: all that are known to belong to the series, in any order.
  ///   - known: the number of the first part, where it is known.
  init(
    _ form: PartName,
    base: FilePath,
    numbering: Numbering,
    parts: Parts,
    numbers: some Collection<Int64>,
    first known: Int64? = nil,
    foreign: [FilePath] = [],
    others: [FilePath] = [],
    neighbours: Neighbours = Neighbours()
  ) {
    self.form = form.ofSeries(width: numbering.width)
    self.base = base
    self.numbering = numbering
    self.parts = parts
    self.foreign = foreign
    self.others = others
    self.neighbours = neighbours
    let firsts = self.form.style.firsts
    let startsAtZero = numbering.isWidening || numbers.contains(0)
    first = known ?? (firsts.count == 1 ? firsts.lowerBound : startsAtZero ? 0 : 1)
    // bounded: both are numbers in names, of 18 digits at most
    last = max(first, numbers.max() ?? first, form.total.map { [first] in $0 - 1 + first } ?? first)
  }
}
