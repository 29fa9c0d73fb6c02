import CommandLineKit
import Testing

@testable import CleaveCLI

@Suite struct CommandTableTests {
  @Test(arguments: Program.pages) func theTableOfACommandIsSound(page: CommandPage) {
    #expect(page.problems() == [])
  }
}
