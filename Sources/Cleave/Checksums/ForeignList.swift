internal import Posix

/// Lists of sums in forms that are not read, and of sums that are not computed.
struct ForeignList: Hashable {
  /// The end of a sentence that begins with the name.
  let text: String

  private static let signed =
    "is signed by PGP: gpg writes the list that is in it to a file of its own"
  private static let certUtil =
    "is what CertUtil writes: a list has lines of a digest, two blanks and a name"
  static let odd = "has lines that are not a digest, two blanks and a name"
  private static let table =
    "is what Get-FileHash shows: a list has lines of a digest, two blanks and a name"

  /// What RHash writes with `--magnet` and `--ed2k-link`.
  private static let links = ["magnet:?", "ed2k://"]

  private static func isLink(_ line: ArraySlice<UInt8>) -> Bool {
    links.contains { line.starts(with: $0.utf8) }
  }

  /// The name of the file that a link is about, in which bytes may be written as '%' and two digits.
  private static func name(inLink line: ArraySlice<UInt8>) -> FilePath? {
    let fields = line.split { "?&|".utf8.contains($0) }
    let told = fields.first { $0.starts(with: "dn=".utf8) }?.dropFirst(3)
    guard let word = told ?? fields.dropFirst(2).first else { return nil }
    return FilePath(bytes: Array(word).withoutPercentEscapes())
  }

  /// Whether it begins as JSON or XML does, where a name may begin with a bracket; or as HashMyFiles writes.
  static func isData(_ bytes: [UInt8]) -> Bool {
    var lines = ManifestLines(bytes)
    let text = lines.next()?.withoutBlanks ?? []
    if text.count >= 40, text.allSatisfy({ $0 == UInt8(ascii: "=") }) { return true }
    let isList = text.first == UInt8(ascii: "[")
    let mark = isList ? text.dropFirst().first(where: { !SFV.isBlank($0) }) : text.first
    return mark.map((isList ? "{\"" : "{<").utf8.contains) ?? isList
  }

  private static func sums(of name: String) -> String {
    "has sums of \(name), which are not computed here"
  }

  /// What some bytes are that are no list which is read; nil where nothing tells.
  ///
  /// - Parameter path: what they are in, whose name may tell it.
  init?(_ bytes: [UInt8], path: FilePath) {
    let named = Self.algorithm(named: path)
    var lines = ManifestLines(bytes)
    let first = lines.next() ?? []
    if first.starts(with: "-----BEGIN PGP SIGNED MESSAGE".utf8) {
      text = Self.signed
    } else if ByteSearch(Array("CertUtil: -hashfile".utf8)).isFound(in: bytes) {
      text = Self.certUtil
    } else if first.starts(with: "%%%% HASHDEEP".utf8) {
      text = "is what hashdeep writes, which compares with it by itself"
    } else if Self.isLink(first) {
      text = "has sums in links, which are not compared"
    } else if let found = Self.algorithm(of: bytes, named: named) {
      text = found
    } else if SumsTable.isOfSevenZip(bytes) || Self.isData(bytes) {
      text = Self.odd
    } else {
      return nil
    }
  }

  /// Whether a file may be such a list by its name, which no list has that is read.
  static func isName(_ path: FilePath) -> Bool { algorithm(named: path) != nil }

  /// What is in a file, where that is such a list; nil of any other, and of what cannot be read.
  static func found(at path: FilePath) -> ForeignList? {
    guard isName(path) || ManifestName(path) != nil,
      let bytes = try? Manifest.contents(of: path, Manifest.largestFile)
    else { return nil }
    let text = ManifestLines.decoded(bytes)
    if !isName(path), (try? Manifest(parsing: text, path: path)) != nil { return nil }
    return ForeignList(text, path: path)
  }

  // MARK: Names

