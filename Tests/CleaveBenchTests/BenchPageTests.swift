import Cleave
import Foundation
import Posix
import TestSupport
import Testing

@testable import CleaveBench

@Suite struct BenchPageTests {
  private typealias Sample = BenchSample

  /// Made anew where `CLEAVE_CAPTURES` is set, as `make captures` does.
  @Test func thePageIsTheStoredOne() throws {
    let text = BenchPage(Self.report).text
    let stored = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/pictures/bench.html").standardized
    if ProcessInfo.processInfo.environment["CLEAVE_CAPTURES"] != nil {
      try Data(text.utf8).write(to: stored)
    }
    let expected = try String(contentsOf: stored, encoding: .utf8)
    let differing = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
      .first { $0 != $1 }
    #expect(text == expected, "\(String(describing: differing)); 'make captures' makes it anew")
  }

  @Test func thePageNeedsNothingElse() {
    let text = BenchPage(Self.report).text
    for word in ["<script", "http:", "https:", "url(", "@import", "<link", "<img", " src="] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  @Test func namesAreNoMarkup() {
    let report = Sample.report([
      Sample.result(.direct, seconds: [1, 2]),
      Sample.baseline(.command("cat <in >\"$OUT\" && :"), seconds: [1, 2]),
    ])
    let text = BenchPage(report).text
    #expect(text.contains("<code>cat &lt;in &gt;&quot;$OUT&quot; &amp;&amp; :</code>"))
    #expect(!text.contains("<in"))
  }

  @Test func everyRunIsADot() {
    let text = BenchPage(Self.report).text
    let dots = text.split(separator: "<circle").count - 1
    // Of time and of memory: three rows by engine, and four of the two engines' settings.
    #expect(dots == 2 * 5 * (3 + 4))
  }

  private static let report = Sample.report(
    withMemory([
      Sample.result(.serial, highWater: 64 << 10, seconds: [0.91, 0.84, 0.88, 1.02, 0.86]),
      Sample.result(.serial, highWater: 1 << 20, seconds: [0.71, 0.69, 0.74, 0.93, 0.72]),
      Sample.result(.direct, highWater: 64 << 10, seconds: [0.41, 0.39, 0.44, 0.52, 0.4]),
      Sample.result(.direct, highWater: 1 << 20, seconds: [0.3, 0.28, 0.31, 0.36, 0.29]),
      Sample.baseline(seconds: [1.04, 0.98, 1.01, 1.2, 0.99]),
    ]),
    runs: 5
  )

  /// With a peak of its own in each run.
  private static func withMemory(_ results: [BenchResult]) -> [BenchResult] {
    zip(results, [17, 19, 12, 14, 3]).map { result, mebibytes in
      var result = result
      for run in result.runs.indices {
        result.runs[run].peakResident = Int64((mebibytes << 20) + (run << 18))
      }
      return result
    }
  }
}
