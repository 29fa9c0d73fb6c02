import Posix
import TestSupport
import Testing

@testable import Cleave

/// Content is proved right where it is, and what is wrong with it is found.
@Suite struct ContentProofTests {
  /// What a proof comes to.
  enum Verdict: Equatable, Sendable {
    case whole, part, nothing, differs
    /// Whole parts are not of the content.
    case foreign
    /// Nothing inside tells.
    case silent

    init(_ result: ProofResult?) {
      guard let result else {
        self = .silent
        return
      }
      self =
        switch (result.differences.first.first?.sort, result.coverage) {
        case (.doesNotBelong, _): .foreign
        case (.damaged, _), (.endsEarly, _), (.notTested, _): .differs
        case (nil, .whole): .whole
        case (nil, .part): .part
        case (nil, .nothing): .nothing
        }
    }
  }

  @Test(arguments: ProofSample.allCases, [1, 2, 3, 7])
  func whatProgramsMadeIsProvedHoweverItIsCut(sample: ProofSample, count: Int) throws {
    let directory = try TemporaryDirectory()
    guard let bytes = try sample.make() else { return }
    let result = try directory.proof(bytes.cut(count))
    #expect(result?.kind == sample.kind)
    #expect(result?.coverage == (sample.kind.coversData ? .whole : .part))
    #expect(result?.error == nil)
    #expect(result?.untested.count == 0)
  }

  @Test(arguments: [
    (ProofSample.gzip, "the CRC-32 and size of 1 gzip member"),
    (.gzipMembers, "the CRC-32 and size of 3 gzip members"),
    (.xzStreams, "the structure of 2 xz streams"),
    (.zstdFrames, "the structure of 2 zstd frames"),
    (.sevenZip, "the CRC-32s of the 7z headers"),
    (.tarOld, "43 headers of the tar file"),
    (.zip, "the CRC-32 of 43 entries"),
  ])
  func whatWasComparedIsTold(sample: ProofSample, text: String) throws {
    let directory = try TemporaryDirectory()
    guard let bytes = try sample.make() else { return }
    #expect(try directory.proof([bytes])?.described == text)
  }

  // MARK: Damage

  enum Damage: String, CaseIterable, Sendable {
    case middleFlipped, endCut, halfGone, partsSwapped, partTooLong, partTooShort, partDoubled
    case lastDoubled, garbageBehind, zerosBehind

    func apply(_ parts: inout [[UInt8]]) {
      switch self {
      case .middleFlipped: parts[1][parts[1].count / 2] ^= 0xFF
      case .endCut: parts[3].removeLast(10)
      case .halfGone: parts.removeLast(2)
      case .partsSwapped: parts.swapAt(1, 2)
      case .partTooLong: parts[1] += Bytes.pattern(count: 100, seed: 9)
      case .partTooShort: parts[1].removeLast(100)
      case .partDoubled: parts.insert(parts[1], at: 1)
      case .lastDoubled: parts.append(parts[3])
      case .garbageBehind: parts[3] += Bytes.pattern(count: 100, seed: 9)
      case .zerosBehind: parts[3] += [UInt8](repeating: 0, count: 512)
      }
    }

    /// What is told of a sample in four parts with that damage.
    func verdict(_ sample: ProofSample) -> Verdict {
      switch (self, sample.kind) {
      // A walk does not look at data.
      case (.middleFlipped, .gzip), (.middleFlipped, .zip): .differs
      case (.middleFlipped, _), (.partsSwapped, .sevenZip): .part
      // There is no zip in these, which merge says before it copies anything.
      case (.endCut, .zip), (.halfGone, .zip), (.lastDoubled, .zip): .silent
      // There is more than one record of zeros.
      case (.endCut, .tar): .part
      case (.lastDoubled, _): .foreign
      case (.garbageBehind, .xz), (.garbageBehind, .zstd), (.zerosBehind, .zstd): .differs
      case (.garbageBehind, _): .part
      case (.zerosBehind, .gzip): .whole
      case (.zerosBehind, _): .part
      case (.endCut, _), (.halfGone, _), (.partsSwapped, _), (.partTooLong, _),
        (.partTooShort, _), (.partDoubled, _):
        .differs
      }
    }
  }

  @Test(arguments: Damage.allCases, ProofSample.allCases)
  func damageIsTold(damage: Damage, sample: ProofSample) throws {
    let directory = try TemporaryDirectory()
    guard let bytes = try sample.make() else { return }
    var parts = bytes.cut(4)
    damage.apply(&parts)
    let result = try directory.proof(parts)
    let said = result?.differences.first.first.map { "\($0.path.lastComponent): \($0.text)" } ?? ""
    #expect(Verdict(result) == damage.verdict(sample), "\(said)")
  }
}
