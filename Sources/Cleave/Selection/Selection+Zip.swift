internal import Posix

/// Zips, in whatever form.
extension Selection {
  /// Parts that are named like those of a split zip.
  mutating func take(_ series: SplitZipSeries, _ request: Request) throws(CleaveError) {
    (kind, isPart) = (.splitZip, true)
    base = series.lastName
    let names = series.numbers.lazy.map(series.name) + (series.last.map { [$0] } ?? [])
    sources = Sources(SourceFiles(names.lazy.compactMap(Self.present)))
    evidence.note(series)
    if request.manifest == .automatic, self.names.areScattered {
      try takeLists(ofScattered: self.names, of: series.lastName.lastComponent)
    } else {
      manifest = try manifest(of: FilesMeant(series.lastName, self.names), request)
    }
    try takeGiven(about: FilesMeant(series.lastName, self.names))
    evidence.note(manifest, naming: manifest?.parts(of: series.lastName).count ?? 0)
    makesWhole = request.format != .raw
    defaultOutput = series.whole(request.format == .raw ? ".joined" : ".merged")
    if request.format == .raw {
      kind = .files
      sources = try Self.examine(series.complete())
    } else {
      let zip = try SplitZip(series)
      evidence.knowEnd()
      hold(zip.archive, zip.isRaw ? .zipPieces : .splitZip, zip.repairs)
      manifest?.isOfVolumes = kind == .splitZip
      stale = zip.stale
      sources = Sources(zip.sources)
      for path in stale {
        let text: Sentence = "left over from a longer series; not merged"
        evidence.suspect(.parts, Doubt(.leftOver, path, text))
      }
    }
    try checkFit(request.manifest)
    noteContent()
    noteForeignLists()
    noteUnfinished("\(.asGiven()) merges the files that are named")
    evidence.note(series.neighbours, of: series.lastName)
  }

  private static func present(_ path: FilePath) -> SourceFile? {
    (try? FileStatus.of(path)).map { SourceFile(path: path, status: $0) }
  }

  /// Whether a file is a part of the split zip that its name tells of. What ends in `.zip` may be a zip
  /// by itself, whatever is beside it; with something in front it may be the last piece of a larger one.
  /// With a marker it is the only part of a split one.
  static func isPart(
    _ path: FilePath,
    of series: SplitZipSeries,
    _ request: Request
  ) throws(CleaveError) -> Bool {
    guard series.last?.lastComponent == path.lastComponent else { return true }
    if request.format == .raw { return !series.numbered.isEmpty }
    let parts = try JoinedBytes([SourceFile(examining: path)])
    do throws(ZipFault) {
      let archive = try ZipArchive(endingIn: parts, as: .whole)
      let hasMarker = try ZipFault.reading { () throws(CleaveError) in
        try archive.startsWithMarker()
      }
      let isPlain = archive.addressing == .whole(shift: 0)
      return series.numbered.isEmpty ? hasMarker && isPlain : hasMarker || !isPlain
    } catch {
      switch error {
      case .reading(let error): throw error
      case .isDisk: return true
      default: return !series.numbered.isEmpty
      }
    }
  }

  /// A file that belongs to no others.
  ///
  /// - Parameter neighbour: one that it seems to belong to.
  mutating func take(
    lone path: FilePath,
    beside neighbour: FilePath? = nil,
    _ request: Request
  ) throws(CleaveError) {
    base = path
    let source = try SourceFile(examining: path)
    if manifest == nil { manifest = try request.manifest.manifest(beside: path, in: listing) }
    if request.manifest == .automatic, manifest?.isOwn != true {
      let meant = FilesMeant(path, [path])
      manifest = try withListsAbove(manifest, about: meant, onlyLeading: true)
    }
    sources = [.file(source)]
    try takeGiven(about: FilesMeant(path, [path]))
    evidence.note(manifest)
    let possible = listing?.ifOf(path.directory).flatMap { PartSeries.possible(path, in: $0) }
    let isZipName = SplitZipName(path.lastComponent)?.place == .last
    do throws(CleaveError) {
      if let found = try request.format == .raw
        ? nil : ZipArchive.held(by: JoinedBytes([source]), mayBeAnywhere: isZipName)
      {
        hold(found.archive, .zip)
      }
    } catch {
      guard error.kind == .badData, error.system == nil else { throw error }
      if let possible {
        throw error.adding("; \(possible.way) takes \(possible.count) files for its parts")
      }
      let isAlone = isZipName || SplitZipName(path.lastComponent) != nil
      throw isAlone ? error : error.adding(", and all are to be named in their order")
    }
    let joined: Sentence? = possible.map {
      ", though \($0.way) would take \($0.count) files for its parts"
    }
    let name: Sentence =
      joined.map { "taken for a part of a series\($0)" } ?? "named like a part of a series"
    let first = path.isRemote ? nil : Self.firstPart(of: path)
    let parts = first.map { ", and parts of such a file are beside it: try \($0); else " } ?? ": "
    let text: Sentence =
      kind == .zip
      ? "is a whole zip, not split: there is nothing to merge"
        + (neighbour.map { ", and does not belong to \($0.lastComponent)" } ?? "")
      : DownloadName.matches(path.lastComponent)
        ? "has the name of a download that has not ended: \(.asGiven(namesOutput: true)) joins just the files named, in "
          + "their order"
        : "is not \(name)\(parts)name all parts in their order\(.namingOutput, behind: " and "), or "
          + "\(.asGiven(namesOutput: true)) copies it by itself"
    evidence.suspect(.name, Doubt(kind == .zip ? .wholeZip : .loneFile, path, text))
  }

  /// Looks for a zip in the sources, in their order.
  mutating func lookInside(_ parts: JoinedBytes, _ format: PartFormat) throws(CleaveError) {
    do throws(CleaveError) {
      try hold(parts, format)
    } catch {
      // What was no whole zip when it was split shall be the same again.
      guard error.kind == .badData || error.kind == .missingInput, error.system == nil,
        format == .auto, manifest?.whole(of: base) != nil
      else { throw error }
      let text: Sentence = "\(error.text); joined as bytes, by its manifest"
      evidence.suspect(.content, Doubt(.vouchedFor, error.path ?? parts.layout.paths[0], text))
    }
  }

  private mutating func hold(_ parts: JoinedBytes, _ format: PartFormat) throws(CleaveError) {
    // Under names that tell nothing, any of them may be a part of a zip.
    let isZipName = base.map { SplitZipName($0.lastComponent)?.place == .last } ?? true
    if base == nil, format == .auto, try ZipArchive.isWhole(parts.part(0)) {
      if parts.layout.paths.count < 2 { return }
      throw CleaveError(
        .badData,
        parts.layout.paths[0],
        "is a whole zip, and the files behind it are no parts of it; \(.format(.raw)) joins the bytes"
      )
    }
    if let found = try ZipArchive.held(by: parts, mayBeAnywhere: isZipName) {
      hold(found.archive, found.kind, found.repairs)
    } else if format == .zip {
      throw CleaveError(.badData, parts.layout.paths[0], "is not the start of a zip")
    }
  }

  mutating func noteContent() {
    if let told {
      evidence.confirm(.content, Sentence(told))
    } else {
      evidence.note(.content, "\(sources.count) files")
    }
  }
}
