package import Posix

/// A drawing of parts: rows of cells, each of which stands for so many bytes.
///
/// No data is read: of zips the directory, and of other files where they have holes. What a check of the
/// parts found wrong can be marked.
package struct PartMap: Sendable {
  /// What more than half of a cell's bytes are.
  package enum Content: Hashable, Sendable {
    case data
    /// What takes no space on the device, and reads as zeros.
    case hole
    /// The header and data of an entry of a zip, by its index in ``PartMap/entries``.
    case entry(Int)
    /// What is in a zip beside these entries.
    case other
    /// The directory of a zip, and all behind it.
    case directory
    /// Not one thing alone.
    case several
    /// A byte of it is not what it should be, or may not be.
    case wrong
  }

  /// One of the largest entries of a zip.
  package struct Entry: Sendable {
    package let name: FilePath
    /// Its header and data, in the parts one behind the other.
    package let range: Range<Int64>
  }

  /// One part, or several in a row where there are many.
  package struct Row: Sendable {
    package let parts: Range<Int>
    package fileprivate(set) var cells: [Content] = []
  }

  package let layout: PartLayout
  /// By their places.
  package let entries: [Entry]
  /// How many entries are not among these.
  package let otherEntries: Int64
  /// Bytes that a cell stands for: a power of two. The last one of a row may stand for less.
  package let cellBytes: Int64
  package private(set) var rows: [Row]

  /// As many as there are letters.
  private static let mostEntries = 26
  private static let mostCells: Int64 = 64
  private static let mostRows = 64

  /// - Throws: where a file cannot be opened, or is no longer what it was.
  package init(_ files: SourceFiles, _ archive: ZipArchive?) throws(CleaveError) {
    layout = try JoinedBytes(files).layout
    // The parts of a split zip that somebody concatenated are not the files.
    let archive = archive.flatMap { [layout] in $0.bytes.layout.starts == layout.starts ? $0 : nil }
    entries = try archive?.largestEntries(Self.mostEntries) ?? []
    otherEntries = archive.map { [entries] in $0.summary.entries - Int64(entries.count) } ?? 0
    let perRow = max(1, (layout.parts + Self.mostRows - 1) / Self.mostRows)
    rows = stride(from: 0, to: layout.parts, by: perRow).map { [layout] first in
      Row(parts: first..<min(first + perRow, layout.parts))
    }
    let most = rows.map { [layout] in layout.range($0.parts).count64 }.max() ?? 0
    var bytes: Int64 = 1
    while bytes < BlockSums.count(most, Self.mostCells) { bytes *= 2 }
    cellBytes = bytes
    for index in rows.indices {
      try fill(&rows[index], files, archive)
    }
  }

  private func fill(
    _ row: inout Row,
    _ files: SourceFiles,
    _ archive: ZipArchive?
  ) throws(CleaveError) {
    let range = layout.range(row.parts)
    var counts = CellCounts(range, cellBytes)
    if let archive {
      counts.add(.other, range.clamped(to: 0..<archive.directoryStart))
      counts.add(.directory, range.clamped(to: archive.directoryStart..<layout.count))
      for (index, entry) in entries.enumerated() {
        counts.move(.other, to: .entry(index), range.clamped(to: entry.range))
      }
    } else {
      counts.add(.data, range)
    }
    for part in row.parts where !files[part].path.isRemote {
      try InputFile(files[part]).eachHole { hole in
        // bounded: within the part
        let start = layout.starts[part] + hole.lowerBound
        counts.addHole(start..<(start + hole.count64))
      }
    }
    row.cells = counts.contents
  }
}

// MARK: - What is wrong

extension PartMap {
  /// Marks what was found wrong in these parts, as far as it is known where that is: blocks that have sums
  /// of their own, entries of a zip, and otherwise whole parts.
  package mutating func mark(_ result: Verify.Result) {
    for finding in result.findings where finding.failure != nil {
      for range in ranges(finding) { mark(range) }
    }
  }

  private func ranges(_ finding: Verify.Finding) -> [Range<Int64>] {
    // The parts of a wrong entry are said to be bad as well, and are so in part.
    if finding.isOfZip { return finding.place.map { [$0.clamped(to: 0..<layout.count)] } ?? [] }
    if let wrong = finding.reading?.wrong, !wrong.isEmpty,
      let part = layout.paths.firstIndex(of: finding.path)
    {
      let bytes = layout.range(part)
      return wrong.map { wrong in
        let wrong = wrong.clamped(to: 0..<bytes.count64)
        // bounded: within the part
        let start = bytes.lowerBound + wrong.lowerBound
        // Of bytes that are not there, the end is marked.
        return wrong.isEmpty
          ? max(bytes.lowerBound, bytes.upperBound - 1)..<bytes.upperBound
          : start..<(start + wrong.count64)
      }
    }
    return layout.paths.indices.filter { finding.bad.contains(layout.paths[$0]) }
      .map { layout.range($0) }
  }

