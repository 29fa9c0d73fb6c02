import Cleave
import Posix

/// Everything that reads a zip.
///
/// An input as ``TrialParts/cut(_:)`` takes it.
enum ZipTrial {
  static func run(_ input: [UInt8]) {
    guard let cut = TrialParts.cut(input), let parts = try? JoinedBytes(cut),
      let whole = try? JoinedBytes([cut.flatMap { $0 }])
    else { return }
    for form in [ZipArchive.Form.whole, .split] {
      if let archive = try? ZipArchive(parts, as: form) { look(at: archive, parts) }
    }
    if let archive = try? ZipArchive(whole, as: .whole) { self.cut(archive, whole) }
    if let repair = try? ZipRepair(whole) { join(repair.archive, whole, repair.repairs) }
  }

  private static func look(at archive: ZipArchive, _ parts: JoinedBytes) {
    var verification = EntryVerification()
    _ = verification.run(archive)
    verification.readsData = false
    _ = verification.run(archive)
    guard let entries = try? archive.requireEntries(), archive.addressing == .disks else { return }
    join(archive, parts, entries.repairs)
  }

  private static func join(
    _ archive: ZipArchive,
    _ parts: JoinedBytes,
    _ repairs: [HeaderRepair]
  ) {
    for keepsMarker in [false, true] {
      let join = try? ZipJoin(
        archive,
        from: TrialParts.files(like: parts),
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

  private static func cut(_ archive: ZipArchive, _ whole: JoinedBytes) {
    // Smaller than any real part, so that small inputs are cut, too.
    for size: Int64 in [100, 1000] {
      guard let cut = try? ZipCut(archive, size: size, kinds: .crc32) else { continue }
      precondition(cut.parts.allSatisfy { $0 <= size })
      do {
        make(try cut.plan(TrialParts.files(like: whole)[0]) { FilePath("\($0)") })
      } catch {
        preconditionFailure("a cut that is no plan: \(error)")
      }
    }
  }
}
