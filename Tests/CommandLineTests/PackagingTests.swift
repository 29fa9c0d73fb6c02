import Cleave
import Posix
import TestSupport
import Testing

/// What `Scripts/source.sh` makes for those who build packages elsewhere.
@Suite(.aside, .enabled(if: Tool.find("strip") != nil, "needs strip"))
struct PackagingTests {
  let directory: TemporaryDirectory
  private let archive = "cleave-\(cleaveVersion).tar.gz"

  init() throws { directory = try TemporaryDirectory() }

  /// Makes the files; false, and says so, where the sources are not a clone.
  private func make(_ environment: [String: String] = [:]) throws -> Bool {
    let script = BuildProducts.sources.appending("Scripts/source.sh")
    let outcome = try Tool(script).run([directory.path], environment: environment)
    guard outcome.exitCode != 69 else {
      print("skipped: the sources are not a clone of git")
      return false
    }
    let names = ["cleave.rb", "cleave.spec", archive]
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText == names.map { "\(directory.path)/\($0)\n" }.joined())
    return true
  }

  private func tool(_ name: FilePath) -> Tool? {
    let tool = Tool.find(name)
    if tool == nil { print("skipped: \(name) is not installed") }
    return tool
  }

  private func shell(_ script: String, _ environment: [String: String] = [:]) throws -> String {
    let outcome = try Tool.shell.run(
      ["-ec", script],
      environment: environment.merging(["SOURCES": "\(BuildProducts.sources)"]) { old, _ in old },
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    return outcome.outputText
  }

  // MARK: RPM

  /// What a line of `%files` stands for.
  private func regex(_ pattern: Substring) throws -> Regex<Substring> {
    let escaped = pattern.replacing(".", with: "\\.").replacing("*", with: "[^/]*")
    return try Regex(String(escaped) + (pattern.hasSuffix("/") ? ".*" : ""))
  }

  @Test func theSpecHasWhatIsInstalled() throws {
    guard let rpmspec = tool("rpmspec"), try make() else { return }
    let parsed = try rpmspec.run(["-P", directory.file("cleave.spec")])
    #expect(parsed.exitCode == 0 && parsed.errorText == "", "\(parsed)")
    #expect(parsed.outputText.contains("\nVersion:        \(cleaveVersion)\n"))
    let files = try #require(parsed.outputText.firstMatch(of: #/(?s)\n%files\n(.*?)\n\n/#)).1
    let patterns = files.split(separator: "\n").filter { $0.hasPrefix("/") }
    let installed = try shell(
      """
      "$SOURCES/Scripts/manual.sh" "$BINARY" made
      MADE=$PWD/made DESTDIR=$PWD/root PREFIX=/usr LICENSE= "$SOURCES/Scripts/install.sh" install
      cd root
      find . ! -type d
      """,
      ["BINARY": "\(Tool.cleave.path)"]
    )
    let names = installed.split(separator: "\n").map { $0.dropFirst() }
    #expect(names.count > 10)
    for name in names {
      #expect(try patterns.contains { try name.wholeMatch(of: regex($0)) != nil }, "\(name)")
    }
    for pattern in patterns {
      #expect(try names.contains { try $0.wholeMatch(of: regex(pattern)) != nil }, "\(pattern)")
    }
  }

  @Test func rpmlintFindsNothing() throws {
    guard let rpmlint = tool("rpmlint"), try make() else { return }
    let filters = BuildProducts.sources.appending("Packaging/cleave.rpmlintrc")
    let outcome = try rpmlint.run(["-r", filters, directory.file("cleave.spec")])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.contains(" 0 errors, 0 warnings,"), "\(outcome)")
  }

  // MARK: Homebrew

  /// As much of Homebrew as the formula uses: it installs, and runs the formula's test.
  private static let homebrew = """
    require "digest"
    require "pathname"
    class Formula
      Told = {}
      %i[desc homepage url sha256 license].each do |word|
        define_singleton_method(word) { |value| Told[word] = value }
      end
      def self.depends_on(*) = nil
      def self.uses_from_macos(*) = nil
      def self.test(&block) = define_method(:try, &block)
      attr_reader :prefix, :testpath
      def initialize(place) = (@prefix, @testpath = place/"prefix", place/"test")
      def bin = prefix/"bin"
      def system(*words) = Kernel.system(*words.map(&:to_s)) || raise("failed: #{words}")
      def assert_equal(one, other) = one == other || raise("differs")
    end
    place = Pathname.pwd
    load place/"cleave.rb"
    raise "sum" if Formula::Told[:sha256] != Digest::SHA256.file(place/ARGV[0]).hexdigest
    formula = Cleave.new(place)
    Dir.chdir(place/ARGV[0].delete_suffix(".tar.gz")) { formula.install }
    formula.testpath.mkpath
    Dir.chdir(formula.testpath) { formula.try }
    puts Formula::Told[:url], Formula::Told[:homepage]
    """

  @Test func theFormulaInstallsAndItsTestPasses() throws {
    guard let ruby = tool("ruby") else { return }
    let address = "https://example.org/cleave.tar.gz"
    guard try make(["URL": address, "HOMEPAGE": "https://example.org"]) else { return }
    // The compiler's part is done already.
    _ = try shell(
      """
      tar -xzf "$ARCHIVE"
      mkdir programs
      printf '#!/bin/sh\\nmkdir -p .build/release\\ncp "$BINARY" .build/release/cleave\\n' >programs/swift
      chmod +x programs/swift
      """,
      ["ARCHIVE": archive]
    )
    let outcome = try ruby.run(
      ["-e", Self.homebrew, archive],
      environment: [
        "BINARY": "\(Tool.cleave.path)",
        "PATH": "\(directory.path)/programs:"
          + (ProcessState.environment("PATH") ?? "/usr/bin:/bin"),
      ],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.hasSuffix("\n\(address)\nhttps://example.org\n"), "\(outcome)")
    #expect(try Files.exists(directory.file("prefix/share/man/man1/cleave-merge.1")))
  }

  @Test func withoutAPageTheFormulaNamesNone() throws {
    guard try make() else { return }
    let formula = try Files.text(directory.file("cleave.rb"))
    #expect(!formula.contains("homepage") && !formula.contains(/@[A-Z]/), "\(formula)")
    #expect(formula.contains("url \"file://\(directory.path)/\(archive)\""))
  }
}
