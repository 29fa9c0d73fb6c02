import Posix

/// What is said beside the findings.
extension Verify {
  /// A manifest that is wrong is in the way of what the content says.
  func tellContent(of subject: Subject, _ operand: FilePath) {
    var request = request
    request.manifest = .none
    var listing: DirectoryListing?
    guard let check = subject.check, subject.selection != nil, subject.archive == nil,
      let alone = try? Subject(operand, request, in: &listing), alone.proof != nil
    else { return }
    tell(
      .warning(
        "\(check.manifest.name): is not about these files, or they are damaged: \(.withoutManifest) "
          + "looks at what is in them alone"
      )
    )
  }

  /// Lines about files that are not to be looked at.
  func leftOut(_ check: ManifestCheck) -> [Finding] {
    let count = check.manifest.outside
    guard count > 0, check.isOfAll else { return [] }
    let lines = count.counted("line names a file", "lines name files")
    let text: Sentence = "\(lines) outside of its directory"
    return [Finding(notChecked: check.manifest.path, text, count: count)]
  }

  /// Files of which none is there may be in another directory than their list.
  func tellElsewhere(_ check: ManifestCheck) {
    guard check.files.count > 1, check.files.allSatisfy({ FileStatus.isAbsent($0) }),
      !FileStatus.isAbsent(check.manifest.path)
    else { return }
    let text: Sentence =
      "\(check.manifest.path): none of its files is where it says; \(.verifying("DIRECTORY", by: check.manifest.path)) "
      + "compares those in another directory"
    tell(.warning(text))
  }

  /// The first file that is missing may be there, with its name spelled in another way.
  ///
  /// - Returns: whether it may.
  func tellSpelling(in check: ManifestCheck) -> Bool {
    guard let missing = check.files.first(where: { FileStatus.isAbsent($0) }), !missing.isRemote,
      let listing = try? DirectoryListing(beside: missing),
      case let (name, spelling) = (missing.lastComponent, missing.spelling),
      let other = listing.names.first(where: { $0 != name && $0.spelling == spelling }),
      !check.manifest.entries.contains(named: other)
    else { return false }
    let difference = Manifest.difference(name, other)
    let text: Sentence =
      "\(missing.sibling(other)): may be what is called \(name) in \(check.manifest.name), \(difference): rename it"
    tell(.warning(text))
    return true
  }

  /// What the parts make, where it is there, too, and not an operand: it is not read for them. What split has read is
  /// older than its list.
  func whole(beside check: ManifestCheck) -> Finding? {
    let base = check.base
    guard check.kind == .parts, check.wholes.isEmpty, share?.number ?? 1 == 1,
      !check.files.contains(base), !operands.contains(base),
      let size = check.manifest.whole(of: base)?.size, let there = try? FileStatus.of(base),
      there.kind == .regular,
      there.size != size
        || (try? FileStatus.of(check.manifest.path))?.modified ?? .max < there.modified
    else { return nil }
    let text: Sentence =
      there.size == size
      ? "is there, too: \(.verifying(base, by: nil)) compares it"
      : "is there, too, and has \(there.size) bytes, not the \(size) that the parts make"
    return Finding(notChecked: base, text)
  }

  /// Why the files may not be what they seem.
  func tellDoubts(of selection: Selection) {
    for doubt in selection.evidence.doubts where doubt.code.severity == .warned {
      let leftOver: Sentence = "left over from a longer series; not looked at"
      tell(.warning("\(doubt.path): \(doubt.code == .leftOver ? leftOver : doubt.text)"))
    }
  }

  /// What is missing may be in the output of an interrupted run.
  func tellInterrupted(_ result: Result) {
    guard result.sections.contains(where: \.findings.tally.hasMissing) else { return }
    var listing: DirectoryListing?
    for operand in operands {
      listing = .beside(operand, orAgain: listing)
      guard let found = Journal.interrupted(about: operand, in: listing) else { continue }
      let text: Sentence =
        "\(found.output): \(found.run) may have what is missing\(found.ending)"
      return tell(.warning(text))
    }
  }
}
