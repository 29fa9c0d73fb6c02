package import Posix

/// The name of a file that is being made: `.NAME.cleave-tmp-JOB`, beside the final one.
package struct TemporaryName: Hashable, Sendable {
  package let path: FilePath
  /// What is in front of the marker, but for what keeps long names apart.
  package let head: FilePath
  /// The same for all temporaries of one job.
  package let job: UInt32

  /// The number of a job like `job`, whose last bit says whether the job frees its sources on the way: also
  /// without its journal, its temporaries may be the only copy of something then.
  package static func job(like job: UInt32, freesSources: Bool) -> UInt32 {
    freesSources ? job | 1 : job & ~1
  }

  /// Whether the job frees its sources on the way.
  package var freesSources: Bool { Self.freesSources(job) }

  /// The same of the number of a job.
  static func freesSources(_ job: UInt32) -> Bool { job & 1 == 1 }

  /// Bytes of the final name that are taken over. File systems allow 255 for a name, encrypting ones
  /// as few as 143.
  private static let longestName = 100
  private static let marker = Array(DownloadName.temporaryMark.utf8)
  /// Bytes of a head that was cut, at least: a character has up to four.
  private static let shortestCut = longestName - 4

  /// - Parameter index: keeps names apart that are the same as far as they are taken over.
  package init(of final: FilePath, job: UInt32, index: Int) {
    head = Self.head(of: final)
    self.job = job
    let isCut = head.bytes.count <= final.lastComponent.bytes.count
    let start = isCut ? head.adding("~\(index)") : head
    let name = FilePath(bytes: start.bytes + Self.marker + Checksum.hexadecimal(job).utf8)
    path = final.sibling(name)
  }

  /// Takes a name apart; nil where it is not a temporary's.
  package init?(_ path: FilePath) {
    guard let (start, job) = UnfinishedName.parts(of: path, Self.marker) else { return nil }
    let cut = start.lastIndex(of: UInt8(ascii: "~"))
    let isCut = start.count > Self.shortestCut && cut != nil
    head = FilePath(bytes: isCut ? start[..<(cut ?? 0)] : start)
    (self.job, self.path) = (job, path)
  }

  /// What the temporaries of a file begin with.
  package static func head(of final: FilePath) -> FilePath {
    let name = final.lastComponent.bytes
    var start = name.prefix(longestName)
    if start.count < name.count {
      // Some file systems take only UTF-8: do not leave a character cut in two.
      while let last = start.last, last & 0xC0 == 0x80 { start.removeLast() }
      if let last = start.last, last & 0x80 != 0 { start.removeLast() }
    }
    return FilePath(bytes: [UInt8(ascii: ".")] + start)
  }
}

/// The names of what unfinished jobs leave, which is removed with them.
enum UnfinishedName {
  /// How the name of a journal ends.
  static let journal = ".cleave-journal"
  /// What is in the name of a share's receipt.
  static let receipt = DownloadName.shareMark
  /// How the name of what is left of a source ends that is being freed.
  static let rest = ".cleave-rest"

  /// What is in front of a marker, and the job in hexadecimal digits behind it; nil where a name has not the form
  /// `.NAME` MARKER `JOB`.
  static func parts(of path: FilePath, _ marker: [UInt8]) -> (start: ArraySlice<UInt8>, UInt32)? {
    let name = path.lastComponent.bytes
    let (start, end) = (name.dropLast(jobDigits), name.suffix(jobDigits))
    guard start.count > marker.count + 1, start.first == UInt8(ascii: "."),
      start.suffix(marker.count).elementsEqual(marker),
      let job = UInt32(String(decoding: end, as: UTF8.self), radix: 16),
      Checksum.hexadecimal(job).utf8.elementsEqual(end)
    else { return nil }
    return (start.dropLast(marker.count), job)
  }

  private static let jobDigits = 8

  static func isJournal(_ path: FilePath) -> Bool {
    let name = path.lastComponent
    return name.bytes.first == UInt8(ascii: ".") && name.bytes.count > journal.utf8.count + 1
      && name.ends(in: journal)
  }

  static func isOne(_ path: FilePath) -> Bool {
    let name = path.lastComponent.bytes
    return TemporaryName(path) != nil || isJournal(path) || path.ends(in: rest)
      || NamingMark(path) != nil
      || name.first == UInt8(ascii: ".") && name.contains(receipt.utf8)
  }
}
