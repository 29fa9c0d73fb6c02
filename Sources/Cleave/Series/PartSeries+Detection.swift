public import Posix

extension PartSeries {
  /// The series that a file is a part of, or nil where its name is no part's.
  ///
  /// Any one part will do, also a missing one that others of its series exist for. Counts from 0 if
  /// there is a part 0, and from 1 if not. Parts may be missing, or be no regular files:
  /// that is found out when all have to be there.
  ///
  /// - Parameters:
  ///   - path: of any part, or where one would be.
  ///   - family: how to read the name; nil for what suits the names beside it.
  ///   - listing: the names of the file's directory, which is listed where none is given.
  ///   - isRaw: whether parts with headers of their own are joined, too.
  /// - Throws: `.missingInput` where there is no part at all; `.badData` where the name can be read in
  ///   several ways that the names beside it bear out, or not as `family`; the error of the directory
  ///   or the part that cannot be looked at.
  public static func containing(
    _ path: FilePath,
    as family: NamingStyle.Family? = nil,
    in listing: DirectoryListing? = nil,
    isRaw: Bool = false
  ) throws(CleaveError) -> PartSeries? {
    guard !path.endsInSlash else { return nil }
    let isForeign =
      isRaw && family == nil && NamingStyle.first(of: path.lastComponent)?.isRefused == true
    let readings = PartName.readings(of: path.lastComponent, by: family.map { [$0] })
      .filter { isForeign ? $0.style.isRefused : $0.style.isJoined }
    if let family, readings.isEmpty {
      throw CleaveError(.badData, path, "is not named as \(mentioning: .family(family)) has it")
    }
    let isGiven = family != nil || isForeign
    guard isGiven || mayBeRead(path.lastComponent, readings) else { return nil }
    let names = try DirectoryListing(beside: path, unless: listing).names
    return try containing(path, readings, among: names, isGiven: isGiven)
  }

  /// The series of `base` that a file is a part of; nil where it is none of that.
  static func containing(
    _ path: FilePath,
    for base: FilePath,
    in listing: DirectoryListing?
  ) throws(CleaveError) -> PartSeries? {
    let readings = PartName.readings(of: path.lastComponent, for: base.lastComponent)
    let names = try DirectoryListing(beside: path, unless: listing).names
    return try containing(path, readings, among: names, isGiven: true)
  }

  /// What is not to be joined is not read in another way, but that raw pieces may be named like the
  /// parts of a split zip.
  private static func mayBeRead(_ name: FilePath, _ readings: [PartName]) -> Bool {
    NamingStyle.first(of: name)?.isJoined == true
      || SplitZipName(name) != nil && readings.contains { $0.family == .zipPieces }
  }

  private static func containing(
    _ path: FilePath,
    _ readings: [PartName],
    among names: PathList,
    isGiven: Bool
  ) throws(CleaveError) -> PartSeries? {
    guard let best = try candidate(path, readings, among: names, isGiven: isGiven) else {
      return nil
    }
    return try reading { () throws(SystemError) -> PartSeries? in
      let parts = try best.parts(beside: path)
      if parts.isEmpty {
        // Of a name that may be anything, nothing is known to be missing.
        guard best.style.isCertain else { return nil }
        throw SystemError("stat", path, .notFound)
      }
      return best.series(parts, beside: path, among: names)
    }
  }

  static func candidate(
    _ path: FilePath,
    _ readings: [PartName],
    among names: PathList,
    isGiven: Bool = false
  ) throws(CleaveError) -> SeriesCandidate? {
    if !isGiven, isOfSplitZip(path.lastComponent, readings, among: names) { return nil }
    let candidates = readings.compactMap { form in
      SeriesCandidate(form, of: path, among: names, isGiven: isGiven)
    }
    guard let best = try choose(candidates, path, among: names) else { return nil }
    if let why = best.contradiction(among: names) {
      let remedy: Sentence =
        "\(.asGiven(namesOutput: true)) joins the parts that are given, in their order"
      throw CleaveError(.badData, path, "\(why): \(remedy)")
    }
    if !isGiven, let ten = best.hexadecimalTen(among: names) {
      let isNamedSo = readings.contains { $0.family == .hexadecimal }
      let way: Sentence =
        isNamedSo
        ? "choose by \(.family(best.form.family)) or \(.family(.hexadecimal))"
        : "\(.family(best.form.family)) leaves it out, \(.asGiven(namesOutput: true)) joins those that are named"
      throw CleaveError(
        .badData,
        path,
        "\(ten) is there, so that the digits may be hexadecimal: \(way)"
      )
    }
    if let rival = wider(than: best, path, among: names),
      !isGiven || rival.isLikelier(than: best)
    {
      throw ambiguity(path, best, rival)
    }
    return best
  }

  /// Hexadecimal numbers of which a series takes only those without letters. Without their first part they
  /// are no candidate by themselves.
  private static func wider(
    than best: SeriesCandidate,
    _ path: FilePath,
    among names: PathList
  ) -> SeriesCandidate? {
    guard best.form.digits.alphabet == .decimal, best.style.isJoined else { return nil }
    return PartName.readings(of: path.lastComponent).lazy.filter { form in
      form.digits.alphabet == .hexadecimal && form.style.isJoined
        && form.head == best.form.head && form.tail == best.form.tail
    }
    .compactMap { SeriesCandidate($0, of: path, among: names, isGiven: true) }
    .first { rival in
      // At the end of a name, any letters may be a file type; and one letter may be anything.
      rival.isHexadecimal && rival.members.count > best.members.count
        && (rival.form.family != .hexadecimal && rival.form.width > 1
          || rival.isLikelier(than: best))
    }
  }

