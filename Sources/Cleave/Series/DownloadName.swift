internal import Posix

/// What a file is called while it is downloaded or copied, or the file that tells of it.
enum DownloadName {
  /// What is behind the file's own name.
  static let endings =
    inPlaceEndings + [
      ".part", ".crdownload", ".!qB", ".!ut", ".filepart", ".opdownload", ".tmp", ".download",
      ".partial", ".bc!", ".td", ".!bt", ".jc!", ".xltd", ".fdmdownload", ".dctmp", ".icloud",
      ".unfinished", ".incomplete",
    ]
  /// In lower case, by their last bytes: most names of a large directory have another one.
  private static let foldedEndings = Dictionary(
    grouping: endings.map { $0.lowercased() },
    by: \.utf8.last
  )
  /// What aria2 and axel keep beside a file while they write to it.
  static let inPlaceEndings = [".aria2", ".st", ".lftp-pget-status"]
  /// What Syncthing, rsync and iCloud put in front of the name of a file that has not come yet.
  static let starts = [".syncthing.", "~syncthing~", "INCOMPLETE~", "."]

  /// Whether a name is that of a download that has not ended, or of what tells of it.
  static func matches(_ name: FilePath) -> Bool { ending(of: name) != nil }

  private static func ending(of name: FilePath) -> String? {
    foldedEndings[name.bytes.last?.folded]?.first(where: name.endsFolded)
  }

  /// What is behind the name of a file that a job makes, with eight digits for the job, until it is complete.
  static let temporaryMark = ".cleave-tmp-"
  /// What is in the name of a file that tells of a share of a job.
  static let shareMark = ".cleave-share-"
  /// What is in the name of a file that tells of files which get their names.
  static let namingMark = ".cleave-naming-"

  /// The name that a file of a job gets in the end; nil of any other.
  static func final(ofTemporary name: FilePath) -> FilePath? {
    let (bytes, end) = (name.bytes, temporaryMark.utf8.count + 8)
    guard bytes.first == UInt8(ascii: "."), bytes.count > end + 1,
      bytes.suffix(end).starts(with: temporaryMark.utf8)
    else { return nil }
    return FilePath(bytes: bytes.dropFirst().dropLast(end))
  }

  /// Whether a name is that of what a job of this program has before it ends.
  static func isOwn(_ name: FilePath) -> Bool { name.bytes.contains(".cleave-".utf8) }

  /// The names that a file may get when it is all there.
  static func awaited(by name: FilePath) -> [FilePath] {
    if let final = final(ofTemporary: name) { return [final] }
    let ending = ending(of: name)
    var found = ending.map { [FilePath(bytes: name.bytes.dropLast($0.utf8.count))] } ?? []
    found += salted(name, ending)
    let front = starts.first { name.bytes.starts(with: $0.utf8) }
    guard let front else { return found }
    let end = ending?.utf8.count ?? (endsAtRandom(name) ? randomCount + 1 : nil)
    if let end, front.utf8.count + end < name.bytes.count {
      found.append(FilePath(bytes: name.bytes.dropFirst(front.utf8.count).dropLast(end)))
    }
    return found
  }

  /// What rclone and Firefox write to has letters and digits that they make up in front of `.partial` or `.part`, or
  /// in front of the ending that the file will have.
  private static func salted(_ name: FilePath, _ ending: String?) -> [FilePath] {
    guard let ending, [".partial", ".part"].contains(ending) else { return [] }
    let stem = Array(name.bytes.dropLast(ending.utf8.count))
    let dots = stem.indices.filter { stem[$0] == UInt8(ascii: ".") }
    return (dots + [stem.count]).dropFirst().suffix(2).compactMap { end in
      let salt = stem[..<end].suffix(saltCount + 1)
      let isMadeUp = salt.dropFirst().map(\.folded).allSatisfy(isLetterOrDigit)
      guard salt.first == UInt8(ascii: "."), isMadeUp, salt.startIndex > 0 else { return nil }
      return FilePath(bytes: stem[..<salt.startIndex] + stem[end...])
    }
  }

  private static let saltCount = 8

  /// Whether a name ends as rsync's do: in a dot and six letters or digits.
  private static func endsAtRandom(_ name: FilePath) -> Bool {
    let end = name.bytes.suffix(randomCount + 1)
    return end.count > randomCount && end.first == UInt8(ascii: ".")
      && end.dropFirst().allSatisfy(isLetterOrDigit)
  }

  private static let randomCount = 6

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte.isDigit || PartAlphabet.letters.contains(byte)
  }
}
