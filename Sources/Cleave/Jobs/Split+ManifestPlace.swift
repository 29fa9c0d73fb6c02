internal import Posix

// Where a manifest is that was asked for, and how it names the parts from there.
extension Split {
  /// - Throws: where a manifest would not be read as one, or could not lead to the parts.
  func checkPlace(of manifest: FilePath) throws(CleaveError) {
    guard Manifest.isPossibleName(manifest) else {
      let endings = ["sfv", "crc"] + Digest.Kind.allCases.map(\.rawValue)
      throw CleaveError(
        .contradiction,
        "\(Setting.manifest): '\(manifest)' does not end like a manifest, in .\(endings.joined(separator: ", .")), "
          + "which tells its form; \(.withoutManifest) writes none"
      )
    }
    let way = way(from: manifest)
    if way == "." { return }
    if let way, Form(of: manifest).canHold(way) {
      guard dealing != nil || options.header > 0 else { return }
      throw CleaveError(
        .contradiction,
        "only their manifest says how parts of \(dealing == nil ? Setting.header : .dealing) are put together, and "
          + "merging one of them looks for it beside them: write it as \(prefix.sibling(manifest.lastComponent))"
      )
    }
    throw CleaveError(
      .contradiction,
      "\(manifest) would not lead to the parts, which are in another directory: put it beside them, as "
        + "\(prefix.sibling(manifest.lastComponent))"
    )
  }

  /// The directory of the parts as seen from that of a manifest; nil where it is not there or below it.
  func way(from manifest: FilePath) -> FilePath? {
    let home = prefix.directory
    return way(from: manifest.directory, to: home)
      ?? ProcessState.realPath(of: home).flatMap { way(from: manifest.directory, to: $0) }
  }

  private func way(from list: FilePath, to home: FilePath) -> FilePath? {
    var directory = home
    var names: [[UInt8]] = []
    while !Self.isSame(directory, list) {
      let name = directory.lastComponent
      // What is above these, no name tells.
      guard name != ".", name != "..", !name.bytes.isEmpty, directory.directory != directory else {
        return nil
      }
      names.insert(name.bytes, at: 0)
      directory = directory.directory
    }
    return names.isEmpty ? "." : FilePath(bytes: Array(names.joined(separator: "/".utf8)))
  }

  private static func isSame(_ left: FilePath, _ right: FilePath) -> Bool {
    if left == right { return true }
    guard !left.isRemote, !right.isRemote, let status = try? FileStatus.of(left) else {
      return false
    }
    return status.identity == (try? FileStatus.of(right))?.identity
  }
}

extension Split.Form {
  /// Whether the names of files in a directory below its own have a place in it.
  fileprivate func canHold(_ way: FilePath) -> Bool {
    switch self {
    case .sums: true
    case .sfv:
      way.bytes.split(separator: UInt8(ascii: "/")).allSatisfy {
        SFV.canHold(FilePath(bytes: Array($0)))
      }
    // It names the whole alone.
    case .crc: false
    }
  }
}
