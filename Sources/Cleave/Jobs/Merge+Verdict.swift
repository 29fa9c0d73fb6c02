import Posix

/// What a merge is compared with.
extension Merge {
  // MARK: Before

  /// Whether the content itself is to be proved: where it was asked for, and where no manifest proves
  /// every byte.
  var provesContent: Bool {
    if options.range != nil || selection.files == nil || selection.request.format == .raw {
      return false
    }
    switch work.verification {
    case .none, .stream: return false
    case .entries: return true
    // What stays in a store is not fetched to be looked at, unless somebody wants it.
    case .auto where isWithinStore: return false
    case .auto, .readback: return !isCovered
    }
  }

  /// Whether the order is the user's, whatever the content says of it. What is freed on the way has to be
  /// right.
  private var isOrdered: Bool {
    selection.request.isAsGiven && selection.request.format != .zip && !work.consumes
  }

  /// Whether a manifest will prove every byte.
  var isCovered: Bool {
    selection.isToldWhole
      && selection.manifest?.covers(selection.names, makesWhole: makesWhole, of: selection.base)
        ?? false
  }

  /// What the parts are compared with; nil where nothing is compared.
  package var compared: Manifest? { work.verification == .none ? nil : selection.manifest }

  /// Nil where nothing inside is looked at.
  var proving: ProofRun? {
    provesContent ? ProofRun(named: [output], work.jobOptions(kinds), of: selection) : nil
  }

  /// Whether what is made is what was split: with the marker kept, it is not.
  var makesWhole: Bool {
    selection.makesWhole && !(selection.kind == .splitZip && options.keepsMarker)
  }

  // MARK: Behind

  /// Compares what was made, and throws where it is wrong.
  ///
  /// - Parameter proof: the proof by content, if there is one.
  func judge(_ report: JobReport, _ proof: Proof?) throws(CleaveError) -> Verdict {
    if work.verification == .none || options.range != nil { return .waived }
    var verdict = Verdict()
    if !report.knowsSums {
      verdict.add(gap: "the store tells no sums of what it has copied", selection.manifest?.path)
      work.tell(
        .warning("\(output): was compared with nothing; \(.readingBack) reads it to compare it")
      )
    } else if let manifest = selection.manifest {
      verdict.compare(
        with: manifest,
        parts: report.sources.indices.lazy.map {
          (path: selection.names[$0], checksum: report.sources[$0])
        },
        whole: makesWhole ? report.whole : nil,
        of: selection.base,
        digests: report.digests,
        kinds: isWithinStore ? .crc32 : [.crc32, .adler32],
        isPiece: selection.isPiece
      )
      try verdict.requireRight()
    }
    let content = try proof?.result(report.temporaries)
    if isOrdered, let wrong = content?.error {
      work.tell(
        .warning("\(output): the content is wrong, and was joined as given: \(wrong)")
      )
      return verdict
    }
    try add(content, to: &verdict)
    if let content { work.tellUntested(content, of: output) }
    if !verdict.isVerified, report.knowsSums { try tellTwins(report) }
    return verdict
  }

  /// - Throws: where the content is wrong, or does not prove every byte beside a list that is not read.
  func add(_ content: ProofResult?, to verdict: inout Verdict) throws(CleaveError) {
    verdict.add(content)
    do { try verdict.requireRight() } catch {
      // What is made of a split zip has other places than the parts.
      guard selection.kind == .splitZip, let part = selection.names.first else { throw error }
      throw error.adding("; \(.verifying(part)) tells in which parts it lies")
    }
    if !verdict.isVerified, let doubt = selection.doubtUnlessProved { throw doubt.error }
  }

  /// A proof by content.
  enum Proof {
    /// One that was begun, or is to be begun when the files are there.
    case running(ProofRun)
    case known(ProofResult)

    func result(_ files: [FilePath]) throws(CleaveError) -> ProofResult? {
      switch self {
      case .running(let run): try run.finish(files)
      case .known(let result): result
      }
    }
  }
}
