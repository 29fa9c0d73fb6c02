package import Posix

/// What is looked at before a merge begins.
extension Merge {
  /// - Throws: where the selection, or what it holds, is not what was asked for.
  func check() throws(CleaveError) {
    let verification = work.verification
    if verification == .entries, !selection.kind.isZip {
      throw CleaveError(.contradiction, "\(Setting.entries) needs the parts of a zip")
    }
    try work.requireLocal(selection.names)
    try refuseNameOfPart()
    try refuseRest()
    if output != "-" { try Journal.requireNonePublished([output]) }
    if resumption == nil, let files = selection.files {
      try Journal.requireNoneFreed(files, in: selection.listing)
      if work.consumes {
        let own = Journal.path(beside: output)
        try Journal.requireFree(files, besides: own, in: selection.listing)
        try requireNoneIgnored()
      }
      if !selection.request.isAsGiven, selection.request.reading.bounds == PartSeries.Bounds(),
        output != "-", !output.isRemote
      {
        try Journal.requireAll(of: files.paths, making: output)
      }
    }
    try requireNoManifest()
    try refuseLonger()
    if work.consumes, selection.isPiece, let manifest = selection.manifest {
      throw CleaveError(
        .missingInput,
        manifest.path,
        "lists parts that are left out: those that are merged would be gone, and not in the whole; "
          + "\(.withoutManifest) does not look at it"
      )
    }
    let (request, looksInside) = (selection.request, verification.looksInside)
    // What cat writes cannot be read again.
    let begins =
      looksInside
      || output == "-" && verification == .stream
        && request.reading.bounds == PartSeries.Bounds()
    if request.format != .raw, !request.isAsGiven, begins {
      try selection.checkStart(of: output)
    }
    try work.tellDoubts(of: selection, isFreeing: work.consumes && resumption == nil)
    if work.consumes, !provesContent { try refuseUncompared() }
    if let doubt = selection.doubtUnlessProved, !provesContent, verification != .none {
      throw doubt.error
    }
    if request.isAsGiven, request.format == .auto, looksInside, let wrong = selection.faultAsGiven()
    {
      work.tell(.warning("\(output): joined as given, though \(wrong)"))
    }
    for note in selection.archive?.notes.lines ?? [] {
      work.tell(.remark("\(selection.base ?? output): \(note)"))
    }
  }

  /// - Throws: `.missingInput` where a list beside parts that are taken as given has sums of some, and is not compared
  ///   with.
  private func requireNoneIgnored() throws(CleaveError) {
    var request = selection.request
    guard request.isAsGiven, request.manifest == .automatic, selection.manifest == nil else {
      return
    }
    let names = selection.names
    request.isAsGiven = false
    var list = try Manifest.beside(FilesMeant(selection.base, names), in: selection.listing)
    var silent: FilePath?
    if list == nil {
      do throws(CleaveError) {
        let found = try Selection.look(at: Array(names), request, in: selection.listing)
        if let error = found.refusal, error.isOfList { throw error }
        list = found.manifest
        silent = found.evidence.doubts.first { $0.code == .silentManifest }?.path
      } catch  where !error.isOfList {}
    }
    if let list, list.coverage(of: names, selection.base) > 0 { silent = list.path }
    guard let silent else { return }
    let text: Sentence =
      "has sums of the parts, which are not compared with it as they are given: \(Setting.manifest) compares with it, "
      + "\(.withoutManifest) frees them all the same"
    throw CleaveError(.missingInput, silent, text)
  }

  /// - Throws: `.missingInput` where a file has the name of the output or of the whole, begins or ends as the parts do, and
  ///   has more bytes: it may be the whole, of which a part is missing.
  private func refuseLonger() throws(CleaveError) {
    guard selection.kind == .series, resumption == nil, options.range == nil,
      let files = selection.files, let first = selection.names.first,
      let last = selection.names.last, files.totalSize >= 512
    else { return }
    let bounds = selection.request.reading.bounds
    let wholes = [output] + (selection.base.map { $0 == output ? [] : [$0] } ?? [])
    for whole in wholes where whole != "-" && !whole.isRemote {
      guard let there = try? FileStatus.of(whole), there.kind == .regular,
        there.size > files.totalSize
      else { continue }
      let way: Remedy
      let verb: String
      if bounds.last == nil, !selection.evidence.isEndKnown, isPart(files, of: whole, there) {
        (way, verb) = (.last(last.lastComponent), "begins")
      } else if bounds.first == nil, whole == selection.base, selection.manifest?.isOwn != true,
        isPart(files, of: whole, there, atEnd: true)
      {
        (way, verb) = (.first(first.lastComponent), "ends")
      } else {
        continue
      }
      let text: Sentence =
        "has \(there.size) bytes and \(verb) as the parts do, which have \(files.totalSize), so that a part may be "
        + "missing; \(way) merges the parts that are there"
      throw CleaveError(.missingInput, whole, text)
    }
  }

