import Cleave
import CommandLineKit
import Posix

/// `cleave merge --all`: several series, one after the other, each with its own verdict.
struct MergeOfAll {
  let session: Session
  let settings: MergeCommand.Settings

  /// Goes on behind what cannot be merged. Returns the first exit code that is not that of success;
  /// what only lacks an option comes behind everything else.
  func run(_ operands: [FilePath]) throws(Failure) -> ExitCode {
    guard !operands.contains("-") else { throw usage("--all needs files, not standard input") }
    var code = ExitCode.success
    var seen: Set<FileStatus.Identity> = []
    var selections: [Selection] = []
    var listing: DirectoryListing?
    let (files, lists) = Selection.divided(operands, settings.request)
    let parts = try files.isEmpty ? partsOfEach(lists, &code) : self.parts(of: files, &code)
    for part in parts {
      let identity = try? FileStatus.of(part.path).identity
      if let identity, seen.contains(identity) { continue }
      // Of a directory, they are among what is said of the selection.
      if part.listing == nil {
        for doubt in part.doubts { session.console.remark(doubt.error.sentence) }
      }
      do throws(Failure) {
        let selection = try job { () throws(CleaveError) in
          try session.selection(of: part, settings.request, in: &listing) { found in
            seen.formUnion((found.files ?? []).map(\.status.identity))
          }
        }
        if !selections.contains(where: { $0.tellsAll(of: selection) }) {
          selections.append(selection)
        }
      } catch {
        try note(error, &code)
      }
    }
    try job { () throws(CleaveError) in try requireDistinct(selections) }
    if code == .success, !files.isEmpty, settings.request.manifest == .automatic {
      tell(lists, besides: selections)
    }
    for selection in selections {
      do throws(Failure) {
        try job { () throws(CleaveError) in
          let merge = try MergeCommand.merge(selection, session, settings)
          try MergeCommand.carryOut(merge, session, settings)
        }
      } catch {
        try note(error, &code)
      }
    }
    return code
  }

  /// Tells of lists that are compared with none of the parts: of which they are, nothing tells.
  private func tell(_ lists: [FilePath], besides selections: [Selection]) {
    func identity(_ path: FilePath) -> FileStatus.Identity? { try? FileStatus.of(path).identity }
    let compared = Set(selections.compactMap(\.manifest).flatMap(\.lists).compactMap(identity))
    for list in lists where identity(list).map(compared.contains) != true {
      session.console.warn("\(list): is not compared, with \(.each)")
    }
  }

  private func note(_ failure: Failure, _ code: inout ExitCode) throws(Failure) {
    switch failure {
    case .usage(let error):
      session.console.fail(Sentence(error.message))
      if code == .success { code = .usage }
    case .job(let error):
      guard error.kind != .cancelled, let found = ExitCode(error.kind) else { throw failure }
      session.console.fail(error.sentence)
      if code == .success || code == .usage && found != .usage { code = found }
    case .ended: throw failure
    }
  }

  /// - Throws: `.cannotCreate` where one series would replace what another has made, or still needs.
  private func requireDistinct(_ selections: [Selection]) throws(CleaveError) {
    var outputs = OutputCheck.NameSet()
    let inputs = Set(selections.flatMap { $0.files ?? [] }.map(\.status.identity))
    for output in selections.compactMap(\.defaultOutput) {
      guard outputs.insert(output) else {
        throw CleaveError(
          .cannotCreate,
          output,
          "would be made of two series: merge them one by one"
        )
      }
      if let status = try? FileStatus.of(output), inputs.contains(status.identity) {
        throw CleaveError(
          .cannotCreate,
          output,
          "is a part of another series: merge them one by one"
        )
      }
    }
  }

  /// One part of each series in a directory or a manifest, and every other operand.
  private func parts(
    of operands: [FilePath],
    _ code: inout ExitCode
  ) throws(Failure) -> [Selection.Part] {
    var parts: [Selection.Part] = []
    for operand in operands {
      do throws(CleaveError) {
        parts += try Selection.each(of: operand, settings.request, in: parts.last?.listing)
      } catch {
        try note(.job(error.hinting(at: operand)), &code)
      }
    }
    return parts
  }

  /// The same of lists, each once: the lines of one lead elsewhere from another directory.
  private func partsOfEach(
    _ lists: [FilePath],
    _ code: inout ExitCode
  ) throws(Failure) -> [Selection.Part] {
    var seen: Set<[FileStatus.Identity]> = []
    return try parts(
      of: lists.filter { path in
        let place = try? [path, path.directory].map { try FileStatus.of($0).identity }
        return place.map { seen.insert($0).inserted } ?? true
      },
      &code
    )
  }
}

extension Selection {
  /// Whether another, that a list stands for, is of the same files, and they are compared with that list here.
  fileprivate func tellsAll(of other: Selection) -> Bool {
    guard let list = other.manifest?.path, let manifest else { return false }
    return names == other.names && manifest.has(list: list)
  }
}
