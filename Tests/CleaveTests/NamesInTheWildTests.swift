import Posix
import TestSupport
import Testing

@testable import Cleave

/// Sets of names as they were seen in public repositories, archives and downloads: found, refused by
/// name, or left alone.
@Suite struct NamesInTheWildTests {
  enum Expectation: Sendable {
    /// Any part finds all of them, in this order.
    case found(NamingStyle.Family, String)
    /// Joining stops and names the program to use instead.
    case refused(String)
    /// They may be parts, and joining stops and names the option that says so.
    case asked(NamingStyle.Family)
    /// Parts whose first ones are missing.
    case begunLater
    /// No series.
    case none
  }

  /// How large the files are.
  enum Sizes: Sendable {
    /// As of a file that was cut: equal but for a shorter last one.
    case cut
    case equal
    /// As of files of their own.
    case own

    func size(_ index: Int, of count: Int) -> Int {
      switch self {
      case .cut: index == count - 1 ? 70 : 200
      case .equal: 200
      case .own: 61 + index * 37 % 101
      }
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let names: [String]
    let sizes: Sizes
    let expectation: Expectation

    var testDescription: String { "\(names[0]) … \(names[names.count - 1]) (\(sizes))" }
  }

  // MARK: The table

  static let rows: [Row] = found + weakFound + refused + asked + begunLater + none

