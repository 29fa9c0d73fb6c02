internal import Posix

extension SeriesDirectory {
  /// Parts in letters that are there alone, which tell nothing by their names: a list beside them has all others, and what
  /// they make is not there.
  static func listed(
    in listing: DirectoryListing,
    by families: [NamingStyle.Family]?
  ) -> [FilePath] {
    let place = listing.path.appending("x")
    guard Manifest.mayBeLists(in: listing, besides: nil),
      let lists = try? Manifest.lists(beside: place, listing)
    else { return [] }
    var found: Set<FilePath> = []
    for list in lists.names.lazy.compactMap({ try? Manifest(reading: place.sibling($0)) })
    where list.entries.count > 1 {
      let names = PathList(list.entries.indices.lazy.map { list.entries.name(at: $0) })
      let all = NameGroups(names, by: families)
      for parts in all.names(ofEach: all.groups.filter { $0.isBegun && $0.count > 1 }) {
        let there = parts.filter(listing.set.contains)
        guard there.count == 1, areAll(parts, of: there[0], listing.set) else { continue }
        found.insert(there[0])
      }
    }
    return found.sorted()
  }

  /// Whether names are those of all parts of what one is a part of, in letters from the first on; not of what is there.
  private static func areAll(_ names: [FilePath], of part: FilePath, _ known: PathSet) -> Bool {
    PartName.readings(of: part).contains { form in
      form.digits.alphabet == .letters && form.digits.width > 1 && !known.contains(form.base)
        && Set(names.map { form.digits(of: $0)?.number ?? -1 }) == Set(0..<Int64(names.count))
    }
  }

  /// Whether a list under the name of its whole has other parts.
  func isListed(_ name: FilePath, withOthersOf base: FilePath) -> Bool {
    let lists = listing.names.likely(beginning: base.bytes).filter {
      Manifest.isName($0, beside: base)
    }
    return lists.contains { list in
      let parts = (try? Manifest(reading: path.appending(list)))?.parts(of: path.appending(base))
      return parts.map { $0.count > 1 && $0.contains(named: name) } ?? false
    }
  }
}
