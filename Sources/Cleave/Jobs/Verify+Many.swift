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
        || Self.isMore(operand)
    }
    if operands.count - others.count < Self.few { return nil }
    // A list that is named stands for all that it has.
    let names = PathSet(operands.lazy.map(\.lastComponent))
    let given = names.contains(lists.names[0]) ? nil : names
    return [Operand(path: path, given: given)] + others.flatMap(meanings)
  }

  private static let few = 64

  /// Whether a list has sums of files beside it, and tells nothing else.
  private static func isPlain(_ list: Manifest) -> Bool {
    list.nested.isEmpty && list.elsewhere.isEmpty && list.outside == 0 && list.whole == nil
      && !list.isOwn
  }

  /// Whether a file may be a part, or has more in it that can be tested than its bytes.
  private static func isMore(_ operand: FilePath) -> Bool {
    if PartName.readings(of: operand.lastComponent).contains(where: \.style.isCertain)
      || SplitZipName(operand.lastComponent) != nil
    {
      return true
    }
    guard let status = try? FileStatus.of(operand) else { return false }
    let head = status.kind == .regular ? try? Selection.head(of: operand, status) : nil
    return head.map { FileFormat.of(.zip).begins($0) } ?? true
  }
}
