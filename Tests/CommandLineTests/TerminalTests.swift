import Posix
import TestSupport
import Testing

/// Progress on a terminal, which `script(1)` of util-linux plays.
@Suite(
  .aside,
  .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
  .enabled(if: Tool.find("script") != nil, "needs script")
)
struct TerminalTests {
  /// What a merge with long pauses writes to a terminal.
  ///
  /// - Parameter preparation: of the shell that becomes the merge; `LOG` is where faults are told.
  private func merge(_ preparation: String, terminal: String) throws -> String {
    let series = try Series([10_001, 9999])
    let logs = try TemporaryDirectory()
    let preparation = preparation.replacing("LOG", with: "\(logs.file("log"))")
    let environment = try FaultShim.environment(
      "write@/.file#5=delay:1500; write@/.file#10=delay:3000",
      log: logs.file("log")
    )
    let exports = environment.merging(["TERM": terminal]) { $1 }
      .map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    let words = ["merge", "--no-sync", "--engine=serial"] + Series.smallPieces
    let command = "\(exports) exec \(Tool.cleave.path) \(words.joined(separator: " "))"
    let outcome = try #require(Tool.find("script")).run([
      "-qec", "\(preparation) \(command) \(series.parts[0])", "/dev/null",
    ])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(series.output) == series.whole)
    return outcome.outputText
  }

  @Test func theWidthIsReadAnew() throws {
    let text = try merge(
      "stty cols 70; (until grep -q '#10' LOG; do sleep 0.05; done; stty cols 20 </dev/tty) &",
      terminal: "xterm"
    )
    let lines = text.replacing("\u{1B}[K", with: "").split(separator: "\r")
      .filter { $0.contains(" %") }
    let widths = lines.map(\.count)
    #expect(widths.first ?? 0 > 20, "\(text.debugDescription)")
    #expect(widths.last ?? 100 < 20, "\(text.debugDescription)")
  }

  @Test func aDumbTerminalIsNotDrawnOn() throws {
    let text = try merge("", terminal: "dumb")
    #expect(!text.contains("\u{1B}"), "\(text.debugDescription)")
    #expect(text.split(whereSeparator: \.isNewline).count == 1, "\(text.debugDescription)")
  }
}
