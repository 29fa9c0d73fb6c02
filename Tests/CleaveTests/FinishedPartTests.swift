import Posix
import TestSupport
import Testing

@testable import Cleave

/// Each part of a split is told of when it is finished.
@Suite struct FinishedPartTests {
  private let directory: TemporaryDirectory
  private let bytes = Array("one\ntwo\nthree\n".utf8)
  private var file: FilePath { directory.file("f") }

  init() throws {
    directory = try TemporaryDirectory()
    try Files.write(bytes, to: file)
  }

  /// A part, and what it held when it was told of.
  private struct Told: Hashable, Sendable {
    var path: FilePath
    var sum: Checksum
    var kinds: Checksum.Kinds
    var bytes: [UInt8]?
  }

  private func run(_ split: Split) throws -> [Told] {
    let told = Locked<[Told]>([])
    var split = split
    split.work.output.synchronizes = false
    split.work.tell = { event in
      guard case .finishedPart(let path, let sum, let kinds) = event else { return }
      let bytes = try? Files.read(path)
      told.withLock { $0.append(Told(path: path, sum: sum, kinds: kinds, bytes: bytes)) }
    }
    _ = try split.run()
    return told.withLock { $0 }
  }

  private func expected(_ kinds: Checksum.Kinds) -> [Told] {
    ["one\n", "two\n", "three\n"].enumerated().map { index, text in
      let bytes = Array(text.utf8)
      var sum = Checksum.empty
      bytes.withUnsafeBytes { sum.update($0, kinds) }
      let path = directory.file(FilePath("f.00\(index + 1)"))
      return Told(path: path, sum: sum, kinds: kinds, bytes: bytes)
    }
  }

  @Test("a part that is told of has its name and its bytes", arguments: EngineName.allCases)
  func files(engine: EngineName) throws {
    var split = Split(file, .records(1))
    split.work.engine = engine
    #expect(try run(split) == expected([.crc32, .adler32]))
  }

  @Test("no sums are told of that nobody has computed")
  func unverified() throws {
    var split = Split(file, .records(1))
    (split.work.verification, split.options.manifest) = (.none, .none)
    #expect(try run(split).map(\.kinds) == [[], [], []])
  }

  @Test("what a split in rounds has made is told of when all is there")
  func rounds() throws {
    var split = Split(file, .records(1))
    split.work.isResumable = true
    #expect(try run(split) == expected([.crc32, .adler32]))
  }

  @Test("a split that fails tells of no part")
  func failure() throws {
    try Files.write([], to: directory.file("f.002"))
    let told = Locked(0)
    var split = Split(file, .records(1))
    split.work.tell = { event in
      if case .finishedPart = event { told.withLock { $0 += 1 } }
    }
    #expect(throws: CleaveError.self) { try split.run() }
    #expect(told.withLock { $0 } == 0)
  }
}
