import Posix
import TestSupport
import Testing

@testable import Cleave

/// What names beside a series say of parts that are not all there yet.
@Suite struct NeighboursTests {
  private static let parts: [FilePath] = ["m.001", "m.002", "m.003"]

  private func trial(beside names: [FilePath], size: Int = 1000) throws -> SelectionTrial {
    let bytes = Bytes.pattern(count: size)
    return try SelectionTrial(Self.parts.map { ($0, bytes) } + names.map { ($0, []) })
  }

  @Test(
    "a download of a part behind the last one refuses",
    arguments: [
      ".crdownload", ".part", ".aria2", ".!qB", ".!ut", ".tmp", ".download", ".partial",
      ".filepart",
      ".opdownload", ".bc!", ".td", ".CRDOWNLOAD", ".st", ".!bt", ".jc!", ".xltd", ".fdmdownload",
      ".dctmp",
    ],
    ["m.004", "m.006"]
  )
  func downloads(ending: String, part: String) throws {
    let trial = try trial(beside: [FilePath(part + ending)])
    #expect(trial.doubts().contains(.nextIsDownloading))
    let error = try #require(trial.refusal())
    #expect(error.kind == .missingInput)
    let told: Sentence =
      "m: \(part)\(ending) says that \(part) is still being downloaded: \(.last("3")) merges the "
      + "parts that are there"
    #expect(error.sentence == told)
    #expect(trial.refusal(last: 3) == nil)
    #expect(trial.refusal(format: .raw)?.sentence == told)
  }

  @Test(
    "so does the temporary file of a program that copies files",
    arguments: [
      ".m.004.AbC123", ".syncthing.m.004.tmp", "~syncthing~m.004.tmp", ".m.004.icloud",
      "m.004.a1b2c3d4.partial", "m.kB7dQx2R.004.part", "m.004.kB7dQx2R.part",
    ] as [FilePath]
  )
  func temporaries(name: FilePath) throws {
    let trial = try trial(beside: [name])
    let told: Sentence =
      "m: \(name) says that m.004 is still being downloaded: \(.last("3")) merges the parts that are "
      + "there"
    #expect(trial.refusal()?.sentence == told)
    #expect(trial.refusal(last: 3) == nil)
  }

  @Test func whatAConsumingRunHasLeftOfTheNextPartRefuses() throws {
    let trial = try trial(beside: ["m.004.cleave-rest"])
    let told: Sentence =
      "m: m.004.cleave-rest is what a run that was interrupted has left of the next part: "
      + "\(.last("3")) merges the parts that are there"
    #expect(trial.refusal()?.sentence == told)
    #expect(trial.refusal(last: 3) == nil)
  }

  private static let film: [FilePath] = ["film.mkv.001", "film.mkv.002"]

  private func trial(ofFilmBeside name: FilePath, last: Int, other: Int) throws -> SelectionTrial {
    let bytes = Bytes.pattern(count: 1000)
    let parts = zip(Self.film, [1000, last]).map { ($0, Array(bytes.prefix($1))) }
    return try SelectionTrial(parts + [(name, Array(Bytes.pattern(count: other)))])
  }

  @Test(
    "a file with the next number and the words of the whole may be the next part",
    arguments: [
      "film.003.mkv", "_film.mkv.003", "film.mkv.part3", "film_003.mkv", "film.mkv_003",
      "film.mkv 003",
      "film.003", "film.mkv003", "film.part3.mkv", "film.mkv.p003", "film.mkv.3of3",
      "[www.site24.com] Film.mkv.003", "film.mkv.003_", "film.mkv..003", "film.mkv.003 ",
    ] as [FilePath]
  )
  func alike(name: FilePath) throws {
    for size in [1, 1000] {
      let trial = try trial(ofFilmBeside: name, last: 1000, other: size)
      let told: Sentence =
        "film.mkv: \(name) may be film.mkv.003, which is not there: rename it, or \(.last("2")) "
        + "merges the parts that are there"
      #expect(trial.refusal()?.sentence == told)
      #expect(trial.refusal(last: 2) == nil)
    }
    // A part is no larger than the others, and a shorter one is the last.
    #expect(try trial(ofFilmBeside: name, last: 1000, other: 1001).refusal() == nil)
    #expect(try trial(ofFilmBeside: name, last: 1000, other: 0).refusal() == nil)
  }

