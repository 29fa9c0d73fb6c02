package import Posix

/// Parts that belong together by their names.
extension Selection {
  /// - Parameter isNamed: whether several of the parts were named, which says that they are parts.
  mutating func take(
    _ series: PartSeries,
    of operand: FilePath,
    _ request: Request,
    isNamed: Bool = false
  ) throws(CleaveError) {
    (kind, isPart, base) = (.series, true, series.base)
    sources = Sources(series.parts.files)
    let meant = FilesMeant(series.base, names, counted: series.form)
    manifest = try manifest(of: meant, request)
    if request.reading == PartReading() {
      try refuseOtherReading(of: series)
      if let other = try ofListedWhole(series, request) {
        return try take(other, of: operand, request, isNamed: isNamed)
      }
    }
    evidence.note(series)
    noteLayout(beside: series.base)
    defaultOutput = Self.output(of: series, manifest)
    let names = manifest?.promisedParts(meant)
    let isKnown =
      manifest?.isOfOneSplit == true || manifest?.whole(of: series.base) != nil
      || manifest?.partCount != nil
    evidence.note(
      manifest,
      naming: names?.count ?? 0,
      isAttesting: isKnown
        || manifest.map { Manifest.isName($0.path, beside: series.base) } == true
    )
    leftOut = try series.leftOut(names, request.reading.bounds)
    if isPiece { makesWhole = false }
    let listed =
      manifest?.partCount != nil && manifest?.isOwn != true || request.reading.bounds.last != nil
      ? nil
      : toldParts(besides: series.parts.files, of: series.base, counted: series.form)
    let (complete, stale) = try self.complete(series, named: names, listed, of: operand, request)
    try Self.refuseLaterVolume(complete)
    try refuseRest(behind: complete)
    if request.reading.bounds.last == nil, names?.isEmpty ?? true, manifest?.partCount == nil {
      try Self.refuseOnly(complete)
    }
    if request.reading.bounds.last == nil, request.reading.family == nil, !isKnown {
      try refuseSister(complete)
      try Self.refuseLink(complete)
    }
    evidence.note(complete: complete)
    try requireNoneInFront(of: complete, stale, operand, request)
    self.stale = Array(stale.files.paths)
    let files = complete.parts.files
    sources = Sources(files)
    try checkFit(request.manifest)
    try requireKnownEnd(operand, of: complete, in: series, request)
    lookForFirst(of: complete, request)
    for path in self.stale {
      evidence.suspect(.parts, Doubt(.leftOver, path, "left over from a longer series; not merged"))
    }
    let whole = manifest?.whole(of: series.base)
    if request.format != .raw {
      // One for all that is looked at, so that no part is opened again and again.
      let parts = try JoinedBytes(files)
      // What was split shall be the same again, whatever it is.
      let isListed = names?.isEmpty == false
      let foreign =
        whole == nil
        ? try ForeignContent(of: parts, base: series.base) { [manifest] part in
          manifest?.expected(of: part) != nil
        } : nil
      try foreign?.refuse()
      try lookInside(parts, request.format)
      var examination = SeriesExamination(
        complete,
        parts,
        request.reading,
        isListed: isListed && manifest?.listsAllParts == true,
        isNamed: isNamed,
        total: manifest?.partCount,
        whole,
        foreign?.heads,
        leavesOutHeader: request.headerRecords != nil || layout?.header ?? 0 > 0,
        beside: listing?.names
      )
      examination.haveSums = manifest?.covers(self.names, makesWhole: false, of: nil) == true
      let uncounted = archive?.uncounted ?? 0
      if uncounted > 0, !examination.isFirstKnown {
        try refuseStray(uncounted, in: complete, parts.layout)
      }
      try examination.run(zip: told, uncounted: uncounted, &evidence)
      try parts.close()
    } else if SizePattern(Array(files.sizes)) == .shorterLast || names?.isEmpty == false {
      evidence.knowEnd()
    }
    noteForeignLists()
    try checkSize()
  }

  /// Parts of something else in front of a zip, or bytes in front of its first one.
  private func refuseStray(
    _ count: Int64,
    in series: PartSeries,
    _ layout: PartLayout
  ) throws(CleaveError) {
    guard let text = try archive?.strayInFront(count, in: layout) else { return }
    let next = layout.boundary(at: count).map { series.label(series.parts[$0].number) }
    let way: Sentence = next.map { "\(.first($0)) leaves it out, " } ?? ""
    throw CleaveError(
      .badData,
      layout.paths[0],
      "\(text): \(way)\(.format(.raw)) joins the bytes"
    )
  }

