import CommandLineKit
import Testing

@Suite struct TableTests {
  @Test func aGoodTableHasNoProblems() {
    #expect(sample.problems() == [])
  }

  @Test func groupsKeepTheOrderOfTheTable() {
    let groups = sample.page.groups
    #expect(groups.map(\.heading) == ["Output", "Engine", "General"])
    #expect(groups[0].options.map(\.long) == ["bytes", "force", "name", "path"])
  }

  @Test func allowedValuesComeFromTheEnumeration() {
    let engine = sample.page.options.first { $0.long == "engine" }
    #expect(engine?.values == ["serial", "multiqueue", "zerocopy", "auto"])
    #expect(engine?.argument == .required("ENGINE"))
    #expect(engine?.placeholder == "ENGINE")
    #expect(sample.page.options.first { $0.long == "color" }?.argument == .optional("WHEN"))
    #expect(sample.page.options.first { $0.long == "force" }?.placeholder == nil)
  }

  @Test(
    "a problem of an option is named",
    arguments: [
      (row(help: "print it."), "--good: help does not begin with a capital"),
      (row(help: ""), "--good: help does not begin with a capital"),
      (row(help: "Print it"), "--good: help does not end in a full stop"),
      (row(help: "Print\nit."), "--good: help is more than one line"),
      (row(group: ""), "--good: no group"),
      (row("Bad"), "--Bad: not two or more lower-case letters, digits and inner hyphens"),
      (row("-bad"), "---bad: not two or more lower-case letters, digits and inner hyphens"),
      (row("b"), "--b: not two or more lower-case letters, digits and inner hyphens"),
      (row("a=b"), "--a=b: not two or more lower-case letters, digits and inner hyphens"),
      (
        row("\u{E9}t\u{E9}"),
        "--\u{E9}t\u{E9}: not two or more lower-case letters, digits and inner hyphens"
      ),
      (row(short: "?"), "--good: -? is not an ASCII letter or digit"),
      (row(short: "\u{E9}"), "--good: -\u{E9} is not an ASCII letter or digit"),
      (row(argument: .required("size")), "--good: argument 'size' is not in upper case"),
      (row(argument: .optional("")), "--good: argument '' is not in upper case"),
      (
        row(argument: .required("A"), values: ["x", "x"]), "--good: an allowed value is there twice"
      ),
      (row(values: ["x"]), "--good: allowed values, but no argument"),
      (
        row(argument: .required("A-VERY-LONG-NAME-FOR-AN-ARGUMENT")),
        "--good: too wide for a narrow terminal"
      ),
    ]
  )
  func aProblemOfAnOptionIsNamed(option: Option<Void>, problem: String) {
    #expect(command([option]).problems().contains(problem))
  }

  @Test func aConflictNamesOptionsOfTheTable() {
    let conflicts: [Conflict<Void>] = [
      .excludes(.init("--good", { _ in true }), [.init("--gone=x", { _ in true })], "there is none")
    ]
    let command = Command(
      "sample",
      summary: "Sample.",
      usage: ["sample"],
      options: [row()],
      conflicts: conflicts
    )
    #expect(command.problems() == ["sample: a conflict names --gone"])
  }

  @Test func namesThatAreThereTwiceAreNamed() {
    let options = [row(short: "g"), row(short: "g"), row("other", short: "g"), row("third")]
    #expect(
      command(options).problems() == [
        "any: --good is there twice", "any: -g is there twice", "any: -g is there twice",
      ]
    )
  }

  @Test func aPageWithoutUsageOrWithFragmentsIsNamed() {
    let command = Command<Void>(
      "any",
      summary: "fragment",
      usage: [],
      options: [],
      examples: [.init("cleave", "Runs it")]
    )
    #expect(
      command.problems() == [
        "any: summary does not begin with a capital",
        "any: summary does not end in a full stop",
        "any: no usage line",
        "any: example does not end in a full stop",
      ]
    )
  }

  private func command(_ options: [Option<Void>]) -> Command<Void> {
    Command("any", summary: "Do it.", usage: ["cleave any"], options: options)
  }
}

private func row(
  _ long: String = "good",
  short: Character? = nil,
  argument: OptionRow.Argument = .none,
  values: [String] = [],
  group: String = "General",
  help: String = "Print it."
) -> Option<Void> {
  Option(long, short: short, argument, values: values, group: group, help: help) { _, _ in }
}
