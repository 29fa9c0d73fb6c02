internal import Posix

/// Lists beside the parts, and above them, that tell of them in ways which are not read.
extension Selection {
  /// Looks for such lists where nothing that is read has sums of all parts, or of what they make.
  mutating func noteForeignLists() {
    guard request.manifest == .automatic, !request.isAsGiven, !kind.isZip, !names.contains("-"),
      let first = names.first, manifest?.covers(names, makesWhole: makesWhole, of: base) != true
    else { return }
    let wholes = base.map { [$0.lastComponent] } ?? []
    var known: Set<FilePath> = []
    for group in names.byDirectory {
      guard let listing = try? DirectoryListing(beside: group[0], unless: listing(beside: group[0]))
      else { continue }
      known.insert(listing.path)
      let meant = PathList(wholes + Self.ends(of: group))
      if suspectForeign(in: listing, beside: group[0], about: meant) { return }
    }
    guard !first.isRemote, let above = DirectoryAbove(names).found,
      known.insert(above.listing.path).inserted
    else { return }
    let meant = PathList(wholes + Self.ends(of: Array(names)))
    // What is there itself is what is meant.
    if meant.contains(where: above.listing.set.contains) { return }
    _ = suspectForeign(in: above.listing, beside: above.place, about: meant)
  }

  /// The names of some files that a list of all of them has.
  private static func ends(of files: [FilePath]) -> [FilePath] {
    (files.prefix(mostSought) + files.dropFirst(mostSought).suffix(1)).map(\.lastComponent)
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
    for name in possible.lists where !names.contains(where: { $0.lastComponent == name }) {
      let path = place.sibling(name)
      guard let (list, bytes) = ForeignList.found(at: path),
        ForeignList.isAbout(meant, bytes, path: path)
      else { continue }
      let text: Sentence =
        "\(list.text), and nothing else proves the parts: \(.withoutManifest) merges without it"
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

  /// Names that may be those of such lists.
  private struct PossibleForeign: Sendable {
    let lists: [FilePath]
    /// PAR 2.0, which has the MD5 of each file.
    let parity: [FilePath]

    init(among names: PathList) {
      lists = names.filter { ForeignList.isName($0) || ManifestName($0) != nil }.sorted()
      parity = names.filter { $0.endsFolded(in: ".par2") }.sorted()
    }
  }
}
