internal import Posix

/// One line, taken apart.
struct SumsLine {
  let file: File
  let digest: Digest

  /// What the digest is of.
  enum File: Hashable {
    case listed(ListedPath)
    /// Programs call it `-` or `stdin`, which may be a name, too.
    case standardInput(FilePath)
    /// The line has nothing but the digest.
    case unnamed
  }

  init(_ text: ArraySlice<UInt8>, _ kind: Digest.Kind?) throws(ManifestComplaint) {
    var rest = text.drop(while: SFV.isBlank)
    let isEscaped = rest.first == SumsName.escape
    if isEscaped { rest.removeFirst() }
    if let (kind, behind) = Self.tag(rest) {
      (digest, file) = try Self.tagged(behind, kind, isEscaped)
    } else if let (named, behind) = Self.prefix(rest), kind ?? named == named {
      (digest, file) = try Self.plain(behind, named, isEscaped)
    } else {
      (digest, file) = try Self.plain(rest, kind, isEscaped)
    }
  }

  /// The kind that digits have in front of them with a colon, as GitHub shows digests, and what follows it.
  private static func prefix(_ text: ArraySlice<UInt8>) -> (Digest.Kind, ArraySlice<UInt8>)? {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let tag = String(decoding: SplitZipName.folded(text[..<colon]), as: UTF8.self)
    let behind = text[colon...].dropFirst()
    return Digest.Kind.allCases.first { $0.tags.contains(tag) }.map { ($0, behind) }
  }

  /// The kind that a line begins with, and what follows it.
  private static func tag(_ text: ArraySlice<UInt8>) -> (Digest.Kind, ArraySlice<UInt8>)? {
    guard let end = text.firstIndex(where: { SFV.isBlank($0) || $0 == UInt8(ascii: "(") }) else {
      return nil
    }
    let tag = SplitZipName.folded(text[..<end])
    let behind = text[end...].drop(while: SFV.isBlank)
    guard behind.first == UInt8(ascii: "(") else { return nil }
    // Old versions of OpenSSL write `(stdin)= …`.
    let kind = Digest.Kind.allCases.first { kind in
      tag.isEmpty
        ? 2 * kind.count == behind.behind(UInt8(ascii: "=")).withoutBlanks.count
        : kind.tags.contains(String(decoding: tag, as: UTF8.self))
    }
    return kind.map { ($0, behind.dropFirst()) }
  }

  /// What a line of the form `TAG (NAME) = DIGITS` has in front of the digits; nil of any other line.
  static func tag(
    of line: ArraySlice<UInt8>
  ) -> (tag: ArraySlice<UInt8>, name: ArraySlice<UInt8>)? {
    guard let open = line.firstIndex(of: UInt8(ascii: "(")),
      let close = line.lastIndex(of: UInt8(ascii: ")")), open < close,
      line[close...].dropFirst().withoutBlanks.first == UInt8(ascii: "=")
    else { return nil }
    let tag = line[..<open].withoutBlanks
    if tag.isEmpty || tag.contains(where: SFV.isBlank) { return nil }
    return (tag, line[line.index(after: open)..<close])
  }

  /// Whether what a line begins with is the name of a digest that is computed.
  static func isComputed(_ tag: ArraySlice<UInt8>) -> Bool {
    let name = String(decoding: SplitZipName.folded(tag), as: UTF8.self)
    return Digest.Kind.allCases.contains { $0.tags.contains(name) }
  }

  private static func tagged(
    _ text: ArraySlice<UInt8>,
    _ kind: Digest.Kind,
    _ isEscaped: Bool
  ) throws(ManifestComplaint) -> (Digest, File) {
    // Base 64 has such a sign at its end, too.
    guard let close = text.lastIndex(of: UInt8(ascii: ")")),
      let equals = text[close...].firstIndex(of: UInt8(ascii: "=")),
      text[close..<equals].dropFirst().allSatisfy(SFV.isBlank)
    else { throw ManifestComplaint("is not a digest and a name") }
    // `openssl dgst -c` writes colons between them.
    let digits = text[(equals + 1)...].withoutBlanks.filter { $0 != UInt8(ascii: ":") }
    let digest = try digest(digits[...], kind)
    return (digest, try Self.file(text[..<close], isEscaped))
  }

