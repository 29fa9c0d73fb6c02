import Posix
import TestSupport
import Testing

/// Which scripts `split --joiners` writes, and what is in those that cannot be run here.
@Suite(.aside) struct JoinerTests {
  let directory: TemporaryDirectory
  let bytes = Bytes.pattern(count: 2500)

  init() throws { directory = try TemporaryDirectory() }

  private static let scripts: [FilePath] = [
    "file.join.bat", "file.join.ps1", "file.join.py", "file.join.sh",
  ]

  // MARK: - Which

  @Test(arguments: [[], ["--resume"], ["--consume"]] as [[String]], engines)
  func theyArePublishedWithTheManifest(options: [String], engine: String) throws {
    let outcome = try split("file", options + ["--engine", engine])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.hasSuffix(", put together by \(directory.path)/file.join.sh\n"))
    let file: [FilePath] = options == ["--consume"] ? [] : ["file"]
    let parts: [FilePath] = ["file.001", "file.002", "file.003"]
    #expect(try directory.names() == file + parts + Self.scripts + ["file.sfv"])
    #expect(try FileStatus.of(directory.file("file.join.sh")).permissions & 0o111 != 0)
    #expect(try FileStatus.of(directory.file("file.join.ps1")).permissions & 0o111 == 0)
  }

  @Test func standardInputGetsThemToo() throws {
    let outcome = try Tool.cleave.run(
      ["split", "-b", "1000", "--joiners", "-", directory.file("file")],
      input: .bytes(bytes)
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    let join = try Tool.shell.run([directory.file("file.join.sh")])
    #expect(join.exitCode == 0, "\(join)")
    #expect(try Files.read(directory.file("file")) == bytes)
  }

  @Test func theyKnowTheSumAlsoWhereNothingElseDoes() throws {
    #expect(try split("file", ["--verify=none", "--manifest=none"]).exitCode == 0)
    try Files.flipByte(at: 9, of: directory.file("file.002"))
    try FileSystem.unlink(directory.file("file"))
    #expect(try Tool.shell.run([directory.file("file.join.sh")]).exitCode == 1)
  }

  @Test(arguments: scripts) func oneThatExistsIsReplacedOnlyByForce(script: FilePath) throws {
    try Files.write([9], to: directory.file(script))
    let refused = try split("file")
    #expect(refused.exitCode == 73, "\(refused)")
    #expect(
      refused.errorText == "cleave: \(directory.path)/\(script): exists; --force replaces it\n"
    )
    #expect(try directory.names() == ["file", script])
    #expect(try split("file", ["--force"]).exitCode == 0)
    #expect(try Files.read(directory.file(script)) != [9])
  }

  static let unfitNames: [(name: FilePath, missing: [String])] = [
    ("new\nline", ["bat", "ps1"]), ("tab\t", ["bat", "ps1"]), ("\u{85}", ["bat", "ps1"]),
    (FilePath(bytes: [0x61, 0xFF]), ["bat", "ps1"]),
    ("a\"b", ["bat"]), ("a*", ["bat"]), ("what?", ["bat"]), ("a:b", ["bat"]), ("<a>", ["bat"]),
    ("a|b", ["bat"]), ("a\\b", ["bat"]),
  ]

  @Test(arguments: unfitNames)
  func namesThatAScriptCannotHoldAreToldOf(name: FilePath, missing: [String]) throws {
    let outcome = try split(name)
    #expect(outcome.exitCode == 0, "\(outcome)")
    for kind in ["sh", "py", "ps1", "bat"] {
      let script = directory.file(name.adding(".join.\(kind)"))
      #expect(try Files.exists(script) == !missing.contains(kind))
      let line =
        "cleave: warning: \(script): such a script cannot hold the parts' names; it is not written\n"
      #expect(outcome.errorText.contains(line) == missing.contains(kind), "\(outcome)")
    }
  }

  @Test func aSplitZipHasNone() throws {
    let outcome = try split("file", ["--format=zip"], cut: "64K")
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(
      outcome.errorText.hasPrefix("cleave: --joiners is for parts that make the file by being")
    )
    #expect(try directory.names() == ["file"])
  }

  @Test(arguments: [[], ["--dry-run"]] as [[String]]) func theReportNamesThem(options: [String])
    throws
  {
    let outcome = try split("file", ["--json"] + options)
    let names = ["sh", "py", "ps1", "bat"].map { "\"\(directory.path)/file.join.\($0)\"" }
    #expect(
      outcome.outputText.contains("\"joiners\":[\(names.joined(separator: ","))]"),
      "\(outcome)"
    )
    #expect(
      try !Tool.cleave.run(["split", "--json", "-n2", directory.file("file"), directory.file("b")])
        .outputText.contains("joiners")
    )
  }

  /// As a shell makes of `file.*`.
  @Test(arguments: [[], ["--manifest=none"], ["--resume"]] as [[String]])
  func mergeLeavesThemOut(options: [String]) throws {
    #expect(try split("file", ["--no-sync"]).exitCode == 0)
    try FileSystem.unlink(directory.file("file"))
    let names = try directory.names().filter { options.isEmpty || $0 != "file.sfv" }
    let outcome = try Tool.cleave.run(
      ["merge"] + options + names,
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("file")) == bytes)
  }

  // MARK: - Windows

  @Test func batchFilesEndTheirLinesAsCmdWantsThem() throws {
    let text = try script("50% & it's!^ (1).bin", "bat")
    #expect(text.utf8.first == UInt8(ascii: "@"))
    let lines = text.replacing("\r\n", with: "\n")
    #expect(!lines.utf8.contains(UInt8(ascii: "\r")))
    #expect(lines.utf8.count { $0 == UInt8(ascii: "\n") } + lines.utf8.count == text.utf8.count)
    #expect(
      lines.contains("\nset \"name=50%% & it's!^ (1).bin\"\nset \"size=2500\"\nset \"sha256=\"\n")
    )
    #expect(
      lines.contains(
        "\ncall :check 2 1000\nif errorlevel 1 goto stop\ncall :check 3 500\nif errorlevel 1 goto stop\n"
      )
    )
    #expect(lines.contains("\nif %number% lss 1000 set \"digits=000%number%\"\n"))
    #expect(lines.contains("\nif %number% lss 1000 set \"digits=%digits:~-3%\"\n"))
    #expect(lines.contains("\nset \"shown=50%% & it's!^ (1).bin\"\n"))
    #expect(!lines.contains("chcp"))
    // Elsewhere than between quotes, the names' characters would mean something.
    for line in lines.split(separator: "\n")
    where line.contains(#/%(name|shown|part|subject|temporary)%/#) {
      let unquoted = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      #expect(
        unquoted.allSatisfy { !$0.contains(#/%(name|shown|part|subject|temporary)%/#) },
        "\(line)"
      )
    }
  }

  @Test func batchFilesHoldUnicodeInItsCodePage() throws {
    let lines = try script("Größe.bin", "bat").replacing("\r\n", with: "\n")
    #expect(lines.contains("\nchcp 65001 >nul\nset \"name=Größe.bin\"\n"))
    #expect(lines.hasSuffix("%2 bytes each.\n") == false)
    #expect(lines.contains("\npopd\nchcp %codepage% >nul\nexit /b %code%\n"))
  }

  @Test(.enabled(if: Tool.cleaveHasDigests, "no libcrypto here"))
  func theyKnowTheDigestThatWasComputed() throws {
    #expect(try split("file", ["--checksum=sha256"]).exitCode == 0)
    let sums = try Files.text(directory.file("file.sha256"))
    let whole = try #require(sums.firstMatch(of: #/[# ]sha256: ([0-9a-f]{64})\n/#)).1
    let lines = [
      "sh": "sha256=\(whole)", "py": "sha256 = '\(whole)'", "bat": "set \"sha256=\(whole)\"",
      "ps1": "$sha256 = '\(whole)'",
    ]
    for (kind, line) in lines {
      let text = try Files.text(directory.file(FilePath("file.join.\(kind)")))
      #expect(text.replacing("\r\n", with: "\n").contains("\n\(line)\n"), "\(kind)")
    }
  }

  static let quoted: [(name: FilePath, literal: String)] = [
    ("plain", "'plain'"), ("it's", "'it''s'"), ("$a `b", "'$a `b'"), ("a\"b", "'a\"b'"),
    (
      "\u{2018}a\u{2019}\u{201A}\u{201B}",
      "'\u{2018}\u{2018}a\u{2019}\u{2019}\u{201A}\u{201A}\u{201B}\u{201B}'"
    ),
  ]

  @Test(arguments: quoted) func powerShellQuotesNames(name: FilePath, literal: String) throws {
    let text = try script(name, "ps1")
    #expect(text.hasPrefix("\u{FEFF}# Puts the parts"))
    #expect(
      text.contains("\r\n$name = \(literal)\r\n$width = 3\r\n$size = 2500\r\n"),
      "\(text.prefix(400))"
    )
    #expect(text.contains("\r\n$lasts = @(2, 3)\r\n$sizes = @(1000, 500)\r\n"))
    #expect(!text.replacing("\r\n", with: "").utf8.contains(UInt8(ascii: "\n")))
  }

  /// What turns text around stays in the names, and is not in messages.
  @Test func scriptsShowNamesAsMessagesDo() throws {
    let name: FilePath = "a\u{202E}b"
    let lines = [
      "sh": "shown='a\\u{202e}b'", "bat": "set \"shown=a\\u{202e}b\"",
      "ps1": "$shown = 'a\\u{202e}b'",
    ]
    _ = try script(name, "sh")
    for (kind, line) in lines {
      let path = directory.file(name.adding(".join.\(kind)"))
      let text = try Files.text(path).replacing("\r\n", with: "\n")
      #expect(text.contains("\n\(line)\n"), "\(kind)")
      #expect(text.unicodeScalars.count { $0 == "\u{202E}" } == 1, "\(kind)")
    }
  }

  @Test(arguments: quoted) func powerShellReadsTheScript(name: FilePath, literal: String) throws {
    _ = try script(name, "ps1")
    let path = directory.file(name.adding(".join.ps1"))
    guard let python = Tool.find("python3"),
      try python.run(["-c", "import tree_sitter, tree_sitter_powershell"]).exitCode == 0
    else { return print("skipped: tree-sitter-powershell is not installed") }
    let outcome = try python.run(["-c", Self.parser, path])
    #expect(outcome.exitCode == 0, "\(outcome)")
  }

  private static let parser = """
    import sys, tree_sitter, tree_sitter_powershell
    language = tree_sitter.Language(tree_sitter_powershell.language())
    tree = tree_sitter.Parser(language).parse(open(sys.argv[1], "rb").read()[3:])
    sys.exit(str(tree.root_node) if tree.root_node.has_error else 0)
    """

  @Test(arguments: quoted, [false, true])
  func powerShellJoins(quoted: (name: FilePath, literal: String), isDamaged: Bool) throws {
    guard let powerShell = Tool.find("pwsh") else { return print("skipped: pwsh is not installed") }
    _ = try script(quoted.name, "ps1")
    if isDamaged { try Files.flipByte(at: 9, of: directory.file(quoted.name.adding(".002"))) }
    let outcome = try powerShell.run(["-File", directory.file(quoted.name.adding(".join.ps1"))])
    #expect(outcome.exitCode == (isDamaged ? 1 : 0), "\(outcome)")
    let file = directory.file(quoted.name)
    #expect(try Files.exists(file) == !isDamaged)
    if !isDamaged { #expect(try Files.read(file) == bytes) }
    #expect(try directory.names().count == (isDamaged ? 8 : 9))
  }

  // MARK: - Inside

  /// Splits a file of that name.
  private func split(
    _ name: FilePath,
    _ options: [String] = [],
    cut: String = "1000"
  ) throws -> Outcome {
    let file = directory.file(name)
    try Files.write(bytes, to: file)
    return try Tool.cleave.run(["split", "--joiners", "-b", cut] + options + [file])
  }

  /// The script of that kind, with the parts beside it and without the file.
  private func script(_ name: FilePath, _ kind: String) throws -> String {
    #expect(try split(name, ["--no-sync"]).exitCode == 0)
    try FileSystem.unlink(directory.file(name))
    return try Files.text(directory.file(name.adding(".join.\(kind)")))
  }
}