  /// By their names alone, whatever their sizes.
  private static let found: [Row] = [
    // 7-Zip, HJSplit, Total Commander, `split -d`.
    row(.numbers, "film.mkv", ["film.mkv.001", "film.mkv.002", "film.mkv.003"]),
    row(.numbers, "a.7z", numbered(1...12, 3) { "a.7z.\($0)" }),
    row(.numbers, "a.7z", numbered(995...1003, 3) { "a.7z.\($0)" }, from: 1),
    row(.numbers, "a.tar.gz", numbered(0...11, 2) { "a.tar.gz.\($0)" }),
    row(.numbers, "a", numbered(0...3, 4) { "a.\($0)" }),
    row(.numbers, "disk.dd", numbered(1...4, 3) { "disk.dd.\($0)" }),
    row(.numbers, "image.raw", numbered(1...4, 3) { "image.raw.\($0)" }),
    row(.numbers, "a.zip", numbered(1...3, 3) { "a.zip.\($0)" }),
    row(.numbers, "backup.vhdx", numbered(0...3, 2) { "backup.vhdx.\($0)" }),
    row(.numbers, "B.ISO", numbered(1...3, 3) { "B.ISO.\($0)" }),
    row(.numbers, "my file (2020)", numbered(1...3, 3) { "my file (2020).\($0)" }),
    row(.numbers, "x.part1", numbered(1...3, 3) { "x.part1.\($0)" }),
    row(.numbers, "a-b_c.d", numbered(1...3, 5) { "a-b_c.d.\($0)" }),
    row(.numbers, ".hidden", numbered(1...3, 3) { ".hidden.\($0)" }),
    row(.hexadecimal, "dump", (0..<20).map { "dump.\(hexadecimal($0))" }),
    row(.hexadecimal, "dump.bin", (0..<300).map { "dump.bin.0\(hexadecimal($0, 3))" }),
    row(.rcloneChunks, "v.mkv", numbered(1...3, 3) { "v.mkv.rclone_chunk.\($0)" }),
    // Words.
    row(.partWord, "model.bin", numbered(0...11, 1) { "model.bin.part\($0)" }),
    row(.partWord, "game.iso", numbered(0...3, 1) { "game.iso.part\($0)" }),
    row(.partWord, "model.gguf", numbered(1...3, 1) { "model.gguf.part\($0)" }),
    row(.partWord, "db.sql.gz", numbered(1...3, 2) { "db.sql.gz.part\($0)" }),
    row(.partWord, "w.pt", numbered(0...3, 3) { "w.pt.part_\($0)" }),
    row(.partWord, "w.pt", numbered(0...3, 3) { "w.pt-part-\($0)" }),
    row(.partWord, "w", numbered(1...11, 1) { "w_chunk_\($0)" }),
    row(.partWord, "w.bin", numbered(0...3, 4) { "w.chunk\($0).bin" }),
    row(.partWord, "a.7z", numbered(1...3, 1) { "a.7z.split\($0)" }),
    row(.partWord, "a.apk", numbered(1...3, 1) { "a.apk.seg\($0)" }),
    row(.partWord, "w", (0..<20).map { "w.part\(hexadecimal($0))" }),
    row(.ofTotal, "X.gguf", numbered(1...2, 1) { "X.gguf.part\($0)of2" }),
    row(.ofTotal, "X.gguf", numbered(1...9, 1) { "X.gguf-part-\($0)-of-9" }),
    row(.ofTotal, "n.pt", numbered(1...18, 3) { "n-chunk-\($0)-of-018.pt" }),
    row(.ofTotal, "n.bin", numbered(1...18, 3) { "n_split_\($0)_of_018.bin" }),
    row(.ofTotal, "Talk.mov", numbered(1...3, 1) { "Talk (part \($0) of 3).mov" }),
    row(.ofTotal, "Talk.mov", numbered(1...3, 1) { "Talk [Part \($0) of 3].mov" }),
    row(.ofTotal, "f", numbered(1...3, 2) { "f.teil\($0)of03" }),
    // Letters.
    row(.letters, "x", ["xaa", "xab", "xac"]),
    row(.letters, "db.sql", (0..<30).map { "db.sql.\(letters($0, 2))" }),
    row(
      .letters,
      "sda1.ext4-ptcl-img.gz",
      (0..<3).map { "sda1.ext4-ptcl-img.gz.\(letters($0, 2))" }
    ),
    row(.letters, "w", (0..<3).map { "w_\(letters($0, 3))" }),
    row(.letters, "w", (0..<3).map { "w-\(letters($0, 2))" }),
    row(.letters, "p.txt", (0..<3).map { "p-\(letters($0, 2)).txt" }),
    row(.letters, "x.csv", (0..<30).map { "x\(letters($0, 2)).csv" }),
    row(.letters, "m.gguf", ["m.gguf.a", "m.gguf.b", "m.gguf.c"]),
    row(.letters, "disk.img", ["disk.img.a", "disk.img.b"]),
    row(.letters, "film.avi", ["film.avi.__a", "film.avi.__b", "film.avi.__c"]),
    row(.letters, "w.bin", (0..<26).map { "w.bin-\(letters($0, 1))" }),
    row(.partLetters, "X.gguf", ["X.gguf-split-a", "X.gguf-split-b", "X.gguf-split-c"]),
    row(.partLetters, "X.gguf", ["X.gguf-split-a", "X.gguf-split-b"]),
    row(.partLetters, "w.bin", (0..<4).map { "w.bin.part-\(letters($0, 2))" }),
    row(.partLetters, "w.bin", (0..<4).map { "w.bin.part_\(letters($0, 3))" }),
    row(.partLetters, "w.bin", (0..<4).map { "w.bin.part\(letters($0, 1))" }),
    row(.partLetters, "w.bin", (0..<4).map { "w.bin.chunk.\(letters($0, 2))" }),
    row(.partLetters, "w.bin", (0..<4).map { "w.bin_seg_\(letters($0, 1))" }),
    // Disks of game consoles, and raw pieces under the names of a split zip's.
    row(.dumps, "BLES00001", numbered(0...11, 2) { "BLES00001.666\($0)" }),
    row(.dumps, "Game.wbfs", ["Game.wbfs", "Game.wbf1", "Game.wbf2"]),
    row(.dumps, "Game.wbfs", ["Game.wbfs", "Game.wbf1"]),
    row(.dumps, "Game.xci", ["Game.xc0", "Game.xc1", "Game.xc2"]),
    row(.dumps, "Game.nsp", ["Game.ns0", "Game.ns1"]),
    row(.zipPieces, "X.zip", numbered(0...2, 2) { "X.z\($0)" }),
    row(.zipPieces, "X.zip", numbered(0...11, 2) { "X.z\($0)" }),
  ]

