internal import Posix

/// Tests every entry of a zip; see ``EntryVerification``.
struct ZipProof {
  let archive: ZipArchive
  var notes: ProofNotes

  mutating func run(
    _ cancellation: Cancellation,
    _ progress: WorkProgress
  ) throws(CleaveError) -> ProofResult {
    var verification = EntryVerification()
    verification.cancellation = cancellation
    verification.progress = progress
    let report = verification.run(archive)
    if let error = report.error { throw error }
    notes.prove(report.fine)
    let behind = archive.notes.bytesBehind
    if report.bad.count == 0 { try lookBetween() }
    if behind > 0 {
      notes.leaveRest(from: archive.bytes.count - behind, of: "the zip", mayHoldParts: true)
    }
    for entry in report.bad.named {
      notes.differ(
        entry.place,
        "'\(entry.name)' \(entry.text)\(notes.layout.lies(entry.place))"
      )
    }
    for entry in report.notTested.named {
      notes.leave(entry.place, "'\(entry.name)' \(entry.text)")
    }
    // Of very many, only the first are named.
    notes.count(differences: report.bad.unnamed, untested: report.notTested.unnamed)
    return notes.result
  }

  /// What belongs to no entry has no sum.
  private mutating func lookBetween() throws(CleaveError) {
    let found: ZipNotes
    do throws(CleaveError) {
      found = try archive.requireEntries().notes
    } catch {
      guard error.kind == .badData, error.system == nil else { throw error }
      return notes.leave(0..<archive.bytes.count, String(describing: error.text))
    }
    try lookInFront(found.bytesInFront)
    // What was made of a split zip is in one part; its archive tells of those that it was made of.
    let unproved = archive.notes.unproved.isEmpty ? found.unproved : archive.notes.unproved
    for text in found.contradictions + unproved {
      notes.leave(0..<archive.bytes.count, "has \(text)")
    }
    let records = archive.end.position..<archive.end.upperBound
    for text in archive.notes.wrongRecords { notes.leave(records, "has a wrong record: \(text)") }
    let between = found.bytesBetween + archive.bytesLeftOut
    if between > 0 {
      notes.leave(0..<archive.bytes.count, "has \(between.counted("byte")) that belong to no entry")
    }
  }

  /// A program in front of a zip, which unpacks it, has no sum.
  private mutating func lookInFront(_ count: Int64) throws(CleaveError) {
    guard count > 0 else { return }
    if let text = try archive.strayInFront(count, in: notes.layout) {
      return notes.differ(0..<count, text, sort: .doesNotBelong)
    }
    notes.leave(0..<count, "has \(count.counted("byte")) in front of the zip")
  }
}

extension ZipArchive {
  /// Why the bytes in front of the zip are there by mistake, as the end of a sentence that begins with the first part: they
  /// are whole parts that the zip does not count, or what the first one has more than the others; nil where they may be a
  /// program that unpacks it.
  func strayInFront(_ count: Int64, in layout: PartLayout) throws(CleaveError) -> String? {
    guard count > 0, layout.parts > 1, addressing == .whole(shift: count) else { return nil }
    let head = try bytes.bytes(4, at: 0) ?? []
    let programs: [FileFormat.Kind] = [.elf, .program, .script]
    if programs.contains(where: { FileFormat.of($0).begins(head) }) { return nil }
    if let part = layout.boundary(at: count) {
      return "does not belong here: the zip begins with \(layout.paths[part].lastComponent)"
    }
    let sizes = layout.sizes
    guard sizes.count > 2, sizes[0] - count == sizes[1] else { return nil }
    return "has \(count.counted("byte")) in front of the zip, by which it is longer than the others"
  }
}

extension EntryVerification.Findings {
  fileprivate var unnamed: Int64 { count - Int64(named.count) }
}