  private mutating func mark(_ wrong: Range<Int64>) {
    for index in rows.indices {
      let bytes = layout.range(rows[index].parts)
      let marked = wrong.clamped(to: bytes)
      if marked.isEmpty { continue }
      // bounded: both are within the row
      let first = Int((marked.lowerBound - bytes.lowerBound) / cellBytes)
      let last = Int((marked.upperBound - 1 - bytes.lowerBound) / cellBytes)
      for cell in first...last { rows[index].cells[cell] = .wrong }
    }
  }
}

/// How many bytes of what each cell of a row has.
private struct CellCounts {
  private let range: Range<Int64>
  private let cellBytes: Int64
  private var counts: [[PartMap.Content: Int64]]
  private var holes: [Int64]

  init(_ range: Range<Int64>, _ cellBytes: Int64) {
    (self.range, self.cellBytes) = (range, cellBytes)
    let cells = Int(BlockSums.count(range.count64, cellBytes))
    counts = Array(repeating: [:], count: cells)
    holes = Array(repeating: 0, count: cells)
  }

  private func cell(_ index: Int) -> Range<Int64> {
    let start = range.lowerBound + Int64(index) * cellBytes
    return start..<(start + min(cellBytes, range.upperBound - start))
  }

  /// The cells that bytes lie in, and how many in each.
  private func shares(of bytes: Range<Int64>) -> [(cell: Int, count: Int64)] {
    guard !bytes.isEmpty else { return [] }
    let first = Int((bytes.lowerBound - range.lowerBound) / cellBytes)
    let last = Int((bytes.upperBound - 1 - range.lowerBound) / cellBytes)
    return (first...last).map { ($0, cell($0).clamped(to: bytes).count64) }
  }

  mutating func add(_ content: PartMap.Content, _ bytes: Range<Int64>) {
    for (cell, count) in shares(of: bytes) { counts[cell][content, default: 0] += count }
  }

  mutating func move(_ old: PartMap.Content, to new: PartMap.Content, _ bytes: Range<Int64>) {
    for (cell, count) in shares(of: bytes) {
      counts[cell][old, default: 0] -= count
      counts[cell][new, default: 0] += count
    }
  }

  mutating func addHole(_ bytes: Range<Int64>) {
    for (cell, count) in shares(of: bytes) { holes[cell] += count }
  }

  var contents: [PartMap.Content] {
    counts.indices.map { index in
      let half = cell(index).count64 / 2
      if holes[index] > half { return .hole }
      return counts[index].first { $0.value > half }?.key ?? .several
    }
  }
}

extension PartLayout {
  /// The bytes of several parts that follow each other.
  fileprivate func range(_ parts: Range<Int>) -> Range<Int64> {
    starts[parts.lowerBound]..<starts[parts.upperBound]
  }
}

extension ZipArchive {
  /// The entries that take most bytes, by their places.
  fileprivate func largestEntries(_ most: Int) throws(CleaveError) -> [PartMap.Entry] {
    var largest: [CentralRecord] = []
    var directory = directory
    while let record = try directory.record(in: self) {
      let isSmall = largest.last.map { $0.compressedSize >= record.compressedSize } ?? false
      if isSmall, largest.count == most { continue }
      let index = largest.firstIndex { $0.compressedSize < record.compressedSize }
      largest.insert(record, at: index ?? largest.count)
      if largest.count > most { largest.removeLast() }
    }
    var entries: [PartMap.Entry] = []
    for record in largest {
      guard let position = position(of: record),
        let local = try LocalHeader(bytes, at: position, of: record),
        let place = try? EntryPlace(record, local, at: position)
      else { continue }
      let end = min(place.end, directoryStart)
      entries.append(PartMap.Entry(name: record.name, range: place.start..<max(place.start, end)))
    }
    return entries.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension InputFile {
  /// Calls `body` with every hole, by its place.
  fileprivate func eachHole(_ body: (Range<Int64>) -> Void) throws(CleaveError) {
    try reading { () throws(SystemError) in
      var position: Int64 = 0
      while position < size {
        let hole = try descriptor.hole(from: position)
        if hole >= size { return }
        position = min(try descriptor.data(from: hole), size)
        if position <= hole { return }
        body(hole..<position)
      }
    }
  }
}
