internal import Posix

/// What a file begins with whose name ends in a known way.
struct ContentStart {
  /// With its article.
  let name: String
  private let magic: [UInt8]

  private static let known: [(ending: String, start: ContentStart)] = [
    (".7z", ContentStart(name: "a 7z archive", magic: SevenZipHeader.magic)),
    (".gz", ContentStart(name: "a gzip file", magic: [0x1F, 0x8B])),
    (".tgz", ContentStart(name: "a gzip file", magic: [0x1F, 0x8B])),
    (".bz2", ContentStart(name: "a bzip2 file", magic: Array("BZh".utf8))),
    (".xz", ContentStart(name: "an xz file", magic: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])),
    (".zst", ContentStart(name: "a zstd file", magic: [0x28, 0xB5, 0x2F, 0xFD])),
  ]

  private init(name: String, magic: [UInt8]) {
    (self.name, self.magic) = (name, magic)
  }

  /// Nil where the name tells nothing.
  init?(ending path: FilePath) {
    guard let found = Self.known.first(where: { path.endsFolded(in: $0.ending) }) else {
      return nil
    }
    self = found.start
  }

  func begins(_ head: [UInt8]) -> Bool { head.starts(with: magic) }
}
