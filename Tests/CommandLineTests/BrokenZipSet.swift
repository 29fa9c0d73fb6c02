import Posix
import TestSupport
import Testing

/// Parts of an archive to which something happened, and what is to be said of it.
struct BrokenZipSet: Sendable, CustomTestStringConvertible {
  /// What happened.
  var fault: String
  var names = ZipSetNames.lower
  /// The part that the command gets.
  var start: FilePath
  var code: CInt
  /// What the line on standard error must hold.
  var says: [String]
  var change: @Sendable (ZipSet) throws -> Void

  var testDescription: String { fault }

  init(
    _ fault: String,
    _ names: ZipSetNames = .lower,
    from start: FilePath,
    _ code: CInt,
    _ says: [String],
    _ change: @escaping @Sendable (ZipSet) throws -> Void
  ) {
    self.fault = fault
    self.names = names
    self.start = start
    self.code = code
    self.says = says
    self.change = change
  }

  /// The parts, broken.
  func set() throws -> ZipSet {
    let set = try Self.sound(names)
    try change(set)
    return set
  }
}

// MARK: - Before that

extension BrokenZipSet {
  private static let size = 1500

  /// In parts of 1500 bytes, a local header is in the first three and in the sixth and seventh; in
  /// the fourth and fifth is nothing but data of "large".
  static func writer(seed: UInt64 = 1, suffix: String = "") -> ZipWriter {
    let sizes = [
      ("first", 2000), ("second", 1500), ("large", 5000), ("third", 1200), ("last", 1500),
    ]
    return ZipWriter(
      sizes.enumerated().map { index, row in
        let noise = Bytes.pattern(count: row.1, seed: seed &+ UInt64(index))
        return ZipEntry(row.0 + suffix, noise, method: .stored)
      }
    )
  }

  static func sound(_ names: ZipSetNames, writer: ZipWriter = writer()) throws -> ZipSet {
    let parts =
      names == .raw ? try writer.single().cut(to: size) : try writer.parts(of: size)
    return try ZipSet(parts, names: names)
  }
}

// MARK: - What may happen to a part

extension ZipSet {
  func remove(_ part: Int) throws { try FileSystem.unlink(parts[part]) }

  func swap(_ one: Int, _ other: Int) throws {
    let bytes = try Files.read(parts[one])
    try Files.copy(parts[other], to: parts[one])
    try Files.write(bytes, to: parts[other])
  }

  /// Takes bytes off the end of a part.
  func shorten(_ part: Int, by count: Int) throws {
    try Files.setSize(Int64(try Files.read(parts[part]).count - count), of: parts[part])
  }

  /// Puts bytes behind the end of a part.
  func lengthen(_ part: Int, by count: Int) throws {
    try Files.write(Files.read(parts[part]) + Bytes.pattern(count: count), to: parts[part])
  }

  /// Puts the same part of another archive in its place.
  func replace(_ part: Int, from writer: ZipWriter, _ names: ZipSetNames = .lower) throws {
    let other = try BrokenZipSet.sound(names, writer: writer)
    try Files.copy(other.parts[part], to: parts[part])
  }

  /// Puts other bytes in the place of every part.
  func replaceAll(with files: [FilePath: [UInt8]]) throws {
    for part in parts { try FileSystem.unlink(part) }
    for (name, bytes) in files { try Files.write(bytes, to: directory.file(name)) }
  }
}
