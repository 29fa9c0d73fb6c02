internal import Posix

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
    try takeGiven(about: meant)
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
    if let digits = series.form.digits(of: operand.lastComponent, folding: true),
      !complete.parts.numbers.contains(digits.number), !operand.isRemote,
      FileStatus.isAbsent(operand)
    {
      let text: Sentence = "does not exist, and \(series.base.lastComponent) has no such part"
      throw CleaveError(.missingInput, operand, text)
    }
    try requireKnownEnd(operand, of: complete, in: series, request)
    lookForFirst(of: complete, request)
    for path in self.stale {
      evidence.suspect(.parts, Doubt(.leftOver, path, "left over from a longer series; not merged"))
    }
    noteUnfinished(complete.joiningAll)
    let whole = manifest?.whole(of: series.base)
    // One for all that is looked at, so that no part is opened again and again.
    let parts = try JoinedBytes(files)
    let isRaw = request.format == .raw
    // What was split shall be the same again, whatever it is.
    let foreign =
      isRaw || whole != nil
      ? nil
      : try ForeignContent(of: parts, base: series.base) { [manifest] part in
        manifest?.expected(of: part) != nil
      }
    try foreign?.refuse()
    if !isRaw { try lookInside(parts, request.format) }
    var examination = SeriesExamination(
      complete,
      parts,
      request.reading,
      isListed: names?.isEmpty == false && manifest?.listsAllParts == true,
      isNamed: isNamed,
      total: manifest?.partCount,
      whole,
      foreign?.heads,
      leavesOutHeader: request.headerRecords != nil || layout?.header ?? 0 > 0,
      beside: listing?.names
    )
    examination.manifest = manifest
    examination.haveSums = manifest?.covers(self.names, makesWhole: false, of: nil) == true
    let uncounted = archive?.uncounted ?? 0
    if uncounted > 0, !examination.isFirstKnown {
      try refuseStray(uncounted, in: complete, parts.layout)
    }
    if isRaw {
      examination.runByNames(&evidence)
    } else {
      try examination.run(zip: told, uncounted: uncounted, &evidence)
    }
    try parts.close()
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
      let status = try? FileStatus.of(series.base), status.kind == .regular,
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

  /// - Throws: `.missingInput` for `NAME.r00` with the volume in front of it, which has no number.
  private static func refuseLaterVolume(_ series: PartSeries) throws(CleaveError) {
    guard series.family == .foreign, series.form.tail.bytes.isEmpty,
      let first = series.parts.first?.path
    else { return }
    let volume = series.base.adding(".rar")
    guard (try? FileStatus.of(volume)) != nil else { return }
    throw CleaveError(
      .missingInput,
      volume,
      "is in front of \(first.lastComponent), and has no number: \(CleaveError.reordering)"
    )
  }
}
