import Posix

/// A link beside parts that are freed, to the journal of the job in another directory: whoever looks for the
/// parts finds the job.
///
/// It only helps to find it, and so does not matter where no link can be made, as on FAT.
struct Signpost {
  /// Of the parts.
  private let directory: FilePath
  /// An absolute path.
  private let journal: FilePath

  private static let suffix = Journal.suffix + "-elsewhere"

  /// One for each directory of parts that is not the journal's.
  static func all(of parts: some Sequence<FilePath>, to journal: FilePath) -> [Signpost] {
    func identity(_ directory: FilePath) -> FileStatus.Identity? {
      try? FileStatus.of(directory).identity
    }
    let own = identity(journal.directory)
    guard let home = ProcessState.realPath(of: journal.directory) else { return [] }
    let target = home.appending(journal.lastComponent)
    return Set(parts.lazy.map(\.directory)).compactMap { directory in
      if identity(directory) == own { return nil }
      return Signpost(directory: directory, journal: target)
    }
  }

  /// Whether a file has the name of one.
  static func isName(_ path: FilePath) -> Bool {
    let name = path.lastComponent
    return name.bytes.first == UInt8(ascii: ".") && name.ends(in: suffix)
  }

  /// Whether a file is the link of another user, which is not followed.
  static func isOfOther(_ path: FilePath) -> Bool {
    guard isName(path), let status = try? FileStatus.of(path, followingLinks: false) else {
      return false
    }
    return status.kind == .symbolicLink && status.owner != ProcessState.effectiveUser
  }

  /// The journal that one leads to, there or not; nil of anything else.
  static func journal(of path: FilePath) -> FilePath? {
    guard isName(path), let status = try? FileStatus.of(path, followingLinks: false),
      status.kind == .symbolicLink, status.owner == ProcessState.effectiveUser,
      let target = try? FileSystem.target(ofLink: path), Journal.isName(target),
      target.isAbsolute
    else { return nil }
    return target
  }

  /// More jobs than this that free parts in one directory, for outputs of the same name in several others,
  /// are not told of there.
  private static let most = 9

  /// Its names: the first that is free is taken.
  private var places: [FilePath] {
    let name = journal.lastComponent.bytes.dropLast(Journal.suffix.utf8.count)
    return (1...Self.most).map { number in
      let counted = number == 1 ? "" : ".\(number)"
      return directory.appending(FilePath(bytes: name + (counted + Self.suffix).utf8))
    }
  }

  /// Makes it, where it is not there.
  func put() {
    if places.contains(where: { Self.journal(of: $0) == journal }) { return }
    for place in places {
      do { return try FileSystem.makeLink(at: place, to: journal) } catch
        where error.errno == .exists
      {
        continue
      } catch { return }
    }
  }

  /// Removes those beside parts that lead to where a journal was.
  static func removeAll(of parts: some Sequence<FilePath>, to former: FilePath) {
    for directory in Set(parts.lazy.map(\.directory)) {
      Signpost(directory: directory, journal: former).remove()
    }
  }

  /// Removes it; those that lead to other jobs stay.
  func remove() {
    for place in places where Self.journal(of: place) == journal {
      try? FileSystem.unlink(place)
    }
  }
}