  @Test(
    "one with other words or another number is not",
    arguments: [
      "film3.mkv", "film.mkv 3.jpg", "movie.mkv.003", "film2.mkv.003", "film.mp3", "film.mkv.3.srt",
      "film.s01e03.mkv", "film.mkv.part4", "film 3.mkv", "film - 03.mkv", "film (3).mkv",
      "old_film.mkv.3", "film.cd3.mkv", "filmed.mkv.003",
    ] as [FilePath]
  )
  func notAlike(name: FilePath) throws {
    #expect(try trial(ofFilmBeside: name, last: 1000, other: 1000).refusal() == nil)
  }

  @Test(
    arguments: [
      ["film.part1.mkv", "film.part2.mkv", "film.part3.mkv"],
      ["film.2.mkv.001", "film.2.mkv.002", "film.3.mkv"],
    ] as [[FilePath]]
  )
  func whatIsOfAnotherSeriesIsNoNextPart(others: [FilePath]) throws {
    let bytes = Bytes.pattern(count: 1000)
    let trial = try SelectionTrial((Self.film + others).map { ($0, bytes) })
    #expect(trial.refusal() == nil)
  }

  /// The number of a whole is not that of a part.
  @Test func aChapterIsNoPartOfTheOneInFrontOfIt() throws {
    let bytes = Bytes.pattern(count: 1000)
    let names: [FilePath] = ["chapter.1.001", "chapter.1.002", "chapter.3"]
    #expect(try SelectionTrial(names.map { ($0, bytes) }).refusal() == nil)
  }

  /// Five parts in two directories, with what is changed.
  private func scattered(
    sizes: [Int] = [1000, 1000, 1000, 1000, 1000],
    beside name: FilePath? = nil,
    last: Int64? = nil
  ) throws -> CleaveError? {
    let directory = try TemporaryDirectory()
    for folder in ["a", "b"] as [FilePath] { _ = try directory.directory(folder) }
    let parts = try sizes.enumerated().map { index, size in
      let path = FilePath("\(index < 3 ? "a" : "b")/f.00\(index + 1)")
      return try directory.make(path, Bytes.pattern(count: size))
    }
    if let name { _ = try directory.make(name, [1]) }
    var request = Selection.Request()
    request.reading.bounds.last = last.map { .number($0) }
    do throws(CleaveError) {
      return try Selection.look(at: parts, request).refusal
    } catch {
      return error
    }
  }

  @Test func partsInSeveralDirectoriesAreLookedAtAsOneSeries() throws {
    #expect(try scattered() == nil)
    #expect(try scattered(sizes: [1000, 1000, 1000, 1000, 400]) == nil)
    for sizes in [[1000, 500, 1000, 1000, 400], [1000, 0, 1000, 1000, 1000]] {
      #expect(try scattered(sizes: sizes)?.kind == .badData, "\(sizes)")
      #expect(try scattered(sizes: sizes, last: 5) == nil, "\(sizes)")
      #expect(try scattered(sizes: sizes, last: 4)?.kind == .badData, "\(sizes)")
    }
    for name in ["b/f.006.crdownload", "b/f (1).006", "a/f.006.part", "a/f.001.aria2"] as [FilePath]
    {
      #expect(try scattered(beside: name)?.kind == .missingInput, "\(name)")
      #expect(try scattered(beside: name, last: 5) == nil, "\(name)")
    }
  }

