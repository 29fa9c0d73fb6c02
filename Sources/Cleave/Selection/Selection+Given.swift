internal import Posix

/// Operands that are taken as they come.
extension Selection {
  /// Parts without the scripts that join them, which `NAME.*` of a shell takes in among them.
  static func withoutJoiners(_ files: [FilePath]) -> [FilePath] {
    guard files.count > 1, let first = files.first,
      let base = SplitZipSeries.of(files)?.lastName ?? base(of: [first]) ?? base(of: files)
    else { return files }
    return files.filter { !Joiner.isName($0, beside: base) }
  }

  /// The name of the whole that names in an order say, all of them in one directory.
  static func base(of paths: [FilePath]) -> FilePath? {
    guard let first = paths.first, paths.allSatisfy({ first.sibling($0.lastComponent) == $0 })
    else {
      return nil
    }
    return PartName.common(paths.map(\.lastComponent)).map { first.sibling($0.base) }
  }

  /// Exactly these files in this order, joined as bytes unless they are said to be those of a zip; only a
  /// manifest that is named is looked at.
  mutating func take(
    asGiven operands: [FilePath],
    _ request: Request
  ) throws(CleaveError) {
    guard request.reading == PartReading() else {
      throw CleaveError(
        .contradiction,
        operands[0],
        "is joined as given, and \(Self.reading) are about series"
      )
    }
    kind = operands.count == 1 ? .file : .files
    sources = try Self.examine(operands)
    base = Self.base(of: Self.inOneSpelling(operands))
    if case .file(let path) = request.manifest {
      manifest = try Manifest(reading: path).named(for: names, of: base)
    }
    evidence.note(manifest)
    if request.format == .zip, let files {
      let parts = try JoinedBytes(files)
      try lookInside(parts, .zip)
      try parts.close()
      if files.count == 1, kind == .zipPieces { kind = .zip }
      noteContent()
    }
    try checkSize()
  }

  /// Why files that are joined as given hardly make what they seem to be pieces of; nil where nothing in
  /// them tells.
  package func faultAsGiven() -> CleaveError? {
    guard let files else { return nil }
    do throws(CleaveError) {
      let parts = try JoinedBytes(files)
      if try ZipArchive.held(by: parts, true)?.kind == .splitZip, files.count > 1 {
        return CleaveError(
          .badData,
          names[0],
          "is the first part of a split zip, and the bytes of all are no zip: \(.format(.zip)) makes one"
        )
      }
      let heads = try PartHeads(of: parts).all
      guard heads.first?.format == nil else { return nil }
      let kinds: [FileFormat.Kind] = [.gzip, .bzip2, .xz, .zstd, .sevenZip]
      for head in heads.dropFirst() {
        guard let format = head.format, kinds.contains(format.kind) else { continue }
        return CleaveError(.badData, head.path, "begins like \(format.name), and is not the first")
      }
      return nil
    } catch {
      return error.system == nil ? error : nil
    }
  }

  /// - Parameter isZip: whether they are the parts of a split zip in this order.
  mutating func take(
    explicit given: [FilePath],
    _ request: Request,
    isZip: Bool = false
  ) throws(CleaveError) {
    let form = PartName.common(given.map(\.lastComponent))
    let isOrdered = isZip || form != nil
    if !isOrdered {
      if request.format != .raw { try SplitZip.refuseOrder(of: given) }
      try refuseOdd(given)
      try Self.refuseDownload(among: given)
      try Self.refuseCopy(among: given)
      try Self.refuseWhole(among: given)
      try Self.refuseOrder(given)
    }
    var operands = given
    if !isZip, let form { operands = try inOrder(given, form) }
    if !isOrdered { try Self.refuseMixed(operands) }
    kind = .files
    base = Self.base(of: operands)
    defaultOutput = base
    let first = base ?? operands.first.flatMap { Self.base(of: [$0]) }
    try takeLists(of: PathList(operands), beside: first, of: form?.base, request)
    sources = try Self.examine(operands)
    try takeGiven(about: FilesMeant(first, PathList(operands)))
    if manifest?.isOwn != true { try requireNoneElsewhere(form ?? countedForm) }
    noteLayout(beside: first)
    try checkFit(request.manifest)
    if let manifest { try Self.check(operands, against: manifest, of: first) }
    if given.contains("-") { try lookAroundStream(given, request) }
    if !isOrdered, request.format != .raw,
      manifest?.covers(names, makesWhole: true, of: base) != true
    {
      try Self.refuseStray(among: given)
      suspectOtherCount(given)
      try Self.refuseLone(among: given)
    }
    let hasTotal = form?.total != nil && request.reading.bounds.last == nil
    if !isOrdered || hasTotal, !isToldWhole || manifest?.listsAllParts != true {
      suspectGap(operands)
    }
    if !isOrdered, !isToldWhole, request.format != .raw { suspectSize(operands) }
    noteMore()
    evidence.note(manifest)
    if request.format != .raw, let files {
      let parts = try JoinedBytes(files)
      if !isToldWhole, files.count > 1 { try ForeignContent(of: parts, base: base).refuse() }
      if !isOrdered, !isToldWhole { try refuseStart(in: parts) }
      if !isOrdered { try suspectTables(parts) }
      try lookInside(parts, request.format)
      if !kind.isZip, let series = try scatteredSeries(form, request) {
        try examine(series, parts, request)
      } else if !kind.isZip, !isToldWhole {
        if case .absent(let text, _) = try ContentEnd(of: parts, in: nil) {
          evidence.suspect(.end, ContentEnd.doubt(text, of: names[0], "a part may be missing"))
        }
      }
      try parts.close()
    }
    noteContent()
    noteUnfinished("\(.asGiven()) merges the files that are named")
    noteForeignLists()
    try checkSize()
  }

