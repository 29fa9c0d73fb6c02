package import Posix

/// What stands for parts, and has those of several files.
struct SeveralSeries {
  /// One part of each.
  let parts: [FilePath]
  /// The names beside the parts, where they are known.
  var listing: DirectoryListing?

  /// Names in a message.
  private static let mostNamed = 20

  /// Why none is taken.
  ///
  /// - Parameter text: with the list in it, the beginning of a sentence about the path.
  func refusal(of path: FilePath, _ text: (String) -> String) -> CleaveError {
    let shown = parts.prefix(Self.mostNamed)
    let bases = shown.map { base(of: $0) }
    let made = bases.compactMap(\.made)
    let areDistinct = Set(made).count == made.count
    let names = zip(shown, bases).map { part, base in
      areDistinct ? "\(base.shown)" : "\(base.shown) (from \(part.lastComponent))"
    }
    let count = parts.count - shown.count
    let others = count > 0 ? " and \(count) more" : ""
    // All together would make one name of two.
    let remedy: Sentence =
      areDistinct ? "name a part of one, or \(.each) merges all of them" : "name a part of one"
    return CleaveError(
      .badData,
      path,
      "\(text("\(parts.count) files"))\(names.joined(separator: ", "))\(others): \(remedy)"
    )
  }

  /// The name of the whole, or the part's where that tells none; and what merging makes, where it is
  /// called so.
  private func base(of part: FilePath) -> (shown: FilePath, made: FilePath?) {
    let listing = listing?.ifOf(part.directory)
    if let series = (try? PartSeries.containing(part, in: listing)) ?? nil {
      return (series.base.lastComponent, series.base)
    }
    if let zip = SplitZipName(part.lastComponent) { return (zip.stem, nil) }
    let name = PartName.readings(of: part.lastComponent).first { $0.style.isJoined }?.base
    return (name ?? part.lastComponent, name.map(part.sibling))
  }
}

extension Manifest {
  /// One part of each series that it names, whether there or not, and of each whole that it names and parts of which
  /// are there.
  ///
  /// Those whose names say by themselves that they are parts' count, and those that have the first part
  /// that their names need; where there is none, others that may be parts'.
  ///
  /// - Returns: besides them, one of each of other files that are counted, and may be parts, too.
  func series(as family: NamingStyle.Family?) -> (parts: [FilePath], others: [FilePath]) {
    let files = files
    var (sure, likely, others): ([FilePath], [FilePath], [FilePath]) = ([], [], [])
    for places in ListedFiles.Directories(of: files).groups {
      guard let place = places.first.map({ files[Int($0)] }) else { continue }
      let names = PathList(places.lazy.map { files[Int($0)].lastComponent })
      for group in NameGroups(names, by: family.map { [$0] }).groups {
        let part = place.sibling(group.first)
        if group.isCertain || group.isBegun {
          sure.append(part)
        } else if PartName.readings(of: group.first).contains(where: \.style.isCertain) {
          likely.append(part)
        } else if group.count > 1 {
          others.append(part)
        }
      }
    }
    let wholes = absentWholes().lazy.map(\.part).filter { !files.contains($0) }
    return ((sure.isEmpty ? likely : sure) + wholes, (sure.isEmpty ? [] : likely) + others)
  }
}

extension Selection {
  /// What an operand stands for: a directory or a manifest for a part of each series that is in it, any
  /// other for itself.
  ///
  /// - Parameter last: what was listed last: the names beside it, or those of another directory.
  /// - Throws: `.missingInput` where a directory has no parts; the error of reading either.
  package static func each(
    of operand: FilePath,
    _ request: Request,
    in last: DirectoryListing? = nil
  ) throws(CleaveError) -> [Part] {
    let status = try CleaveError.whileReading(FileStatus.ifPresent(operand))
    let listing = last?.ifOf(operand.directory)
    let choice = request.manifest
    switch status?.kind {
    case .directory?:
      return try all(in: SeriesDirectory(operand, request, after: last), request)
    case .regular? where choice == .automatic && Manifest.isManifest(at: operand, in: listing):
      let found = try Manifest(reading: operand)
        .withMoved(among: DirectoryListing(beside: operand, unless: listing).set)
        .series(as: request.reading.family)
      var parts = found.parts.map { Part(path: $0, manifest: .file(operand)) }
      if parts.count < 2 { parts = [Part(path: operand, manifest: choice)] }
      parts[0].others = found.others
      return parts
    case _: break
    }
    return [Part(path: operand, manifest: choice)]
  }
}
