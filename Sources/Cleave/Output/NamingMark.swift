internal import Posix

/// `.NAME.cleave-naming-JOB`, beside the first of several files of a job, for as long as they get their names: where it is
/// left, some may have them, and others not. It has their inodes, a decimal number on each line, and where the first gets
/// its name behind all others, a slash and the name of the last one.
struct NamingMark {
  let path: FilePath
  /// In the names of the files' temporaries.
  let job: UInt32
  /// What is in front of the mark, which tells names apart whose temporaries are cut.
  private let stem: FilePath

  /// - Parameter first: of the files, by the order of the parts.
  init(of first: FilePath, job: UInt32) {
    stem = Self.stem(of: first)
    path = first.sibling(stem.adding(Self.mark + Checksum.hexadecimal(job)))
    self.job = job
  }

  /// Takes a name apart; nil where it is not a mark's.
  init?(_ path: FilePath) {
    guard let (stem, job) = UnfinishedName.parts(of: path, Array(Self.mark.utf8)) else {
      return nil
    }
    (self.path, self.stem, self.job) = (path, FilePath(bytes: stem), job)
  }

  private static let mark = DownloadName.namingMark
  private static let slash = UInt8(ascii: "/")
  /// Bytes of what is read, which are inodes of a million files at least.
  private static let largest: Int64 = 32 << 20

  private static func stem(of first: FilePath) -> FilePath {
    let head = TemporaryName.head(of: first)
    let name = first.lastComponent.bytes
    if head.bytes.count > name.count { return head }
    return head.adding("~" + Checksum.hexadecimal(Checksum(of: name[...], [.crc32]).crc32))
  }

  /// Those in a directory.
  static func all(in listing: DirectoryListing) -> [NamingMark] {
    listing.hidden.compactMap(NamingMark.init)
  }

  /// Puts it beside files that have not got their names, all of it or nothing.
  ///
  /// - Parameters:
  ///   - last: the name of the last one, where the first gets its own behind all others.
  ///   - mayBeThere: whether a run before may have done so, whose mark is left where it is about the same files.
  func write(_ files: [FilePath], last: FilePath?, mayBeThere: Bool) throws(SystemError) {
    if mayBeThere {
      let known = content.inodes
      if known.count == files.count, Self.count(of: known, among: files) == files.count { return }
      if !FileStatus.isAbsent(path, followingLinks: false) { try FileSystem.unlink(path) }
    }
    do throws(SystemError) {
      let file = try FileDescriptor.open(
        path,
        [.writeOnly, .create, .exclusive, .noFollow],
        permissions: 0o600
      )
      var text = ""
      for file in files {
        text += "\(try FileStatus.of(file, followingLinks: false).identity.inode)\n"
      }
      try file.write(all: Array(text.utf8) + (last.map { [Self.slash] + $0.bytes } ?? []))
      try file.close()
    } catch {
      if error.errno != .exists { try? FileSystem.unlink(path) }
      throw error
    }
  }

  /// The name of the first part tells nothing any more: the last one is none that could be there.
  func noteMixed() {
    let file = try? FileDescriptor.open(path, [.writeOnly, .append, .noFollow, .nonBlocking])
    try? file?.write(all: [Self.slash])
  }

  /// What it says of a set.
  enum Finding {
    /// Some of the parts are the job's, and others not; or they may be, since all are copies.
    case mixed
    /// All of them are the job's, which was to make more.
    case lacking
  }

  /// Nil where it says nothing of some parts.
  func finding(
    about parts: some Collection<FilePath>,
    in listing: DirectoryListing
  ) -> Finding? {
    let (known, last) = content
    let named = Self.count(of: known, among: parts)
    if named > 0 {
      if isSettled(known, last, in: listing) { return nil }
      return named < parts.count ? .mixed : named < known.count ? .lacking : nil
    }
    guard let first = parts.first, stem == Self.stem(of: first) else { return nil }
    let left = temporaries(in: listing)
    return !left.isEmpty && Self.count(of: known, among: left) == 0 ? .mixed : nil
  }

  /// Whether the job has given some files their names and others not, or may have done so.
  func hasNamed(in listing: DirectoryListing) -> Bool {
    let left = temporaries(in: listing)
    let (known, last) = content
    let others = listing.names.lazy.filter { $0.bytes.first != UInt8(ascii: ".") }
    let named = Self.count(of: known, among: others.map(listing.path.appending))
    if named > 0 { return named < known.count && !isSettled(known, last, in: listing) }
    return !left.isEmpty && Self.count(of: known, among: left) == 0
  }

  /// Whether all had their names: the first part got its own behind the others. What is not the job's by now has been
  /// put in its place since.
  private func isSettled(
    _ known: Set<UInt64>,
    _ last: FilePath?,
    in listing: DirectoryListing
  ) -> Bool {
    guard let last, listing.set.contains(last), temporaries(in: listing).isEmpty,
      let first = listing.names.first(where: { Self.stem(of: $0) == stem })
    else { return false }
    return Self.count(of: known, among: [listing.path.appending(first)]) == 1
  }

  private func temporaries(in listing: DirectoryListing) -> [FilePath] {
    listing.hidden.filter { TemporaryName($0)?.job == job }
  }

  /// How many files have one of some inodes.
  private static func count(of known: Set<UInt64>, among files: some Sequence<FilePath>) -> Int {
    files.count { (try? FileStatus.of($0)).map { known.contains($0.identity.inode) } ?? false }
  }

  /// Nothing where it cannot be read.
  private var content: (inodes: Set<UInt64>, last: FilePath?) {
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
      let status = try file.status()
      guard status.kind == .regular, status.size <= Self.largest else { return ([], nil) }
      let parts = try file.read(Int(status.size), at: 0).split(separator: Self.slash, maxSplits: 1)
      let text = String(decoding: parts.first ?? [], as: UTF8.self)
      let inodes = text.split(separator: "\n").compactMap { UInt64($0) }
      return (Set(inodes), parts.count > 1 ? FilePath(bytes: Array(parts[1])) : nil)
    } catch {
      return ([], nil)
    }
  }

  /// Removes those of runs whose files others have made since.
  static func removeAll(of parts: some Sequence<FilePath>, in listing: DirectoryListing) {
    let found = all(in: listing)
    if found.isEmpty { return }
    let stems = Set(parts.map(stem))
    for mark in found where stems.contains(mark.stem) { try? FileSystem.unlink(mark.path) }
  }
}
