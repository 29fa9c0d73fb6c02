package import Posix

/// A folder of `Fixtures`: parts that a real tool made, and the whole that they make.
package struct Fixture: Sendable {
  package let path: FilePath

  /// The fixture in the folder of that name.
  package init(_ name: FilePath) {
    path = BuildProducts.sources.appending("Fixtures").appending(name)
  }

  /// The directory with the parts and nothing else.
  package var partsDirectory: FilePath { path.appending("parts") }

  /// Every part, in the order of the numbers behind the last dot.
  package func parts() throws -> [FilePath] {
    try FileSystem.names(in: partsDirectory)
      .sorted { (Self.number(of: $0), $0) < (Self.number(of: $1), $1) }
      .map { partsDirectory.appending($0) }
  }

  /// What the parts make.
  package func whole() throws -> [UInt8] { try Files.read(path.appending("whole")) }

  /// Copies every part into `directory`, in their order, and returns the copies.
  ///
  /// - Parameter name: what stands before the last dot of the copies' names, where it shall be
  ///   another; bytes that are not UTF-8, say, which not every file system can check out.
  package func copyParts(
    to directory: FilePath,
    renaming name: FilePath? = nil
  ) throws -> [FilePath] {
    try parts().map { part in
      let old = part.lastComponent.bytes
      let suffix = old.suffix(from: old.lastIndex(of: UInt8(ascii: ".")) ?? old.startIndex)
      let copied = name.map { FilePath(bytes: $0.bytes + suffix) } ?? part.lastComponent
      let copy = directory.appending(copied)
      try Files.copy(part, to: copy)
      return copy
    }
  }

  private static func number(of name: FilePath) -> Int {
    let digits = name.bytes.split(separator: UInt8(ascii: ".")).last ?? []
    return Int(String(decoding: digits, as: UTF8.self)) ?? 0
  }
}