  private static func isHexadecimal(_ digits: ArraySlice<UInt8>) -> Bool {
    digits.allSatisfy(\.isHexDigit)
  }

  private static func plain(
    _ text: ArraySlice<UInt8>,
    _ kind: Digest.Kind?,
    _ isEscaped: Bool
  ) throws(ManifestComplaint) -> (Digest, File) {
    let cut = text.firstIndex(where: SFV.isBlank) ?? text.endIndex
    let digits = text[..<cut]
    let isBare = text[cut...].allSatisfy(SFV.isBlank)
    if isBare, !isHexadecimal(digits) {
      throw ManifestComplaint("is not a digest and a name")
    }
    guard let kind = kind ?? Self.kind(of: digits) else {
      throw ManifestComplaint("does not begin with a digest")
    }
    let digest = try digest(digits, kind)
    if isBare { return (digest, .unnamed) }
    var name = text[(cut + 1)...]
    // How the file was opened; a form without it has only one blank.
    if let first = name.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "*") {
      name.removeFirst()
    }
    return (digest, try Self.file(name, isEscaped))
  }

  private static func file(
    _ name: ArraySlice<UInt8>,
    _ isEscaped: Bool
  ) throws(ManifestComplaint) -> File {
    if name.elementsEqual("-".utf8) || name.elementsEqual("stdin".utf8) {
      return .standardInput(FilePath(bytes: name))
    }
    return .listed(try SumsName.path(name, isEscaped: isEscaped))
  }

  /// The first kind whose digests have so many digits. In base 64 without a sign at the end, they might be damaged.
  private static func kind(of digits: ArraySlice<UInt8>) -> Digest.Kind? {
    let bytes = digits.last == UInt8(ascii: "=") ? bytes(of: digits) : nil
    return Digest.Kind.allCases.first { kind in
      bytes.map { $0.count == kind.count } ?? (2 * kind.count == digits.count)
    }
  }

  /// What `cksum --base64` writes; 64 hexadecimal digits might be 48 bytes, too.
  private static func bytes(of digits: ArraySlice<UInt8>) -> [UInt8]? {
    isHexadecimal(digits) ? nil : Base64.bytes(of: digits)
  }

  private static func digest(
    _ digits: ArraySlice<UInt8>,
    _ kind: Digest.Kind
  ) throws(ManifestComplaint) -> Digest {
    let digest =
      Digest(kind, digits: digits) ?? bytes(of: digits).flatMap { Digest(kind, bytes: $0) }
    guard let digest else {
      let count = 2 * kind.count
      if kind == .b2, digits.count < count, digits.count.isMultiple(of: 2), isHexadecimal(digits) {
        // bounded: less than 128
        throw ManifestComplaint(
          "has a BLAKE2b digest of \(4 * digits.count) bits; only those of 512 can be compared"
        )
      }
      throw ManifestComplaint("does not have the \(count) hexadecimal digits of \(kind.name)")
    }
    return digest
  }
}

extension Digest.Kind {
  /// What lines of coreutils, RHash and OpenSSL begin with, in lower case.
  fileprivate var tags: [String] {
    switch self {
    case .md5, .sha1: [rawValue]
    case .sha224, .sha256, .sha384, .sha512: [rawValue, "sha2-\(8 * count)"]
    case .b2: ["blake2b", "blake2b-512"]
    }
  }
}

extension ArraySlice<UInt8> {
  /// What follows the last byte of this kind; nothing where there is none.
  fileprivate func behind(_ byte: UInt8) -> ArraySlice<UInt8> {
    lastIndex(of: byte).map { self[($0 + 1)...] } ?? []
  }
}
