import Cleave
import CleaveBench
import CommandLineKit
import Posix

/// The options of bench, in the order in which its help lists them.
enum BenchRows {
  typealias Row = Option<Settings>

  static let all: [Row] =
    material + [directory] + contenders + conditions + exports + [OptionRows.progress]
    + OptionRows.generalWithoutJSON

  private static let material: [Row] = [
    .value(
      "size",
      "SIZE",
      group: "What is measured",
      help: "Make a sample of SIZE bytes, where there is no operand; 1G by default.",
      sets: \.bench.sampleSize
    ) { argument throws(UsageError) in
      let size = try argument.size
      guard size > 0 else { throw argument.refused("must be more than 0") }
      return size
    },
    .value(
      "parts",
      "N",
      group: "What is measured",
      help: "Cut it into N parts of equal size; 4 by default.",
      sets: \.bench.count
    ) { argument throws(UsageError) in
      CutList.count(try argument.number(in: 1...Int(CutList.mostParts)))
    },
    CutOption.bytes(group: "What is measured", sets: \.bench.sizes),
    .flag(
      "split",
      group: "What is measured",
      help: "Measure splitting; without it, merging.",
      sets: \.bench.splits
    ),
  ]

  private static let directory: Row = .value(
    "directory",
    "DIR",
    group: "What is measured",
    help: "Make the working directory in DIR, and so measure the disk that it is on.",
    sets: \.bench.directory
  ) { $0.value }

  private static let contenders: [Row] = [
    .list(
      "engine",
      "LIST",
      of: EngineOption.allCases.map(\.rawValue),
      group: "Comparing",
      help: "Run these engines; all of serial, multiqueue, zerocopy, direct and auto by default.",
      sets: \.bench.engines
    ) { argument throws(UsageError) in try argument.choice(of: EngineOption.allCases).name },
    .list(
      "high-water",
      "LIST",
      group: "Comparing",
      help: "Run with each of these sizes as the most that one read or write moves.",
      sets: \.bench.highWater,
      convert: OptionRows.mark
    ),
    .list(
      "low-water",
      "LIST",
      group: "Comparing",
      help: "Run with each of these as the least that the serial engine calls a handler for.",
      sets: \.bench.lowWater,
      convert: OptionRows.mark
    ),
    .list(
      "window",
      "LIST",
      group: "Comparing",
      help: "Run with each of these as the most that is read and not yet written.",
      sets: \.bench.window,
      convert: OptionRows.mark
    ),
    .list(
      "verify",
      "LIST",
      of: BenchProof.allCases.map(\.rawValue),
      group: "Comparing",
      help: "Run with each of these proofs: none, stream (the default) and readback, as for merge. "
        + "With none, no manifest is read or written either.",
      sets: \.bench.proofs
    ) { argument throws(UsageError) in try argument.choice(of: BenchProof.allCases) },
    .value(
      "baseline",
      "CMD",
      words: ["cat", "split", "none"],
      group: "Comparing",
      help: "Compare with cat (the default for merging), split (for splitting), none, or any CMD. "
        + "The shell runs it with the inputs as its operands and the output's name in $OUT, which "
        + "for splitting is what the parts' names begin with.",
      sets: \.bench.baseline
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
      sets: \.bench.runs
    ) { argument throws(UsageError) in try argument.number(in: 1...10_000) },
    .flag(
      "cold",
      group: "Comparing",
      help: "Drop the inputs from the page cache before each run.",
      sets: \.bench.isCold
    ),
    .flag(
      "durable",
      group: "Comparing",
      help: "Wait until outputs are on the device, the baseline's as well.",
      sets: \.bench.isDurable
    ),
  ]

  private static let exports: [Row] = [
    export("json", "the results in the layout of hyperfine's JSON", \.bench.jsonFile),
    export("csv", "the results in that of its CSV", \.bench.csvFile),
    export("markdown", "the table as Markdown", \.bench.markdownFile),
    OptionRows.force,
  ]

  private static func export(_ form: String, _ what: String, _ target: Row.Target<FilePath?>) -> Row
  {
    .value(
      "export-\(form)",
      "FILE",
      group: "Output",
      help: "Write \(what) to FILE, or to standard output instead of the table if it is -.",
      sets: target
    ) { argument throws(UsageError) in
      guard !argument.value.bytes.isEmpty else { throw argument.refused("is no name") }
      return argument.value
    }
  }
}
