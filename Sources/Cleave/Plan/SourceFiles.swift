public import Posix

/// Files to read from, in an order, each of which is made where it is asked for: some 50 bytes for each,
/// where an array takes 130. Plans, selections and engines share one list of them.
public struct SourceFiles: Sendable, Hashable {
  public private(set) var paths = PathList()
  public private(set) var statuses = FileStatusList()

  public init() {}

  /// The files of any sequence, in its order.
  public init(_ files: some Sequence<SourceFile>) {
    if let same = files as? SourceFiles {
      self = same
      return
    }
    reserveCapacity(files.underestimatedCount)
    for file in files { append(file) }
  }

  public mutating func append(_ file: SourceFile) {
    paths.append(file.path)
    statuses.append(file.status)
  }

  /// Makes room for so many files.
  public mutating func reserveCapacity(_ count: Int) {
    paths.reserveCapacity(count)
    statuses.reserveCapacity(count)
  }

  /// Bytes of each.
  public var sizes: some RandomAccessCollection<Int64> { statuses.lazy.map(\.size) }

  /// The permissions that all of them have, and that most new files have where there is none.
  var permissions: UInt32 {
    isEmpty ? 0o666 : statuses.lazy.map(\.permissions).reduce(0o777, &)
  }

  /// Device and inode of each.
  package var identities: some RandomAccessCollection<FileStatus.Identity> {
    statuses.lazy.map(\.identity)
  }
}

extension SourceFiles {
  /// - Throws: where a server tells nothing of a file that another run could know it again by, and where its address
  ///   is not to be written down.
  func requirePinned(for setting: Setting) throws(CleaveError) {
    if let path = paths.first(where: \.hasQuery) {
      let text: Sentence =
        "has a query, which may be secret, and a journal would keep it; not for \(setting)"
      throw CleaveError(.contradiction, path, text)
    }
    for file in self where file.path.isRemote && !file.status.isPinned {
      throw CleaveError(
        .contradiction,
        file.path,
        "has neither a strong ETag nor a date, by which another run could know that it is still the same; "
          + "not for \(setting)"
      )
    }
  }
}

extension SourceFiles: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { statuses.count }

  public subscript(index: Int) -> SourceFile {
    get { SourceFile(path: paths[index], status: statuses[index]) }
    set {
      if paths[index] != newValue.path { paths[index] = newValue.path }
      statuses[index] = newValue.status
    }
  }
}

extension SourceFiles: ExpressibleByArrayLiteral {
  public init(arrayLiteral files: SourceFile...) { self.init(files) }
}

extension Sequence<SourceFile> {
  /// Bytes of all files together; sizes that are too large for a sum make the largest number.
  package var totalSize: Int64 {
    reduce(0) { total, file in
      let (sum, overflow) = total.addingReportingOverflow(file.status.size)
      return overflow ? .max : sum
    }
  }
}
