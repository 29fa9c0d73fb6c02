internal import Posix

// Many operands that one list tells of.
extension Verify {
  /// What the operands stand for: of many, the one list beside them stands for those that it has.
  ///
  /// What each of them is a part of takes a look at all the others, which for thousands of files takes minutes. Parts by
  /// their names and zips are looked at by themselves also then.
  var manyMeanings: [Operand]? {
    guard operands.count > Self.few, request.manifest == .automatic, request.format == .auto,
      request.reading == PartReading(), let first = operands.first, !first.isRemote,
      operands.allSatisfy({ $0.directory == first.directory }),
      let listing = try? DirectoryListing(beside: first),
      let lists = try? Manifest.lists(beside: first, listing), lists.names.count == 1,
      case let path = first.sibling(lists.names[0]),
      let list = try? Manifest(reading: path), Self.isPlain(list)
    else { return nil }
    if let above = DirectoryAbove(PathList(operands)).found,
      Manifest.mayBeLists(in: above.listing, besides: nil)
    {
      return nil
    }
    let others = operands.filter { operand in
      !list.entries.contains(named: operand.lastComponent)
        && operand.lastComponent != lists.names[0]
        || Self.isMore(operand, list, listing.set)
    }
    if operands.count - others.count < Self.few { return nil }
    // A list that is named stands for all that it has.
    let rest = PathSet(others)
    let names = operands.filter { !rest.contains($0) }.map(\.lastComponent)
    let given = names.contains(lists.names[0]) ? nil : PathSet(names)
    return [Operand(path: path, given: given)] + meanings(of: others)
  }

  private static let few = 64

  /// Whether a list has sums of files beside it, and tells nothing else.
  private static func isPlain(_ list: Manifest) -> Bool {
    list.nested.isEmpty && list.elsewhere.isEmpty && list.outside == 0 && list.whole == nil
      && !list.isOwn
  }

  /// Whether a file is not there, may be a part with one before or behind it that is not listed, or not there, or has more
  /// in it that can be tested than its bytes.
  private static func isMore(_ operand: FilePath, _ list: Manifest, _ names: PathSet) -> Bool {
    let name = operand.lastComponent
    let isPart = PartName.readings(of: name).contains { form in
      form.style.isCertain
        || (form.neighbours + form.firsts).contains {
          names.contains($0) != list.entries.contains(named: $0)
        }
    }
    if isPart || SplitZipName(name) != nil { return true }
    guard let status = try? FileStatus.of(operand), status.kind == .regular,
      let file = try? JoinedBytes([SourceFile(path: operand, status: status)])
    else { return true }
    defer { try? file.close() }
    return (try? ZipArchive.held(by: file, mayBeAnywhere: false)) != nil
  }
}
