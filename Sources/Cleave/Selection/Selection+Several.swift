package import Posix

/// Several operands, which may be the parts of one series.
extension Selection {
  /// What several operands stand for together: files that are named as parts of one series and are in several
  /// directories, those that merging takes as one set, though none of them stands for the others, and those that it
  /// compares with a list elsewhere; nil of any others, each of which stands for what it is a part of. Other lists among
  /// them are left out, and are others.
  package static func together(
    _ operands: [FilePath],
    _ request: Request
  ) -> (set: Part?, others: [FilePath]) {
    let (found, given) = divided(operands, request)
    let files = withoutJoiners(found)
    guard operands.count > 1, !request.isAsGiven, !operands.contains("-"), let first = files.first
    else { return (nil, operands) }
    let known = PathSet(files)
    var others = operands.filter { !known.contains($0) }
    var part = Part(path: first, manifest: request.manifest)
    part.given = files
    let lists =
      request.manifest == .automatic
      ? given.filter { !Manifest.isListName($0) || isElsewhere($0, files) } : []
    if !lists.isEmpty {
      let all: Selection?
      let refusal: CleaveError?
      do throws(CleaveError) {
        all = try look(at: files + lists, request)
        refusal = all?.refusal
      } catch {
        (all, refusal) = (nil, error)
      }
      let identities = Set(
        lists.filter { all?.manifest?.has(list: $0) == true }
          .compactMap { (try? FileStatus.of($0))?.identity }
      )
      // One may be given twice, by other names.
      let compared = lists.filter { list in
        (try? FileStatus.of(list)).map { identities.contains($0.identity) } == true
      }
      // Where lists contradict each other, that is what there is to tell.
      if compared.count < lists.count, refusal?.kind == .badData {
        part.given += lists
        return (part, others.filter { !lists.contains($0) })
      }
      if let all, !compared.isEmpty, all.isOfGiven {
        part.given += compared
        others.removeAll(where: compared.contains)
        return (part, others)
      }
    }
    let isSet =
      files.count > 1
      && (Set(files.map(\.directory)).count > 1
        ? request.reading.family == nil && areScattered(files, request) : isOneSet(files, request))
    return isSet ? (part, others) : (nil, operands)
  }

  /// Whether some list that is given was not taken in: it contradicts another, or tells nothing of the files.
  var leavesOutGivenList: Bool {
    request.lists.contains { manifest?.has(list: $0) != true }
  }

  /// Whether the files are known to be one set: by their names, or by a list that has each of them, and no other.
  private var isOfGiven: Bool {
    if kind != .file, base != nil { return true }
    let known = PathSet(names.lazy.map(\.lastComponent))
    return manifest?.covers(names, makesWhole: false, of: nil) == true
      && manifest?.entries.allSatisfy { known.contains($0.name) } == true
  }

  /// Whether a list is in another directory than some files, and names none that is where it says, in its own or below.
  private static func isElsewhere(_ list: FilePath, _ files: [FilePath]) -> Bool {
    guard let home = try? FileStatus.of(list.directory).identity,
      !FilePlaces(PathList(files)).areIn(home), let listed = (try? Manifest(reading: list))?.files
    else { return false }
    return listed.allSatisfy { FileStatus.isAbsent($0) }
  }

  private static func areScattered(_ files: [FilePath], _ request: Request) -> Bool {
    if request.format != .raw, SplitZipSeries.of(files) != nil { return true }
    let names = files.map(\.lastComponent)
    guard Set(names).count == names.count, let form = PartName.common(names) else { return false }
    return names.allSatisfy { form.digits(of: $0) != nil }
      && files.allSatisfy { (try? FileStatus.of($0))?.kind == .regular }
  }

  /// Whether merging takes files of one directory, the first of which does not stand for them all, and something shows
  /// that they are one: the first is refused by itself; a list has each of them, or what they make; they are a zip; or the
  /// first begins what it does not end, where no other begins such data.
  private static func isOneSet(_ files: [FilePath], _ request: Request) -> Bool {
    guard PartName.common(files.map(\.lastComponent)) != nil || CountedNames(files) != nil else {
      return false
    }
    let one = try? look(at: [files[0]], request)
    if let one, one.fault == nil, one.names.count == files.count { return false }
    guard let all = try? look(at: files, request, in: one?.listing), all.refusal == nil,
      let sources = all.files
    else { return false }
    // What the first is not by itself, all of them may be: `f.img.1` and those behind it.
    if one?.fault != nil || all.kind.isZip
      || all.manifest?.covers(all.names, makesWhole: true, of: all.base) == true
    {
      return true
    }
    guard let first = sources.first, let start = try? JoinedBytes([first]),
      case .absent(_, _)? = try? ContentEnd(of: start, in: nil),
      let heads = try? PartHeads(of: JoinedBytes(sources)).all
    else { return false }
    return heads.first?.format?.kind.proof != nil
      && heads.dropFirst().allSatisfy { $0.size > 0 && $0.format?.kind.proof == nil }
  }

