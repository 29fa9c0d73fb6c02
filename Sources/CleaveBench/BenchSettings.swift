package import Cleave
package import Posix

/// What the options of bench set. Where a list is empty, the engine chooses.
package struct BenchSettings: Sendable {
  /// Bytes of the sample; nil where the user asks for none.
  package var sampleSize: Int64?
  package var splits = false
  package var directory: FilePath = "."
  /// Where to cut, by sizes or by a number of parts; at most one of the two is allowed.
  package var sizes: CutList?
  package var count: CutList?

  /// Nil is the engine that cleave chooses by itself.
  package var engines: [EngineName?] = EngineName.allCases + [nil]
  package var highWater: [Int?] = []
  package var lowWater: [Int?] = []
  package var window: [Int?] = []
  package var proofs = [BenchProof.stream]
  package var isCold = false
  package var isDurable = false

  package var runs = 5
  /// The command, or one of the words that the help explains; nil where the user gives none.
  package var baseline: FilePath?

  package var jsonFile: FilePath?
  package var csvFile: FilePath?
  package var markdownFile: FilePath?
  package var pageFile: FilePath?

  package init() {}
}

/// What cleave is told to prove in a run; the raw value is the argument of its `--verify`.
package enum BenchProof: String, CaseIterable, Sendable {
  case none, stream, readback
}
