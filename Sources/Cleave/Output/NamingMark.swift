internal import Posix

/// `.NAME.cleave-naming-JOB`, beside the first of several files of a job, for as long as they get their names: where it is
/// left, some may have them, and others not. It has their inodes, a decimal number on each line.
struct NamingMark {
  let path: FilePath
  /// In the names of the files' temporaries.
  let job: UInt32

  /// - Parameter first: of the files, by the order of the parts.
  init(of first: FilePath, job: UInt32) {
    path = first.sibling(Self.stem(of: first).adding(Self.mark + Checksum.hexadecimal(job)))
    self.job = job
  }

  /// Takes a name apart; nil where it is not a mark's.
  init?(_ path: FilePath) {
    let name = path.lastComponent.bytes
    let (end, mark) = (name.suffix(Self.digits), Self.mark.utf8)
    let start = name.dropLast(Self.digits)
    guard name.first == UInt8(ascii: "."), start.count > mark.count + 1,
      start.suffix(mark.count).elementsEqual(mark),
      let job = UInt32(String(decoding: end, as: UTF8.self), radix: 16),
      Checksum.hexadecimal(job).utf8.elementsEqual(end)
    else { return nil }
    (self.path, self.job) = (path, job)
  }

  private static let digits = 8
  private static let mark = DownloadName.namingMark
  /// Bytes of what is read, which are inodes of a million files at least.
  private static let largest: Int64 = 32 << 20

  /// What is in front of the mark, which tells names apart whose temporaries are cut.
  private static func stem(of first: FilePath) -> FilePath {
    let head = TemporaryName.head(of: first)
    let name = first.lastComponent.bytes
    if head.bytes.count > name.count { return head }
    return head.adding("~" + Checksum.hexadecimal(Checksum(of: name[...], [.crc32]).crc32))
  }

  /// Whether it is called after one of some files.
  private func isOfFirst(_ stems: Set<FilePath>) -> Bool {
    let end = Self.mark.utf8.count + Self.digits
    return stems.contains(FilePath(bytes: path.lastComponent.bytes.dropLast(end)))
  }

  /// Those in a directory.
  static func all(in listing: DirectoryListing) -> [NamingMark] {
    listing.names.likely(beginning: [UInt8(ascii: ".")]).compactMap {
      NamingMark(listing.path.appending($0))
    }
  }

  /// Puts it beside files that have not got their names, all of it or nothing.
  func write(_ files: [FilePath]) throws(SystemError) {
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
      try file.write(all: Array(text.utf8))
      try file.close()
    } catch {
      if error.errno != .exists { try? FileSystem.unlink(path) }
      throw error
    }
  }

  /// Whether some of the parts of a set are the job's, and others not; or they may be, since all are copies.
  func isAmid(_ parts: some Collection<FilePath>, in listing: DirectoryListing) -> Bool {
    let known = inodes
    let count = parts.count { Self.inode(of: $0).map(known.contains) ?? false }
    if count > 0 { return count < parts.count }
    guard let first = parts.first, isOfFirst([Self.stem(of: first)]) else { return false }
    let left = temporaries(in: listing)
    return !left.isEmpty && !left.contains { Self.inode(of: $0).map(known.contains) ?? false }
  }

  /// Whether the job has given some files their names and others not, or may have done so.
  func hasNamed(in listing: DirectoryListing) -> Bool {
    let (left, known) = (temporaries(in: listing), inodes)
    func isKnown(_ path: FilePath) -> Bool { Self.inode(of: path).map(known.contains) ?? false }
    let named = listing.names.count { name in
      name.bytes.first != UInt8(ascii: ".") && isKnown(listing.path.appending(name))
    }
    if left.isEmpty { return 0 < named && named < known.count }
    return named > 0 || !left.contains(where: isKnown)
  }

  private func temporaries(in listing: DirectoryListing) -> [FilePath] {
    listing.names.likely(beginning: [UInt8(ascii: ".")]).filter { TemporaryName($0)?.job == job }
      .map(listing.path.appending)
  }

  private static func inode(of path: FilePath) -> UInt64? {
    (try? FileStatus.of(path))?.identity.inode
  }

  /// Empty where it cannot be read.
  private var inodes: Set<UInt64> {
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
      let status = try file.status()
      guard status.kind == .regular, status.size <= Self.largest else { return [] }
      let text = String(decoding: try file.read(Int(status.size), at: 0), as: UTF8.self)
      return Set(text.split(separator: "\n").compactMap { UInt64($0) })
    } catch {
      return []
    }
  }

  /// Removes those of runs whose files others have made since.
  static func removeAll(of parts: some Sequence<FilePath>, in listing: DirectoryListing) {
    let found = all(in: listing)
    if found.isEmpty { return }
    let stems = Set(parts.map(stem))
    for mark in found where mark.isOfFirst(stems) { try? FileSystem.unlink(mark.path) }
  }
}
