import Posix
import TestSupport
import Testing

/// What only the script for Python does in a way of its own.
extension JoiningScriptTests {
  /// Runs it after lines of Python that change what its calls do.
  private func join(_ name: FilePath, after lines: String = "") throws -> Outcome? {
    guard let python = Interpreter("python3") else { return nil }
    let place = try TemporaryDirectory()
    try Files.write(Array(lines.utf8), to: place.file("sitecustomize.py"))
    let script = directory.file(name.adding(python.suffix))
    return try python.run(script, environment: ["PYTHONPATH": "\(place.path)"])
  }

  @Test(.enabled(if: Tool.cleaveHasDigests, "no libcrypto here"), arguments: [false, true])
  func pythonComparesADigestRatherThanTheSum(isDamaged: Bool) throws {
    try split("film", nil, ["-b", "1000", "--checksum=sha256"])
    if isDamaged { try Files.flipByte(at: 7, of: directory.file("film.002")) }
    guard let outcome = try join("film") else { return }
    #expect(outcome.exitCode == (isDamaged ? 1 : 0), "\(outcome)")
    let line =
      isDamaged
      ? #/film has SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}: a part is damaged\n/#
      : #/film: 2500 bytes from 3 parts, SHA-256 [0-9a-f]{64}\n/#
    let text = isDamaged ? outcome.errorText : outcome.outputText
    #expect(text.wholeMatch(of: line) != nil, "\(outcome)")
    #expect(try Files.exists(directory.file("film")) == !isDamaged)
  }

  @Test func aFileBesideThePartsIsNoModule() throws {
    try split("film")
    for name in ["hashlib.py", "os.py", "signal.py"] {
      try Files.write(Array("raise SystemExit(9)\n".utf8), to: directory.file(FilePath(name)))
    }
    guard let outcome = try join("film") else { return }
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("film")) == bytes)
  }

  @Test(arguments: [false, true]) func pythonReplacesNothing(hasLinks: Bool) throws {
    try split("film")
    let before = try Contents(of: directory.path)
    let links = hasLinks ? "" : "def link(*_): raise PermissionError(1, 'no links')\nos.link = link"
    let outcome = try join(
      "film",
      after: """
        import os
        fsync = os.fsync
        def late(file):
            fsync(file)
            open('\(directory.path)/film', 'wb').write(b'other')
        os.fsync = late
        \(links)
        """
    )
    guard let outcome else { return }
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errorText == "film exists already\n")
    #expect(try Contents(of: directory.path).changes(since: before) == ["film is new"])
    #expect(try Files.text(directory.file("film")) == "other")
  }

  @Test(arguments: [false, true]) func withoutLinksAnEmptyFileKeepsTheName(fails: Bool) throws {
    try split("film")
    let before = try Contents(of: directory.path)
    let replace = fails ? "def replace(*_): raise OSError(5, 'broken')\nos.replace = replace" : ""
    let outcome = try join(
      "film",
      after: "import os\ndef link(*_): raise PermissionError(1, 'no links')\nos.link = link\n"
        + replace
    )
    guard let outcome else { return }
    #expect(outcome.exitCode == (fails ? 1 : 0), "\(outcome)")
    #expect(outcome.errorText == (fails ? "film: broken\n" : ""))
    let changes = try Contents(of: directory.path).changes(since: before)
    #expect(changes == (fails ? [] : ["film is new"]))
    if !fails { #expect(try Files.read(directory.file("film")) == bytes) }
  }

  @Test func aPartThatPythonCannotReadLeavesNothing() throws {
    try split("film")
    let before = try Contents(of: directory.path)
    let outcome = try join(
      "film",
      after: """
        import builtins
        real = builtins.open
        def open(path, mode):
            if path.endswith(b'.002'): raise OSError(5, 'Input/output error', path)
            return real(path, mode)
        builtins.open = open
        """
    )
    guard let outcome else { return }
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errorText == "film.002 cannot be read: Input/output error\n")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }

  @Test(arguments: [("HUP", 129), ("INT", 130), ("TERM", 143)] as [(String, CInt)])
  func aSignalLeavesNothingOfPython(signal: (name: String, code: CInt)) throws {
    try split("film")
    let before = try Contents(of: directory.path)
    let outcome = try join(
      "film",
      after:
        "import os, signal\nos.fsync = lambda _: os.kill(os.getpid(), signal.SIG\(signal.name))"
    )
    guard let outcome else { return }
    #expect(outcome.exitCode == signal.code, "\(outcome)")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }
}
