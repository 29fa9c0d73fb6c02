import Posix

/// A random number generator that gives the same numbers for the same seed: SplitMix64, by
/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
///
/// A test that draws its input from it puts the seed into its messages, so that it can be repeated.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededGenerator {
  /// The seed of every test that draws its input: always the same, unless `CLEAVE_SEED` names another, so that what one
  /// change passes does not fail for the next by chance. `make test-long` draws one.
  package static let seed =
    ProcessState.environment("CLEAVE_SEED").flatMap { UInt64($0) } ?? 1
}
