import Cleave
import CommandLineKit
import Posix

/// `cleave cat`: what merging would make, or a piece of it, to standard output.
enum CatCommand: ProgramCommand {
  static let command = Command<Settings>(
    "cat",
    summary: "Write what the parts make, or a piece of it, to standard output.",
    usage: [
      "cleave cat [OPTION]... {PART | MANIFEST | DIRECTORY}", "cleave cat [OPTION]... PART PART...",
    ],
    operands: .parts,
    options: Settings.lists.flatMap(\.options),
    conflicts: Settings.lineConflicts(dealt: [.init("--range") { $0.range != nil }]),
    details: """
      The parts are found as merge finds them, and what is written is what merge would make: of a \
      split zip, one zip whose headers are right. Nothing else is written, and no file is made.

      All is compared with the manifest as it passes by. What is wrong has left by then: look at the \
      exit code. Of a range no sums are compared.

      Of a range, only those parts are read that it lies in; but all have to be there, since where a \
      byte is depends on the parts before it. Parts of a zip are also looked into, unless --format=raw \
      says not to. A range that ends behind the last byte ends with it, as in HTTP; one that begins \
      there ends with 66.
      """,
    examples: [
      .init("cleave cat backup.tar.001 | tar -x", "Unpack what was never merged."),
      .init("cleave cat --range 0-511 disk.img.001 | xxd", "Look at the first sector."),
      .init("cleave cat --range -22 a.z01 | xxd", "Look at the end record of a split zip."),
    ]
  )

  struct Settings: PartSettings {
    var general = GeneralSettings()
    var output = OutputSettings()
    var request = Selection.Request()
    var range: ByteRange?
    var keepsMarker = false
    var header: Int64? { didSet { request.headerRecords = header } }
    var dealt = false
    var separator: UInt8?
    var isStrict = false

    /// The bytes are the output, and what stands beside them on a terminal must not be in them.
    init() { general.progress = .never }

    var writesData: Bool { true }

    static var lists: [OptionList<Self>] {
      [
        .own([
          .value(
            "range",
            "FROM-TO",
            group: "Output",
            help:
              "Write only these bytes, counted from 0, both of them included: 0-499 are the first 500, "
              + "500- all the others, -500 the last 500, and 1M-2M-1 is the second MiB.",
            sets: \.range
          ) { argument throws(UsageError) in try argument.range }
        ]),
        .of(\.request, [.format]),
        .own([.keepMarker(sets: \.keepsMarker)]),
        .of(\.output, [.dropCache]),
        .of(\.request, Option.names),
        .own(lineOptions),
        .of(\.request, [.asGiven]),
        .own([.strict(sets: \.isStrict)]),
        .of(
          \.request,
          [
            .manifest(
              "Check against FILE, or none; without it, against the one beside the parts, as merge does."
            )
          ]
        ),
        .of(\.general, Option.withoutJSON),
      ]
    }
  }

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    try settings.check(operands, to: "write")
    try job { () throws(CleaveError) in
      let selection = try session.selection(of: operands, settings.request)
      try session.requireStandardOutput()
      let work = session.work(settings.output, verify: .stream, isStrict: settings.isStrict)
      var merge = Merge(selection, into: "-", settings.mergeOptions(work))
      merge.isNew = true
      if let range = settings.range { merge.options.range = { range.resolved(in: $0) } }
      // Nothing is told of the result.
      merge.options.sums = []
      session.noteRun(try merge.run().report)
    }
    return .success
  }
}
