internal import Posix

/// Lists beside the parts, and above them, that tell of them in ways which are not read.
extension Selection {
  /// Tells of such lists. What may prove itself, zips and gzip data, is doubted only where it does not.
  ///
  /// - Parameter isBegun: whether they were looked for before the job was begun, and are not to be said again.
  mutating func noteForeignLists(isBegun: Bool = false) {
    if request.isAsGiven { return }
    // What is said to be bytes is looked at no further.
    let withTexts = !kind.isZip && request.format != .raw
    guard let doubt = uncompared(withTexts: withTexts) else { return }
    if kind.isZip || isGzip {
      doubtUnlessProved = doubt.code == .foreignSums ? doubt : nil
    } else if !isBegun {
      // More is known of it than that it names no part.
      if doubt.code == .silentManifest { evidence.hear(doubt.path) }
      evidence.suspect(.manifest, doubt)
    }
  }

  /// The first list or text that may tell of parts, and is not compared with them, where nothing that is read has sums of
  /// all of them, or of what they make.
  package func uncompared(withTexts: Bool = true) -> Doubt? {
    guard request.manifest == .automatic, !names.contains("-"),
      let first = names.first, !first.hasQuery,
      manifest?.covers(names, makesWhole: makesWhole, of: base) != true
    else { return nil }
    if let unclearLines { return unclearLines }
    let groups =
      kind == .series ? [Self.ends(of: names)] : names.byDirectory.map { Self.ends(of: $0) }
    var known: Set<FilePath> = []
    for group in groups {
      guard let listing = try? DirectoryListing(beside: group[0], unless: listing(beside: group[0]))
      else { continue }
      known.insert(listing.path)
      if let found = foreign(in: listing, beside: group[0], about: group) { return found }
    }
    if let above = placeAbove, known.insert(above.listing.path).inserted {
      let files = groups.flatMap(\.self)
      // What is there itself is what is meant.
      let isOther = files.contains { above.listing.set.contains($0.lastComponent) }
      let found =
        isOther ? nil : foreign(in: above.listing, beside: above.place, about: files)
      if let found { return found }
    }
    return withTexts ? ofTexts : nil
  }

  /// What small texts beside parts tell, whatever they are called: it may be about other files.
  private var ofTexts: Doubt? {
    guard let first = names.first else { return nil }
    // Of as many as there are hexadecimal digits, one tells whether they are.
    let some = (names.prefix(16) + names.suffix(1)).map(\.lastComponent)
    let form =
      kind == .series ? base.flatMap { PartName.counting(some, for: $0.lastComponent) } : nil
    let files = FilesMeant(base, names, counted: form)
    let texts = Manifest.texts(beside: first, about: files, listing(beside: first))
      .filter { !Joiner.isName($0.path) && manifest?.has(list: $0.path) != true }
    if texts.isEmpty { return nil }
    if let next = nextName, let text = texts.first(where: { $0.names(next) }) {
      return Doubt(.silentManifest, text.path, "names \(next), which is not there")
    }
    if let list = texts.first(where: { $0.isList(of: files) }) {
      let text: Sentence =
        "has sums of the parts or the whole, and is not called as lists are: \(Setting.manifest) compares with it"
      return Doubt(.silentManifest, list.path, text)
    }
    let sought = Self.ends(of: names).map(\.lastComponent)
    let untold = texts.first {
      $0.mayHaveSums(of: sought, or: base?.lastComponent, count: names.count)
    }
    return untold.map {
      Doubt(
        .silentManifest,
        $0.path,
        "may have sums that are not compared, and nothing else proves the parts"
      )
    }
  }

  /// The name behind that of the last part, where nothing tells that it is the last.
  private var nextName: FilePath? {
    guard kind == .series, !evidence.isEndKnown, request.reading.bounds.last == nil, let base,
      let last = names.last?.lastComponent,
      let form = PartName.counting([last], for: base.lastComponent), let end = form.digits(of: last)
    else { return nil }
    let rule = Numbering(alphabet: end.alphabet, width: end.width, isWidening: false)
    return rule.successor(of: end.number).map { form.name($0, rule) }
  }