  /// The last words of names, as `film.b3` and `B3SUMS` have them.
  private static let algorithms = [
    "b3": "BLAKE3", "blake3": "BLAKE3", "b2s": "BLAKE2s", "blake2s": "BLAKE2s",
    "xxh": "xxHash", "xxhash": "xxHash", "xxh3": "xxHash", "xxh32": "xxHash", "xxh64": "xxHash",
    "xxh128": "xxHash", "sm3": "SM3", "sha3": "SHA-3", "ck": "cksum", "md2": "MD2", "md4": "MD4",
    "rmd160": "RIPEMD-160", "ripemd160": "RIPEMD-160", "whirlpool": "Whirlpool", "tiger": "Tiger",
    "tth": "Tiger", "ed2k": "eD2k", "gost": "GOST", "gost12": "GOST", "crc64": "CRC-64",
    "crc32c": "CRC-32C", "adler32": "Adler-32", "aich": "AICH", "edonr": "EDON-R",
    "has160": "HAS-160", "snefru": "Snefru", "sha512256": "SHA-512/256",
    "btih": "BitTorrent", "gost94": "GOST", "gost12256": "GOST", "gost12512": "GOST",
    "edonr256": "EDON-R", "edonr512": "EDON-R", "snefru128": "Snefru", "snefru256": "Snefru",
    "sha512224": "SHA-512/224", "sha3224": "SHA-3", "sha3256": "SHA-3", "sha3384": "SHA-3",
    "sha3512": "SHA-3",
  ]

  /// Whether a word in small letters is the name of sums that are not computed.
  static func isAlgorithm(_ word: String) -> Bool {
    if Digest.Kind(rawValue: word) != nil { return false }
    return algorithms[word] != nil
      || ["blake", "xxh", "sha3", "keccak", "ripemd"].contains(where: word.hasPrefix)
  }

  /// Those of the words, in front of digits behind them.
  private static let lastBytes = Array("-abcdehklmrstu".utf8)

  /// What a name says that the sums are in a file.
  private static func algorithm(named path: FilePath) -> String? {
    if let original = ManifestName.original(of: path) { return algorithm(named: original) }
    // Hardly any name of a large directory needs a closer look.
    let textCount = path.endsFolded(in: ".txt") ? 4 : 0
    let end = path.bytes.dropLast(textCount).withoutDigitsAtEnd
    guard let last = end.last?.folded, lastBytes.contains(last) else { return nil }
    let name = SplitZipName.folded(path.lastComponent.bytes).dropLast(textCount)
    let cut = name.lastIndex { "._-".utf8.contains($0) }
    let word = name[(cut.map { $0 + 1 } ?? name.startIndex)...]
    guard cut != 0, word.count <= 16 else { return nil }
    let text = String(decoding: word, as: UTF8.self)
    let sums = ["sums", "sum"].first(where: text.hasSuffix)
    let kind = String(text.dropLast(sums?.count ?? 0))
    // `sha3-256` and `sha512-256`
    if let cut, name[cut] != UInt8(ascii: "."), ["224", "256", "384", "512"].contains(kind) {
      let before = name[..<cut].split { "._-".utf8.contains($0) }.last ?? []
      let word = String(decoding: before, as: UTF8.self)
      if ["sha3", "sha512", "gost12"].contains(word) { return algorithms[word + kind] }
    }
    // Behind no dot, these are words as any; and cksum's lists are not called after half of its name.
    let isEnding = cut.map { name[$0] == UInt8(ascii: ".") || textCount > 0 } ?? true
    return sums != nil || isEnding && kind != "ck" ? algorithms[kind] : nil
  }

  // MARK: Lines

  /// What tells the form of a list is among its first lines, and in none that is longer than names and sums are.
  private static var mostLines: Int { 4096 }
  private static var longestLine: Int { 4096 }

  /// What all lines have, where it is not read, or is what the name tells.
  private static func algorithm(of bytes: [UInt8], named: String?) -> String? {
    var lines = ManifestLines(bytes)
    var (tag, sums): (String?, Set<Sum>) = (nil, [])
    var (count, others, seen) = (0, 0, 0)
    while let line = lines.next() {
      let text = line.withoutBlanks
      if text.isEmpty || text.first == Sums.comment || text.first == SFV.comment { continue }
      seen += 1
      if seen > mostLines { break }
      let isShort = text.count <= longestLine
      if isShort, sums.isEmpty, isTable(text) { return table }
      guard isShort, let sum = Sum(text) else {
        others += 1
        continue
      }
      count += 1
      if case .tagged(let name) = sum { tag = tag ?? name }
      sums.insert(sum)
    }
    // There may be a heading.
    if count == 0 || others > count { return nil }
    // In a list of what is computed, the others are damaged; and cksum writes others than its own.
    let isAny = named == nil || named == algorithms["ck"]
    if sums == [.computed] || isAny && !sums.isDisjoint(with: [.known, .computed]) { return nil }
    let only = sums.count == 1 ? sums.first?.digits : nil
    if let algorithm = named ?? tag ?? only { return Self.sums(of: algorithm) }
    return sums.contains(.odd) ? odd : nil
  }

