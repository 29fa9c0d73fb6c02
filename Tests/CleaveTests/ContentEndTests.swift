import Posix
import TestSupport
import Testing

@testable import Cleave

/// What is inside of the parts tells whether the last one is there.
@Suite struct ContentEndTests {
  private static let file = UInt8(ascii: "0")
  private static let body = Bytes.pattern(count: 3000).map { $0 | 1 }

  private static let complete: [(String, [UInt8])] =
    [
      ("tar", FormatSample.tar([(file, body), (file, body)])),
      ("tar of before POSIX", FormatSample.tar([(file, body), (file, body)], isOld: true)),
      ("tar with one record of zeros", FormatSample.tar([(file, body)], zeros: 1)),
      ("tar with bytes behind its end", FormatSample.tar([(file, body)]) + body),
      ("tar of links and directories", FormatSample.tar([(50, []), (53, []), (file, body)])),
      (
        "tar of more entries than are looked at",
        FormatSample.tar(Array(repeating: (file, [1]), count: 1200))
      ),
      ("gzip", FormatSample.gzip(body)),
      ("gzip behind gzip", FormatSample.gzip(body) + FormatSample.gzip([7])),
      ("bgzip", FormatSample.blockedGzip(members: 5)),
      ("gzip, padded as on a tape", FormatSample.gzip(body) + [UInt8](repeating: 0, count: 512)),
      ("MP4 of an unknown length", video(body: 0)), ("MP4 with bytes behind it", video() + body),
      ("WAV as written to a pipe", riff(size: .max) + body),
      ("WAV with bytes behind it", riff() + body + body),
      ("Matroska of an unknown length", matroska([0xFF]) + body),
      ("Matroska with bytes behind it", matroska([0x4B, 0xB8]) + body + body),
      ("safetensors with bytes behind it", tensors + body + body),
    ] + told

  /// Of which the start tells where the end is.
  private static let told: [(String, [UInt8])] = [
    ("MP4", video()), ("MP4 with a size of 64 bits", video(body: 1)), ("WAV", riff() + body),
    ("Matroska", matroska([0x4B, 0xB8]) + body),
    ("Matroska with a size of 8 bytes", matroska([1, 0, 0, 0, 0, 0, 0x0B, 0xB8]) + body),
    ("safetensors", tensors + body), ("CD image", volume + body),
    ("SQLite", pages + body.dropLast(100)),
  ]

  private static func bigEndian(_ number: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func littleEndian(_ number: Int, _ count: Int = 4) -> [UInt8] {
    bigEndian(number, count).reversed()
  }

  /// - Parameter body: what is in the place of the last box's size; nil for that.
  private static func video(body size: Int? = nil) -> [UInt8] {
    let type = Array("ftypisom".utf8)
    let long = size == 1 ? bigEndian(16 + body.count, 8) : []
    return bigEndian(12) + type + bigEndian(size ?? 8 + body.count) + Array("mdat".utf8) + long
      + body
  }

  private static func riff(size: Int? = nil) -> [UInt8] {
    let size = size == nil ? 4 + body.count : Int(UInt32.max)
    return Array("RIFF".utf8) + littleEndian(size) + Array("WAVE".utf8)
  }

  private static func matroska(_ size: [UInt8]) -> [UInt8] {
    [0x1A, 0x45, 0xDF, 0xA3, 0x83, 1, 2, 3, 0x18, 0x53, 0x80, 0x67] + size
  }

  /// Blocks of 2 bytes, since most have as many of 2048 as these have bytes.
  private static let volume: [UInt8] = {
    let blocks = (32_900 + body.count) / 2
    var bytes = [UInt8](repeating: 0, count: 32_768) + [1] + Array("CD001\u{1}".utf8)
    bytes += [UInt8](repeating: 0, count: 73) + littleEndian(blocks) + bigEndian(blocks)
    bytes += [UInt8](repeating: 0, count: 40) + littleEndian(2, 2) + bigEndian(2, 2)
    return bytes
  }()

  private static let pages: [UInt8] =
    Array("SQLite format 3\0".utf8) + bigEndian(500, 2) + [UInt8](repeating: 0, count: 6)
    + bigEndian(7) + bigEndian(6) + [UInt8](repeating: 0, count: 60) + bigEndian(7) + bigEndian(0)

  private static let tensors: [UInt8] = {
    let text =
      #"{"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"#
      + #""b":{"dtype":"U8","shape":[2999],"data_offsets": [1,3000]}}"#
    return littleEndian(text.utf8.count, 8) + Array(text.utf8)
  }()

  @Test(
    "a film or a model that lacks its last part is refused, also where all parts are full",
    arguments: told.indices
  )
  func isCut(index: Int) throws {
    let (name, whole) = Self.told[index]
    for end in [whole.count - 9, whole.count - 1000] {
      let trial = try SelectionTrial(parts: Array(whole[..<end]).cut(into: 2))
      let error = try #require(trial.refusal(), "\(name)")
      #expect(error.kind == .missingInput)
      #expect(
        error.message.contains("tell of \(whole.count) bytes, and there are \(end)"),
        "\(error)"
      )
      #expect(error.remedies == [.format(.raw)], "\(error)")
      #expect(trial.refusal(last: 2) == nil)
    }
  }

