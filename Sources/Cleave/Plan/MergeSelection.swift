public import Posix

/// Which manifest a job is checked against.
public enum ManifestChoice: Hashable, Sendable {
  /// The one beside the parts, if there is one.
  case automatic
  case none
  case file(FilePath)
}

/// What a merge's operands mean: which parts in which order, and what is known of them.
public struct MergeSelection: Sendable {
  public let sources: [StreamJob.Source]
  /// The name that the parts share, which is the output's unless another is given.
  public let base: FilePath?
  public let manifest: Manifest?
  /// Parts that a longer series left behind; not merged.
  public let stale: [FilePath]
  /// The name for the output where none is given, if there is one. The last part of a split zip has
  /// the name that would be expected.
  package let defaultOutput: FilePath?
  /// Whether what a manifest says of the whole is said of what merging makes.
  package let makesWhole: Bool
  /// What the parts hold.
  package let content: Content
  /// Why the parts may not hold what they seem to, although a manifest vouches for them.
  package let doubt: CleaveError?

  /// What parts hold, as far as it matters for putting them together.
  package enum Content: Sendable {
    case bytes
    /// A zip that was cut anywhere, and has been found to be whole.
    case zip(ZipArchive)
    case splitZip(SplitZip)
    /// What a journal says of parts that may be gone.
    case recorded(Journal.Content)

    package var archive: ZipArchive? {
      switch self {
      case .bytes, .recorded: nil
      case .zip(let archive): archive
      case .splitZip(let zip): zip.archive
      }
    }

    /// What was found in a zip, which is whole; nil for other contents.
    var told: String? {
      switch self {
      case .bytes, .recorded: nil
      case .zip(let archive): "a whole zip, with \(archive.summary.entries) entries"
      case .splitZip(let zip):
        "a whole \(zip.isRaw ? "zip" : "split zip"), with \(zip.archive.summary.entries) entries"
      }
    }
  }

  /// Why the parts are taken for those of one whole.
  public let evidence: Evidence

  /// Any one part stands for its whole series, and so do a manifest that names the parts and a
  /// directory with no other series in it; several operands are taken as they come, and `-` among them
  /// is standard input.
  ///
  /// Parts that hold a zip are looked into before anything is written, and those of a split zip are
  /// taken in the order of their disks, however they are given.
  ///
  /// - Parameter reading: what the user says of names that could mean several things.
  /// - Throws: `.missingInput` where parts are missing, all of which are named; `.badData` where a
  ///   manifest or what is inside contradicts the operands, or they do not make a whole zip.
  public init(
    _ operands: [FilePath],
    manifest choice: ManifestChoice,
    format: PartFormat = .auto,
    reading: PartReading = PartReading()
  ) throws(CleaveError) {
    var evidence = Evidence()
    try self.init(operands, choice, format, reading, &evidence)
  }

  /// The same; what was found until an error is left in `evidence`.
  package init(
    _ operands: [FilePath],
    _ choice: ManifestChoice,
    _ format: PartFormat,
    _ reading: PartReading,
    _ evidence: inout Evidence
  ) throws(CleaveError) {
    let given = try OperandMeaning(operands, choice, reading.family)
    let (operands, choice) = (given.operands, given.choice)
    let only = operands.count == 1 && operands != ["-"] ? operands.first : nil
    if let only, let series = try PartSeries.containing(only, as: reading.family) {
      try self.init(series, of: only, choice, format, reading, &evidence)
      return
    }
    guard reading == PartReading() else {
      throw CleaveError(
        .badData,
        operands[0],
        "is not one part of a series, which --as, --first and --last are about"
      )
    }
    if let only { try Self.refuseWhole(only) }
    if format != .raw { for operand in operands { try NamingStyle.refuse(operand) } }
    if let series = try Self.splitZip(operands, format) {
      try self.init(series, choice, format, &evidence)
      return
    }
    try self.init(explicit: operands, choice, format, &evidence)
  }

  /// The parts of a job that is gone on with.
  ///
  /// - Parameters:
  ///   - plan: the journal's.
  ///   - isRaw: whether the parts of a split zip are joined as bytes.
  /// - Throws: what reading the manifest reports.
  package init(
    goingOn plan: TransferPlan,
    _ content: Journal.Content?,
    manifest choice: ManifestChoice,
    isRaw: Bool
  ) throws(CleaveError) {
    let paths = plan.sources.map(\.path)
    let first = Self.base(of: paths)
    let isRewritten = content?.isRewritten ?? false
    sources = plan.sources.map { .file($0) }
    base = first
    manifest = try choice.manifest(beside: isRewritten ? paths.last : first)
    (stale, doubt) = ([], nil)
    defaultOutput = plan.destinations.first?.path
    makesWhole = !(isRaw && paths.contains { SplitZipName($0.lastComponent) != nil })
    self.content = content.map { .recorded($0) } ?? .bytes
    evidence = Evidence()
  }

