public import Posix

/// The names in one directory, listed once and handed along to everything that asks for them.
///
/// What is decided about a directory is decided from one listing, so that no two answers are about
/// different moments.
public struct DirectoryListing: Sendable {
  /// The directory.
  public let path: FilePath
  /// All names in it but `.` and `..`, in the order of the directory.
  public let names: PathList
  /// When the directory was last changed before it was listed, as ``FileStatus/modified``; nil where that is not known.
  private var modified: Int64?

  /// Lists a directory.
  ///
  /// - Throws: `.missingInput` where there is no such directory; the error of one that cannot be listed.
  public init(of directory: FilePath) throws(CleaveError) {
    let modified = directory.isRemote ? nil : (try? FileStatus.of(directory))?.modified
    self.init(directory, names: try CleaveError.whileReading(FileSystem.names(in: directory)))
    self.modified = modified
  }

  /// The same of one of several directories, what is above which is listed once for those that have it in common.
  package init(of directory: FilePath, after last: DirectoryListing?) throws(CleaveError) {
    try self.init(of: directory)
    if let last { above = last.above }
  }

  /// Lists the directory that a file is in, unless somebody has.
  ///
  /// - Throws: as ``init(of:)``.
  public init(
    beside file: FilePath,
    unless known: DirectoryListing? = nil
  ) throws(CleaveError) {
    if let known { self = known } else { try self.init(of: file.directory) }
  }

  /// The names beside a file: those that were listed last, if they are; nil of what cannot be listed.
  package static func beside(_ file: FilePath, orAgain last: DirectoryListing?) -> DirectoryListing?
  {
    last?.ifOf(file.directory) ?? (try? DirectoryListing(of: file.directory, after: last))
  }

  /// Itself, where it is of that directory.
  package func ifOf(_ directory: FilePath) -> DirectoryListing? { path == directory ? self : nil }

  /// Itself, unless the directory has changed since.
  var ifCurrent: DirectoryListing? {
    guard let modified, (try? FileStatus.of(path))?.modified == modified else { return nil }
    return self
  }

  /// Names that are known already.
  public init(_ path: FilePath, names: some Sequence<FilePath>) {
    self.path = path
    var list = PathList(names)
    list.willBeSearched()
    self.names = list
  }

  /// The names beside a file in a directory above this one; nil where that cannot be listed.
  func above(beside file: FilePath) -> DirectoryListing? {
    above.last.withLock { last in
      last = .beside(file, orAgain: last)
      return last
    }
  }

  /// Paths of what begins with a dot, sorted.
  var hidden: [FilePath] {
    let dot = UInt8(ascii: ".")
    return known { names in
      let hidden = names.likely(beginning: [dot]).filter { $0.bytes.first == dot }
      return Hidden(paths: hidden.map(path.appending).sorted())
    }.paths
  }

  /// Something that is found out of the names, once for all that ask for its type.
  func known<Found: Sendable>(_ find: (PathList) -> Found) -> Found {
    known.others.withLock { others in
      let type = ObjectIdentifier(Found.self)
      if let found = others[type] as? Found { return found }
      let found = find(names)
      others[type] = found
      return found
    }
  }

  /// The names, to ask whether there is one.
  package var set: PathSet {
    known.set.withLock { set in
      if let set { return set }
      let made = PathSet(names)
      set = made
      return made
    }
  }

  /// Those that may be lists of sums by their names, or what else is kept beside parts.
  var companions: [FilePath] {
    known { Companions(names: $0.filter(Neighbours.isCompanion)) }.names
  }

  private struct Companions: Sendable { let names: [FilePath] }
  private struct Hidden: Sendable { let paths: [FilePath] }

  /// What was found out of the names.
  private final class Known: Sendable {
    let others = Locked<[ObjectIdentifier: any Sendable]>([:])
    let set = Locked<PathSet?>(nil)
  }

  private let known = Known()

  /// The directory above that was listed last.
  private final class Above: Sendable {
    let last = Locked<DirectoryListing?>(nil)
  }

  private var above = Above()
}
