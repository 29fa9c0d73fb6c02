import Posix

/// What is left of files that jobs were freeing.
extension Leftovers {
  /// Beside it there is something that has the rest of the file, though no journal says so.
  mutating func noteRests(in listing: DirectoryListing) {
    guard !groups.isEmpty,
      let rest = listing.names.first(where: { $0.ends(in: Consumption.restSuffix) })
    else { return }
    for index in groups.indices where !groups[index].hasProgress && !groups[index].isInUse {
      groups[index].isOnlyCopy = true
      groups[index].remedy = "\(rest) is what is left of a file that it may have the rest of"
    }
  }

  /// Those of which no journal tells: the job has been given up, its journal is gone, or it is one that cannot be read.
  ///
  /// - Parameter file: the one of them that is named itself.
  static func rests(in listing: DirectoryListing, named file: FilePath?) -> [Group] {
    let names = listing.names.filter { $0.ends(in: Consumption.restSuffix) }
    if names.isEmpty { return [] }
    let unread = listing.hidden.first { path in
      guard Journal.isName(path) || Signpost.isName(path) else { return false }
      guard let journal = Signpost.isName(path) ? Signpost.journal(of: path) : path else {
        return true
      }
      return (try? JournalFile.peek(at: journal))?.journal == nil
    }
    return names.compactMap { name in
      let path = listing.path.appending(name)
      guard let status = try? FileStatus.of(path, followingLinks: false), status.kind == .regular,
        let (found, damaged, error) = try? Journal.look(at: path, in: listing),
        found.isEmpty && damaged == nil && error == nil
      else { return nil }
      let isKept = unread != nil || name != file
      var group = Group(temporaries: [(path, status.size)], isOnlyCopy: true, isKept: isKept)
      group.remedy =
        "it is what is left of a file, and "
        + (unread.map { "\($0), which may tell of the rest, cannot be read" }
          ?? "no journal tells of the rest; \(givingUp(path)) removes it")
      return group
    }
  }
}
