import Cleave
import CommandLineKit
import Posix

/// What the manual has of each command beside its table: what it writes, reads and ends with.
enum ManualText {
  typealias Section = ManualPage.Section
  typealias Entry = ManualPage.Section.Entry

  /// The manual page of a command, or of the program.
  ///
  /// - Parameter pages: the program's and those of its commands.
  /// - Parameter seconds: the date, since 1970.
  static func page(_ page: CommandPage, of pages: [CommandPage], seconds: Int64) -> ManualPage {
    let isProgram = page.name == pages[0].name
    let commands = pages.dropFirst().map { "cleave-\($0.name)" }
    var page = page
    if isProgram { page.details = description + "\n\n" + page.details }
    return ManualPage(
      page,
      of: pages[0].name,
      date: CalendarDate(seconds: seconds).text,
      version: cleaveVersion,
      sections: (isProgram ? program(pages) : []) + signals(page) + json(page)
        + environment(page) + files(page) + exitStatus(page),
      others: isProgram ? commands.sorted() : ["cleave"]
    )
  }

  /// Whether it does a job, and does not only write a text.
  private static func hasJob(_ page: CommandPage) -> Bool { page.has("--quiet") }

  // MARK: The program's own page

  private static let description = """
    It takes parts that other tools have made, too: NAME.001, NAME.part1.EXT, xaa and others, and split zips such as \
    a.z01, a.z02 and a.zip, of which it makes one valid zip. Any one part stands for all of them, and so do their \
    manifest and a directory with no other series in it.

    An output is made under a temporary name, compared with a manifest or with what its content says of itself, \
    flushed to the device and then renamed: a name is absent, or holds what it held before, or the complete new file.
    """

  private static func program(_ pages: [CommandPage]) -> [Section] {
    [
      Section("COMMANDS", pages.dropFirst().map { Entry($0.name, $0.summary) }),
      Section(
        "AS SPLIT",
        text: """
          Called by the name of split, through a link or a copy, the program is GNU split 9.5: the same options, \
          names, messages, filters and exit codes. Such a link is installed in lib/cleave/bin, which may be put \
          in front of PATH.
          """
      ),
    ]
  }

  // MARK: Signals

  private static func signals(_ page: CommandPage) -> [Section] {
    guard hasJob(page) else { return [] }
    let keeps = page.has("--resume") ? " With --resume or --consume, what is done is kept." : ""
    return [
      Section(
        "SIGNALS",
        [
          Entry(
            "SIGINT, SIGTERM, SIGHUP",
            "The job ends, its temporary files are removed, and no output gets its name.\(keeps) Then the process ends "
              + "by the signal. It does so at once at a second signal, or if the job takes more than 0.7 s to end."
          ),
          Entry("SIGUSR1", "One line on how far the job is goes to standard error."),
          Entry(
            "SIGPIPE, SIGXFSZ",
            "The write that fails is an error. If the reader of standard output has gone away, the process ends by "
              + "SIGPIPE."
          ),
          Entry(
            "SIGTSTP, SIGCONT",
            "The job stops and goes on. The rate in a progress line is that of the last three seconds."
          ),
          Entry(
            "p",
            "Pressed on a terminal while there is a progress line, this key pauses the job, and has it go on. Other "
              + "keys are taken and mean nothing, but for those of signals; none is where standard input is read."
          ),
        ],
        text:
          "A signal that was ignored when the process was started, as by nohup(1), stays ignored."
      )
    ]
  }

  // MARK: JSON

  private static let planning = ["merge", "split", "repair", "verify"]
  private static let sharing = ["merge", "split", "finish"]

  private static func json(_ page: CommandPage) -> [Section] {
    guard page.has("--json") else { return [] }
    let isProgram = page.name == "cleave"
    var entries: [Entry] = []
    if isProgram || page.has("--progress") {
      entries.append(
        Entry(
          "progress",
          "With --progress or --progress=always, twice a second at most: bytes, total and seconds."
        )
      )
    }
    entries.append(Entry("result", "What came of it."))
    if isProgram || planning.contains(page.name) {
      entries.append(Entry("plan", "With --dry-run, what would be done."))
    }
    if isProgram || page.name == "split" {
      entries.append(Entry("part", "With -v or --progress, a part that may be taken away."))
    }
    if isProgram || sharing.contains(page.name) {
      entries.append(
        Entry(
          "share",
          "What a run with --share has done, where others are not done yet: missing has their numbers."
        )
      )
    }
    entries.append(
      Entry(
        "failure",
        "Why there is no result: error is the reason in a sentence, and exitCode what the process ends with. path, "
          + "missing, call, errno, symbol and offset are there where they apply."
      )
    )
    let text = """
      With --json, each line of standard output is an object, whose member event is one of these. The last line is \
      the result, the plan, the share or the failure. Messages for people are on standard error. The name of a file is a \
      string or, where it is not UTF-8, an object that has its bytes in base64. docs/json-schema.json in the source \
      describes every member.
      """
    return [Section("JSON", lead: text, entries)]
  }

  // MARK: Environment

