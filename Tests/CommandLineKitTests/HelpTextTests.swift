import CommandLineKit
import Testing

@Suite struct HelpTextTests {
  @Test func theHelpIsLaidOutInTwoColumns() {
    #expect(
      sample.page.helpText(width: 80) == """
        Usage: cleave sample [OPTION]... FILE [PREFIX]
          or:  cleave sample --check FILE

        Cut a file into parts.

        Output:
          -b, --bytes=SIZE       Make parts of SIZE bytes.
          -f, --force            Replace files that exist.
          -n, --name=TEXT        Call the parts TEXT.
          -p, --path=FILE        Write to FILE.

        Engine:
          -e, --engine=ENGINE    Copy with this engine. One of serial, multiqueue,
                                 zerocopy, auto.
              --high-water=SIZE  Hand data over in pieces of at most SIZE bytes, which
                                 bounds the memory in use.
          -j, --jobs=N           Copy N ranges at a time.
              --sums=KIND        Write a manifest of this kind. One of none, crc, sfv.

        General:
          -c, --color[=WHEN]     Colour the output. One of always, never, auto.
          -q, --quiet            Print errors only.
              --verify           Read the parts again.
              --verify-never     Trust the disk.
          -h, --help             Print this help.

        A SIZE is a number with a unit, such as 350M or 4GiB-1, and this paragraph goes
        on long enough to be wrapped.

        See https://example.org/a/very/long/address/that/no/narrow/terminal/has/room/for
        for more.

        Examples:
          cleave sample -b 350M film.mkv
              Cuts film.mkv into parts of 350 MiB.
          cleave sample --bytes=4GiB-1 --engine=zerocopy --high-water=1M \\
                  image.iso /mnt/stick/image
              Cuts an image so that FAT can hold the parts.

        """
    )
  }

  @Test func theShortHelpHasExamplesFirstAndNamesOfOptions() {
    #expect(
      sample.page.shortHelpText(width: 80) == """
        Cut a file into parts.

          cleave sample -b 350M film.mkv  Cuts film.mkv into parts of 350 MiB.
          cleave sample --bytes=4GiB-1 --engine=zerocopy --high-water=1M \\
                  image.iso /mnt/stick/image
              Cuts an image so that FAT can hold the parts.

        Usage: cleave sample [OPTION]... FILE [PREFIX]
          or:  cleave sample --check FILE

        Output:   -b/--bytes=SIZE, -f/--force, -n/--name=TEXT, -p/--path=FILE
        Engine:   -e/--engine=ENGINE, --high-water=SIZE, -j/--jobs=N, --sums=KIND
        General:  -c/--color[=WHEN], -q/--quiet, --verify, --verify-never, -h/--help
        'cleave help sample' explains each.

        """
    )
  }

  @Test func theShortHelpOfTheProgramListsItsCommands() {
    #expect(
      program.shortText(width: 60) == """
        Split files and put them together again.

        Usage: cleave [OPTION]... COMMAND [ARGUMENT]...

        Commands:
          bare    Do it.
          sample  Cut a file into parts.

        Run cleave COMMAND --help for more.

        """
    )
  }

  @Test("no line is wider than the terminal, and none ends in a space", arguments: 40...120)
  func noLineIsTooWide(width: Int) {
    let whole = [sample.page.helpText(width: width), program.text(width: width)]
    let short = [sample.page.shortHelpText(width: width), program.shortText(width: width)]
    for text in whole + short {
      for line in text.split(separator: "\n") {
        #expect(line.count <= width)
        #expect(line.last != " ")
      }
    }
  }

  @Test("every word of the table is there at every width", arguments: [40, 41, 57, 80, 200])
  func everyWordIsThere(width: Int) {
    let words = sample.page.helpText(width: width).split(whereSeparator: \.isWhitespace)
    for option in sample.page.options {
      #expect(words.contains { $0.hasPrefix("--\(option.long)") })
      #expect(Set(option.help.split(separator: " ")).isSubset(of: words))
    }
  }

  @Test("a terminal that is too narrow counts as 40 columns", arguments: [-1, 0, 1, 39])
  func aNarrowTerminalCountsAsForty(width: Int) {
    #expect(sample.page.helpText(width: width) == sample.page.helpText(width: 40))
  }

  @Test func aCommandWithoutOptionsHasNoEmptyHeadings() {
    let command = Command<Void>("bare", summary: "Do it.", usage: ["cleave bare"], options: [])
    #expect(command.page.helpText(width: 80) == "Usage: cleave bare\n\nDo it.\n")
  }

  @Test func theProgramListsItsCommands() {
    #expect(
      program.text(width: 60) == """
        Usage: cleave [OPTION]... COMMAND [ARGUMENT]...

        Split files and put them together again.

        Commands:
          bare    Do it.
          sample  Cut a file into parts.

        General:
          -V, --version  Print the version.

        Run cleave COMMAND --help for more.

        """
    )
  }

  private var program: ProgramHelp {
    let cleave = Command<SampleSettings>(
      "cleave",
      summary: "Split files and put them together again.",
      usage: ["cleave [OPTION]... COMMAND [ARGUMENT]..."],
      options: [
        .flag("version", short: "V", group: "General", help: "Print the version.", sets: \.quiet)
      ],
      details: "Run cleave COMMAND --help for more."
    )
    let bare = Command<Void>("bare", summary: "Do it.", usage: ["cleave bare"], options: [])
    return ProgramHelp(program: cleave.page, commands: [bare.page, sample.page])
  }
}