  /// What Get-FileHash shows begins with the names of its columns, or with the first of them.
  private static func isTable(_ line: ArraySlice<UInt8>) -> Bool {
    let words = line.split(whereSeparator: SFV.isBlank)
    guard words.count > 2, words[0].elementsEqual("Algorithm".utf8) else { return false }
    return words[1].elementsEqual("Hash".utf8) || words[1].elementsEqual(":".utf8)
  }

  /// What a line has in front of a name, or behind it.
  private enum Sum: Hashable {
    /// One that is read.
    case known
    /// One that is read, under the name of what computes it.
    case computed
    /// One that is not, under the name of what computes it.
    case tagged(String)
    case digits(Int)
    /// A digest in another place.
    case odd

    /// How many there are, as the name of what computes them.
    var digits: String? {
      // bounded: the digits of a line
      if case .digits(let count) = self { "\(4 * count) bits" } else { nil }
    }

    init?(_ line: ArraySlice<UInt8>) {
      if let (tag, _) = SumsLine.tag(of: line), !SFV.isTagged(line) {
        self =
          SumsLine.isComputed(tag) ? .computed : .tagged(String(decoding: tag, as: UTF8.self))
        return
      }
      if SFV.isTagged(line) || Sums.isLine(line) {
        self = .known
        return
      }
      let words = line.split(maxSplits: 2, whereSeparator: SFV.isBlank)
      guard let first = words.first else { return nil }
      if words.count == 3, (5...10).contains(first.count),
        words[..<2].allSatisfy({ $0.allSatisfy(\.isDigit) })
      {
        self = .tagged(first.count == 5 ? "sum" : "cksum")
        return
      }
      // xxhsum writes `XXH3_` in front of some.
      let digits = first.starts(with: "XXH3_".utf8) ? first.dropFirst(5) : first
      if ForeignList.isHexadecimal(digits), digits.count.isMultiple(of: 8) {
        self = .digits(digits.count)
      } else if line.split(whereSeparator: SFV.isBlank).contains(where: {
        $0.count >= 32 && ForeignList.isHexadecimal($0) || ForeignList.isOtherwiseWritten($0)
      }) {
        self = .odd
      } else {
        return nil
      }
    }
  }
}

extension ForeignList {
  /// Whether a list is about some files: it is named after one, or has a line of one.
  ///
  /// - Parameters:
  ///   - names: without directories.
  ///   - path: the list's own.
  ///   - home: the directory of the files.
  static func isAbout(
    _ names: some Sequence<FilePath>,
    _ bytes: [UInt8],
    path: FilePath,
    home: FileStatus.Identity?
  ) -> Bool {
    let original = ManifestName.original(of: path) ?? path
    let subject = original.endsFolded(in: ".txt") ? original.withoutEnding : original
    return names.contains { name in
      subject.lastComponent.withoutEnding == name
        || line(of: name, in: bytes, path: path, home: home) != nil
    }
  }

  /// Whether there are so many lines with a sum, and none has a name: it was left out, or cut, as Get-FileHash does.
  static func isNameless(_ bytes: [UInt8], count: Int) -> Bool {
    var lines = ManifestLines(bytes)
    var found = 0
    while let line = lines.next(), found <= count {
      let words = line.split(whereSeparator: SFV.isBlank)
      guard
        let place = words.firstIndex(where: {
          Manifest.Text.lengths.contains($0.count) && isHexadecimal($0)
        })
      else { continue }
      found += 1
      let isCut = ["...", "…"].contains { words[words.count - 1].suffix(3).elementsEqual($0.utf8) }
      let isNamed = place == 1 && SumsLine.isComputed(words[0])
      let isAlone = words.count == 1 || isCut && (place == 0 || isNamed)
      if !isAlone { return false }
    }
    return found == count
  }

  /// Whether a line has the name of a file, and a sum.
  static func hasSum(
    of name: FilePath,
    in bytes: [UInt8],
    path: FilePath,
    home: FileStatus.Identity?
  ) -> Bool {
    let line = line(of: name, in: bytes, path: path, home: home)
    return line?.split { SFV.isBlank($0) || marks.contains($0) }.contains { word in
      // Few digits without a letter are a size.
      isHexadecimal(word.drop { $0 == SumsName.escape })
        && (word.count >= 16 || !word.allSatisfy(\.isDigit))
    } == true
  }