  /// Receivers of television call the first part `NAME`, and those behind it `NAME.001` and so on. A whole
  /// has more bytes than its first part, and a copy of that, or a whole that was not completed, begins like
  /// it.
  private mutating func lookForFirst(of series: PartSeries, _ request: Request) {
    guard let first = series.parts.first, first.number == 1, request.reading.bounds.first == nil,
      manifest?.whole(of: series.base) == nil, series.form.tail.bytes.isEmpty,
      series.form.head == series.base.lastComponent.adding("."),
      first.size >= Self.leastRecorded || series.parts.count == 1,
      let status = (try? FileStatus.ifPresent(series.base)) ?? nil, status.kind == .regular,
      // The last one may have fewer.
      series.parts.contains(where: { $0.number > 1 && $0.size > 0 })
        ? status.size == first.size : status.size >= first.size,
      (try? Self.head(of: series.base, status)) != (try? Self.head(of: first.path, first.status))
    else { return }
    let size = status.size == first.size ? "as many bytes as" : "more bytes than"
    let text: Sentence =
      "has \(size) \(first.path.lastComponent), and may be the part in front of it: "
      + "\(.asGiven(namesOutput: true)) joins those that are named, if it is named first, "
      + "\(.first("1")) leaves it out"
    evidence.suspect(.parts, Doubt(.operandGap, series.base, text))
  }

  static func head(
    of path: FilePath,
    _ status: FileStatus
  ) throws(CleaveError) -> [UInt8] {
    let file = try JoinedBytes([SourceFile(path: path, status: status)])
    let head = try file.bytes(Int(min(status.size, Int64(FileFormat.headSize))), at: 0) ?? []
    try file.close()
    return head
  }

  /// Bytes of a part that hardly has as many as another file by chance; nobody measured it.
  private static let leastRecorded: Int64 = 512

  /// A manifest that has been damaged may begin with a later part.
  ///
  /// - Throws: `.missingInput` where the operand is in front of the first part, and not there; `.badData` where another
  ///   part is.
  private func requireNoneInFront(
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
      (try? FileStatus.ifPresent(operand)) == .some(nil)
    {
      throw CleaveError(
        .missingInput,
        operand,
        "does not exist, and \(manifest.path.lastComponent) begins with \(first.path.lastComponent)"
      )
    }
    if let early = stale.first(where: { $0.number < first.number }) {
      throw CleaveError(
        .badData,
        early.path,
        "is in front of \(first.path.lastComponent), with which \(manifest.path.lastComponent) begins; "
          + "\(.withoutManifest) takes it in"
      )
    }
  }

  /// - Throws: `.missingInput` for `NAME.r00` with the volume in front of it, which has no number.
  private static func refuseLaterVolume(_ series: PartSeries) throws(CleaveError) {
    guard series.family == .foreign, series.form.tail.bytes.isEmpty,
      let first = series.parts.first?.path
    else { return }
    let volume = series.base.adding(".rar")
    guard (try? FileStatus.ifPresent(volume)) ?? nil != nil else { return }
    throw CleaveError(
      .missingInput,
      volume,
      "is in front of \(first.lastComponent), and has no number: \(CleaveError.reordering)"
    )
  }

