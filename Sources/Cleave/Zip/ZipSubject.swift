package import Posix

/// A zip to look at without joining it: in one file, in parts cut anywhere, or split.
package struct ZipSubject: Sendable {
  /// What the zip is called: the file, the name that parts share, or the last part of a split one.
  package let name: FilePath
  package let kind: Kind
  package let archive: ZipArchive
  package let sources: [SourceFile]
  /// Parts that a longer series left behind.
  package let stale: [FilePath]

  package enum Kind: String, Sendable {
    case single = "zip"
    case raw = "raw parts of a zip"
    case split = "split zip"

    package init(_ zip: SplitZip) { self = zip.isRaw ? .raw : .split }
  }

  /// The zip that any of its parts belongs to; nil where the file, or its series, holds no zip.
  ///
  /// Every entry has been found where it should be.
  ///
  /// - Throws: `.missingInput` where parts are missing, `.badData` where they do not belong together.
  package init?(of path: FilePath) throws(CleaveError) {
    if try PartSeries.containing(path) != nil {
      let selection = try MergeSelection([path], manifest: .automatic)
      guard let archive = selection.content.archive, let sources = selection.files else {
        return nil
      }
      var kind = Kind.raw
      if case .splitZip = selection.content { kind = .split }
      self.init(selection.base ?? path, kind, archive, sources, selection.stale)
    } else if let series = try SplitZipSeries.containing(path),
      try !Self.standsAlone(path, hasOthers: !series.numbered.isEmpty)
    {
      let zip = try SplitZip(series)
      self.init(series.lastName, Kind(zip), zip.archive, zip.sources, zip.stale)
    } else {
      let source = try SourceFile(examining: path)
      guard let held = try ZipArchive.held(by: [source]) else { return nil }
      self.init(path, .single, held.archive, [source], [])
    }
  }

  private init(
    _ name: FilePath,
    _ kind: Kind,
    _ archive: ZipArchive,
    _ sources: [SourceFile],
    _ stale: [FilePath]
  ) {
    self.name = name
    self.kind = kind
    self.archive = archive
    self.sources = sources
    self.stale = stale
  }

  /// Whether a file that is named like a part of a split zip is to be taken by itself.
  private static func standsAlone(
    _ path: FilePath,
    hasOthers: Bool
  ) throws(CleaveError) -> Bool {
    let parts = try ZipParts([SourceFile(examining: path)])
    do throws(ZipFault) {
      let archive = try ZipArchive(parts, as: .whole)
      let hasMarker = try ZipFault.reading { () throws(CleaveError) in
        try archive.startsWithMarker()
      }
      // With something in front, it may be the last piece of a larger one.
      return !hasOthers || archive.addressing == .whole(shift: 0) && !hasMarker
    } catch {
      switch error {
      case .reading(let error): throw error
      case .isDisk: return false
      default: return !hasOthers
      }
    }
  }
}
