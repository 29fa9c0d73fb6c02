package import Posix

/// From operands to what they mean.
extension Selection {
  mutating func resolve(_ operands: [FilePath], _ request: Request) throws(CleaveError) {
    for operand in operands { try Consumption.refuseRest(operand) }
    if request.isAsGiven { return try take(asGiven: operands, request) }
    let operands = Self.withoutManifest(operands)
    guard operands.count == 1, let only = operands.first, only != "-" else {
      return try resolve(several: operands, request)
    }
    let stands = try Self.part(for: only, request)
    var request = request
    request.manifest = stands.manifest
    // Of a directory that may be searched, but not listed, whoever needs the list says so.
    listing = stands.listing ?? (try? DirectoryListing(beside: stands.path))
    try resolve(one: stands.path, request)
  }

  /// The part that an operand stands for.
  package struct Part {
    package var path: FilePath
    package var manifest: ManifestChoice
    /// The names beside it, where they are known.
    var listing: DirectoryListing?
  }

  /// What one operand stands for: a manifest for the parts that it names, a directory for its only
  /// series.
  ///
  /// - Throws: `.missingInput` where a directory or a manifest has no parts, `.badData` for a directory
  ///   with several series; the error of reading either.
  package static func part(
    for path: FilePath,
    _ request: Request
  ) throws(CleaveError) -> Part {
    let status: FileStatus?
    do { status = try FileStatus.ifPresent(path) } catch { throw .reading(error) }
    let choice = request.manifest
    switch status?.kind {
    case .directory?:
      let listing = try DirectoryListing(of: path)
      let part = try SeriesDirectory(listing).onlyPart(as: request.reading.family)
      return Part(path: part, manifest: choice, listing: listing)
    case .regular? where choice == .automatic && Manifest.isManifest(at: path):
      return Part(path: try Self.part(in: Manifest(reading: path)), manifest: .file(path))
    case .regular? where choice == .automatic:
      guard let metadata = Manifest.rcloneMetadata(path), let part = try metadata.partsFound.first
      else { return Part(path: path, manifest: choice) }
      return Part(path: part, manifest: .file(path))
    default: return Part(path: path, manifest: choice)
    }
  }

  /// A part that a manifest is about.
  private static func part(in manifest: Manifest) throws(CleaveError) -> FilePath {
    let files = manifest.entries.map { manifest.file($0) }
    for file in files {
      let isPart = PartName.readings(of: file.lastComponent).contains(where: \.style.isCertain)
      if isPart || SplitZipName(file.lastComponent) != nil { return file }
    }
    if let first = files.first { return first }
    guard let first = try manifest.partsFound.first else {
      throw CleaveError(.missingInput, manifest.path, "names no parts")
    }
    return first
  }

