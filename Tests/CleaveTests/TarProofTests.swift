import Posix
import TestSupport
import Testing
import Trials

@testable import Cleave

/// Tar files of every kind are walked through, and what is wrong with one is found.
@Suite struct TarProofTests {
  typealias Verdict = ContentProofTests.Verdict

  private func proof(_ bytes: [UInt8]) throws -> ProofResult? {
    try TemporaryDirectory().proof([bytes])
  }

  private func text(_ bytes: [UInt8]) throws -> String? {
    let result = try proof(bytes)
    return (result?.differences.first.first ?? result?.untested.first.first)?.text
  }

  // MARK: Programs

  @Test(arguments: [
    "tar --format=gnu -S -cf out holes link a", "tar --format=ustar -cf out a link",
    "tar --format=pax -S --sparse-version=0.0 -cf out holes a",
    "tar --format=pax -S --sparse-version=0.1 -cf out holes a",
    "tar --format=pax -S --sparse-version=1.0 -cf out holes a",
    "tar --format=gnu -V label -cf out a; tar --format=gnu -rf out d",
    "tar --format=posix --pax-option=globexthdr.name=g,comment=hi -cf out a d",
    "bsdtar --format=pax -cf out a link d", "bsdtar --format=ustar -cf out a link d",
    "bsdtar --format=gnutar -cf out a link d",
    "python3 -c \"import tarfile; t=tarfile.open('out','w'); t.add('a'); t.add('link'); t.close()\"",
    "tar -b 1 -cf out a", "tar -b 100 -cf out a", "tar -cf out -T /dev/null; tar -rf out a",
  ])
  func whatProgramsMadeIsProved(script: String) throws {
    guard let name = script.split(separator: " ").first, Tool.find(FilePath(String(name))) != nil
    else { return print("skipped: no program for \(script)") }
    let directory = try TemporaryDirectory()
    try directory.make("a", Bytes.pattern(count: 5000))
    try Files.hardLink(directory("link"), to: directory("a"))
    try directory.directory("d")
    for index in 0..<30 {
      let long = FilePath("d/\(String(repeating: "n", count: 6 * index + 1))")
      try directory.make(long, Bytes.pattern(count: index))
    }
    try makeHoles(directory("holes"))
    let outcome = try Tool.shell.run(["-ec", script], workingDirectory: directory.path)
    try #require(outcome.exitCode == 0, "\(outcome)")
    let bytes = try Files.read(directory("out"))
    let result = try directory.proof(bytes.cut(3))
    #expect(result?.kind == .tar)
    #expect(Verdict(result) == .part, "\(String(describing: result?.error))")
    #expect(result?.untested.count == 0)
  }

  /// Records of zeros alone do not tell that something is missing in front of them.
  @Test(arguments: [-1, 1, 100]) func aLengthThatNoTarFileHasIsTold(change: Int) throws {
    let directory = try TemporaryDirectory()
    try directory.make("a", Bytes.pattern(count: 5000))
    let outcome = try Tool.shell.run(["-c", "tar -cf out a"], workingDirectory: directory.path)
    try #require(outcome.exitCode == 0, "\(outcome)")
    var bytes = try Files.read(directory("out"))
    if change < 0 {
      bytes.removeSubrange(4000..<(4000 - change))
    } else {
      bytes.insert(contentsOf: Bytes.pattern(count: change), at: 4000)
    }
    #expect(try text(bytes)?.contains("into a record of 512") == true)
  }

  /// More runs of data than fit into one header.
  private func makeHoles(_ path: FilePath) throws {
    var bytes = [UInt8](repeating: 0, count: 40 << 16)
    for run in 0..<40 { bytes[run << 16] = 1 }
    try Files.makeSparse(path, size: Int64(bytes.count))
    let file = try FileDescriptor.open(path, .writeOnly)
    for run in 0..<40 {
      try file.seek(to: Int64(run << 16))
      try file.write(all: [1])
    }
    try file.close()
  }

  // MARK: Headers

