import Posix
import TestSupport
import Testing

/// What messages say to type can be typed, whatever command says it.
@Suite(.aside) struct AdviceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let files: [(FilePath, [UInt8])]
    let operands: [String]
    let code: CInt
    /// The end of the message by the commands that say it.
    let lines: [String: String]

    var testDescription: String { name }
  }

  private static let zip = (try? ZipWriter(ZipWriterTests.entries).single()) ?? []
  private static let pieces = zip.cut(to: zip.count / 3 + 1)
  private static let other = Bytes.pattern(count: 2000)
  /// gzip's first bytes, and then anything.
  private static let packed = ([0x1F, 0x8B, 8, 0] + Bytes.pattern(count: 2996)).cut(to: 1000)

  static let rows = [
    Row(
      name: "several series in a directory",
      files: [("f.001", other), ("f.002", other), ("g.001", other), ("g.002", other)],
      operands: ["."],
      code: 65,
      lines: [
        "merge": "name a part of one, or --all merges all of them\n",
        "cat": "name a part of one, or 'cleave merge --all …' merges all of them\n",
      ]
    ),
    Row(
      name: "parts of several files",
      files: [("f.001", other), ("f.002", other), ("g.001", other), ("g.002", other)],
      operands: ["f.001", "g.001"],
      code: 65,
      lines: [
        "merge": ": --all merges one after the other, --as-given -o OUT joins them\n",
        "cat": ": 'cleave merge --all …' merges one after the other, --as-given joins them\n",
      ]
    ),
    Row(
      name: "a lone file",
      files: [("photo", other)],
      operands: ["photo"],
      code: 66,
      lines: [
        "merge":
          ": name all parts in their order and -o OUT, or --as-given -o OUT copies it by itself\n",
        "cat": ": name all parts in their order, or --as-given copies it by itself\n",
      ]
    ),
    Row(
      name: "pieces of a zip in the wrong order",
      files: [("a.zip.001", pieces[2]), ("a.zip.002", pieces[1]), ("a.zip.003", pieces[0])],
      operands: ["a.zip.001"],
      code: 65,
      lines: [
        "merge":
          "; name all of them in the right order with --as-given -o OUT; --format=raw joins the "
          + "bytes all the same\n",
        "cat":
          "; name all of them in the right order with --as-given; --format=raw joins the bytes all "
          + "the same\n",
        "verify":
          "; name all of them in the right order with 'cleave merge --as-given -o OUT …'; 'cleave "
          + "merge --format=raw …' joins the bytes all the same\n",
        "info":
          "; name all of them in the right order with 'cleave merge --as-given -o OUT …'; 'cleave "
          + "merge --format=raw …' joins the bytes all the same\n",
      ]
    ),
    Row(
      name: "parts of a gzip file in the wrong order",
      files: [("a.gz.001", packed[1]), ("a.gz.002", packed[0]), ("a.gz.003", packed[2])],
      operands: ["a.gz.001"],
      code: 65,
      lines: [
        "merge":
          "a.gz: the parts do not begin like a gzip file, but a.gz.002 does: they are in the wrong "
          + "order; name all of them in the right order with --as-given -o OUT; --format=raw joins the "
          + "bytes\n",
        "verify":
          "in the right order with 'cleave merge --as-given -o OUT …'; 'cleave merge --format=raw …' "
          + "joins the bytes\n",
      ]
    ),
    Row(
      name: "files that are refused by their names",
      files: [("a.part1.rar", other), ("a.part2.rar", other)],
      operands: ["a.part1.rar"],
      code: 65,
      lines: [
        "merge": "; --format=raw joins the bytes\n",
        "verify": "; 'cleave merge --format=raw …' joins the bytes\n",
        "info": "; 'cleave merge --format=raw …' joins the bytes\n",
      ]
    ),
    Row(
      name: "a file that is refused by its name, which has no number",
      files: [("a.rar", other)],
      operands: ["a.rar"],
      code: 65,
      lines: [
        "merge": "; --as-given -o OUT joins the files named\n",
        "cat": "; --as-given joins the files named\n",
        "verify": "; 'cleave merge --as-given -o OUT …' joins the files named\n",
      ]
    ),
  ]

  @Test(arguments: rows) func everyOptionIsOneOfTheCommand(row: Row) throws {
    let directory = try TemporaryDirectory()
    for (name, bytes) in row.files { try Files.write(bytes, to: directory.file(name)) }
    for (command, end) in row.lines {
      let outcome = try Tool.cleave.run([command] + row.operands, workingDirectory: directory.path)
      #expect(outcome.exitCode == row.code, "\(outcome)")
      #expect(outcome.errorText.hasSuffix(end), "\(command): \(outcome.errorText)")
      guard command == "info" || command == "verify" else { continue }
      let report = try Tool.cleave.run(
        [command, "--json"] + row.operands,
        workingDirectory: directory.path
      )
      #expect(report.outputText.contains(end.dropLast()), "\(report)")
    }
  }

  @Test func partsInTheRightOrderAreJoined() throws {
    let directory = try TemporaryDirectory()
    for (name, bytes) in Swift.zip(
      ["a.zip.003", "a.zip.002", "a.zip.001"] as [FilePath],
      Self.pieces
    ) {
      try Files.write(bytes, to: directory.file(name))
    }
    let words = ["merge", "--no-sync", "--as-given", "-o", "OUT"]
    let outcome = try Tool.cleave.run(
      words + ["a.zip.003", "a.zip.002", "a.zip.001"],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("OUT")) == Self.zip)
  }
}
