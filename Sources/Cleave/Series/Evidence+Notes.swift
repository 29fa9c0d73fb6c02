internal import Posix

// What is found, for people.
extension Evidence {
  mutating func note(_ series: PartSeries) {
    let first = series.name(series.first).lastComponent
    let following = series.numbering.successor(of: series.first) ?? series.first + 1
    note(
      .name,
      "\(series.base.lastComponent) in parts \(first), \(series.name(following).lastComponent) … "
        + "(--as=\(series.family.rawValue))"
    )
  }

  mutating func note(_ series: SplitZipSeries) {
    note(.name, "split zip, whose last part is \(series.lastName.lastComponent)")
  }

  mutating func note(_ manifest: Manifest?, naming names: [FilePath]) {
    guard let manifest else { return note(.manifest, "none") }
    let what = names.isEmpty ? "" : ", which names \(names.count) parts"
    confirm(.manifest, "\(manifest.path.lastComponent)\(what)")
  }

  mutating func note(_ series: PartSeries, stale: [PartSeries.Part]) {
    let (first, last) = (series.parts.first, series.parts.last)
    if let first, let last {
      note(
        .parts,
        "\(series.parts.count), from \(first.path.lastComponent) to \(last.path.lastComponent), "
          + "without a gap"
      )
    }
    for part in stale {
      note(.parts, "\(part.path.lastComponent) is left over from a longer series")
    }
  }

  mutating func note(_ content: MergeSelection.Content, of parts: Int) {
    if let told = content.told { confirm(.content, told) } else { note(.content, "\(parts) files") }
  }

  mutating func note(_ strays: Strays, of base: FilePath) {
    for stray in strays.downloads {
      let text = "\(stray.name) says that \(stray.part) is still being downloaded"
      suspect(.beside, CleaveError(.missingInput, base, text))
    }
    for stray in strays.duplicates {
      let text = "\(stray.name) is another copy of \(stray.part); not merged"
      suspect(.beside, CleaveError(.missingInput, base, text))
    }
  }
}
