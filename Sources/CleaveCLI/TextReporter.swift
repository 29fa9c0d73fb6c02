import Cleave
import CommandLineKit
import Posix

/// Tells results to people, in lines.
struct TextReporter: Reporter {
  let session: Session
  var console: Console { session.console }

  // MARK: Results

  func tell(_ merge: Merge, _ outcome: Outcome) throws(CleaveError) {
    let (report, whole) = (outcome.report, outcome.report.whole)
    session.noteRun(report)
    var line =
      "\(merge.shownOutput): \(ByteSize.described(whole.count)) from "
      + merge.selection.described(report.sources.count)
    if report.knowsSums, merge.kinds.contains(.crc32) { line += ", CRC-32 \(whole.crc32Text)" }
    try console.report("\(line), \(outcome.verdict)")
    if report.knowsSums {
      try tellSums(merge.shownOutput, whole, report.digests.whole)
    } else if !session.report.sums.isEmpty {
      session.console.warn(
        "\(merge.shownOutput): its sums are not known, since the store tells none; \(Remedy.readingBack) reads it"
      )
    }
  }

  func tell(
    _ share: WorkShare?,
    of output: FilePath,
    _ result: WorkShare.Result
  ) throws(CleaveError) {
    let done = "\(output): " + (share.map { "share \($0) is done" } ?? "")
    switch result {
    case .complete: break
    case .waiting(let missing):
      let names = missing.prefix(20).map(String.init).joined(separator: ", ")
      let others = missing.count > 20 ? " and \(missing.count - 20) more" : ""
      try console.report("\(done), not yet \(names)\(others)")
    case .completed: try console.report("\(output): all shares are done")
    case .leftToAnother: try console.report("\(done), and another run completes it")
    }
  }

  func tell(_ prepared: Split.Prepared, _ outcome: Outcome) throws(CleaveError) {
    let (split, report, whole) = (prepared.split, outcome.report, prepared.whole(outcome.report))
    session.noteRun(report)
    // As it is called by now, if an interrupted run has taken its name.
    let read = split.file == "-" ? nil : prepared.plan?.sources.first?.path
    let file = read ?? split.file
    let source = file == "-" ? "standard input" : "\(file)"
    let count = report.destinations.count
    let last = count > 1 ? " to \(split.naming.name(count - 1))" : ""
    var line = "\(source): \(ByteSize.described(whole.count)) in \(split.naming.name(0))\(last)"
    if !split.kinds.isEmpty { line += ", CRC-32 \(whole.crc32Text)" }
    line += Self.described(split.manifests)
    if let filter = split.options.filter { line += ", fed to '\(filter.command)'" }
    if let joiner = split.joiners.first {
      line += ", put together by \(joiner.path(beside: split.prefix))"
    }
    try console.report(line)
    try tellSums("\(file == "-" ? split.prefix : file)", whole, report.digests.whole)
  }

  func tell(_ prepared: Repair.Prepared, _ outcome: Outcome) throws(CleaveError) {
    let (repair, report) = (prepared.repair, outcome.report)
    session.noteRun(report)
    var line =
      "\(repair.output): \(ByteSize.described(report.bytes)) from \(repair.file), \(prepared.described)"
    if !repair.kinds.isEmpty { line += ", CRC-32 \(report.whole.crc32Text)" }
    try console.report("\(line), \(outcome.verdict)")
  }

  /// The sums that were asked for, in lines that `sha256sum -c` and its relatives read.
  private func tellSums(
    _ name: String,
    _ sum: Checksum,
    _ digests: [Digest]
  ) throws(CleaveError) {
    for kind in session.report.sums {
      guard let text = kind.text(sum, digests) else { continue }
      try console.report("\(kind.tag) (\(name)) = \(text)")
    }
  }

  /// The end of a sentence, or nothing.
  private static func described(_ manifests: [Split.ManifestFile]) -> String {
    if manifests.isEmpty { return "" }
    let names = manifests.map(\.path.description).joined(separator: ", ")
    return ", manifest\(manifests.count == 1 ? "" : "s") \(names)"
  }

