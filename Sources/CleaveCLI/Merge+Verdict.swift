import Cleave
import Posix

/// What a merge is compared with.
extension Merge {
  // MARK: Before

  /// Whether the content itself is to be proved: where it was asked for, and where no manifest proves
  /// every byte.
  var provesContent: Bool {
    if settings.range != nil || selection.files == nil || settings.format == .raw { return false }
    switch settings.verify {
    case .none, .stream: return false
    case .entries: return true
    case .auto, .readback: return !isCovered
    }
  }

  /// Whether the order is the user's, whatever the content says of it. What is freed on the way has to be
  /// right.
  private var isOrdered: Bool {
    settings.isAsGiven && settings.format != .zip && !settings.consumes
  }

  /// Whether a manifest will prove every byte.
  var isCovered: Bool {
    selection.manifest?.covers(selection.names, makesWhole: makesWhole, of: selection.base) ?? false
  }

  /// Nil where nothing inside is looked at.
  var proving: ProofRun? {
    provesContent ? ProofRun(named: [output], session.jobOptions(kinds), of: selection) : nil
  }

  /// Whether what is made is what was split: with the marker kept, it is not.
  var makesWhole: Bool {
    selection.makesWhole && !(selection.kind == .splitZip && settings.keepsMarker)
  }

  // MARK: Behind

  /// Compares what was made, and throws where it is wrong.
  ///
  /// - Parameter proof: the proof by content, if there is one.
  func judge(_ report: JobReport, _ proof: Proof?) throws(CleaveError) -> Verdict {
    if settings.verify == .none || settings.range != nil { return .waived }
    var verdict = Verdict()
    if let manifest = selection.manifest {
      verdict.compare(
        with: manifest,
        parts: report.sources.indices.lazy.map {
          (path: selection.names[$0], checksum: report.sources[$0])
        },
        whole: makesWhole ? report.whole : nil,
        of: selection.base,
        digests: report.digests,
        isPiece: selection.isPiece
      )
      try verdict.requireRight()
    }
    let content = try proof?.result(report.temporaries)
    if isOrdered, let wrong = content?.error {
      session.console.warn(
        "\(output): the content is wrong, and was joined as given: \(wrong.message)"
      )
      return verdict
    }
    verdict.add(content)
    try verdict.requireRight()
    if let content { session.tellUntested(content, of: output) }
    return verdict
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

extension Session {
  /// In warnings.
  private static let mostUntested = 3

  /// Warns of what a proof by content could not test.
  func tellUntested(_ content: ProofResult, of name: FilePath) {
    for finding in content.untested.first.prefix(Self.mostUntested) {
      console.warn("\(finding.path): \(finding.text): not compared")
    }
    let more = content.untested.count - Int64(Self.mostUntested)
    if more > 0 { console.warn("\(name): and \(more) more: not compared") }
  }
}
