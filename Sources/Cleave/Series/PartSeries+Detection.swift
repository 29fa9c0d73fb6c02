public import Posix

extension PartSeries {
  /// The series that a file is a part of, or nil where its name is no part's.
  ///
  /// Any one part will do, also a missing one that others of its series exist for. Counts from 0 if
  /// there is a part 0, and from 1 if not. Parts may be missing, or be no regular files:
  /// ``requireComplete(named:bounds:)`` finds out. Lists the directory once.
  ///
  /// - Parameter family: how to read the name; nil for what suits the names beside it.
  /// - Throws: `.missingInput` where there is no part at all; `.badData` where the name can be read in
  ///   several ways that the names beside it bear out, or not as `family`; the error of the directory
  ///   or the part that cannot be looked at.
  public static func containing(
    _ path: FilePath,
    as family: NamingStyle.Family? = nil
  ) throws(CleaveError) -> PartSeries? {
    guard !path.endsInSlash else { return nil }
    let readings = PartName.readings(of: path.lastComponent, by: family.map { [$0] })
      .filter(\.style.isJoined)
    if let family, readings.isEmpty {
      throw CleaveError(.badData, path, "is not named as --as=\(family.rawValue) has it")
    }
    // What is not to be joined is not read in another way.
    guard family != nil || NamingStyle.first(of: path)?.isJoined == true else { return nil }
    let names: [FilePath]
    do { names = try FileSystem.names(in: path.directory) } catch { throw .reading(error) }
    return try containing(path, readings, among: names, isGiven: family != nil)
  }

  private static func containing(
    _ path: FilePath,
    _ readings: [PartName],
    among names: [FilePath],
    isGiven: Bool
  ) throws(CleaveError) -> PartSeries? {
    if !isGiven, isLastOfSplitZip(path.lastComponent, among: names) { return nil }
    let candidates = readings.compactMap { Candidate($0, among: names, isGiven: isGiven) }
    guard let best = try choose(candidates, path) else { return nil }
    do throws(SystemError) {
      let parts = try best.parts(beside: path)
      if parts.isEmpty {
        // Of a name that may be anything, nothing is known to be missing.
        guard best.form.style.isCertain else { return nil }
        throw SystemError("stat", path, .notFound)
      }
      return best.series(parts, beside: path, among: names)
    } catch {
      throw .reading(error)
    }
  }

  /// Whether a name such as `a.part1.zip` has `a.part1.z01` beside it.
  private static func isLastOfSplitZip(_ path: FilePath, among names: [FilePath]) -> Bool {
    guard let name = SplitZipName(path), name.place == .last else { return false }
    return names.contains { other in
      guard let part = SplitZipName(other), part.isPart(with: name) else { return false }
      if case .number = part.place { return true }
      return false
    }
  }

  /// The most specific reading that other parts bear out; without others, the most specific one.
  private static func choose(
    _ candidates: [Candidate],
    _ path: FilePath
  ) throws(CleaveError) -> Candidate? {
    let borneOut = candidates.filter { $0.members.count > 1 }
    guard let best = borneOut.first else { return candidates.first }
    let rival = borneOut.dropFirst().first { $0.isRival(of: best) }
    if let rival {
      throw CleaveError(
        .badData,
        path,
        "is a part of \(best.form.base) with \(best.members.count) parts, or of \(rival.form.base) "
          + "with \(rival.members.count): choose by --as=\(best.form.family.rawValue) or "
          + "--as=\(rival.form.family.rawValue)"
      )
    }
    // GNU split's letters have no end in front: the width that fits most names is meant.
    let sameFamily = borneOut.filter { $0.form.family == best.form.family }
    return sameFamily.max { $0.members.count < $1.members.count } ?? best
  }
}

/// One reading of a name, and the names beside it that it makes parts.
private struct Candidate {
  let form: PartName
  let siblings: Siblings
  let members: [PartDigits]
  let width: Int

  /// Nil where the family asks for more than is there.
  init?(_ form: PartName, among names: [FilePath], isGiven: Bool) {
    self.form = form
    siblings = Siblings(of: form, among: names)
    width = siblings.width(for: form.digits)
    members = siblings.members(width: width)
    if isGiven { return }
    switch form.style.joining {
    case .bytes:
      // A zip by itself is whole, whatever it is called.
      if members.count < 2, SplitZipName(form.name)?.place == .last { return nil }
    case .withEvidence:
      // A digit alone may be what is left; a word with digits behind it is any file.
      let startsRight = members.first.map { form.style.firsts.contains($0.number) } ?? false
      if form.family != .digit, members.count < 2 || !startsRight { return nil }
    case .withFirst:
      guard members.count > 1, let first = members.first, let last = members.last else {
        return nil
      }
      // As many letters as `split` writes, which follow each other, are those of parts also where the
      // first is missing.
      let areNeighbours =
        form.digits.alphabet == .letters && width == 2
        && last.number - first.number < 2 * Int64(members.count)
      if !form.style.firsts.contains(first.number), !areNeighbours { return nil }
    case .rewritten, .never: return nil
    }
    if form.digits.alphabet == .hexadecimal, !isHexadecimal { return nil }
  }

  /// Whether there are letters among the digits, and hardly a number is missing: not just any words.
  private var isHexadecimal: Bool {
    let decimals = members.count { digits in
      let written = PartAlphabet.hexadecimal.digits(of: digits.number, width: digits.width)
      return PartDigits(written) != nil
    }
    let numbering = Numbering.of(members, width: width)
    let places = members.compactMap { numbering.place(of: $0.number) }
    return decimals < members.count && Int64(members.count) * 2 > places.max() ?? 0
  }

  /// Whether both readings are as good, and mean different files.
  func isRival(of other: Candidate) -> Bool {
    guard form.style.isCertain, other.form.style.isCertain else { return false }
    return form.family != other.form.family
  }

  /// Leaves out what went away since the listing, and links that lead nowhere: they are missing.
  func parts(beside path: FilePath) throws(SystemError) -> [PartSeries.Part] {
    var parts: [PartSeries.Part] = []
    parts.reserveCapacity(members.count)
    let numbering = numbering
    for member in members {
      let name = siblings.spellings[member] ?? form.name(member.number, numbering)
      let part = path.sibling(name)
      guard let status = try FileStatus.ifPresent(part) else { continue }
      parts.append(PartSeries.Part(path: part, number: member.number, status: status))
    }
    return parts
  }

  private var numbering: Numbering { Numbering.of(members + [form.digits], width: width) }

  func series(
    _ parts: [PartSeries.Part],
    beside path: FilePath,
    among names: [FilePath]
  ) -> PartSeries {
    let numbering = numbering
    let strays = Strays(among: names) { name in
      form.digits(of: name, folding: true).map(numbering.contains) ?? false
    }
    // Not only of the parts: a link that leads nowhere may be the last one.
    return PartSeries(
      form,
      base: path.sibling(form.base),
      numbering: numbering,
      parts: parts,
      numbers: members.map(\.number) + [form.number],
      foreign: siblings.foreign.map { path.sibling($0) },
      strays: strays
    )
  }
}
