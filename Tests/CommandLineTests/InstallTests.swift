import Posix
import TestSupport
import Testing

/// `make install` and `make uninstall`, but for the build.
@Suite(.aside, .enabled(if: Tool.find("strip") != nil, "needs strip"))
struct InstallTests {
  private func run(_ script: String, _ arguments: [any ToolArgument], _ staged: FilePath) throws {
    let path = BuildProducts.sources.appending(FilePath("Scripts/\(script).sh"))
    let outcome = try Tool(path).run(
      arguments,
      environment: [
        "BINARY": "\(Tool.cleave.path)", "MADE": "\(staged)/made", "DESTDIR": "\(staged)/root",
        "PREFIX": "/usr",
      ]
    )
    #expect(outcome.exitCode == 0 && outcome.errorText == "", "\(outcome)")
  }

  /// Below `usr`; of directories only those that are empty.
  private func files(_ staged: FilePath) throws -> Set<String> {
    let found = try #require(Tool.find("find")).run([
      staged.appending("root/usr"), "!", "-type", "d", "-printf", #"%P\n"#, "-o", "-empty",
      "-printf",
      #"%P/\n"#,
    ])
    return Set(found.outputText.split(separator: "\n").map(String.init))
  }

  @Test func whatIsInstalledWorksAndIsRemoved() throws {
    let directory = try TemporaryDirectory()
    let staged = directory.path
    try run("manual", [Tool.cleave.path, staged.appending("made")], staged)
    try run("install", ["install"], staged)
    let pages = try FileSystem.names(in: staged.appending("made/man")).map(\.description)
    #expect(pages.count > 10)
    let others: Set = [
      "bin/cleave", "lib/cleave/bin/split", "share/bash-completion/completions/cleave",
      "share/doc/cleave/LICENSE", "share/fish/vendor_completions.d/cleave.fish",
      "share/zsh/site-functions/_cleave",
    ]
    #expect(try files(staged) == others.union(pages.map { "share/man/man1/\($0)" }))

    // Through the link it is GNU split.
    let split = Tool(staged.appending("root/usr/lib/cleave/bin/split"))
    let outcome = try split.run(
      ["-l", "1", "-", directory.file("x")],
      input: .bytes(Array("a\nb\n".utf8))
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.text(directory.file("xab")) == "b\n")

    let foreign = staged.appending("root/usr/share/man/man1/other.1")
    try Files.write([], to: foreign)
    try run("install", ["uninstall"], staged)
    #expect(
      try files(staged) == [
        "bin/", "lib/", "share/bash-completion/completions/", "share/doc/",
        "share/fish/vendor_completions.d/", "share/man/man1/other.1", "share/zsh/site-functions/",
      ]
    )
  }
}
