package import Posix

/// A script that puts the parts of a series together, and checks them, where there is no cleave.
package enum Joiner: String, CaseIterable, Sendable {
  /// For any POSIX shell.
  case sh
  /// For Python 3.5 and newer, on any system.
  case py
  /// For PowerShell 5.1 and newer, on any system.
  case ps1
  /// For the `cmd` of Windows.
  case bat

  /// Whether POSIX systems can start it by its name.
  package var isProgram: Bool { self == .sh || self == .py }

  /// Where the script is, which looks for the parts of `base` beside itself.
  package func path(beside base: FilePath) -> FilePath { base.adding(".join.\(rawValue)") }

  /// Whether a file is a script for the parts of `base`.
  static func isName(_ path: FilePath, beside base: FilePath) -> Bool {
    allCases.contains { $0.path(beside: base) == path }
  }

  /// Whether a file is called like such a script.
  static func isName(_ path: FilePath) -> Bool {
    allCases.contains { path.lastComponent.ends(in: ".join.\($0.rawValue)") }
  }

  /// Whether a script of this kind can name such files.
  ///
  /// Shells and Python take bytes. PowerShell and Windows have names of characters, and no file there has one of
  /// those that `cmd` cannot quote.
  package func canHold(_ name: FilePath) -> Bool {
    if isProgram { return true }
    guard let text = name.string else { return false }
    let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    return isPlain && (self == .ps1 || !text.contains { "\"*/:<>?\\|".contains($0) })
  }

  /// The script's bytes, for a name that it ``canHold(_:)``.
  ///
  /// - Parameter version: cleave's.
  package func render(_ series: JoinedSeries, version: String) -> [UInt8] {
    switch self {
    case .sh: series.shell(version)
    case .py: series.python(version)
    case .ps1: series.powerShell(version)
    case .bat: series.batch(version)
    }
  }
}

/// What a joiner knows of the parts `name.001`, `name-001` or `name_001` and so on, and of the file that they make up.
package struct JoinedSeries: Sendable {
  /// In the directory of the script.
  let name: FilePath
  /// Between the name and a part's number.
  let separator: String
  /// Digits of a part's number, at least.
  let width: Int
  let whole: Checksum
  /// Of the whole, in hexadecimal digits, where it was computed; empty where it was not.
  let sha256: String
  let runs: [Run]

  /// Parts of equal size that follow each other, so that a script need not list 10,000 of them.
  struct Run {
    /// The number of the last one, from 1.
    var last: Int
    /// Bytes of each.
    var size: Int64
  }

  /// - Parameter parts: bytes of each part.
  /// - Parameter digests: of the whole.
  package init(
    name: FilePath,
    separator: String = ".",
    width: Int,
    parts: [Int64],
    whole: Checksum,
    digests: [Digest]
  ) {
    (self.name, self.separator, self.width, self.whole) = (name, separator, width, whole)
    sha256 = digests.first { $0.kind == .sha256 }?.text ?? ""
    var runs: [Run] = []
    for (index, size) in parts.enumerated() {
      if runs.last?.size == size { runs.removeLast() }
      runs.append(Run(last: index + 1, size: size))
    }
    self.runs = runs
  }

  var count: Int { runs.last?.last ?? 0 }
}
