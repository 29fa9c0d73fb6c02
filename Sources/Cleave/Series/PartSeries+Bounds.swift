public import Posix

extension PartSeries {
  /// A part as a user names it.
  public enum Bound: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The number of a part.
    case number(Int64)
    /// The number in decimal digits, what a part's name has in place of it, or the name itself.
    case text(FilePath)

    public init(integerLiteral number: Int64) { self = .number(number) }
  }

  /// Which parts are meant, where the names beside them do not tell: the first and the last one.
  public struct Bounds: Hashable, Sendable {
    public var first: Bound?
    public var last: Bound?

    public init(first: Bound? = nil, last: Bound? = nil) {
      (self.first, self.last) = (first, last)
    }
  }

  /// The numbers of bounds.
  struct Limits {
    var first: Int64?
    var last: Int64?

    func contains(_ number: Int64) -> Bool {
      number >= first ?? .min && number <= last ?? .max
    }
  }

  /// The number of the part that a user names, whether it is there or not.
  ///
  /// - Throws: `.badData` where no part of the series can have the name or the number.
  func number(of bound: Bound) throws(CleaveError) -> Int64 {
    switch bound {
    case .number(let number):
      if isPart(number) { return number }
      throw noPart("\(number)")
    case .text(let text):
      if let number = number(named: text), isPart(number) { return number }
      throw noPart("\(text)")
    }
  }

  private func isPart(_ number: Int64) -> Bool {
    Self.numbers.contains(number) && number >= form.style.lowest
      && numbering.place(of: number) != nil
  }

  func limits(_ bounds: Bounds) throws(CleaveError) -> Limits {
    var limits = Limits()
    if let first = bounds.first { limits.first = try number(of: first) }
    if let last = bounds.last { limits.last = try number(of: last) }
    guard let first = limits.first, let last = limits.last, first > last else { return limits }
    throw CleaveError(
      .contradiction,
      base,
      "\(mentioning: .first(label(first))) is behind \(mentioning: .last(label(last))), so that no "
        + "part is left"
    )
  }

  /// Those of some parts' names that are not between the bounds.
  func leftOut(_ names: PathList?, _ bounds: Bounds) throws(CleaveError) -> PathList {
    guard let names, bounds != Bounds() else { return PathList() }
    let limits = try limits(bounds)
    return PathList(
      names.lazy.filter { name in
        form.digits(of: name, folding: true).map { !limits.contains($0.number) } ?? false
      }
    )
  }

  /// What an option that names a part is to be given.
  func label(_ number: Int64) -> FilePath {
    let isDecimal = numbering.alphabet == .decimal
    return isDecimal ? FilePath("\(number)") : FilePath(bytes: numbering.digits(of: number))
  }

  /// Those that a name of the most digits can have.
  static let numbers: ClosedRange<Int64> =
    0...(PartAlphabet.decimal.powers[PartAlphabet.decimal.maximumWidth] - 1)

  private func number(named text: FilePath) -> Int64? {
    let name = text.lastComponent
    if let digits = form.digits(of: name, folding: true), mayHave(digits) { return digits.number }
    if let digits = PartDigits(text.bytes, numbering.alphabet), mayHave(digits) {
      return digits.number
    }
    return PartDigits(text.bytes)?.number
  }

  private func mayHave(_ digits: PartDigits) -> Bool {
    numbering.contains(digits) || numbering.alphabet == .decimal && digits.width <= width
  }

  private func noPart(_ text: String) -> CleaveError {
    CleaveError(
      .badData,
      base,
      "'\(text)' is neither a name nor a number of a part: they are called "
        + "\(name(first).lastComponent) and so on"
    )
  }
}
