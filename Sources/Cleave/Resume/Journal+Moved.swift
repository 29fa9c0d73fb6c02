import Posix

/// A job whose directory was moved to another file system, or came back from a backup: the same files have other inodes.
extension Journal {
  /// Knows the files that came along with the journal by what they are now.
  ///
  /// Those are meant that are beside it, and have the size and the time of modification that they should have. Where the journal is still where it was, too, this one is a copy.
  ///
  /// - Parameter path: the journal.
  mutating func follow(to path: FilePath) {
    guard let home, let here = ProcessState.realPath(of: path.directory) else { return }
    let isMoved = here != home
    if isMoved {
      guard Self.isGone(home.appending(path.lastComponent), since: path) else { return }
      nameFiles(in: here, insteadOf: home)
    }
    for (index, source) in sources.enumerated() {
      let beside = path.sibling(source.name)
      let found = [beside, Consumption.rest(of: beside)].map {
        try? FileStatus.of($0, followingLinks: false)
      }
      guard !found.contains(where: { $0?.identity.inode == source.inode }),
        source.isAway(from: here)
      else { continue }
      // One that was only set aside has the time of the source. In the old place, only a list can prove it.
      let times = [Consumption.restTime(of: source.modified), source.modified]
      let left = found[1].flatMap {
        (isMoved || told != nil) && sizesLeft(of: source).contains($0.size)
          && times.contains($0.modified) ? $0 : nil
      }
      // What has its old name in the old place is looked at as any other file.
      let whole = found[0].flatMap {
        isMoved && $0.size == source.size && $0.modified == source.modified ? $0 : nil
      }
      guard let now = left ?? whole, now.kind == .regular else { continue }
      sources[index].inode = now.identity.inode
      sources[index].isFollowed = true
    }
    for (index, file) in former.enumerated() where isMoved {
      guard let now = try? FileStatus.of(path.sibling(file.name), followingLinks: false),
        now.size == file.size, now.modified == file.modified
      else { continue }
      former[index].inode = now.identity.inode
    }
  }

  /// Names the sources where a link to the journal is, if they came there with it; and those of directories that were
  /// moved together with that.
  mutating func follow(sourcesTo link: FilePath) {
    guard let here = ProcessState.realPath(of: link.directory) else { return }
    let places = Set(sources.compactMap(\.place)).sorted()
    let name = link.lastComponent
    guard let former = places.first(where: { haveCome(from: $0, to: here, with: name) }) else {
      return
    }
    nameFiles(in: here, insteadOf: former)
    let moved = zip(former.bytes.reversed(), here.bytes.reversed()).prefix { $0 == $1 }.count
    let (before, now) = (former.bytes.dropLast(moved), here.bytes.dropLast(moved))
    for place in places where place != former && place.bytes.starts(with: before) {
      let other = FilePath(bytes: now + place.bytes.dropFirst(before.count))
      if haveCome(from: place, to: other, with: name) { nameFiles(in: other, insteadOf: place) }
    }
  }

  /// Whether sources are no longer in one directory, and some of them are in another; or nothing is left of them but the
  /// link, in a directory of that name.
  private func haveCome(
    from place: FilePath,
    to directory: FilePath,
    with link: FilePath
  ) -> Bool {
    let theirs = sources.filter { $0.place == place }
    guard place != directory, theirs.allSatisfy({ $0.isAway(from: directory) }) else {
      return false
    }
    let isThere = theirs.contains { source in
      let path = directory.appending(source.name)
      return [path, Consumption.rest(of: path)].contains { path in
        (try? FileStatus.of(path, followingLinks: false))?.identity.inode == source.inode
      }
    }
    return isThere
      || FileStatus.isAbsent(place) && place.lastComponent == directory.lastComponent
        && !FileStatus.isAbsent(directory.appending(link), followingLinks: false)
  }

  /// Whether a journal is not where it was, or is this very file by another way.
  private static func isGone(_ former: FilePath, since path: FilePath) -> Bool {
    if FileStatus.isAbsent(former, followingLinks: false) { return true }
    guard let old = try? FileStatus.of(former), let now = try? FileStatus.of(path) else {
      return false
    }
    return old.identity == now.identity
  }

  /// What is typed to go on names files where they are, unless it is typed in a directory that was moved, too.
  private mutating func nameFiles(in here: FilePath, insteadOf home: FilePath) {
    guard let directory, directory != home, !FileStatus.isAbsent(directory) else { return }
    for (index, argument) in arguments.enumerated() {
      let start = argument.bytes.firstIndex(of: UInt8(ascii: "=")).map { $0 + 1 } ?? 0
      var typed = Array(argument.bytes[start...])
      while typed.starts(with: "./".utf8) { typed.removeFirst(2) }
      let path = FilePath(bytes: typed)
      let place = path.isAbsolute ? path : directory.appending(path)
      guard place == home || place.bytes.starts(with: home.bytes + "/".utf8) else { continue }
      let rest = place.bytes.dropFirst(home.bytes.count)
      arguments[index] = FilePath(bytes: Array(argument.bytes[..<start]) + here.bytes + rest)
    }
  }
}

extension Journal.Source {
  /// Whether neither it nor what is left of it is where it was, unless that is `directory`.
  fileprivate func isAway(from directory: FilePath) -> Bool {
    guard let place, ProcessState.realPath(of: place) != directory else { return true }
    let path = place.appending(name)
    return [path, Consumption.rest(of: path)].allSatisfy {
      FileStatus.isAbsent($0, followingLinks: false)
    }
  }
}
