internal import Posix

/// The digits of every name `BASE.DIGITS` in one directory, which may belong to several series.
///
/// Two series of one base differ in width: `a.1`, `a.2` and `a.001`, `a.002`. A name that starts
/// with a zero belongs to the series of its width and no other; `a.100` fits both.
struct Siblings {
  let digits: [PartDigits]
  /// By number of digits: whether there is a name that starts with a zero, and one that does not.
  private let padded: [Bool]
  private let unpadded: [Bool]

  init(digits: [PartDigits]) {
    var padded = Array(repeating: false, count: PartDigits.maximumWidth + 1)
    var unpadded = padded
    for one in digits {
      if one.isPadded { padded[one.width] = true } else { unpadded[one.width] = true }
    }
    self.digits = digits
    self.padded = padded
    self.unpadded = unpadded
  }

  /// Lists the directory of `base` once.
  init(of base: FilePath) throws(SystemError) {
    let name = base.lastComponent
    let names = try FileSystem.names(in: base.directory)
    self.init(digits: names.compactMap { PartName.digits(of: $0, base: name) })
  }

  /// The width of the series that a name belongs to: the smallest that the siblings bear out.
  func width(for operand: PartDigits) -> Int {
    // A zero in front fixes the width: then no smaller one contains the operand.
    let smaller = (1..<operand.width).first { width in
      (padded[width] || unpadded[width]) && contains(operand, width: width)
    }
    return smaller ?? operand.width
  }

  /// The names of the series with this width, by number.
  func members(width: Int) -> [PartDigits] {
    digits.filter { contains($0, width: width) }.sorted { $0.number < $1.number }
  }

  /// Whether these digits are in the series of this width.
  private func contains(_ digits: PartDigits, width: Int) -> Bool {
    guard Numbering.plain(width: width).contains(digits) else { return false }
    if digits.width == width { return true }
    // Where `a.001` exists, `a.100` is no reason to miss `a.2` … `a.99` behind `a.1`. It is once
    // the narrower series has a name of two digits, from which it could have grown.
    let other = padded[(width + 1)...digits.width].contains(true)
    return !other || unpadded[digits.width - 1]
  }
}
