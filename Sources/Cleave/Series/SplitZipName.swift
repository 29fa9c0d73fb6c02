import Posix

/// The name of one part of a split zip: `a.z01`, `a.z02` … `a.zip`, or `a.zx01` … `a.zipx`, in any
/// case; `a.exe` may stand for the first.
struct SplitZipName: Hashable {
  /// The name without its extension.
  let stem: FilePath
  let family: Family
  let place: Place

  enum Family: Hashable {
    case zip, zipx
    /// Before the digits of a numbered part.
    var letters: String { self == .zip ? "z" : "zx" }
    /// Of the last part.
    var last: String { self == .zip ? "zip" : "zipx" }
  }

  enum Place: Hashable {
    /// From 1.
    case number(Int64)
    /// The program that unpacks the zip, at the front of the first part.
    case executable
    case last
  }

  init?(_ name: FilePath) {
    let bytes = name.bytes
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
    let ending = Self.folded(bytes[(dot + 1)...])
    guard let (family, place) = Self.read(ending) else { return nil }
    stem = FilePath(bytes: bytes[..<dot])
    self.family = family
    self.place = place
  }

  private static func read(_ ending: [UInt8]) -> (Family, Place)? {
    for family in [Family.zipx, .zip] {
      if ending == Array(family.last.utf8) { return (family, .last) }
      let letters = Array(family.letters.utf8)
      let digits = ending.dropFirst(letters.count)
      guard ending.starts(with: letters), digits.count >= 2, let number = PartDigits(digits) else {
        continue
      }
      // 0 is no part's number, and one with more than two digits begins with none.
      let isNumber = number.number > 0 && (digits.count == 2 || !number.isPadded)
      return isNumber ? (family, .number(number.number)) : nil
    }
    return ending == Array("exe".utf8) ? (.zip, .executable) : nil
  }

  /// Whether this names another part of the same split zip.
  func isPart(with other: SplitZipName) -> Bool {
    Self.folded(stem.bytes) == Self.folded(other.stem.bytes)
      && (family == other.family || place == .executable)
  }

  /// ASCII letters in lower case.
  static func folded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map(\.folded)
  }

  /// The name of another part; extensions are written in upper case where this name's is.
  static func format(
    _ stem: FilePath,
    _ family: Family,
    _ place: Place,
    isUpperCase: Bool = false
  ) -> FilePath {
    let ending =
      switch place {
      case .number(let number): family.letters + (number < 10 ? "0\(number)" : "\(number)")
      case .executable: "exe"
      case .last: family.last
      }
    return stem.adding("." + (isUpperCase ? ending.uppercased() : ending))
  }
}

extension ArraySlice<UInt8> {
  /// The bytes in front of the decimal digits at their end.
  var withoutDigitsAtEnd: Self {
    // Taking them off one by one would copy the rest.
    self[..<(lastIndex { !$0.isDigit }.map { $0 + 1 } ?? startIndex)]
  }
}

extension UInt8 {
  /// An ASCII letter in lower case, and any other byte as it is.
  package var folded: UInt8 { (65...90).contains(self) ? self | 0x20 : self }

  /// Whether it is one of the decimal digits of ASCII.
  var isDigit: Bool { (48...57).contains(self) }

  /// Whether it is one of the hexadecimal digits of ASCII, in either case.
  var isHexDigit: Bool { PartAlphabet.hexadecimal.contains(self) }

  /// Whether it is an ASCII letter or digit, or part of a character that is not in ASCII.
  var isLetterOrDigit: Bool { isDigit || PartAlphabet.letters.contains(self) || self >= 0x80 }
}
