public import Posix

extension PartSeries {
  /// The names in the way of a series that is about to be written.
  public struct Existing: Hashable, Sendable {
    /// The names among the new parts' own, by number.
    public var taken: [FilePath]
    /// The names that are not among them, but that a later merge would take for parts: those above
    /// the last number, and that of part 0.
    public var stale: [FilePath]
  }

  /// What exists under the names of a series; lists the directory once.
  ///
  /// - Parameters:
  ///   - count: how many parts are to be written, numbered from 1.
  ///   - base: the series' name with its directory.
  ///   - width: the digits that numbers are padded to.
  ///   - separator: between the name and the numbers: `.`, `-` or `_`.
  /// - Throws: `.cannotCreate` where there is no such directory; the error of one that cannot be
  ///   listed.
  public static func stale(
    after count: Int,
    base: FilePath,
    width: Int,
    separator: String = "."
  ) throws(CleaveError) -> Existing {
    let names: PathList
    do { names = try FileSystem.names(in: base.directory) } catch { throw .creating(error) }
    let first = PartName.format(
      base: base.lastComponent,
      number: 1,
      width: width,
      separator: separator
    )
    let form =
      separator == "." ? PartName(first) : PartName.readings(of: first, by: [.dashDigits]).last
    guard let form else { return Existing(taken: [], stale: []) }
    let siblings = Siblings(of: form, among: names)
    // Also a name that now belongs to another series: the new parts could make it theirs.
    let numbers = siblings.digits.filter(Numbering.plain(width: width).contains).map(\.number)
    var existing = Existing(taken: [], stale: [])
    for number in numbers.sorted() {
      let name = PartName.format(
        base: base,
        number: number,
        width: width,
        separator: separator
      )
      let isOurs = number >= 1 && number <= Int64(count)
      if isOurs { existing.taken.append(name) } else { existing.stale.append(name) }
    }
    return existing
  }
}
