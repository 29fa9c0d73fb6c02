package import Posix

extension Manifest {
  /// The only name in it which is that of a whole with an ending, and is not there: `film.mkv` of `film`; nil where there
  /// is none.
  func likelyWhole(of base: FilePath?) -> FilePath? {
    guard let start = base?.lastComponent.adding(".").bytes else { return nil }
    let names = entries.lazy.map(\.name).filter { name in
      name.bytes.starts(with: start)
        && !name.bytes.dropFirst(start.count).contains(UInt8(ascii: "."))
        && !Self.isBesideWhole(name)
        && !PartName.readings(of: name).contains(where: \.isSureOrFirst)
        && FileStatus.isAbsent(path.sibling(name))
    }
    let found = Array(names.prefix(2))
    return found.count == 1 ? found[0] : nil
  }

  /// Whether a name is that of what is kept beside a film or an archive, and is small.
  static func isBesideWhole(_ name: FilePath) -> Bool {
    Neighbours.isCompanion(name) || besideWholes.contains(where: name.endsFolded)
  }

  /// Ends of such names, in lower case.
  private static let besideWholes = [
    ".txt", ".srt", ".sub", ".idx", ".ass", ".ssa", ".vtt", ".jpg", ".jpeg", ".png", ".gif",
    ".webp", ".xml", ".json",
    ".html", ".htm", ".md", ".log", ".yml", ".yaml", ".ini", ".cue", ".m3u", ".diz",
  ]

  /// Parts that are there, of the series whose parts the manifest lists, and that it does not list.
  ///
  /// - Parameters:
  ///   - files: those that it lists, where they are looked for.
  ///   - listing: what was listed last, and is listed here.
  /// - Throws: what listing a directory reports.
  package static func unlistedParts(
    beside files: ListedFiles,
    in listing: inout DirectoryListing?
  ) throws(CleaveError) -> [FilePath] {
    var unlisted: [FilePath] = []
    for group in ListedFiles.Directories(of: files).groups {
      let forms = SeriesForms(of: group.lazy.map { files[Int($0)].lastComponent })
      guard !forms.isEmpty, let first = group.first.map({ files[Int($0)] }) else { continue }
      let known = try DirectoryListing(beside: first, unless: listing?.ifOf(first.directory))
      listing = known
      unlisted += forms.names(in: known.names).filter { !isName($0, among: known.set) }
        .map { first.sibling($0) }.filter { !files.contains($0) }
    }
    return unlisted.sorted()
  }
}

extension Manifest {
  /// The names that it lists, and that are not there, of parts that a name may be one of: where the first
  /// of them is listed, and the one next to it or it itself is not there.
  func absentParts(besides name: FilePath, in names: PathList) -> PathList {
    let isAbsent = { (name: FilePath) in
      entries.contains(named: name) && !names.contains(name)
    }
    let forms = PartName.readings(of: name).filter { form in
      guard form.style.isJoined, form.firsts.contains(where: entries.contains(named:)) else {
        return false
      }
      return (form.firsts + form.neighbours).contains(where: isAbsent)
    }
    if forms.isEmpty { return PathList() }
    return PathList(
      entries.indices.lazy.map { entries.name(at: $0) }.filter { other in
        forms.contains { $0.digits(of: other) != nil } && isAbsent(other)
      }
    )
  }
}

extension Manifest {
  /// The names of the wholes of which all that it lists may be the parts, where split wrote it, and a name is one of
  /// theirs.
  func wholes(with name: FilePath) -> [FilePath] {
    guard isOfOneSplit, entries.contains(named: name) else { return [] }
    return PartName.readings(of: name).filter { form in
      form.style.isJoined && form.total == nil
        && entries.indices.allSatisfy { form.digits(of: entries.name(at: $0)) != nil }
    }
    .map(\.base)
  }
}

/// How the names of the parts are made that a manifest lists.
private struct SeriesForms {
  private var forms: [PartName] = []
  private var zips: [SplitZipName] = []

  /// A manifest of more series than this is about something else than parts.
  private static let most = 32

  init(of names: some Sequence<FilePath>) {
    for name in names where forms.count + zips.count < Self.most && !contain(name) {
      if let zip = SplitZipName(name), case .number = zip.place {
        zips.append(zip)
      } else if let part = PartName(name), part.width > 1 {
        // `libx.so.1` is no part.
        forms.append(part)
      } else if let part = PartName.readings(of: name).first, part.style.isCertain,
        part.family != .digit
      {
        forms.append(part)
      }
    }
  }

  var isEmpty: Bool { forms.isEmpty && zips.isEmpty }

  /// The names that have one of these forms, each once.
  func names(in names: PathList) -> [FilePath] {
    let heads = forms.map(\.head) + zips.map(\.stem)
    var found = PathSet()
    return heads.flatMap { head in
      names.likely(beginning: head.bytes).filter { contain($0) && found.insert($0) }
    }
  }

  func contain(_ name: FilePath) -> Bool {
    if forms.contains(where: { $0.isSameSeries(name) }) { return true }
    guard let zip = SplitZipName(name) else { return false }
    return zips.contains { zip.isPart(with: $0) && zip.place != .executable }
  }
}

extension PartName {
  /// Whether a name has the same form, and as many digits or more than fit.
  fileprivate func isSameSeries(_ name: FilePath) -> Bool {
    guard let other = digits(of: name) else { return false }
    return other.width == width || other.width > width && !other.isPadded
      || width > other.width && !digits.isPadded
  }
}