  mutating func resolve(
    several given: [FilePath],
    _ request: Request
  ) throws(CleaveError) {
    guard !given.contains("-") else { return try take(explicit: given, request) }
    let operands = Self.inOneSpelling(given)
    if request.format != .raw {
      if let series = SplitZipSeries.of(operands) {
        return try take(series, ofAll: operands, request)
      }
      for operand in operands { try NamingStyle.refuse(operand) }
    }
    listing = operands.first.flatMap {
      try? DirectoryListing(beside: $0, unless: listing(beside: $0))
    }
    // What is inside knows the order better than names do.
    let isZip =
      request.format != .raw && request.reading == PartReading() && SplitZip.areParts(operands)
    if !isZip {
      var found = try series(of: operands, request)
      if found?.isAllOf(operands) == true, request.reading == PartReading() { found = nil }
      if found == nil { found = try givenSeries(operands, request) }
      if let found { return try take(found, ofAll: operands, request) }
    }
    var reading = request.reading
    // Of parts in several directories, the last one may be said to be the last.
    if Set(operands.map(\.directory)).count > 1,
      PartName.common(operands.map(\.lastComponent)) != nil
    {
      reading.bounds.last = nil
    }
    guard reading == PartReading() else {
      throw CleaveError(
        .badData,
        operands[0],
        "is not of one series with the others, which \(Self.reading) are about"
      )
    }
    do throws(CleaveError) { try take(explicit: operands, request, isZip: isZip) } catch {
      guard let path = error.path, (try? FileStatus.of(path))?.kind == .directory else {
        throw error
      }
      throw error.adding("; \(.each) merges each operand by itself")
    }
  }

  /// The series in one directory that all operands are parts of; nil where they are others.
  private func series(
    of operands: [FilePath],
    _ request: Request
  ) throws(CleaveError) -> PartSeries? {
    guard let first = operands.first,
      operands.allSatisfy({ first.sibling($0.lastComponent) == $0 })
    else { return nil }
    var found: PartSeries?
    // In letters of another case, the first may be none of those that the others are.
    for operand in [first] + operands.suffix(1) where found?.parts.count ?? 0 < operands.count {
      let series = try PartSeries.containing(
        operand,
        as: request.reading.family,
        in: listing,
        isRaw: request.format == .raw
      )
      let isLonger = series.map { $0.parts.count > found?.parts.count ?? 0 } ?? false
      if isLonger { found = series }
    }
    guard let found else { return nil }
    let numbers = operands.compactMap {
      found.form.digits(of: $0.lastComponent, folding: true)?.number
    }
    return numbers.count == operands.count ? found : nil
  }

  /// The series that all operands make, where they are named like many things, which nothing beside them makes parts of
  /// one: all that are there of it, from the first, one after the other; nil of others.
  private func givenSeries(
    _ operands: [FilePath],
    _ request: Request
  ) throws(CleaveError) -> PartSeries? {
    // Of two, none tells that the other one was cut.
    guard let first = operands.first, operands.count > 2, request.format != .raw,
      operands.allSatisfy({ first.sibling($0.lastComponent) == $0 })
    else { return nil }
    let form = PartName.readings(of: first.lastComponent).first { form in
      form.style.isJoined && form.digits.alphabet == .decimal
        && request.reading.family.map { $0 == form.family } != false
        && operands.allSatisfy { form.digits(of: $0.lastComponent) != nil }
    }
    guard let form else { return nil }
    // Names that tell which they are may be given in any order.
    let isOrdered = PartName.common(operands.map(\.lastComponent)) != nil
    let number = { (path: FilePath) in form.digits(of: path.lastComponent)?.number ?? 0 }
    let ordered = isOrdered ? operands.sorted { number($0) < number($1) } : operands
    guard CountedNames(ordered).map({ $0.fault == nil }) == true,
      let series = try PartSeries.containing(first, for: first.sibling(form.base), in: listing),
      request.reading.bounds != PartSeries.Bounds()
        || series.parts.files.paths.elementsEqual(ordered),
      (try? series.requireComplete(bounds: request.reading.bounds)) != nil
    else { return nil }
    return series
  }