  /// The names that the output of some operands may have where none is given, whether they are there
  /// or not.
  package static func outputs(of operand: FilePath) -> [FilePath] {
    let suffix = Consumption.restSuffix
    let isRest = operand.ends(in: suffix)
    let path = isRest ? FilePath(bytes: operand.bytes.dropLast(suffix.utf8.count)) : operand
    let zip = SplitZipSeries.naming(path)
    return PartName.wholes(of: path)
      + [zip?.whole(".merged"), zip?.whole(".joined")].compactMap { $0 }
  }

  private static func splitZip(
    _ operands: [FilePath],
    _ format: PartFormat
  ) throws(CleaveError) -> SplitZipSeries? {
    // Several are joined as bytes in the order given.
    if operands.count > 1 {
      if format == .raw { return nil }
      if let series = SplitZipSeries.of(operands) { return series }
      let series = SplitZipSeries.of(operands.filter { !Manifest.isName($0) })
      guard let base = series?.lastName else { return nil }
      let manifests = operands.filter { Manifest.isName($0) }
      return manifests.allSatisfy { Manifest.isName($0, beside: base) } ? series : nil
    }
    let series = try SplitZipSeries.containing(operands[0])
    return format == .raw && series?.numbered.isEmpty == true ? nil : series
  }

  /// Says what to type instead of the name of the whole, which is not there yet.
  private static func refuseWhole(_ path: FilePath) throws(CleaveError) {
    let first = path.adding(".001")
    guard (try? FileStatus.ifPresent(path)) == nil, (try? FileStatus.ifPresent(first)) != nil else {
      return
    }
    throw CleaveError(.missingInput, path, "does not exist, but parts of it do: try \(first)")
  }

  private init(
    _ series: PartSeries,
    of operand: FilePath,
    _ choice: ManifestChoice,
    _ format: PartFormat,
    _ reading: PartReading,
    _ evidence: inout Evidence
  ) throws(CleaveError) {
    evidence.note(series)
    manifest = try choice.manifest(beside: series.base)
    let names = manifest?.parts(of: series.base).map(\.name)
    evidence.note(manifest, naming: names ?? [])
    let (complete, stale) = try series.requireComplete(
      named: names,
      total: manifest?.partCount,
      bounds: reading.bounds
    )
    evidence.note(complete, stale: stale)
    base = series.base
    defaultOutput = Self.output(of: series, manifest)
    makesWhole = true
    self.stale = stale.map(\.path)
    let files = complete.parts.map { SourceFile(path: $0.path, status: $0.status) }
    sources = files.map { .file($0) }
    let whole = manifest?.whole(of: series.base)
    // What was split shall be the same again, whatever it is.
    if format != .raw, whole == nil {
      try ForeignContent(sources: files, base: series.base).refuse()
    }
    (content, doubt) = try Self.content(sources, series.base, manifest, format)
    if format != .raw {
      var examination = SeriesExamination(
        complete,
        try ZipParts(files),
        reading,
        isListed: names?.isEmpty == false,
        total: manifest?.partCount,
        whole
      )
      try examination.run(zip: content.told, &evidence)
    } else if SizePattern(complete.parts.map(\.size)) == .shorterLast || names?.isEmpty == false {
      evidence.knowEnd()
    }
    self.evidence = evidence
    try requireKnownEnd(operand)
    try checkSize()
  }

  /// The name that the parts share; but Total Commander leaves out the end of it, which its manifest
  /// has, and of rclone's chunks the manifest itself is called so.
  private static func output(of series: PartSeries, _ manifest: Manifest?) -> FilePath? {
    if manifest?.path == series.base { return nil }
    if let manifest, let name = manifest.whole?.name,
      !series.form.namesWhole || Manifest.Format(of: manifest.path) == .crc
    {
      return series.base.sibling(name)
    }
    // By itself the dash stands for standard output.
    if series.base == "-" { return "./-" }
    return series.form.namesWhole ? series.base : nil
  }

