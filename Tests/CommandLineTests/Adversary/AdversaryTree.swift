import Posix
import TestSupport

/// Everything that is in the directories of a history at one moment.
struct AdversaryTree {
  struct File {
    var inode: UInt64
    var bytes: [UInt8]
  }

  /// Regular files.
  private(set) var files: [FilePath: File] = [:]
  /// The blocks that some file has.
  private(set) var blocks: Set<UInt64> = []
  /// Those that some file has which is not only the program's, to work with.
  private(set) var kept: Set<UInt64> = []

  /// A file that only takes space away.
  static let filler: FilePath = "filler"

  init(of root: FilePath, _ blocks: TaggedBlocks) throws {
    try read(root, blocks)
  }

  private mutating func read(_ directory: FilePath, _ known: TaggedBlocks) throws {
    for name in try FileSystem.names(in: directory) where name != Self.filler {
      let path = directory.appending(name)
      let status = try FileStatus.of(path, followingLinks: false)
      switch status.kind {
      case .directory: try read(path, known)
      case .regular:
        let bytes = try Files.read(path)
        files[path] = File(inode: status.identity.inode, bytes: bytes)
        let found = known.found(in: bytes)
        blocks.formUnion(found)
        if !Self.isWorking(path) { kept.formUnion(found) }
      default: break
      }
    }
  }

  /// Whether a file has a name under which the program works.
  static func isWorking(_ path: FilePath) -> Bool {
    path.ends(in: ".cleave-journal") || path.lastComponent.description.contains(".cleave-tmp-")
  }

  /// What is not as in an earlier tree, a short sentence each, of the files that are wanted.
  func changes(since old: AdversaryTree, where isWanted: (FilePath) -> Bool) -> [String] {
    Set(files.keys).union(old.files.keys).filter(isWanted).sorted().compactMap { path in
      switch (old.files[path], files[path]) {
      case (let before?, let now?):
        Bytes.difference(now.bytes, before.bytes).map { "\(path) \($0)" }
      case (nil, _?): "\(path) is new"
      default: "\(path) is gone"
      }
    }
  }
}
