import Cleave
import Posix

/// Everything that reads a zip.
///
/// The first byte tells how many more parts there are, and pairs of bytes behind it where one ends; the
/// rest are the parts.
enum ZipTrial {
  static func run(_ input: [UInt8]) {
    guard let first = input.first, input.count > 1 + 2 * Int(first % 8) else { return }
    let cuts = Int(first % 8)
    let bytes = Array(input.dropFirst(1 + 2 * cuts))
    let ends = (0..<cuts).map { cut in
      (Int(input[1 + 2 * cut]) | Int(input[2 + 2 * cut]) << 8) % (bytes.count + 1)
    }
    run(bytes, ends: ends.sorted() + [bytes.count])
  }

  private static func run(_ zip: [UInt8], ends: [Int]) {
    guard let parts = MemoryParts(zip, ends: ends), let whole = MemoryParts(zip, ends: [zip.count])
    else { return }
    for form in [ZipArchive.Form.whole, .split] {
      if let archive = try? ZipArchive(parts, as: form) { look(at: archive, parts) }
    }
    if let archive = try? ZipArchive(whole, as: .whole) { cut(archive, whole) }
    if let repair = try? ZipRepair(whole) { join(repair.archive, whole, repair.repairs) }
  }

  private static func look(at archive: ZipArchive, _ parts: MemoryParts) {
    var verification = EntryVerification()
    _ = verification.run(archive)
    verification.readsData = false
    _ = verification.run(archive)
    guard let entries = try? archive.requireEntries(), archive.addressing == .disks else { return }
    join(archive, parts, entries.repairs)
  }

  private static func join(
    _ archive: ZipArchive,
    _ parts: MemoryParts,
    _ repairs: [HeaderRepair]
  ) {
    for keepsMarker in [false, true] {
      let join = try? ZipJoin(
        archive,
        from: parts.sources,
        into: "out",
        keepsMarker: keepsMarker,
        repairs: repairs,
        kinds: .crc32
      )
      if let join { make(join.plan) }
    }
  }

  /// Makes what an engine would have made.
  private static func make(_ plan: TransferPlan) {
    for extent in plan.extents {
      guard case .deferred(let bytes) = extent.source else { continue }
      precondition((try? bytes.make())?.count == Int(extent.length))
    }
  }

  private static func cut(_ archive: ZipArchive, _ whole: MemoryParts) {
    // Smaller than any real part, so that small inputs are cut, too.
    for size: Int64 in [100, 1000] {
      guard let cut = try? ZipCut(archive, size: size, kinds: .crc32) else { continue }
      precondition(cut.parts.allSatisfy { $0 <= size })
      do {
        make(try cut.plan(whole.sources[0]) { FilePath("\($0)") })
      } catch {
        preconditionFailure("a cut that is no plan: \(error)")
      }
    }
  }
}

/// Parts that were never files.
private struct MemoryParts: ZipBytes {
  let layout: PartLayout
  private let bytes: [UInt8]

  init?(_ bytes: [UInt8], ends: [Int]) {
    let sizes = zip([0] + ends, ends).map { Int64($1 - $0) }
    let names = sizes.indices.map { FilePath("part \($0 + 1)") }
    guard let layout = PartLayout(names, sizes: sizes) else { return nil }
    self.layout = layout
    self.bytes = bytes
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at position: Int64
  ) throws(CleaveError) {
    buffer.copyBytes(from: bytes[Int(position)..<(Int(position) + buffer.count)])
  }

  func willRead(to position: Int64) {}

  func requireUnchanged() {}

  /// Files of the parts' sizes, for plans that nobody carries out.
  var sources: [SourceFile] {
    layout.paths.enumerated().compactMap { index, path in
      guard var status = try? FileStatus.of(".") else { return nil }
      status.size = Int64(layout.range(index).count)
      return SourceFile(path: path, status: status)
    }
  }
}
