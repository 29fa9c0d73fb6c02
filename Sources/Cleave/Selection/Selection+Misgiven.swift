internal import Posix

// Operands that are taken as they come, and are hardly the parts of one file by their names.
extension Selection {
  /// - Throws: `.missingInput` where a file has the name of the whole that several others may be parts
  ///   of, or the beginning and the end of it, and as many bytes as all others together.
  static func refuseWhole(among operands: [FilePath]) throws(CleaveError) {
    guard operands.count > 2, !operands.contains("-") else { return }
    let given = Set(operands)
    var counts: [FilePath: Int] = [:]
    for operand in operands {
      for whole in PartName.wholes(of: operand) where whole != operand && given.contains(whole) {
        counts[whole, default: 0] += 1
      }
    }
    let named = operands.first { counts[$0] ?? 0 > 1 }
    // The last part of a split zip has that name, too.
    if let named, let last = SplitZipName(named.lastComponent), last.place == .last {
      let odd = operands.first { operand in
        operand != named && SplitZipName(operand.lastComponent)?.isPart(with: last) != true
      }
      if let odd {
        throw misgiven(
          odd,
          "is none of the parts of \(named.lastComponent), as other operands are: leave it out, or "
        )
      }
    }
    guard let whole = named ?? sum(among: operands) else { return }
    throw misgiven(
      whole,
      "has the name of the whole that other operands are parts of: leave it out, or "
    )
  }

  /// The error about a file that is not joined with others unless that is said.
  static func misgiven(_ operand: FilePath, _ text: Sentence) -> CleaveError {
    CleaveError(
      .missingInput,
      operand,
      text + "\(.asGiven(namesOutput: true)) joins all of them in this order"
    )
  }

  /// - Throws: `.missingInput` where all operands but one are counted, by the same name but for a number, and that one has
  ///   another ending, or the number that they lack and something in front of their name, or a number of
  ///   theirs in the middle of three; and where the head of a stream is behind the rest.
  static func refuseStray(among operands: [FilePath]) throws(CleaveError) {
    guard operands.count > 2, !operands.contains("-"), CountedNames(operands) == nil else { return }
    var texts = operands.map(\.lastComponent.withoutNumbers)
    // Of `S02.003.mkv` among parts of `S01.mkv`, another number is another name.
    let areAlike = Set(texts).count == 1
    if areAlike { texts = operands.map(\.lastComponent.withoutLastNumber) }
    let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
    if let last = operands.last?.lastComponent.bytes, last.starts(with: "init".utf8),
      last.dropFirst(4).first.map(PartAlphabet.letters.contains) == false,
      counts[texts[0]] ?? 0 > 1,
      [".m4s", ".mp4", ".m4v", ".m4a"].contains(where: operands[0].endsFolded)
    {
      throw misgiven(
        operands[operands.count - 1],
        "says that it is in front of the others, and is named behind them: name it first, or "
      )
    }
    guard let index = texts.firstIndex(where: { counts[$0] == 1 }),
      counts.values.contains(operands.count - 1)
    else { return }
    var others = operands
    let odd = others.remove(at: index)
    guard index > 0 || !saysFirst(odd), let counted = CountedNames(others), counted.areInDecimal,
      others.allSatisfy({ $0.directory == odd.directory }),
      others.allSatisfy({ ending($0) != ending(odd) }) || counted.lack(odd)
        || others.count > 2 && (1..<others.count).contains(index) && counted.areInOrder
          && (counted.overlaps(odd) || ending(odd).isEmpty)
        || areAlike && index == others.count && isBehindOther(odd, counted)
    else { return }
    throw misgiven(odd, "is not counted as the other operands are: leave it out, or ")
  }

  /// Whether a file goes on the count of some by its number, and by its name that of others, which are there.
  private static func isBehindOther(_ file: FilePath, _ counted: CountedNames) -> Bool {
    counted.predecessor(of: file).map { !FileStatus.isAbsent($0) } ?? false
  }

  /// Whether a name says that it is in front of what is counted, as `init.mp4` is of `seg-1.m4s`.
  static func saysFirst(_ path: FilePath) -> Bool {
    let name = path.lastComponent.letters
    return ["init", "head", "hdr"].contains(where: name.contains)
  }

  /// - Throws: `.badData` where all files have the ending of one kind, and another begins as those do than the first.
  func refuseStart(in parts: JoinedBytes) throws(CleaveError) {
    let names = names.map(\.lastComponent)
    guard names.count > 1,
      let format = FileFormat.promised(by: names[0])
        ?? FileFormat.table.first(where: { $0.usualEndings.contains(where: names[0].endsFolded) }),
      names.allSatisfy({ Self.ending($0).map(\.folded) == Self.ending(names[0]).map(\.folded) })
    else { return }
    for (index, start) in parts.layout.starts.enumerated().prefix(Self.mostAsked + 1)
    where index < names.count {
      let count = Int(min(Int64(FileFormat.headSize), parts.layout.sizes[index]))
      guard format.begins(try parts.bytes(count, at: start) ?? []) else { continue }
      if index == 0 { return }
      throw CleaveError(
        .badData,
        self.names[index],
        "begins as \(format.name) does, and \(names[0]) does not: they are in the wrong order, or not all of one file; "
          + "\(.asGiven(namesOutput: true)) joins them in this order"
      )
    }
  }

