/// A file in an archive that ``ZipWriter`` makes.
package struct ZipEntry: Sendable {
  package enum Method: UInt16, Sendable {
    case stored = 0
    case deflated = 8
    /// Stored under a number that means nothing to a program without WinZip's encryption.
    case encryptedByWinZip = 99
  }

  /// The checksum and the sizes behind the data, where the local header has none.
  package enum Descriptor: Sendable {
    case none
    case signed
    /// Without the signature, which the specification leaves out.
    case plain
  }

  /// Whatever bytes the archive shall hold; a directory's ends in a slash.
  package var name: [UInt8]
  /// What the local header has for a name, where it is another.
  package var localName: [UInt8]?
  /// Bytes in front of the local header that belong to nothing.
  package var gap: [UInt8] = []
  package var contents: [UInt8]
  package var method: Method
  package var descriptor: Descriptor
  /// General purpose flags, beside those that follow from the rest.
  package var flags: UInt16 = 0
  package var localExtra: [UInt8] = []
  package var centralExtra: [UInt8] = []
  package var comment: [UInt8] = []
  /// What the directory says in place of the true checksum.
  package var wrongChecksum: UInt32?

  /// A name beyond ASCII is marked as UTF-8.
  package init(
    _ name: String,
    _ contents: [UInt8] = [],
    method: Method = .deflated,
    descriptor: Descriptor = .none
  ) {
    self.name = Array(name.utf8)
    self.contents = contents
    self.method = contents.isEmpty ? .stored : method
    self.descriptor = descriptor
    if self.name.contains(where: { $0 >= 0x80 }) { flags |= Self.utf8Flag }
  }

  package static let encryptedFlag: UInt16 = 1 << 0
  static let descriptorFlag: UInt16 = 1 << 3
  package static let utf8Flag: UInt16 = 1 << 11

  /// Info-ZIP's extra field 0x7075: the name as UTF-8, with a checksum of the raw one.
  package static func unicodePath(_ path: String, for name: [UInt8]) -> [UInt8] {
    var field: [UInt8] = []
    field.put(UInt16(0x7075))
    field.put(UInt16(5 + path.utf8.count))
    field.put(UInt8(1))
    field.put(ZipCoding.checksum(name))
    return field + Array(path.utf8)
  }

  /// An extra field of any kind.
  package static func extra(_ kind: UInt16, _ data: [UInt8]) -> [UInt8] {
    var field: [UInt8] = []
    field.put(kind)
    field.put(UInt16(data.count))
    return field + data
  }
}

extension ZipEntry {
  /// Whether it is a directory.
  package var isDirectory: Bool { name.last == UInt8(ascii: "/") }

  /// The name as text; bytes that are not UTF-8 are replaced.
  package var text: String { String(decoding: name, as: UTF8.self) }

  var allFlags: UInt16 { flags | (descriptor == .none ? 0 : Self.descriptorFlag) }

  /// The contents as they are in the archive.
  func packed() throws -> [UInt8] {
    method == .deflated ? try ZipCoding.deflated(contents) : contents
  }
}

extension ZipEntry {
  /// One of each kind.
  package static let samples: [ZipEntry] = [
    ZipEntry("text", Bytes.text(count: 3000)),
    ZipEntry("directory/"),
    ZipEntry("directory/noise", Bytes.pattern(count: 2500), method: .stored),
    ZipEntry("empty"),
    ZipEntry("described", Bytes.text(count: 2000), descriptor: .signed),
    ZipEntry("plainly described", Bytes.text(count: 2000), descriptor: .plain),
    ZipEntry("\u{FC}ml\u{E4}ut", Bytes.pattern(count: 1500)),
  ]
}
