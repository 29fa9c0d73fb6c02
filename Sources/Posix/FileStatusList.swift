/// What `stat(2)` said of files, in an order: 36 bytes for each, half of a ``FileStatus``, since the rest is
/// the same for most parts of one file.
public struct FileStatusList: Sendable {
  /// What each file has of its own.
  fileprivate struct Own: Hashable {
    var inode: UInt64 = 0
    var size: Int64 = 0
    var modified: Int64 = 0
    var changed: Int64 = 0
  }

  private var own: [Own] = []
  /// For each file, the place of the rest among ``others``.
  private var places: [UInt32] = []
  /// Statuses that differ in the rest, without what a file has of its own.
  private var others: [FileStatus] = []
  private var known: [FileStatus: UInt32] = [:]

  public init() {}

  public mutating func append(_ status: FileStatus) {
    own.append(Own(status))
    places.append(place(of: status))
  }

  /// Makes room for so many.
  public mutating func reserveCapacity(_ count: Int) {
    own.reserveCapacity(count)
    places.reserveCapacity(count)
  }

  private mutating func place(of status: FileStatus) -> UInt32 {
    let rest = Own().completing(status)
    if let place = known[rest] { return place }
    // bounded: no more than files in memory
    let place = UInt32(others.count)
    others.append(rest)
    known[rest] = place
    return place
  }
}

extension FileStatusList.Own {
  fileprivate init(_ status: FileStatus) {
    inode = status.identity.inode
    (size, modified, changed) = (status.size, status.modified, status.changed)
  }

  /// Another status with this in it.
  fileprivate func completing(_ rest: FileStatus) -> FileStatus {
    var status = rest
    status.identity.inode = inode
    (status.size, status.modified, status.changed) = (size, modified, changed)
    return status
  }
}

extension FileStatusList: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { own.count }

  public subscript(index: Int) -> FileStatus {
    get { own[index].completing(others[Int(places[index])]) }
    set { (own[index], places[index]) = (Own(newValue), place(of: newValue)) }
  }
}

extension FileStatusList: Hashable {
  public static func == (left: FileStatusList, right: FileStatusList) -> Bool {
    left.elementsEqual(right)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(sampleOf: self) }
}
