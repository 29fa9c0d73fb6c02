import Cleave
import CommandLineKit
import Posix
import TestSupport
import Testing

@testable import CleaveCLI

@Suite struct PartSizePresetTests {
  @Test func theDocumentHasEachPresetOnce() throws {
    let text = try Files.text(BuildProducts.sources.appending("docs/presets.md"))
    let rows = text.matches(of: #/(?m)^\| `([a-z0-9-]+)` \| (\d+) \| [^|]+ \| [^|]+ \|$/#)
    let told = rows.map { "\($0.1) \($0.2)" }
    #expect(told == PartSizePreset.all.map { "\($0.name) \($0.size)" })
  }

  @Test(arguments: PartSizePreset.all.map(\.name)) func everyPresetIsASize(name: String) throws {
    var settings = SplitCommand.Settings()
    for text in [name, name.uppercased()] {
      _ = try SplitCommand.command.parse(["-b", FilePath(text)], into: &settings)
      let size = try #require(PartSizePreset.named(name)).size
      #expect(settings.cutting.sizes == .every(size))
    }
    // A size would be read as such.
    #expect(throws: UsageError.self) { try ByteSize.parse(FilePath(name)) }
  }
}