  /// Only with the sizes of a file that was cut, since other things have such names, too.
  private static let weakFound: [Row] = [
    row(.digit, "big.iso", numbered(1...12, 1) { "big.iso.\($0)" }, .cut),
    row(.digit, "big.iso", numbered(0...3, 1) { "big.iso.\($0)" }, .cut),
    row(.digit, "lib.so", numbered(1...3, 1) { "lib.so.\($0)" }, .cut),
    row(.partWord, "part", numbered(0...3, 1) { "part\($0)" }, .cut),
    row(.partWord, "part", numbered(1...11, 1) { "part_\($0)" }, .cut),
    row(.partWord, "chunk", numbered(0...11, 1) { "chunk_\($0)" }, .cut),
    row(.partWord, "chunk", numbered(0...11, 3) { "chunk-\($0)" }, .cut),
    row(.partWord, "part", numbered(0...11, 5) { "part-\($0)" }, .cut),
    row(.partWord, "Part", numbered(1...3, 1) { "Part \($0)" }, .cut),
    row(.partWord, "split", numbered(0...3, 2) { "split\($0)" }, .cut),
    row(.partWord, "segment", numbered(0...3, 1) { "segment_\($0)" }, .cut),
    row(.partWord, "chunk.bin", numbered(0...11, 1) { "chunk\($0).bin" }, .cut),
    row(.partWord, "part.zip", numbered(1...3, 1) { "part_\($0).zip" }, .cut),
    row(.partWord, "piece.dat", numbered(0...3, 3) { "piece-\($0).dat" }, .cut),
    row(.partWord, "f", numbered(1...3, 1) { "f.p\($0)" }, .cut),
    row(.partWord, "f", numbered(1...3, 1) { "f.pt\($0)" }, .cut),
    row(.partWord, "f", numbered(1...3, 1) { "f.parte\($0)" }, .cut),
    row(.partWord, "f", numbered(1...3, 1) { "f.partie\($0)" }, .cut),
    row(.partWord, "f", numbered(1...3, 1) { "f.teil\($0)" }, .cut),
    row(.partWord, "f", numbered(1...3, 1) { "f.vol\($0)" }, .cut),
    row(.partWord, "f", numbered(1...3, 1) { "f.deel\($0)" }, .cut),
    row(.partWord, "backup.tar", numbered(1...3, 3) { "backup.tar.vol\($0)" }, .cut),
    row(.partWord, "backup.tar", numbered(1...3, 1) { "backup_volume_\($0).tar" }, .cut),
    row(.partWord, "f.avi", numbered(1...3, 1) { "f.teil\($0).avi" }, .cut),
    row(.partWord, "f.mkv", numbered(1...3, 1) { "f - Part \($0).mkv" }, .cut),
    row(.partWord, "f.mkv", numbered(1...3, 1) { "f part \($0).mkv" }, .cut),
    row(.partWord, "f.mkv", numbered(1...3, 2) { "f Part\($0).mkv" }, .cut),
    row(.numbers, "f.bin", numbered(1...3, 3) { "f.\($0).bin" }, .cut),
    row(.numbers, "f.mkv", numbered(1...3, 3) { "f.\($0).mkv" }, .cut),
    row(.numbers, "p.txt", numbered(0...11, 2) { "p.\($0).txt" }, .cut),
    row(.numbers, "p.tar.gz", numbered(0...3, 2) { "p.\($0).tar.gz" }, .cut),
    row(.digit, "f.bin", numbered(1...3, 1) { "f.\($0).bin" }, .cut),
    row(.digit, "f.bin", numbered(1...12, 1) { "f.\($0).bin" }, .cut),
    row(.digit, "f.bin", numbered(0...12, 1) { "f.\($0).bin" }, .cut),
    row(.dashDigits, "f.bin", numbered(1...3, 3) { "f_\($0).bin" }, .cut),
    row(.dashDigits, "f.bin", numbered(0...12, 1) { "f-\($0).bin" }, .cut),
    row(.dashDigits, "f", numbered(1...12, 1) { "f-\($0)" }, .cut),
    row(.dashDigits, "f", numbered(0...12, 2) { "f-\($0)" }, .cut),
    row(.dashDigits, "f", numbered(1...12, 3) { "f_\($0)" }, .cut),
    row(.dashDigits, "f", (0..<20).map { "f-\(hexadecimal($0))" }, .cut),
    row(.dashDigits, "backup.tar.gz", numbered(0...3, 2) { "backup.tar.gz_\($0)" }, .cut),
    row(.dashDigits, "VTS_01.VOB", numbered(1...3, 1) { "VTS_01_\($0).VOB" }, .cut),
    row(.digits, "x", numbered(0...12, 2) { "x\($0)" }, .cut),
    row(.digits, "x", (0..<20).map { "x\(hexadecimal($0))" }, .cut),
    row(.digits, "x.csv", numbered(0...12, 2) { "x\($0).csv" }, .cut),
    row(.digits, "x.cs", numbered(0...12, 4) { "x\($0).cs" }, .cut),
    row(.digits, "x.csv", (0..<20).map { "x\(hexadecimal($0)).csv" }, .cut),
    // A directory called X.nsp, as some consoles have it.
    row(.digits, "00", numbered(0...12, 2) { "\($0)" }, .cut),
    row(.ofTotal, "f.mkv", numbered(1...3, 1) { "f.\($0)of3.mkv" }, .cut),
    row(.ofTotal, "f.mkv", numbered(1...3, 1) { "f.\($0)of3.mkv" }, .equal),
    row(.ofTotal, "f", numbered(1...3, 1) { "f-\($0)of3" }, .cut),
    row(.ofTotal, "f.mkv", numbered(1...3, 1) { "f (\($0) of 3).mkv" }, .cut),
    row(.ofTotal, "f.mkv", numbered(1...12, 1) { "f (\($0) of 12).mkv" }, .cut),
    row(.ofTotal, "f.bin", numbered(1...3, 5) { "f-\($0)-of-00003.bin" }, .cut),
    row(.ofTotal, "f", numbered(0...9, 5) { "f-\($0)-of-00010" }, .cut),
    row(.ofTotal, "f.tfrecord", numbered(0...9, 5) { "f-\($0)-of-00010.tfrecord" }, .cut),
  ]