  @Test func sizesMayBeBinary() throws {
    var header = Tar.header(size: 0)
    header.replaceSubrange(124..<136, with: [0x80] + [UInt8](repeating: 0, count: 9) + [2, 1])
    let bytes = Tar.summed(header) + [UInt8](repeating: 5, count: 1024) + Tar.end
    #expect(Verdict(try proof(bytes)) == .part)
    header[124] = 0xFF
    #expect(Verdict(try proof(Tar.summed(header) + Tar.end)) == .differs)
    header.replaceSubrange(124..<136, with: [0x80] + [UInt8](repeating: 0xFF, count: 11))
    #expect(Verdict(try proof(Tar.summed(header) + Tar.end)) == .differs)
    header.replaceSubrange(
      124..<136,
      with: [0x80, 0, 0, 0, 0x7F] + [UInt8](repeating: 0xFF, count: 7)
    )
    #expect(try text(Tar.summed(header) + Tar.end) == "ends within member 1 of the tar file")
  }

  @Test func sumsOfSignedBytesAreRightToo() throws {
    var header = Tar.header(size: 0)
    header.replaceSubrange(0..<3, with: [0xFF, 0xFE, 0x80])
    #expect(Verdict(try proof(Tar.summed(header, isSigned: true) + Tar.end)) == .part)
    header = Tar.summed(header)
    header[1] ^= 1
    let told =
      "there should be a tar header at byte 0: bytes here or in front of it are damaged, missing or "
      + "too many"
    #expect(try text(header + Tar.end) == told)
  }

  @Test func aPaxHeaderTellsTheSize() throws {
    let records = Array("17 comment=hello\n13 size=1000\n".utf8)
    let pax = Tar.header(type: "x", size: records.count) + Tar.padded(records)
    let member = Tar.header(size: 0) + [UInt8](repeating: 5, count: 1024)
    #expect(Verdict(try proof(pax + member + Tar.end)) == .part)
    #expect(try text(pax + member[..<900]) == "ends within member 1 of the tar file")
  }

  @Test(arguments: [
    "5 a=b", "99 a=b\n", "0 a=b\n", " a=b\n", "6 a=b\nx", "99999999999999999999 a\n",
    "11 size=1x\n", "8 size=\n",
  ])
  func recordsOfPaxThatAreNoneAreTold(records: String) throws {
    let records = Array(records.utf8)
    let pax = Tar.header(type: "x", size: records.count) + Tar.padded(records)
    let bytes = pax + Tar.header(size: 0) + Tar.end
    #expect(try text(bytes) == "the pax header at byte 512 is damaged")
  }

  /// Counts the bytes that are read.
  private final class CountedBytes: RandomAccessBytes {
    private let source: MemorySource
    let counted = Locked(0)
    var path: FilePath { source.path }
    var size: Int64 { source.size }
    var identity: Int { source.identity }

    init(_ bytes: [UInt8]) { source = MemorySource("a", bytes) }

    func currentIdentity() -> Int { source.currentIdentity() }
    func read(
      into buffer: UnsafeMutableRawBufferPointer,
      at offset: Int64
    ) throws(CleaveError) {
      counted.withLock { $0 += buffer.count }
      try source.read(into: buffer, at: offset)
    }
  }

  @Test(arguments: [("5 a=\n", 100_000), ("13 size=1000\n", 40_000), ("9999 a=", 50)])
  func aPaxHeaderOfManyRecordsIsReadOnce(start: String, count: Int) throws {
    var record = Array(start.utf8)
    if start.hasPrefix("9999") { record += [UInt8](repeating: 10, count: 9999 - record.count) }
    let records = [[UInt8]](repeating: record, count: count).flatMap { $0 }
    let pax = Tar.header(type: "x", size: records.count) + Tar.padded(records)
    let member = Tar.header(size: 1000) + [UInt8](repeating: 5, count: 1024)
    let source = CountedBytes(pax + member + Tar.end)
    let result = try ContentProof(of: JoinedBytes([source]))?.run()
    #expect(Verdict(result) == .part)
    let read = source.counted.withLock { $0 }
    #expect(read < 2 * Int(source.size) + 100_000, "\(read) of \(source.size) bytes")
  }

