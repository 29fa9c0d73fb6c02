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

  /// The same text in UTF-8, where a byte order mark tells that it is in UTF-16, as PowerShell writes it.
  static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
      // What `sha256sum -z` writes.
      guard bytes.last == 0, !bytes.contains(UInt8(ascii: "\n")) else { return bytes }
      return bytes.map { $0 == 0 ? UInt8(ascii: "\n") : $0 }
    }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).lazy.map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return Array(String(decoding: Array(units), as: UTF16.self).utf8)
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
