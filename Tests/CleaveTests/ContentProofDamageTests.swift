import Posix
import TestSupport
import Testing
import Trials

@testable import Cleave

/// Proofs beside what the programs of the formats say of the same damaged files.
@Suite struct ContentProofDamageTests {
  typealias Verdict = ContentProofTests.Verdict

  private static func generator(_ name: String) -> SeededGenerator {
    let seed = SeededGenerator.seed
    print("\(name), seed: \(seed)")
    return SeededGenerator(seed: seed)
  }

  /// Half of the places lie where headers and trailers are.
  private static func place(in count: Int, _ random: inout SeededGenerator) -> Int {
    let edge = min(count, 300)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return Int.random(in: 0..<edge, using: &random)
    case 1: return count - 1 - Int.random(in: 0..<edge, using: &random)
    default: return Int.random(in: 0..<count, using: &random)
    }
  }

  /// gzip(1) ends with 0 where all is well, 1 where it is not, and 2 where it read over something.
  @Test func gzipIsAgreedWithOnEveryByte() throws {
    guard let gzip = Tool.find("gzip") else { return print("skipped: gzip is not installed") }
    let first = try Gzip.member(Bytes.text(count: 60), 12, [2, 0, 9, 9] + Array("name\0".utf8))
    let member = try first + Gzip.member(Bytes.pattern(count: 30))
    var random = Self.generator("gzip damage")
    let directory = try TemporaryDirectory()
    for place in member.indices {
      var bytes = member
      bytes[place] ^= UInt8.random(in: 1...255, using: &random)
      let file = try directory.make("a.gz", bytes)
      let code = try gzip.run(["-t", file]).exitCode
      let verdict = Verdict(try directory.proof(bytes.cut(2)))
      let expected: [Verdict] =
        switch code {
        case 0: [.whole]
        case 2: [.part]
        // The first three bytes are what makes it a gzip file; a second member begins with them, too.
        default: place < 3 ? [.silent] : [.differs]
        }
      // Magic numbers of compress, pack and lzh, which gzip unpacks as well.
      let isOther =
        [1, first.count + 1].contains(place)
        && [0x1E, 0x9D, 0xA0, 0x9E, 0xA1].contains(bytes[place])
      if !isOther {
        #expect(
          expected.contains(verdict),
          "byte \(place) is \(bytes[place]): gzip ends with \(code)"
        )
      }
    }
  }

  /// How the program of a format is told to test what it finds on standard input, or in a file.
  private static func arguments(_ kind: ProofResult.Kind) -> (
    isInput: Bool, words: [any ToolArgument]
  ) {
    switch kind {
    case .gzip, .lzip: (true, ["-t"])
    case .xz, .zstd: (true, ["-tq"])
    case .tar: (true, ["-xO"])
    case .sevenZip: (false, ["t"])
    case .zip: (false, ["-T"])
    }
  }

  private static func damaged(
    _ bytes: [UInt8],
    _ random: inout SeededGenerator
  ) -> (bytes: [UInt8], place: Int) {
    var damaged = bytes
    let place = Self.place(in: bytes.count, &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: damaged.removeLast(bytes.count - place)
    case 1: damaged.remove(at: place)
    default: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    return (damaged, place)
  }

  /// What the program of the format accepts is not refused; what it refuses is never proved whole.
  @Test(arguments: ProofSample.allCases.filter { $0.kind != .zip })
  func programsAreAgreedWith(sample: ProofSample) throws {
    guard let bytes = try sample.make(), let program = Tool.find(sample.program) else { return }
    let (isInput, arguments) = Self.arguments(sample.kind)
    var random = Self.generator("\(sample) damage")
    let directory = try TemporaryDirectory()
    for _ in 0..<20 {
      let (damaged, place) = Self.damaged(bytes, &random)
      let file = try directory.make("damaged", damaged)
      let outcome =
        isInput
        ? try program.run(arguments, input: .file(file), standardOutput: .file("/dev/null"))
        : try program.run(arguments + [file])
      let verdict = Verdict(try directory.proof(damaged.cut(3)))
      let text = "byte \(place) of \(bytes.count), now \(damaged.count): \(verdict), \(outcome)"
      // tar reads over a header of which there are only some bytes.
      if sample.kind == .tar, damaged.count < bytes.count - 1 { continue }
      if outcome.exitCode == 0 {
        #expect(verdict != .differs && verdict != .foreign, "\(text)")
      } else {
        #expect(verdict != .whole, "\(text)")
      }
    }
  }

  /// unzip reads over much in the directory, and refuses some extra fields that have no sum. What it
  /// says of data is what the proof says.
  @Test(arguments: [ProofSample.zip, .zipStored])
  func unzipIsAgreedWithOnData(sample: ProofSample) throws {
    guard let bytes = try sample.make(), let unzip = Tool.find("unzip") else {
      return print("skipped: unzip is not installed")
    }
    var random = Self.generator("\(sample) damage")
    let directory = try TemporaryDirectory()
    let whole = try ZipArchive(directory.parts([bytes]), as: .whole)
    for _ in 0..<20 {
      let (damaged, place) = Self.damaged(bytes, &random)
      let file = try directory.make("damaged", damaged)
      let outcome = try unzip.run(["-tqq", file])
      let verdict = Verdict(try directory.proof(damaged.cut(3)))
      let text = "byte \(place) of \(bytes.count), now \(damaged.count): \(verdict), \(outcome)"
      let said = outcome.outputText + outcome.errorText
      if ["bad CRC", "invalid compressed data", "zipfile offset"].contains(where: said.contains) {
        #expect(verdict == .differs || verdict == .silent, "\(text)")
      } else if outcome.exitCode == 0, place < whole.directoryStart,
        !Self.isInLocalHeader(place, bytes)
      {
        #expect(verdict == .whole, "\(text)")
      }
    }
  }

  /// What unzip takes from the directory alone; the proof compares the two.
  private static func isInLocalHeader(_ place: Int, _ bytes: [UInt8]) -> Bool {
    (max(0, place - 29)...place).contains { bytes[$0...].starts(with: [0x50, 0x4B, 3, 4]) }
  }

  // MARK: Where it shows

  @Test func thePartWithADamagedEntryIsNamed() throws {
    guard let bytes = try ProofSample.zipStored.make() else { return }
    var parts = bytes.cut(4)
    let size = parts[0].count
    parts[2][size / 2] ^= 1
    let directory = try TemporaryDirectory()
    let result = try directory.proof(parts)
    let found = try #require(result?.differences.first.first)
    #expect(result?.differences.count == 1)
    #expect(found.text.hasPrefix("'a' "))
    let names = [found.path, found.lastPath ?? found.path].map(\.lastComponent)
    #expect(names[0] <= "a.003" && names[1] >= "a.003")
    #expect(found.text.contains("lies in \(names[0]) to \(names[1])"))
  }

  @Test func thePartOfASplitZipIsNamed() throws {
    guard let zip = Tool.find("zip") else { return print("skipped: zip is not installed") }
    let directory = try TemporaryDirectory()
    for name in ["a", "b", "c"] as [FilePath] {
      try directory.make(name, Bytes.pattern(count: 60_000, seed: UInt64(name.bytes[0])))
    }
    let made = try zip.run(
      ["-q", "-s", "64k", "z.zip", "a", "b", "c"],
      workingDirectory: directory.path
    )
    #expect(made.exitCode == 0)
    try Files.flipByte(at: 30_000, of: directory("z.z02"))
    var sources: [SourceFile] = []
    for name in ["z.z01", "z.z02", "z.zip"] as [FilePath] {
      sources.append(try SourceFile(examining: directory(name)))
    }
    let parts = try JoinedBytes(sources)
    let archive = try ZipArchive(parts, as: .split)
    let result = try #require(try ContentProof(of: parts, archive: archive)?.run())
    #expect(result.proved == 2)
    let text = try #require(result.differences.first.first?.text)
    #expect(text.hasPrefix("'b' "))
    #expect(text.hasSuffix("; it lies in z.z01 to z.z02"))
  }

  @Test func namesAreThoseOfTheParts() throws {
    guard var bytes = try ProofSample.gzipMembers.make() else { return }
    let sizes = bytes.cut(3).map { Int64($0.count) }
    let layout = try #require(PartLayout(["x.1", "x.2", "x.3"], sizes: sizes))
    bytes[Int(sizes[0]) + 5] ^= 0xFF
    let directory = try TemporaryDirectory()
    // What has been made is one file; where its bytes come from is told.
    let proof = try ContentProof(of: directory.parts([bytes]).divided(like: layout))
    let found = try #require(try proof?.run().differences.first.first)
    #expect(["x.1", "x.2"].contains(found.path))
  }

  @Test func entriesThatCannotBeUnpackedAreNamed() throws {
    guard let zip = Tool.find("zip") else { return print("skipped: zip is not installed") }
    let directory = try TemporaryDirectory()
    try directory.make("a", Bytes.text(count: 1000))
    try directory.make("b", Bytes.text(count: 1000))
    for arguments in [["-q", "z.zip", "a"], ["-q", "-P", "secret", "z.zip", "b"]] {
      #expect(try zip.run(arguments, workingDirectory: directory.path).exitCode == 0)
    }
    let result = try directory.proof(try Files.read(directory("z.zip")).cut(2))
    #expect(result?.coverage == .part)
    #expect(result?.untested.first.map(\.text) == ["'b' is encrypted"])
    #expect(result?.described == "the CRC-32 of 1 entry")
  }

  @Test func aProgramInFrontOfAZipIsNotProved() throws {
    guard let bytes = try ProofSample.zip.make() else { return }
    let directory = try TemporaryDirectory()
    let result = try directory.proof([Array("#!/bin/sh\n".utf8) + bytes])
    #expect(result?.coverage == .part)
    #expect(result?.untested.first.map(\.text) == ["has 10 bytes in front of the zip"])
    let other = try directory.proof([Array(bytes.prefix(1000)), bytes])
    #expect(
      other?.error?.message.hasSuffix("does not belong here: the zip begins with a.002") == true
    )
  }

  /// What is in front of a zip in pieces, and is no program that unpacks it.
  @Test(arguments: [true, false])
  func whatIsInFrontOfTheFirstPieceDoesNotBelong(isPart: Bool) throws {
    guard let bytes = try ProofSample.zip.make() else { return }
    var pieces = bytes.cut(4)
    // Begins like a zip, and not like a program.
    let text = Array(bytes.prefix(isPart ? pieces[0].count : 1000))
    if isPart { pieces.insert(text, at: 0) } else { pieces[0] = text + pieces[0] }
    let result = try TemporaryDirectory().proof(pieces)
    let message =
      isPart
      ? "does not belong here: the zip begins with a.002"
      : "has 1000 bytes in front of the zip, by which it is longer than the others"
    #expect(result?.error?.message.hasSuffix(message) == true, "\(result?.error?.message ?? "")")
  }

  /// A byte of the local header is another, and the directory as it was; the version that it needs matters to nobody.
  @Test(arguments: [
    (
      6, 8,
      "'first' has neither sum nor sizes in its local header, and a descriptor by the directory only"
    ),
    (6, 0x40, "'first' has flags 48 by its local header, 8 by the directory"),
    (4, 1, ""),
  ])
  func headersHaveTheSameFlags(place: Int, bit: UInt8, text: String) throws {
    let entry = ZipEntry("first", Bytes.pattern(count: 5000), descriptor: .signed)
    var bytes = try ZipWriter([entry]).single()
    bytes[place] ^= bit
    let result = try TemporaryDirectory().proof(bytes.cut(3))
    #expect(result?.coverage == .whole || !text.isEmpty)
    let message = result?.error?.message ?? ""
    #expect(text.isEmpty ? message.isEmpty : message.hasSuffix(text), "\(message)")
  }

  /// A header that promises no descriptor has the sum itself.
  @Test func onlyADescriptorLetsASizeBeThereAlone() throws {
    let contents = Bytes.pattern(count: 5000)
    var bytes = try ZipWriter([ZipEntry("first", contents, descriptor: .signed)]).single()
    bytes.replaceSubrange(22..<26, with: [0x88, 0x13, 0, 0])
    #expect(try TemporaryDirectory().proof(bytes.cut(3))?.coverage == .whole)
    bytes[6] ^= 8
    let message = try TemporaryDirectory().proof(bytes.cut(3))?.error?.message ?? ""
    #expect(message.contains("has CRC-32 00000000 by its local header"), "\(message)")
  }

  /// How hard Deflate tried is told of nothing else.
  @Test(arguments: [ZipEntry.Method.stored, .deflated])
  func onlyDeflateHasALevel(method: ZipEntry.Method) throws {
    var bytes = try ZipWriter([ZipEntry("first", Bytes.text(count: 5000), method: method)]).single()
    bytes[6] ^= 2
    let result = try TemporaryDirectory().proof(bytes.cut(3))
    let text = "'first' has flags 2 by its local header, 0 by the directory"
    #expect(result?.error?.message.hasSuffix(text) == (method == .stored ? true : nil))
  }

  @Test func whatAsksForANewerVersionIsNotProved() throws {
    var bytes = try ZipWriter([ZipEntry("first", Bytes.pattern(count: 5000))]).single()
    let record = try #require(bytes.indices.last { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    bytes[record + 6] = 148
    let result = try TemporaryDirectory().proof(bytes.cut(3))
    #expect(
      result?.untested.first.map(\.text)
        == ["'first' asks for version 14.8 of the format to be unpacked"]
    )
  }

  /// Also where offsets count them, as `zip -A` makes them.
  @Test func bytesThatBelongToNoEntryAreNotProved() throws {
    let rows: [(change: (inout ZipWriter) -> Void, text: String)] = [
      ({ $0.prefix = Array("#!/bin/sh\n".utf8) }, "has 10 bytes in front of the zip"),
      ({ $0.entries[1].gap = Bytes.text(count: 40) }, "has 40 bytes that belong to no entry"),
      ({ $0.entries.swapAt(0, 1) }, ""),
    ]
    for row in rows {
      var writer = ZipWriter([
        ZipEntry("first", Bytes.pattern(count: 5000), method: .stored),
        ZipEntry("second", Bytes.text(count: 5000)),
      ])
      row.change(&writer)
      let result = try TemporaryDirectory().proof(try writer.single().cut(3))
      #expect(result?.coverage == (row.text.isEmpty ? .whole : .part))
      #expect(result?.untested.first.map(\.text) == (row.text.isEmpty ? [] : [row.text]))
      #expect(result?.described == "the CRC-32 of 2 entries")
    }
  }

  /// Of a zip in which the directory tells the sums of the data, and another record tells others.
  struct Contradiction: Sendable, CustomStringConvertible {
    let description: String
    /// Nil where nothing contradicts.
    var text: String? = "with another CRC-32 or size beside the data than in the directory"
    /// Bytes to change, behind the start of the local header or behind the end of the data.
    var inHeader: [Int] = []
    var behindData: [Int] = []
    /// Before the start of the data.
    var beforeData: [Int] = []
    /// What is changed there.
    var bits: UInt8 = 0x40
    var descriptor = ZipEntry.Descriptor.signed
    var change: @Sendable (inout ZipWriter) -> Void = { _ in }
  }

  private static let endless =
    "with an extra field that has no end, or not the sizes that it should"

  static let contradictions = [
    Contradiction(description: "nothing", text: nil),
    Contradiction(description: "nothing, without a signature", text: nil, descriptor: .plain),
    Contradiction(description: "the CRC-32 of the descriptor", behindData: [4]),
    Contradiction(description: "the packed size of the descriptor", behindData: [8]),
    Contradiction(description: "the size of the descriptor", behindData: [12]),
    Contradiction(
      description: "a size of 8 bytes in the descriptor",
      behindData: [8],
      change: { $0.zip64 = .everything }
    ),
    Contradiction(
      description: "a descriptor that only the header promises",
      inHeader: [6],
      bits: 8,
      descriptor: .none
    ),
    Contradiction(
      description: "a descriptor that only the directory promises",
      inHeader: [6],
      bits: 8,
      descriptor: .none,
      change: { $0.entries[0].flags |= 8 }
    ),
    Contradiction(description: "the CRC-32 of the header", inHeader: [14]),
    Contradiction(description: "the packed size of the header", inHeader: [18]),
    Contradiction(description: "the size of the header", inHeader: [22]),
    Contradiction(
      description: "the length of an extra field",
      text: endless,
      change: { $0.entries[0].centralExtra = [0x34, 0x12, 5, 0, 1, 2, 3, 4] }
    ),
    Contradiction(
      description: "the length of an extra field of the header",
      text: endless,
      change: { $0.entries[0].localExtra = [0x34, 0x12, 5, 0, 1, 2, 3, 4] }
    ),
    Contradiction(
      description: "the length of an extra field behind that of ZIP64",
      text: endless,
      change: {
        $0.zip64 = .everything
        $0.entries[0].centralExtra = [0x34, 0x12, 5, 0, 1, 2, 3, 4]
      }
    ),
    // The extra of the local header ends with two sizes of 8 bytes, and two bytes of length are before them.
    Contradiction(
      description: "the length of the ZIP64 extra of the header",
      text: endless,
      beforeData: [18],
      descriptor: .none,
      change: { $0.zip64 = .everything }
    ),
    Contradiction(
      description: "a size in the ZIP64 extra of the header",
      text: endless,
      beforeData: [16],
      descriptor: .none,
      change: { $0.zip64 = .everything }
    ),
    Contradiction(
      description: "nothing, with zeros that align",
      text: nil,
      change: { $0.entries[0].centralExtra = [0x34, 0x12, 1, 0, 1, 0, 0, 0] }
    ),
  ]

  @Test(arguments: contradictions)
  func whatRecordsOfAnEntryContradictIsNotProved(row: Contradiction) throws {
    let data = Bytes.pattern(count: 5000)
    var writer = ZipWriter([
      ZipEntry("first", data, method: .stored, descriptor: row.descriptor),
      ZipEntry("second", Bytes.text(count: 5000)),
    ])
    row.change(&writer)
    var bytes = try writer.single()
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: data) })
    for place in row.inHeader { bytes[place] ^= row.bits }
    for place in row.beforeData { bytes[start - place] ^= row.bits }
    for place in row.behindData { bytes[start + data.count + place] ^= row.bits }
    let result = try TemporaryDirectory().proof(bytes.cut(3))
    #expect(result?.error == nil)
    #expect(result?.coverage == (row.text == nil ? .whole : .part))
    #expect(result?.untested.first.map(\.text) == row.text.map { ["has 1 entry \($0)"] } ?? [])
    var archive = try ZipArchive(JoinedBytes([bytes]), as: .whole)
    try archive.examineEntries()
    #expect(archive.notes.lines == row.text.map { ["1 entry \($0)"] } ?? [])
  }

  /// A block of a kind that there is none of is the last byte of the first part.
  @Test func whereGzipIsWrongIsToldInItsPart() throws {
    let block = [0, 100, 0, 155, 255] + Bytes.pattern(count: 100)
    let parts = [Gzip.header(0, []) + block + [7], Bytes.pattern(count: 100)]
    let found = try TemporaryDirectory().proof(parts)?.differences.first.first
    #expect(found?.path.lastComponent == "a.001")
    #expect(
      found?.text == "gzip member 1 cannot be unpacked: bytes up to byte 115 of this part are wrong"
    )
  }

  // MARK: Time

  @Test(arguments: ProofSample.allCases)
  func aCancelledProofThrows(sample: ProofSample) throws {
    guard let bytes = try sample.make() else { return }
    let directory = try TemporaryDirectory()
    let proof = try ContentProof(of: directory.parts([bytes]))
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: CleaveError.cancelled) { try proof?.run(cancellation, WorkProgress()) }
  }

  @Test(arguments: [ProofSample.gzip, .gzipMembers, .zip, .zipStored])
  func progressCountsWhatIsRead(sample: ProofSample) throws {
    guard let bytes = try sample.make() else { return }
    let directory = try TemporaryDirectory()
    let proof = try #require(try ContentProof(of: directory.parts(bytes.cut(3))))
    let progress = WorkProgress()
    _ = try proof.run(Cancellation(), progress)
    #expect(progress.bytes == proof.bytesToRead)
    #expect(progress.total == proof.bytesToRead)
  }
}