  private static func ambiguity(
    _ path: FilePath,
    _ best: SeriesCandidate,
    _ rival: SeriesCandidate
  ) -> CleaveError {
    let ways: Sentence =
      rival.isLikelier(than: best)
      ? "\(.family(rival.form.family)) takes all of them, \(.asGiven()) joins those that are given"
      : "choose by \(.family(best.form.family)) or \(.family(rival.form.family))"
    return CleaveError(
      .badData,
      path,
      "is a part of \(best.form.base) with \(best.members.count) parts, or of \(rival.form.base) "
        + "with \(rival.members.count): \(ways)"
    )
  }

  /// The reading that merging takes of a name among others; nil where it takes none for sure.
  static func likeliest(_ path: FilePath, among names: PathList) -> SeriesCandidate? {
    let readings = PartName.readings(of: path.lastComponent).filter(\.style.isJoined)
    guard mayBeRead(path.lastComponent, readings) else { return nil }
    return (try? candidate(path, readings, among: names)) ?? nil
  }

  /// Whether a name such as `a.part1.zip` has `a.part1.z01` beside it, or `a.z01` has no `a.z00`.
  private static func isOfSplitZip(
    _ path: FilePath,
    _ readings: [PartName],
    among names: PathList
  ) -> Bool {
    guard let name = SplitZipName(path) else { return false }
    let others = names.likely(beginning: name.stem.bytes).filter {
      SplitZipName($0)?.isPart(with: name) ?? false
    }
    switch name.place {
    case .executable: return false
    case .last:
      return others.contains { if case .number = SplitZipName($0)?.place { true } else { false } }
    case .number:
      let isBegun = readings.contains { form in
        form.family == .zipPieces && names.contains { form.digits(of: $0)?.number == 0 }
      }
      return !isBegun || others.contains { SplitZipName($0)?.place == .last }
    }
  }

  /// The most specific reading that other parts bear out; without others, the one whose manifest is there, or the
  /// most specific one.
  private static func choose(
    _ candidates: [SeriesCandidate],
    _ path: FilePath,
    among names: PathList
  ) throws(CleaveError) -> SeriesCandidate? {
    let borneOut = candidates.filter { $0.members.count > 1 }
    guard let best = borneOut.first else {
      return candidates.first { $0.hasManifest(names) } ?? candidates.first
    }
    // Hexadecimal numbers, of which best takes only those without letters.
    let wider = borneOut.first { candidate in
      candidate.form.digits.alphabet == .hexadecimal && candidate.form.head == best.form.head
        && candidate.form.tail == best.form.tail && candidate.isBegun
        && candidate.members.count > best.members.count
    }
    let isDecimal = best.form.digits.alphabet == .decimal
    if isDecimal, let wider, wider.isWithoutGap { return wider }
    if let rival = borneOut.dropFirst().first(where: { $0.isRival(of: best) }) {
      let isListed = best.hasManifest(names)
      if isListed == rival.hasManifest(names) { throw ambiguity(path, best, rival) }
      return isListed ? best : rival
    }
    // xaa and x0aa are hexadecimal numbers where the others are there: 00, 01 … a9 and those behind it.
    if best.form.digits.alphabet == .letters,
      let wider = borneOut.first(where: { $0.isHexadecimal && $0.takesAll(of: best) })
    {
      if wider.isBegun { return wider }
      if wider.isLikelier(than: best) { throw ambiguity(path, best, wider) }
    }
    // GNU split's letters have no end in front: the width that fits most names is meant.
    let sameFamily = borneOut.filter { $0.form.family == best.form.family }
    return sameFamily.max { $0.members.count < $1.members.count } ?? best
  }

  /// How a file would be a part of a series, though it is not one by default.
  struct Possibility {
    let family: NamingStyle.Family
    /// Parts.
    let count: Int
    /// What the first part has in place of its number, where names of the family begin with another.
    let first: FilePath?

    /// The beginning of a sentence that goes on with what that does.
    var way: Sentence {
      first.map { "\(.family(family)) with \(.first($0))" } ?? "\(.family(family))"
    }
  }

  /// How a file would be a part of a series, for a message that offers it.
  ///
  /// - Parameter listing: the names of the file's directory.
  static func possible(_ path: FilePath, in listing: DirectoryListing) -> Possibility? {
    let readings = PartName.readings(of: path.lastComponent).filter(\.style.isJoined)
    let found = readings.lazy.compactMap { form in
      SeriesCandidate(form, of: path, among: listing.names, isGiven: true)
    }
    let likely = found.first { candidate in
      candidate.members.count > 1 && candidate.isWithoutGap
        && (candidate.isBegun || candidate.isBegunAnywhere && candidate.form.tail.bytes.isEmpty)
        && (candidate.form.digits.alphabet != .hexadecimal || candidate.isHexadecimal)
        // `x0a` goes on behind `x09`.
        && (candidate.form.digits.alphabet != .decimal
          || !listing.names.contains { candidate.form.isBehindNine($0) && candidate.form.isTen($0) })
        && wider(than: candidate, path, among: listing.names) == nil
    }
    return likely.map { candidate in
      Possibility(
        family: candidate.form.family,
        count: candidate.members.count,
        first: candidate.isBegun ? nil : candidate.members.first.map { FilePath("\($0.number)") }
      )
    }
  }
}
