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
    // What stands for an escape that is kept stays, too: it would be taken for that escape.
    ("http://h/x%252Fy%2525.001", "http://h/x%252Fy%25.001", "http://h/x%252Fy%2525.001"),
    ("http://h/x%25252F", "http://h/x%25252F", "http://h/x%25252F"),
    ("http://h/x%2541", "http://h/x%41", "http://h/x%2541"),
    ("--manifest=http://h/a%20b.sfv", "--manifest=http://h/a b.sfv", nil),
    ("--output=a%20b", "--output=a%20b", nil), ("s3://b/a%20b", "s3://b/a%20b", nil),
  ])
  func escapesAreTakenOffNamesAndPutBack(typed: FilePath, path: FilePath, url: String?) {
    #expect(typed.unescapingAddress == path)
    if let url { #expect(path.url() == url) }
  }

  /// `+` and `%2B` are not the same to every server.
  @Test(arguments: [
    ("http://h/a%2Bb+c%20d e.001?s=%2B", "http://h/a%2Bb+c%20d%20e.001?s=%2B", "+"),
    ("http://h/a+b.001", "http://h/a+b.001", ""), ("http://h/%41%2c%", "http://h/%41%2c%25", ","),
  ])
  func whatWasTypedIsAskedForAsItWasTyped(typed: FilePath, url: String, escaped: String) {
    #expect(typed.typedURL == url)
    #expect(typed.escapedReserved == Set(escaped.utf8))
  }

  @Test func namesBesideAreEscapedInTheSameWay() {
    #expect(
      FilePath("http://h/a+b,c.002").url(escaping: [UInt8(ascii: "+")]) == "http://h/a%2Bb,c.002"
    )
  }

  @Test(arguments: [
    ("http://h/get?file=/d/film.001", "get?file=/d/film.001", "http://h"),
    ("http://h/d/film.001?s=a/b/", "film.001?s=a/b/", "http://h/d"),
    ("http://h/d/?s=/", "?s=/", "http://h/d"), ("s3://b/d?/e", "e", "s3://b/d?"),
    ("d?/e", "e", "d?"),
  ])
  func slashesOfAQueryAreNotThoseOfAPath(path: FilePath, name: FilePath, directory: FilePath) {
    #expect(path.lastComponent == name)
    #expect(path.directory == directory)
    #expect(path.sibling("x") == directory.appending("x"))
    #expect(!path.endsInSlash)
  }
}
