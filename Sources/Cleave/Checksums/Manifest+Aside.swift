internal import Posix

// What lists beside parts tell that are not the one that they are compared with, or not beside them.
extension Manifest {
  /// - Throws: `.badData` where another list has more of the parts, or other sums of them of a kind that is in both;
  ///   which of the two is right, nothing tells.
  func requireAgreement(
    about base: FilePath,
    _ listing: DirectoryListing?
  ) throws(CleaveError) {
    guard let listing = try? DirectoryListing(beside: base, unless: listing),
      listing.names.contains(where: { $0 != path.lastComponent && ManifestName($0) != nil })
    else { return }
    for name in try Self.lists(beside: base, listing).names where name != path.lastComponent {
      let path = base.sibling(name)
      guard Self.isName(path, beside: base) || Self.isOfDirectory(path),
        let other = try? Manifest(reading: path).about(base)
      else { continue }
      for entry in other.parts(of: base) {
        let text: String
        if let known = entries.expected(of: entry.name) {
          guard let sum = known.crc32, let other = entry.expected.crc32, sum != other else {
            continue
          }
          text = "has another CRC-32 of \(entry.name) than \(self.path.lastComponent)"
        } else {
          text = "lists \(entry.name), which \(self.path.lastComponent) does not"
        }
        throw CleaveError(
          .badData,
          path,
          "\(text); \(Setting.manifest) names the one to compare with"
        )
      }
    }
  }

  /// The manifest beside parts that tells that they are not just put together, and how; nil where none does. Lists
  /// that cannot be read do not matter: those that parts are compared with are read by others.
  ///
  /// - Parameter base: the name that the parts share; nil where they share none.
  static func layout(
    beside base: FilePath?,
    of parts: PathList,
    in listing: DirectoryListing?
  ) -> Manifest? {
    for group in (parts.isEmpty ? PathList(base.map { [$0] } ?? []) : parts).byDirectory {
      let base = base.map { group[0].sibling($0.lastComponent) }
      guard let place = base ?? place(of: PathList(group)),
        let lists = try? lists(beside: place, listing?.ifOf(place.directory))
      else { continue }
      let files = FilesMeant(base, PathList(group))
      for path in lists.names.map(place.sibling).most(likelyOf: place) {
        guard let manifest = try? lists.manifest(at: path, of: files), !manifest.isPlain,
          let seen = try? files.seen(in: manifest), files.areMeant(by: seen)
        else { continue }
        return seen
      }
    }
    return nil
  }

  /// What a list beside a file that is to be made, and named after it, says of it; nil where there is none.
  static func ofOutput(_ file: FilePath) -> Manifest? {
    let kinds = RunningDigest.isAvailable ? Digest.Kind.allCases.reversed().map(\.rawValue) : []
    for ending in kinds + ["sfv", "crc"] {
      guard let manifest = try? Manifest(reading: file.adding(".\(ending)")).about(file),
        manifest.isPlain, let whole = manifest.ofWhole(file).whole,
        whole.name == file.lastComponent
      else { continue }
      return Manifest(manifest.path, ofWhole: whole)
    }
    return nil
  }
}
