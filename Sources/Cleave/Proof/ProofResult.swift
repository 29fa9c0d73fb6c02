public import Posix

/// What the content of a file, or of the parts that make it, says of itself.
public struct ProofResult: Hashable, Sendable {
  /// What tells whether the content is right. The raw values are for JSON.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The CRC-32 and sizes of every entry of a zip (APPNOTE 4.4.7).
    case zip
    /// The CRC-32 and size behind every member (RFC 1952).
    case gzip
    /// The CRC-32s of the two headers of a 7z archive, and its size (`7zFormat.txt`).
    case sevenZip = "7z"
    /// Headers, chunks, indexes and footers of xz streams (`xz-file-format.txt`).
    case xz
    /// The sizes of lzip members, which stand in their trailers.
    case lzip
    /// The headers of zstd frames and their blocks (RFC 8878).
    case zstd
    /// The checksums of the headers of a tar file (`tar(5)`).
    case tar
  }

  /// How much of the content is proved right.
  public enum Coverage: String, Hashable, Sendable {
    /// A checksum of all data that the format holds was compared.
    case whole
    /// Only the structure was compared, or some of the data.
    case part
    /// Nothing could be compared.
    case nothing
  }

  /// What is wrong with something.
  public enum Sort: Hashable, Sendable {
    /// Nothing, as far as is known.
    case notTested
    /// Bytes are not what they should be: damaged, of another file, or in the wrong order.
    case damaged
    /// There are fewer bytes than the content tells of: some are missing, or a size is damaged.
    case endsEarly
    /// Whole parts lie in front of the content or behind it.
    case doesNotBelong
  }

  /// Something that differs, or that could not be tested.
  public struct Finding: Hashable, Sendable {
    public var sort: Sort
    /// The part in which it shows, or the first of several.
    public var path: FilePath
    /// The last of several parts in which it may lie; nil for one.
    public var lastPath: FilePath?
    /// The end of a sentence that begins with `path`.
    public var text: String
  }

  /// Findings of which only the first are kept.
  public struct Findings: Hashable, Sendable {
    public internal(set) var count: Int64 = 0
    public internal(set) var first: [Finding] = []
    static let mostKept = 1000

    mutating func add(_ finding: Finding) {
      count += 1
      if first.count < Self.mostKept { first.append(finding) }
    }
  }

  public let kind: Kind
  /// What was tested and is right: entries, members, streams, frames, headers.
  public internal(set) var proved: Int64 = 0
  /// What the content says nothing about: entries that cannot be unpacked here, bytes behind the end.
  public internal(set) var untested = Findings()
  /// What the content says is wrong. Nothing is published where there is any.
  public internal(set) var differences = Findings()

  init(_ kind: Kind) { self.kind = kind }

  public var coverage: Coverage {
    if proved == 0 { return .nothing }
    return kind.coversData && untested.count == 0 && differences.count == 0 ? .whole : .part
  }

  /// What was compared, as `the CRC-32 of 61 entries`.
  public var described: String { kind.described(proved) }
}

extension ProofResult.Kind {
  /// Whether checksums of the data are compared, and not of the structure alone.
  public var coversData: Bool { self == .zip || self == .gzip }

  /// What is going to be compared, before it is known how many there are.
  public var described: String {
    switch self {
    case .zip: "the CRC-32 of every entry"
    case .gzip: "the CRC-32 and size of the gzip data"
    case .sevenZip: "the CRC-32s of the 7z headers"
    case .xz: "the structure of the xz data"
    case .lzip: "the structure of the lzip data"
    case .zstd: "the structure of the zstd data"
    case .tar: "the headers of the tar file"
    }
  }

  fileprivate func described(_ count: Int64) -> String {
    switch self {
    case .zip: "the CRC-32 of \(count.counted("entry", "entries"))"
    case .gzip: "the CRC-32 and size of \(count.counted("gzip member"))"
    case .sevenZip: described
    case .xz: "the structure of \(count.counted("xz stream", "xz streams"))"
    case .lzip: "the structure of \(count.counted("lzip member", "lzip members"))"
    case .zstd: "the structure of \(count.counted("zstd frame", "zstd frames"))"
    case .tar: count.counted("header of the tar file", "headers of the tar file")
    }
  }
}

extension ProofResult {
  /// Why what was made of parts must not be published; nil where nothing differs.
  public var error: CleaveError? { error(ofParts: true) }

  /// - Parameter ofParts: whether one may be missing where the content ends too early.
  func error(ofParts: Bool) -> CleaveError? {
    differences.first.first.map { $0.error(among: differences.count, ofParts: ofParts) }
  }
}

extension ProofResult.Finding {
  /// - Parameter count: of all that differs.
  /// - Returns: `.missingInput` where a part may be missing.
  func error(among count: Int64, ofParts: Bool = true) -> CleaveError {
    let lacksPart = ofParts && sort == .endsEarly
    let cause = lacksPart ? ", so that more may be missing" : ""
    let more = count > 1 ? "; and \(count - 1) more" : ""
    return CleaveError(lacksPart ? .missingInput : .badData, path, "\(text)\(cause)\(more)")
  }
}