  /// Whether what the parts are compared with tells which they are, and in what order. A list of files that share no
  /// name does not.
  var isToldWhole: Bool {
    manifest.map { base != nil || $0.isOwn || $0.whole(of: base) != nil } ?? false
  }

  /// How names count that are of no family: in decimal digits, or in letters, from the first or one after the other.
  var countedForm: PartName? {
    guard names.count > 1, let first = names.first else { return nil }
    return PartName.readings(of: first.lastComponent).first { form in
      let numbers = names.compactMap { form.digits(of: $0.lastComponent, folding: true)?.number }
      return numbers.count == names.count
        && (form.digits.alphabet == .decimal || form.number == 0
          || zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }
  }

  /// Tells of files that the list of those given has besides.
  private mutating func noteMore() {
    guard let manifest, !isToldWhole else { return }
    noteMore(Array(manifest.entries.lazy.map(\.name)), in: manifest, besides: names)
    if manifest.isOfSingleParts, let list = listOfAbsent(like: manifest) {
      noteMore(Array(list.entries.lazy.map(\.name)), in: list, besides: names)
    }
  }

  /// A list of one file that is not there, beside those of single parts, and with their ending.
  private func listOfAbsent(like manifest: Manifest) -> Manifest? {
    guard let subject = ManifestName(manifest.path)?.subject,
      manifest.entries.contains(named: subject),
      let listing = try? DirectoryListing(
        beside: manifest.path,
        unless: listing(beside: manifest.path)
      )
    else { return nil }
    let ending = manifest.path.lastComponent.bytes.dropFirst(subject.bytes.count)
    return listing.names.lazy.filter { name in
      guard name.bytes.suffix(ending.count) == ending, let subject = ManifestName(name)?.subject
      else { return false }
      return !listing.set.contains(subject)
    }.compactMap { (try? Manifest(reading: manifest.path.sibling($0)))?.ofItsSubject }.first
  }

  /// Tells of files that a list has besides some; of one that is counted as these are, and is nowhere, as missing.
  ///
  /// - Parameter listed: names as the list has them.
  mutating func noteMore(_ listed: [FilePath], in list: Manifest, besides files: PathList) {
    let given = PathSet(files.lazy.map(\.lastComponent))
    let others = listed.filter { !given.contains($0.lastComponent) }
    guard let first = files.first, !others.isEmpty else { return }
    if let counted = CountedNames(Array(files)) {
      let places = FilePlaces(files)
      var folders = ListedFolders(of: list.path)
      let homes = files.firstOfEachDirectory
      for name in others where counted.isNext(name) {
        let isBare = name == name.lastComponent
        // What is listed in another directory that is there is of another set.
        let home = isBare ? nil : folders.identity(of: name.directory)
        if let home, !places.areIn(home) { continue }
        let paths = homes.map { $0.sibling(name.lastComponent) } + [list.place(of: name)]
        if paths.contains(where: { !FileStatus.isAbsent($0) }) { continue }
        let path = home == nil ? first.sibling(name.lastComponent) : list.place(of: name)
        let text: Sentence = "is in \(list.path), and is \(Self.notGiven)"
        return evidence.suspect(.parts, Doubt(.operandGap, path, text))
      }
    }
    noteMore(others.count, in: list.path)
  }

  /// Tells of files that a list has besides those that are given, and that are not counted as they are.
  mutating func noteMore(_ count: Int, in list: FilePath) {
    let text: Sentence =
      "lists \(count.counted("file")) more than \(count == 1 ? "is" : "are") given, and tells no order"
    evidence.suspect(.manifest, Doubt(.silentManifest, list, text))
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
      let text: Sentence =
        after.0 == before.0
        ? "has the number of \(before.1), too: leave one of them out, or \(.asGiven()) joins both"
        : Self.gap(behind: before.1)
      evidence.suspect(.parts, Doubt(.operandGap, after.1, text))
    }
    lookBeside(sorted.map(\.1), form, rule)
    if sorted.map(\.1) != operands {
      let text: Sentence = "parts are joined in the order of their numbers, not as given"
      evidence.suspect(.parts, Doubt(.operandOrder, FilePath(bytes: form.base.bytes), text))
    }
    return sorted.map(\.1)
  }