  private static let refused: [Row] = [
    no("GGUF", numbered(1...3, 5) { "m-\($0)-of-00003.gguf" }),
    no("shard of a model", numbered(1...3, 5) { "model-\($0)-of-00003.safetensors" }),
    no("shard of a model", numbered(1...2, 5) { "model.fp16-\($0)-of-00002.safetensors" }),
    no("shard of a model", numbered(1...2, 5) { "pytorch_model-\($0)-of-00002.bin" }),
    no("shard of a model", numbered(1...2, 5) { "diffusion_pytorch_model-\($0)-of-00002.bin" }),
    no("shard of a model", numbered(1...2, 5) { "tf_model-\($0)-of-00002.h5" }),
    no("shard of a model", numbered(1...2, 5) { "flax_model-\($0)-of-00002.msgpack" }),
    no("shard of a model", numbered(0...3, 2) { "consolidated.\($0).pth" }),
    no("TensorFlow", numbered(0...2, 5) { "variables.data-\($0)-of-00003" }),
    no("TensorFlow", numbered(0...0, 5) { "model.ckpt-9.data-\($0)-of-00001" }),
    no("data set", numbered(0...2, 5) { "train-\($0)-of-00003.parquet" }),
    no("data set", numbered(0...2, 5) { "data-\($0)-of-00003.arrow" }),
    no("unrar", numbered(1...3, 1) { "a.part\($0).rar" }),
    no("unrar", numbered(1...3, 2) { "a.part\($0).rar" }),
    no("unrar", ["a.rar", "a.r00", "a.r01"]),
    no("unrar", ["a.r98", "a.r99", "a.s00"]),
    no("wimlib", ["install.swm", "install2.swm", "install3.swm"]),
    no("ewfexport", ["disk.E01", "disk.E02", "disk.E03"]),
    no("ewfexport", ["disk.Ex01", "disk.Ex02"]),
    no("ewfexport", ["files.L01", "files.L02"]),
    no("arj", ["a.a01", "a.a02"]),
    no("arj", ["a.a00", "a.a01"]),
    no("unace", ["a.c00", "a.c01"]),
    no("innoextract", ["setup-1.bin", "setup-2.bin", "setup-3.bin"]),
    no("innoextract", ["setup_game_1.2_(64bit)-1.bin", "setup_game_1.2_(64bit)-2.bin"]),
    no("innoextract", ["setup-1a.bin", "setup-1b.bin"]),
    no("simg2img", ["super.img_sparsechunk.0", "super.img_sparsechunk.1"]),
    no("simg2img", ["system.img_sparsechunk1", "system.img_sparsechunk2"]),
    no("simg2img", ["oem_sparsechunk.0.img", "oem_sparsechunk.1.img"]),
    no("VMware", ["disk-s001.vmdk", "disk-s002.vmdk"]),
    no("VMware", ["disk-f001.vmdk", "disk-f002.vmdk"]),
    no("hdiutil", ["image.002.dmgpart", "image.003.dmgpart"]),
    no("GSplit", ["disk1.gsd", "disk2.gsd"]),
    no("unpack", ["takeout-20250101T000000Z-001.zip", "takeout-20250101T000000Z-002.zip"]),
  ]

