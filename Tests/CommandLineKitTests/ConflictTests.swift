import CommandLineKit
import Posix
import Testing

@Suite struct ConflictTests {
  private struct Settings: Sendable {
    var (waits, resumes, lists, ends) = (false, false, false, false)
    var mode = Mode.auto
  }

  private enum Mode: String, CaseIterable, Sendable { case auto, none }

  private static let command = Command<Settings>(
    "sample",
    summary: "Do it.",
    usage: ["cleave sample"],
    options: [
      .flag("wait", group: "Any", help: "Wait.", sets: \.waits),
      .flag("resume", group: "Any", help: "Go on.", sets: \.resumes),
      .flag("list", group: "Any", help: "List.", sets: \.lists),
      .flag("null", group: "Any", help: "End in NUL.", sets: \.ends),
      .choice("mode", "MODE", group: "Any", help: "How.", sets: \.mode),
    ],
    conflicts: [
      .excludes(
        .init("--wait", \.waits),
        [.init("--resume", \.resumes), .init("--mode=none") { $0.mode == .none }],
        "it is not known yet"
      ),
      .needs(.init("--null", \.ends), .init("--list", \.lists), "it says how names end"),
    ]
  )

  @Test(
    arguments: [
      ([], nil), (["--wait"], nil), (["--resume"], nil), (["--null", "--list"], nil),
      (["--wait", "--mode=auto"], nil),
      (["--wait", "--resume"], "--wait does not go with --resume: it is not known yet"),
      (["--resume", "--wait"], "--wait does not go with --resume: it is not known yet"),
      (["--mode=none", "--wait"], "--wait does not go with --mode=none: it is not known yet"),
      (["--null"], "--null is for --list: it says how names end"),
    ] as [([String], String?)]
  )
  func optionsThatDoNotGoTogetherAreNamed(arguments: [String], message: String?) {
    var settings = Settings()
    do throws(UsageError) {
      _ = try Self.command.parse(arguments.map { .init($0) }, into: &settings)
      #expect(message == nil)
    } catch {
      #expect(error.message == message)
    }
  }

  /// What was set before the command line is read counts as well.
  @Test func theCommandLineNeedNotHaveBoth() {
    var settings = Settings()
    settings.resumes = true
    #expect(throws: UsageError.self) {
      try Self.command.parse(["--wait"], into: &settings)
    }
  }

  @Test func theHelpNamesThem() {
    let help = Dictionary(
      uniqueKeysWithValues: Self.command.page.options.map { ($0.long, $0.help) }
    )
    #expect(help["wait"] == "Wait. Not with --resume or --mode=none.")
    #expect(help["null"] == "End in NUL. Only with --list.")
    #expect(help["resume"] == "Go on.")
    #expect(Self.command.problems() == [])
  }
}
