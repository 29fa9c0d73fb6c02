package import Posix

/// Frees sources as soon as their bytes are in an output, on the device and in the journal.
///
/// A source of which something is missing no longer has its name: nobody shall take it for a whole
/// one. What is left of `a.001` is called `a.001.cleave-rest`.
package struct Consumption {
  /// How sources are freed.
  package enum Manner: Hashable, Sendable {
    /// Each from its start, and wholly in the end.
    case parts
    /// The only one from its end; what is left becomes the first part.
    case tail
  }

  private let manner: Manner
  private let plan: TransferPlan
  /// The extents of each source, rising by offset.
  private let extents: [[Int]]
  /// The sources as they are by now.
  private(set) var sources: [SourceFile]
  private var isGone: [Bool]
  private let canPunch: Bool

  /// Bytes. Holes are punched at multiples of it: file systems free whole blocks, and Darwin takes
  /// nothing else.
  private static let alignment: Int64 = 64 << 10

  /// - Parameter sources: as they are; nil for those that are gone.
  init(_ manner: Manner, of plan: TransferPlan, sources: [SourceFile?]) {
    (self.manner, self.plan) = (manner, plan)
    var extents = [[(index: Int, offset: Int64)]](repeating: [], count: plan.sources.count)
    for (index, extent) in plan.extents.enumerated() {
      if case .file(let source, let offset) = extent.source {
        extents[source].append((index, offset))
      }
    }
    self.extents = extents.map { $0.sorted { $0.offset < $1.offset }.map(\.index) }
    self.sources = zip(sources, plan.sources).map { $0 ?? $1 }
    isGone = sources.map { $0 == nil }
    // Where it cannot, a part goes when all of it is done.
    canPunch = Set(plan.sources.map(\.path.directory)).allSatisfy {
      FileSystem.canPunchHoles(in: $0)
    }
  }

  /// The name of what is left of a source.
  package static func rest(of path: FilePath) -> FilePath { path.adding(restSuffix) }
  package static let restSuffix = ".cleave-rest"

  /// - Throws: `.missingInput` for what an interrupted job has left of a file, which is not all of it.
  package static func refuseRest(_ path: FilePath) throws(CleaveError) {
    guard path.ends(in: restSuffix) else { return }
    let remedy = Journal.interrupted(about: path).map { "; \($0.journal.remedy)" } ?? ""
    throw CleaveError(.missingInput, path, "is what --consume has left of a file\(remedy)")
  }

  /// Frees what is done.
  ///
  /// - Parameters:
  ///   - pieces: that were done just now.
  ///   - sums: of each extent, as far as it is done.
  ///   - approve: looks at the checksum of a source before it goes, and throws where it is wrong.
  mutating func free(
    _ pieces: [ExtentPiece],
    _ sums: [Checksum],
    approve: (Int, Checksum) throws(CleaveError) -> Void
  ) throws(CleaveError) {
    do throws(SystemError) {
      if manner == .tail {
        // It may have become the first part already.
        if !isGone[0] { try shorten(sums) }
        return
      }
    } catch {
      throw .writing(error)
    }
    for source in Set(pieces.compactMap { plan.extents[$0.extent].sourceIndex }).sorted()
    where !isGone[source] {
      if isDone(source, sums) {
        try approve(source, checksum(of: source, sums))
        try remove(source)
      } else {
        do throws(SystemError) { try punch(source, sums) } catch { throw .writing(error) }
      }
    }
  }

  /// Removes the sources that no extent reads.
  mutating func finish() throws(CleaveError) {
    guard manner == .parts else { return }
    for source in sources.indices where !isGone[source] { try remove(source) }
  }

  private func isDone(_ source: Int, _ sums: [Checksum]) -> Bool {
    extents[source].allSatisfy { sums[$0].count == plan.extents[$0].length }
  }

  /// Of a source that is done, with the bytes that no extent reads.
  private func checksum(of source: Int, _ sums: [Checksum]) -> Checksum {
    let copied = extents[source].map { (plan.extents[$0].sourceOffset, sums[$0]) }
    let unread = plan.unread.filter { $0.source == source }.map { ($0.offset, $0.checksum) }
    return (copied + unread).sorted { $0.0 < $1.0 }.reduce(into: .empty) { $0.append($1.1) }
  }

  // MARK: Parts

  private mutating func remove(_ source: Int) throws(CleaveError) {
    do throws(SystemError) {
      try FileSystem.unlink(sources[source].path)
    } catch  where error.errno == .notFound {
      // As it should be.
    } catch {
      throw .writing(error)
    }
    isGone[source] = true
  }

  private mutating func punch(_ source: Int, _ sums: [Checksum]) throws(SystemError) {
    var end: Int64 = 0
    for index in extents[source] {
      let extent = plan.extents[index]
      if sums[index].count > 0 { end = extent.sourceOffset + sums[index].count }
      if sums[index].count < extent.length { break }
    }
    try change(source, hole: 0..<end)
  }

  /// Cuts a source off at `size` and punches a hole into it, under its other name.
  private mutating func change(
    _ source: Int,
    size: Int64 = .max,
    hole: Range<Int64>
  ) throws(SystemError) {
    let start = (hole.lowerBound + Self.alignment - 1) / Self.alignment * Self.alignment
    let end = hole.upperBound / Self.alignment * Self.alignment
    let isShorter = size < sources[source].status.size
    guard canPunch && start < end || isShorter else { return }
    let whole = plan.sources[source].path
    if sources[source].path == whole {
      try FileSystem.rename(whole, toNew: Self.rest(of: whole))
      sources[source].path = Self.rest(of: whole)
    }
    let file = try FileDescriptor.open(sources[source].path, [.readWrite, .noFollow])
    if isShorter { try file.truncate(to: size) }
    if canPunch, start < end { try file.punchHole(start..<end) }
    sources[source].status = try file.status()
  }

  // MARK: The tail

  /// Cuts off the parts that are done, and punches what is done of the one ahead of them.
  ///
  /// What becomes the first part stays, though it is done as soon as it has been summed.
  private mutating func shorten(_ sums: [Checksum]) throws(SystemError) {
    var size = plan.sources[0].status.size
    var hole: Range<Int64> = 0..<0
    var part: Int?
    for index in extents[0].reversed() where plan.extents[index].destination != 0 {
      let extent = plan.extents[index]
      let start = extent.sourceOffset
      if part == nil, sums[index].count == extent.length {
        size = start
        continue
      }
      // Each part is done from its start on.
      guard part == nil || part == extent.destination else { break }
      part = extent.destination
      let end = hole.isEmpty ? start + sums[index].count : hole.upperBound
      hole = start..<end
    }
    try change(0, size: size, hole: hole)
  }
}

extension Extent {
  /// The index of the source, of bytes that come from one.
  var sourceIndex: Int? { if case .file(let index, _) = source { index } else { nil } }
  /// Bytes from the start of the source; 0 for bytes that come from none.
  var sourceOffset: Int64 { if case .file(_, let offset) = source { offset } else { 0 } }
}