  private static let asked: [Row] = [
    ask(.digit, ["syslog.1", "syslog.2", "syslog.3"]),
    ask(.digit, ["backup.tar.gz.1", "backup.tar.gz.2"]),
    ask(.digit, ["ls.1", "ls.2"]),
    ask(.digit, ["lib.so.1", "lib.so.2"]),
    ask(.partWord, ["part1", "part2", "part3"]),
    ask(.partWord, ["chunk_0", "chunk_1", "chunk_2"]),
    ask(.partWord, ["fix.p1", "fix.p2", "fix.p3"]),
    ask(.partWord, ["book.vol1", "book.vol2", "book.vol3"]),
    ask(.digits, ["x00", "x01", "x02"]),
    ask(.digits, ["node00", "node01", "node02"]),
    ask(.dashDigits, ["dump-00", "dump-01", "dump-02"]),
    ask(.dashDigits, ["release_01", "release_02", "release_03"]),
  ]

  private static let none: [Row] = [
    left(["IMG_001.jpg", "IMG_002.jpg", "IMG_003.jpg"]),
    left(["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.JPG"]),
    left(numbered(1...9, 4) { "frame_\($0).bmp" }, .equal),
    left(numbered(0...9, 4) { "frame\($0).dpx" }, .equal),
    left(["DSC00001.ARW", "DSC00002.ARW"]),
    left(["GH010001.MP4", "GH020001.MP4"], .cut),
    left(["GX010042.MP4", "GX020042.MP4", "GX030042.MP4"], .cut),
    left(["GOPR0001.MP4", "GP010001.MP4", "GP020001.MP4"], .cut),
    left(["song 01.mp3", "song 02.mp3", "song 03.mp3"]),
    left(["01 - Intro.mp3", "02 - Song.mp3"]),
    left(["01.mp3", "02.mp3", "03.mp3"]),
    left(["chapter01.txt", "chapter02.txt", "chapter03.txt"]),
    left(["chapter-1.md", "chapter-2.md", "chapter-3.md"]),
    left(["page.1.html", "page.2.html", "page.3.html"]),
    left(["v1.2.tar.gz", "v1.3.tar.gz"]),
    left(["app-1.0.zip", "app-1.1.zip", "app-1.2.zip"]),
    left(["app-1.0.1.zip", "app-1.0.2.zip"]),
    left(["report-2023", "report-2024", "report-2025"]),
    left(["report-2023.pdf", "report-2024.pdf"]),
    left(["log-20250101.txt", "log-20250102.txt"]),
    left(["access_log-20250101.gz", "access_log-20250108.gz"]),
    left(["nt.00.tar.gz", "nt.01.tar.gz", "nt.02.tar.gz"]),
    left(["Lecture 1 of 3.mp4", "Lecture 2 of 3.mp4", "Lecture 3 of 3.mp4"]),
    left(["Film - Part 1.mkv", "Film - Part 2.mkv"]),
    left(["Film - Part 1.mkv", "Film - Part 2.mkv", "Film - Part 3.mkv"]),
    left(["part1.txt", "part2.txt", "part3.txt"]),
    left(["part1.zip", "part2.zip"]),
    left(["chunk0.json", "chunk1.json", "chunk2.json"]),
    left(["f-1", "f-2", "f-3"]),
    left(["photo-1", "photo-2"]),
    left(["photo (1).jpg", "photo (2).jpg"]),
    left(["a.001.part", "a.002.part", "a.003.part"], .cut),
    left(["a.001.md5", "a.002.md5", "a.003.md5"], .cut),
    left(["a.001.crdownload", "a.002.crdownload"], .cut),
    left(["main.c", "main.h", "main.o"]),
    left(["foo.a", "foo.c", "foo.h"]),
    left(["libx.a", "liby.a"]),
    left(["notes.b", "notes.c"]),
    left(["data", "date", "dawn"]),
    left(["readme.md", "license.md"]),
    left(["aa", "bb"]),
    left(["x01", "x02", "x03"]),
    left(["disk2.img", "disk3.img"]),
    left(["sha256", "sha512"]),
    left(["host1", "host2"]),
    left(["a.mp3", "a.mp4"]),
    left(["archive.zip", "archive2.zip"]),
    left(["X.z01", "X.z02", "X.zip"]),
    left(["X.zx01", "X.zipx"]),
    left(["X.z01", "X.z02"]),
    left(["x.wbfs"]),
    left(["x.66601", "x.66602"].map { "q\($0).txt" }),
    left(["table.csv", "table2.csv"]),
    left(["fig1.png", "fig2.png", "fig10.png"]),
    left(["scan0001.tif", "scan0002.tif"]),
    left(["2025-01-01.log", "2025-01-02.log"]),
    left(["cafe.txt", "cafd.txt"]),
    left(["party", "partz"]),
    left(["a.party", "a.parts"]),
  ]

