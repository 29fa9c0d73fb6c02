package import Posix

/// The names to ask for, one after the other until there is none, where nobody lists a directory.
package struct NameProbe: Sendable {
  /// Of the parts behind one, nearest first.
  package let behind: [FilePath]
  /// Of those before it.
  package let before: [FilePath]
}

extension PartName {
  /// No more are asked for in one direction.
  private static let mostProbes: Int64 = 10_000

  /// The name of the part behind one whose name says by itself that it is a part; nil of any other.
  package static func following(_ name: FilePath) -> FilePath? {
    guard let part = readings(of: name).first(where: \.style.isCertain) else { return nil }
    let rule = Numbering.of([part.digits], width: part.width)
    return rule.successor(of: part.number).map { part.name($0, rule) }
  }

  /// How the other parts may be called, for each way to read a name, the likeliest first.
  package static func probes(of name: FilePath) -> [NameProbe] {
    if let zip = SplitZipName(name), zip.place != .executable {
      let isUpperCase = name.bytes.last.map { (65...90).contains($0) } ?? false
      let part = { (place: SplitZipName.Place) in
        SplitZipName.format(zip.stem, zip.family, place, isUpperCase: isUpperCase)
      }
      let numbers = (1...mostProbes).lazy.map { part(.number($0)) }.filter { $0 != name }
      return [NameProbe(behind: Array(numbers), before: [part(.last)].filter { $0 != name })]
    }
    let plain = PartName(name).map { [$0] } ?? []
    let joined = readings(of: name).filter { $0.style.isJoined }
    let certain = joined.filter { $0.style.isCertain }
    return (plain + certain + joined.filter { !$0.style.isCertain }).map { part in
      let rule = Numbering.of([part.digits], width: part.width)
      let last = min(part.number, Int64.max - mostProbes - 1) + mostProbes
      let behind = part.number < last ? Array((part.number + 1)...last) : []
      let before = (max(0, part.number - mostProbes)..<part.number).reversed()
      return NameProbe(
        behind: behind.map { part.name($0, rule) },
        before: before.map { part.name($0, rule) }
      )
    }
  }
}