  // MARK: Dry runs

  func tell(_ merge: Merge, _ forecast: Forecast) throws(CleaveError) {
    let size = forecast.bytes.map { ByteSize.described($0) } ?? "unknown size"
    let manifest = merge.compared.map { ", to be compared with \($0.name)" } ?? ""
    try tell(
      forecast,
      "\(merge.shownOutput): \(size) from \(merge.selection.described(forecast.parts.count)), "
        + "\(forecast.means)\(manifest)"
    )
  }

  func tell(_ prepared: Split.Prepared, _ forecast: Forecast) throws(CleaveError) {
    let split = prepared.split
    try tell(
      forecast,
      "\(split.file): \(ByteSize.described(forecast.bytes ?? 0)) in "
        + "\(forecast.parts.count.counted("part")), \(forecast.means)"
        + Self.described(split.manifests)
    )
  }

  func tell(_ prepared: Repair.Prepared, _ forecast: Forecast) throws(CleaveError) {
    let repair = prepared.repair
    try tell(
      forecast,
      "\(repair.output): \(ByteSize.described(forecast.bytes ?? 0)) from \(repair.file), "
        + "\(prepared.described), \(forecast.means)"
    )
  }

  /// - Parameter headline: what is made of what.
  private func tell(_ forecast: Forecast, _ headline: String) throws(CleaveError) {
    try console.report(headline)
    try console.report(
      each: forecast.parts.lazy.map { part in
        let size = part.size.map { ByteSize.described($0) } ?? "unknown size"
        return "  \(part.path)  \(size)\(part.offset.map { " at \($0)" } ?? "")"
      }
    )
    var lines = forecast.space.map(Self.lines) ?? []
    if let resumption = forecast.resumption {
      let done = resumption.done > 0 ? ", \(resumption.done) bytes are there" : ""
      let checkpoint = ByteSize.described(resumption.checkpoint)
      lines.append("  journal   \(resumption.journal), a checkpoint every \(checkpoint)\(done)")
    }
    try console.report(each: lines)
  }

  static func lines(_ space: Forecast.Space) -> [String] {
    var line = "  space     \(ByteSize.described(space.needed)) needed"
    if let free = space.free {
      line += ", \(ByteSize.described(free)) free"
      if let fileSystem = space.fileSystem { line += " on \(fileSystem)" }
      let lack = space.needed - free
      if lack > 0 { line += ", \(ByteSize.described(lack)) too few" }
    }
    if space.fitsFAT32 { return [line] }
    let most = OutputCheck.mostOnFAT32
    return [
      line, "  FAT32     has at most \(most) bytes in a file: split -b fat32 makes parts that fit",
    ]
  }

  // MARK: The rest

  func tell(removed: Cleaning.Removal) throws(CleaveError) {
    let what = session.report.isDryRun ? "would be removed" : "removed"
    try console.report("\(removed.path): \(ByteSize.described(removed.size)) \(what)")
  }

  /// All has been told on the way.
  func tell(_ cleaning: Cleaning) {}

  func tell(_ failure: Failure, _ code: ExitCode) {}
}

extension Forecast {
  /// As JSON spells it.
  var engineText: String { isInStore ? "store" : engine.rawValue }

  fileprivate var means: String { isInStore ? "in the store" : "by the \(engine.rawValue) engine" }
}

extension Merge {
  fileprivate var shownOutput: String { output == "-" ? "standard output" : "\(output)" }
}

extension Repair.Prepared {
  fileprivate var described: String {
    "a split zip of \(disks.counted("part")) with \(entries.counted("entry", "entries"))"
  }
}

extension Selection {
  /// What the parts were recognized as, with their number.
  fileprivate func described(_ count: Int) -> String {
    let parts = count.counted("part")
    guard kind.isZip, let entries else { return parts }
    let what = kind == .zipPieces ? "zip" : kind.rawValue
    return "\(parts) of a \(what) with \(entries.counted("entry", "entries"))"
  }
}
