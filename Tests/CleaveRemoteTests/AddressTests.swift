import Posix
import Testing

@testable import CleaveRemote

@Suite struct AddressTests {
  @Test(arguments: [
    ("https://h/a%20b.001", "https://h/a b.001", "https://h/a%20b.001"),
    ("https://h/a%2Fb%25c%3f", "https://h/a%2Fb%c%3f", "https://h/a%2Fb%25c%3f"),
    ("http://h:80/a?x=%20", "http://h:80/a?x=%20", "http://h:80/a?x=%20"),
    ("http://h/50%25+%231.001", "http://h/50%+#1.001", "http://h/50%25+%231.001"),
    ("http://h", "http://h", "http://h"),
  ])
  func escapesAreTakenOffNamesAndPutBack(typed: FilePath, path: FilePath, url: String) {
    #expect(typed.unescapingAddress == path)
    #expect(path.url == url)
  }
}