  /// Names of three parts, in every way in which the ending of the whole is behind the number.
  private static let families: [@Sendable (Int) -> String] = [
    { "f.part\($0).mkv" }, { "f.part\($0)of3.mkv" }, { "f (part \($0) of 3).mkv" },
    { "f.\($0).mkv" },
    { "f.00\($0).mkv" }, { "f-0\($0).mkv" }, { "f_\($0).mkv" }, { "part\($0).mkv" },
    { "f Part \($0).mkv" },
    { "f.part0\($0)" }, { "f.chunk\($0)" }, { "f.split\($0)" }, { "f.00\($0)" }, { "f.0\($0)" },
    { "f.\($0)" },
    { "f.rclone_chunk.00\($0)" }, { "f.part.\($0)" }, { "f.z0\($0 - 1)" }, { "f.wbf\($0)" },
    { "xa\(["a", "b", "c"][$0 - 1])" }, { "f.a\(["a", "b", "c"][$0 - 1])" },
    { "f-a\(["a", "b", "c"][$0 - 1])" }, { "f.parta\(["a", "b", "c"][$0 - 1])" },
    { "f.parta\(["a", "b", "c"][$0 - 1]).mkv" }, { "xa\(["a", "b", "c"][$0 - 1]).mkv" },
  ]

  @Test(
    "of parts that are all still being downloaded, none is a part",
    arguments: families.indices,
    DownloadName.endings
  )
  func allUnderway(family: Int, ending: String) throws {
    let names = (1...3).map { FilePath(Self.families[family]($0) + ending) }
    let sizes = [3000, 3000, 1200]
    let trial = try SelectionTrial(zip(names, sizes).map { ($0, Bytes.pattern(count: $1)) })
    let error = try #require(trial.refusal(), "\(names)")
    #expect(error.kind == .missingInput)
    let told: Sentence =
      "\(names[0]): has the name of a download that has not ended: "
      + "\(.asGiven(namesOutput: true)) joins just the files named, in their order"
    #expect(error.sentence == told)
    #expect(trial.explicitRefusal()?.kind == .missingInput)
    let found = try SeriesDirectory(trial.directory.path)
    #expect(throws: CleaveError.self) { try found.onlyPart() }
    #expect(throws: CleaveError.self) { try found.allParts() }
  }