  /// A line that has the name of a file, and besides that sums, what computes them, and a path.
  private static func line(
    of name: FilePath,
    in bytes: [UInt8],
    path: FilePath,
    home: FileStatus.Identity?
  ) -> ArraySlice<UInt8>? {
    let isOfLinks = isLink(bytes[...])
    guard isOfLinks || ByteSearch(name.bytes).isFound(in: bytes) else { return nil }
    var lines = ManifestLines(bytes)
    while let line = lines.next() {
      if isOfLinks, isLink(line), Self.name(inLink: line) == name { return line }
      guard line.count <= longestLine, let place = line.lastRange(of: name.bytes) else { continue }
      let (front, behind) = (line[..<place.lowerBound], line[place.upperBound...])
      if isOfSums(behind: behind), isOfSums(front: front, path, home) { return line }
    }
    return nil
  }

  /// What may stand around a name.
  private static let marks = Array("\"'*?^()|,:=[]".utf8)

  private static func isOfSums(behind text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first else { return true }
    return (SFV.isBlank(first) || marks.contains(first)) && areSums(text)
  }

  private static func isOfSums(
    front text: ArraySlice<UInt8>,
    _ list: FilePath,
    _ home: FileStatus.Identity?
  ) -> Bool {
    guard let last = text.last else { return true }
    if last == UInt8(ascii: "\\") { return true }
    guard last == UInt8(ascii: "/") else {
      return (SFV.isBlank(last) || marks.contains(last)) && areSums(text)
    }
    // What is in another directory that is there is another file.
    let folder = text.split { SFV.isBlank($0) || marks.contains($0) }.last ?? []
    let place = list.sibling(FilePath(bytes: folder.dropLast()))
    let identity = folder.count > 1 ? try? FileStatus.of(place).identity : home
    return identity == nil || identity == home
  }

  /// Whether all words are sums, numbers, or what sums are called.
  private static func areSums(_ text: ArraySlice<UInt8>) -> Bool {
    text.split { SFV.isBlank($0) || marks.contains($0) }.allSatisfy { word in
      let word = word.drop { $0 == SumsName.escape }
      // There may be a date, too.
      if isHexadecimal(word) || word.allSatisfy({ $0.isDigit || "-.+TZ".utf8.contains($0) })
        || isOtherwiseWritten(word)
      {
        return true
      }
      let name = String(decoding: SplitZipName.folded(word), as: UTF8.self)
      // CertUtil: `SHA256 hash of NAME:`.
      return ["hash", "of", "file", "crc32", "bytes"].contains(name) || algorithms[name] != nil
        || ["sha", "md5", "b2", "blake", "xxh", "crc", "ripemd", "rmd"].contains(
          where: name.hasPrefix
        )
          && word.contains(where: \.isDigit)
    }
  }

  /// Whether a word may be a sum in base 32, as RHash writes those of Tiger and AICH, or in base 64.
  fileprivate static func isOtherwiseWritten(_ word: ArraySlice<UInt8>) -> Bool {
    let digits = word.prefix { $0 != UInt8(ascii: "=") }
    let isBase64 = base64Counts.contains(digits.count)
    guard isBase64 || digits.count == 26 || digits.count >= 32, digits.contains(where: \.isDigit)
    else { return false }
    return digits.allSatisfy { byte in
      byte < 0x80 && byte.isLetterOrDigit || isBase64 && "+/".utf8.contains(byte)
    }
  }

  /// Digits of sums from 16 bytes to 64.
  private static let base64Counts = Set([16, 20, 24, 28, 32, 48, 64].map { (4 * $0 + 2) / 3 })

  /// Whether a word may be a sum.
  private static func isHexadecimal(_ word: ArraySlice<UInt8>) -> Bool {
    word.count >= 8 && word.allSatisfy(\.isHexDigit)
  }
}

extension ArraySlice<UInt8> {
  /// The last place of some bytes.
  fileprivate func lastRange(of bytes: [UInt8]) -> Range<Int>? {
    guard !bytes.isEmpty, count >= bytes.count else { return nil }
    let start = (startIndex...(endIndex - bytes.count)).last { self[$0...].starts(with: bytes) }
    return start.map { $0..<($0 + bytes.count) }
  }
}
