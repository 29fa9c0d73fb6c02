public import Posix

/// The parts of one file that are in a directory under `BASE.DIGITS`, in the order of their numbers.
public struct PartSeries: Hashable, Sendable {
  /// One part, as it was when the series was read.
  public struct Part: Hashable, Sendable {
    /// The name, with the directory that the operand had.
    public var path: FilePath
    /// The number in the name.
    public var number: Int64
    /// Of what the name leads to, through symbolic links.
    public var status: FileStatus
    /// Bytes.
    public var size: Int64 { status.size }
  }

  /// The name that the parts' names share, with its directory: `dir/gcd.mp4.zip`.
  public let base: FilePath
  /// How the parts are counted.
  public let numbering: Numbering
  /// The parts that exist, by number; at least one.
  public let parts: [Part]
  /// The number of the first part, 0 or 1.
  public let first: Int64
  /// The highest number that is known of; no part may have it.
  let last: Int64

  /// The digits that the parts' numbers are padded to.
  public var width: Int { numbering.width }

  /// The series that a file is a part of, or nil where its name is no part's.
  ///
  /// Any one part will do, also a missing one that others of its series exist for. Counts from 0 if
  /// there is a part 0, and from 1 if not. Parts may be missing, or be no regular files:
  /// ``requireComplete(named:)`` finds out. Lists the directory once.
  ///
  /// - Throws: `.missingInput` where there is no part at all; the error of the directory or the part
  ///   that cannot be looked at.
  public static func containing(_ path: FilePath) throws(CleaveError) -> PartSeries? {
    guard !path.endsInSlash, let name = PartName(path.lastComponent) else { return nil }
    let base = path.sibling(name.base)
    do throws(SystemError) {
      let siblings = try Siblings(of: base)
      let width = siblings.width(for: name.digits)
      let members = siblings.members(width: width)
      let parts = try existing(members, base: base, width: width)
      if parts.isEmpty { throw SystemError("stat", path, .notFound) }
      let numbering = Numbering.of(members + [name.digits], width: width)
      // Not only of the parts: a link that leads nowhere may be the last one.
      let numbers = members.map(\.number) + [name.number]
      return PartSeries(base: base, numbering: numbering, parts: parts, numbers: numbers)
    } catch {
      throw .reading(error)
    }
  }

  /// - Parameter numbers: all that are known to belong to the series, in any order.
  init(base: FilePath, numbering: Numbering, parts: [Part], numbers: [Int64]) {
    self.base = base
    self.numbering = numbering
    self.parts = parts
    first = numbering == .widening || numbers.contains(0) ? 0 : 1
    last = max(first, numbers.max() ?? first)
  }

  /// Leaves out what went away since the listing, and links that lead nowhere: they are missing.
  private static func existing(
    _ members: [PartDigits],
    base: FilePath,
    width: Int
  ) throws(SystemError) -> [Part] {
    var parts: [Part] = []
    parts.reserveCapacity(members.count)
    for member in members {
      let path = PartName.format(base: base, number: member.number, width: width)
      guard let status = try FileStatus.ifPresent(path) else { continue }
      parts.append(Part(path: path, number: member.number, status: status))
    }
    return parts
  }
}