  @Test("the letters of a part may be those of a download's ending")
  func twoLetters() throws {
    let names: [FilePath] = ["f.sr", "f.ss", "f.st", "f.su"]
    let files = (["f.aa"] + names).map { (name: $0, bytes: Bytes.pattern(count: 9)) }
    let trial = try SelectionTrial(files)
    let error = trial.refusal()
    #expect(
      error?.message.contains("parts are missing: f.ab to f.sq") == true,
      "\(String(describing: error))"
    )
  }

  @Test("of a second copy of one part, the first is named")
  func operandIsCopy() throws {
    let bytes = Bytes.pattern(count: 100)
    let copy: FilePath = "m (1).002"
    let trial = try SelectionTrial([(copy, bytes)] + Self.parts.map { ($0, bytes) })
    let error = try #require(trial.refusal())
    #expect(
      error.message.contains(
        "1 part is missing: m (1).001; m (1).002 may be another copy of m.002: try"
      )
    )
  }

  @Test(
    "a copy of a part behind the last one refuses",
    arguments: [
      "m (1).004", "m.004 (1)", "m(2).004", "Copy of m.004", "m - Copy.004", "m - Copy (2).004",
      "m copy.004", "m (copy).004", "m (another copy).004", "m.004 copy",
      "m copy 2.004", "m (Copy).004", "m 2.004", "m.004 2", "m.004.1", "m.004.bak", "m.004.OLD",
      "m.004.orig", "m.004~", "m[1].004", "m (Joe's conflicted copy 2024-01-01).004",
      "m (conflicted copy 2024-01-01 101112).004", "m-DESKTOP-AB12.004", "m-LAPTOP-AB12 2.004",
      "m.sync-conflict-20240101-101112-ABCDEFG.004", "m - Kopie.004",
    ]
  )
  func copies(name: String) throws {
    let trial = try trial(beside: [FilePath(name)])
    let error = try #require(trial.refusal(), "\(name)")
    #expect(error.kind == .missingInput)
    let told: Sentence =
      "m: \(name) may be m.004, which is not there: rename it, or \(.last("3")) merges the parts "
      + "that are there"
    #expect(error.sentence == told)
    #expect(trial.refusal(last: 3) == nil)
  }

  @Test(
    "a part behind the last one under another name refuses",
    arguments: [
      "m.004.txt", "m.004.bin", "m.004.gz", "m.004.ZIP", "m.004.dat", "m.005.html", "M.004.mp4",
      "m.4", "m.04", "m.0004", "m.5", "m.004?dl=1", "m.004.averylongword", "m.004.a-b", "m.004.ob!",
      "m.004.part.minio", "m.004_.gstmp", "m.004.baiduyun.p.downloading", "m.004.part-Frag1",
      ".m.004.~2a3b", ".m.004.AbC12", ".m.004.Ab-123", "m.004 old.x",
    ] as [FilePath]
  )
  func renamed(name: FilePath) throws {
    let trial = try trial(beside: [name])
    let part: FilePath = name.description.contains("5") ? "m.005" : "m.004"
    let way = ["m.004.gz", "m.004.ZIP"].contains(name) ? "unpack" : "rename"
    let told: Sentence =
      "m: \(name) may be \(name.bytes.first == 77 ? "M.004" : part), which is not there: \(way) it, "
      + "or \(.last("3")) merges the parts that are there"
    #expect(trial.refusal()?.sentence == told)
    #expect(trial.refusal()?.kind == .missingInput)
    #expect(trial.doubts().contains(.nextIsCopy))
    #expect(trial.refusal(last: 3) == nil)
    #expect(trial.refusal(format: .raw)?.sentence == told)
  }

  @Test("so does one of any form of names", arguments: families.indices)
  func renamedOfForm(family: Int) throws {
    let names = (1...3).map { FilePath(Self.families[family]($0)) }
    // A total says which part is the last.
    if names[0].description.contains("of") { return }
    let files = [(names[0], 3000), (names[1], 3000)].map { ($0.0, Bytes.pattern(count: $0.1)) }
    let trial = try SelectionTrial(files + [(names[2].adding(".bin"), Bytes.pattern(count: 30))])
    // Sizes alone say of some that they are parts.
    guard trial.doubts().contains(.longLast) else { return }
    #expect(trial.doubts().contains(.nextIsCopy), "\(names)")
  }

  @Test(
    "a missing part may be there under another name",
    arguments: ["m.002.txt", "m.2", "m.0002"] as [FilePath]
  )
  func renamedInGap(name: FilePath) throws {
    let bytes = Bytes.pattern(count: 100)
    let trial = try SelectionTrial([("m.001", bytes), ("m.003", bytes), (name, bytes)])
    let told = "1 part is missing: m.002; \(name) may be it: rename it if it is"
    #expect(trial.refusal()?.message.hasSuffix(told) == true, "\(trial.refusal() as Any)")
  }

  @Test("a name may have another form of Unicode") func respelled() throws {
    let bytes = Bytes.pattern(count: 100)
    for (name, other) in [
      ("F\u{FC}nf", "Fu\u{308}nf"), ("e\u{301}", "\u{E9}"), ("F\u{FC}nf", "f\u{DC}NF"),
    ] {
      let parts = ["\(name).001", "\(name).002", "\(other).003"].map { (FilePath($0), bytes) }
      let refusal = try SelectionTrial(parts).refusal()
      #expect(refusal?.kind == .missingInput, "\(refusal as Any)")
      #expect(refusal?.message.contains("\(other).003 may be \(name).003") == true)
    }
  }

  @Test(
    "what is kept beside parts is none of them",
    arguments: [
      ["m.004.md5"], ["m.004.sha256"], ["m.004.sfv"], ["m.004.sum"], ["m.004.asc"],
      ["m.004.sig"], ["m.004.par2"], ["m.004.torrent"], ["m.004.nfo"], ["m.001.txt", "m.004.txt"],
      ["m.001.gz", "m.002.gz", "m.003.gz", "m.004.gz"], ["m.002.TXT", "m.004.txt"], ["m.2", "m.3"],
      ["m.002.part.x", "m.004.part.x"], ["m.004.a-b.asc"],
      ["m.001.txt"], ["m.003.bin"],
    ] as [[FilePath]]
  )
  func companions(names: [FilePath]) throws {
    let trial = try trial(beside: names)
    #expect(trial.refusal() == nil)
    #expect(!trial.doubts().contains(.nextIsCopy))
  }

  @Test(
    "a directory with a part of another width answers as the part does",
    arguments: ["m.4", "m.04", "m.0004"] as [FilePath]
  )
  func directoryWithOther(name: FilePath) throws {
    let trial = try trial(beside: [name])
    let request = Selection.Request(manifest: .none)
    let error = #expect(throws: CleaveError.self) {
      try Selection(of: [trial.directory.path], request)
    }
    #expect(error?.message.contains("\(name) may be m.004, which is not there") == true)
    // Another series is still another one.
    let two = try self.trial(beside: ["m.1", "m.2", "m.3", "m.4"])
    let other = #expect(throws: CleaveError.self) {
      try Selection(of: [two.directory.path], request)
    }
    #expect(other?.message.contains("they are not of one series: name a part") == true)
  }

  @Test(
    "what stands beside a part that is there, too, is told",
    arguments: [
      ("m.002.crdownload", .downloadBeside), ("m.003.part", .downloadBeside),
      ("m (1).002", .copyBeside), ("Copy of m.001", .copyBeside),
    ] as [(FilePath, Doubt.Code)]
  )
  func beside(name: FilePath, code: Doubt.Code) throws {
    let bytes = Bytes.pattern(count: 1000)
    let trial = try SelectionTrial((Self.parts + [name]).map { ($0, bytes) })
    #expect(trial.refusal() == nil)
    #expect(trial.doubts().contains(code))
    #expect(code.severity == .warned)
  }

  @Test(
    "aria2 and axel write under the part's own name",
    arguments: ["m.001.aria2", "m.002.aria2", "m.003.aria2", "m.002.st"] as [FilePath]
  )
  func inPlace(name: FilePath) throws {
    let trial = try trial(beside: [name])
    #expect(trial.doubts().contains(.partIsDownloading))
    #expect(trial.refusal()?.kind == .missingInput)
    #expect(trial.refusal(last: 3) == nil)
  }

  @Test(
    "what is like no part says nothing",
    arguments: [
      "m.part", "m.crdownload", "other.004.part", "m (1)", "m.txt.tmp", "Copy of m", "n (1).004",
      "m.4.part", "m.part.004x",
      ".n.004.AbC123", "m-OTHER-AB12.004", "m (a copy).004",
    ] as [FilePath]
  )
  func others(name: FilePath) throws {
    let trial = try trial(beside: [name])
    #expect(trial.refusal() == nil)
    #expect(trial.doubts() == [.longLast])
  }

  @Test("of letters, a word far away is no part")
  func letters() throws {
    let bytes = Bytes.pattern(count: 10)
    func doubts(_ name: FilePath) throws -> [Doubt.Code] {
      try SelectionTrial([("xaa", bytes), ("xab", bytes), ("xac", bytes), (name, [])]).doubts()
    }
    #expect(try doubts("xzz.tmp") == [.longLast])
    #expect(try doubts("xad.tmp").contains(.nextIsDownloading))
  }

  @Test("a manifest or the names may say that the series is no longer")
  func knownEnd() throws {
    let bytes = Bytes.pattern(count: 500)
    let named = try SelectionTrial([
      ("m.part1of2", bytes), ("m.part2of2", bytes), ("m.part3of2.part", []),
    ])
    #expect(named.refusal() == nil)
    let sums = Self.parts.map { "\(String(repeating: "0", count: 8))  \($0)" }
    let listed = try SelectionTrial(
      Self.parts.map { ($0, bytes) } + [("m.004.part", []), ("m.sfv", Array(listing(sums).utf8))]
    )
    let other = try SelectionTrial(
      Self.parts.map { ($0, bytes) } + [
        ("m.004.bin", []), ("m.5", []), ("m.sfv", Array(listing(sums).utf8)),
      ]
    )
    #expect(other.refusal() == nil)
    #expect(listed.refusal() == nil)
    #expect(!listed.doubts().contains(.nextIsDownloading))
    let copies = ["m (1).001", "m (1).002"].map { (name: FilePath($0), bytes: bytes) }
    let lines = copies.map { "\($0.name) 00000000\n" }.joined()
    let list = (name: "m (1).sfv" as FilePath, bytes: Array(lines.utf8))
    #expect(try SelectionTrial(copies + [("m.003", bytes)]).refusal() != nil)
    #expect(try SelectionTrial(copies + [("m.003", bytes), list]).refusal() == nil)
  }

  @Test("copies of parts that are there, too, are as many and as long, or other files")
  func copiesOfParts() throws {
    let (bytes, other) = (Bytes.pattern(count: 500), Bytes.text(count: 500))
    let plain = Self.parts.map { (name: $0, bytes: bytes) }
    for mark in [" (1)", "_1", " - Copy", " (conflicted copy 2024-01-01)"] {
      let copies = (1...3).map { (name: FilePath("m\(mark).00\($0)"), bytes: bytes) }
      let others = copies.map { (name: $0.name, bytes: other) }
      #expect(try refusal(copies + plain) == nil, "\(mark)")
      #expect(try refusal(copies.prefix(2) + plain)?.kind == .missingInput, "\(mark)")
      #expect(try refusal(others.prefix(2) + plain) == nil, "\(mark)")
      var short = copies
      short[2].bytes.removeLast(100)
      #expect(try refusal(short + plain)?.kind == .badData, "\(mark)")
      #expect(try refusal(copies + plain.prefix(1)) == nil, "\(mark)")
      // Not the next one, but one behind it.
      let gap = [plain[0], (name: "m.004" as FilePath, bytes: bytes)]
      #expect(try refusal(copies.prefix(2) + gap)?.kind == .missingInput, "\(mark)")
      // The first parts of two disks may begin alike.
      #expect(try refusal([copies[0], others[1]] + plain) == nil, "\(mark)")
      // Seen from the other side.
      #expect(try refusal(plain.prefix(2) + copies)?.kind == .missingInput, "\(mark)")
      #expect(try refusal(plain.prefix(2) + others) == nil, "\(mark)")
    }
  }

  private func refusal(_ files: [(name: FilePath, bytes: [UInt8])]) throws -> CleaveError? {
    try SelectionTrial(files).refusal()
  }

  @Test("what is inside may say that the series is no longer")
  func exactEnd() throws {
    let parts = try FormatSample.whole(.sevenZip).cut(into: 3)
    let files = zip(Self.parts, parts).map { (name: $0, bytes: $1) } + [("m.004.part", [])]
    #expect(try SelectionTrial(files).refusal() == nil)
  }

  private func listing(_ sums: [String]) -> String {
    sums.map { line in
      let words = line.split(separator: " ")
      return "\(words[1]) \(words[0])\n"
    }.joined()
  }

  @Test("of split zips, a note of aria2 refuses and other downloads are told")
  func splitZips() throws {
    let parts = try ZipWriter([ZipEntry("a", Bytes.pattern(count: 3000))]).parts(of: 1500)
    let names: [FilePath] = ["a.z01", "a.z02", "a.zip"]
    try #require(parts.count == names.count)
    func trial(_ name: FilePath) throws -> SelectionTrial {
      try SelectionTrial(Array(zip(names, parts)) + [(name, [])])
    }
    #expect(try trial("a.z02.aria2").refusal()?.kind == .missingInput)
    #expect(try trial("a.z03.crdownload").refusal() == nil)
    #expect(try trial("a.z03.crdownload").doubts() == [.downloadBeside])
    #expect(try trial("a (1).z02").doubts() == [.copyBeside])
  }
}
