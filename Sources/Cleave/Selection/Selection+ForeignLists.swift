internal import Posix

/// Lists beside the parts, and above them, that tell of them in ways which are not read.
extension Selection {
  /// Looks for such lists where nothing that is read has sums of all parts, or of what they make.
  mutating func noteForeignLists() {
    guard request.manifest == .automatic, !request.isAsGiven, !kind.isZip, !names.contains("-"),
      let first = names.first, !first.hasQuery,
      manifest?.covers(names, makesWhole: makesWhole, of: base) != true
    else { return }
    let groups =
      kind == .series ? [Self.ends(of: names)] : names.byDirectory.map { Self.ends(of: $0) }
    var known: Set<FilePath> = []
    for group in groups {
      guard let listing = try? DirectoryListing(beside: group[0], unless: listing(beside: group[0]))
      else { continue }
      known.insert(listing.path)
      if suspectForeign(in: listing, beside: group[0], about: meant(group)) { return }
    }
    guard let above = placeAbove, known.insert(above.listing.path).inserted else { return }
    let meant = meant(groups.flatMap(\.self))
    // What is there itself is what is meant.
    if meant.contains(where: above.listing.set.contains) { return }
    _ = suspectForeign(in: above.listing, beside: above.place, about: meant)
  }

  /// The first of the files in each directory.
  var firsts: [FilePath] {
    kind == .series ? names.first.map { [$0] } ?? [] : names.byDirectory.map { $0[0] }
  }

  /// The directory above those of all files.
  var placeAbove: PlaceOfLists? {
    guard let first = names.first, !first.hasQuery else { return nil }
    return firsts.count == 1 ? directoryAbove(first, names).found : DirectoryAbove(names).found
  }

  private func meant(_ files: [FilePath]) -> PathList {
    PathList((base.map { [$0] } ?? []).map(\.lastComponent) + files.map(\.lastComponent))
  }

  /// Some of the files, which a list of all of them has.
  private static func ends(of files: some BidirectionalCollection<FilePath>) -> [FilePath] {
    files.prefix(mostSought) + files.dropFirst(mostSought).suffix(1)
  }

  /// Names that are looked for in a list.
  private static var mostSought: Int { 8 }

  /// - Returns: whether something was said.
  private mutating func suspectForeign(
    in listing: DirectoryListing,
    beside place: FilePath,
    about meant: PathList
  ) -> Bool {
    let possible = listing.known { PossibleForeign(among: $0) }
    let parts = possible.lists.isEmpty ? PathSet() : PathSet(names.lazy.map(\.lastComponent))
    for name in possible.lists where !parts.contains(name) {
      let path = place.sibling(name)
      let said: String
      if let (list, bytes) = ForeignList.found(at: path) {
        guard ForeignList.isAbout(meant, bytes, path: path) else { continue }
        said = list.text
      } else if let part = meant.first(where: { Self.isMisread($0, in: path) }) {
        said = "has \(part) in a line that leads to no file"
      } else {
        continue
      }
      let text: Sentence =
        "\(said), and nothing else proves the parts: \(.withoutManifest) merges without it"
      evidence.suspect(.manifest, Doubt(.foreignSums, path, text))
      return true
    }
    let parity = possible.parity.lazy.map(place.sibling).first { path in
      let bytes = try? Manifest.contents(of: path, Manifest.largestFile)
      return bytes.map {
        $0.starts(with: "PAR2\0PKT".utf8) && ForeignList.isAbout(meant, $0, path: path)
      }
        == true
    }
    guard let parity else { return false }
    let text: Sentence =
      "has sums that are not compared, and nothing else proves the parts: 'par2 verify' compares them"
    evidence.suspect(.manifest, Doubt(.silentManifest, parity, text))
    return true
  }

  /// Whether a list has a name in it, but in no line that is of a file of that name, nor of any that is there.
  private static func isMisread(_ part: FilePath, in path: FilePath) -> Bool {
    guard let bytes = try? Manifest.contents(of: path, Manifest.largestFile),
      ForeignList.hasSum(of: part, in: bytes),
      let list = try? Manifest(reading: path), !list.names(part)
    else { return false }
    return !list.files.contains { (try? FileStatus.ifPresent($0)) != .some(nil) }
  }

  /// Names that may be those of such lists.
  private struct PossibleForeign: Sendable {
    let lists: [FilePath]
    /// PAR 2.0, which has the MD5 of each file.
    let parity: [FilePath]

    init(among names: PathList) {
      lists = names.filter(Manifest.isListName).sorted()
      parity = names.filter { $0.endsFolded(in: ".par2") }.sorted()
    }
  }
}
