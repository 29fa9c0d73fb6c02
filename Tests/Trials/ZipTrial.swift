import Cleave
import Posix

/// Everything that reads a zip.
///
/// An input as ``TrialParts/cut(_:)`` takes it.
enum ZipTrial {
  static func run(_ input: [UInt8]) -> String {
    guard let cut = TrialParts.cut(input), let parts = try? JoinedBytes(cut),
      let whole = try? JoinedBytes([cut.flatMap { $0 }])
    else { return "no parts" }
    var outcomes: [String] = []
    for form in [ZipArchive.Form.whole, .split] {
      do throws(ZipFault) {
        let archive = try ZipArchive(parts, as: form)
        outcomes.append("\(form): " + look(at: archive, parts))
      } catch {
        outcomes.append("\(form): \(error)")
      }
    }
    if let archive = try? ZipArchive(whole, as: .whole) { self.cut(archive, whole) }
    if let repair = try? ZipRepair(whole) {
      outcomes.append("repaired from \(repair.disks) parts")
      join(repair.archive, whole, repair.repairs)
    }
    return outcomes.joined(separator: "; ")
  }

  private static func look(at archive: ZipArchive, _ parts: JoinedBytes) -> String {
    var verification = EntryVerification()
    let report = verification.run(archive)
    verification.readsData = false
    _ = verification.run(archive)
    let bad = report.bad.named.first.map { ", '\($0.name)' \($0.text)" } ?? ""
    let outcome =
      "\(report.fine) fine, \(report.bad.count) bad, \(report.notTested.count) not tested\(bad)"
    do throws(CleaveError) {
      let entries = try archive.requireEntries()
      if archive.addressing == .disks { join(archive, parts, entries.repairs) }
      return outcome
    } catch {
      return "\(outcome), \(error.message)"
    }
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
