import Posix
import TestSupport
import Testing

@testable import Cleave

/// What a directory stands for.
@Suite struct SeriesDirectoryTests {
  private let film: [FilePath] = ["film.001", "film.002", "film.003"]
  /// What may be parts, and most often is not.
  private let others: [FilePath] = [
    "IMG_001.jpg", "IMG_002.jpg", "log.1", "log.2", "x00", "x01", "log.20250101", "log.20250102",
    "._film.001", "film.sfv", "readme.txt", "data.aa.gz", "main.c", "main.h",
  ]

  private func make(_ names: [FilePath], in directory: TemporaryDirectory) throws {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for name in names.shuffled(using: &random) { try directory.make(name, [1, 2]) }
  }

  @Test("a certain series goes before names that are only perhaps parts")
  func certainFirst() throws {
    let directory = try TemporaryDirectory()
    try make(film + others, in: directory)
    #expect(try SeriesDirectory(directory.path).onlyPart().path == directory("film.001"))
    #expect(try SeriesDirectory(directory.path).allParts() == [directory("film.001")])
    #expect(try SeriesDirectory(directory.path, as: .digit).onlyPart().path == directory("log.1"))
  }

  @Test(
    "another copy of one part is no series of its own",
    arguments: [
      "film (1).002", "film (1).001", "film 2.001", "film - Copy.001", "Copy of film.001",
    ]
  )
  func copies(_ name: String) throws {
    let directory = try TemporaryDirectory()
    try make(film + [FilePath(name)], in: directory)
    #expect(try SeriesDirectory(directory.path).allParts() == [directory("film.001")])
    // A second download of all parts is one.
    let second: [FilePath] = ["film (1).001", "film (1).002", "film (1).003"]
    for other in second where other != FilePath(name) { try directory.make(other, [1, 2]) }
    #expect(
      try SeriesDirectory(directory.path).allParts().contains(directory("film (1).001"))
    )
  }

  @Test(
    "what programs and people keep beside a part is no series of its own",
    arguments: [
      "film.part2of3.mkv:Zone.Identifier", ".film.part2of3.mkv.swp", ".film.part2of3.mkv.Xa3f9b",
      ".~lock.film.part2of3.mkv#", "film.part2of3.jpg", "film.part2of3.en.srt",
      "film.part2of3.mkv.jpg",
    ]
  )
  func besideParts(_ name: String) throws {
    let directory = try TemporaryDirectory()
    let parts = (1...3).map { FilePath("film.part\($0)of3.mkv") }
    try make(parts + [FilePath(name)], in: directory)
    #expect(try SeriesDirectory(directory.path).onlyPart().path == directory(parts[0]))
    #expect(try SeriesDirectory(directory.path).allParts() == [directory(parts[0])])
    // Beside none of them, it is one part of others.
    try FileSystem.unlink(directory(parts[1]))
    let found = try SeriesDirectory(directory.path).allParts()
    #expect(found == [directory(parts[0])] || found.contains(directory(FilePath(name))))
  }

  @Test("letters are no part of what is counted in digits", arguments: ["de", "aa", "b"])
  func lettersBesideDigits(_ ending: String) throws {
    let directory = try TemporaryDirectory()
    try make(film + ["film.\(ending)"].map { FilePath($0) }, in: directory)
    #expect(try SeriesDirectory(directory.path).onlyPart().path == directory("film.001"))
    #expect(try SeriesDirectory(directory.path).allParts() == [directory("film.001")])
  }

  @Test("a zip that is called a part is none of others beside a series")
  func zipCalledPart() throws {
    let directory = try TemporaryDirectory()
    try make(film + ["pictures.part1.zip"], in: directory)
    #expect(try SeriesDirectory(directory.path).onlyPart().path == directory("film.001"))
  }

  @Test("one part that is left of others, by a list or a split zip, is a series beside another")
  func oneThatIsLeft() throws {
    for others in [["disc.z01", "disc.zip"], ["b.001", "b.sfv"]] as [[FilePath]] {
      let directory = try TemporaryDirectory()
      try make(film + others, in: directory)
      try directory.make("b.sfv", Array("b.001 00000000\nb.002 00000000\n".utf8))
      let error = #expect(throws: CleaveError.self) {
        try SeriesDirectory(directory.path).onlyPart()
      }
      #expect(error?.kind == .badData)
      #expect(error?.message.contains("has the parts of 2 files in it") == true)
    }
  }

  @Test("two certain series are refused, and each has a part among all")
  func severalCertain() throws {
    let directory = try TemporaryDirectory()
    try make(
      film + others + ["disc.z01", "disc.z02", "disc.zip", "a.part1of2", "a.part2of2"],
      in: directory
    )
    let found = try SeriesDirectory(directory.path)
    let error = #expect(throws: CleaveError.self) { try found.onlyPart() }
    #expect(error?.kind == .badData)
    let told: Sentence =
      "has the parts of 3 files in it, a, disc, film: name a part of one, or \(.each) merges all of "
      + "them"
    #expect(error?.text == told)
    #expect(
      try found.allParts() == ["a.part1of2", "disc.z01", "film.001"].map { directory($0) }
    )
  }

  @Test("what is found by itself is found beside others, or told of")
  func besideOthers() throws {
    let directory = try TemporaryDirectory()
    let gzip = FormatSample.gzip(Bytes.pattern(count: 3000))
    for (index, bytes) in gzip.cut(into: 3).enumerated() {
      try directory.make(FilePath("a.gz-0\(index)"), bytes)
    }
    let zip = try ZipWriter(ZipEntry.samples).single()
    for (index, bytes) in zip.cut(into: 3).enumerated() {
      try directory.make(FilePath("b.zip.\(index + 1)"), bytes)
    }
    for number in 1...2 {
      try directory.make(FilePath("d-0\(number)"), [1, 2])
      try directory.make(FilePath("d-0\(number).md5"), [1, 2])
    }
    // Each of these is a whole.
    for number in 1...3 { try directory.make(FilePath("c.tar.gz.\(number)"), gzip) }
    try make(film + others, in: directory)
    let found = try SeriesDirectory(directory.path)
    let expected = ["a.gz-00", "b.zip.1", "d-01", "film.001"].map { directory($0) }
    #expect(try found.allParts() == expected)
    #expect(throws: CleaveError.self) { try found.onlyPart() }
    #expect(found.likelyParts() == ["c.tar.gz.1", "log.1", "x00"].map { directory($0) })
    // Also where a part of it was cut short.
    try directory.make("b.zip.2", [1])
    #expect(try SeriesDirectory(directory.path).allParts() == expected)
  }

  @Test("a part that tells how many there are is no stray")
  func otherTotal() throws {
    let directory = try TemporaryDirectory()
    let pair: [FilePath] = ["x (part 1 of 2).bin", "x (part 2 of 2).bin"]
    try make(pair + ["y.001"], in: directory)
    #expect(try SeriesDirectory(directory.path).onlyPart().path == directory(pair[0]))
    try directory.make("Copy of x (part 1 of 2).bin", [1])
    #expect(try SeriesDirectory(directory.path).onlyPart().path == directory(pair[0]))
    try directory.make("x (part 3 of 3).bin", [1])
    let error = #expect(throws: CleaveError.self) {
      try SeriesDirectory(directory.path).onlyPart()
    }
    #expect(error?.message.contains("has the parts of 2 files in it") == true)
  }

  @Test("a directory is no part")
  func directories() throws {
    let directory = try TemporaryDirectory()
    try Files.makeDirectory(directory("old.001"))
    #expect(throws: CleaveError.self) { try SeriesDirectory(directory.path).allParts() }
    #expect(throws: CleaveError.self) { try SeriesDirectory(directory.path).onlyPart() }
    try make(film, in: directory)
    #expect(try SeriesDirectory(directory.path).allParts() == [directory("film.001")])
    #expect(try SeriesDirectory(directory.path).onlyPart().path == directory("film.001"))
  }

  @Test(
    "where none is certain, those are found that the sizes bear out; a first part makes one certain"
  )
  func likely() throws {
    let directory = try TemporaryDirectory()
    for (name, size) in [("f_01.bin", 200), ("f_02.bin", 200), ("f_03.bin", 50)] {
      try directory.make(FilePath(name), Array(repeating: 1, count: size))
    }
    for (name, size) in [("IMG_01.jpg", 200), ("IMG_02.jpg", 370), ("IMG_03.jpg", 50)] {
      try directory.make(FilePath(name), Array(repeating: 1, count: size))
    }
    #expect(try SeriesDirectory(directory.path).onlyPart().path == directory("f_01.bin"))
    #expect(try SeriesDirectory(directory.path).allParts() == [directory("f_01.bin")])
    try make(["xaa", "xab"], in: directory)
    #expect(throws: CleaveError.self) { try SeriesDirectory(directory.path).onlyPart() }
    try make(["film.001", "film.002"], in: directory)
    #expect(throws: CleaveError.self) { try SeriesDirectory(directory.path).onlyPart() }
    #expect(
      try SeriesDirectory(directory.path).allParts()
        == ["f_01.bin", "film.001", "xaa"].map { directory($0) }
    )
  }

  @Test(
    "a certain series keeps no other one out that a manifest or the sizes bear out",
    arguments: [
      (["p_001", "p_002"], [7, 9], "p.sfv", true), (["p_001", "p_002"], [7, 9], nil, false),
      (["q.0", "q.1", "q.2"], [500, 500, 20], nil, true),
      (["q.0", "q.1", "q.2"], [500, 510, 20], nil, false),
      (["IMG_001.jpg", "IMG_002.jpg", "IMG_003.jpg"], [5012, 4970, 5381], nil, false),
      (["ch01.mp3", "ch02.mp3", "ch03.mp3"], [6000, 7000, 5000], "SHA256SUMS", false),
    ] as [([FilePath], [Int], FilePath?, Bool)]
  )
  func weakerBesideCertain(names: [FilePath], sizes: [Int], manifest: FilePath?, isFound: Bool)
    throws
  {
    let directory = try TemporaryDirectory()
    try make(film, in: directory)
    for (name, size) in zip(names, sizes) {
      try directory.make(name, Array(repeating: 1, count: size))
    }
    if let manifest { try directory.make(manifest, []) }
    let all = try SeriesDirectory(directory.path).allParts()
    let found = [directory("film.001")] + (isFound ? [directory(names[0])] : [])
    #expect(all == found.sorted())
    if isFound {
      let error = #expect(throws: CleaveError.self) {
        try SeriesDirectory(directory.path).onlyPart()
      }
      #expect(error?.message.contains("has the parts of 2 files in it") == true)
    } else {
      #expect(try SeriesDirectory(directory.path).onlyPart().path == directory("film.001"))
    }
  }

  @Test("parts of two series of one name have a part of each among all")
  func twoWidths() throws {
    let directory = try TemporaryDirectory()
    try make(["a.01", "a.02", "a.001", "a.002"], in: directory)
    #expect(throws: CleaveError.self) { try SeriesDirectory(directory.path).onlyPart() }
    #expect(
      try SeriesDirectory(directory.path).allParts() == ["a.001", "a.01"].map { directory($0) }
    )
  }

  @Test(
    "a directory without parts says so, or why its files are not joined",
    arguments: [
      (["readme.txt", "main.c"], CleaveError.Kind.missingInput, "has no parts in it"),
      (["IMG_1.jpg", "IMG_2.jpg"], .missingInput, "has no parts in it"),
      (["f.001.mkv", "f.002.mkv"], .missingInput, "would take 2 files where f.001.mkv is named"),
      ([], .missingInput, "has no parts in it"),
      (["x", "x.001", "y", "y.001"], .missingInput, "alone beside its whole, as x.001 beside x"),
      (
        ["m-00001-of-00002.safetensors", "m-00002-of-00002.safetensors"], .badData,
        "is a shard of a model"
      ),
      (["a.part1.rar", "a.part2.rar"], .badData, "'unrar x'"),
    ] as [([FilePath], CleaveError.Kind, String)]
  )
  func nothing(names: [FilePath], kind: CleaveError.Kind, message: String) throws {
    let directory = try TemporaryDirectory()
    try make(names, in: directory)
    for all in [false, true] {
      let error = #expect(throws: CleaveError.self) {
        let found = try SeriesDirectory(directory.path)
        _ = all ? try found.allParts() : [try found.onlyPart().path]
      }
      #expect(error?.kind == kind)
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
  }

  @Test("names that two of three readings share are those of most")
  func mostNames() throws {
    let directory = try TemporaryDirectory()
    try make(["x.part1.001", "x.part1.002", "x.part1.003"], in: directory)
    let part = try SeriesDirectory(directory.path).onlyPart().path
    #expect(try PartSeries.containing(part)?.base == directory("x.part1"))
  }

  @Test(
    "a number that more names differ in than each series has parts hides none",
    arguments: [
      "show.s01e#.mkv", "disk0#.iso", "backup-0#.tar", "backup_0#.tar.gz", "photos-202#.zip",
      "0#.mkv", "e0#.gz", "#",
    ]
  )
  func numberedWholes(form: String) throws {
    let directory = try TemporaryDirectory()
    let wholes = ["1", "2", "3"].map { form.replacing("#", with: $0) }
    try make(
      wholes.flatMap { ["\($0).001", "\($0).002"].map { FilePath($0) } } + film,
      in: directory
    )
    let found = try SeriesDirectory(directory.path).allParts()
    let all = ["film.001"] + wholes.map { FilePath("\($0).001") }
    #expect(found == all.sorted().map { directory($0) })
    #expect(throws: CleaveError.self) { try SeriesDirectory(directory.path).onlyPart() }
  }

  @Test("series of letters are all found, however many there are", arguments: ["aa", "00"])
  func manySeries(first: String) throws {
    let directory = try TemporaryDirectory()
    let second = first == "aa" ? "ab" : "01"
    let heads = (10..<60).map { "s\($0)q" }
    try make(
      heads.flatMap { [FilePath("\($0)\(first)"), FilePath("\($0)\(second)")] },
      in: directory
    )
    let found = try SeriesDirectory(directory.path).allParts()
    #expect(found == heads.map { directory(FilePath("\($0)\(first)")) })
  }

  @Test("the time for a directory grows with its names, not faster")
  func cost() throws {
    let directory = try TemporaryDirectory()
    try make(film, in: directory)
    func seconds(_ count: Int) throws -> Double {
      let photos = (0..<count).map { FilePath("IMG_\($0)-some-longer-name.jpg") }
      let listing = DirectoryListing(directory.path, names: photos + film)
      var part: FilePath?
      let seconds = try ProcessorTime.seconds {
        part = try SeriesDirectory(listing).onlyPart().path
      }
      #expect(part == directory("film.001"))
      return seconds
    }
    let (few, many) = (try seconds(1000), try seconds(16_000))
    #expect(many < 64 * max(few, 0.01), "\(few) s, \(many) s")
  }
}