  private static let begunLater: [Row] = [
    Row(names: ["python3.9", "python3.10"], sizes: .own, expectation: .begunLater),
    Row(names: ["log.20250101", "log.20250102"], sizes: .own, expectation: .begunLater),
    Row(names: ["film.002", "film.003"], sizes: .own, expectation: .begunLater),
    Row(names: ["xab", "xac", "xad"], sizes: .own, expectation: .begunLater),
    Row(names: ["db.sql.ab", "db.sql.ac"], sizes: .own, expectation: .begunLater),
    Row(names: ["v.part2.mp4", "v.part3.mp4"], sizes: .own, expectation: .begunLater),
  ]

  // MARK: Tests

  @Test("there are at least 150 sets of names")
  func size() { #expect(Self.rows.count >= 150) }

  @Test("sets of names are found from any part, refused by name, or left alone", arguments: rows)
  func names(row: Row) throws {
    let directory = try TemporaryDirectory()
    let seed = SeededGenerator.seed
    var random = SeededGenerator(seed: seed)
    for (index, name) in row.names.enumerated().shuffled(using: &random) {
      let size = row.sizes.size(index, of: row.names.count)
      try directory.make(FilePath(name), Array(repeating: 7, count: size))
    }
    let names = row.names.map { FilePath($0) }
    let some = [names[0], names[names.count / 2], names[names.count - 1]]
    for name in some + [names.randomElement(using: &random) ?? names[0]] {
      try look(at: name, of: names, row, directory, "\(name), seed \(seed)")
    }
  }

  private func look(
    at name: FilePath,
    of names: [FilePath],
    _ row: Row,
    _ directory: TemporaryDirectory,
    _ comment: Comment
  ) throws {
    let path = directory(name)
    let series = try PartSeries.containing(path)
    switch row.expectation {
    case .found(let family, let whole):
      let found = try #require(series, comment)
      #expect(found.family == family, comment)
      #expect(found.base == directory(FilePath(whole)), comment)
      #expect(found.parts.map(\.path) == names.map { directory($0) }, comment)
      #expect(throws: Never.self, comment) { try found.requireComplete() }
      // Nothing in these files is what the names of archives tell.
      let isArchive = [".7z", ".gz"].contains { whole.hasSuffix($0) }
      let format: PartFormat = isArchive ? .raw : .auto
      let request = Selection.Request(manifest: .none, format: format)
      let selection = try Selection(of: [path], request)
      #expect(selection.files?.map(\.path) == names.map { directory($0) }, comment)
      let part = try SeriesDirectory(directory.path).onlyPart().path
      #expect(try PartSeries.containing(part)?.base == found.base, comment)
    case .refused(let tool):
      #expect(series == nil, comment)
      let error = #expect(throws: CleaveError.self, comment) { try NamingStyle.refuse(path) }
      #expect(error?.kind == .badData, comment)
      #expect(error?.message.contains(tool) == true, comment)
    case .asked(let family):
      #expect(series?.family == family, comment)
      let error = #expect(throws: CleaveError.self, comment) {
        try Selection(of: [path], Selection.Request(manifest: .none))
      }
      #expect(error?.remedies.contains(.family(family)) == true, comment)
      let given = try PartSeries.containing(path, as: family)
      #expect(given?.parts.map(\.path) == names.map { directory($0) }, comment)
    case .begunLater:
      let found = try #require(series, comment)
      let error = #expect(throws: CleaveError.self, comment) { try found.requireComplete() }
      #expect(error?.kind == .missingInput, comment)
    case .none: #expect(series == nil, comment)
    }
  }
}

// MARK: - Rows

private typealias Row = NamesInTheWildTests.Row

/// - Parameter first: the number of a first part that is to be there, too, and all up to the others.
private func row(
  _ family: NamingStyle.Family,
  _ whole: String,
  _ names: [String],
  _ sizes: NamesInTheWildTests.Sizes = .cut,
  from first: Int? = nil
) -> Row {
  let front = first.map { numbered($0...994, 3) { "a.7z.\($0)" } } ?? []
  return Row(names: front + names, sizes: sizes, expectation: .found(family, whole))
}

private func no(_ tool: String, _ names: [String]) -> Row {
  Row(names: names, sizes: .cut, expectation: .refused(tool))
}

private func ask(_ family: NamingStyle.Family, _ names: [String]) -> Row {
  Row(names: names, sizes: .own, expectation: .asked(family))
}

private func left(_ names: [String], _ sizes: NamesInTheWildTests.Sizes = .own) -> Row {
  Row(names: names, sizes: sizes, expectation: .none)
}

private func numbered(
  _ numbers: ClosedRange<Int>,
  _ width: Int,
  _ name: (String) -> String
) -> [String] {
  numbers.map { number in
    name(String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)")
  }
}

private func hexadecimal(_ number: Int, _ width: Int = 2) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func letters(_ number: Int, _ width: Int) -> String {
  String(decoding: PartAlphabet.letters.digits(of: Int64(number), width: width), as: UTF8.self)
}
