public import Posix

/// A file to read from, as it was when the plan was made.
public struct SourceFile: Hashable, Sendable {
  public var path: FilePath
  /// What `stat(2)` said; an engine that finds something else stops.
  public var status: FileStatus

  public init(path: FilePath, status: FileStatus) {
    self.path = path
    self.status = status
  }
}

/// A file to make.
public struct DestinationFile: Hashable, Sendable {
  public var path: FilePath
  /// Bytes.
  public var size: Int64

  public init(path: FilePath, size: Int64) {
    self.path = path
    self.size = size
  }

  /// Whether a regular file of that size has the name.
  var isThere: Bool {
    let found = try? FileStatus.of(path, followingLinks: false)
    return found?.kind == .regular && found?.size == size
  }
}

/// A run of bytes with one source and one place in one destination.
public struct Extent: Hashable, Sendable {
  /// Where the bytes come from.
  public enum Source: Hashable, Sendable {
    /// The source of that index, from an offset in bytes.
    case file(Int, offset: Int64)
    /// Bytes that stand in the plan itself; as many as the extent is long.
    case inline([UInt8])
    /// Bytes that are made when an engine gets to them; as many as the extent is long.
    case deferred(DeferredBytes)

    /// The bytes that do not come from a file; nil for those that do.
    func bytes() throws(CleaveError) -> [UInt8]? {
      switch self {
      case .file: nil
      case .inline(let bytes): bytes
      case .deferred(let deferred): try deferred.make()
      }
    }
  }

  public var source: Source
  // Behind the source there is room for four bytes, so that an extent takes 40, and not 48.
  private var place: Int32
  /// Bytes, more than 0.
  public var length: Int64
  /// Bytes from the start of the destination.
  public var offset: Int64

  /// The index of the destination.
  public var destination: Int {
    get { Int(place) }
    set { place = Int32(clamping: newValue) }
  }

  public init(source: Source, length: Int64, destination: Int, offset: Int64) {
    self.source = source
    self.length = length
    place = Int32(clamping: destination)
    self.offset = offset
  }

  /// The first byte behind the extent, in its destination.
  // bounded: of an extent that has been found sound
  public var end: Int64 { offset + length }
}

/// Bytes that a plan need not hold, since they can be made at any time: once for each time that the
/// plan is carried out, on a thread of the engine's.
public final class DeferredBytes: Hashable, Sendable {
  let count: Int64
  private let body: @Sendable () throws(CleaveError) -> [UInt8]

  /// - Parameter count: as many as `body` makes, each time.
  package init(count: Int64, _ body: @escaping @Sendable () throws(CleaveError) -> [UInt8]) {
    self.count = count
    self.body = body
  }

  package func make() throws(CleaveError) -> [UInt8] {
    let bytes = try body()
    guard Int64(bytes.count) == count else {
      throw CleaveError(.changedInput, "an input was changed while it was being read")
    }
    return bytes
  }

  public static func == (left: DeferredBytes, right: DeferredBytes) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Everything an engine needs to know of a job: which bytes go where.
///
/// The extents stand in the order of destinations and offsets, and tile every destination without a
/// gap or an overlap; that is checked once, here, so that engines need not.
public struct TransferPlan: Hashable, Sendable {
  public let sources: SourceFiles
  public let destinations: [DestinationFile]
  public let extents: [Extent]
  /// What is known of bytes that no extent reads.
  package var unread: [Unread] = []
  /// Bytes at the start of the only source that all destinations but the first begin with, too.
  package var header: Int64 = 0
  /// Of a slice of a plan: the bytes of each destination that it makes.
  private let ranges: [Int: Range<Int64>]?
  /// Where reading ends, of sources of which a plan that was cut reads less than there is; in bytes, by
  /// index.
  let ends: [Int: Int64]

  /// Nothing: of a job whose sources are still to come.
  package init() { (sources, destinations, extents, ranges, ends) = ([], [], [], nil, [:]) }

  /// A plan that has been found sound. Extents may come in any order; empty ones are dropped.
  ///
  /// - Throws: a ``PlanError`` that names the first fault.
  public init(
    sources: some Sequence<SourceFile>,
    destinations: [DestinationFile],
    extents: [Extent]
  ) throws(PlanError) {
    let sources = SourceFiles(sources)
    for extent in extents {
      try Self.check(extent, sources, destinations)
    }
    self.sources = sources
    self.destinations = destinations
    ranges = nil
    ends = [:]
    self.extents = Self.isInOrder(extents) ? extents : Self.inOrder(extents)
    try checkTiling()
  }

