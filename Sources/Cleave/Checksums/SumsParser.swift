package import Posix

extension Manifest {
  /// Reads the bytes of a list of digests, of cleave or of another tool.
  ///
  /// Follows `md5sum.c` of coreutils in what a line is: blanks, a backslash if the name is escaped,
  /// then digits, a blank, a blank or `*`, and the name; or `SHA256 (name) = digits`, with or without
  /// those blanks. Lines that begin with `#` or `;` are comments. Digits alone, and those of standard
  /// input, are of the file that the manifest is named after. Lines about files outside of the
  /// manifest's directory are left out.
  ///
  /// - Parameters:
  ///   - bytes: of all of the file.
  ///   - kind: of digits without a tag; nil where their number has to tell, which takes 128 of them for
  ///     SHA-512.
  ///   - path: the manifest's own, for messages and for its name.
  /// - Throws: `.badData`, with the line, for a line that is no entry, a name that no file can have or
  ///   that has two digests of one kind, and comments about the whole that are wrong.
  package init(
    parsingSums bytes: [UInt8],
    _ kind: Digest.Kind?,
    path: FilePath
  ) throws(CleaveError) {
    var parser = SumsParser(kind, subject: ManifestName(path)?.subject)
    var lists = ManifestLists()
    var lines = ManifestLines(bytes)
    do throws(ManifestComplaint) {
      while let line = lines.next() {
        guard let (file, digest) = try parser.take(line) else { continue }
        if !lists.add(digest, of: file) { throw ManifestComplaint("\(file.path) appears twice") }
      }
      self.init(path, lists, outside: parser.outside, try parser.whole())
    } catch {
      throw CleaveError(.badData, path, "line \(lines.number): \(error.text)")
    }
  }
}

extension Sums {
  /// Whether a line is an entry, as far as can be told without the manifest's name.
  static func isLine(_ text: ArraySlice<UInt8>) -> Bool {
    (try? SumsLine(text, nil)) != nil
  }
}

/// Takes a manifest line by line.
private struct SumsParser {
  private let kind: Digest.Kind?
  /// What the manifest is named after.
  private let subject: FilePath?
  private var header: ManifestHeader
  /// Whether cleave has signed, and the comments that follow it have not ended.
  private var inHeader = false
  private var hasEntries = false

  /// How many lines name files outside of the manifest's directory.
  private(set) var outside = 0

  init(_ kind: Digest.Kind?, subject: FilePath?) {
    (self.kind, self.subject) = (kind, subject)
    header = ManifestHeader([.name, .size], escapesNames: true)
  }

  /// - Returns: what the line says of a file.
  mutating func take(
    _ text: ArraySlice<UInt8>
  ) throws(ManifestComplaint) -> (ListedPath, Digest)? {
    switch text.first {
    case Sums.comment: try takeComment(text.dropFirst())
    case SFV.comment: inHeader = false
    default:
      inHeader = false
      // RHash's, with others of the same files.
      if text.allSatisfy(SFV.isBlank) || SFV.isTagged(text) { return nil }
      hasEntries = true
      return try take(try SumsLine(text, kind))
    }
    return nil
  }

  private mutating func takeComment(_ text: ArraySlice<UInt8>) throws(ManifestComplaint) {
    if ManifestHeader.isSignature(text) {
      try header.begin(isBehindLines: hasEntries)
      inHeader = true
    } else if inHeader {
      try header.take(text)
    }
  }

  private mutating func take(_ line: SumsLine) throws(ManifestComplaint) -> (ListedPath, Digest)? {
    switch line.file {
    case .listed(let file):
      if case .outside = file { outside += 1 }
      return (file, line.digest)
    case .standardInput(let name): return (.inside(subject ?? name), line.digest)
    case .unnamed:
      guard let subject else { throw ManifestComplaint("is not a digest and a name") }
      return (.inside(subject), line.digest)
    }
  }

  func whole() throws(ManifestComplaint) -> Manifest.Whole? {
    guard var whole = try header.finished() else { return nil }
    guard whole.expected.digests.count == 1 else {
      throw ManifestComplaint("the comments about the whole have no digest, or several")
    }
    // Other sums are no part of this form.
    (whole.expected.crc32, whole.expected.adler32) = (nil, nil)
    return whole
  }
}
