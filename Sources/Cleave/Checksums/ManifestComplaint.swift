internal import Posix

/// What is wrong with a line of a manifest; the parser adds the file and the line.
struct ManifestComplaint: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

/// The lines of a manifest, which end in LF or CRLF, behind a byte order mark that may be there.
struct ManifestLines {
  /// The line that was read last, from 1.
  private(set) var number = 0
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
    if rest.starts(with: SFV.byteOrderMark) { rest = rest.dropFirst(SFV.byteOrderMark.count) }
  }

  /// The same text in UTF-8, where it is in UTF-16, as PowerShell writes it, with line feeds at the ends of lines.
  static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var text = ofBytes(bytes)
    // Where DOS ends a text.
    if text.last == 0x1A { text.removeLast() }
    if text.dropLast().contains(UInt8(ascii: "\n")) { return text }
    // What `sha256sum -z` writes, and old Macs.
    let end = text.last == 0 ? 0 : UInt8(ascii: "\r")
    return text.map { $0 == end ? UInt8(ascii: "\n") : $0 }
  }

  private static func ofBytes(_ bytes: [UInt8]) -> [UInt8] {
    guard let (start, isLittle) = unitsOf16Bits(in: bytes) else { return bytes }
    let units = stride(from: start, to: bytes.count - 1, by: 2).lazy.map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return Array(String(decoding: Array(units), as: UTF16.self).utf8)
  }

  /// Where UTF-16 begins, and whether its units begin with their low bytes: as a mark tells, or every other byte at the
  /// start, which is 0 in English. Nil of anything else.
  private static func unitsOf16Bits(in bytes: [UInt8]) -> (start: Int, isLittle: Bool)? {
    if bytes.starts(with: [0xFF, 0xFE]) { return (2, true) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (2, false) }
    let head = bytes.prefix(16)
    guard head.count == 16 else { return nil }
    for odd in [1, 0] where head.indices.allSatisfy({ (head[$0] == 0) == ($0 % 2 == odd) }) {
      return (0, odd == 1)
    }
    return nil
  }

  /// The next line without its end, or nil behind the last.
  mutating func next() -> ArraySlice<UInt8>? {
    if rest.isEmpty { return nil }
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    var text = rest[..<end]
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    rest = rest[end...].dropFirst()
    number += 1
    return text
  }
}

extension ArraySlice<UInt8> {
  /// Without blanks at either end.
  var withoutBlanks: ArraySlice<UInt8> {
    var text = drop(while: SFV.isBlank)
    while let last = text.last, SFV.isBlank(last) { text.removeLast() }
    return text
  }
}
