public import Posix

extension Selection {
  /// What the user says of the operands beside their names.
  public struct Request: Sendable {
    public var manifest = ManifestChoice.automatic
    public var format = PartFormat.auto
    public var reading = PartReading()
    /// Whether the operands are joined as bytes, exactly those and in this order, as `cat` would.
    public var isAsGiven = false
    /// How many records that all parts begin with are taken from the first alone, as `Merge.Options.header` has it;
    /// nil for none.
    public var headerRecords: Int64?
    /// Lists among the operands.
    var lists: [FilePath] = []
    /// What they are to make, where that was said.
    package var output: FilePath?

    public init() {}

    public init(
      manifest: ManifestChoice = .automatic,
      format: PartFormat = .auto,
      reading: PartReading = PartReading()
    ) {
      (self.manifest, self.format, self.reading) = (manifest, format, reading)
    }

    /// What decides which bytes are made, for the run that goes on with a job.
    var asked: String {
      let bounds = reading.bounds
      let words = [
        reading.family.map { "family=\($0.rawValue)" }, bounds.first.map { "first=\($0)" },
        bounds.last.map { "last=\($0)" }, format == .auto ? nil : "format=\(format.rawValue)",
        isAsGiven ? "as-given" : nil, headerRecords.map { $0 == 1 ? "header" : "header=\($0)" },
      ].compactMap(\.self)
      return words.isEmpty ? "-" : words.joined(separator: " ")
    }
  }
}

/// Which manifest a job is checked against.
public enum ManifestChoice: Hashable, Sendable {
  /// The one beside the parts, if there is one.
  case automatic
  case none
  case file(FilePath)
}

/// How parts are looked at.
public enum PartFormat: String, CaseIterable, Sendable {
  /// By what their names and contents tell.
  case auto
  /// As bytes, whatever they hold.
  case raw
  /// As those of a zip.
  case zip
}

extension ManifestChoice {
  /// The manifest to check the parts of `base` against.
  ///
  /// - Parameters:
  ///   - base: the name that the parts share; nil where they share none.
  ///   - parts: those that are there; nil where they are not known.
  ///   - listing: the names beside it, which are listed where none is given.
  public func manifest(
    beside base: FilePath?,
    of parts: PathList? = nil,
    in listing: DirectoryListing? = nil
  ) throws(CleaveError) -> Manifest? {
    try manifest(of: FilesMeant(base, parts), in: listing)
  }

  func manifest(
    of files: FilesMeant,
    in listing: DirectoryListing?
  ) throws(CleaveError) -> Manifest? {
    switch self {
    case .none: return nil
    case .file(let path): return try Manifest(reading: path, about: files.base)
    case .automatic:
      do throws(CleaveError) {
        return try Manifest.beside(files, in: listing)
      } catch  where !error.remedies.contains(.withoutManifest) {
        throw error.adding("; \(.withoutManifest) does without it")
      }
    }
  }
}
