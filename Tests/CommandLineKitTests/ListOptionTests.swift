import CommandLineKit
import Posix
import Testing

/// Options whose argument is a list.
@Suite struct ListOptionTests {
  struct ListSettings: Equatable, Sendable {
    var sizes: [Int64] = [1]
    var colors: [Color] = []
  }

  private let command = Command<ListSettings>(
    "any",
    summary: "Do it.",
    usage: ["cleave any"],
    options: [
      .list("sizes", short: "s", "LIST", group: "Any", help: "Take these.", sets: \.sizes) {
        argument throws(UsageError) in try argument.size
      },
      .list("colors", "LIST", group: "Any", help: "Take these.", sets: \.colors) {
        argument throws(UsageError) in try argument.choice(of: [.always, .never])
      },
    ]
  )

  @Test(
    arguments: [
      ([], ListSettings()),
      (["--sizes=4K"], ListSettings(sizes: [4096])),
      (["-s", "3,1,2K"], ListSettings(sizes: [3, 1, 2048])),
      (["-s3,1", "-s7"], ListSettings(sizes: [7])),
      (["--colors=never,always"], ListSettings(colors: [.never, .always])),
    ] as [([FilePath], ListSettings)]
  )
  func aListReplacesWhatWasThere(arguments: [FilePath], expected: ListSettings) throws {
    var settings = ListSettings()
    #expect(try command.parse(arguments, into: &settings) == [])
    #expect(settings == expected)
  }

  @Test(
    arguments: [
      (
        ["--sizes=1,x"],
        "--sizes: 'x' is not a size; use a number with K, M, G, KB, KiB and the like"
      ),
      (["-s", ""], "-s: '' is not a size; use a number with K, M, G, KB, KiB and the like"),
      (["-s1,"], "-s: '' is not a size; use a number with K, M, G, KB, KiB and the like"),
      (["-s1K,1024"], "-s: '1024' is there twice"),
      (
        ["--colors=never,nevr"], "--colors: 'nevr' is not one of always, never; did you mean never?"
      ),
      (["--colors=auto"], "--colors: 'auto' is not one of always, never"),
      (["--colors="], "--colors: '' is not one of always, never"),
      (["--colors", .broken("")], "--colors: '\\xff' is not one of always, never"),
      (["--colors"], "--colors needs a LIST"),
    ] as [([FilePath], String)]
  )
  func aWrongItemIsNamed(arguments: [FilePath], message: String) {
    var settings = ListSettings()
    #expect(throws: UsageError(message)) { _ = try command.parse(arguments, into: &settings) }
  }
}
