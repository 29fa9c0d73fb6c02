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
    for group in groups(parts.isEmpty ? PathList(base.map { [$0] } ?? []) : parts) {
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

  /// Files by their directories, in the order of the first ones.
  private static func groups(_ files: PathList) -> [[FilePath]] {
    var groups: [[FilePath]] = []
    var places: [FilePath: Int] = [:]
    for file in files {
      if let place = places[file.directory] {
        groups[place].append(file)
      } else {
        places[file.directory] = groups.count
        groups.append([file])
      }
    }
    return groups
  }

  /// What lists beside each of some files that are in several directories say of them, and of the whole that they
  /// make.
  ///
  /// - Parameter name: that the parts share; nil where they share none.
  /// - Throws: `.missingInput` where one lists parts that are not given.
  static func together(_ files: PathList, of name: FilePath?) throws(CleaveError) -> Manifest? {
    let given = Set(files.lazy.map(\.lastComponent))
    guard given.count == files.count else { return nil }
    var found: [Manifest] = []
    for group in groups(files) {
      let base = name.map(group[0].sibling)
      guard var manifest = try beside(base, of: PathList(group)) else { continue }
      if let base {
        if let other = manifest.parts(of: base).first(where: { !given.contains($0.name) }) {
          throw CleaveError(
            .missingInput,
            manifest.path,
            "has \(other.name), which is not given: \(.withoutManifest) merges without it"
          )
        }
        manifest = manifest.ofWhole(base)
      }
      if !manifest.isPlain || manifest.covers(files, makesWhole: true, of: base) { return manifest }
      let names = PathSet(group.lazy.map(\.lastComponent))
      manifest.entries = manifest.entries.keeping { base == nil || names.contains($0.name) }
      if !manifest.entries.isEmpty { found.append(manifest) }
    }
    guard var first = found.first else { return nil }
    for other in found.dropFirst() {
      for entry in other.entries where !first.entries.contains(named: entry.name) {
        first.entries.append(entry)
      }
      first.others += [other.path] + other.others
    }
    first.isOfSingleParts = true
    return first
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
