import Posix
import TestSupport
import Testing

/// Zips that were cut without looking at them are put together in the same way.
@Suite(.aside) struct RawZipSeriesTests {
  @Test(
    .enabled(if: Tool.find("7z") != nil, "7z is not installed"),
    arguments: ["64k", "100k", "1m"],
    [[], ["-mx0"], ["-ppw"]]
  )
  func volumesOfSevenZipMerge(size: String, options: [String]) throws {
    let tree = FileTree.sample(bytes: 400_000, seed: 5)
    let directory = try TemporaryDirectory()
    let parts = try ZipPrograms.sevenZip(tree, ["-v\(size)"] + options, to: directory.path)
    let merged = try mergeEveryWay(parts, telling: options == ["-ppw"] ? ["' is encrypted"] : [])
    let joined = try parts.flatMap { try Files.read($0) }
    #expect(Bytes.difference(merged, joined) == nil)
    let password = options == ["-ppw"] ? "pw" : nil
    let file = directory.file("merged.zip")
    try Files.write(merged, to: file)
    let unpacked = try ZipTool.sevenZip.complaint(about: file, holding: tree, password: password)
    #expect(unpacked == [])
  }

  static let wholes: [(name: String, change: @Sendable (inout ZipWriter) -> Void)] = [
    ("plain", { _ in }),
    ("comment", { $0.comment = [1] + ZipWriter.falseEndRecord + [2] }),
    ("ZIP64", { $0.zip64 = .everything }),
    ("extended ZIP64", { $0.zip64Extension = ZipEntry.extra(0x6363, [1, 2, 3]) }),
    ("a prefix that is counted", { $0.prefix = Bytes.text(count: 900) }),
    ("a prefix that is not", { $0.useUncountedPrefix() }),
    ("no entries", { $0.entries = [] }),
  ]

