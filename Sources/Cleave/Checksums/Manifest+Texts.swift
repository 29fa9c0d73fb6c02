internal import Posix

// Texts that tell of parts and have the name of no list: pages, notes, and lists that are called otherwise.
extension Manifest {
  /// A text, and what it is in.
  struct Text {
    let path: FilePath
    let bytes: [UInt8]

    /// Whether it is a list with sums of all of some parts, or of what they make.
    func isList(of files: FilesMeant) -> Bool {
      guard let list = try? Manifest(parsing: bytes, path: path),
        let seen = try? files.seen(in: list)
      else { return false }
      return files.areMeant(by: seen) && seen.coverage(of: files.files, files.base) == .max
        && seen.files.contains { file in
          // Eight decimal digits may be anything.
          let sums = seen.expected(of: file)
          return sums?.digests.isEmpty == false
            || sums?.crc32.map { Int(Checksum.hexadecimal($0)) == nil } == true
        }
    }

    /// Whether it has a name that is no part of a longer one.
    func names(_ name: FilePath) -> Bool {
      let wanted = name.bytes
      return ByteSearch(wanted).isFound(in: bytes)
        && bytes.indices.dropLast(wanted.count - 1).contains { start in
          bytes[start] == wanted[0] && bytes[start...].starts(with: wanted)
            && !Self.goesOn(bytes[..<start].last) && !isLonger(bytes[(start + wanted.count)...])
        }
    }

    /// Whether a name goes on behind a place.
    private func isLonger(_ rest: ArraySlice<UInt8>) -> Bool {
      Self.goesOn(rest.first == UInt8(ascii: ".") ? rest.dropFirst().first : rest.first)
    }

    private static func goesOn(_ byte: UInt8?) -> Bool {
      byte.map { $0.isLetterOrDigit || "_-.".utf8.contains($0) } ?? false
    }

    /// The text without those of some names that have hexadecimal digits themselves.
    private func without(_ names: [FilePath]) -> [UInt8] {
      var rest = bytes
      for name in names where Self.hasSums(1, in: name.bytes, withCRCs: true) {
        for range in rest.ranges(of: name.bytes) {
          rest.replaceSubrange(range, with: repeatElement(UInt8(ascii: " "), count: range.count))
        }
      }
      return rest
    }

    /// Whether there are so many sums: runs of as many hexadecimal digits as a digest has, or words that may be
    /// CRC-32s, one of which has a letter.
    private static func hasSums(
      _ wanted: Int,
      in text: some Sequence<UInt8>,
      withCRCs: Bool
    ) -> Bool {
      var (count, crcs, isMixed) = (0, 0, false)
      var (digits, decimals, last, start) = (0, 0, UInt8(0), UInt8(0))
      func end(_ byte: UInt8) {
        if lengths.contains(digits) { count += 1 }
        let isWord = !start.isLetterOrDigit && !byte.isLetterOrDigit
        if withCRCs, isWord, digits == crcDigits, decimals > 0 {
          crcs += 1
          isMixed = isMixed || decimals < digits
        }
        (digits, decimals) = (0, 0)
      }
      for byte in text {
        if byte.isHexDigit {
          if digits == 0 { start = last }
          (digits, decimals) = (digits + 1, decimals + (byte.isDigit ? 1 : 0))
        } else if digits > 0 {
          end(byte)
          if count >= wanted || isMixed && count + crcs >= wanted { return true }
        }
        last = byte
      }
      end(0)
      return count >= wanted || isMixed && count + crcs >= wanted
    }

    private static var crcDigits: Int { 8 }

    /// Whether it has as many sums as names of some parts, and more than one, which prose has; or as data one of what
    /// they make.
    ///
    /// - Parameter isMisread: whether it was read as a list, and names nothing that is there. Otherwise what begins as a
    ///   list is a list that is damaged.
    func isDigests(of parts: [FilePath], or base: FilePath?, isMisread: Bool) -> Bool {
      var lines = ManifestLines(bytes)
      if !isMisread, Sums.isLine(lines.next() ?? []) { return false }
      let named = parts.count(where: names)
      guard named > 1 || ForeignList.isData(bytes) else { return false }
      guard named > 0 || base.map(names) == true else { return false }
      let rest = without(parts + (base.map { [$0] } ?? []))
      return Self.hasSums(max(1, named), in: rest, withCRCs: named > 1)
    }

    /// Whether it has as many sums as names of some parts, or one in a line with such a name: others may be cut; or only
    /// sums, of all parts.
    ///
    /// - Parameter count: of all parts.
    func mayHaveSums(of parts: [FilePath], or base: FilePath?, count: Int) -> Bool {
      let meant = parts + (base.map { [$0] } ?? [])
      if count > 1, ForeignList.isNameless(bytes, count: count) { return true }
      if ForeignList(bytes, path: path) != nil, meant.contains(where: names) { return true }
      let named = parts.count(where: names)
      guard named > 0 || base.map(names) == true else { return false }
      let rest = without(meant)
      if Self.hasSums(max(1, named), in: rest, withCRCs: named > 1) { return true }
      var lines = ManifestLines(bytes)
      while let line = lines.next() {
        let others = rest[line.indices]
        if Self.saysSum(line), Self.hasSums(1, in: others, withCRCs: false) { return true }
        let text = Text(path: path, bytes: Array(line))
        if Self.hasSums(1, in: others, withCRCs: true), meant.contains(where: text.names) {
          return true
        }
      }
      return false
    }

    /// Whether a line has a word for sums.
    private static func saysSum(_ line: ArraySlice<UInt8>) -> Bool {
      let text = line.map(\.folded)
      return ["md5", "sha", "blake", "checksum", "hash"].contains { text.contains($0.utf8) }
    }

