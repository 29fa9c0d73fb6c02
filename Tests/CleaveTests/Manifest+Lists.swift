import Posix

@testable import Cleave

extension Manifest {
  /// What an SFV file says.
  init(sfv entries: [Entry], whole: Whole? = nil, _ path: FilePath = "a.sfv") {
    self.init(path, ManifestLists(entries), outside: 0, whole, isOwn: whole != nil)
  }

  /// What a list of digests says.
  init(sums entries: [Entry], whole: Whole? = nil, _ path: FilePath = "a") {
    self.init(path, ManifestLists(entries), outside: 0, whole)
  }

  /// The names of all files that are not elsewhere.
  var listedNames: [FilePath] { (Array(entries) + nested).map(\.name) }
}

extension ManifestLists {
  fileprivate init(_ entries: [Manifest.Entry]) {
    self.init()
    for entry in entries { append(entry) }
  }
}

extension Manifest.Entry {
  init(name: FilePath, crc32: UInt32) {
    self.init(name: name, expected: Manifest.Expected(crc32: crc32))
  }
}
