import Posix

/// As stores write sums: four bytes, the highest first.
extension UInt32 {
  var base64: String { Base64.text(of: withUnsafeBytes(of: bigEndian, Array.init)) }

  init?(base64 text: String) {
    guard let bytes = Base64.bytes(of: Array(text.utf8)), bytes.count == 4 else { return nil }
    self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
