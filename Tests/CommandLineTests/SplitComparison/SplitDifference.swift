/// Why a command line is not compared with an installed GNU `split`.
enum SplitDifference: String, CaseIterable {
  // With those before 9.2, such as Debian's 9.1.
  case remainder = "9.5 gives bytes that are left over to the first chunks, 9.1 to the last one"
  case stream = "9.5 counts the bytes of a stream for -n, 9.1 refuses it"
  case largeNumber = "9.5 takes a number that is too large for the largest one, 9.1 refuses it"
  case wording = "9.5 and 9.1 word what is wrong with a number in other ways"
  case slash = "9.5 refuses an additional suffix that ends in a slash, 9.1 tries to make that"
  // With every version.
  case endless = "9.5 makes files until suffixes end for -n l/N of fewer than N bytes"
  case digits = "9.5 and 9.1 count on from a hexadecimal letter through bytes behind a table"

  /// Whether 9.5 itself differs.
  var isLasting: Bool { self == .endless || self == .digits }
}
