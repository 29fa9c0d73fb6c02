package import Posix

/// From operands to what they mean.
extension Selection {
  mutating func resolve(_ operands: [FilePath], _ request: Request) throws(CleaveError) {
    guard !operands.isEmpty else {
      throw CleaveError(.contradiction, "there is nothing to merge")
    }
    for operand in operands { try Consumption.refuseRest(operand) }
    if request.isAsGiven { return try take(asGiven: operands, request) }
    try Self.refuseDescriptors(operands)
    let (files, lists) = Self.divided(operands, request)
    guard !files.isEmpty else {
      throw CleaveError(
        .missingInput,
        lists[0],
        "is a list of sums, as all others are: name one of them or a part, \(.each) merges what each is about, or "
          + "\(.asGiven(namesOutput: true)) joins the lists themselves"
      )
    }
    self.request.lists = lists
    try resolve(files: Self.withoutJoiners(files), request)
  }

  private mutating func resolve(
    files operands: [FilePath],
    _ request: Request
  ) throws(CleaveError) {
    guard operands.count == 1, let only = operands.first, only != "-" else {
      return try resolve(several: operands, request)
    }
    if let (parts, request) = Self.scattered(only, request) {
      return try resolve(several: parts, request)
    }
    try resolve(Self.part(for: only, request, in: listing), request)
  }

  /// - Throws: `.badData` where an operand is an open file by its number, as a shell's `<(…)` is: no number tells which
  ///   part that is.
  private static func refuseDescriptors(_ operands: [FilePath]) throws(CleaveError) {
    guard let path = operands.first(where: { $0.directory.lastComponent == "fd" }),
      let home = try? FileStatus.of(path.directory),
      home.identity == (try? FileStatus.of("/dev/fd"))?.identity
    else { return }
    throw CleaveError(
      .badData,
      path,
      "is an open file, and no part by its name: \(.asGiven(namesOutput: true)) joins what is given, in its order"
    )
  }

  /// The parts of a list that are in several directories, and what is asked for of them; nil of any other operand.
  static func scattered(
    _ path: FilePath,
    _ request: Request
  ) -> (parts: [FilePath], request: Request)? {
    guard request.manifest == .automatic, request.reading == PartReading(),
      (try? FileStatus.of(path))?.kind == .regular, Manifest.isManifest(at: path),
      let parts = try? Manifest(reading: path).scatteredParts
    else { return nil }
    var request = request
    request.manifest = .file(path)
    return (parts, request)
  }

  mutating func resolve(_ stands: Part, _ request: Request) throws(CleaveError) {
    if !stands.given.isEmpty { return try resolve(stands.given, request) }
    var request = request
    request.manifest = stands.manifest
    // Of a directory that may be searched, but not listed, the code that needs the list says so.
    listing =
      stands.listing ?? listing(beside: stands.path)
      ?? (try? DirectoryListing(beside: stands.path))
    for doubt in stands.doubts { evidence.suspect(.beside, doubt) }
    do throws(CleaveError) {
      if stands.isAlone {
        try take(lone: stands.path, request)
      } else {
        try resolve(one: stands.path, of: stands.series, request)
      }
    } catch {
      guard error.system?.errno == .notFound, error.path == stands.path else { throw error }
      if let told = try Self.nothing(of: stands.path, by: request.manifest) { throw told }
      let whole = PartName.wholes(of: stands.path).first(where: Self.isFile)
      if let whole, SplitZipName(stands.path.lastComponent) != nil {
        // What has the name of the whole is the last part, which tells what is missing.
        var others = self
        try others.resolve(one: whole, request)
      }
      throw whole.map { error.adding("; \($0) itself is there: \(.verifying($0))") } ?? error
    }
  }

