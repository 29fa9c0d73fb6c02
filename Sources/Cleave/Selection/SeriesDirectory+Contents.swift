internal import Posix

extension SeriesDirectory {
  /// The first name and its series, where all names are those of the parts, but for lists and what else is kept beside
  /// them: of a large directory that has nothing else, no name is looked at by itself. Nil of any other.
  func seriesOfAll() -> (path: FilePath, series: PartSeries?)? {
    let names = listing.names
    guard let first = names.min() else { return nil }
    let others = listing.companions
    let isLikely = PartName.readings(of: first, by: family.map { [$0] }).contains { form in
      form.style.isJoined && names.count(likelyPartsOf: form) + others.count >= names.count
    }
    guard isLikely, others.count <= Self.mostBeside,
      let series = (try? PartSeries.containing(path.appending(first), as: family, in: listing))
        ?? nil,
      series.parts.count > 1, series.parts.count + others.count == names.count,
      series.form.style.isCertain || series.form.style.firsts.contains(series.parts[0].number),
      series.parts[0].status.kind != .directory,
      others.allSatisfy({
        !series.hasPart(called: $0) && NameGroups.isCompanion($0, among: listing.set)
      })
    else { return nil }
    return (path.appending(first), series)
  }

  /// Whether several files begin like what the name of their whole promises, and are no wholes themselves.
  func isBegunAsNamed(_ part: FilePath, _ base: FilePath) -> Bool {
    guard let format = FileFormat.promised(by: base) ?? FileFormat.packed(by: base),
      let series = (try? PartSeries.containing(part, as: family, in: listing)) ?? nil,
      series.parts.count > 1
    else { return false }
    do throws(CleaveError) {
      let parts = try JoinedBytes(series.parts.files)
      let foreign = try ForeignContent(of: parts, base: series.base)
      try foreign.refuse()
      return foreign.heads.typical.first.map { format.begins($0.bytes) } ?? false
    } catch {
      return false
    }
  }

  /// Names that are looked at by themselves.
  private static let mostBeside = 16
}

extension PathList {
  /// How many names may be those of other parts by this reading.
  fileprivate func count(likelyPartsOf form: PartName) -> Int {
    let alphabet = form.digits.alphabet
    let widths = 1...alphabet.maximumWidth
    return count(
      beginning: form.head.bytes,
      ending: form.tail.bytes,
      around: widths,
      of: alphabet.contains
    )
  }
}
