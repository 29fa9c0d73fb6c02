import Cleave
import CommandLineKit
import Posix
import Testing

@testable import CleaveBench

@Suite struct BenchCaseTests {
  @Test func theListsAreMultiplied() throws {
    var settings = BenchSettings()
    #expect(try BenchCase.all(settings).map(\.engine) == EngineName.allCases + [nil])
    settings.engines = [.direct, .serial]
    settings.highWater = [4096, 8192]
    settings.proofs = [.none, .stream]
    let cases = try BenchCase.all(settings)
    #expect(cases.count == 8)
    #expect(Set(cases).count == 8)
    #expect(
      cases[0].options
        == ["--engine=direct", "--high-water=4096", "--verify=none", "--manifest=none"]
    )
    #expect(cases[7].options == ["--engine=serial", "--high-water=8192", "--verify=stream"])
  }

  @Test func aContradictionIsNamed() throws {
    var settings = BenchSettings()
    settings.lowWater = [1, 4096]
    settings.highWater = [4096, 1024]
    let error = UsageError(
      "--high-water=1024 --low-water=4096: the low water mark is above the high water mark"
    )
    #expect(throws: error) { try BenchCase.all(settings) }
  }

  @Test(
    arguments: [
      (.every(7), ["--bytes=7"]), (.count(3), ["--number=3"]),
      (.list([1, 2], rest: true), ["--bytes=1,2,rest"]), (.list([5], rest: false), ["--bytes=5"]),
    ] as [(CutList, [String])]
  )
  func cutsAreToldToSplit(cuts: CutList, options: [String]) {
    #expect(cuts.options == options)
  }

  @Test func theBaselineFlushesIfCleaveDoes() {
    #expect(BenchBaseline.cat.script(splits: false, isDurable: false) == #"cat -- "$@" > "$OUT""#)
    let script = BenchBaseline.split(size: 5, digits: 3).script(splits: true, isDurable: true)
    #expect(
      script.string?.hasPrefix("{\nsplit -b 5 -d -a 3 -- \"$1\" \"$OUT\"\n} && sync") == true
    )
  }
}