  /// What is said where none of the parts is there that a manifest lists; nil where it lists none.
  private static func nothing(
    of part: FilePath,
    by choice: ManifestChoice
  ) throws(CleaveError) -> CleaveError? {
    let forms = PartName.readings(of: part.lastComponent).filter(\.style.isJoined)
    guard case .file(let path) = choice, let first = forms.first else { return nil }
    let base = part.sibling(first.base)
    let listed = try Manifest(reading: path, about: base).parts(of: base)
    var names = listed.indices.map { part.sibling(listed.name(at: $0).lastComponent) }.sorted()
    let decimal = forms.first { form in
      form.digits.alphabet == .decimal
        && names.allSatisfy { form.digits(of: $0.lastComponent, folding: true) != nil }
    }
    if let decimal {
      func number(_ name: FilePath) -> Int64 {
        decimal.digits(of: name.lastComponent, folding: true)?.number ?? 0
      }
      names.sort { number($0) < number($1) }
    }
    if names.isEmpty { return nil }
    let present = names.indices.filter { isFile(names[$0]) }.map(Int64.init)
    let missing = MissingParts(in: 0...Int64(names.count - 1), present: present)
    let error = missing.error(of: base) { names[Int($0)] }
    // The last part of a split zip is called as the whole is.
    if isFile(base), !names.contains(base) {
      return error?.adding("; \(base) itself is there: \(.verifying(base))")
    }
    return present.isEmpty
      ? error?.adding("; where they are elsewhere, name one, and the list with \(Setting.manifest)")
      : error
  }

  private static func isFile(_ path: FilePath) -> Bool {
    (try? FileStatus.of(path))?.kind == .regular
  }

  /// The part that an operand stands for.
  package struct Part {
    package var path: FilePath
    package var manifest: ManifestChoice
    /// The names beside it, where they are known.
    package var listing: DirectoryListing?
    /// All that were given, where the first does not stand for them, with the lists that they are compared with.
    var given: [FilePath] = []
    /// Whether it is looked at by itself, whatever series its name may be of.
    var isAlone = false
    /// The series that it is of, where that is known.
    var series: PartSeries?
    /// What may be parts of other series in the same directory, and is not taken.
    package var others: [FilePath] = []

    /// What is typed for it.
    package var operands: [FilePath] { given.isEmpty ? [path] : given }

    /// What is said of the others.
    package var doubts: [Doubt] {
      others.map { other in
        let text: Sentence =
          "may be a part of a series, too, which is not looked at: name it to do that"
        return Doubt(.seriesBeside, other, text)
      }
    }

    package init(path: FilePath, manifest: ManifestChoice, in listing: DirectoryListing? = nil) {
      (self.path, self.manifest, self.listing) = (path, manifest, listing)
    }
  }

  /// What one operand stands for: a manifest for the parts that it names, a directory for its only
  /// series.
  ///
  /// - Parameter listing: the names beside it, where they are known.
  /// - Throws: `.missingInput` where a directory or a manifest has no parts, `.badData` where either has
  ///   several series; the error of reading either.
  package static func part(
    for path: FilePath,
    _ request: Request,
    in listing: DirectoryListing? = nil
  ) throws(CleaveError) -> Part {
    let status = try CleaveError.whileReading(FileStatus.ifPresent(path))
    let listing = listing?.ifOf(path.directory)
    let choice = request.manifest
    switch status?.kind {
    case .directory?:
      return try onlyPart(in: SeriesDirectory(path, request), request)
    case .regular?
    where [.automatic, .none, .file(path)].contains(choice)
      && Manifest.isManifest(at: path, in: listing):
      // It says what to merge in any case.
      let choice = choice == .none ? choice : .file(path)
      let manifest = try Manifest(reading: path)
        .withMoved(among: DirectoryListing(beside: path, unless: listing).set)
      let parts = manifest.series(as: request.reading.family).parts
      if parts.count > 1, !manifest.isOfOneSplit {
        throw SeveralSeries(parts: parts).refusal(of: path) { "is about \($0), " }
      }
      if let part = try Self.partOfAbsent(manifest) {
        return Part(path: part, manifest: choice)
      }
      if let part = parts.first { return Part(path: part, manifest: choice) }
      return Part(path: try Self.part(in: manifest), manifest: choice)
    case .regular?
    where choice != .none && request.reading.family == nil
      && isForeign(path, beside: listing?.set):
      // Says what it is.
      _ = try Manifest(reading: path)
      return Part(path: path, manifest: choice)
    case .regular? where [.automatic, .none].contains(choice):
      guard let metadata = Manifest.rcloneMetadata(path), let part = try metadata.partsFound().first
      else { return Part(path: path, manifest: choice) }
      return Part(path: part, manifest: choice == .none ? choice : .file(path))
    default: return Part(path: path, manifest: choice)
    }
  }

