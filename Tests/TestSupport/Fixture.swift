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

  private static func number(of name: FilePath) -> Int {
    let digits = name.bytes.split(separator: UInt8(ascii: ".")).last ?? []
    return Int(String(decoding: digits, as: UTF8.self)) ?? 0
  }
}