  /// Whether a larger file has the first bytes of all parts, or their last ones.
  private func isPart(
    _ files: SourceFiles,
    of whole: FilePath,
    _ status: FileStatus,
    atEnd: Bool = false
  ) -> Bool {
    let count = Swift.min(Int64(FileFormat.headSize), files.totalSize)
    do throws(CleaveError) {
      let parts = try JoinedBytes(files)
      let there = try JoinedBytes([SourceFile(path: whole, status: status)])
      let own = try parts.bytes(Int(count), at: atEnd ? parts.count - count : 0)
      let other = try there.bytes(Int(count), at: atEnd ? there.count - count : 0)
      try parts.close()
      try there.close()
      return own == other && own.map { Set($0).count > 1 } == true
    } catch {
      return false
    }
  }

  /// - Throws: `.cannotCreate` where the output would replace what the parts are compared with.
  private func requireNoManifest() throws(CleaveError) {
    let there = output == "-" ? JobRun.standardFile(1) : try? FileStatus.of(output)
    guard let manifest = selection.manifest, let made = there?.identity else { return }
    let lists = manifest.lists
    guard lists.contains(where: { (try? FileStatus.of($0))?.identity == made }) else { return }
    let text: Sentence =
      lists.count > 1
      ? "is a list of sums that the parts are compared with"
      : "is the manifest that the parts are compared with"
    throw CleaveError(.cannotCreate, output == "-" ? "standard output" : output, text)
  }

  /// - Throws: `.cannotCreate` where a run that goes on would take the output for one more part.
  private func refuseNameOfPart() throws(CleaveError) {
    guard work.isStaged, resumption == nil, !selection.names.contains(output),
      let base = selection.base, let form = PartName.common(selection.names.map(\.lastComponent)),
      let digits = form.digits(of: output.lastComponent, folding: true),
      digits.alphabet == .decimal && digits.width == form.width
        || selection.names.last.flatMap({ form.digits(of: $0.lastComponent)?.number })
          == digits.number - 1,
      let home = (try? FileStatus.of(output.directory))?.identity,
      home == (try? FileStatus.of(base.directory))?.identity
    else { return }
    let text: Sentence =
      "has the name of one more part of \(base.lastComponent), for which it would be taken: \(.output(nil)) gives another"
    throw CleaveError(.cannotCreate, output, text)
  }

  /// - Throws: `.missingInput` where an interrupted run has taken other parts of the series away, or has not named all.
  private func refuseRest() throws(CleaveError) {
    guard !selection.request.isAsGiven || work.consumes, let part = selection.names.first,
      var error = refusal(of: part)
    else { return }
    if !work.consumes { error = error.adding(", and \(.asGiven()) merges what is left") }
    throw error
  }

  private func refusal(of part: FilePath) -> CleaveError? {
    let listing = selection.listing
    if let found = Journal.consuming(beside: part, isSeries: !isCovered, in: listing) {
      return found.refusal(of: part)
    }
    if isCovered || resumption != nil { return nil }
    guard let path = Leftovers.unknown(beside: part, in: listing)?.paths.first else { return nil }
    let clean = Leftovers.cleaning(path.directory)
    if Signpost.isOfOther(path) {
      let text: Sentence =
        "is another user's link to a run that frees parts, which may have taken some of these"
      return CleaveError(.missingInput, path, text)
    }
    let text: Sentence =
      "is of a run that frees parts, and no journal that is believed tells which: '\(clean)' tells more"
    return CleaveError(.missingInput, path, text)
  }
}

