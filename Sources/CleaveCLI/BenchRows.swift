import Cleave
import CleaveBench
import CommandLineKit
import Posix

/// The options of bench, in the order in which its help lists them.
enum BenchRows {
  typealias Row = Option<BenchSettings>

  static let all: [Row] = material + [directory] + contenders + conditions + exports

  private static let material: [Row] = [
    .value(
      "size",
      "SIZE",
      group: "What is measured",
      help: "Make a sample of SIZE bytes, where there is no operand; 1G by default.",
      sets: \.sampleSize
    ) { argument throws(UsageError) in try argument.positiveSize },
    .value(
      "parts",
      "N",
      group: "What is measured",
      help: "Cut it into N parts of equal size; 4 by default.",
      sets: \.count
    ) { argument throws(UsageError) in
      CutList.count(try argument.number(in: 1...Int(CutList.mostParts)))
    },
    .bytes(group: "What is measured", sets: \.sizes),
    .flag(
      "split",
      group: "What is measured",
      help: "Measure splitting; without it, merging.",
      sets: \.splits
    ),
  ]

  private static let directory: Row = .value(
    "directory",
    "DIR",
    group: "What is measured",
    help: "Make the working directory in DIR, and so measure the disk that it is on.",
    sets: \.directory
  ) { $0.value }

  private static let contenders: [Row] = [
    .list(
      "engine",
      "LIST",
      of: EngineOption.allCases.map(\.rawValue),
      group: "Comparing",
      help: "Run these engines; all of serial, multiqueue, zerocopy, direct and auto by default.",
      sets: \.engines
    ) { argument throws(UsageError) in try argument.choice(of: EngineOption.allCases).name },
    .list(
      "high-water",
      "LIST",
      group: "Comparing",
      help: "Run with each of these sizes as the most that one read or write moves.",
      sets: \.highWater
    ) { argument throws(UsageError) in try argument.mark },
    .list(
      "low-water",
      "LIST",
      group: "Comparing",
      help: "Run with each of these as the least that the serial engine calls a handler for.",
      sets: \.lowWater
    ) { argument throws(UsageError) in try argument.mark },
    .list(
      "window",
      "LIST",
      group: "Comparing",
      help: "Run with each of these as the most that is read and not yet written.",
      sets: \.window
    ) { argument throws(UsageError) in try argument.mark },
    .list(
      "verify",
      "LIST",
      of: BenchProof.allCases.map(\.rawValue),
      group: "Comparing",
      help: "Run with each of these proofs: none, stream (the default) and readback, as for merge. "
        + "With none, no manifest is read or written either.",
      sets: \.proofs
    ) { argument throws(UsageError) in try argument.choice(of: BenchProof.allCases) },
    .value(
      "baseline",
      "CMD",
      words: ["cat", "split", "none"],
      group: "Comparing",
      help: "Compare with cat (the default for merging), split (for splitting), none, or any CMD. "
        + "The shell runs it with the inputs as its operands and the output's name in $OUT, which "
        + "for splitting is what the parts' names begin with.",
      sets: \.baseline
    ) { argument throws(UsageError) in
      guard !argument.value.bytes.isEmpty else { throw argument.refused("is no command") }
      return argument.value
    },
  ]

  private static let conditions: [Row] = [
    .value(
      "runs",
      "N",
      group: "Comparing",
      help: "Count N rounds, behind one that is not counted; 5 by default.",
      sets: \.runs
    ) { argument throws(UsageError) in try argument.number(in: 1...10_000) },
    .flag(
      "cold",
      group: "Comparing",
      help: "Drop the inputs from the page cache before each run.",
      sets: \.isCold
    ),
    .flag(
      "durable",
      group: "Comparing",
      help: "Wait until outputs are on the device, the baseline's as well.",
      sets: \.isDurable
    ),
  ]

  private static let exports: [Row] = [
    export("report", "one page of HTML with the results as pictures", \.pageFile),
    export("export-json", "the results in the layout of hyperfine's JSON", \.jsonFile),
    export("export-csv", "the results in that of its CSV", \.csvFile),
    export("export-markdown", "the table as Markdown", \.markdownFile),
  ]

  private static func export(_ name: String, _ what: String, _ target: Row.Target<FilePath?>) -> Row
  {
    .value(
      name,
      "FILE",
      group: "Output",
      help: "Write \(what) to FILE, or to standard output instead of the summary if it is -.",
      sets: target
    ) { argument throws(UsageError) in
      guard !argument.value.bytes.isEmpty else { throw argument.refused("is no name") }
      return argument.value
    }
  }
}
