internal import Posix

/// The series that are in one directory.
struct SeriesDirectory {
  private let path: FilePath
  private let names: [FilePath]

  /// Lists the directory once.
  init(_ path: FilePath) throws(CleaveError) {
    self.path = path
    do { names = try FileSystem.names(in: path) } catch { throw .reading(error) }
  }

  /// One part of the only series.
  ///
  /// - Throws: `.missingInput` where there is none, `.badData` where there are several.
  func onlyPart(as family: NamingStyle.Family?) throws(CleaveError) -> FilePath {
    let groups = groups(family.map { [$0] })
    guard let first = groups.first else {
      if let refused = names.first(where: { NamingStyle.first(of: $0)?.isRefused == true }) {
        try NamingStyle.refuse(path.appending(refused))
      }
      throw CleaveError(.missingInput, path, "has no parts in it")
    }
    guard groups.count == 1 else {
      let bases = groups.prefix(Self.mostNamed).map(\.base.description).joined(separator: ", ")
      let others = groups.count > Self.mostNamed ? " and \(groups.count - Self.mostNamed) more" : ""
      throw CleaveError(
        .badData,
        path,
        "has the parts of \(groups.count) files in it, \(bases)\(others): name a part of one"
      )
    }
    let part = path.appending(first.names[0])
    if let series = try PartSeries.containing(part, as: family) {
      try check(series, first)
    } else if try SplitZipSeries.containing(part) == nil {
      throw CleaveError(.missingInput, path, "has no parts in it")
    }
    return part
  }

  /// - Throws: `.badData` where some of the names are those of another series of the same name.
  private func check(_ series: PartSeries, _ group: Group) throws(CleaveError) {
    let members = Set(series.parts.map(\.path.lastComponent))
    guard let other = group.names.first(where: { !members.contains($0) }) else { return }
    throw CleaveError(
      .badData,
      path,
      "has \(other) in it beside \(group.names.first(where: members.contains) ?? group.base), and they "
        + "are not of one series: name a part"
    )
  }

  private static let mostNamed = 20

  /// Names that have the same form.
  private struct Group {
    var base: FilePath
    /// In the order of text.
    var names: [FilePath] = []
    /// Whether a name alone makes it a series.
    var isCertain: Bool
  }

  private struct Key: Hashable {
    let head: [UInt8]
    let tail: [UInt8]
  }

  private func groups(_ families: [NamingStyle.Family]?) -> [Group] {
    let known = Set(names)
    let readings = names.sorted().map { (name: $0, ways: ways(to: $0, families, known)) }
    // A name that can be read in several ways is one of those that most others are.
    var counts: [Key: Int] = [:]
    for (_, ways) in readings { for way in ways { counts[way.key, default: 0] += 1 } }
    var groups: [Key: Group] = [:]
    for (name, ways) in readings {
      guard let first = ways.first else { continue }
      let most = ways.map { counts[$0.key] ?? 0 }.max() ?? 0
      let way = ways.first { counts[$0.key] == most } ?? first
      groups[way.key, default: way.group].names.append(name)
    }
    let several = groups.values.filter { $0.names.count > 1 }
    let found = several.isEmpty ? groups.values.filter(\.isCertain) : several
    return found.sorted { $0.base < $1.base }
  }

  /// The groups that a name may be in, most specific first.
  private func ways(
    to name: FilePath,
    _ families: [NamingStyle.Family]?,
    _ known: Set<FilePath>
  ) -> [(key: Key, group: Group)] {
    // What macOS keeps beside a file on foreign disks is none of its parts.
    if Manifest.isName(name) || name.bytes.starts(with: "._".utf8) { return [] }
    if families == nil, let zip = SplitZipName(name), case .number = zip.place {
      let key = Key(head: SplitZipName.folded(zip.stem.bytes), tail: Array(zip.family.last.utf8))
      return [(key, Group(base: zip.stem, isCertain: true))]
    }
    guard families != nil || NamingStyle.first(of: name)?.isRefused != true else { return [] }
    return PartName.readings(of: name, by: families).filter { isLikely($0, known) }.map { reading in
      let key = Key(
        head: SplitZipName.folded(reading.head.bytes),
        tail: SplitZipName.folded(reading.tail.bytes)
      )
      let isCertain = families != nil || reading.style.isCertain && reading.family != .digit
      return (key, Group(base: reading.base, isCertain: isCertain))
    }
  }

  private func isLikely(_ reading: PartName, _ known: Set<FilePath>) -> Bool {
    switch reading.style.joining {
    case .bytes, .withEvidence: true
    case .withFirst: reading.firsts.contains(where: known.contains)
    case .rewritten, .never: false
    }
  }
}
