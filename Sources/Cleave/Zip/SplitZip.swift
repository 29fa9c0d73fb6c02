package import Posix

/// The parts of a split zip, found and checked.
package struct SplitZip: Sendable {
  /// The files of a series' parts.
  private(set) var sources: SourceFiles = []
  package let archive: ZipArchive
  /// Parts of a higher number than the zip has.
  package let stale: [FilePath]
  /// What merging puts right on the way.
  package let repairs: [HeaderRepair]

  /// Whether the parts only need to be joined: a whole zip was cut and given the names of a split one.
  package var isRaw: Bool { archive.addressing != .disks }

  /// Finds the parts that the end record tells of.
  ///
  /// - Throws: `.missingInput` that names all parts that are not there; `.badData` where the parts do
  ///   not belong together, or are no split zip.
  package init(_ series: SplitZipSeries) throws(CleaveError) {
    try Self.refuseWholeFirst(series)
    guard let last = series.last else {
      let error = series.missing(series.gaps(upTo: series.numbers.last ?? 0) + [series.lastName])
      throw try Self.isWithoutMarker(series) ? error.adding(Self.pieces(series)) : error
    }
    let found = try Self.examine(series.numbers.map(series.name) + [last])
    let all = try JoinedBytes(found)
    let disk = try Self.lastDisk(all)
    if disk == 0, try !Self.isSplit(all) {
      archive = try Self.raw(all, series)
      (sources, stale, repairs) = (found, [], [])
      return
    }
    let highest = series.numbers.last ?? 0
    var count = Int64(disk)
    if highest > count { count = try Self.rolledOver(all, disk) ? count + 1 : count }
    let gaps = series.gaps(upTo: count)
    guard gaps.isEmpty else {
      if found.count == 1 { try Self.refuseJoined(all) }
      throw series.missing(gaps)
    }
    sources = SourceFiles([found.prefix(Int(count)), found.suffix(1)].joined())
    stale = series.numbers.filter { $0 > count }.map(series.name)
    var archive = try Self.open(stale.isEmpty ? all : JoinedBytes(sources))
    repairs = try archive.examineEntries()
    self.archive = archive
  }

  /// The parts in this order, whatever their names; nil where the end record tells of another number
  /// of parts.
  ///
  /// - Throws: `.badData` where they do not belong together so.
  init?(inOrder parts: JoinedBytes) throws(CleaveError) {
    let count = parts.layout.parts
    guard count > 1, try Int64(Self.lastDisk(parts)) + 1 == count else { return nil }
    stale = []
    var archive = try Self.open(parts)
    repairs = try archive.examineEntries()
    self.archive = archive
  }

  /// Whether files are the parts of one split zip in this order, by its headers, whatever their names.
  static func areParts(_ paths: [FilePath]) -> Bool {
    guard paths.count > 1, !paths.contains("-"), let parts = try? JoinedBytes(examine(paths)),
      (try? parts.part(0).beginsLikeZipOrProgram()) == true
    else { return false }
    return ((try? SplitZip(inOrder: parts)) ?? nil) != nil
  }

  /// - Throws: `.badData` where files are the parts of one split zip, but not in this order.
  static func refuseOrder(of paths: [FilePath]) throws(CleaveError) {
    guard (2...mostOrdered).contains(paths.count), !paths.contains("-"),
      let sources = try? examine(paths), let parts = try? JoinedBytes(sources)
    else { return }
    let firsts = sources.indices.filter { index in
      let head = (try? parts.part(index).bytes(6, at: 0)) ?? nil
      return head?.beginsWithMarker ?? false
    }
    guard firsts.count == 1, let first = firsts.first else { return }
    let lasts = sources.indices.filter { index in
      (try? lastDisk(parts.part(index))).map { Int($0) + 1 } == sources.count
    }
    guard lasts.count == 1, let last = lasts.first, first != last else { return }
    let between = sources.indices.filter { $0 != first && $0 != last }
    // Parts without the start of an entry fit anywhere between; most likely all are turned around, or none.
    let turned = first > last
    let orders = [turned, !turned].map { turns in
      [first] + (turns ? between.reversed() : between) + [last]
    }
    let fitting = orders.filter { order in
      ((try? SplitZip(inOrder: JoinedBytes(order.map { sources[$0] }))) ?? nil) != nil
    }
    let text: Sentence =
      "is given first, but \(paths[first]) begins this split zip, and \(paths[last]) ends it"
    let names = fitting.first?.map { "\(paths[$0])" }.joined(separator: " ")
    let others = between.count > 1 && fitting.count > 1 ? ", and in others" : ""
    throw CleaveError(
      .badData,
      paths[0],
      first == 0 ? "begins a split zip that \(paths[last]) ends" : text
    ).adding(
      names.map { ": its headers fit in the order \($0)\(others)" }
        ?? ": name the others in their order"
    )
  }

  /// Files whose order is looked for.
  private static let mostOrdered = 100

  /// - Throws: `.badData` where a last part holds all the others, too.
  private static func refuseJoined(_ last: JoinedBytes) throws(CleaveError) {
    let repair: ZipRepair
    do throws(CleaveError) {
      repair = try ZipRepair(last)
    } catch {
      if error.system != nil { throw error }
      return
    }
    let path = last.layout.paths[0]
    throw CleaveError(
      .badData,
      path,
      "holds all \(repair.disks) parts of a split zip, concatenated: \(.repairing(path)) makes a zip of it"
    )
  }

  /// Whether parts whose end record tells of one disk are those of a split zip all the same: with the
  /// marker at the front, and all in one part, or end records alone in the last one of two.
  private static func isSplit(_ parts: JoinedBytes) throws(CleaveError) -> Bool {
    guard let head = try parts.bytes(6, at: 0), head.beginsWithMarker else { return false }
    if parts.layout.parts == 1 { return true }
    return try parts.layout.parts == 2 ? rolledOver(parts, 0) : false
  }

  private static func examine(_ paths: [FilePath]) throws(CleaveError) -> SourceFiles {
    var sources = SourceFiles()
    sources.reserveCapacity(paths.count)
    for path in paths { sources.append(try SourceFile(examining: path)) }
    return sources
  }

  private static func open(_ parts: JoinedBytes) throws(CleaveError) -> ZipArchive {
    do throws(ZipFault) {
      return try ZipArchive(endingIn: parts, as: .split)
    } catch {
      throw ZipArchive.describe(error, parts.layout.last)
    }
  }

  // MARK: How many parts there should be

  /// The number of the last disk, from what the parts that are there end with.
  private static func lastDisk(_ parts: JoinedBytes) throws(CleaveError) -> UInt32 {
    do throws(ZipFault) {
      // The first that is told by what looks like an end record; whether it is one will be seen.
      var disk: UInt32?
      for behind in [EndRecords.Behind.nothing, .something] where disk == nil {
        for position in try EndRecords.candidates(in: parts, before: behind)
        where disk == nil || disk == 0 {
          disk = try EndRecords(in: parts, at: position) { _, _ in nil }.values.disk
        }
      }
      guard let disk else { throw .noEnd }
      return disk
    } catch {
      if error == .noEnd, let cut = try parts.cutEnd() { throw cut }
      throw ZipArchive.describe(error, parts.layout.last)
    }
  }

  /// Whether the last part holds end records alone, whose disk number zip 3.0 writes one too low.
  private static func rolledOver(
    _ parts: JoinedBytes,
    _ disk: UInt32
  ) throws(CleaveError) -> Bool {
    let count = parts.layout.parts
    guard count == Int(disk) + 2 else { return false }
    let head = try parts.part(count - 1).bytes(4, at: 0)
    return head.map { $0.has(.end, at: 0) || $0.has(.zip64End, at: 0) } ?? false
  }

  // MARK: What is named like a split zip and is none

  /// A zip that is whole by itself and was named like a first part.
  private static func refuseWholeFirst(_ series: SplitZipSeries) throws(CleaveError) {
    guard let first = series.numbered[1] else { return }
    let source = try SourceFile(examining: first)
    guard try ZipArchive.isWhole(JoinedBytes([source])) else { return }
    throw CleaveError(.badData, first, "is a whole zip, not split: there is nothing to merge")
  }

  /// Whether part 1 begins as a whole zip does, which `split --numeric-suffixes=1 X.zip X.z` may have cut.
  private static func isWithoutMarker(_ series: SplitZipSeries) throws(CleaveError) -> Bool {
    guard let first = series.numbered[1] else { return false }
    let head = try JoinedBytes([SourceFile(examining: first)]).bytes(4, at: 0)
    return head?.has(.localHeader, at: 0) == true
  }

  private static func pieces(_ series: SplitZipSeries) -> Sentence {
    "; \(series.name(1).lastComponent) begins as a whole zip does: \(.family(.zipPieces)) with \(.first("1")) "
      + "joins what was cut anywhere"
  }

  /// The parts of a zip that was cut anywhere.
  private static func raw(
    _ parts: JoinedBytes,
    _ series: SplitZipSeries
  ) throws(CleaveError) -> ZipArchive {
    let (count, last) = (parts.layout.parts, parts.layout.last)
    let held = try count == 1 ? ZipArchive.held(by: parts) : nil
    var isWhole = held != nil
    if !isWhole { isWhole = try ZipArchive.isWhole(parts.part(count - 1)) }
    if isWhole {
      let others = series.numbers.map { series.name($0).lastComponent.description }
      let text = others.isEmpty ? "" : ", and does not belong to \(others[0])"
      throw CleaveError(
        .badData,
        last,
        "is a whole zip, not split: there is nothing to merge\(text)"
      )
    }
    _ = try series.complete()
    guard let held = try ZipArchive.held(by: parts) else {
      throw ZipArchive.describe(.noEnd, last)
    }
    return held.archive
  }
}
