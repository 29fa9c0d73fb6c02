package import Posix

/// The files in a directory that are named like the parts of one split zip.
package struct SplitZipSeries: Hashable, Sendable {
  /// The name that the parts share, with its directory and without an extension.
  package let stem: FilePath
  /// The numbered parts, by number; the program in the place of the first counts as 1.
  package let numbered: [Int64: FilePath]
  /// The last part.
  package let last: FilePath?
  /// Copies and downloads of parts.
  private(set) var neighbours = Neighbours()
  private let family: SplitZipName.Family
  private let isUpperCase: Bool

  /// The numbers of the parts that are there, rising.
  package var numbers: [Int64] { numbered.keys.sorted() }

  /// The parts beside a file that is named like one; nil where it is not.
  ///
  /// A file that ends in `.zip` is one, even with no other beside it; one that ends in `.exe` only
  /// with a second part.
  ///
  /// - Parameter listing: the names of the file's directory, which is listed where none is given.
  package static func containing(
    _ path: FilePath,
    in listing: DirectoryListing? = nil
  ) throws(CleaveError) -> SplitZipSeries? {
    guard !path.endsInSlash, let name = SplitZipName(path.lastComponent) else { return nil }
    let names = try DirectoryListing(beside: path, unless: listing).names
    var series = SplitZipSeries(
      names.likely(beginning: name.stem.bytes).filter { $0 != path.lastComponent }.map(
        path.sibling
      ),
      with: path,
      name
    )
    series.neighbours = Neighbours(among: names, head: name.stem) {
      SplitZipName($0)?.isPart(with: name) ?? false
    }
    if name.place == .executable, series.numbers.dropFirst().first != 2 { return nil }
    return series
  }

  /// The series of operands that are all named like parts of one; nil where they are not.
  package static func of(_ operands: [FilePath]) -> SplitZipSeries? {
    guard operands.count > 1, let first = operands.first,
      let name = SplitZipName(first.lastComponent)
    else { return nil }
    let series = SplitZipSeries(Array(operands.dropFirst()), with: first, name)
    let count = series.numbered.count + (series.last == nil ? 0 : 1)
    return count == operands.count ? series : nil
  }

  private init(_ others: [FilePath], with path: FilePath, _ name: SplitZipName) {
    let ending = path.lastComponent.bytes.dropFirst(name.stem.bytes.count)
    isUpperCase = ending.contains { (65...90).contains($0) }
    // A program has no family of its own.
    let named = others.map { ($0, SplitZipName($0.lastComponent)) }
    family = name.family
    stem = path.sibling(name.stem)
    var numbered: [Int64: FilePath] = [:]
    var last: FilePath?
    var executable: FilePath?
    // Names that differ in case alone may have been through a system that does not tell them apart;
    // but where there are two, it does.
    let exact = named.filter { $0.1?.stem == name.stem }
    let folded = named.filter { $0.1?.stem != name.stem }
    for case (let path, let found?) in [(path, name)] + exact + folded
    where found.isPart(with: name) {
      switch found.place {
      // The operand is the first; where names differ only in case, it is the one that is meant.
      case .number(let number): numbered[number] = numbered[number] ?? path
      case .executable: executable = executable ?? path
      case .last: last = last ?? path
      }
    }
    if numbered[1] == nil, let executable, numbered[2] != nil || name.place == .executable {
      numbered[1] = executable
    }
    self.numbered = numbered
    self.last = last
  }

  /// Names for parts that are still to be made.
  ///
  /// - Parameters:
  ///   - path: their directory and stem; an extension of a zip is left out.
  ///   - file: the zip that they are made of, whose family they get.
  package init(naming path: FilePath, like file: FilePath, _ infix: String) {
    let name = SplitZipName(path.lastComponent)
    let hasExtension = name?.place == .last
    stem = (hasExtension ? path.sibling(name?.stem ?? path.lastComponent) : path).adding(infix)
    family = SplitZipName(file.lastComponent)?.family ?? .zip
    isUpperCase = false
    numbered = [:]
    last = nil
  }

  /// What exists under these names; lists the directory once.
  ///
  /// - Parameter count: how many parts are to be written.
  /// - Throws: `.cannotCreate` where there is no such directory; the error of one that cannot be
  ///   listed.
  package func existing(count: Int) throws(CleaveError) -> PartSeries.Existing {
    let names = Set(try PartSeries.Existing.names(in: lastName.directory))
    let others = names.map { lastName.sibling($0) }
    guard let name = SplitZipName(lastName.lastComponent) else {
      return PartSeries.Existing(taken: [], stale: [])
    }
    let found = SplitZipSeries(others, with: lastName, name)
    var existing = PartSeries.Existing(taken: [], stale: [])
    for number in found.numbers {
      let isOurs = number < count
      let name = found.name(number)
      if isOurs { existing.taken.append(name) } else { existing.stale.append(name) }
    }
    if names.contains(lastName.lastComponent) { existing.taken.append(lastName) }
    return existing
  }

  /// The name that the part of a number has, or would have.
  package func name(_ number: Int64) -> FilePath {
    numbered[number]
      ?? SplitZipName.format(stem, family, .number(number), isUpperCase: isUpperCase)
  }

  /// The name that the last part has, or would have.
  package var lastName: FilePath {
    last ?? SplitZipName.format(stem, family, .last, isUpperCase: isUpperCase)
  }

  /// The parts in order, up to the highest number that is there.
  ///
  /// - Throws: `.missingInput` that names those between that are not.
  func complete() throws(CleaveError) -> [FilePath] {
    let gaps = gaps(upTo: numbers.last ?? 0)
    guard let last, gaps.isEmpty else {
      throw missing(gaps + (last == nil ? [lastName] : []))
    }
    return numbers.map(name) + [last]
  }

  /// The names of parts that are not there, up to a number.
  func gaps(upTo count: Int64) -> [FilePath] {
    guard count > 0 else { return [] }
    // An end record may tell of four thousand million parts.
    return (1...count).lazy.filter { numbered[$0] == nil }.prefix(Self.mostNamed + 1).map(name)
  }

  private static let mostNamed = 100

  /// The error for parts that are not there; at least one.
  func missing(_ paths: [FilePath]) -> CleaveError {
    let names = paths.prefix(Self.mostNamed).map { $0.lastComponent.description }
    let isMore = paths.count > Self.mostNamed
    let subject =
      isMore
      ? "more than \(Self.mostNamed) parts are"
      : paths.count.counted("part is", "parts are")
    let list = names.joined(separator: ", ") + (isMore ? " and more" : "")
    let hint = paths.first.map { neighbours.hint(for: $0.lastComponent) } ?? ""
    var error = CleaveError(.missingInput, lastName, "\(subject) missing: \(list)\(hint)")
    error.missingCount = Int64(paths.count)
    error.missing = Array(paths.prefix(Self.mostNamed))
    return error
  }

  /// A name for the whole; the last part already has the one that would be expected.
  package func whole(_ infix: String) -> FilePath {
    SplitZipName.format(stem.adding(infix), family, .last, isUpperCase: isUpperCase)
  }
}
