import Cleave
import CommandLineKit
import Posix

/// What merge and cat do with their operands.
extension Session {
  /// - Parameter purpose: what the parts are wanted for.
  func checkParts(_ operands: [FilePath], to purpose: String) throws(Failure) {
    guard !operands.isEmpty else { throw usage("a part to \(purpose) is missing") }
    guard operands.filter({ $0 == "-" }).count <= 1 else {
      throw usage("standard input can be read only once")
    }
    guard settings.format != .zip || !operands.contains("-") else {
      throw usage("--format=zip needs files, not standard input")
    }
  }

  /// What the operands mean, to be merged.
  ///
  /// - Parameter manifest: what they are compared with, where the operands tell it; nil for what the
  ///   command line says.
  func selection(
    of operands: [FilePath],
    _ manifest: ManifestChoice? = nil
  ) throws(CleaveError) -> Selection {
    if operands.contains("-") { try requireStandardInput() }
    var request = settings.selection
    if let manifest { request.manifest = manifest }
    do throws(CleaveError) {
      let selection = try Selection.look(at: operands, request)
      guard let refusal = selection.refusal else { return selection }
      for doubt in selection.evidence.doubts { console.note(doubt) }
      throw refusal
    } catch {
      throw error.hinting(at: operands[0])
    }
  }

  func merge(of operands: [FilePath]) throws(CleaveError) -> Merge {
    try merge(selection(of: operands))
  }

  func merge(_ selection: Selection) throws(CleaveError) -> Merge {
    let output = try selection.output(given: settings.output, replacing: settings.isForced)
    if !settings.isDryRun { try requireStandardOutput() }
    var merge = Merge(selection, into: output, mergeOptions)
    merge.isNew = true
    return merge
  }

  /// What an interrupted run of the same merge has left to go on with.
  func interruptedMerge(of operands: [FilePath]) throws(CleaveError) -> Merge? {
    guard settings.isStaged else { return nil }
    return try Merge.interrupted(operands, into: settings.output, settings.selection, mergeOptions)
  }

  /// Carries it out, or only says what it would do.
  func carryOut(_ merge: Merge) throws(CleaveError) {
    if settings.isDryRun {
      try reporter.tell(merge, merge.forecast())
    } else {
      try reporter.tell(merge, merge.run())
    }
  }

  var mergeOptions: Merge.Options {
    var options = Merge.Options()
    (options.work, options.keepsMarker) = (work, settings.keepsMarker)
    options.digests = settings.digestKinds
    options.header = settings.header.map {
      Merge.Header($0, separator: settings.separator ?? UInt8(ascii: "\n"))
    }
    if !settings.sums.isEmpty {
      options.sums = settings.sums.contains(.adler32) ? [.crc32, .adler32] : [.crc32]
    }
    if let range = settings.range { options.range = { range.resolved(in: $0) } }
    return options
  }
}
