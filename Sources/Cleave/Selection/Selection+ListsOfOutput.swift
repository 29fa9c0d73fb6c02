package import Posix

/// What lists say of what the parts make.
extension Selection {
  /// Where nothing else tells of the parts: what a list says of the file that they are to make.
  package mutating func takeList(of output: FilePath) {
    guard manifest?.isOwn != true, layoutAside == nil, request.manifest != .none,
      !request.isAsGiven, makesWhole, !isPiece, !kind.isRewritten, output != base, output != "-",
      !output.isRemote, !output.endsInSlash, refusal == nil
    else { return }
    let isOnly = manifest == nil
    do throws(CleaveError) { try takeSums(of: output, in: listing) } catch {
      refusal = error
      return
    }
    guard let manifest else { return }
    if isOnly {
      evidence.note(manifest)
    } else {
      // What a list has besides the files may be what they make.
      let given = PathSet(names.lazy.map(\.lastComponent))
      let others = manifest.entries.lazy.map(\.name).filter { !given.contains($0) }
      guard others.elementsEqual([output.lastComponent]) else { return }
    }
    for list in [manifest.path] + manifest.others { evidence.hear(list) }
  }

  /// Takes in what the list that is asked for, or else those beside the output, say of it, unless the one of split does.
  ///
  /// - Throws: as ``Manifest/ofOutput(_:in:)``; `.badData` where two lists contradict each other.
  mutating func takeSums(
    of output: FilePath,
    in listing: DirectoryListing?
  ) throws(CleaveError) {
    guard manifest?.isOwn != true, request.manifest != .none else { return }
    if case .file(let list) = request.manifest { return try takeSums(of: output, in: [list]) }
    // A list beside any of the parts may have the whole, too, or one above them.
    var places = [output]
    let name = output.lastComponent
    // The last part of a split zip has the name of a whole, too.
    let parts = kind == .splitZip ? PathSet(names.lazy.map(\.lastComponent)) : PathSet()
    let wholes = ([name] + (base == nil ? Self.wholes(of: names) : [])).filter {
      !parts.contains($0)
    }
    let above = base?.lastComponent == name ? nil : placeAbove
    let listings = [listing, above?.listing].compactMap(\.self)
    for file in firsts + (above.map { [$0.place] } ?? []) where !file.hasQuery {
      for place in wholes.map(file.sibling) where !places.contains(place) { places.append(place) }
    }
    try takeSums(of: output, in: request.lists)
    for place in places {
      let known = listings.first { $0.path == place.directory }
      if let known, !Manifest.mayBeLists(in: known, besides: nil) { continue }
      // A list has the sum of a file that is beside it, which may be another.
      if place != output, let size = (try? FileStatus.of(place))?.size, size != files?.totalSize {
        continue
      }
      let home = kind == .splitZip ? place : nil
      try takeWhole(Manifest.ofOutput(place, of: names, in: known, beside: home), output)
    }
    // Of parts that share a name, those above are known.
    for place in base == nil ? places : [output] where !place.isRemote {
      guard let above = directoryAbove(place, [place]).found,
        Manifest.mayBeLists(in: above.listing, besides: nil)
      else { continue }
      let list = try Manifest.ofOutput(place, of: names, in: above.listing, beside: above.place)
      try takeWhole(list, output)
    }
  }

  /// Takes in what lists that are given say of the output, unless that has the name of a part.
  private mutating func takeSums(of output: FilePath, in lists: [FilePath]) throws(CleaveError) {
    let name = output.lastComponent
    if lists.isEmpty || names.contains(where: { $0.lastComponent == name }) { return }
    for list in lists {
      guard let sums = try? Manifest(reading: list).about(output).entries.expected(of: name) else {
        continue
      }
      try takeWhole(Manifest(list, ofWhole: .init(name: name, expected: sums)), output)
      evidence.hear(list)
    }
  }

  private mutating func takeWhole(_ list: Manifest?, _ output: FilePath) throws(CleaveError) {
    if manifest == nil {
      manifest = list
    } else if let list, let sums = list.whole?.expected {
      try manifest?.takeWhole(base ?? output, sums, from: list)
    }
  }

  /// What files may be called that are made of some whose names are those of no family.
  private static func wholes(of names: PathList) -> [FilePath] {
    guard let first = names.first, !names.contains("-") else { return [] }
    let forms = PartName.readings(of: first.lastComponent).filter { form in
      form.style.isJoined && form.namesWhole
        && names.allSatisfy { form.digits(of: $0.lastComponent) != nil }
    }
    let counted = CountedNames(Array(names))?.whole
    return forms.map { FilePath(bytes: $0.base.bytes) } + (counted.map { [$0] } ?? [])
  }
}