  private var isGzip: Bool {
    guard let first = files?.first, let head = try? Self.head(of: first.path, first.status) else {
      return false
    }
    return FileFormat.of(.gzip).begins(head)
  }

  /// The first of the files in each directory.
  var firsts: [FilePath] {
    kind == .series ? names.first.map { [$0] } ?? [] : names.firstOfEachDirectory
  }

  /// The directory above those of all files.
  var placeAbove: PlaceOfLists? {
    guard let first = names.first, !first.hasQuery else { return nil }
    return firsts.count == 1 ? directoryAbove(first, names).found : DirectoryAbove(names).found
  }

  /// Some of the files, which a list of all of them has.
  static func ends(of files: some BidirectionalCollection<FilePath>) -> [FilePath] {
    files.prefix(mostSought) + files.dropFirst(mostSought).suffix(1)
  }

  /// Names that are looked for in a list.
  private static var mostSought: Int { 8 }

  /// What is to be said of a list that is not read, and is about some files or what they make; nil where there is none.
  private func foreign(
    in listing: DirectoryListing,
    beside place: FilePath,
    about files: [FilePath]
  ) -> Doubt? {
    let companions = listing.companions
    let possible = listing.known { _ in PossibleForeign(among: companions) }
    if possible.lists.isEmpty, possible.parity.isEmpty { return nil }
    let names = files.map(\.lastComponent)
    let meant = (base.map { [$0.lastComponent] } ?? []) + names
    let home = try? FileStatus.of(files[0].directory).identity
    let parts = PathSet(self.names.lazy.map(\.lastComponent))
    let originals = originals(of: names, in: listing)
    for name in possible.lists where !parts.contains(name) {
      let path = place.sibling(name)
      guard
        let bytes = (try? Manifest.contents(of: path, Manifest.largestFile)).map(
          ManifestLines.decoded
        )
      else { continue }
      let isNameless = ForeignList.isNameless(bytes, count: self.names.count)
      let text = Manifest.Text(path: path, bytes: bytes)
      let list = Result { () throws(CleaveError) in try Manifest(read: bytes, path: path) }
      let isMisread = (try? list.get()).map { meant.allSatisfy($0.isMisread) } ?? false
      let isTold = text.isDigests(of: names, or: base?.lastComponent, isMisread: isMisread)
      let isAbout =
        isNameless || isTold || ForeignList.isAbout(meant, bytes, path: path, home: home)
      let whole = (try? list.get())?.likelyWhole(of: base)
      let other = (try? list.get()).flatMap(otherNames)
      if !isAbout, originals.isEmpty, whole == nil, other == nil { continue }
      let said: Sentence
      var way: Sentence = ""
      if isAbout, let text = self.text(of: list, path, bytes, about: meant, isTold: isTold, home) {
        said = text
      } else if isNameless, (try? list.get()) == nil {
        said = "has as many sums as there are parts, and no names"
      } else if let list = try? list.get(),
        let copy = originals.first(where: { list.names($0.original) })
      {
        said = "has \(copy.original), of which \(copy.part) may be another copy"
        way = "rename the parts, or "
      } else if let whole {
        let text: Sentence =
          "has \(whole), which the parts may make, and is not compared: \(.output(place.sibling(whole))) compares it"
        return Doubt(.silentManifest, path, text)
      } else if let other {
        (said, way) = Self.said(ofOtherNames: other)
      } else {
        continue
      }
      return .foreign(path, said, way)
    }
    let parity = possible.parity.lazy.map(place.sibling).first { path in
      guard let bytes = try? Manifest.contents(of: path, Manifest.largestFile),
        bytes.starts(with: "PAR2\0PKT".utf8)
      else { return false }
      return meant.contains { ByteSearch($0.bytes).isFound(in: bytes) }
    }
    return parity.map { path in
      Doubt(.silentManifest, path, "\(Self.silent): 'par2 verify' compares them")
    }
  }