  @Test(arguments: ["2", "3", "4", "5", "6", "1"])
  func whatHasNoDataHasNoneWhateverItsSize(type: String) throws {
    let bytes = Tar.header(type: type, size: 10_000) + Tar.header(size: 0) + Tar.end
    #expect(Verdict(try proof(bytes)) == .part)
    #expect(try proof(bytes)?.described == "2 headers of the tar file")
  }

  @Test func aHardLinkMayHaveData() throws {
    let data = [UInt8](repeating: 5, count: 1024)
    let bytes = Tar.header(type: "1", size: 1000) + data + Tar.header(size: 0) + Tar.end
    #expect(Verdict(try proof(bytes)) == .part)
  }

  // MARK: Ends

  @Test func endsAreTold() throws {
    let member = Tar.header(size: 1000) + [UInt8](repeating: 5, count: 1024)
    let noEnd = "has no records of zeros at its end, so that more members may be missing"
    let rows: [([UInt8], Verdict, String?)] = [
      (member + Tar.end, .part, nil), (member + Tar.end.prefix(512), .part, nil),
      (member, .part, noEnd), (member.dropLast(24), .part, noEnd),
      (member + Tar.end.prefix(100), .part, noEnd),
      (member.dropLast(25), .differs, "ends within member 1 of the tar file"),
      (member + member.prefix(100), .differs, "ends within a header of the tar file"),
      (member + Tar.end + [1], .part, "has 1 byte behind the end of the tar file"),
      (member + Tar.end + member, .part, "has 1536 bytes behind the end of the tar file"),
    ]
    for (index, (bytes, verdict, told)) in rows.enumerated() {
      #expect(Verdict(try proof(Array(bytes))) == verdict, "row \(index)")
      #expect(try text(Array(bytes)) == told, "row \(index)")
    }
  }

  /// As many bytes as there can be, zeros but for the first ones.
  private struct HugeBytes: RandomAccessBytes {
    let path: FilePath = "a"
    let size = Int64.max
    let identity = 1
    let start: [UInt8]

    func currentIdentity() -> Int { identity }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) {
      for index in buffer.indices {
        let place = offset + Int64(index)
        buffer[index] = place < start.count ? start[Int(place)] : 0
      }
    }
  }

  @Test(arguments: [Int64.max - 512, .max - 513, .max - 1024, .max]) func sizesMayBeHuge(
    size: Int64
  ) throws {
    var header = Tar.header(size: 0)
    let bytes = [UInt8](littleEndian: UInt64(size)).reversed()
    header.replaceSubrange(124..<136, with: [0x80, 0, 0, 0] + bytes)
    let huge = try JoinedBytes([HugeBytes(start: Tar.summed(header))])
    let result = try ContentProof(of: huge)?.run()
    #expect(Verdict(result) == (size > .max - 512 ? .differs : .part))
  }

  @Test func aMapWithoutAnEndIsTold() throws {
    var header = Tar.header(type: "S", size: 0)
    header[482] = 1
    var more = [UInt8](repeating: 0, count: 512)
    more[504] = 1
    let bytes = Tar.summed(header) + more + more
    #expect(try text(bytes) == "ends within member 1 of the tar file")
    more[504] = 0
    #expect(Verdict(try proof(bytes + more + Tar.end)) == .part)
  }
}

/// Records of tar files.
enum Tar {
  static let end = [UInt8](repeating: 0, count: 1024)

  static func header(type: String = "0", size: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    let digits = Array(String(size, radix: 8).utf8)
    header[0] = UInt8(ascii: "a")
    let octal = [UInt8](repeating: UInt8(ascii: "0"), count: 11 - digits.count) + digits
    header.replaceSubrange(124..<135, with: octal)
    header[156] = Array(type.utf8)[0]
    header.replaceSubrange(257..<265, with: Array("ustar\u{0}00".utf8))
    return summed(header)
  }

  static func summed(_ header: [UInt8], isSigned: Bool = false) -> [UInt8] {
    var header = header
    header.replaceSubrange(148..<156, with: Array("        ".utf8))
    let sum = header.reduce(0) { $0 + (isSigned ? Int(Int8(bitPattern: $1)) : Int($1)) }
    header.replaceSubrange(
      148..<156,
      with: Array((String(sum, radix: 8) + "\u{0}       ").utf8.prefix(8))
    )
    return header
  }

  static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
  }
}
