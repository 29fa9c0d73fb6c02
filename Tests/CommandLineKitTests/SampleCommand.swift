import CommandLineKit
import Posix

enum Engine: String, CaseIterable, Sendable {
  case serial, multiqueue, zerocopy, auto
}

enum Color: String, CaseIterable, Sendable {
  case always, never, auto
}

enum Sums: String, CaseIterable, Sendable {
  case none, crc, sfv
}

struct SampleSettings: Equatable, Sendable {
  var bytes: Int64?
  var color = Color.never
  var engine = Engine.auto
  var force = false
  var highWater: Int64?
  var help = false
  var jobs = 1
  var name = "none"
  var path: FilePath = ""
  var quiet = false
  var sums = Sums.none
  var verify = true
}

/// A table with every kind of option, much like a real one.
let sample = Command<SampleSettings>(
  "sample",
  summary: "Cut a file into parts.",
  usage: ["cleave sample [OPTION]... FILE [PREFIX]", "cleave sample --check FILE"],
  options: [
    .value(
      "bytes",
      short: "b",
      "SIZE",
      group: "Output",
      help: "Make parts of SIZE bytes.",
      sets: \.bytes
    ) { argument throws(UsageError) in try argument.size },
    .flag("force", short: "f", group: "Output", help: "Replace files that exist.", sets: \.force),
    .value(
      "name",
      short: "n",
      "TEXT",
      group: "Output",
      help: "Call the parts TEXT.",
      sets: \.name
    ) { argument throws(UsageError) in try argument.text },
    .value(
      "path",
      short: "p",
      "FILE",
      group: "Output",
      help: "Write to FILE.",
      sets: \.path
    ) { $0.value },
    .choice(
      "engine",
      short: "e",
      "ENGINE",
      group: "Engine",
      help: "Copy with this engine.",
      sets: \.engine
    ),
    .value(
      "high-water",
      "SIZE",
      group: "Engine",
      help: "Hand data over in pieces of at most SIZE bytes, which bounds the memory in use.",
      sets: \.highWater
    ) { argument throws(UsageError) in try argument.size },
    .value(
      "jobs",
      short: "j",
      "N",
      group: "Engine",
      help: "Copy N ranges at a time.",
      sets: \.jobs
    ) { argument throws(UsageError) in try argument.number(in: 1...64) },
    .choice(
      "sums",
      "KIND",
      group: "Engine",
      help: "Write a manifest of this kind.",
      sets: \.sums
    ),
    .choice(
      "color",
      short: "c",
      "WHEN",
      bare: .always,
      group: "General",
      help: "Colour the output.",
      sets: \.color
    ),
    .flag("quiet", short: "q", group: "General", help: "Print errors only.", sets: \.quiet),
    .flag("verify", group: "General", help: "Read the parts again.", sets: \.verify),
    .flag("verify-never", group: "General", help: "Trust the disk.", sets: \.verify, to: false),
    .flag("help", short: "h", group: "General", help: "Print this help.", sets: \.help),
  ],
  details: """
    A SIZE is a number with a unit, such as 350M or 4GiB-1, and this paragraph goes on long
    enough to be wrapped.

    See https://example.org/a/very/long/address/that/no/narrow/terminal/has/room/for for more.
    """,
  examples: [
    .init("cleave sample -b 350M film.mkv", "Cuts film.mkv into parts of 350 MiB."),
    .init(
      "cleave sample --bytes=4GiB-1 --engine=zerocopy --high-water=1M image.iso /mnt/stick/image",
      "Cuts an image so that FAT can hold the parts."
    ),
  ]
)

/// Parses a command line of the sample.
func parse(
  _ arguments: [FilePath],
  stopAtFirstOperand: Bool = false
) throws(UsageError) -> (settings: SampleSettings, operands: [FilePath]) {
  var settings = SampleSettings()
  let operands = try sample.parse(
    arguments,
    into: &settings,
    stopAtFirstOperand: stopAtFirstOperand
  )
  return (settings, operands)
}

/// The settings after some changes.
func settings(_ change: (inout SampleSettings) -> Void) -> SampleSettings {
  var settings = SampleSettings()
  change(&settings)
  return settings
}