  /// What can be known of parts beside standard input, which may be any number of them.
  ///
  /// - Throws: `.badData` where they are those of a split zip, `.missingInput` where they are not in the order of their
  ///   numbers.
  private mutating func lookAroundStream(
    _ operands: [FilePath],
    _ request: Request
  ) throws(CleaveError) {
    let named = operands.filter { $0 != "-" }
    let ofZip = named.first { name in
      if case .number = SplitZipName(name.lastComponent)?.place { true } else { false }
    }
    if let ofZip, request.format != .raw {
      let text: Sentence =
        "is a part of a split zip, which is not put together from a stream: \(.format(.raw)) joins the bytes"
      throw CleaveError(.badData, ofZip, text)
    }
    guard let form = PartName.common(named.map(\.lastComponent)) else { return }
    let digits = named.compactMap { form.digits(of: $0.lastComponent) }
    let rule = Numbering.of(digits, width: digits.map(\.width).min() ?? 1)
    var last: (path: FilePath, place: Int64)?
    var isBehindStream = false
    for operand in operands {
      guard let number = form.digits(of: operand.lastComponent)?.number else {
        isBehindStream = true
        continue
      }
      let place = rule.place(of: number) ?? number
      if let last, place < last.place {
        throw Self.misgiven(operand, "is given behind \(last.path), against their numbers: ")
      }
      if let last, !isBehindStream, place > last.place + 1 {
        evidence.suspect(.parts, Doubt(.operandGap, operand, Self.gap(behind: last.path)))
      }
      (last, isBehindStream) = ((operand, place), false)
    }
    guard !isBehindStream, let last, request.reading.bounds.last == nil,
      let number = form.digits(of: last.path.lastComponent)?.number,
      let next = rule.successor(of: number).map({ last.path.sibling(form.name($0, rule)) }),
      !FileStatus.isAbsent(next),
      // What is put in front of the first is no part.
      named.count > 1
        || number > 1
          && !FileStatus.isAbsent(last.path.sibling(form.name(number - 1, rule)))
    else { return }
    let text: Sentence = "is a part, too, and is \(Self.notGiven)"
    evidence.suspect(.parts, Doubt(.operandGap, next, text))
  }

  /// Looks for parts in front of those that are given, and behind them, in all their directories.
  private mutating func lookBeside(_ sorted: [FilePath], _ form: PartName, _ rule: Numbering) {
    let numbers = sorted.compactMap { form.digits(of: $0.lastComponent)?.number }
    guard let first = numbers.first, let last = numbers.last else { return }
    let front = (0..<max(0, min(first, 2))).map { $0 }
    let behind = request.reading.bounds.last == nil ? [rule.successor(of: last) ?? last] : []
    for number in front + behind where !numbers.contains(number) {
      let paths = sorted.map { $0.sibling(form.name(number, rule)) }
      let isNeeded = number == 1 && !numbers.contains(0) && first > 1
      let there = Set(paths).sorted().first { (try? FileStatus.of($0)) != nil }
      guard let path = there ?? (isNeeded ? paths.first : nil) else { continue }
      evidence.suspect(.parts, Doubt(.operandGap, path, Self.notGiven(path, [path], [])))
      return
    }
  }

  /// The operands, all beside the first one where they are in its directory, however that is spelled.
  static func inOneSpelling(_ operands: [FilePath]) -> [FilePath] {
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

  /// What is said of a part where some are left out in front of it.
  static func gap(behind part: FilePath) -> Sentence {
    "comes behind \(part), and the parts between them are \(notGiven)"
  }

  static let notGiven: Sentence = "not given: \(.asGiven()) joins those that are"

  static func examine(_ paths: [FilePath]) throws(CleaveError) -> Sources {
    var sources: Sources = []
    var missing: [CleaveError] = []
    for path in paths {
      if path == "-" {
        sources.append(.standardInput)
        continue
      }
      do {
        let found = try? FileStatus.of(path)
        if let found, found.kind == .fifo {
          sources.append(.pipe(SourceFile(path: path, status: found)))
        } else {
          sources.append(.file(try SourceFile(examining: path)))
        }
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
