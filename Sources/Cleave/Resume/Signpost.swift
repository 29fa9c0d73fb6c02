import Posix

/// A link beside parts that are freed, to the journal of the job in another directory: whoever looks for the
/// parts finds the job.
///
/// It only helps to find it, and so does not matter where no link can be made, as on FAT.
struct Signpost {
  /// In the directory of the parts.
  let path: FilePath
  /// An absolute path.
  private let journal: FilePath

  private static let suffix = Journal.suffix + "-elsewhere"

  /// One for each directory of parts that is not the journal's.
  static func all(of parts: some Sequence<FilePath>, to journal: FilePath) -> [Signpost] {
    func identity(_ directory: FilePath) -> FileStatus.Identity? {
      try? FileStatus.of(directory).identity
    }
    let home = identity(journal.directory)
    let isAbsolute = journal.bytes.first == UInt8(ascii: "/")
    guard let target = isAbsolute ? journal : ProcessState.workingDirectory?.appending(journal)
    else { return [] }
    return Set(parts.lazy.map(\.directory)).compactMap { directory in
      if identity(directory) == home { return nil }
      return Signpost(
        path: directory.appending(journal.lastComponent.adding("-elsewhere")),
        journal: target
      )
    }
  }

  /// Whether a file has the name of one.
  static func isName(_ path: FilePath) -> Bool {
    let name = path.lastComponent
    return name.bytes.first == UInt8(ascii: ".") && name.ends(in: suffix)
  }

  /// The journal that one leads to, there or not; nil of anything else.
  static func journal(of path: FilePath) -> FilePath? {
    guard isName(path), let status = try? FileStatus.of(path, followingLinks: false),
      status.kind == .symbolicLink, status.owner == ProcessState.effectiveUser,
      let target = try? FileSystem.target(ofLink: path), Journal.isName(target),
      target.bytes.first == UInt8(ascii: "/")
    else { return nil }
    return target
  }

  /// Makes it, in the place of one that leads nowhere.
  func put() {
    if let other = Self.journal(of: path), (try? FileStatus.ifPresent(other)) == .some(nil) {
      try? FileSystem.unlink(path)
    }
    try? FileSystem.makeLink(at: path, to: journal)
  }

  /// Removes it, unless it leads to another job.
  func remove() {
    guard Self.journal(of: path) == journal else { return }
    try? FileSystem.unlink(path)
  }
}
