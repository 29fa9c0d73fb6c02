import Posix
import TestSupport
import Testing

@testable import Cleave

/// Names that are typed one behind the other, of whatever family: what they leave out.
@Suite struct CountedNamesTests {
  struct Row: Sendable, CustomStringConvertible {
    let names: [FilePath]
    let fault: CountedNames.Fault?

    init(_ names: FilePath..., fault: CountedNames.Fault?) {
      (self.names, self.fault) = (names, fault)
    }

    var description: String { names.map(\.description).joined(separator: ", ") }
  }

  static let rows = [
    Row("film.001.mkv", "film.003.mkv", fault: .gap(1)),
    Row("film (1).mkv", "film (2).mkv", "film (4).mkv", fault: .gap(2)),
    Row("film9", "film10", "film12", fault: .gap(2)),
    Row("d1/film-01.mkv", "d2/film-03.mkv", fault: .gap(1)),
    Row("film.mkvab", "film.mkvad", fault: .gap(1)),
    Row("film.mkvaz", "film.mkvba", fault: nil),
    Row("film.x09.bin", "film.x0b.bin", fault: .gap(1)),
    Row("disk-a", "disk-c", fault: .gap(1)),
    Row("2019.csv", "2021.csv", fault: .gap(1)),
    Row("film.002.mkv", "film.001.mkv", fault: .order(1)),
    Row("film.001.mkv", "film.01.mkv", fault: .order(1)),
    Row("film.mkvab", "film.mkvaa", fault: .order(1)),
    Row("film.002.mkv", "film.003.mkv", fault: .start),
    Row("track2.wav", "track3.wav", fault: .start),
    Row("film.mkvab", "film.mkvac", fault: .start),
    Row("film (2 of 3).mkv", "film (3 of 3).mkv", fault: .start),
    Row("film (1 of 3).mkv", "film (2 of 3).mkv", fault: .end(total: 3)),
    Row("film (0 of 3).mkv", "film (1 of 3).mkv", fault: .end(total: 3)),
    Row("film (1 of 2).mkv", "film (2 of 2).mkv", fault: nil),
    Row("film.000.mkv", "film.001.mkv", fault: nil),
    Row("film.001.mkv", "film.002.mkv", fault: nil),
    Row("film.mkvaa", "film.mkvab", fault: nil),
    // Numbers that do not count parts.
    Row("2010.csv", "2020.csv", fault: nil),
    Row("2019.csv", "2020.csv", fault: nil),
    Row("track12.wav", "track13.wav", fault: nil),
    Row("log-20240131", "log-20240201", fault: nil),
    // Words.
    Row("readme.de", "readme.fr", fault: nil),
    Row("car.txt", "cat.txt", fault: nil),
    Row("main.c", "main.h", fault: nil),
    Row("main.h", "main.c", fault: nil),
    Row("head", "tail", fault: nil),
    Row("b", "a", fault: nil),
    Row("a/log", "b/log", fault: nil),
  ]

  @Test("what several names leave out is known by their numbers", arguments: rows)
  func fault(_ row: Row) {
    #expect(CountedNames(row.names)?.fault == row.fault)
  }

  static let refused: [([String], String)] = [
    (["film.001.mkv", "film.003.mkv"], "comes behind film.001.mkv, and the parts between them"),
    (["film.mkvab", "film.mkvac"], "is not the first by its number, and those in front of it"),
    (["film (1 of 3).mkv", "film (2 of 3).mkv"], "tells of 3 parts, and those behind it"),
  ]

  @Test("what is left out between several files is refused", arguments: refused)
  func refusal(_ names: [String], _ text: String) throws {
    let trial = try SelectionTrial(
      names.enumerated().map { (FilePath($1), Array(repeating: 7, count: 100 + $0)) }
    )
    let error = try #require(trial.explicitRefusal())
    #expect(error.kind == .missingInput)
    let told = error.text.description.replacing("\(trial.directory.path)/", with: "")
    #expect(told.hasPrefix("\(text) are not given: "), "\(told)")
    #expect(error.remedies == [.asGiven()])
  }
}