  private mutating func resolve(
    one path: FilePath,
    _ request: Request
  ) throws(CleaveError) {
    if let series = try PartSeries.containing(path, as: request.reading.family, in: listing) {
      return try take(series, of: path, request)
    }
    guard request.reading == PartReading() else {
      throw CleaveError(
        .badData,
        path,
        "is not one part of a series, which --as, --first and --last are about"
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

  /// Says what to type instead of the name of the whole, which is not there yet.
  private static func refuseWhole(_ path: FilePath) throws(CleaveError) {
    let first = path.adding(".001")
    guard (try? FileStatus.ifPresent(path)) == nil, (try? FileStatus.ifPresent(first)) != nil else {
      return
    }
    throw CleaveError(.missingInput, path, "does not exist, but parts of it do: try \(first)")
  }

  // MARK: Several

  private mutating func resolve(
    several given: [FilePath],
    _ request: Request
  ) throws(CleaveError) {
    guard !given.contains("-") else { return try take(explicit: given, request) }
    let operands = Self.inOneSpelling(given)
    if request.format != .raw {
      if let series = SplitZipSeries.of(operands) { return try take(series, request) }
      for operand in operands { try NamingStyle.refuse(operand) }
    }
    listing = operands.first.flatMap { try? DirectoryListing(beside: $0) }
    if let series = try series(of: operands, request.reading) {
      return try take(series, ofAll: operands, request)
    }
    guard request.reading == PartReading() else {
      throw CleaveError(
        .badData,
        operands[0],
        "is not of one series with the others, which --as, --first and --last are about"
      )
    }
    try take(explicit: operands, request)
  }

  /// The series in one directory that all operands are parts of; nil where they are others.
  private func series(
    of operands: [FilePath],
    _ reading: PartReading
  ) throws(CleaveError) -> PartSeries? {
    guard let first = operands.first,
      operands.allSatisfy({ first.sibling($0.lastComponent) == $0 }),
      let series = try PartSeries.containing(first, as: reading.family, in: listing)
    else { return nil }
    let numbers = operands.compactMap {
      series.form.digits(of: $0.lastComponent, folding: true)?.number
    }
    return numbers.count == operands.count ? series : nil
  }

  /// - Throws: `.missingInput` where some operands are parts of one series, and others are none.
  private func refuseOdd(_ operands: [FilePath]) throws(CleaveError) {
    for operand in Array(operands.prefix(Self.mostAsked)) + operands.suffix(1) {
      guard operand != "-",
        let series = (try? PartSeries.containing(operand, in: listing(beside: operand))) ?? nil
      else { continue }
      let isPart = { (path: FilePath) in
        path != "-" && series.form.digits(of: path.lastComponent, folding: true) != nil
      }
      guard operands.count(where: isPart) > 1, let odd = operands.first(where: { !isPart($0) }),
        odd != "-"
      else { continue }
      throw CleaveError(
        .missingInput,
        odd,
        "is no part of \(series.base.lastComponent), which other operands are parts of: --as-given joins "
          + "all of them in this order"
      )
    }
  }

  /// Operands that are asked what they belong to, where not all belong together.
  private static let mostAsked = 4

  private func listing(beside path: FilePath) -> DirectoryListing? {
    listing?.path == path.directory ? listing : nil
  }

  /// Parts of one series, all of which have to be given.
  private mutating func take(
    _ series: PartSeries,
    ofAll operands: [FilePath],
    _ request: Request
  ) throws(CleaveError) {
    try take(series, of: operands[0], request, isNamed: true)
    let names = names
    if operands == names { return }
    let given = Set(operands)
    if given.count < operands.count {
      let twice = operands.indices.first { operands[..<$0].contains(operands[$0]) } ?? 0
      evidence.suspect(
        .parts,
        Doubt(.operandGap, operands[twice], "is given twice: --as-given joins it twice")
      )
    }
    if let other = names.first(where: { !given.contains($0) }) {
      evidence.suspect(.parts, Doubt(.operandGap, other, Self.notGiven(other, names, given)))
    } else if let other = operands.first(where: { !names.contains($0) }) {
      let text =
        request.reading.bounds == PartSeries.Bounds()
        ? "is no part of \(series.base.lastComponent): --as-given joins it all the same"
        : "is given, but --first or --last leaves it out"
      evidence.suspect(.parts, Doubt(.operandGap, other, text))
    } else {
      let text = "parts are joined in the order of their numbers, not as given"
      evidence.suspect(.parts, Doubt(.operandOrder, series.base, text))
    }
  }

  private static func notGiven(
    _ other: FilePath,
    _ names: [FilePath],
    _ given: Set<FilePath>
  ) -> String {
    let count = names.count { !given.contains($0) }
    let others = count > 1 ? " (and \(count - 1) more)" : ""
    return "is a part, too\(others), and is not given: any one part alone stands for all, and "
      + "--as-given joins just those that are given"
  }

  // MARK: As they come

  /// `NAME.*` of a shell takes the manifest in among the parts, and the scripts that join them.
  private static func withoutManifest(_ operands: [FilePath]) -> [FilePath] {
    guard operands.count > 1 else { return operands }
    let known = Set(operands.map(\.lastComponent))
    let isManifest = { (path: FilePath) in
      Manifest.isName(path.lastComponent, among: known)
    }
    let parts = operands.filter { !isManifest($0) }
    let zip = SplitZipSeries.of(parts)
    guard let first = parts.first, let base = zip?.lastName ?? base(of: [first]) else {
      return operands
    }
    return parts.filter { !Joiner.isName($0, beside: base) }
  }

  /// The name of the whole that names in an order say, all of them in one directory.
  static func base(of paths: [FilePath]) -> FilePath? {
    guard let first = paths.first, paths.allSatisfy({ first.sibling($0.lastComponent) == $0 })
    else {
      return nil
    }
    return PartName.common(paths.map(\.lastComponent)).map { first.sibling($0.base) }
  }

  /// Exactly these files, joined as bytes; only a manifest that is named is looked at.
  private mutating func take(
    asGiven operands: [FilePath],
    _ request: Request
  ) throws(CleaveError) {
    guard request.reading == PartReading() else {
      throw CleaveError(
        .badData,
        operands[0],
        "is joined as given, and --as, --first and --last are about series"
      )
    }
    kind = operands.count == 1 ? .file : .files
    sources = try Self.examine(operands)
    if case .file(let path) = request.manifest { manifest = try Manifest(reading: path) }
    base = Self.base(of: operands)
    evidence.note(manifest, naming: [])
    try checkSize()
  }

  private mutating func take(
    explicit given: [FilePath],
    _ request: Request
  ) throws(CleaveError) {
    let form = PartName.common(given.map(\.lastComponent))
    if form == nil {
      try refuseOdd(given)
      try Self.refuseOrder(given)
    }
    let operands = try form.map { form throws(CleaveError) in try inOrder(given, form) } ?? given
    if form == nil { try Self.refuseMixed(operands) }
    kind = .files
    base = Self.base(of: operands)
    defaultOutput = base
    let first = base ?? operands.first.flatMap { Self.base(of: [$0]) }
    manifest = try request.manifest.manifest(beside: first)
    sources = try Self.examine(operands)
    try checkFit(request.manifest)
    if let manifest, let first { try Self.check(operands, against: manifest, of: first) }
    evidence.note(manifest, naming: [])
    if request.format != .raw, let files {
      let parts = try ZipParts(files)
      if manifest == nil, files.count > 1 { try ForeignContent(of: parts, base: base).refuse() }
      try lookInside(parts, request.format)
      if !kind.isZip, manifest == nil { _ = try ContentEnd(of: parts, in: nil) }
      try parts.close()
    }
    noteContent()
    try checkSize()
  }

  /// Parts by their names, in several directories or beside standard input: in their numbers' order,
  /// without a gap.
  private mutating func inOrder(
    _ operands: [FilePath],
    _ form: PartName
  ) throws(CleaveError) -> [FilePath] {
    guard operands.count > 1, !operands.contains("-") else { return operands }
    let digits = operands.compactMap { form.digits(of: $0.lastComponent) }
    guard digits.count == operands.count else { return operands }
    let rule = Numbering.of(digits, width: digits.map(\.width).min() ?? 1)
    let places = zip(digits, operands).map { (rule.place(of: $0.number) ?? $0.number, $1) }
    let sorted = places.enumerated().sorted {
      ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
    }
    .map(\.element)
    for (before, after) in zip(sorted, sorted.dropFirst()) where after.0 - before.0 != 1 {
      let text =
        after.0 == before.0
        ? "has the number of \(before.1), too: --as-given joins both"
        : "comes behind \(before.1), and the parts between them are not given: --as-given joins "
          + "those that are"
      evidence.suspect(.parts, Doubt(.operandGap, after.1, text))
    }
    lookBeside(sorted.map(\.1), form, rule)
    if sorted.map(\.1) != operands {
      let text = "parts are joined in the order of their numbers, not as given"
      evidence.suspect(.parts, Doubt(.operandOrder, FilePath(bytes: form.base.bytes), text))
    }
    return sorted.map(\.1)
  }

  /// Looks for parts in front of those that are given, and behind them, in all their directories.
  private mutating func lookBeside(_ sorted: [FilePath], _ form: PartName, _ rule: Numbering) {
    let numbers = sorted.compactMap { form.digits(of: $0.lastComponent)?.number }
    guard let first = numbers.first, let last = numbers.last else { return }
    let front = (0..<max(0, min(first, 2))).map { $0 }
    for number in front + [rule.successor(of: last) ?? last] where !numbers.contains(number) {
      let paths = sorted.map { $0.sibling(form.name(number, rule)) }
      let isNeeded = number == 1 && !numbers.contains(0) && first > 1
      let there = Set(paths).sorted().first { (try? FileStatus.ifPresent($0)) ?? nil != nil }
      guard let path = there ?? (isNeeded ? paths.first : nil) else { continue }
      evidence.suspect(.parts, Doubt(.operandGap, path, Self.notGiven(path, [path], [])))
      return
    }
  }

  /// The operands, all beside the first one where they are in its directory, however that is spelled.
  private static func inOneSpelling(_ operands: [FilePath]) -> [FilePath] {
    guard let first = operands.first else { return operands }
    func identity(_ path: FilePath) -> FileStatus.Identity? {
      try? FileStatus.of(path.directory).identity
    }
    let home = identity(first)
    return operands.map { operand in
      let sibling = first.sibling(operand.lastComponent)
      return sibling == operand || home == nil || identity(operand) != home ? operand : sibling
    }
  }

  /// - Throws: `.missingInput` where names differ in a number alone, and the numbers do not rise.
  private static func refuseOrder(_ operands: [FilePath]) throws(CleaveError) {
    guard operands.count > 1, let numbers = numbers(in: operands.map(\.lastComponent.bytes)),
      let odd = numbers.indices.dropFirst().first(where: { numbers[$0] <= numbers[$0 - 1] })
    else { return }
    throw CleaveError(
      .missingInput,
      operands[odd],
      "is given behind \(operands[odd - 1]), against their numbers: --as-given joins them in this order"
    )
  }

  /// The decimal numbers in which names differ, and in nothing else; nil where they differ in more.
  private static func numbers(in names: [[UInt8]]) -> [Int64]? {
    guard let first = names.first, let shortest = names.map(\.count).min() else { return nil }
    let isDigit = { (byte: UInt8) in (48...57).contains(byte) }
    var front = names.reduce(shortest) { count, name in
      zip(first, name).prefix(count).prefix { $0 == $1 }.count
    }
    while front > 0, isDigit(first[front - 1]) { front -= 1 }
    var behind = names.reduce(shortest - front) { count, name in
      zip(first.reversed(), name.reversed()).prefix(count).prefix { $0 == $1 }.count
    }
    while behind > 0, isDigit(first[first.count - behind]) { behind -= 1 }
    let numbers = names.compactMap { PartDigits($0[front..<($0.count - behind)])?.number }
    return numbers.count == names.count ? numbers : nil
  }

  /// - Throws: `.badData` where the names are those of parts of several files.
  private static func refuseMixed(_ operands: [FilePath]) throws(CleaveError) {
    var bases: [FilePath] = []
    for operand in operands {
      guard operand != "-", let name = PartName.common([operand.lastComponent]) else { return }
      let base = operand.sibling(name.base)
      if !bases.contains(base) { bases.append(base) }
      if bases.count > 1 {
        throw CleaveError(
          .badData,
          operand,
          "is a part of another file than \(operands[0]): --all merges one after the other, "
            + "--as-given joins them"
        )
      }
    }
  }

  static func examine(_ paths: [FilePath]) throws(CleaveError) -> [StreamJob.Source] {
    var sources: [StreamJob.Source] = []
    sources.reserveCapacity(paths.count)
    var missing: [CleaveError] = []
    for path in paths {
      if path == "-" {
        sources.append(.standardInput)
        continue
      }
      do {
        sources.append(.file(try SourceFile(examining: path)))
      } catch  where error.system?.errno == .notFound {
        missing.append(error)
      }
    }
    if missing.count > 1 {
      let names = missing.compactMap { $0.system?.path.description }.joined(separator: ", ")
      throw CleaveError(.missingInput, "\(missing.count) parts are missing: \(names)")
    }
    if let error = missing.first { throw error }
    return sources
  }
}

extension Selection {
  /// A part of each series in a directory.
  ///
  /// - Throws: `.missingInput` where there is none.
  package static func parts(
    in directory: FilePath,
    as family: NamingStyle.Family?
  ) throws(CleaveError) -> [FilePath] {
    try SeriesDirectory(directory).allParts(as: family)
  }
}