  /// Tells of tables that begin with the same line. Sums of each prove nothing of how they are joined.
  mutating func suspectTables(_ parts: JoinedBytes) throws(CleaveError) {
    let endings = [".csv", ".tsv", ".psv", ".tab"]
    guard names.count > 1, request.headerRecords == nil, layout?.header ?? 0 == 0,
      names.allSatisfy({ name in endings.contains(where: name.endsFolded) }),
      manifest?.isOwn != true, manifest?.whole(of: base)?.canProve != true,
      try PartHeads(of: parts).repeatHeader
    else { return }
    evidence.suspect(.content, .ofSameLine(names[0]))
  }

  private static func ending(_ path: FilePath) -> ArraySlice<UInt8> {
    let name = path.lastComponent
    return name.bytes.dropFirst(name.withoutEnding.bytes.count)
  }

  /// Files whose beginnings are looked at.
  private static let mostAsked = 64

  /// The file that is as large as all others together, whose names have more in the middle.
  private static func sum(among operands: [FilePath]) -> FilePath? {
    var sizes: [Int64] = []
    for operand in operands {
      guard let status = try? FileStatus.of(operand) else { return nil }
      sizes.append(status.size)
    }
    let total = sizes.reduce(0) { $0 &+ $1 }
    guard let index = sizes.firstIndex(where: { $0 > 0 && $0 == total &- $0 }) else { return nil }
    let name = operands[index].lastComponent.bytes
    let cut = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let (stem, ending) = (name[..<cut], name[cut...])
    for (other, operand) in operands.enumerated() where other != index {
      let bytes = operand.lastComponent.bytes
      guard bytes.count > name.count, bytes.starts(with: stem),
        bytes.suffix(ending.count).elementsEqual(ending)
      else { return nil }
    }
    return operands[index]
  }

  /// - Throws: `.missingInput` where a file has the name of a download that has not ended.
  static func refuseDownload(among operands: [FilePath]) throws(CleaveError) {
    guard let download = operands.first(where: { DownloadName.matches($0.lastComponent) }) else {
      return
    }
    throw misgiven(download, "has the name of a download that has not ended: ")
  }

  /// - Throws: `.missingInput` where a file has the name of another copy of one of the others.
  static func refuseCopy(among operands: [FilePath]) throws(CleaveError) {
    let given = Set(operands)
    for operand in operands {
      let originals = CopyName.originals(of: operand.lastComponent, isSure: true)
      guard let original = originals.map(operand.sibling).first(where: given.contains) else {
        continue
      }
      throw misgiven(operand, "may be another copy of \(original.lastComponent): ")
    }
  }

  /// - Throws: `.missingInput` where one file alone has the name of a part, and not of the first.
  static func refuseLone(among operands: [FilePath]) throws(CleaveError) {
    let given = Set(operands)
    for operand in operands where operands.count > 1 && !given.contains("-") {
      let form = PartName.readings(of: operand.lastComponent).first { form in
        switch form.digits.alphabet {
        // `firmware-1.02` has a version.
        case .decimal:
          form.style.isCertain && form.digits.isPadded && form.base.bytes.last?.isDigit == false
        case .letters: form.width > 1 && given.contains(operand.sibling(form.base))
        case .hexadecimal, .afterS: false
        }
      }
      guard let form, form.number > (form.digits.alphabet == .letters ? 0 : 1),
        operands.count(where: { form.digits(of: $0.lastComponent) != nil }) == 1
      else { continue }
      throw misgiven(
        operand,
        "is a part of \(form.base), and those in front of it are not given: "
      )
    }
  }

  /// Warns of operands that are counted in groups, in the order in which a shell has names, where the numbers of one are
  /// those of the first.
  mutating func suspectOtherCount(_ operands: [FilePath]) {
    var groups: [(text: [UInt8], files: [FilePath])] = []
    for operand in operands {
      let text = operand.inSmallLetters.withoutNumbers
      if groups.last?.text != text { groups.append((text, [])) }
      groups[groups.count - 1].files.append(operand)
    }
    guard groups.count > 1, let first = CountedNames(groups[0].files), first.areInDecimal,
      !Self.saysFirst(operands[0]), Set(groups.map(\.text)).count == groups.count,
      operands.sorted() == operands,
      groups.dropFirst().allSatisfy({ group in
        if group.files.count == 1 { return first.overlaps(group.files[0]) }
        guard let counted = CountedNames(group.files) else { return false }
        return counted.areInDecimal && counted.range.overlaps(first.range)
      })
    else { return }
    let text: Sentence =
      "begins another count than \(groups[0].files[0]), as parts of another file do; they are joined as given"
    evidence.suspect(.parts, Doubt(.otherCount, groups[1].files[0], text))
  }

  /// - Throws: `.badData` where the names are those of parts of several files.
  static func refuseMixed(_ operands: [FilePath]) throws(CleaveError) {
    var bases: [FilePath] = []
    for operand in operands {
      if operand == "-" { return }
      let readings = PartName.readings(of: operand.lastComponent)
      guard
        let name = PartName.common([operand.lastComponent])?.base
          ?? readings.first(where: { $0.total != nil })?.base
          ?? SplitZipName(operand.lastComponent)?.stem.inSmallLetters
      else { return }
      let base = operand.sibling(name)
      if !bases.contains(base) { bases.append(base) }
      if bases.count > 1 { throw mixed(operand, operands[0]) }
    }
  }

  /// The error about a part of another file than another one is of.
  static func mixed(_ part: FilePath, _ other: FilePath) -> CleaveError {
    CleaveError(
      .badData,
      part,
      "is a part of another file than \(other): \(.each) merges one after the other, \(.asGiven(namesOutput: true)) joins them"
    )
  }
}
