import Posix
import TestSupport

/// Everything in a directory, so that a test can tell what a command changed there.
struct Contents: Equatable {
  private enum Entry: Equatable {
    case file([UInt8])
    case other(FileStatus.Kind)

    static func == (own: Entry, other: Entry) -> Bool {
      switch (own, other) {
      case (.file(let own), .file(let other)): Bytes.difference(own, other) == nil
      case (.other(let own), .other(let other)): own == other
      default: false
      }
    }
  }

  private var entries: [FilePath: Entry] = [:]

  init(of directory: FilePath) throws {
    for name in try FileSystem.names(in: directory) {
      let path = directory.appending(name)
      let kind = try FileStatus.of(path, followingLinks: false).kind
      entries[name] = kind == .regular ? .file(try Files.read(path)) : .other(kind)
    }
  }

  /// Writes some of the files again.
  func restore(in directory: FilePath, where isWanted: (FilePath) -> Bool) throws {
    for case (let name, .file(let bytes)) in entries where isWanted(name) {
      try Files.write(bytes, to: directory.appending(name))
    }
  }

  /// In the order of their bytes.
  var names: [FilePath] { entries.keys.sorted() }

  mutating func remove(_ name: FilePath) { entries[name] = nil }

  /// The bytes of a regular file.
  func bytes(_ name: FilePath) -> [UInt8]? {
    if case .file(let bytes) = entries[name] { bytes } else { nil }
  }

  /// What is not as it was, a short sentence each, in the order of the names.
  func changes(since old: Contents) -> [String] {
    Set(entries.keys).union(old.entries.keys).sorted().compactMap { name in
      switch (old.entries[name], entries[name]) {
      case (nil, _?): "\(name) is new"
      case (_?, nil): "\(name) is gone"
      case (let before, let now): before == now ? nil : "\(name) is another"
      }
    }
  }
}