  @Test("where the last part is the shorter one, it is named")
  func isCutInTheLastPart() throws {
    let parts = Array(Self.video().dropLast(9)).cut(at: [1200, 2400])
    let error = try #require(SelectionTrial(parts: parts).refusal())
    #expect(
      error.message.contains(
        ", so that f.003, which is shorter than the others, may have been cut short; "
      )
    )
  }

  @Test(
    "a next part that is there by another name is told first, also where bytes are joined raw",
    arguments: ["f.003.crdownload", "f.003 (1)"]
  )
  func isBeside(name: String) throws {
    let parts = Self.video().cut(at: [1200, 2400])
    let files = [("f.001", parts[0]), ("f.002", parts[1]), (FilePath(name), parts[2])]
    let trial = try SelectionTrial(files)
    for format in [PartFormat.auto, .raw] {
      let error = try #require(trial.refusal(format: format))
      #expect(error.remedies == [.last("2")], "\(error)")
    }
    #expect(trial.refusal(last: 2) == nil)
    // What is inside is not what was said.
    #expect(trial.doubts(last: 2).contains(.vouchedFor))
  }

  @Test("files whose names tell nothing are refused where the end of what is inside is missing")
  func isCutAmongOthers() throws {
    let parts = Self.video().cut(at: [1200, 2400])
    let trial = try SelectionTrial([("first", parts[0]), ("other", parts[1])])
    #expect(trial.explicitRefusal()?.remedies == [.format(.raw)])
    #expect(trial.explicitRefusal(format: .raw) == nil)
    let whole = try SelectionTrial([("first", parts[0]), ("other", parts[1] + parts[2])])
    #expect(whole.explicitRefusal() == nil)
  }

  @Test("a complete one is joined", arguments: complete.indices, [1, 2, 3])
  func isJoined(index: Int, count: Int) throws {
    let (name, whole) = Self.complete[index]
    let trial = try SelectionTrial(parts: whole.cut(into: count))
    #expect(trial.refusal() == nil, "\(name)")
    #expect(!trial.doubts().contains(.end), "\(name)")
  }

  @Test("a tar without zeros is joined unless all parts are full", arguments: [1, 2, 3])
  func withoutZeros(count: Int) throws {
    let parts = FormatSample.tar([(Self.file, Self.body)], zeros: 0).cut(into: count)
    let isFull = count > 1 && Set(parts.map(\.count)).count == 1
    let trial = try SelectionTrial(parts: parts)
    #expect(trial.doubts().contains(.end) == isFull)
    #expect((trial.refusal() == nil) != isFull)
  }

  private static let lacking: [(String, [UInt8])] = [
    (
      "tar of before POSIX within an entry",
      Array(FormatSample.tar([(file, body), (file, body)], isOld: true)[..<6000])
    ),
    ("tar within an entry", Array(FormatSample.tar([(file, body), (file, body)])[..<6000])),
    ("tar at a record within an entry", Array(FormatSample.tar([(file, body)])[..<2048])),
    ("tar within a header", Array(FormatSample.tar([(file, body), (file, body)])[..<3800])),
    (
      "tar of more entries than are looked at",
      FormatSample.tar(Array(repeating: (file, body), count: 1001), zeros: 0).dropLast(1024)
    ),
    ("gzip", Array(FormatSample.gzip(body)[..<2500])),
  ]

  @Test(
    "one that lacks its end is refused, with the option that decides",
    arguments: lacking.indices
  )
  func isRefused(index: Int) throws {
    let (name, whole) = Self.lacking[index]
    let trial = try SelectionTrial(parts: Array(whole).cut(into: 2))
    let error = try #require(trial.refusal(), "\(name)")
    #expect(error.kind == .missingInput)
    #expect(error.message.hasPrefix("f: "))
    #expect(error.remedies == [.format(.raw)], "\(error)")
    #expect(trial.refusal(last: 2) == nil)
    #expect(trial.refusal(format: .raw) == nil)
  }

  @Test(
    "what compressors write ends as it is looked for, and without its last part it does not",
    arguments: ["gzip", "bzip2", "xz", "zstd", "lzip", "tar"]
  )
  func compressors(program: String) throws {
    guard let tool = Tool.find(FilePath(program)) else {
      return print("skipped: \(program) is not installed")
    }
    let directory = try TemporaryDirectory()
    for size in [1, 1000, 20_000] {
      try directory.make("in", Bytes.pattern(count: size, seed: UInt64(size)))
      let options = program == "tar" ? ["-cf", "-", "in"] : ["-c", "in"]
      let made = try tool.run(options, workingDirectory: directory.path)
      let whole = made.standardOutput
      #expect(try SelectionTrial(parts: whole.cut(into: 3)).refusal() == nil, "\(size)")
      if size == 20_000 {
        let trial = try SelectionTrial(parts: whole.cut(into: 3).dropLast())
        #expect(trial.refusal()?.kind == .missingInput, "\(program)")
      }
    }
  }

  // MARK: Which part is to blame

  @Test(
    "where bytes are missing and one part is odd, that one is named",
    arguments: [
      (
        [500, 400, 500, 100], 65,
        "f.002: has 100 bytes less than f.001 and f.003 (400, not 500), and 100 of the 1600 bytes that "
          + "the 7z header tells of are missing: it was probably cut short"
      ),
      (
        [500, 0, 500, 100], 65,
        "f.002: is empty, not of 500 bytes like f.001 and f.003, and 500 of the 1600 bytes that the 7z "
          + "header tells of are missing: it may still have to come"
      ),
      ([500, 500, 400], 66, "f: 200 of the 1600 bytes that the 7z header tells of are missing"),
      ([500, 500, 500], 66, "f: 100 of the 1600 bytes that the 7z header tells of are missing"),
      (
        [500, 530, 500, 100], 65,
        "f.002: has 30 bytes more than f.001 and f.003 (530, not 500), and the 7z archive has so many "
          + "less"
      ),
      ([500, 500, 500, 100], 0, ""), ([700, 500, 300, 100], 0, ""),
    ] as [([Int], Int, String)]
  )
  func blame(sizes: [Int], code: Int, message: String) throws {
    var parts = sizes.map { [UInt8](repeating: 7, count: $0) }
    let header =
      FileFormat.magic(.sevenZip) + [0, 4, 0, 0, 0, 0] + [UInt8](littleEndian: UInt64(1468))
      + [UInt8](littleEndian: UInt64(100)) + [0, 0, 0, 0]
    parts[0].replaceSubrange(0..<header.count, with: header)
    let error = try SelectionTrial(parts: parts).refusal()
    #expect((error.map { $0.kind == .badData ? 65 : 66 } ?? 0) == code)
    #expect(error?.message.hasPrefix(message) ?? message.isEmpty, "\(error as Any)")
  }
}
