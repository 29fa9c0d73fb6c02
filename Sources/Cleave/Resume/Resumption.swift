package import Posix

/// What an interrupted run has left to go on with.
package struct Resumption: Sendable {
  let file: JournalFile
  package let plan: TransferPlan
  package let journal: Journal
  /// Whether names may have been given.
  let isPublishing: Bool
  /// Bytes that are done.
  package let done: Int64
  /// The sources as they are now.
  let present: [Journal.Present]
  /// Whether all of the job's own sources are gone, and other files have their names.
  var isOfOthers: Bool { present.allSatisfy { $0.file == nil && $0.other != nil } }

  /// Looks for the journal of a job that makes `output`; nil where there is none, or nothing in it.
  ///
  /// - Parameters:
  ///   - operands: among which the sources are.
  ///   - request: what is said of them; nil for the source of split.
  /// - Throws: `.cannotCreate` where another run has the journal, or it is of another job;
  ///   `.changedInput` where a source was changed; `.missingInput` where one is missing.
  package init?(
    of command: Journal.Command,
    making output: FilePath,
    from operands: [FilePath],
    _ request: Selection.Request? = nil,
    consuming consumes: Bool
  ) throws(CleaveError) {
    guard let file = try JournalFile.existing(at: Journal.path(beside: output)),
      let journal = file.found, journal.hasProgress
    else { return nil }
    guard journal.command == command, let paths = journal.locate(operands) else {
      throw file.refusal("was begun by a run with other operands")
    }
    if let request { try Self.requireSame(request, operands, journal, file) }
    // One journal was put in another's place.
    if command == .merge, journal.destinations.first?.name != output.lastComponent {
      throw file.refusal("is the journal of another output")
    }
    // Nothing is given up that was not asked for, even if the journal says so.
    if consumes != journal.consumes {
      throw file.refusal("was begun \(journal.consumes ? "with" : "without") \(Setting.consuming)")
    }
    if let request, !request.isAsGiven, request.reading.bounds == PartSeries.Bounds(),
      journal.isOpen
    {
      try Self.requireNoneSince(paths, journal, file)
    }
    self.file = file
    do {
      present = try journal.examine(paths)
    } catch  where error.kind == .changedInput || error.kind == .missingInput {
      if !journal.consumes {
        throw error.adding("; \(journal.givingUp(file.path))")
      }
      guard error.kind == .changedInput, let path = paths.first, journal.isUnfreed(path),
        path == error.path
      else { throw error }
      throw error.adding(
        "; nothing of it was freed, and \(Leftovers.givingUp(file.path)) gives up what is done, "
          + "and the next run begins anew"
      )
    }
    if let other = Self.elsewhere(present, journal, output) {
      throw file.refusal(
        "was begun by a run with other files than \(other.path), which may have to be moved away"
      )
    }
    plan = try journal.plan(sources: paths, beside: output)
    (done, isPublishing) = (journal.doneBytes, journal.isPublishing)
    self.journal = journal
    // Parts may take the place of bad ones.
    if command == .split { try requireOwn() }
  }

  /// - Throws: `.cannotCreate` where all sources are other files, which are meant as they are.
  func requireOwn() throws(CleaveError) {
    let others = isOfOthers ? present.compactMap(\.other?.path) : []
    if let refusal = journal.refusal(ofOthers: others) { throw refusal }
  }

  /// What has the name of one of the job's own sources, of which none is there, in a directory in which they were not, nor
  /// what was made of them: a part of another set, of which none may take the place of what was freed.
  private static func elsewhere(
    _ present: [Journal.Present],
    _ journal: Journal,
    _ output: FilePath
  ) -> SourceFile? {
    func identity(_ directory: FilePath) -> FileStatus.Identity? {
      (try? FileStatus.of(directory))?.identity
    }
    let others = zip(journal.sources, present).filter { $1.other != nil }
    guard journal.consumes, present.allSatisfy({ $0.file == nil }) else { return nil }
    return others.first { source, present in
      guard let place = source.place, let other = present.other else { return false }
      return ![place, output.directory].map(identity).contains(identity(other.path.directory))
    }?.1.other
  }

  /// - Throws: `.cannotCreate` where other bytes are asked for than the job was begun with.
  private static func requireSame(
    _ request: Selection.Request,
    _ operands: [FilePath],
    _ journal: Journal,
    _ file: JournalFile
  ) throws(CleaveError) {
    let isOther =
      request.isAsGiven && operands.map(\.lastComponent) != journal.sources.map(\.name)
    // What is said of the last part may be what the job knows.
    var plain = request
    if let last = request.reading.bounds.last, let name = journal.sources.last?.name,
      PartName.readings(of: name).contains(where: { $0.isMeant(by: last) })
    {
      plain.reading.bounds.last = nil
    }
    let isUnknown = journal.asked == nil && plain.reading.bounds.last != nil
    let isSame =
      journal.asked.map { asked in
        let others = asked.split(separator: " ").filter { !$0.hasPrefix("last=") }
          .joined(separator: " ")
        let isLast = plain.asked != request.asked && (others.isEmpty ? "-" : others) == plain.asked
        return isLast || asked == request.asked
      } ?? true
    if isOther || isUnknown || !isSame {
      throw file.refusal("was begun with other options for which parts are joined, and how")
    }
  }

  /// - Throws: `.changedInput` where a part in front of the first one or behind the last one has come since.
  private static func requireNoneSince(
    _ paths: [FilePath],
    _ journal: Journal,
    _ file: JournalFile
  ) throws(CleaveError) {
    let names = journal.sources.map(\.name)
    guard let first = names.first, let last = names.last,
      let form = journal.base.map({ PartName.counting(names, for: $0) })
        ?? (names.count > 1 ? PartName.common(names) : nil),
      let start = form.digits(of: first), let end = form.digits(of: last)
    else { return }
    let rule =
      end.alphabet == .decimal
      ? Numbering.plain(width: start.width)
      : Numbering(alphabet: end.alphabet, width: end.width, isWidening: false)
    let hexadecimal = PartAlphabet.hexadecimal.digits(of: 10, width: end.width)
    let candidates = [
      rule.successor(of: end.number).map { form.name($0, rule) },
      start.number == 1 ? form.name(0, rule) : nil,
      end.alphabet == .decimal && end.number == 9 && end.width > 1
        ? FilePath(bytes: form.head.bytes + hexadecimal + form.tail.bytes) : nil,
    ].compactMap(\.self)
    let label = FilePath(bytes: rule.digits(of: end.number))
    let isPart = { (name: FilePath) in
      form.digits(of: name, folding: true).map(rule.contains) ?? false
    }
    for directory in PathList(paths).byDirectory {
      let listed = try? DirectoryListing(beside: directory[0]).names
      let later = listed?.likely(beginning: form.head.bytes).filter { name in
        guard isPart(name), let number = form.digits(of: name, folding: true)?.number else {
          return false
        }
        return number > end.number && number - end.number <= Int64(names.count)
      }
      for next in (candidates + (later ?? [])).map(directory[0].sibling) {
        guard (try? FileStatus.of(next))?.kind == .regular else { continue }
        let other: Sentence =
          journal.consumes ? "" : ", or \(journal.givingUp(file.path))"
        throw CleaveError(
          .changedInput,
          next,
          "has come since the job was begun: \(.last(label)) goes on without it" + other
        )
      }
      guard let listed, let next = candidates.first else { continue }
      let hint = Neighbours(among: listed, head: form.head, isPart: isPart).hint(for: next)
      if hint.isEmpty { continue }
      throw CleaveError(
        .changedInput,
        directory[0].sibling(next),
        "was not there when the job was begun\(hint); \(.last(label)) goes on without it"
      )
    }
  }
}

extension PartName {
  /// Whether a user who names the last part so means this one.
  fileprivate func isMeant(by bound: PartSeries.Bound) -> Bool {
    switch bound {
    case .number(let number): number == self.number
    case .text(let text):
      text.lastComponent == name || PartDigits(text.bytes, digits.alphabet)?.number == number
        || PartDigits(text.bytes)?.number == number
    }
  }
}
