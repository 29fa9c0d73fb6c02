import Posix

/// A job that was moved to another file system, with what it makes and what it reads: the same files have other inodes
/// there.
extension Journal {
  /// Knows the files that came along with the journal by what they are now.
  ///
  /// Those are meant that are beside it and are as they should be, where neither the journal nor they are where they were.
  /// What is left of a source has a name that nothing else has.
  ///
  /// - Parameter path: the journal.
  mutating func follow(to path: FilePath) {
    guard let home, let here = ProcessState.realPath(of: path.directory), here != home,
      FileStatus.isAbsent(home.appending(path.lastComponent), followingLinks: false)
    else { return }
    nameOutput(in: here, insteadOf: home)
    for (index, source) in sources.enumerated() {
      let beside = path.sibling(source.name)
      let names = [beside, Consumption.rest(of: beside)]
      let found = names.map { try? FileStatus.of($0, followingLinks: false) }
      guard !found.contains(where: { $0?.identity.inode == source.inode }),
        source.isAway(from: here)
      else { continue }
      let left = found[1].flatMap { sizesLeft(of: source).contains($0.size) ? $0 : nil }
      let whole = found[0].flatMap {
        $0.size == source.size && $0.modified == source.modified ? $0 : nil
      }
      if let now = left ?? whole, now.kind == .regular { sources[index].inode = now.identity.inode }
    }
    for (index, file) in former.enumerated() {
      guard let now = try? FileStatus.of(path.sibling(file.name), followingLinks: false),
        now.size == file.size, now.modified == file.modified
      else { continue }
      former[index].inode = now.identity.inode
    }
  }
}

extension Journal {
  /// What is typed to go on names the output where it is, unless it is typed in a directory that was moved, too.
  private mutating func nameOutput(in here: FilePath, insteadOf home: FilePath) {
    guard let directory, directory != home, !FileStatus.isAbsent(directory) else { return }
    for destination in destinations {
      let (old, new) = (home.appending(destination.name), here.appending(destination.name))
      for (index, argument) in arguments.enumerated() {
        let option = argument.bytes.firstIndex(of: UInt8(ascii: "=")).map { $0 + 1 } ?? 0
        let (front, path) = (
          argument.bytes[..<option], FilePath(bytes: Array(argument.bytes[option...]))
        )
        guard (path.isAbsolute ? path : directory.appending(path)) == old else { continue }
        arguments[index] = FilePath(bytes: Array(front) + new.bytes)
      }
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
