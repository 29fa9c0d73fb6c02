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
    return path.appending(first.part)
  }

  private static let mostNamed = 20

  /// Names that have the same form.
  private struct Group {
    var base: FilePath
    /// The first name in the order of text.
    var part: FilePath
    var count = 1
    /// Whether a name alone makes it a series.
    var isCertain: Bool
  }

  private struct Key: Hashable {
    let head: [UInt8]
    let tail: [UInt8]
  }

  private func groups(_ families: [NamingStyle.Family]?) -> [Group] {
    let known = Set(names)
    var groups: [Key: Group] = [:]
    for name in names.sorted() where !Manifest.isName(name) {
      guard let (key, group) = group(name, families, known) else { continue }
      groups[key, default: group].count += groups[key] == nil ? 0 : 1
    }
    return groups.values.filter { $0.isCertain || $0.count > 1 }.sorted { $0.base < $1.base }
  }

  private func group(
    _ name: FilePath,
    _ families: [NamingStyle.Family]?,
    _ known: Set<FilePath>
  ) -> (Key, Group)? {
    // A zip alone is no part.
    if families == nil, let zip = SplitZipName(name), case .number = zip.place {
      let key = Key(head: SplitZipName.folded(zip.stem.bytes), tail: Array(zip.family.last.utf8))
      return (key, Group(base: zip.stem, part: name, isCertain: true))
    }
    guard families != nil || NamingStyle.first(of: name)?.isRefused != true else { return nil }
    let reading = PartName.readings(of: name, by: families).first { isLikely($0, known) }
    guard let reading else { return nil }
    let key = Key(
      head: SplitZipName.folded(reading.head.bytes),
      tail: SplitZipName.folded(reading.tail.bytes)
    )
    let isCertain = families != nil || reading.style.isCertain && reading.family != .digit
    return (key, Group(base: reading.base, part: name, isCertain: isCertain))
  }

  private func isLikely(_ reading: PartName, _ known: Set<FilePath>) -> Bool {
    switch reading.style.joining {
    case .bytes, .withEvidence: true
    case .withFirst: reading.firsts.contains(where: known.contains)
    case .rewritten, .never: false
    }
  }
}
