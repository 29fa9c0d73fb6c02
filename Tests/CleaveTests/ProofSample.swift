import Posix
import TestSupport

@testable import Cleave

/// Files whose content tells whether they are right, made by the programs that people make them with.
enum ProofSample: String, CaseIterable, Sendable {
  case gzip, gzipMembers, xz, xzBlocks, xzStreams, zstd, zstdFrames, sevenZip
  case tar, tarPax, tarOld, zip, zipStored

  /// `$0` is where the files `a`, `b` and the directory `d` are, and `out` is to be made.
  private var script: String {
    switch self {
    case .gzip: "gzip -nc a >out"
    case .gzipMembers: "gzip -c a >out; gzip -9c b >>out; gzip -nc /dev/null >>out"
    case .xz: "xz -1 -T1 -c a >out"
    case .xzBlocks: "xz -0 --block-size=100KiB -c a >out"
    case .xzStreams: "xz -0 -c a >out; xz -0 -C crc32 -c b >>out; head -c 8 /dev/zero >>out"
    case .zstd: "zstd -q -c a >out"
    case .zstdFrames: "zstd -q -c --no-check a >out; zstd -q -19 -c b >>out"
    case .sevenZip: "7z a -bd out.7z a b d >/dev/null; mv out.7z out"
    case .tar: "tar --format=gnu -cf out d a b"
    case .tarPax: "tar --format=pax -cf out d a b"
    case .tarOld: "tar --format=v7 -cf out d a b"
    case .zip: "zip -qr out.zip d a b; mv out.zip out"
    case .zipStored: "zip -0qr out.zip d a b; mv out.zip out"
    }
  }

  var kind: ProofResult.Kind {
    switch self {
    case .gzip, .gzipMembers: .gzip
    case .xz, .xzBlocks, .xzStreams: .xz
    case .zstd, .zstdFrames: .zstd
    case .sevenZip: .sevenZip
    case .tar, .tarPax, .tarOld: .tar
    case .zip, .zipStored: .zip
    }
  }

  var program: FilePath {
    switch kind {
    case .sevenZip: "7z"
    default: FilePath(kind.rawValue)
    }
  }

  /// The file, which is made once; nil where the program is not installed.
  func make() throws -> [UInt8]? {
    guard Tool.find(program) != nil else {
      print("skipped: \(program) is not installed")
      return nil
    }
    return try Self.made.withLock { made in
      if let bytes = made[self] { return bytes }
      let bytes = try make(in: try TemporaryDirectory())
      made[self] = bytes
      return bytes
    }
  }

  private static let made = Locked<[ProofSample: [UInt8]]>([:])

  private func make(in directory: TemporaryDirectory) throws -> [UInt8] {
    try directory.make("a", Bytes.text(count: 200_000) + Bytes.pattern(count: 200_000))
    try directory.make("b", Bytes.pattern(count: 1000, seed: 2))
    try directory.directory("d")
    for index in 0..<40 {
      let name = FilePath("d/file \(index) \(String(repeating: "x", count: index * 2))")
      try directory.make(name, Bytes.pattern(count: index * 500, seed: UInt64(index)))
    }
    let outcome = try Tool.shell.run(["-ec", script], workingDirectory: directory.path)
    guard outcome.exitCode == 0 else { throw Failed(description: "\(self): \(outcome)") }
    return try Files.read(directory("out"))
  }

  struct Failed: Error, CustomStringConvertible { let description: String }
}

extension TemporaryDirectory {
  /// Writes parts, and opens them one behind the other.
  func parts(_ parts: [[UInt8]]) throws -> JoinedBytes {
    var sources: [SourceFile] = []
    for (index, bytes) in parts.enumerated() {
      sources.append(try SourceFile(examining: make(FilePath("a.00\(index + 1)"), bytes)))
    }
    return try JoinedBytes(sources)
  }

  /// What the content of parts says; nil where there is nothing inside that tells.
  func proof(_ parts: [[UInt8]]) throws -> ProofResult? {
    try ContentProof(of: try self.parts(parts))?.run()
  }
}

extension Array<UInt8> {
  /// The bytes in `count` parts, all but the last of the same size.
  func cut(_ count: Int) -> [[UInt8]] {
    let size = (self.count + count - 1) / count
    return (0..<count).map { part in
      Array(self[Swift.min(self.count, part * size)..<Swift.min(self.count, (part + 1) * size)])
    }
  }
}
