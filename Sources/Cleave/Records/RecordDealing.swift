/// How records were dealt out: one to each of several parts in turn, as cards are.
public struct RecordDealing: Hashable, Sendable {
  /// At least 1.
  public var parts: Int
  /// The byte that a record ends with; the last one of all may have no end.
  public var separator: UInt8

  /// - Parameters:
  ///   - parts: at least 1.
  ///   - separator: a line feed ends a line.
  public init(parts: Int, separator: UInt8 = UInt8(ascii: "\n")) {
    (self.parts, self.separator) = (parts, separator)
  }
}

extension RecordDealing {
  /// What a record ends with, as a noun.
  package var ending: String {
    switch separator {
    case UInt8(ascii: "\n"): "a line feed"
    case 33...126: "'\(Character(Unicode.Scalar(separator)))'"
    default: "the byte \(separator)"
    }
  }
}
