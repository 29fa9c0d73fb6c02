internal import Posix

/// Whether all parts of a series are there.
extension Selection {
  /// A manifest that has been damaged may begin with a later part.
  ///
  /// - Throws: `.missingInput` where the operand is in front of the first part, and not there; `.badData` where another
  ///   part is.
  func requireNoneInFront(
    of series: PartSeries,
    _ stale: PartSeries.Parts,
    _ operand: FilePath,
    _ request: Request
  ) throws(CleaveError) {
    guard request.reading.bounds.first == nil, let manifest, let first = series.parts.first else {
      return
    }
    let name = operand.lastComponent
    if let digits = series.form.digits(of: name), digits.number < first.number,
      FileStatus.isAbsent(operand)
    {
      throw CleaveError(
        .missingInput,
        operand,
        "does not exist, and \(manifest.path.lastComponent) begins with \(first.path.lastComponent)"
      )
    }
    if let early = stale.first(where: { $0.number < first.number }),
      // Those that are as large as the whole are all.
      manifest.whole(of: series.base)?.size != series.parts.files.totalSize
    {
      throw CleaveError(
        .badData,
        early.path,
        "is in front of \(first.path.lastComponent), with which \(manifest.path.lastComponent) begins; "
          + "\(.withoutManifest) takes it in"
      )
    }
  }

  /// - Throws: as ``PartSeries/requireComplete(named:total:startsAsNamed:bounds:)``; where the manifest alone knows of
  ///   what is missing, with what does without it.
  func complete(
    _ series: PartSeries,
    named names: PathList?,
    _ told: ToldParts?,
    of operand: FilePath,
    _ request: Request
  ) throws(CleaveError) -> (series: PartSeries, stale: PartSeries.Parts) {
    let (total, bounds) = (manifest?.partCount, request.reading.bounds)
    // As `split --numeric-suffixes=1` names them.
    let lowest = names?.lazy.compactMap { series.form.digits(of: $0)?.number }.min()
    let isFromOne =
      lowest == 1 && series.form.digits.alphabet == .decimal && series.form.style.firsts == 0...0
    do throws(CleaveError) {
      var names = names
      var others: ((FilePath) -> Bool)?
      if let told, !told.all.isEmpty {
        if names?.isEmpty != false { names = PathList(self.names.lazy.map(\.lastComponent)) }
        for name in told.all.map(\.name) { names?.append(name) }
        others = { listing?.set.contains($0) == true }
      }
      if let manifest, manifest.listsAllParts, bounds == PartSeries.Bounds(), let listing {
        for name in manifest.lettersBehind(series.form) { names?.append(name) }
        others = { listing.set.contains($0) }
      }
      return try series.requireComplete(
        named: names,
        total: total,
        startsAsNamed: manifest?.isOfOneSplit == true || isFromOne,
        bounds: bounds,
        isThere: others
      )
    } catch {
      let name = operand.lastComponent
      if let link = error.missing.lazy.map(\.lastComponent).first(where: { name in
        listing?.set.contains(name) == true
          && FileStatus.isLinkToNothing(series.base.sibling(name))
      }) {
        throw error.adding("; \(link) is a link that leads nowhere")
      }
      if error.missingCount > 0, let listing,
        let original = CopyName.original(of: name, among: listing.names),
        original != series.base.lastComponent
      {
        throw error.adding(
          "; \(name) may be another copy of \(original): try \(operand.sibling(original))"
        )
      }
      if series.parts.count == 1, error.missingCount > 0,
        let fellow = listing.flatMap({ series.form.fellow(among: $0.names) })
      {
        throw error.adding(
          "; \(fellow) may be it: \(.asGiven(namesOutput: true)) joins those that are named"
        )
      }
      let known = error.missing.first { manifest?.expected(of: $0) != nil }
      let other = known == nil ? told?.list(of: error.missing) : nil
      guard let teller = other ?? manifest?.source(of: known ?? names?.last ?? name),
        error.missingCount > 0, (try? series.requireComplete(bounds: bounds)) != nil
      else { throw error }
      if let part = error.missing.first, known == nil,
        listing?.set.contains(part.lastComponent) == true
      {
        let text: Sentence = "is not in \(teller.lastComponent): \(.withoutManifest) takes it in"
        throw CleaveError(.badData, part, text)
      }
      if let place = (try? Manifest(reading: teller))?.place(ofAnyOf: error.missing) {
        let output = series.base.lastComponent
        throw error.adding(
          "; \(place) is there: name \(teller) for all parts, with \(mentioning: .output(output))"
        )
      }
      let shown = teller.directory == series.base.directory ? teller.lastComponent : teller
      throw error.adding("; only \(shown) tells of it: \(.withoutManifest) does without it")
    }
  }

  /// Parts that the manifest does not name may be left out only where it says how long the whole is:
  /// it may itself have been cut short. The operand is never left out.
  ///
  /// - Parameter series: all parts.
  func requireKnownEnd(
    _ operand: FilePath,
    of complete: PartSeries,
    in series: PartSeries,
    _ request: Request
  ) throws(CleaveError) {
    guard let manifest, let base, let first = stale.first else { return }
    let name = operand.lastComponent
    let isOperand = stale.contains { $0.lastComponent == name }
    if !isOperand, manifest.whole(of: base)?.size != nil { return }
    let count = isOperand ? 0 : stale.count - 1
    let others = count == 0 ? "" : count == 1 ? ", nor is 1 other" : ", nor are \(count) others"
    let them = count == 0 ? "it" : "them"
    let part = isOperand ? operand : first
    var text: Sentence = "is not in \(manifest.path)\(others); "
    if let bound = Self.bound(leavingOut: part, of: complete) {
      text += "\(bound) leaves \(them) out"
      // With a gap in front of it, it cannot be taken in.
      let isWhole = (try? series.requireComplete(bounds: request.reading.bounds)) != nil
      if isWhole { text += ", \(.withoutManifest) takes \(them) in" }
    } else {
      text += "\(.withoutManifest) takes \(them) in"
    }
    throw CleaveError(.badData, part, text)
  }

  /// What says that a part, which is not one of a series, is behind all that are.
  private static func bound(leavingOut part: FilePath, of series: PartSeries) -> Remedy? {
    guard let number = series.form.digits(of: part.lastComponent, folding: true)?.number,
      let last = series.parts.last?.number, number > last
    else { return nil }
    return .last(series.label(last))
  }
}