  /// - Throws: as ``PartSeries/requireComplete(named:total:startsAsNamed:bounds:)``; where the manifest alone knows of
  ///   what is missing, with what does without it.
  private func complete(
    _ series: PartSeries,
    named names: PathList?,
    _ told: ToldParts?,
    of operand: FilePath,
    _ request: Request
  ) throws(CleaveError) -> (series: PartSeries, stale: PartSeries.Parts) {
    let (total, bounds) = (manifest?.partCount, request.reading.bounds)
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
        startsAsNamed: manifest?.isOfOneSplit == true,
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

  /// - Throws: `.cannotCreate` where both the name that cleave's own manifest records and the one that the
  ///   parts share are there, so that nobody knows which is to be replaced.
  package func requireOneOutput() throws(CleaveError) {
    guard let manifest, manifest.isOwn, let output = defaultOutput, let name = manifest.whole?.name,
      name != output.lastComponent, (try? FileStatus.of(output, followingLinks: false)) != nil
    else { return }
    throw CleaveError(
      .cannotCreate,
      output,
      "exists, and so does \(name), as \(manifest.path.lastComponent) calls it: \(.output(nil)) says "
        + "which to replace"
    )
  }

  /// The name that the parts share; but Total Commander leaves out the end of it, which its manifest
  /// has, and of rclone's chunks the manifest itself is called so. cleave's own tells what the file was
  /// called that was split, which is taken where nothing else is there.
  private static func output(of series: PartSeries, _ manifest: Manifest?) -> FilePath? {
    if manifest?.path == series.base { return nil }
    if let manifest, let name = manifest.whole?.name,
      !series.form.namesWhole || Manifest.Format(of: manifest.path) == .crc
    {
      return series.base.sibling(name)
    }
    if let manifest, manifest.isOwn, let name = manifest.whole?.name,
      // A manifest that came with the parts makes no hidden file.
      name.bytes.first != UInt8(ascii: ".")
        || series.base.lastComponent.bytes.first == name.bytes.first,
      (try? FileStatus.ifPresent(series.base.sibling(name), followingLinks: false)) == .some(nil)
    {
      return series.base.sibling(name)
    }
    // By itself the dash stands for standard output.
    if series.base == "-" { return "./-" }
    return series.form.namesWhole ? series.base : nil
  }

  /// Parts that the manifest does not name may be left out only where it says how long the whole is:
  /// it may itself have been cut short. The operand is never left out.
  ///
  /// - Parameter series: all parts.
  private func requireKnownEnd(
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

  /// - Throws: `.badData` where the name of the output promises what the bytes do not begin like, and
  ///   nothing else tells of them; the error of reading.
  package func checkStart(of output: FilePath) throws(CleaveError) {
    // Under another name, what the parts' own promises.
    let names = [output] + (isPart && makesWhole && !isPiece ? [base].compactMap(\.self) : [])
    guard !isToldWhole, !kind.isZip, let files, files.totalSize > 0,
      let (name, format) = names.lazy.compactMap({ name in
        FileFormat.packed(by: name).map { (name, $0) }
      })
      .first
    else { return }
    let parts = try JoinedBytes(files)
    let head = try parts.bytes(Int(min(Int64(FileFormat.headSize), parts.count)), at: 0) ?? []
    var isEmptyTar = false
    if format.kind == .tar, head.first == 0, parts.count <= Self.largestEmptyTar {
      isEmptyTar = try parts.bytes(Int(parts.count), at: 0)?.allSatisfy { $0 == 0 } == true
    }
    try parts.close()
    let mayBegin =
      switch format.kind {
      case .zip: FileFormat.begun(by: head)?.kind.mayHoldZip ?? false
      case .tar: isEmptyTar
      default: false
      }
    if format.begins(head) || mayBegin { return }
    throw CleaveError(
      .badData,
      name,
      "what the parts make does not begin like \(format.name), so that they are others or in the wrong "
        + "order; \(.format(.raw)) joins them all the same"
    )
  }

  /// One without files is nothing but zeros; so many blocks are the most that tar pads to with usual options.
  private static let largestEmptyTar: Int64 = 1 << 20

  /// Another series that the same parts are read as: `dataaa` and those behind it are parts of `dat` or of `data`,
  /// `v1.000` and so on of `v1` or of `v1.0`.
  ///
  /// - Returns: that of a whole which is none of them and ends in the first digits of their numbers, and of which a list
  ///   has the sum; nil where none has, or one has the sum of the whole that the series makes.
  /// - Throws: `.badData` where the parts are not read so.
  private func ofListedWhole(
    _ series: PartSeries,
    _ request: Request
  ) throws(CleaveError) -> PartSeries? {
    guard request.manifest != .none, manifest?.whole(of: series.base) == nil,
      let first = series.parts.first?.path,
      series.parts.count > 1
    else { return nil }
    let names = series.parts.files.paths.lazy.map(\.lastComponent.bytes)
    let (head, tail) = (series.form.head.bytes, series.form.tail.bytes)
    for count in 1..<max(1, series.form.width) {
      let start = first.lastComponent.bytes.prefix(head.count + count)
      // Of most, the last one tells.
      guard names.last?.starts(with: start) == true, names.allSatisfy({ $0.starts(with: start) })
      else { return nil }
      let base = first.sibling(FilePath(bytes: start + tail))
      guard request.manifest != .automatic || hasList(naming: base),
        let list = try? manifest(of: FilesMeant(base, self.names), request),
        list.whole(named: base)?.canProve == true,
        !names.contains(base.lastComponent.bytes), !isListedPart(base, of: series)
      else { continue }
      if let other = try PartSeries.containing(first, for: base, in: listing),
        other.parts.count >= series.parts.count
      {
        return other
      }
      throw CleaveError(
        .badData,
        first,
        "may be a part of \(base.lastComponent), of which \(list.name) has the sum, or of "
          + "\(series.base.lastComponent): \(.withoutManifest) takes it for one of the latter"
      )
    }
    return nil
  }

  /// Whether the list that has all parts of a series has another name as that of one, too, and of those next to it.
  private func isListedPart(_ name: FilePath, of series: PartSeries) -> Bool {
    guard let manifest, manifest.covers(names, makesWhole: false, of: nil) else { return false }
    return PartName.readings(of: name.lastComponent, for: series.base.lastComponent)
      .contains { $0.neighbours.contains { manifest.expected(of: $0) != nil } }
  }

  /// - Throws: `.badData` where the only part is also one of another whole, and the manifest knows others of
  ///   that: `disk.part1.img.chunk001` is not all of `disk.img.chunk001`.
  private func refuseOtherReading(of series: PartSeries) throws(CleaveError) {
    guard let manifest, series.parts.count == 1, let part = series.parts.first else { return }
    let name = part.path.lastComponent
    for reading in PartName.readings(of: name) where reading.base != series.base.lastComponent {
      let neighbours = reading.neighbours
      let other = manifest.entries.lazy.map(\.name).first { other in
        other != name && series.form.digits(of: other) == nil
          && (reading.style.isCertain
            ? reading.digits(of: other) != nil : neighbours.contains(other))
      }
      guard let other else { continue }
      throw CleaveError(
        .badData,
        part.path,
        "is also a part of \(reading.base), as \(other) is, which \(manifest.path) names: "
          + "\(.family(reading.family)) reads it so, \(.family(series.family)) as the only one of "
          + "\(series.base.lastComponent)"
      )
    }
  }
}
