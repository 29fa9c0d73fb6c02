internal import Posix

/// The names that parts get: none that is taken, or would be read as another.
extension Split {
  func checkNames(
    count: Int,
    blocks: Int64 = 0,
    _ found: Resumption? = nil
  ) throws(CleaveError) {
    guard naming.hasNames(for: count) else { throw tooFewNames(for: count) }
    let first = naming.name(0).lastComponent
    if naming.isSuffixed,
      Manifest.isName(first) || DownloadName.matches(first)
        || first.ends(in: Consumption.restSuffix)
    {
      throw CleaveError(
        .contradiction,
        naming.name(0),
        "is a name that manifests, downloads and what is left of sources have, and would not be taken for a part"
      )
    }
    let list = Manifest.path(beside: prefix)
    guard naming.reading(count: count, beside: [list], isNamed: true) == .found else {
      throw CleaveError(
        .contradiction,
        naming.name(0),
        "would not be taken for a part of this file again: end the \(Setting.prefix) in a dot, a dash or an underscore, take "
          + "at least two letters, count hexadecimal numbers from 0, and use no names of other formats, such as "
          + "NAME.z01 or NAME.rar"
      )
    }
    try checkNames(count: count, unless: list)
    try checkLeading()
    // Then some of them may be those of this very job.
    if found?.isPublishing == true { return }
    let existing = try naming.existing(count: count)
    try Journal.requireNonePublished(existing.taken + existing.stale)
    // Standard input may need any number, so any part is in the way.
    let taken = count == 0 ? existing.stale.first : existing.taken.first
    if !isShared { try refuseTaken(taken.map { [$0] } ?? [], count > 0 ? existing.stale : []) }
    if count > 0 { try refuseStale(existing) }
    if let fellow = try naming.fellow() {
      let text: Sentence =
        "would be taken for a part of the new series, and they for those of its own: remove it, or choose another \(Setting.prefix)"
      throw CleaveError(.cannotCreate, fellow, text)
    }
    try checkJoiners()
    try checkManifests(count: count, blocks: blocks)
  }

  /// - Parameter list: the manifest with which any names are found.
  /// - Throws: where parts would be taken for others with the manifests that there will be, or are not found with
  ///   one that does not list them.
  private func checkNames(count: Int, unless list: FilePath) throws(CleaveError) {
    let lists = manifests.map(\.path).filter { way(from: $0) == "." }
    if lists.contains(list) { return }
    let text: String
    switch naming.reading(count: count, beside: lists, isNamed: false) {
    case .mistaken where count != 1: text = "would be taken for a part of another file"
    case .unknown where manifests.contains { $0.form == .crc }:
      text = "would not be taken for a part"
    case .found, .unknown, .mistaken: return
    }
    throw CleaveError(
      .contradiction,
      naming.name(0),
      "\(text) where no manifest such as \(list.lastComponent) is beside it: write one of that name, or choose another "
        + "\(Setting.prefix) or ending"
    )
  }

  /// - Throws: where Total Commander's, which lists no parts, leads to none by its name or that in it.
  private func checkLeading() throws(CleaveError) {
    for manifest in manifests where manifest.form == .crc && plainName != prefix.lastComponent {
      if Manifest.isName(manifest.path, beside: prefix) { continue }
      throw CleaveError(
        .contradiction,
        "\(manifest.path) would lead to no parts, since its form lists none: name it "
          + "\(prefix.lastComponent.adding(".crc")), or take another form"
      )
    }
  }

  /// - Parameter stale: what must go even where parts are replaced.
  func refuseTaken(
    _ paths: [FilePath],
    _ stale: [FilePath] = []
  ) throws(CleaveError) {
    guard let taken = paths.first, !replaceable.replacesExisting else { return }
    // Nothing replaces that.
    if !taken.isRemote, let input = try? FileStatus.of(file) {
      try OutputCheck.requireOther(taken, than: [input.identity])
    }
    var text: Sentence = "exists; \(.replacing) replaces it"
    if let first = stale.first {
      let others = stale.count > 1 ? " and \(stale.count - 1) more" : ""
      text +=
        ", but \(first.lastComponent)\(others) would be taken for \(others.isEmpty ? "a part" : "parts") of the new series, and must be removed first; or "
        + "choose another \(Setting.prefix)"
    }
    throw CleaveError(.cannotCreate, taken, text)
  }

  /// A part that an earlier, longer split left would be taken for one of the new ones.
  func refuseStale(_ existing: PartSeries.Existing) throws(CleaveError) {
    guard let stale = existing.stale.first else { return }
    let others = existing.stale.count > 1 ? ", like \(existing.stale.count - 1) more," : ""
    throw CleaveError(
      .cannotCreate,
      stale,
      "would be taken for a part of the new series\(others) and must be removed first; or choose another \(Setting.prefix)"
    )
  }
}
