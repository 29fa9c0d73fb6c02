internal import Posix

/// Parts that are the only one of their series.
extension Selection {
  /// - Throws: `.missingInput` where there is one part alone, and parts beside it count otherwise.
  static func refuseOnly(_ series: PartSeries) throws(CleaveError) {
    guard series.parts.count == 1, series.form.total == nil, let other = series.others.first else {
      return
    }
    throw CleaveError(
      .missingInput,
      series.parts[0].path,
      "is the only part with so many digits, and \(other.lastComponent) has others: rename it if both are "
        + "parts of one file, or \(.asGiven(namesOutput: true)) copies it by itself"
    )
  }

  /// - Throws: `.missingInput` where there is one part alone, and one that differs in other numbers, too, has the next
  ///   number, or others that differ in another number have sizes as if all were parts of one file, or are in the list of
  ///   that part and not there.
  func refuseSister(_ series: PartSeries) throws(CleaveError) {
    guard series.parts.count == 1, series.form.total == nil, let part = series.parts.first?.path,
      let listing = listing(beside: part),
      let form = PartName.readings(of: part.lastComponent).first(where: {
        $0.head == series.form.head && $0.tail == series.form.tail
          && $0.digits.alphabet == series.form.digits.alphabet
      })
    else { return }
    let isOnly: Sentence = "is the only part of \(series.base.lastComponent), and "
    let takesAll: Sentence = "\(.last(series.label(form.number))) takes it for all"
    if let fellow = form.fellow(among: listing.names) {
      throw CleaveError(
        .missingInput,
        part,
        isOnly + "\(fellow) beside it has the next number: "
          + "\(.asGiven(namesOutput: true)) joins those that are named, " + takesAll
      )
    }
    if let manifest {
      let listed = PathList(
        manifest.files.lazy.filter { $0.directory == part.directory }.map(\.lastComponent)
      )
      let others = [form.fellow(among: listed)].compactMap(\.self) + form.sisters(among: listed)
      if let other = others.first(where: { $0 != form.name && !listing.set.contains($0) }) {
        let text: Sentence = "\(manifest.path) has \(other), which is not there: "
        throw CleaveError(.missingInput, part, isOnly + text + takesAll)
      }
    }
    let sisters = form.sisters(among: listing.names).map { part.sibling($0) }
    let statuses = sisters.compactMap { try? FileStatus.of($0) }
    guard let place = sisters.firstIndex(where: { $0 != part }), statuses.count == sisters.count,
      statuses.allSatisfy({ $0.kind == .regular }), SizePattern.looksCut(statuses.map(\.size))
    else { return }
    let other = sisters[place]
    // Of files that begin like wholes of one kind, none is what another goes on with.
    let kind = Self.kind(of: other, statuses[place])
    if kind != nil, kind == Self.kind(of: part, series.parts[0].status) { return }
    let possible = PartSeries.possible(part, in: listing)
    let all: Sentence = possible.map { "\($0.way) takes \($0.count) files for its parts, " } ?? ""
    let count = sisters.count > 2 ? " and \(sisters.count - 2) more" : ""
    throw CleaveError(
      .missingInput,
      part,
      isOnly
        + "\(other.lastComponent)\(count) beside it may be parts of the same file by names and sizes: "
        + all + "\(.asGiven(namesOutput: true)) joins those that are named, " + takesAll
    )
  }

  private static func kind(of path: FilePath, _ status: FileStatus) -> FileFormat.Kind? {
    (try? head(of: path, status)).flatMap { FileFormat.begun(by: $0)?.kind }
  }

  /// - Throws: `.missingInput` where there is one part alone, and that is a link to one of several.
  static func refuseLink(_ series: PartSeries) throws(CleaveError) {
    guard series.parts.count == 1, let part = series.parts.first, !part.path.isRemote,
      let target = try? FileSystem.target(ofLink: part.path)
    else { return }
    let original = target.isAbsolute ? target : part.path.sibling(target)
    guard let others = (try? PartSeries.containing(original)) ?? nil, others.parts.count > 1 else {
      return
    }
    throw CleaveError(
      .missingInput,
      part.path,
      "leads to \(original), which is one of \(others.parts.count) parts: try that, or "
        + "\(.last(series.label(part.number))) takes it for all"
    )
  }
}
