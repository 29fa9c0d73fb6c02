import GNUSplit
import Posix
import Testing

struct QuotingTests {
  private static let names: [(String, String, String)] = [
    ("xaa", "xaa", "'xaa'"), ("a b", "'a b'", "'a b'"), ("", "''", "''"), ("a:b", "'a:b'", "'a:b'"),
    ("it's", #""it's""#, #""it's""#), (#"it's "it""#, #"'it'\''s "it"'"#, #"'it'\''s "it"'"#),
    ("a\nb", #"'a'$'\n''b'"#, #"'a'$'\n''b'"#), ("\u{1}", #"''$'\001'"#, #"''$'\001'"#),
    ("a\t\u{7f}", #"'a'$'\t\177'"#, #"'a'$'\t\177'"#), ("#a", "'#a'", "'#a'"), ("a#", "a#", "'a#'"),
    ("{", "'{'", "'{'"), ("{a}", "{a}", "'{a}'"), (#"a\b"#, #"'a\b'"#, #"'a\b'"#),
    ("$'", #"'$'\'''"#, #"'$'\'''"#), ("a#'", #"'a#'\'''"#, #"'a#'\'''"#),
  ]

  @Test(arguments: names) func namesAreQuotedForAShell(name: String, quoted: String, always: String)
  {
    #expect(String(decoding: Quoting.name(FilePath(name)), as: UTF8.self) == quoted)
    #expect(String(decoding: Quoting.always(FilePath(name)), as: UTF8.self) == always)
  }
}