  /// - Throws: `.missingInput` where some operands are parts of one series, and others are none.
  func refuseOdd(_ operands: [FilePath]) throws(CleaveError) {
    for operand in Self.asked(of: operands) {
      guard operand != "-",
        let series = (try? PartSeries.containing(operand, in: listing(beside: operand))) ?? nil
      else { continue }
      let isPart = { (path: FilePath) in
        path != "-" && series.form.digits(of: path.lastComponent, folding: true) != nil
      }
      guard let odd = operands.first(where: { !isPart($0) }), odd != "-",
        odd != operands[0] || !Self.saysFirst(odd)
      else { continue }
      let stray = series.neighbours.said(of: odd.lastComponent)
      let isAlone = operands.count(where: isPart) == 1
      if isAlone, stray == nil, series.parts.count > 1 {
        let other = (try? PartSeries.containing(odd, in: listing(beside: odd))) ?? nil
        if other?.parts.count ?? 0 > 1 { throw Self.mixed(odd, operand) }
      }
      // One by itself may be meant as it is, unless there are others of its series.
      let mayBeMeant =
        series.parts.count == 1 && series.form.total ?? 1 < 2 || !series.form.style.isCertain
        || PartName.common([odd.lastComponent]) != nil
        || FileStatus.isAbsent(odd)
      guard stray != nil || !isAlone || !mayBeMeant else { continue }
      let whole = series.base.lastComponent
      let other =
        odd.lastComponent == whole
        ? "has the name of the whole that other operands are parts of"
        : "is not a part of \(whole), as \(isAlone ? "another operand is" : "other operands are")"
      let isOnlyOne =
        series.neighbours.original(of: odd.lastComponent).map {
          FileStatus.isAbsent(odd.sibling($0))
        } == true
      let way = isOnlyOne ? "which is not there: rename it if it is that" : "leave it out"
      throw Self.misgiven(odd, "\(stray ?? other)\(isOnlyOne ? ", " : ": ")\(way), or ")
    }
  }

  /// Those of some operands that are asked what they belong to, where not all belong together: the first ones, the last,
  /// and one of each name that several share.
  private static func asked(of operands: [FilePath]) -> [FilePath] {
    let ends = Array(operands.prefix(4)) + operands.suffix(1)
    var seen: [FilePath: FilePath] = [:]
    var shared: [FilePath] = []
    for operand in operands where operand != "-" {
      for whole in PartName.wholes(of: operand) {
        guard let first = seen[whole] else {
          seen[whole] = operand
          continue
        }
        if first != operand, !shared.contains(first) { shared.append(first) }
      }
      if shared.count == mostShared { break }
    }
    return ends + shared.filter { !ends.contains($0) }
  }

  /// Of names that several share; nobody measured it.
  private static let mostShared = 16

  /// Parts of one series, all of which have to be given.
  private mutating func take(
    _ series: PartSeries,
    ofAll operands: [FilePath],
    _ request: Request
  ) throws(CleaveError) {
    do throws(CleaveError) {
      try take(series, of: operands[0], request, isNamed: true)
    } catch  where error.mayBeOfPart {
      // As a shell has them; the other way round may be meant.
      if operands.sorted() == operands { try Self.refuseOrder(operands) }
      throw error
    }
    let names = names
    if names.elementsEqual(operands) { return }
    let (given, known) = (Set(operands), PathSet(names))
    if given.count < operands.count {
      let twice = operands.indices.first { operands[..<$0].contains(operands[$0]) } ?? 0
      evidence.suspect(
        .parts,
        Doubt(.operandGap, operands[twice], "is given twice: \(.asGiven()) joins it twice")
      )
    }
    if let other = names.first(where: { !given.contains($0) }) {
      evidence.suspect(.parts, Doubt(.operandGap, other, Self.notGiven(other, names, given)))
    } else if let other = operands.first(where: { other in
      !known.contains(other)
        && (request.reading.bounds == PartSeries.Bounds() || FileStatus.isAbsent(other))
    }) {
      let text: Sentence =
        "is no part of \(series.base.lastComponent): leave it out, or \(.asGiven(namesOutput: true)) joins it all the same"
      evidence.suspect(.parts, Doubt(.operandGap, other, text))
    } else if !names.elementsEqual(operands.filter(known.contains)) {
      let text: Sentence = "parts are joined in the order of their numbers, not as given"
      evidence.suspect(.parts, Doubt(.operandOrder, series.base, text))
    }
  }

  /// Parts of one split zip, all of which have to be given.
  private mutating func take(
    _ series: SplitZipSeries,
    ofAll operands: [FilePath],
    _ request: Request
  ) throws(CleaveError) {
    do throws(CleaveError) { try take(series, request) } catch {
      let (absent, others) = error.missing.divided { FileStatus.isAbsent($0) }
      guard let other = others.first else { throw error }
      let text = Self.notGiven(other, others, Set(operands))
      let lack = absent.first.map { "; \($0.lastComponent) is missing, too" } ?? ""
      throw CleaveError(.missingInput, other, text + Sentence(lack))
    }
  }

  static func notGiven(
    _ other: FilePath,
    _ names: some Sequence<FilePath>,
    _ given: Set<FilePath>
  ) -> Sentence {
    let count = names.count(where: { !given.contains($0) })
    let others = count > 1 ? " (and \(count - 1) more)" : ""
    return "is a part, too\(others), and is not given: any one part alone stands for all, and "
      + "\(.asGiven()) joins just those that are given"
  }
}

extension PartSeries {
  /// Whether these are all that is there of a series, counted from 1 where names of its form count from 0.
  fileprivate func isAllOf(_ operands: [FilePath]) -> Bool {
    family == .digits && parts.first?.number == 1 && parts.files.paths.elementsEqual(operands)
  }
}
