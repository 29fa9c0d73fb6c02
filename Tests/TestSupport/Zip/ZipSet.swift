package import Posix

/// How the parts of a split archive are called.
package enum ZipSetNames: Sendable {
  /// `a.z01`, `a.z02` and so on to `a.z99`, `a.z100`; `a.zip` is the last.
  case lower
  /// `A.Z01` ... `A.ZIP`.
  case upper
  /// `a.zx01` ... `a.zipx`.
  case zipx
  /// `a.exe`, `a.z02` ... `a.zip`.
  case executableFirst
  /// `a.zip.001` and so on, for a zip that was cut without looking at it.
  case raw

  /// The name of a part, counted from 0.
  package func name(of part: Int, among count: Int) -> FilePath {
    let digits = Self.padded(part + 1, to: self == .raw ? 3 : 2)
    let isLast = part == count - 1
    switch self {
    case .lower: return FilePath(isLast ? "a.zip" : "a.z\(digits)")
    case .upper: return FilePath(isLast ? "A.ZIP" : "A.Z\(digits)")
    case .zipx: return FilePath(isLast ? "a.zipx" : "a.zx\(digits)")
    case .executableFirst:
      return FilePath(isLast ? "a.zip" : part == 0 ? "a.exe" : "a.z\(digits)")
    case .raw: return FilePath("a.zip.\(digits)")
    }
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// The parts of an archive in a directory of their own.
package struct ZipSet: Sendable {
  package let directory: TemporaryDirectory
  /// In their order.
  package let parts: [FilePath]

  package init(_ parts: [[UInt8]], names: ZipSetNames = .lower) throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    self.parts = parts.indices.map { directory.file(names.name(of: $0, among: parts.count)) }
    for (path, bytes) in zip(self.parts, parts) { try Files.write(bytes, to: path) }
  }

  package var first: FilePath { parts[0] }
  package var last: FilePath { parts[parts.count - 1] }

  /// What a command said on standard error, without the name of the directory.
  package func lines(_ outcome: Outcome) -> String {
    outcome.errorText.replacing("\(directory.path)/", with: "")
  }

  /// What a command said on standard output, without the name of the directory.
  package func output(_ outcome: Outcome) -> String {
    outcome.outputText.replacing("\(directory.path)/", with: "")
  }
}
