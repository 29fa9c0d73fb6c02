package import Posix

/// What a job has written, and the sums of it.
public struct JobReport: Hashable, Sendable {
  /// The engine that ran it; nil for one of the caller's own.
  public var engine: EngineName?
  /// Bytes that were sent to a store, which copied the others; nil of what was not made there.
  package internal(set) var sentBytes: Int64?
  /// Whether it made objects of a store.
  package var isInStore: Bool { sentBytes != nil }
  /// Whether the sums are those of what was made, and not only its sizes: a store that copies may tell none.
  package internal(set) var knowsSums = true
  /// Bytes written.
  public var bytes: Int64
  /// Bytes of those that share their blocks with a source, and took no space.
  public var sharedBytes: Int64 = 0
  /// The checksum of each extent, in the order of the plan; all empty if none were asked for.
  public var extents: [Checksum] = []
  /// The checksum of each source, as far as it was read.
  public var sources: [Checksum] = []
  /// The checksum of each destination.
  public var destinations: [Checksum] = []
  /// Of a stream that was cut, where they were asked for: the sums of each destination's blocks.
  public var blocks: [BlockSums?] = []
  /// The checksum of what all destinations but the first repeat of the first one's start.
  package var header = Checksum.empty
  /// The checksum of what was split, where its records were dealt out to the destinations.
  package var dealt: Checksum?
  /// What was asked for.
  public var digests = Digests()
  /// The complete files, under the names that they have by now; empty for a stream.
  package internal(set) var temporaries: [FilePath] = []

  /// Of a job that has not summed anything.
  package init(engine: EngineName?, bytes: Int64) {
    self.engine = engine
    self.bytes = bytes
  }

  /// Of a plan that was carried out.
  init(engine: EngineName?, _ plan: TransferPlan, _ extents: [Checksum]) {
    self.init(engine: engine, bytes: plan.totalBytes)
    self.extents = extents
    sources = plan.sourceChecksums(extents)
    destinations = plan.destinationChecksums(extents)
    if plan.header > 0, let index = plan.extents.firstIndex(where: { $0.destination == 1 }) {
      header = extents[index]
    }
  }

  /// The checksum of all destinations one after the other, but for what is repeated: of the whole that was
  /// split, or merged.
  public var whole: Checksum {
    if let dealt { return dealt }
    let first = destinations.first ?? .empty
    return destinations.dropFirst().reduce(into: first) {
      $0.append(header.count > 0 ? $1.behind(header) : $1)
    }
  }
}

extension TransferPlan {
  /// Looks at the sources that no extent reads: what was planned by them must still be so.
  func requireUnreadUnchanged() throws(CleaveError) {
    var isRead = [Bool](repeating: false, count: sources.count)
    for extent in extents {
      if case .file(let index, _) = extent.source { isRead[index] = true }
    }
    for index in sources.indices where !isRead[index] {
      try sources[index].requireUnchanged()
    }
  }

  /// The checksum of each source, from those of the extents; of all of it where the plan reads it once and
  /// whole, as merges do.
  func sourceChecksums(_ sums: [Checksum]) -> [Checksum] {
    if isOneToOne { return sums }
    var result = [Checksum](repeating: .empty, count: sources.count)
    // Few plans have any that do not come in their order.
    var later: [Unread] = []
    func add(_ range: Unread) {
      guard range.offset == result[range.source].count else { return later.append(range) }
      result[range.source].append(range.checksum)
    }
    for (extent, sum) in zip(extents, sums) {
      guard case .file(let index, let offset) = extent.source else { continue }
      add(Unread(source: index, offset: offset, checksum: sum))
    }
    for range in unread { add(range) }
    for range in later.sorted(by: { $0.offset < $1.offset }) {
      result[range.source].append(range.checksum)
    }
    return result
  }

  /// Whether each source is one extent, in their order, so that the sums of both are the same list.
  private var isOneToOne: Bool {
    guard unread.isEmpty, extents.count == sources.count else { return false }
    return extents.indices.allSatisfy { extents[$0].source == .file($0, offset: 0) }
  }

  /// The checksums of the destinations, from those of the extents.
  func destinationChecksums(_ sums: [Checksum]) -> [Checksum] {
    var result = [Checksum](repeating: .empty, count: destinations.count)
    for (extent, sum) in zip(extents, sums) { result[extent.destination].append(sum) }
    return result
  }
}

extension TransferPlan {
  /// The block sums of the destinations of a plan that was cut into blocks of `size` bytes.
  public func blockSums(_ report: JobReport, size: Int64) -> [BlockSums?] {
    var crc32s = [[UInt32]](repeating: [], count: destinations.count)
    for (extent, sum) in zip(extents, report.extents) {
      crc32s[extent.destination].append(sum.crc32)
    }
    return zip(destinations, crc32s).map {
      BlockSums(size: size, length: $0.size, crc32s: $1)
    }
  }
}
