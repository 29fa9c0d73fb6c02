internal import Posix

/// Names that are the same but for a number, and of no family.
extension Selection {
  /// - Throws: `.missingInput` where names, or some of them, differ in a number alone, and the numbers do not rise.
  static func refuseOrder(_ operands: [FilePath]) throws(CleaveError) {
    let counting = counting(operands)
    // In any letters.
    let named = zip(operands, counting).map { (path: $0, name: $1, folded: $1.inSmallLetters) }
    // Of some among others, or of directories, only the order is doubted in which a shell has names.
    let alike = Dictionary(grouping: named) {
      [FilePath(bytes: $0.folded.withoutNumbers), $0.folded.directory]
    }
    let sorted = (alike.values.filter { $0.count > 2 && $0.count < named.count } + [named])
      .filter { zip($0, $0.dropFirst()).allSatisfy { $0.name < $1.name } }
    for group in sorted + (counting == operands ? [named] : []) {
      // In front of `f1.mp4` and others, `f.mp4` has no number.
      let isBegun =
        group.count > 2 && group[0].folded.withoutNumbers == group[1].folded.withoutNumbers
      for counted in [group] + (isBegun ? [Array(group.dropFirst())] : []) {
        guard let names = CountedNames(counted.map(\.folded)) else { continue }
        guard case .order(let place) = names.fault else { break }
        throw CleaveError(
          .missingInput,
          counted[place].path,
          "is given behind \(counted[place - 1].path), against their numbers: name them in the order of their numbers, or "
            + "\(.asGiven()) joins them in this one"
        )
      }
    }
  }

  /// Paths whose last component tells files apart: where all have one name, their directories.
  private static func counting(_ files: [FilePath]) -> [FilePath] {
    var paths = files
    while let first = paths.first, first != ".", first.directory != first,
      paths.allSatisfy({ $0.lastComponent == first.lastComponent })
    {
      paths = paths.map(\.directory)
    }
    return paths
  }

  /// Looks for numbers that are left out among names that are the same but for those.
  mutating func suspectGap(_ operands: [FilePath]) {
    let (path, text): (FilePath, Sentence)
    let counted = CountedNames(operands)
    switch counted?.fault {
    case .order?: return
    case nil:
      guard let next = next(behind: counted) else { return }
      let isDownload = DownloadName.matches(next.lastComponent)
      (path, text) = (
        next,
        "\(isDownload ? "is a download of the next" : "has the next number"), and is \(Self.notGiven)"
      )
    case .gap(let place)?:
      path = operands[place]
      text = Self.gap(behind: operands[place - 1])
    case .start?:
      (path, text) = (
        operands[0], "is not the first by its number, and those in front of it are \(Self.notGiven)"
      )
    case .end(let total)?:
      path = operands[operands.count - 1]
      text = "tells of \(total) parts, and those behind it are \(Self.notGiven)"
    }
    evidence.suspect(.parts, Doubt(.operandGap, path, text))
  }

  /// Looks for a size that contradicts the others among names that are the same but for a number.
  mutating func suspectSize(_ operands: [FilePath]) {
    guard operands.count > 2, CountedNames(operands).map({ $0.fault == nil }) == true, let files,
      let odd = OddPart(Array(files.sizes)),
      manifest?.covers(names, makesWhole: false, of: nil) != true
    else { return }
    let text: Sentence = "\(odd.said(of: names)): \(odd.cause); \(.asGiven()) joins all"
    evidence.suspect(.sizes, Doubt(.size, names[odd.index], text))
  }

  /// What has the next number beside files of one size, and could be the last of them by its size, or is a download of
  /// that, whatever their sizes; nil where there is none.
  private func next(behind counted: CountedNames?) -> FilePath? {
    guard let next = counted?.next.flatMap({ names.last?.sibling($0) }) else { return nil }
    guard let status = try? FileStatus.of(next) else {
      let downloads = DownloadName.endings.lazy.map { next.adding($0) }
      return downloads.first { (try? FileStatus.of($0)) != nil }
    }
    guard let sizes = files?.sizes, let size = sizes.first, sizes.allSatisfy({ $0 == size }),
      status.kind == .regular, (1...max(1, size)).contains(status.size)
    else { return nil }
    return next
  }
}

extension FilePath {
  /// The same with ASCII letters in small ones.
  var inSmallLetters: FilePath { FilePath(bytes: bytes.map(\.folded)) }

  /// What is left of a name without digits, and what stands around those of copies.
  var withoutNumbers: [UInt8] {
    lastComponent.bytes.filter {
      !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) && !" ()".utf8.contains($0)
    }
  }

  /// The name without the last number that is in front of its ending.
  var withoutLastNumber: [UInt8] {
    let name = lastComponent.bytes
    let stem = lastComponent.withoutEnding.bytes
    let front = stem.lastIndex(where: \.isDigit).map { stem[...$0] } ?? stem[...]
    let rest = front.dropLast(front.reversed().prefix(while: \.isDigit).count)
    return Array(rest) + name[front.count...]
  }
}