  private init(
    _ series: SplitZipSeries,
    _ choice: ManifestChoice,
    _ format: PartFormat,
    _ evidence: inout Evidence
  ) throws(CleaveError) {
    evidence.note(series)
    manifest = try choice.manifest(beside: series.lastName)
    evidence.note(manifest, naming: [])
    base = nil
    doubt = nil
    makesWhole = format != .raw
    defaultOutput = series.whole(format == .raw ? ".joined" : ".merged")
    if format == .raw {
      (content, stale) = (.bytes, [])
      sources = try Self.examine(series.complete())
    } else {
      let zip = try SplitZip(series)
      evidence.knowEnd()
      (content, stale) = (.splitZip(zip), zip.stale)
      sources = zip.sources.map { .file($0) }
    }
    evidence.note(content, of: sources.count)
    evidence.note(series.strays, of: series.lastName)
    self.evidence = evidence
  }

  private init(
    explicit operands: [FilePath],
    _ choice: ManifestChoice,
    _ format: PartFormat,
    _ evidence: inout Evidence
  ) throws(CleaveError) {
    let operands = Self.withoutManifest(operands, choice)
    let common = Self.base(of: operands)
    base = common
    defaultOutput = base
    makesWhole = true
    let first = common ?? operands.first.flatMap { Self.base(of: [$0]) }
    manifest = try choice.manifest(beside: first)
    stale = []
    sources = try Self.examine(operands)
    if let manifest, let first { try Self.check(operands, against: manifest, of: first) }
    evidence.note(manifest, naming: [])
    (content, doubt) = try Self.content(sources, base, manifest, format)
    if format != .raw, case .bytes = content, manifest == nil, let files = Self.files(sources) {
      _ = try ContentEnd(of: ZipParts(files), in: nil)
    }
    evidence.note(content, of: sources.count)
    if format == .auto, manifest == nil, case .bytes = content {
      Self.noteOrder(operands, &evidence)
    }
    self.evidence = evidence
    try checkSize()
  }

  /// What the parts hold, of which `base` is the common name, if they have one.
  private static func content(
    _ sources: [StreamJob.Source],
    _ base: FilePath?,
    _ manifest: Manifest?,
    _ format: PartFormat
  ) throws(CleaveError) -> (Content, CleaveError?) {
    let files = sources.compactMap(\.file)
    guard format != .raw, files.count == sources.count else { return (.bytes, nil) }
    do throws(CleaveError) {
      return (try content(files, base, format), nil)
    } catch {
      // What was no whole zip when it was split shall be the same again.
      guard error.kind == .badData || error.kind == .missingInput, error.system == nil,
        format == .auto, manifest?.whole(of: base) != nil
      else { throw error }
      return (.bytes, error)
    }
  }

  private static func content(
    _ files: [SourceFile],
    _ base: FilePath?,
    _ format: PartFormat
  ) throws(CleaveError) -> Content {
    // Under names that tell nothing, any of them may be a part of a zip.
    let isZipName = base.map { SplitZipName($0.lastComponent)?.place == .last } ?? true
    // As cat does: a whole zip is no part of another.
    if base == nil, let first = files.first, format == .auto, try ZipArchive.isWhole(first) {
      return .bytes
    }
    switch try ZipArchive.held(by: files, mayBeAnywhere: isZipName) {
    case .zip(let archive): return .zip(archive)
    case .splitZip(let zip): return .splitZip(zip)
    case nil:
      guard format == .zip, let first = files.first else { return .bytes }
      throw CleaveError(.badData, first.path, "is not the start of a zip")
    }
  }

  /// The sources as files, or nil where standard input is among them.
  public var files: [SourceFile]? { Self.files(sources) }

  private static func files(_ sources: [StreamJob.Source]) -> [SourceFile]? {
    let files = sources.compactMap(\.file)
    return files.count == sources.count ? files : nil
  }
}

/// How parts are looked at.
public enum PartFormat: String, CaseIterable, Sendable {
  /// By what their names and contents tell.
  case auto
  /// As bytes, whatever they hold.
  case raw
  /// As those of a zip.
  case zip
}

extension StreamJob.Source {
  var file: SourceFile? {
    if case .file(let file) = self { file } else { nil }
  }
}

extension ManifestChoice {
  /// The manifest to check the parts of `base` against.
  public func manifest(beside base: FilePath?) throws(CleaveError) -> Manifest? {
    switch self {
    case .none: return nil
    case .file(let path): return try Manifest(reading: path)
    case .automatic:
      guard let base else { return nil }
      return try Manifest.beside(base)
    }
  }
}

extension [SourceFile] {
  /// Bytes of all files together; sizes that are too large for a sum make the largest number.
  package var totalSize: Int64 {
    reduce(0) { total, file in
      let (sum, overflow) = total.addingReportingOverflow(file.status.size)
      return overflow ? .max : sum
    }
  }
}