  /// Most plans are made so, and there may be a million extents.
  private static func isInOrder(_ extents: [Extent]) -> Bool {
    let isRising = zip(extents, extents.dropFirst()).allSatisfy {
      ($0.destination, $0.offset) <= ($1.destination, $1.offset)
    }
    return isRising && extents.allSatisfy { $0.length > 0 }
  }

  private static func inOrder(_ extents: [Extent]) -> [Extent] {
    extents.filter { $0.length > 0 }
      .sorted { ($0.destination, $0.offset) < ($1.destination, $1.offset) }
  }

  /// Bytes of a source that were read while planning, and are not copied.
  package struct Unread: Hashable, Sendable {
    var source: Int
    /// Bytes from the start of the source.
    var offset: Int64
    var checksum: Checksum
  }

  /// A part of a plan, which has been found sound as a whole.
  ///
  /// - Parameter extents: of each destination, without a gap, in the order of a plan's.
  init(
    slicing extents: [Extent],
    of destinations: [DestinationFile],
    from sources: SourceFiles
  ) {
    (self.sources, self.destinations, self.extents) = (sources, destinations, extents)
    var ranges: [Int: Range<Int64>] = [:]
    for extent in extents {
      let start = ranges[extent.destination]?.lowerBound ?? extent.offset
      ranges[extent.destination] = start..<extent.end
    }
    self.ranges = ranges
    ends = [:]
  }

  /// What is left of a plan that has been found sound.
  ///
  /// - Parameter extents: they tile the destinations, in the order of a plan's.
  init(
    cutting extents: [Extent],
    to destinations: [DestinationFile],
    from sources: SourceFiles
  ) {
    (self.sources, self.destinations, self.extents) = (sources, destinations, extents)
    ranges = nil
    var ends: [Int: Int64] = [:]
    for extent in extents {
      guard case .file(let source, let offset) = extent.source else { continue }
      // bounded: of an extent that has been found sound
      ends[source] = max(ends[source] ?? 0, offset + extent.length)
    }
    self.ends = ends.filter { $1 < sources.statuses[$0].size }
  }

  /// Whether it is a part of another plan.
  package var isSlice: Bool { ranges != nil }

  /// The bytes of a destination that the plan makes: all of them, unless it is a slice.
  package func range(of destination: Int) -> Range<Int64> {
    guard let ranges else { return 0..<destinations[destination].size }
    return ranges[destination] ?? 0..<0
  }

  /// The bytes that all destinations hold together.
  // bounded: the sum was checked with the plan
  public var totalBytes: Int64 { destinations.reduce(0) { $0 + $1.size } }

  private static func check(
    _ extent: Extent,
    _ sources: SourceFiles,
    _ destinations: [DestinationFile]
  ) throws(PlanError) {
    guard destinations.indices.contains(extent.destination) else {
      throw PlanError.noSuchDestination(extent)
    }
    guard extent.length >= 0, extent.offset >= 0,
      !extent.offset.addingReportingOverflow(extent.length).overflow
    else { throw PlanError.outOfRange(extent) }
    switch extent.source {
    case .inline(let bytes):
      guard bytes.count == extent.length else { throw PlanError.outOfRange(extent) }
    case .deferred(let bytes):
      guard bytes.count == extent.length else { throw PlanError.outOfRange(extent) }
    case .file(let index, let offset):
      guard sources.indices.contains(index) else { throw PlanError.noSuchSource(extent) }
      let (end, overflow) = offset.addingReportingOverflow(extent.length)
      guard offset >= 0, !overflow, end <= sources.statuses[index].size else {
        throw PlanError.outOfRange(extent)
      }
    }
  }

  private func checkTiling() throws(PlanError) {
    var filled = [Int64](repeating: 0, count: destinations.count)
    for extent in extents {
      if extent.offset > filled[extent.destination] { throw PlanError.gap(extent) }
      if extent.offset < filled[extent.destination] { throw PlanError.overlap(extent) }
      filled[extent.destination] = extent.end
    }
    var total: Int64 = 0
    for (index, destination) in destinations.enumerated() {
      guard filled[index] == destination.size else { throw PlanError.wrongSize(destination) }
      let sum = total.addingReportingOverflow(destination.size)
      guard !sum.overflow else { throw PlanError.wrongSize(destination) }
      total = sum.partialValue
    }
  }
}

/// What is wrong with a plan.
public enum PlanError: Error, Hashable, Sendable {
  case noSuchSource(Extent)
  case noSuchDestination(Extent)
  /// Negative, overflowing, or beyond the end of its source.
  case outOfRange(Extent)
  /// Bytes before the extent have no source.
  case gap(Extent)
  /// The extent begins before the one ahead of it ends.
  case overlap(Extent)
  /// The extents do not end where the destination does.
  case wrongSize(DestinationFile)
}
