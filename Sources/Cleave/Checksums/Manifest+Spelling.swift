internal import Posix

// Files that a list has in other letters alone.
extension Manifest {
  /// Some files, the first of each, by what a list may have instead of their names.
  static func spelled(_ files: [FilePath]) -> [String: FilePath] {
    Dictionary(files.map { ($0.spelling, $0) }) { first, _ in first }
  }

  /// The names that it has, in whatever letters.
  var spellings: [String] { [entries, nested, elsewhere].joined().map(\.name.spelling) }

  /// - Parameters:
  ///   - spelled: as ``spelled(_:)`` has them.
  ///   - isBeside: whether only lines count that lead to the directory of the file.
  /// - Throws: `.badData` where it has one of some files in other letters, and nothing is there by these.
  func requireSpelling(
    of spelled: [String: FilePath],
    isBeside: Bool = false
  ) throws(CleaveError) {
    if spelled.isEmpty { return }
    for entry in [entries, nested, elsewhere].joined() {
      guard let file = spelled[entry.name.spelling],
        entry.name.lastComponent != file.lastComponent,
        case let place = place(of: entry.name), FileStatus.isAbsent(place),
        !isBeside || place.directory == file.directory || Self.areTogether(place, file)
      else { continue }
      throw refusal(of: file, as: entry.name)
    }
  }

  /// Whether two files are in one directory, by whatever paths.
  private static func areTogether(_ file: FilePath, _ other: FilePath) -> Bool {
    let homes = [file, other].map { try? FileStatus.of($0.directory).identity }
    return homes[0] != nil && homes[0] == homes[1]
  }

  /// The error about a part that it does not have.
  ///
  /// - Parameter why: what is said where it has none in other letters, either.
  func refusal(ofUnlisted part: FilePath, _ why: Sentence = "") -> CleaveError {
    if let name = entry(folding: part) { return refusal(of: part, as: name) }
    return CleaveError(
      .badData,
      part,
      "is not in \(name), \(why)\(.withoutManifest) merges without it"
    )
  }

  /// - Parameter other: what it has in its place.
  private func refusal(of part: FilePath, as other: FilePath) -> CleaveError {
    CleaveError(
      .badData,
      part,
      "is not in \(name), which has \(other), \(Self.difference(other, part)): rename it, or "
        + "\(.withoutManifest) merges without it"
    )
  }

  static func difference(_ name: FilePath, _ part: FilePath) -> String {
    if SplitZipName.folded(name.bytes) == SplitZipName.folded(part.lastComponent.bytes) {
      return "in letters of another case"
    }
    if name.bytes[...].withoutBlanks == part.lastComponent.bytes[...].withoutBlanks {
      return "with blanks around it"
    }
    if name.isRespelled(as: part.lastComponent) { return "in other bytes for the same letters" }
    return name.letters == part.letters
      ? "in letters of another case" : "with blanks where dots are, or dots where blanks are"
  }
}