    static let lengths = Set(Digest.Kind.allCases.map { 2 * $0.count })
  }

  /// Small texts beside some parts that have one of their names in them, or only sums, in the order of their own; lists
  /// that name one of them, or what is there, are left out. None where there are many other files.
  static func texts(
    beside place: FilePath,
    about files: FilesMeant,
    _ listing: DirectoryListing?
  ) -> [Text] {
    guard let parts = files.files, let first = parts.first,
      let listing = try? DirectoryListing(beside: place, unless: listing),
      listing.names.count <= parts.count + mostTexts
    else { return [] }
    // Of many, hardly any name needs to be looked up: words in letters may be anything.
    let form = files.form.flatMap { $0.digits.alphabet == .letters ? nil : $0 }
    let names = listing.names.filter { name in
      form?.digits(of: name) == nil && !files.contain(name) && !DownloadName.isOwn(name)
    }
    guard names.count <= mostTexts else { return [] }
    // `d.` of `d.img` and `d.part1.img`: what all that are looked for begin with.
    let last = parts[parts.count - 1]
    let start = [files.base ?? first, last].reduce(first.lastComponent.bytes[...]) { start, other in
      start.prefix(zip(start, other.lastComponent.bytes).prefix { $0 == $1 }.count)
    }
    let search = start.isEmpty ? nil : ByteSearch(Array(start))
    var left = mostBytes
    return names.sorted().compactMap { name in
      let path = place.sibling(name)
      guard let status = try? FileStatus.of(path), status.kind == .regular, status.size > 0,
        status.size <= largestText, status.size <= left,
        let bytes = try? contents(of: path, largestText)
      else { return nil }
      if isListName(name), let list = try? Manifest(parsing: bytes, path: path),
        !list.isMisread((files.base ?? first).lastComponent)
          || list.entries.contains(where: { files.contain($0.name.lastComponent) })
      {
        return nil
      }
      left -= status.size
      if isBinary(bytes.prefix(headSize)) { return nil }
      let text = ManifestLines.decoded(bytes)
      let isAbout =
        search?.isFound(in: text) ?? true || ForeignList.isNameless(text, count: parts.count)
      return isAbout ? Text(path: path, bytes: text) : nil
    }
  }

  private static var mostTexts: Int { 64 }
  private static var largestText: Int64 { 64 << 10 }
  /// Of all texts together.
  private static var mostBytes: Int64 { 1 << 20 }
  private static var headSize: Int { 512 }

  /// Whether something is no text, which in UTF-16 begins with a mark, and of which `sha256sum -z` ends lines with NUL.
  private static func isBinary(_ head: ArraySlice<UInt8>) -> Bool {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return false }
    return head.contains { $0 < 0x20 && !"\t\n\u{C}\r\0".utf8.contains($0) }
      || head.contains(0) && !Sums.isLine(head.prefix { $0 != 0 })
  }

  /// Whether no line is of a file of a name that is in it, nor of any that is there.
  func isMisread(_ part: FilePath) -> Bool {
    !names(part) && !files.contains { !FileStatus.isAbsent($0) }
  }
}

extension Manifest.Text {
  /// Nil of anything that is no regular file, is empty, larger than a list may be, or does not begin with a sum.
  init?(reading path: FilePath) {
    guard let status = try? FileStatus.of(path), status.kind == .regular, status.size > 0,
      let head = try? Manifest.contents(of: path, Manifest.largestFile, atMost: Manifest.headSize),
      !Manifest.isBinary(head[...]),
      Self(path: path, bytes: ManifestLines.decoded(head)).mayBeginWithSum,
      let bytes = try? Manifest.contents(of: path, Manifest.largestFile)
    else { return nil }
    self.init(path: path, bytes: ManifestLines.decoded(bytes))
  }

  /// Whether the first line that is no comment has a sum, or nothing but comments were read.
  private var mayBeginWithSum: Bool {
    var lines = ManifestLines(bytes)
    while let line = lines.next() {
      // The last one that was read may be cut.
      let isCut = line.endIndex == bytes.endIndex && line.startIndex > bytes.startIndex
      if !Self.isAside(line), !isCut {
        return Sums.isLine(line) || SFV.isLine(line) || Self.hasSums(1, in: line, withCRCs: true)
      }
    }
    return true
  }

  private static func isAside(_ line: ArraySlice<UInt8>) -> Bool {
    line.allSatisfy(SFV.isBlank) || ";#".utf8.contains(line.first ?? 0)
  }

  /// Whether it has sums of one of some files; nil where not each of its lines is the sum of a file. A word and eight digits
  /// may be anything, as may be digits and a sentence.
  func isSums(of files: PathSet) -> Bool? {
    var lines = ManifestLines(bytes)
    var (count, areSums) = (0, true)
    while let line = lines.next() {
      if Self.isAside(line) { continue }
      count += 1
      areSums = areSums && (Sums.isLine(line) || SFV.isLine(line))
    }
    guard let list = try? Manifest(parsing: bytes, path: path) else {
      // Of sums of several kinds, some may not be read.
      let names = areSums ? Manifest.namedFiles(in: path) : []
      return names.contains { files.contains($0.lastComponent) } ? true : nil
    }
    let entries = [list.entries, list.nested, list.elsewhere].joined()
    // Of a table, each line tells of another file.
    guard areSums || count <= entries.count else { return nil }
    let names = entries.lazy.map(\.name.lastComponent)
    if names.contains(where: files.contains)
      || names.contains(where: { files.contains(FilePath(bytes: $0.bytes[...].withoutBlanks)) })
    {
      return true
    }
    let mayBeOfAny = entries.contains {
      !$0.expected.digests.isEmpty && !$0.name.bytes.contains(where: SFV.isBlank)
    }
    return mayBeOfAny ? false : nil
  }
}