  @Test(arguments: wholes.indices, [1000, 333, 6000])
  func anyZipThatWasCutMerges(index: Int, size: Int) throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    Self.wholes[index].change(&writer)
    let whole = try writer.single()
    let set = try ZipSet(whole.cut(to: size), names: .raw)
    let (name, _) = Self.wholes[index]
    let told = name.hasPrefix("a prefix") ? ["has 900 bytes in front of the zip"] : []
    let merged = try mergeEveryWay(set.parts, telling: told)
    #expect(Bytes.difference(merged, whole) == nil, "\(name)")
    let outcome = try Tool.cleave.run(["verify", set.first])
    #expect(outcome.exitCode == 0, "\(outcome)")
  }

  /// Nothing of the zip tells of the bytes of the program in front of it: sizes do.
  @Test(arguments: [0, 400, 1003])
  func aPartOfAProgramInFrontOfAZipHasTheSizeOfTheOthers(size: Int) throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.prefix = Array("MZ".utf8) + Bytes.text(count: 5000)
    writer.countsPrefix = false
    let set = try ZipSet(try writer.single().cut(to: 1000), names: .raw)
    #expect(try Tool.cleave.run(["merge", "-n", set.first]).exitCode == 0)
    let bytes = try Files.read(set.parts[2])
    try Files.write(Array((bytes + bytes).prefix(size)), to: set.parts[2])
    let said =
      switch size {
      case 0: "is empty, not of 1000 bytes"
      case 400: "has 600 bytes less than"
      default: "has 3 bytes more than"
      }
    for options in [[], ["-n"], ["--consume"]] {
      let outcome = try Tool.cleave.run(["merge"] + options + [set.first])
      #expect(outcome.exitCode == 65 || size == 0 && outcome.exitCode == 66, "\(outcome)")
      #expect(set.lines(outcome).contains(": \(set.parts[2].lastComponent): \(said)"), "\(outcome)")
      #expect(try set.directory.names().count == set.parts.count)
    }
    let all = try Tool.cleave.run(["merge", "--last=\(set.parts.count)", set.first])
    #expect(all.exitCode == 0, "\(all)")
  }

  /// Behind the program, the zip tells of every byte.
  @Test func ofPartsBehindAProgramTheSizesMayDiffer() throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.prefix = Array("#!/bin/sh\n".utf8) + Bytes.text(count: 500)
    writer.countsPrefix = false
    let whole = try writer.single()
    let parts = [whole[..<1000], whole[1000..<2000], whole[2000..<2600]].map(Array.init)
    let set = try ZipSet(parts + Array(whole[2600...]).cut(to: 1000), names: .raw)
    let outcome = try Tool.cleave.run(["merge", set.first])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(set.directory.file("a.zip")) == whole)
  }

  /// Of a program that the zip counts, it tells how many bytes it has.
  @Test(arguments: [7, 1000])
  func aProgramThatTheZipCountsHasNoMoreBytes(surplus: Int) throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.prefix = Array("MZ".utf8) + Bytes.text(count: 5000)
    var parts = try writer.single().cut(to: 1000)
    if surplus == 7 { parts[2] += [1, 2, 3, 4, 5, 6, 7] } else { parts.insert(parts[0], at: 0) }
    let set = try ZipSet(parts, names: .raw)
    for options in [[], ["-n"], ["--consume"]] {
      let outcome = try Tool.cleave.run(["merge"] + options + [set.first])
      let said =
        surplus == 7
        ? "\(set.parts[2].lastComponent): is 7 bytes too long: it has 1007, and should have 1000"
        : "the parts do not make a whole zip: 1000 bytes are too many"
      #expect(outcome.exitCode == 65 && set.lines(outcome).contains(said), "\(outcome)")
      #expect(try set.directory.names().count == set.parts.count)
    }
  }

  /// The name says that there is a zip behind the program.
  @Test(arguments: [1, 21, 22, 400])
  func aProgramInFrontOfAZipEndsWithIt(cut: Int) throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.prefix = Array("#!/bin/sh\n".utf8) + Bytes.text(count: 3000)
    let whole = try writer.single()
    let set = try ZipSet(Array(whole.dropLast(cut)).cut(to: 1000), names: .raw)
    let outcome = try Tool.cleave.run(["merge", "--consume", set.first])
    let said = "begins like a program, and does not end like a zip"
    #expect(outcome.exitCode == 65 && set.lines(outcome).contains(said), "\(outcome)")
    #expect(try set.directory.names().count == set.parts.count)
    #expect(try Tool.cleave.run(["merge", "--format=raw", set.first]).exitCode == 0)
  }

  /// Where the last part holds only the end of the directory, all records are in front of what is there twice.
  @Test func aPartBehindAProgramThatIsThereTwiceIsFound() throws {
    var writer = ZipWriter([ZipEntry("first", Bytes.pattern(count: 3000), method: .stored)])
    writer.prefix = Array("MZ".utf8)
    let count = try writer.single().count
    writer.prefix += Bytes.text(count: 8030 - count)
    var parts = try writer.single().cut(to: 1000)
    parts.insert(parts[parts.count - 2], at: parts.count - 1)
    let set = try ZipSet(parts, names: .raw)
    let outcome = try Tool.cleave.run(["merge", "--consume", set.first])
    #expect(outcome.exitCode == 65 && set.lines(outcome).contains("bytes, not"), "\(outcome)")
    #expect(try set.directory.names().count == parts.count)
  }

  /// Most zips have other names, and a first part that does not begin like one.
  @Test(arguments: ["apk", "bin", "zip"], ["zeros", "missing", "swapped", "right"])
  func theEndOfAZipTellsOfItsFirstPart(ending: String, change: String) throws {
    let directory = try TemporaryDirectory()
    let whole = try ZipWriter(ZipWriterTests.entries).single()
    var parts = whole.cut(to: 1000)
    switch change {
    case "zeros": parts[0] = [UInt8](repeating: 0, count: 1000)
    case "missing": parts.removeFirst()
    case "swapped": parts.swapAt(0, 1)
    default: break
    }
    let names = parts.indices.map { directory.file(FilePath("a.\(ending).00\($0 + 1)")) }
    for (name, part) in zip(names, parts) { try Files.write(part, to: name) }
    for options in [["-n"], ["--consume"]] {
      let outcome = try Tool.cleave.run(["merge"] + options + [names[0]])
      #expect(outcome.exitCode == (change == "right" ? 0 : 65), "\(outcome)")
      if change != "right" { #expect(try directory.names().count == parts.count) }
    }
    if change == "right" {
      #expect(try Files.read(directory.file(FilePath("a.\(ending)"))) == whole)
    } else {
      let raw = try Tool.cleave.run(["merge", "--format=raw", names[0]])
      #expect(raw.exitCode == 0, "\(raw)")
    }
  }

  /// A part of something else in front of a zip is told before anything is read.
  @Test func aPartInFrontOfAZipDoesNotBelong() throws {
    var parts = try ZipWriter(ZipWriterTests.entries).single().cut(to: 1000)
    parts.insert(Bytes.text(count: 1000), at: 0)
    let set = try ZipSet(parts, names: .raw)
    let way = "the zip begins with \(set.parts[1].lastComponent): --first=2 leaves it out, "
    for command in ["merge -n", "merge", "cat", "info", "verify"] {
      let outcome = try Tool.cleave.run(
        command.split(separator: " ").map(String.init) + [set.first]
      )
      let text = set.lines(outcome) + set.output(outcome)
      #expect(text.contains(way) && outcome.exitCode == 65, "\(command): \(outcome)")
    }
    let rest = try Tool.cleave.run(["merge", "-n", "--first=2", set.first])
    #expect(rest.exitCode == 0, "\(rest)")
  }

  /// Joining bytes is what `--format raw` asks for, whatever is in them.
  @Test(arguments: [ZipSetNames.lower, .raw]) func rawLooksAtNothing(names: ZipSetNames) throws {
    let parts = [Bytes.pattern(count: 100), Bytes.pattern(count: 90), Bytes.pattern(count: 10)]
    let set = try ZipSet(parts, names: names)
    let merged = try mergeEveryWay(set.parts, ["--format", "raw"])
    #expect(merged == Array(parts.joined()))
  }
}

extension ZipWriter {
  fileprivate mutating func useUncountedPrefix() {
    prefix = Bytes.text(count: 900)
    countsPrefix = false
  }
}

extension [UInt8] {
  /// In pieces of this size, and a last one of what is left.
  func cut(to size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