  /// What is said of a list that is about some files, and is not read; nil of any other.
  ///
  /// - Parameter isTold: whether it has their names, and digests, wherever these are.
  private func text(
    of list: Result<Manifest, CleaveError>,
    _ path: FilePath,
    _ bytes: [UInt8],
    about names: [FilePath],
    isTold: Bool,
    _ home: FileStatus.Identity?
  ) -> Sentence? {
    if case .failure(let error) = list, error.isOfForeignList { return error.text }
    let read = try? list.get()
    let misread = names.first { part in
      ForeignList.hasSum(of: part, in: bytes, path: path, home: home)
    }
    if let misread, read?.isMisread(misread) ?? true {
      return "has \(misread) in a line that is not read"
    }
    let isRead = read.map { list in !names.allSatisfy(list.isMisread) } ?? false
    return isTold && !isRead ? Sentence(ForeignList.odd) : nil
  }

  /// What is said of a list of parts by other names, and what may be done.
  static func said(ofOtherNames first: FilePath) -> (said: Sentence, way: Sentence) {
    (
      "is of as many parts with as many bytes, \(first) and others, which are not there",
      "\(Setting.manifest) compares with it, rename the parts, or "
    )
  }

  /// The first name in a list of split, where it may be of the parts by their number and bytes, and none of its files is
  /// there, or one of the parts, which a job may have freed; nil of any other.
  func otherNames(in list: Manifest) -> FilePath? {
    guard list.isOwn, list.entries.count == names.count, let size = list.whole?.expected.size,
      size == files?.totalSize, !names.contains(where: { list.expected(of: $0) != nil }),
      list.entries.allSatisfy({ FileStatus.isAbsent(list.path.sibling($0.name)) })
    else { return nil }
    return list.entries.first?.name
  }

  /// What parts would be called without the mark of a second copy, or an ending that was put behind them, and what they
  /// make, where there are no such files.
  private func originals(
    of names: [FilePath],
    in listing: DirectoryListing
  ) -> [(original: FilePath, part: FilePath)] {
    let found = names.flatMap { name in
      let plain = name.withoutEnding
      let isPart = plain != name && PartName.readings(of: plain).contains(where: \.style.isCertain)
      return (CopyName.originals(of: name, isSure: true) + (isPart ? [plain] : []))
        .map { (original: $0, part: name) }
    }
    let wholes = found.flatMap { original, part in
      PartName.readings(of: original).filter(\.style.isJoined).map { ($0.base, part) }
    }
    // What several parts would be called is no part.
    let counts = Dictionary(found.map { ($0.original, 1) }, uniquingKeysWith: +)
    return (found.filter { counts[$0.original] == 1 } + wholes).filter {
      !listing.names.contains($0.original)
    }
  }

  private static let silent: Sentence =
    "has sums that are not compared, and nothing else proves the parts"

  /// Names that may be those of such lists.
  private struct PossibleForeign: Sendable {
    let lists: [FilePath]
    /// PAR 2.0, which has the MD5 of each file.
    let parity: [FilePath]

    init(among names: [FilePath]) {
      lists = names.filter(Manifest.isListName).sorted()
      parity = names.filter { $0.endsFolded(in: ".par2") }.sorted()
    }
  }
}

extension Doubt {
  static func ofNoPart(_ list: FilePath) -> Doubt {
    Doubt(.silentManifest, list, "names none of the parts; not compared")
  }

  static func ofSameLine(_ path: FilePath) -> Doubt {
    Doubt(
      .sameLine,
      path,
      "all parts begin with the same line: \(.leavingOutHeader) takes it from the first alone, "
        + "\(.format(.raw)) joins them as they are"
    )
  }

  /// - Parameters:
  ///   - said: why the list is not compared.
  ///   - way: what else may be done, and `or`.
  static func foreign(_ list: FilePath, _ said: Sentence, _ way: Sentence = "") -> Doubt {
    let end: Sentence =
      "and nothing else proves the parts: \(way)\(.withoutManifest) merges without it"
    return Doubt(.foreignSums, list, "\(said), \(end)")
  }
}