extension Merge {
  /// The merge that an earlier run has begun and left a journal of; nil where there is none.
  ///
  /// It goes on where that one was interrupted, also where parts are missing since they are in the output already, of
  /// which no ``Selection`` can be made.
  ///
  /// - Parameters:
  ///   - operands: parts, a manifest or a directory, as for ``Selection``; what was consumed may be missing.
  ///   - output: nil for the one that the journal beside the operand tells.
  ///   - request: what was said of the operands.
  ///   - options: how it goes on.
  /// - Throws: `.cannotCreate` where another run has the journal, or it is of another job; `.changedInput`
  ///   where a source was changed; `.missingInput` where one is missing.
  public static func interrupted(
    _ operands: [FilePath],
    into output: FilePath? = nil,
    _ request: Selection.Request = Selection.Request(),
    _ options: Options = Options()
  ) throws(CleaveError) -> Merge? {
    var (operands, request) = (operands, request)
    if !request.isAsGiven {
      let (files, lists) = Selection.divided(operands, request)
      // Lists and scripts alone tell which parts are meant.
      if files.contains(where: { !Joiner.isName($0) }) {
        (operands, request.lists) = (Selection.withoutJoiners(files), lists)
      }
    }
    guard !operands.contains("-"), output != "-" else {
      throw CleaveError(
        .contradiction,
        "\(Setting.resuming) and \(Setting.consuming) need files, not streams"
      )
    }
    // The parts need not be there any more; what is beside them tells.
    var known =
      try operands.isEmpty
      ? nil : Journal.interrupted(.merge, lookingAt: operands[0], making: output)
    let isAside = operands.allSatisfy { Manifest.isName($0) || Joiner.isName($0) }
    for operand in operands.dropFirst() where known == nil && isAside {
      known = try Journal.interrupted(.merge, lookingAt: operand, making: output)
    }
    let list = operands.count == 1 ? Self.nestingList(operands[0]) : nil
    if list != nil, known == nil, output == nil,
      let part = try? Selection.part(for: operands[0], request).path
    {
      known = try Journal.interrupted(.merge, lookingAt: part, making: output)
    }
    guard let output = output ?? known?.output ?? operands.first.flatMap(Journal.output(ofRemote:))
    else {
      try options.work.requireSafeConsuming()
      return nil
    }
    var journal = known?.journal
    if list != nil, journal == nil { journal = try Journal.peek(beside: output) }
    if let list, let parts = journal?.sources(in: list) {
      operands = parts
      if request.manifest == .automatic { request.manifest = .file(list.path) }
    } else if operands.count == 1, known == nil,
      (try? FileStatus.of(operands[0]))?.kind == .directory,
      let found = try? JournalFile.existing(at: Journal.path(beside: output)),
      let name = found.found?.sources.first?.name
    {
      // The parts of a directory, with the journal elsewhere.
      operands = [operands[0].appending(name)]
    } else if let source = known?.source, operands.count == 1 {
      if Manifest.isName(operands[0]), request.manifest == .automatic {
        request.manifest = .file(operands[0])
      }
      operands = [source]
    } else if let known, operands.allSatisfy(known.isBeside) {
      // A shell's `*` names what is beside parts that are gone.
      operands = [known.source]
    } else if operands.count == 1 {
      if let scattered = Selection.scattered(operands[0], request) {
        (operands, request) = scattered
      } else {
        let stands = try Selection.part(for: operands[0], request)
        (operands[0], request.manifest) = (stands.path, stands.manifest)
      }
    }
    let found = try Resumption(
      of: .merge,
      making: output,
      from: operands,
      request,
      consuming: options.work.consumes
    )
    try options.work.requireSafeConsuming(goesOn: found != nil)
    guard let found else { return nil }
    let selection = try Selection(goingOn: found.plan, found.journal, request)
    var merge = Merge(selection, into: output, options)
    merge.resumption = found
    if merge.isOfAnotherSet(found) { try found.requireOwn() }
    return merge
  }

  /// Whether all sources are other files, and none may take the place of what an interrupted run has done of one: that
  /// is what it should be, or was before it was to get its name.
  private func isOfAnotherSet(_ found: Resumption) -> Bool {
    guard found.isOfOthers, found.journal.bad.isEmpty else { return false }
    if found.isPublishing { return true }
    let isReplaced = found.present.contains(where: \.isReplaced)
    return !isReplaced
      && found.journal.sumsOfSources?.enumerated().contains { part, sum in
        do throws(CleaveError) { try approve(part: part, sum) } catch { return true }
        return false
      } != true
  }

  /// A list with lines that lead to directories below its own; nil of anything else.
  private static func nestingList(_ path: FilePath) -> Manifest? {
    guard Manifest.isManifest(at: path), let list = try? Manifest(reading: path) else { return nil }
    return list.nested.isEmpty ? nil : list
  }
}

extension CleaveError {
  /// Whether it is about a list.
  fileprivate var isOfList: Bool { path.map { Manifest.isName($0) } == true }
}
