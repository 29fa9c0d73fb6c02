package import Posix

/// The series that are in one directory.
///
/// A class, since what takes long to find out is found out once, and only where it is asked for.
package final class SeriesDirectory {
  let listing: DirectoryListing
  let family: NamingStyle.Family?
  private let readsLists: Bool
  var path: FilePath { listing.path }

  /// - Parameter family: how to read the names; nil for what suits them.
  /// - Throws: the error of a directory that cannot be listed.
  package convenience init(
    _ path: FilePath,
    as family: NamingStyle.Family? = nil
  ) throws(CleaveError) {
    self.init(try DirectoryListing(of: path), as: family)
  }

  /// - Parameter last: what was listed before.
  /// - Throws: the error of a directory that cannot be listed.
  convenience init(
    _ path: FilePath,
    _ request: Selection.Request,
    after last: DirectoryListing? = nil
  ) throws(CleaveError) {
    let listing = try DirectoryListing(of: path, after: last)
    let readsLists = request.manifest == .automatic
    self.init(listing, as: request.reading.family, readsLists: readsLists)
  }

  /// - Parameter readsLists: whether lists in it tell of parts.
  package init(
    _ listing: DirectoryListing,
    as family: NamingStyle.Family? = nil,
    readsLists: Bool = true
  ) {
    (self.listing, self.family, self.readsLists) = (listing, family, readsLists)
  }

  /// One part of the only series, and that, where it was found by this part. One whose names say that they are parts' goes
  /// before names that other things have, too, unless a manifest or the sizes say that those are parts as well.
  ///
  /// - Throws: `.missingInput` where there is none, `.badData` where there are several.
  package func onlyPart() throws(CleaveError) -> (path: FilePath, series: PartSeries?) {
    if let only { return only }
    let several = plain.filter {
      ($0.count > 1 || tellsOfOthers($0.first)) && !isDirectory($0)
    }
    let found = several.isEmpty ? candidates.filter { !isDirectory($0) } : several
    guard let group = found.first else {
      if listed.count > 1 { throw refusal(of: listed) }
      guard let lone = listed.first else { throw try nothing() }
      return (path.appending(lone), nil)
    }
    guard found.count == 1 else {
      throw found.allSatisfy(isBesideWhole) ? try nothing() : refusal(of: found.map(\.first))
    }
    var name = group.first
    var series = try series(of: path.appending(name))
    // The first may be alone by its number of digits: `a.0003` beside `a.001` and `a.002`.
    if series?.count ?? 0 < 2, let others = try self.series(of: path.appending(group.last)) {
      (name, series) = (group.last, others)
    }
    guard let series else { throw try nothing() }
    try check(series, all.names(of: group))
    // It may be far behind all of them.
    return series.contain(name)
      ? (path.appending(name), series.series) : (path.appending(series.first), nil)
  }

  /// One part of each series whose names, manifest or sizes say that they are parts'; where there is
  /// none, of each that the names beside it bear out. In the order of their names.
  ///
  /// - Throws: `.missingInput` where there is none.
  package func allParts() throws(CleaveError) -> [FilePath] {
    if let only { return [only.path] }
    let found = plain.isEmpty ? candidates : plain
    var parts: [FilePath] = []
    let files = found.filter { !isDirectory($0) }
    for names in all.names(ofEach: files) {
      // Names that differ in the number of digits alone may be those of several series.
      var rest = names.sorted()
      var (found, odd): ([(part: FilePath, series: Members)], [FilePath]) = ([], [])
      while let first = rest.first {
        // By itself it would be taken for a file of one part.
        if names.count == 1, isCopy(first) { break }
        let part = path.appending(first)
        let series = try series(of: part)
        // Far behind others, `film.md` would be one of `film.aa` and others that are taken.
        let isFar = found.contains { other in
          let name = other.part.lastComponent
          return series?.contain(name) == true && Self.differ(name, first) == .letters
        }
        if let series, !isFar {
          found.append((part, series))
        } else {
          odd.append(part)
        }
        rest.removeAll { $0 == first || series?.contain($0) == true }
      }
      // `film.mkv.de` is no part beside `film.mkv.001`.
      guard let largest = found.max(by: { $0.series.count < $1.series.count }) else {
        parts += odd
        continue
      }
      parts += found.lazy.filter { other in
        if found.contains(where: { $0.series.isDated(other.part) }) { return false }
        return other.series.count > 1 || largest.series.count == 1
          || Self.differ(other.part.lastComponent, largest.part.lastComponent) != .both
      }.map(\.part)
    }
    let known = PathSet(parts)
    let lone = listed.map(path.appending).filter { !known.contains($0) }
    if !lone.isEmpty { parts = (parts + lone).sorted() }
    if parts.isEmpty { throw try nothing() }
    return parts
  }

  /// Whether a file has the name of another copy of a part that is there, or that is missing next to one.
  private func isCopy(_ name: FilePath) -> Bool {
    CopyName.originals(of: name).contains { original in
      listing.set.contains(original)
        || PartName.readings(of: original).contains { form in
          form.style.isCertain && form.neighbours.contains(where: listing.set.contains)
        }
    }
  }

  /// One part of each of those that may be series, beside others that are, and lone parts beside their wholes.
  package func likelyParts() -> [FilePath] {
    if only != nil || plain.isEmpty { return [] }
    let known = Set(plain.map(\.first))
    let lone = plain.filter(isBesideWhole)
    return (lone + candidates.filter { !known.contains($0.first) }).map { path.appending($0.first) }
  }

  /// Whether a part is alone beside what has the name of its whole.
  private func isBesideWhole(_ group: NameGroups.Group) -> Bool {
    group.count == 1 && whole(of: group.first) != nil && isCopy(group.first)
  }

  private func whole(of part: FilePath) -> FilePath? {
    PartName.readings(of: part).lazy
      .filter { $0.style.isCertain && $0.digits.isPadded }.map(\.base)
      .first(where: listing.set.contains)
  }

  // MARK: Groups

  private lazy var only = seriesOfAll()
  private lazy var all = NameGroups(
    listing.names,
    companions: listing.companions,
    by: family.map { [$0] }
  )

  /// Those whose names say that they are parts', those that have the first part that their names need,
  /// and those of any names that a manifest, the sizes or the content say are the parts of one file.
  private lazy var plain: [NameGroups.Group] = {
    let weak = all.groups.filter { !$0.isCertain }
    let proven = largest(weak.filter { !$0.isBegun && $0.count > 1 }).filter(isProven)
    return (certain + borneOut(weak.filter(\.isBegun)) + proven)
      .sorted { $0.first < $1.first }
  }()

  private lazy var listed = readsLists ? Self.listed(in: listing, by: family.map { [$0] }) : []

  /// Where no series is certain: single parts that are, and those series that something besides the
  /// names bears out.
  private lazy var candidates: [NameGroups.Group] = {
    let likely = all.groups.filter { !$0.isCertain && $0.count > 1 }
    return (certain + borneOut(likely)).sorted { $0.first < $1.first }
  }()

  /// Those whose names alone make them series, but for what programs keep beside single parts of others.
  private lazy var certain: [NameGroups.Group] = {
    let found = all.groups.filter(\.isCertain)
    let series = found.filter { $0.count > 1 }.compactMap { group in
      PartName.readings(of: group.first).first(where: \.style.isCertain)
    }
    let forms = Dictionary(series.map { ($0.head.bytes[...], $0) }) { first, _ in first }
    let lengths = Set(forms.keys.map(\.count))
    return found.filter { group in
      group.count > 1
        || !lengths.contains { isBeside(group.first, aPartWithHeadOf: $0, in: forms) }
    }
  }()

  /// Whether a name has that of a part which is there in it, but for what is behind the part's number: `film.part2of3.srt`,
  /// and as programs call what they write to, `.film.part2of3.mkv.swp`.
  private func isBeside(
    _ name: FilePath,
    aPartWithHeadOf length: Int,
    in forms: [ArraySlice<UInt8>: PartName]
  ) -> Bool {
    let bytes = name.bytes
    let starts = ".~".utf8.contains(bytes[0]) ? 0..<max(0, bytes.count - length) : 0..<1
    return starts.contains { start in
      guard let form = forms[bytes[start...].prefix(length)] else { return false }
      let digits = bytes[(start + length)...].prefix(while: form.digits.alphabet.contains)
      let part = FilePath(bytes: form.head.bytes + digits + form.tail.bytes)
      return part != name && listing.set.contains(part)
    }
  }

  /// Whether a manifest, the sizes or the content say that the files of a group are the parts of one file.
  private func isProven(_ group: NameGroups.Group) -> Bool {
    // Of one with another number of digits, or with those of letters, the others are no parts.
    isProven(group.first) || isProven(group.last)
  }

  private func isProven(_ name: FilePath) -> Bool {
    let part = path.appending(name)
    guard let best = PartSeries.likeliest(part, among: listing.names), best.members.count > 1 else {
      // A directory may have a hundred thousand names: they are not looked through again.
      if SplitZipName(name) == nil { areBorneOut[name] = false }
      return hasSums(part)
    }
    return best.isBorneOut(part, among: listing.names) || hasSums(part)
      || isBegunAsNamed(part, best.form.base)
  }

  /// Whether a part of a series has a manifest of its own.
  private func hasSums(_ part: FilePath) -> Bool {
    let name = part.lastComponent
    let likely = listing.names.likely(beginning: name.bytes)
    return likely.contains { Manifest.isName($0, beside: name) }
      && (try? series(of: part))??.count ?? 0 > 1
  }

  /// Those that are series, of the largest ones.
  private func borneOut(_ groups: [NameGroups.Group]) -> [NameGroups.Group] {
    largest(groups).filter { isBorneOut($0.first) || isBorneOut($0.last) }
  }

  private func isBorneOut(_ name: FilePath) -> Bool {
    if let known = areBorneOut[name] { return known }
    let members = try? series(of: path.appending(name))
    let isBorneOut = (members ?? nil)?.count ?? 0 > 1
    areBorneOut[name] = isBorneOut
    return isBorneOut
  }

  /// The names that were looked at.
  private var areBorneOut: [FilePath: Bool] = [:]

  /// Whether a name says that there are other parts: `a (part 3 of 3)`. Another copy of a part says nothing.
  private func tellsOfOthers(_ name: FilePath) -> Bool {
    if let zip = SplitZipName(name), case .number = zip.place {
      let zip = try? SplitZipSeries.containing(path.appending(name), in: listing)
      return (zip ?? nil)?.last != nil
    }
    guard let form = PartName.readings(of: name).first(where: \.style.isCertain) else {
      return false
    }
    if isListed(name, withOthersOf: form.base) { return true }
    guard form.total ?? 1 > 1 else { return false }
    let parts = plain.filter { $0.count > 1 }.flatMap { PartName.readings(of: $0.first) }
    return !CopyName.originals(of: name).contains { original in
      parts.contains { $0.digits(of: original) != nil }
    }
  }

  /// Whether all names of a group are those of directories.
  private func isDirectory(_ group: NameGroups.Group) -> Bool {
    let isOne = { (try? FileStatus.of(self.path.appending($0)))?.kind == .directory }
    return isOne(group.first) && (group.count == 1 || all.names(of: group).allSatisfy(isOne))
  }

  /// Those that are looked at: where so many names look like series, none is.
  private func largest(_ groups: [NameGroups.Group]) -> [NameGroups.Group] {
    let sorted = groups.sorted { ($1.count, $0.first) < ($0.count, $1.first) }
    // Most without their first part are pairs by chance, where names are random.
    let (begun, others) = sorted.divided(by: \.isBegun)
    return Array(begun.prefix(Self.mostBegun) + others.prefix(Self.mostUnbegun))
  }

  private static let mostBegun = 4096
  private static let mostUnbegun = 1024

  /// What belongs to one series.
  private struct Members {
    /// Those of a split zip, and besides the parts of a series those that may be meant to be.
    let names: PathSet
    let first: FilePath
    /// Parts.
    let count: Int
    /// Nil of a split zip.
    var series: PartSeries?

    func contain(_ name: FilePath) -> Bool {
      names.contains(name) || series?.hasPart(called: name) == true
    }

    /// Whether a file has a year or a date behind the name.
    func isDated(_ file: FilePath) -> Bool { series?.isDated(file.lastComponent) ?? false }
  }

  /// Nil where a file is in no series.
  private func series(of part: FilePath) throws(CleaveError) -> Members? {
    if let series = try PartSeries.containing(part, as: family, in: listing) {
      // Those of another series have numbers that are there already.
      let others = series.others.map(\.lastComponent)
      let isOfOther = others.contains { other in
        series.form.digits(of: other, folding: true)
          .map { series.parts.index(ofNumber: $0.number) != nil } ?? true
      }
      return Members(
        names: PathSet(series.parts.count > 1 && !isOfOther ? others : []),
        first: series.parts[0].path.lastComponent,
        count: series.parts.count,
        series: series
      )
    }
    guard let zip = try SplitZipSeries.containing(part, in: listing) else { return nil }
    let names = PathSet(zip.numbered.values.lazy.map(\.lastComponent))
    return Members(names: names, first: part.lastComponent, count: zip.numbered.count)
  }

  /// - Throws: `.badData` where some of the names are those of another series of the same name.
  private func check(
    _ series: Members,
    _ names: some Sequence<FilePath>
  ) throws(CleaveError) {
    let others = names.filter { !series.contain($0) && !series.isDated($0) }.sorted()
    if others.isEmpty { return }
    // `film.mkv.de` is no part beside `film.mkv.001`.
    var odd: FilePath?
    let member = names.lazy.filter(series.contain).min()
    for name in others.prefix(Self.mostOdd) where odd == nil {
      guard let other = try self.series(of: path.appending(name)), other.contain(name) else {
        continue
      }
      let isStray =
        other.count == 1 && SplitZipName(name) == nil
        && member.map { Self.differ(name, $0) == .both } ?? false
      if !isStray { odd = name }
    }
    guard let other = odd ?? others.dropFirst(Self.mostOdd).first,
      let member
    else { return }
    throw CleaveError(
      .badData,
      path,
      "has \(other) in it beside \(member), and they are not of one series: name a part"
    )
  }

  private enum Difference { case digits, letters, both }

  /// In what two names differ first that are the same but for a number: `backup.1` is no part beside `backup.aa`.
  private static func differ(_ name: FilePath, _ other: FilePath) -> Difference {
    let pair = zip(name.bytes, other.bytes).first { $0.folded != $1.folded }
    guard let pair, pair.0.isDigit == pair.1.isDigit else { return pair == nil ? .digits : .both }
    return pair.0.isDigit ? .digits : .letters
  }

  /// Names that are looked at by themselves.
  private static let mostOdd = 16

  // MARK: Messages

  private func nothing() throws(CleaveError) -> CleaveError {
    let refused =
      family == nil
      ? all.refused
      : listing.names.lazy.filter { NamingStyle.first(of: $0)?.isRefused == true }.min()
    if let refused { try NamingStyle.refuse(path.appending(refused), isNamed: false) }
    for group in all.groups.prefix(Self.mostOdd) where group.count > 1 {
      guard let possible = PartSeries.possible(path.appending(group.first), in: listing) else {
        continue
      }
      let text: Sentence =
        "has no parts in it, though \(possible.way) would take \(possible.count) files where \(group.first) is named"
      return CleaveError(.missingInput, path, text)
    }
    var text: Sentence = "has no parts in it"
    if let lone = plain.first(where: isBesideWhole)?.first, let whole = whole(of: lone) {
      text += " but what is alone beside its whole, as \(lone) beside \(whole)"
    }
    return CleaveError(.missingInput, path, text)
  }

  private func refusal(of names: [FilePath]) -> CleaveError {
    let several = SeveralSeries(parts: names.map(path.appending), listing: listing)
    return several.refusal(of: path) { "has the parts of \($0) in it, " }
  }
}
