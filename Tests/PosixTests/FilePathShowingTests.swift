import Posix
import TestSupport
import Testing

@Suite struct FilePathShowingTests {
  @Test(
    "text is shown on one line and without commands to the terminal",
    arguments: [
      ("", ""),
      ("plain name.txt", "plain name.txt"),
      ("na\u{EF}ve \u{6587} \u{1F600}", "na\u{EF}ve \u{6587} \u{1F600}"),
      ("e\u{301}", "e\u{301}"),
      ("a\nb", "a\\nb"),
      ("a\rb", "a\\rb"),
      ("a\r\nb", "a\\r\\nb"),
      ("a\tb", "a\\tb"),
      ("\u{1B}[31mred", "\\x1b[31mred"),
      ("\u{1}\u{7F}", "\\x01\\x7f"),
      ("\u{85}\u{9B}", "\\xc2\\x85\\xc2\\x9b"),
      ("a\\nb", "a\\\\nb"),
      ("\\", "\\\\"),
      ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
      ("\u{202E}gpj.exe", "\\u{202e}gpj.exe"),
      ("\u{202A}\u{202B}\u{202C}\u{202D}", "\\u{202a}\\u{202b}\\u{202c}\\u{202d}"),
      ("\u{2066}\u{2067}\u{2068}\u{2069}", "\\u{2066}\\u{2067}\\u{2068}\\u{2069}"),
      ("\u{200E}\u{200F}\u{61C}", "\\u{200e}\\u{200f}\\u{61c}"),
    ]
  )
  func textIsShownOnOneLine(name: String, expected: String) {
    #expect(FilePath(name).description == expected)
  }

  @Test(
    "bytes that are not UTF-8 are shown, and what is around them is kept",
    arguments: [
      ([0xFF], "\\xff"),
      ([0xFF, 0x61], "\\xffa"),
      ([0x61, 0xFF, 0x62], "a\\xffb"),
      ([0x61, 0xFF], "a\\xff"),
      ([0x80, 0x80, 0x61], "\\x80\\x80a"),
      // Cut short: two, three and four bytes long.
      ([0xC3], "\\xc3"),
      ([0xC3, 0x61], "\\xc3a"),
      ([0xE2, 0x82], "\\xe2\\x82"),
      ([0x61, 0xE2, 0x82, 0x62], "a\\xe2\\x82b"),
      ([0xF0, 0x9F, 0x98], "\\xf0\\x9f\\x98"),
      ([0xF0, 0x9F, 0x98, 0xC3, 0xA9], "\\xf0\\x9f\\x98\u{E9}"),
      ([0xE2, 0x82, 0xE2, 0x82, 0xAC], "\\xe2\\x82\u{20AC}"),
      // Longer than need be, a surrogate, and beyond the last character.
      ([0xC0, 0xAF], "\\xc0\\xaf"),
      ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"),
      ([0xF4, 0x90, 0x80, 0x80], "\\xf4\\x90\\x80\\x80"),
      ([0xC3, 0xA9, 0xFF, 0xC3, 0xA9], "\u{E9}\\xff\u{E9}"),
      ([0xFF, 0x0A, 0x5C], "\\xff\\n\\\\"),
    ] as [([UInt8], String)]
  )
  func bytesAreShown(bytes: [UInt8], expected: String) {
    #expect(FilePath(bytes: bytes).description == expected)
  }

  // An argument may have 128 KiB on Linux.
  @Test func longRubbishIsShownInTime() {
    let path = FilePath(bytes: Array(repeating: 0xFF, count: 128 << 10))
    let seconds = ProcessorTime.seconds {
      #expect(path.description.utf8.count == 4 * path.bytes.count)
    }
    #expect(seconds < 10)
  }
}
