internal import Posix

/// What a job that was killed while it gave its files their names has left: some have them, and others wait for them.
struct HalfNamed {
  /// One that has its name, and one that has it not; without directories.
  let named: FilePath
  let waiting: FilePath

  /// Nanoseconds that are between the changes of two files whose names are exchanged in one step, at most: a tick of the
  /// slowest clock of Linux.
  private static let tick: UInt64 = 10_000_000

  /// Nil where all of them have their names, or none.
  ///
  /// - Parameters:
  ///   - temporaries: of one job, in one directory.
  ///   - others: files of which some may be the job's, too.
  init?(_ temporaries: [FilePath], besides others: some Sequence<FilePath>) {
    let pairs = temporaries.sorted().compactMap { path -> Pair? in
      guard let name = DownloadName.final(ofTemporary: path.lastComponent),
        let left = Self.status(path)
      else { return nil }
      return Pair(name: name, left: left, there: Self.status(path.sibling(name)))
    }
    // One of them may tell nothing: the times of contents, or those when names were changed.
    for isNamed in [\Pair.isNewer, \.isExchanged] {
      guard let named = pairs.first(where: { $0[keyPath: isNamed] }),
        let waiting = pairs.first(where: { !$0[keyPath: isNamed] })
      else { continue }
      (self.named, self.waiting) = (named.name, waiting.name)
      return
    }
    guard let first = pairs.first, !first.isNewer, !first.isExchanged || !first.isOfOneTime else {
      return nil
    }
    // They have their names when all of them are made.
    let made = pairs.reduce(.min) { max($0, $1.left.changed) }
    let written = pairs.reduce(.max) { min($0, $1.left.modified) }
    let names = Set(pairs.map(\.name))
    let other = others.lazy.first { path in
      guard !names.contains(path.lastComponent), let status = Self.status(path) else {
        return false
      }
      return status.changed >= made && status.modified >= written
    }
    guard let found = other?.lastComponent else { return nil }
    (named, waiting) = (found, first.name)
  }

  /// What a job has left under a temporary name, and what has the name that it was to get.
  private struct Pair {
    let name: FilePath
    let left: FileStatus
    let there: FileStatus?

    /// Whether what has the name is newer, as what a job has made is than what was there before.
    var isNewer: Bool { there.map { $0.modified > left.modified } ?? false }
    /// Whether their names were changed at once.
    var isExchanged: Bool {
      there.map { ($0.changed &- left.changed).magnitude <= tick } ?? false
    }
    var isOfOneTime: Bool { there?.modified == left.modified }
  }

  private static func status(_ path: FilePath) -> FileStatus? {
    try? FileStatus.of(path, followingLinks: false)
  }

  /// The files in a directory that are called as some of several files of a job are, but for their number; of several, or
  /// of one that is a part whatever else there is. Nil where another run of split has made all of them since, as its list
  /// says.
  static func others(
    countedAs names: [FilePath],
    _ temporaries: [FilePath],
    in listing: DirectoryListing
  ) -> [FilePath]? {
    let parts = names.filter { !Manifest.isName($0) }.sorted()
    for name in parts {
      if let zip = SplitZipName(name) {
        return listing.names.likely(beginning: zip.stem.bytes).filter {
          SplitZipName($0)?.stem == zip.stem
        }.map(listing.path.appending)
      }
      let readings = PartName.readings(of: name)
      let form = readings.first { form in
        form.style.isCertain || parts.count { form.digits(of: $0) != nil } > 1
      }
      guard let form else { continue }
      if isMade(after: temporaries, listing.path.appending(form.base)) { return nil }
      // A job of one file has no others.
      return names.count < 2
        ? []
        : listing.names.likely(beginning: form.head.bytes).filter { other in
          other.bytes.count == name.bytes.count
            && form.digits(of: other)?.alphabet == form.digits.alphabet
        }.map(listing.path.appending)
    }
    return []
  }

  /// Whether the list of split is newer than all that a job has left.
  private static func isMade(after temporaries: [FilePath], _ base: FilePath) -> Bool {
    let path = Manifest.path(beside: base)
    guard let status = status(path), (try? Manifest(reading: path))?.isOwn == true else {
      return false
    }
    return temporaries.compactMap(Self.status).allSatisfy {
      status.changed > $0.changed && status.modified > $0.modified
    }
  }
}
