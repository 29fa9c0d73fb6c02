import Cleave
import Posix

/// The page by which a server shows a directory.
enum HTMLIndex {
  /// The names in a directory that links of its page lead to, each once.
  ///
  /// - Parameters:
  ///   - directory: ends in a slash.
  ///   - escapes: gets the bytes that links have escaped and might have as they are.
  static func names(
    in page: [UInt8],
    of directory: FilePath,
    escapes: inout Set<UInt8>
  ) -> [FilePath] {
    var known = PathSet()
    var names: [FilePath] = []
    for link in links(in: page) {
      let text = XML.text(link)
      let path = Array(text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
      guard let name = name(path, directory), known.insert(name) else { continue }
      escapes.formUnion(FilePath(bytes: path).escapedReserved)
      names.append(name)
    }
    return names
  }

  private static func name(_ link: [UInt8], _ directory: FilePath) -> FilePath? {
    let whole = directory.bytes
    let root =
      whole.dropFirst(8).firstIndex(of: UInt8(ascii: "/")).map { Array(whole[$0...]) } ?? []
    // Links are escaped in other ways than what was typed.
    var bytes = unescaped(String(decoding: link, as: UTF8.self), keeping: "/?")[...]
    for front in [whole, root, Array("./".utf8)] where !front.isEmpty {
      if bytes.starts(with: front) {
        bytes = bytes.dropFirst(front.count)
        break
      }
    }
    // Elsewhere, or another directory.
    if bytes.isEmpty || bytes.contains(UInt8(ascii: "/")) { return nil }
    // Also where the dots are escaped, out of the directory.
    if bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) { return nil }
    return bytes.contains(0) ? nil : FilePath(bytes: bytes)
  }

  /// What nobody sees of a page, from its first bytes to its last ones.
  private static let hidden = [("<!--", "-->"), ("<script", "</script"), ("<style", "</style")].map
  {
    (start: Array($0.0.utf8), end: Array($0.1.utf8))
  }

  /// What `href` is in a page.
  private static func links(in page: [UInt8]) -> [ArraySlice<UInt8>] {
    let word = Array("href=".utf8)
    var links: [ArraySlice<UInt8>] = []
    var index = 0
    while index + word.count < page.count {
      if page[index] == UInt8(ascii: "<"),
        let hidden = hidden.first(where: { page.has($0.start, at: index) })
      {
        index = page.firstIndex(of: hidden.end, from: index + hidden.start.count)
        continue
      }
      guard page.has(word, at: index) else {
        index += 1
        continue
      }
      index += word.count
      let quote = page[index]
      let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      let start = isQuoted ? index + 1 : index
      let end =
        page[min(start, page.count)...].firstIndex { byte in
          isQuoted ? byte == quote : [9, 10, 13, 32, UInt8(ascii: ">")].contains(byte)
        } ?? page.count
      links.append(page[min(start, end)..<end])
      index = end
    }
    return links
  }

  /// A text without percent escapes.
  ///
  /// - Parameter kept: what stays escaped.
  static func unescaped(
    _ text: String,
    keeping kept: String = "",
    plusIsSpace: Bool = false
  ) -> [UInt8] {
    let bytes = text.utf8.map { plusIsSpace && $0 == UInt8(ascii: "+") ? 32 : $0 }
    return bytes.withoutPercentEscapes { bytes.isKeptEscape(at: $0, kept) }
  }
}

extension [UInt8] {
  /// Whether a text is at an index, letters in either case.
  fileprivate func has(_ text: [UInt8], at index: Int) -> Bool {
    text.count <= count - index
      && zip(text, self[index...]).allSatisfy { $0 == $1 | ($1 < 64 ? 0 : 0x20) }
  }

  /// The index of a text; that of the end where it is not there.
  fileprivate func firstIndex(of text: [UInt8], from start: Int) -> Int {
    (start..<Swift.max(start, count)).first { has(text, at: $0) } ?? count
  }
}