  private static func environment(_ page: CommandPage) -> [Section] {
    var entries: [Entry] = []
    if page.has("--color") {
      entries += [
        Entry(
          "NO_COLOR",
          "If it is set and not empty, messages have no color, unless --color asks for it."
        ),
        Entry(
          "TERM",
          "On a dumb terminal there is neither color nor a progress line, unless an option asks for it."
        ),
      ]
    }
    if ["cat", "info", "merge", "split", "verify"].contains(page.name) {
      entries += [
        Entry(
          "AWS_ENDPOINT_URL, AWS_REGION, AWS_PROFILE, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN",
          "Where s3:// addresses lead, and who asks; ~/.aws/config and ~/.aws/credentials are read, too."
        ),
        Entry(
          "CURL_CA_BUNDLE, SSL_CERT_FILE, AWS_CA_BUNDLE",
          "The file of certificates to trust; the last one is for s3:// addresses."
        ),
        Entry("CLEAVE_REMOTE_TIMEOUT", "Seconds of silence of another machine; 30."),
        Entry("CLEAVE_REMOTE_TRIES", "How often another machine is asked the same; 6."),
      ]
    }
    if page.name == "bench" {
      entries.append(Entry("OUT", "The name of the output, for the command of --baseline."))
    }
    if page.has("--manual") {
      entries.append(
        Entry("SOURCE_DATE_EPOCH", "The date of a manual page, in seconds since 1970.")
      )
    }
    entries.append(
      Entry("POSIXLY_CORRECT", "If it is set, no option is looked for behind the first operand.")
    )
    return [Section("ENVIRONMENT", entries.sorted { $0.term < $1.term })]
  }

  // MARK: Files

  private static let temporary = Entry(
    ".NAME.cleave-tmp-XXXXXXXX",
    "An output that is being made. 'cleave clean' removes what killed runs have left."
  )

  private static let journal = Entry(
    ".NAME.cleave-journal",
    "With --resume or --consume, what has been done; it is removed in the end."
  )

  private static let rest = Entry(
    "NAME.cleave-rest",
    "With --consume, a source that is not whole any more; it is removed in the end."
  )

  private static let manifests = Entry(
    ([".sfv", ".crc"] + SumKind.endings).map { "NAME\($0)" }.joined(separator: ", "),
    "Manifests that are found beside NAME.001 or NAME; SHA256SUMS, checksums.txt and the like, too."
  )

  private static func files(_ page: CommandPage) -> [Section] {
    let entries: [Entry]
    switch page.name {
    case "merge":
      let sums = Entry(
        "NAME.sfv",
        "With --consume, the CRC-32 of each part, where nothing proves the parts; NAME.parts.sfv if that is taken."
      )
      entries = [manifests, temporary, journal, rest, sums]
    case "split":
      entries = [
        Entry("PREFIX.001, PREFIX.002 \u{2026}", "The parts."),
        Entry(
          "PREFIX.sfv",
          "The manifest: names and CRC-32 of the parts, and of the whole as comments."
        ),
        Entry(
          SumKind.endings.map { "PREFIX\($0)" }.joined(separator: ", "),
          "Manifests that --checksum asks for."
        ),
        Entry(
          "PREFIX.join.sh, PREFIX.join.py, PREFIX.join.ps1, PREFIX.join.bat",
          "With --joiners, the scripts."
        ),
        temporary, journal, rest,
      ]
    case "cat", "info", "verify": entries = [manifests]
    case "repair":
      entries = [Entry("NAME.repaired.zip", "The output, without --output."), temporary]
    case "clean": entries = [temporary, journal]
    case "bench":
      entries = [
        Entry(".cleave-bench-XXXXXX", "The working directory, which is removed in the end.")
      ]
    default: entries = []
    }
    return entries.isEmpty ? [] : [Section("FILES", entries)]
  }

  // MARK: Exit status

  /// What each code means, in the order of the numbers.
  static let codes: [(code: ExitCode, meaning: String)] = [
    (.success, "Done."),
    (.different, "Something differs from what it should be, or could not be tested."),
    (.usage, "The command line makes no sense."),
    (.badData, "Data is not what a manifest or its format says."),
    (.noInput, "An input is missing, or cannot be used."),
    (.exhausted, "The operating system gives too few threads or descriptors, or too little stack."),
    (.cannotCreate, "An output cannot be made, for instance because its name is taken."),
    (.inputOutput, "Reading, writing or flushing failed."),
    (
      .tryAgain,
      "An input has changed while it was read, another run has a file locked, or clean has left the only copy of "
        + "something."
    ),
    (.notPermitted, "Reading or writing is not permitted."),
  ]

  private static func exitStatus(_ page: CommandPage) -> [Section] {
    let isTold: (ExitCode) -> Bool =
      switch page.name {
      case "cleave", "verify", "bench": { _ in true }
      case _ where hasJob(page): { $0 != .different }
      default: { [.success, .usage, .exhausted, .inputOutput].contains($0) }
      }
    let entries = codes.filter { isTold($0.code) }.map { Entry("\($0.code.rawValue)", $0.meaning) }
    let text = """
      A process that a signal ends has no such code; shells show 128 and the number of the signal, which is 130 \
      behind ^C and 141 if the reader of a pipe has gone away.
      """
    return [Section("EXIT STATUS", entries, text: text)]
  }
}

extension CommandPage {
  fileprivate func has(_ option: String) -> Bool { options.contains { $0.longName == option } }
}

/// A day of the Gregorian calendar, in UTC.
struct CalendarDate {
  private let year: Int
  private let month: Int
  private let day: Int

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October",
    "November", "December",
  ]

  /// - Parameter seconds: since 1970, from then to the year 9999; others count as the nearest of these.
  init(seconds: Int64) {
    (year, month, day) = ProcessState.day(at: min(max(seconds, 0), 253_402_300_799))
  }

  /// As manual pages have it: `November 23, 2026`.
  var text: String { "\(Self.months[month]) \(day), \(year)" }
}
