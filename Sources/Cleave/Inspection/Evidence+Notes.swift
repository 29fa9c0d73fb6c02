internal import Posix

// What is found, for people.
extension Evidence {
  mutating func note(_ series: PartSeries) {
    let first = series.name(series.first).lastComponent
    let following = series.numbering.successor(of: series.first) ?? series.first + 1
    note(
      .name,
      "\(series.base.lastComponent) in parts \(first), \(series.name(following).lastComponent) … "
        + "(\(mentioning: .family(series.family)))"
    )
  }

  mutating func note(_ series: SplitZipSeries) {
    note(.name, "split zip, whose last part is \(series.lastName.lastComponent)")
  }

  /// - Parameters:
  ///   - count: of the parts that it names.
  ///   - isAttesting: whether it says that they are parts. One of all that is in a directory names whatever is there.
  mutating func note(
    _ manifest: Manifest?,
    naming count: Int = 0,
    isAttesting: Bool = true
  ) {
    guard let manifest else { return note(.manifest, "none") }
    let what = count == 0 ? "" : ", which names \(count.counted("part"))"
    let text: Sentence = "\(manifest.path.lastComponent)\(what)"
    if isAttesting { confirm(.manifest, text) } else { note(.manifest, text) }
    if let dealing = manifest.dealing {
      note(
        .records,
        "dealt out in turn among \(dealing.parts) parts; each ends with \(dealing.ending)"
      )
    }
  }

  mutating func note(complete series: PartSeries) {
    guard let first = series.parts.first, let last = series.parts.last else { return }
    note(
      .parts,
      "\(series.parts.count), from \(first.path.lastComponent) to \(last.path.lastComponent), "
        + "without a gap"
    )
  }

  /// - Parameters:
  ///   - base: what the doubts are about.
  ///   - remedy: what to do where a stray is in the way.
  ///   - start: what to do where one may be the first part.
  ///   - isDecided: whether the parts that are there are right, even if another program writes to them.
  mutating func note(
    _ neighbours: Neighbours,
    of base: FilePath,
    remedy: Sentence = "remove it if it is left over",
    start: Sentence = "",
    isDecided: Bool = false,
    place: (FilePath) -> Neighbours.Place = { _ in .there }
  ) {
    for stray in neighbours.downloads {
      let text: Sentence = "\(stray.name) says that \(stray.part) \(stray.doing)"
      let place = place(stray.part)
      switch place {
      case .behind, .before:
        let remedy = place == .before ? start : remedy
        suspect(.beside, Doubt(.nextIsDownloading, base, "\(text): \(remedy)"))
      case .there where stray.isWrittenInPlace && !isDecided:
        suspect(.beside, Doubt(.partIsDownloading, base, "\(text): wait for it, or \(remedy)"))
      case .there where !stray.isTemporary: suspect(.beside, Doubt(.downloadBeside, base, text))
      case .there, .elsewhere: note(.beside, text)
      }
    }
    let pieces = neighbours.pieces
    for stray in neighbours.copies(beside: base) {
      let text: Sentence = "\(stray.name) may be another copy of \(stray.part); not merged"
      let place = place(stray.part)
      switch place {
      case .behind, .before:
        suspect(.beside, stray, of: base, place == .before ? start : remedy)
      case .there:
        if isDecided || pieces.contains(stray.name) {
          note(.beside, text)
        } else if let more = Self.excess(of: stray, beside: base) {
          suspect(
            .beside,
            Doubt(.size, base.sibling(stray.part), "\(more): put that in its place, or \(remedy)")
          )
        } else {
          suspect(.beside, Doubt(.copyBeside, base, text))
        }
      case .elsewhere: note(.beside, text)
      }
    }
    for stray in neighbours.renamed {
      switch place(stray.part) {
      case .behind: suspect(.beside, stray, of: base, remedy)
      case .before: suspect(.beside, stray, of: base, start)
      case .there, .elsewhere: break
      }
    }
  }

  /// That a part is there only under another name.
  mutating func suspect(
    _ topic: Topic,
    _ stray: Neighbours.Stray,
    of base: FilePath,
    _ remedy: Sentence
  ) {
    let isPacked =
      FileFormat.packed(by: stray.name) != nil && FileFormat.packed(by: stray.part) == nil
    var text: Sentence =
      "\(stray.name) may be \(stray.part), which is not there: \(isPacked ? "unpack" : "rename") it, or \(remedy)"
    if case .never(let reason) = NamingStyle.first(of: stray.name)?.joining {
      text = "\(stray.name) \(reason); \(remedy)"
    } else if stray.isPiece {
      let merging: Sentence = "\(.merging(base.sibling(stray.name)))"
      text =
        "\(stray.name) is a part of \(stray.part), which is not there: \(merging) makes it, or \(remedy)"
    }
    suspect(topic, Doubt(.nextIsCopy, base, text))
  }

  /// What is said of another copy of a part that has more bytes: the part may have been cut short.
  private static func excess(of stray: Neighbours.Stray, beside base: FilePath) -> Sentence? {
    func size(_ name: FilePath) -> Int64? { (try? FileStatus.of(base.sibling(name)))?.size }
    guard let copy = size(stray.name), let part = size(stray.part), copy > part else { return nil }
    return "has \(part) bytes, and \(stray.name), which may be another copy of it, has \(copy)"
  }
}
