import Cleave
import CommandLineKit
import Posix

/// `cleave info`: what a part belongs to, and what merging it would need.
enum InfoCommand {
  static let command = Command<Settings>(
    "info",
    summary: "Show what a part belongs to, and what merging it would write.",
    usage: ["cleave info [OPTION]... {PART | MANIFEST | DIRECTORY | FILE}..."],
    operands: .parts,
    options: OptionRows.reading + [
      OptionRows.strict, OptionRows.manifest("Take FILE for the manifest, or none."),
    ] + OptionRows.general,
    details: """
      Shows the series with its parts and sizes, what speaks for and against their being those of one \
      file, line by line, the name and size of what merge would write, and the disk space needed and \
      free. Of a zip it also shows what made it, what is in it and how. Missing parts are named, with \
      exit code 66, and nothing is said of merging then. A directory stands for every series in it, and a manifest for every one that it names; one \
      that several operands are parts of is shown once.
      """,
    examples: [
      .init("cleave info gcd.mp4.zip.002", "Any one part is enough."),
      .init("cleave info downloads/", "Show every series in a directory."),
    ]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    guard !operands.isEmpty else { throw usage("a part or file to show is missing") }
    let request = session.settings.selection
    // Whatever is wrong with one is told when it is looked at.
    let parts = operands.flatMap {
      (try? Selection.oneOrEach(of: $0, request)) ?? [
        Selection.Part(path: $0, manifest: request.manifest)
      ]
    }
    guard parts.count == 1 || !session.settings.writesJSON else {
      throw usage(
        "--json writes one object, and so shows one operand, and a directory or a manifest of one series"
      )
    }
    var code = ExitCode.success
    var shown = PathSet()
    for part in parts {
      try job { () throws(CleaveError) in
        guard let info = try SeriesInfo(of: part, request, session.work, unless: shown) else {
          return
        }
        for name in info.names { shown.insert(name) }
        try session.reporter.tell(info)
        guard let problem = info.problem else { return }
        session.console.fail(problem.sentence)
        code = ExitCode(problem.kind) ?? code
      }
    }
    return code
  }
}
