import Posix
import TestSupport
import Testing

@testable import Cleave

/// What `--first`, `--last` and `--as` say of names.
@Suite struct SeriesBoundsTests {
  private func series(_ names: [FilePath], as family: NamingStyle.Family? = nil) throws
    -> PartSeries
  {
    let directory = try TemporaryDirectory()
    for name in names { try directory.make(name, [1]) }
    return try #require(try PartSeries.containing(directory(names[0]), as: family))
  }

  @Test(
    "a part is named by its number, by what its name has for it, or by its name",
    arguments: [
      (["f.001", "f.002", "f.003"], "2", 2),
      (["f.001", "f.002", "f.003"], "002", 2),
      (["f.001", "f.002", "f.003"], "f.002", 2),
      (["f.001", "f.002", "f.003"], "dir/f.002", 2),
      (["F.001", "F.002", "F.003"], "f.002", 2),
      (["f.001", "f.002"], "4", 4),
      (["f.00", "f.01"], "00", 0),
      (["xaa", "xab", "xac"], "ac", 2),
      (["xaa", "xab", "xac"], "AC", 2),
      (["xaa", "xab", "xac"], "xac", 2),
      (["xaa", "xab", "xac"], "2", 2),
      (["d.00", "d.0a", "d.10"], "0a", 10),
      (["d.00", "d.0a", "d.10"], "10", 16),
      (["d.00", "d.0a", "d.10"], "2", 2),
      (["v.part1of3.mp4"], "v.part2of3.mp4", 2),
      (["v.part1.mp4", "v.part2.mp4"], "part2", nil),
      (["f.001", "f.002"], "f.0x2", nil),
      (["f.001", "f.002"], "g.002", nil),
      (["f.001", "f.002"], "", nil),
      (["f.001", "f.002"], "-1", nil),
      (["f.001", "f.002"], "9999999999999999999", nil),
      (["xaa", "xab"], "a", nil),
      (["xaa", "xab"], "abc", nil),
      // A widening series leaves 90 out.
      (["f.00", "f.01", "f.89", "f.9000"], "90", nil),
      (["f.00", "f.01", "f.89", "f.9000"], "9000", 9000),
    ] as [([FilePath], FilePath, Int64?)]
  )
  func bound(names: [FilePath], text: FilePath, number: Int64?) throws {
    let family: NamingStyle.Family? = names[0] == "d.00" ? .hexadecimal : nil
    let series = try series(names, as: family)
    if let number {
      #expect(try series.number(of: .text(text)) == number)
      #expect(try series.number(of: .text(series.label(number))) == number)
    } else {
      let error = #expect(throws: CleaveError.self) {
        try series.requireComplete(bounds: PartSeries.Bounds(last: .text(text)))
      }
      #expect(error?.kind == .badData)
      #expect(error?.message.contains("'\(text)' is neither a name nor a number of a part") == true)
    }
  }

  @Test("parts outside of bounds are left out")
  func leftOut() throws {
    let series = try series(["xaa", "xab", "xac", "xad"])
    let bounds = PartSeries.Bounds(first: .text("ab"), last: .text("xac"))
    let parts = try series.requireComplete(bounds: bounds).series.parts
    #expect(parts.map(\.path.lastComponent) == ["xab", "xac"])
    let error = #expect(throws: CleaveError.self) {
      try series.requireComplete(bounds: PartSeries.Bounds(first: 3, last: 1))
    }
    let told: Sentence =
      "\(mentioning: .first("ad")) is behind \(mentioning: .last("ab")), so that no part is left"
    #expect(error?.text == told)
  }

  @Test("numbers and totals near the largest integer are refused, not added to")
  func overflow() throws {
    let series = try series(["f.001", "f.002"])
    for total in [Int64.max, Int64.max - 1, 1 << 62, -5] {
      let error = #expect(throws: CleaveError.self) { try series.requireComplete(total: total) }
      #expect(error?.kind == .badData)
    }
    for bounds in [
      PartSeries.Bounds(last: .number(.max)), PartSeries.Bounds(first: .number(.min)),
      PartSeries.Bounds(first: -1), PartSeries.Bounds(last: .number(.max - 1)),
    ] {
      #expect(throws: CleaveError.self) { try series.requireComplete(bounds: bounds) }
    }
    let many = try self.series(["f.part1of999999999999999999"])
    let error = #expect(throws: CleaveError.self) { try many.requireComplete() }
    #expect(error?.message.contains("999999999999999998 parts are missing") == true)
  }

  @Test(
    "decimal digits are read as such, whatever --as says, unless a letter is among them",
    arguments: [
      (NamingStyle.Family.digits, "x", ""), (.dashDigits, "x-", ""), (.dashDigits, "x_", ""),
      (.partWord, "x.part", ""), (.partWord, "x.part-", ".bin"), (.digits, "x", ".csv"),
      (.numbers, "x.", ""), (.numbers, "x.", ".mkv"), (.dashDigits, "x_", ".bin"),
      (.partWord, "chunk_", ""), (.partWord, "chunk", ".bin"),
    ] as [(NamingStyle.Family, String, String)]
  )
  func decimals(family: NamingStyle.Family, head: String, tail: String) throws {
    let names = (0...10).map { FilePath(head + ($0 < 10 ? "0" : "") + "\($0)" + tail) }
    for operand in [0, 10] {
      var shown = names
      shown.swapAt(0, operand)
      let series = try series(shown, as: family)
      #expect(series.parts.map(\.number) == Array(0...10))
      #expect(try series.requireComplete().series.parts.count == 11)
    }
  }

  @Test(
    "a letter among the digits makes them hexadecimal",
    arguments: [
      (NamingStyle.Family.digits, "x", ""), (.dashDigits, "x-", ""), (.partWord, "x.part", ".bin"),
      (.digits, "x", ".csv"), (.hexadecimal, "x.", ""), (.hexadecimal, "x.", ".bin"),
      (.dashDigits, "x_", ".bin"), (.dashDigits, "x-", ".bin"),
    ] as [(NamingStyle.Family, String, String)]
  )
  func hexadecimals(family: NamingStyle.Family, head: String, tail: String) throws {
    let names = (0...17).map {
      FilePath(head + ($0 < 16 ? "0" : "") + String($0, radix: 16) + tail)
    }
    for operand in [0, 10, 16] {
      var shown = names
      shown.swapAt(0, operand)
      #expect(try series(shown, as: family).parts.map(\.number) == Array(0...17))
    }
  }

  @Test(
    "of hexadecimal numbers, those without letters are no series of their own",
    arguments: ["", ".bin"],
    [nil, 3, 11, 21] as [Int?]
  )
  func onlyDecimals(tail: String, missing: Int?) throws {
    let names = (0..<50).filter { $0 != missing }.map { number in
      FilePath("x." + (number < 16 ? "0" : "") + String(number, radix: 16) + tail)
    }
    let error = #expect(throws: CleaveError.self) { try series(names, as: .numbers) }
    #expect(error?.kind == .badData)
    #expect(error?.remedies == [.family(.hexadecimal), .asGiven()], "\(String(describing: error))")
  }

  @Test(
    "single hexadecimal digits are all taken, or none of them",
    arguments: [("f.", ""), ("f.part", ""), ("f-", ""), ("f-", ".bin"), ("f_", ".bin")]
  )
  func singleDigits(head: String, tail: String) throws {
    let files = (0..<13).map { number -> (name: FilePath, bytes: [UInt8]) in
      let name = FilePath(head + String(number, radix: 16) + tail)
      return (name, Bytes.pattern(count: number < 12 ? 400 : 200))
    }
    for operand in [0, 9, 10, 12] {
      var shown = files
      shown.swapAt(0, operand)
      let trial = try SelectionTrial(shown)
      #expect(try Selection(of: [trial.directory(shown[0].name)]).files?.count == 13)
      #expect(trial.refusal() == nil)
    }
    var missing = files
    missing.remove(at: 11)
    #expect(try SelectionTrial(missing).refusal() != nil)
  }

  @Test("a letter behind a dot is a file type where no digits lead to it")
  func fileTypes() throws {
    let files = (0...9).map { (name: FilePath("f.\($0)"), bytes: Bytes.pattern(count: 400)) }
    for type in ["f.c", "f.d", "f.e"] as [FilePath] {
      let trial = try SelectionTrial(files + [(type, [1])])
      #expect(try Selection(of: [trial.directory("f.3")]).files?.count == 10)
    }
    let sources = ["f.1", "f.a", "f.b", "f.c"].map {
      (name: FilePath($0), bytes: [UInt8](repeating: 1, count: 400))
    }
    #expect(
      try SelectionTrial(sources).refusal()?.message.contains("f.1: is named like many things")
        == true
    )
  }

  @Test("a file that may be two letters is no reason to refuse decimal numbers")
  func otherLetters() throws {
    for other in ["x.db.bin", "x.ff.bin", "x.aa.bin"] as [FilePath] {
      let names = (0..<32).map { FilePath("x." + ($0 < 10 ? "0" : "") + "\($0)" + ".bin") }
      #expect(try series(names + [other], as: .numbers).parts.count == 32)
    }
  }

  @Test(
    "what is offered for names that are not taken for parts takes all of them",
    arguments: [
      ("x.", ".bin", 16, 0, "PartReading.family hexadecimal would take 50"),
      ("x_", ".bin", 16, 0, "PartReading.family dash would take 50"),
      ("x.", ".bin", 10, 0, "PartReading.family numbers would take 50"),
      ("x", "", 10, 1, "PartReading.family digits with PartSeries.Bounds.first 1 would take 49"),
      ("x", "", 16, 1, "PartReading.family digits with PartSeries.Bounds.first 1 would take 49"),
    ] as [(String, String, Int, Int, String)]
  )
  func offered(head: String, tail: String, radix: Int, first: Int, told: String) throws {
    let names = (first..<50).map { number in
      FilePath(head + (number < radix ? "0" : "") + String(number, radix: radix) + tail)
    }
    let trial = try SelectionTrial(names.map { ($0, Array(repeating: 1, count: 77)) })
    let error = try #require(trial.refusal())
    #expect(error.message.contains(told), "\(error)")
    var request = Selection.Request()
    for case .family(let family?) in error.remedies { request.reading.family = family }
    if first > 0 { request.reading.bounds.first = .number(Int64(first)) }
    let selection = try Selection(of: [trial.directory(names[0])], request)
    #expect(selection.files?.count == names.count)
  }

  @Test("names that begin with 1 where the family begins with 0 are taken in by a bound")
  func firstIsOne() throws {
    let series = try series(["x01", "x02", "x03"], as: .digits)
    let error = #expect(throws: CleaveError.self) { try series.requireComplete() }
    #expect(
      error?.message.hasSuffix(
        "x: 1 part is missing: x00; PartSeries.Bounds.first 1 begins with x01"
      ) == true
    )
    #expect(error?.remedies == [.first("1")])
    #expect(try series.requireComplete(bounds: PartSeries.Bounds(first: 1)).series.parts.count == 3)
    let zero = #expect(throws: CleaveError.self) {
      try series.requireComplete(bounds: PartSeries.Bounds(first: 0))
    }
    #expect(zero?.remedies == [])
  }

  @Test("hexadecimal digits that were asked for are counted so")
  func askedHexadecimals() throws {
    let series = try series(["d.00", "d.01", "d.09", "d.10"], as: .hexadecimal)
    #expect(series.parts.map(\.number) == [0, 1, 9, 16])
  }
}