  private static func onlyPart(
    in directory: SeriesDirectory,
    _ request: Request
  ) throws(CleaveError) -> Part {
    let (path, series): (FilePath, PartSeries?)
    do throws(CleaveError) {
      (path, series) = try directory.onlyPart()
    } catch {
      guard [.missingInput, .badData].contains(error.kind), request.manifest == .automatic,
        let list = Self.onlyList(in: directory.listing)
      else { throw error }
      // Parts that are counted in digits and letters may seem to be of two series.
      let parts = error.kind == .badData ? (try? directory.allParts()) ?? [] : []
      guard parts.allSatisfy({ list.entries.contains(named: $0.lastComponent) }) else {
        throw error
      }
      return try part(for: list.path, request)
    }
    var part = Part(path: path, manifest: request.manifest, in: directory.listing)
    part.others = directory.likelyParts().filter { other in
      series.map { !$0.hasPart(called: other.lastComponent) } ?? (other != path)
    }
    part.series = request.reading == PartReading() && request.format != .raw ? series : nil
    return part
  }

  /// A manifest in a directory that split wrote of parts which are there; nil where others are about other parts.
  private static func onlyList(in listing: DirectoryListing) -> Manifest? {
    let lists = Manifest.all(in: listing).compactMap { try? Manifest(reading: $0) }
      .filter { manifest in
        let entries = manifest.entries
        return manifest.isOfOneSplit
          && entries.indices.contains { listing.set.contains(entries.name(at: $0)) }
      }
    guard let first = lists.first, let name = first.entries.first?.name,
      lists.allSatisfy({ $0.entries.contains(named: name) })
    else { return nil }
    return first
  }

  /// A part that a manifest is about.
  private static func part(in manifest: Manifest) throws(CleaveError) -> FilePath {
    let files = manifest.files
    let part = files.first { file in
      let isPart = PartName.readings(of: file.lastComponent).contains(where: \.style.isCertain)
      return isPart || SplitZipName(file.lastComponent) != nil
    }
    let mayBePart = { (file: FilePath) in
      PartName.readings(of: file.lastComponent).allSatisfy(\.isCounted)
    }
    if let file = part ?? files.first(where: mayBePart) ?? files.first { return file }
    if let found = try manifest.partsFound().first { return found }
    let text = manifest.outsideAlone ?? "names no parts"
    throw CleaveError(.missingInput, manifest.path, Sentence(text))
  }

  /// A part of the whole that a manifest names alone, or with its parts, where that is not there.
  private static func partOfAbsent(_ manifest: Manifest) throws(CleaveError) -> FilePath? {
    if let absent = manifest.absentWholes().first { return absent.part }
    guard manifest.files.count == 1, let file = manifest.files.first,
      FileStatus.isAbsent(file)
    else { return nil }
    return try manifest.partsFound().first { $0 != file }
  }

  /// What a ``PartReading`` says of the parts of one series.
  static let reading: Sentence =
    "\(mentioning: .family(nil)), \(mentioning: .first(nil)) and \(mentioning: .last(nil))"

  private mutating func resolve(
    one path: FilePath,
    of known: PartSeries? = nil,
    _ request: Request
  ) throws(CleaveError) {
    let series = if let known { known } else { try series(of: path, request) }
    if let series { return try take(series, of: path, request) }
    guard request.reading == PartReading() else {
      throw CleaveError(
        .badData,
        path,
        "is not one part of a series, which \(Self.reading) are about"
      )
    }
    try Self.refuseWhole(path)
    if request.format != .raw { try NamingStyle.refuse(path) }
    guard let series = try SplitZipSeries.containing(path, in: listing) else {
      return try take(lone: path, request)
    }
    if try Self.isPart(path, of: series, request) { return try take(series, request) }
    try take(lone: path, beside: series.numbers.first.map(series.name), request)
  }

