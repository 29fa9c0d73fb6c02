import Cleave
import CommandLineKit
import Posix

/// `cleave info`: what a part belongs to, and what merging it would need.
enum InfoCommand: ProgramCommand {
  static let command = Command<Settings>(
    "info",
    summary: "Show what a part belongs to, and what merging it would write.",
    usage: ["cleave info [OPTION]... [PART | MANIFEST | DIRECTORY | FILE]..."],
    operands: .parts,
    options: Settings.lists.flatMap(\.options),
    conflicts: Settings.conflicts,
    details: """
      Shows the series with its parts and sizes, what speaks for and against their being those of one \
      file, line by line, the name and size of what merge would write, and the disk space needed and \
      free. Of a zip it also shows what made it, what is in it and how. Missing parts are named, with \
      exit code 66, and nothing is said of merging then. A directory, and the current one without an operand, stands for every series in it, and a manifest for every one that it names; one \
      that several operands are parts of is shown once.

      With --map, a line for each part, or for several of them where there are more than 64, shows where it begins in \
      the parts one behind the other, and what it holds. In a map of a zip, letters stand for its largest entries, \
      = for the directory, and - for all other bytes; in others, # stands for bytes. A character of which no one \
      thing has more than half is *, and one of which most is a hole is a dot. Of entries in several parts, all of \
      these parts are needed. No data is read for it. --svg FILE writes the same as a picture, with those letters.

      With --compare, the parts are read and compared as 'cleave verify' does it, and what is wrong is drawn as !: \
      blocks where the manifest has their sums, entries of a zip without a manifest, and otherwise whole parts. What \
      differs is told, and the exit code is that of verify.
      """,
    examples: [
      .init("cleave info gcd.mp4.zip.002", "Any one part is enough."),
      .init("cleave info downloads/", "Show every series in a directory."),
      .init("cleave info --map a.z01", "Show which entries of a split zip are in which parts."),
      .init("cleave info --svg map.svg a.z01", "Write that as a picture."),
    ]
  )

  struct Settings: CommandSettings {
    var general = GeneralSettings()
    var request = Selection.Request()
    var isStrict = false
    var output = OutputSettings()
    var drawsMap = false
    var compares = false
    var picture: FilePath?

    var report: ReportSettings {
      var report = ReportSettings()
      report.drawsMap = drawsMap || compares
      return report
    }

    static var lists: [OptionList<Self>] {
      [
        .own([
          .flag(
            "map",
            group: "Output",
            help:
              "Also draw the parts, each character for so many bytes of them: which entries of a zip are in "
              + "which parts, and where there are holes.",
            sets: \.drawsMap
          ),
          .flag(
            "compare",
            group: "Output",
            help:
              "Draw the map, and mark what is wrong in it: read the parts, and compare them as verify does.",
            sets: \.compares
          ),
          .value(
            "svg",
            "FILE",
            group: "Output",
            help: "Also write that drawing to FILE, as a picture in SVG.",
            sets: \.picture
          ) { argument throws(UsageError) in
            guard argument.value != "-", !argument.value.bytes.isEmpty else {
              throw argument.refused("is no name of a file")
            }
            return argument.value
          },
        ]),
        .of(\.output, [.force]),
        .of(\.request, Option.names),
        .own([.strict(sets: \.isStrict)]),
        .of(\.request, [.manifest("Take FILE for the manifest, or none.")]),
        .of(\.general, Option.all),
      ]
    }

    static var conflicts: [Conflict<Self>] {
      [
        .excludes(
          .init("--map", \.drawsMap),
          [.init("--json", \.general.writesJSON)],
          "it is a drawing for people"
        ),
        .excludes(
          .init("--compare", \.compares),
          [.init("--json", \.general.writesJSON)],
          "it marks a drawing for people; verify --json compares"
        ),
      ]
    }
  }

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    let operands = operands.isEmpty ? ["."] : operands
    let request = settings.request
    let work = session.work(isStrict: settings.isStrict)
    // Whatever is wrong with one is told when it is looked at.
    var errors: [FilePath: CleaveError] = [:]
    let (set, others) = Selection.together(operands, request)
    var listing: DirectoryListing?
    let parts =
      (set.map { [$0] } ?? [])
      + others.flatMap { operand in
        do throws(CleaveError) {
          return try Selection.oneOrEach(of: operand, request, in: &listing)
        } catch {
          errors[operand] = error
          return [Selection.Part(path: operand, manifest: request.manifest)]
        }
      }
    guard parts.count == 1 || !settings.general.writesJSON else {
      throw usage(
        "--json writes one object, and so shows one operand, and a directory or a manifest of one series"
      )
    }
    guard parts.count == 1 || settings.picture == nil else {
      throw usage("--svg draws one series, and so takes one operand, and a directory of one series")
    }
    var code = ExitCode.success
    var shown = PathSet()
    for part in parts where !shown.contains(part.path) {
      do throws(CleaveError) {
        if (try? FileStatus.of(part.path))?.kind == .directory {
          // It says why there is nothing in it to show.
          if let error = errors[part.path] { throw error.hinting(at: part.path) }
          _ = try Selection.oneOrEach(of: part.path, request, in: &listing)
        }
        guard var info = try SeriesInfo(of: part, request, work, unless: shown) else {
          continue
        }
        for name in info.names { shown.insert(name) }
        if settings.compares { code = try compare(&info, part, request, session) ?? code }
        try session.reporter.tell(info)
        if let picture = settings.picture {
          try draw(info, to: picture, settings.output.options(.auto))
        }
        guard let problem = info.problem else { continue }
        session.console.fail(problem.sentence)
        // That of the comparison is the one of verify.
        if !settings.compares || code == .success { code = ExitCode(problem.kind) ?? code }
      } catch {
        // Of several, the others are shown all the same.
        guard parts.count > 1, let failure = ExitCode(error.kind) else { throw .job(error) }
        session.console.fail(error.sentence)
        code = failure
      }
    }
    return code
  }

  /// Reads what it is about, and tells what is wrong.
  private static func compare(
    _ info: inout SeriesInfo,
    _ part: Selection.Part,
    _ request: Selection.Request,
    _ session: Session
  ) throws(CleaveError) -> ExitCode? {
    var request = request
    request.manifest = part.manifest
    var verify = Verify(part.operands, request)
    (verify.cancellation, verify.progress) = (session.cancellation, session.progress)
    verify.tell = session.work().tell
    let result = try verify.run()
    try session.tell(result) { _ in }
    info.comparison = result
    return result.worst == nil ? nil : ExitCode(result.worst)
  }
}
