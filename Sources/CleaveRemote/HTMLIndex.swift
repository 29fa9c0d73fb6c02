import Cleave
import Posix

/// The page by which a server shows a directory.
enum HTMLIndex {
  /// The names in a directory that links of its page lead to, each once.
  ///
  /// - Parameter directory: ends in a slash.
  static func names(in page: [UInt8], of directory: FilePath) -> [FilePath] {
    var known = PathSet()
    var names: [FilePath] = []
    for link in links(in: page) {
      let text = XML.text(link)
      let path = Array(text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
      guard let name = name(path, directory), known.insert(name) else { continue }
      names.append(name)
    }
    return names
  }

  private static func name(_ link: [UInt8], _ directory: FilePath) -> FilePath? {
    let whole = directory.url.utf8
    let root =
      whole.dropFirst(8).firstIndex(of: UInt8(ascii: "/")).map { Array(whole[$0...]) } ?? []
    var link = link[...]
    for front in [Array(whole), root, Array("./".utf8)] where !front.isEmpty {
      if link.starts(with: front) {
        link = link.dropFirst(front.count)
        break
      }
    }
    // Elsewhere, or another directory.
    if link.isEmpty || link.contains(where: { $0 == UInt8(ascii: "/") }) { return nil }
    let bytes = unescaped(
      String(decoding: link, as: UTF8.self),
      keeping: "/?"
    )
    // Also where the dots are escaped, out of the directory.
    if bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) { return nil }
    return bytes.contains(0) ? nil : FilePath(bytes: bytes)
  }

  /// What `href` is in a page.
  private static func links(in page: [UInt8]) -> [ArraySlice<UInt8>] {
    let word = Array("href=".utf8)
    var links: [ArraySlice<UInt8>] = []
    var index = 0
    while index + word.count < page.count {
      guard zip(word, page[index...]).allSatisfy({ $0 == $1 | ($1 < 64 ? 0 : 0x20) }) else {
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
    let bytes = Array(text.utf8)
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < bytes.count {
      if let byte = UInt8(percentEscapeIn: bytes, at: index), !kept.utf8.contains(byte) {
        result.append(byte)
        index += 3
      } else {
        result.append(plusIsSpace && bytes[index] == UInt8(ascii: "+") ? 32 : bytes[index])
        index += 1
      }
    }
    return result
  }
}