  /// The series that a file is in, by the names beside it; or else by those that its manifest lists, of which
  /// some are not there.
  private mutating func series(
    of path: FilePath,
    _ request: Request
  ) throws(CleaveError) -> PartSeries? {
    func containing(_ listing: DirectoryListing?) throws(CleaveError) -> PartSeries? {
      try PartSeries.containing(
        path,
        as: request.reading.family,
        in: listing,
        isRaw: request.format == .raw
      )
    }
    if let series = try containing(listing) { return series }
    guard request.reading == PartReading(), let listing = listing?.ifOf(path.directory) else {
      return nil
    }
    let manifest = try? request.manifest.manifest(beside: path, in: listing)
    self.manifest = manifest ?? self.manifest
    let name = path.lastComponent
    var absent = manifest?.absentParts(besides: name, in: listing.names) ?? PathList()
    if absent.isEmpty { absent = toldParts(besides: path) }
    // One of another name tells of parts what one under theirs would.
    let own = manifest?.wholes(with: name).map { Manifest.path(beside: $0) } ?? []
    if absent.isEmpty, own.isEmpty { return nil }
    let names = [listing.names, absent, PathList(own)].joined()
    return try containing(DirectoryListing(listing.path, names: names))
  }

  /// The parts that any lists tell of besides one in letters that is there alone, where the first is among all.
  private func toldParts(besides path: FilePath) -> PathList {
    let name = path.lastComponent
    for form in PartName.readings(of: name)
    where form.style.isJoined && form.digits.alphabet == .letters {
      let base = path.sibling(form.base)
      let told = toldParts(besides: [path], of: base, counted: form, withNext: false)
      let names = Set(told?.all.map(\.name) ?? [])
      let isBegun = form.firsts.contains { $0 == name || names.contains($0) }
      if isBegun, !names.isEmpty { return PathList(names) }
    }
    return PathList()
  }

  /// Says what to type instead of the name of the whole, which is not there yet.
  private static func refuseWhole(_ path: FilePath) throws(CleaveError) {
    guard (try? FileStatus.of(path)) == nil, let first = firstPart(of: path) else { return }
    throw CleaveError(.missingInput, path, "does not exist, but parts of it do: try \(first)")
  }

  /// The first part that is beside a whole, under the names that most programs give it.
  static func firstPart(of whole: FilePath) -> FilePath? {
    [".001", ".000", ".01", ".00", ".aa", "aa"].lazy.map(whole.adding)
      .first { (try? FileStatus.of($0))?.kind == .regular }
  }

  func listing(beside path: FilePath) -> DirectoryListing? {
    listing?.path == path.directory ? listing : nil
  }
}

extension Selection {
  /// What an operand stands for, or a part of each series where those are several.
  ///
  /// - Parameter listing: what was listed last, and is listed here.
  /// - Throws: as ``each(of:_:in:)``.
  package static func oneOrEach(
    of operand: FilePath,
    _ request: Request,
    in listing: inout DirectoryListing?
  ) throws(CleaveError) -> [Part] {
    let isDirectory = (try? FileStatus.of(operand))?.kind == .directory
    guard isDirectory else {
      listing = .beside(operand, orAgain: listing)
      guard var one = try? part(for: operand, request, in: listing) else {
        return try each(of: operand, request, in: listing)
      }
      one.listing = one.listing ?? listing?.ifOf(one.path.directory)
      return [one]
    }
    let directory = try SeriesDirectory(operand, request, after: listing)
    listing = directory.listing
    let parts = try? all(in: directory, request)
    if parts?.count ?? 0 < 2, let one = try? onlyPart(in: directory, request) { return [one] }
    if let parts { return parts }
    return try all(in: directory, request)
  }

  static func all(
    in directory: SeriesDirectory,
    _ request: Request
  ) throws(CleaveError) -> [Part] {
    var parts = try directory.allParts().map {
      Part(path: $0, manifest: request.manifest, in: directory.listing)
    }
    // Once is enough.
    if !parts.isEmpty { parts[0].others = directory.likelyParts() }
    return parts
  }
}
