import Cleave
import Posix

/// Manifests of other forms than SFV.
enum ManifestTrial {
  static func sums(_ input: [UInt8]) -> String {
    var outcomes: [(kinds: [String], text: String)] = []
    // What the name of the file would tell; the lines alone, where it is nothing.
    for kind in Digest.Kind.allCases.map(Optional.some) + [nil] {
      let named = kind.map { "\($0)" } ?? "no kind"
      let sums: Manifest
      do throws(CleaveError) {
        sums = try Manifest(parsingSums: input, kind, path: "a")
      } catch {
        check(error)
        if kind == nil { outcomes.append(([named], error.message)) }
        continue
      }
      let entries = Array(sums.entries) + sums.nested
      let found = Set(entries.flatMap(\.expected.digests).map { "\($0.kind)" }).sorted()
      let text = "\(entries.count) entries by \(found), whole \(sums.whole != nil)"
      if outcomes.last?.text == text {
        outcomes[outcomes.count - 1].kinds.append(named)
      } else {
        outcomes.append(([named], text))
      }
      let names = entries.map(\.name)
      precondition(Set(names).count == names.count)
      for name in names { requireBelowDirectory(name) }
      requireSound(sums.whole)
      for entry in entries {
        let kinds = Set(entry.expected.digests.map(\.kind))
        precondition(!kinds.isEmpty && kinds.count == entry.expected.digests.count)
      }
      requireRoundTrip(sums, entries)
    }
    return outcomes.map { "\($0.kinds.joined(separator: ", ")): \($0.text)" }.joined(
      separator: "; "
    )
  }

  /// Lines without a tag can be read again if they are of one kind.
  private static func requireRoundTrip(_ sums: Manifest, _ entries: [Manifest.Entry]) {
    let kinds = Set(entries.flatMap(\.expected.digests).map(\.kind))
    guard kinds.count <= 1 else { return }
    let bytes = Sums.render(entries, whole: sums.whole)
    requireSame(try? Manifest(parsingSums: bytes, kinds.first, path: "a"), sums)
  }

  /// What is read again says the same, but for files elsewhere.
  static func requireSame(_ again: Manifest?, _ list: Manifest) {
    precondition(again?.entries == list.entries && again?.nested == list.nested)
    precondition(again?.whole == list.whole)
  }

  /// - Returns: what is said of the whole in any case.
  @discardableResult
  static func requireSound(_ whole: Manifest.Whole?) -> (name: FilePath, size: Int64)? {
    guard let whole else { return nil }
    guard let name = whole.name, let size = whole.expected.size else { preconditionFailure() }
    requireInDirectory(name)
    precondition(size >= 0)
    return (name, size)
  }

  static func crc(_ input: [UInt8]) -> String {
    let crc: TotalCommanderCRC
    do throws(CleaveError) {
      crc = try TotalCommanderCRC.parse(input, path: "a")
    } catch {
      return check(error)
    }
    requireInDirectory(crc.name)
    precondition(crc.size >= 0)
    if SFV.canHold(crc.name) {
      precondition((try? TotalCommanderCRC.parse(crc.render(), path: "a")) == crc)
    }
    return "\(crc.name) of \(crc.size) bytes"
  }

  static func rclone(_ input: [UInt8]) -> String {
    let found: RcloneMetadata
    do throws(CleaveError) {
      found = try RcloneMetadata.parse(input, path: "a")
    } catch {
      return check(error)
    }
    precondition(found.size >= 0 && found.chunks >= 1 && found.digests.count <= 2)
    return "\(found.size) bytes in \(found.chunks) chunks, \(found.digests.count) digests"
  }

  @discardableResult private static func check(_ error: CleaveError) -> String {
    precondition(error.kind == .badData && error.message.hasPrefix("a: line "))
    // A byte of a name takes four in a message.
    precondition(error.message.utf8.count < 4 * 765 + 100)
    return error.message
  }

  /// Whoever opens the name from the manifest's directory stays in it.
  static func requireBelowDirectory(_ name: FilePath) {
    let components = name.bytes.split(
      separator: UInt8(ascii: "/"),
      omittingEmptySubsequences: false
    )
    for component in components { requireInDirectory(FilePath(bytes: component)) }
  }

  /// Whoever opens the name beside the manifest stays there.
  static func requireInDirectory(_ name: FilePath) {
    let path = FilePath("directory/a.sfv").sibling(name)
    precondition(path.lastComponent == name && path.directory == "directory")
    precondition(!name.bytes.isEmpty && name != "." && name != "..")
    precondition(!name.bytes.contains(0))
  }
}
