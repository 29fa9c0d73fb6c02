import Posix
import TestSupport
import Testing

@testable import Cleave

/// Manifests that were asked for in another directory than that of the parts.
@Suite struct SplitManifestPlaceTests {
  private let directory: TemporaryDirectory
  private let bytes = Bytes.pattern(count: 2500)

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["d", "d/e", "other"] as [FilePath] { _ = try directory.directory(name) }
    _ = try directory.make("in", bytes)
  }

  private func split(_ prefix: FilePath, _ manifest: FilePath) -> Split {
    let naming = PartNaming(directory.file(prefix), isTyped: true)
    var split = Split(directory.file("in"), .every(1000), naming: naming)
    split.work.output.synchronizes = false
    split.options.manifest = .file(directory.file(manifest))
    return split
  }

  struct Row: Sendable {
    var prefix: FilePath
    var manifest: FilePath
    /// What the first part is called in it.
    var name: String
  }

  static let rows = [
    Row(prefix: "q", manifest: "m.sfv", name: "q.001"),
    Row(prefix: "d/q", manifest: "d/m.sha256", name: "q.001"),
    Row(prefix: "d/q", manifest: "m.sfv", name: "d/q.001"),
    Row(prefix: "d/q", manifest: "m.sha256", name: "d/q.001"),
    Row(prefix: "d/e/q", manifest: "m.md5", name: "d/e/q.001"),
    Row(prefix: "d/e/q", manifest: "other/../m.b2", name: "d/e/q.001"),
  ]

  @Test(arguments: rows) func itLeadsToTheParts(row: Row) throws {
    _ = try split(row.prefix, row.manifest).run()
    let manifest = directory.file(row.manifest)
    let text = String(decoding: try Files.read(manifest), as: UTF8.self)
    #expect(
      text.split(separator: "\n").contains {
        $0.hasPrefix("\(row.name) ") || $0.hasSuffix(" \(row.name)")
      },
      "\(text)"
    )
    #expect(try Verify([manifest]).run().isRight)
    let part = directory.file(row.prefix).adding(".001")
    var request = Selection.Request()
    request.manifest = .file(manifest)
    for selection in [try Selection(of: [manifest]), try Selection(of: [part], request)] {
      var merge = Merge(selection, into: directory.file("whole"))
      merge.work.output.synchronizes = false
      merge.work.output.replacesExisting = true
      #expect(try merge.run().verdict.isVerified)
      #expect(try Files.read(directory.file("whole")) == bytes)
    }
    // Again, over what is there.
    var again = split(row.prefix, row.manifest)
    again.work.output.replacesExisting = true
    _ = try again.run()
    try Files.write([UInt8](repeating: 1, count: 1000), to: part)
    #expect(try !Verify([manifest]).run().isRight)
  }

  static let refusals: [(prefix: FilePath, manifest: FilePath, text: String)] = [
    ("q", "d/m.sfv", "put it beside them, as"), ("d/q", "other/m.sha256", "put it beside them, as"),
    ("d/../q", "d/m.sha256", "put it beside them, as"),
    ("d/q", "m.crc", "would not lead to the parts"),
    ("q", "m.foo", "does not end like a manifest"),
    ("q", "none.SFVS", "does not end like a manifest"),
  ]

  @Test(arguments: refusals)
  func whereItCannotNothingIsMade(prefix: FilePath, manifest: FilePath, text: String) throws {
    let error = #expect(throws: CleaveError.self) { try split(prefix, manifest).run() }
    #expect(error?.kind == .contradiction)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(try directory.names() == ["d", "in", "other"])
  }

  /// Of those that are not just put together, any part has to lead to the manifest.
  @Test(arguments: [(0, "CutList.dealt"), (1, "Split.Options.header")])
  func partsThatNeedItHaveItBesideThem(header: Int64, what: String) throws {
    let lines = Array((1...100).map { "\($0)\n" }.joined().utf8)
    try Files.write(lines, to: directory.file("in"))
    func split(_ manifest: FilePath) -> Split {
      var split = self.split("d/q", manifest)
      split = Split(
        split.file,
        header > 0 ? .records(30) : .dealt(3),
        naming: split.naming,
        split.options
      )
      split.options.header = header
      return split
    }
    let error = #expect(throws: CleaveError.self) { try split("m.sfv").run() }
    #expect(error?.kind == .contradiction && error?.message.contains(what) == true)
    #expect(error?.message.contains("\(directory.file("d/m.sfv"))") == true)
    #expect(try FileSystem.names(in: directory.file("d")).elementsEqual(["e"]))
    _ = try split("d/m.sfv").run()
    let part = try Selection(of: [directory.file("d/q.002")])
    var merge = Merge(part, into: directory.file("whole"))
    merge.work.output.synchronizes = false
    #expect(try merge.run().verdict.isVerified)
    #expect(try Files.read(directory.file("whole")) == lines)
  }
}
