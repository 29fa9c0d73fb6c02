package import Posix

/// The command line that goes on with a job.
extension Journal {
  /// More arguments than these are not kept: a shell's `NAME.*` may have thousands.
  static let mostArguments = 32

  /// What to type, where it was kept: `cleave merge --consume film.001`.
  package var commandLine: String? {
    if arguments.isEmpty { return nil }
    return (["cleave"] + arguments.map(\.quoted)).joined(separator: " ")
  }

  /// The end of a sentence: who goes on. What was typed means something else in another directory.
  package var remedy: String {
    let elsewhere = directory == ProcessState.workingDirectory ? nil : directory
    guard let commandLine else {
      return "the same call or command line goes on" + (elsewhere.map { " in \($0)" } ?? "")
    }
    guard let elsewhere else { return "'\(commandLine)' goes on" }
    if hasLeft(elsewhere) { return "'\(commandLine)' goes on, typed in what was \(elsewhere)" }
    return "'cd \(elsewhere.quoted) && \(commandLine)' goes on"
  }

  /// Whether a directory is gone, or has other files than the job's under the names of its sources: what it was has
  /// another name now.
  private func hasLeft(_ directory: FilePath) -> Bool {
    guard let status = try? FileStatus.of(directory), status.kind == .directory
    else { return true }
    let found = sources.prefix(Self.mostArguments).compactMap { source in
      (try? FileStatus.of(directory.appending(source.name))).map {
        $0.identity.inode == source.inode
      }
    }
    return !found.isEmpty && !found.contains(true)
  }

  /// Whether a source is not there, so that what was copied of it may be nowhere else.
  ///
  /// - Parameter path: the journal; its directory may have been moved with all that is in it.
  func lacksSource(_ path: FilePath) -> Bool {
    Set(done.map { extents[$0.extent].source }).contains { index in
      index.map { sources[$0].isGone(besides: path) } ?? false
    }
  }

  /// The end of a sentence about a job whose entries may be lost.
  ///
  /// - Parameter path: the journal.
  static func remedyWithoutEntries(_ path: FilePath) -> String {
    "where all of them are there and right, \(Leftovers.givingUp(path)) gives the job up"
  }

  /// The names that the outputs have until they are complete, beside `output`.
  func temporaries(beside output: FilePath) -> [FilePath] {
    destinations.enumerated().map { index, destination in
      TemporaryName(of: output.sibling(destination.name), job: job, index: index).path
    }
  }

  /// Bytes that the outputs of an interrupted job have beside `output`, with what was reserved for them.
  package func allocated(beside output: FilePath) -> Int64 {
    temporaries(beside: output).reduce(0) { sum, path in
      sum + ((try? FileStatus.of(path, followingLinks: false))?.allocated ?? 0)
    }
  }

  /// An interrupted job, found by a file that it is about.
  package struct Interrupted {
    package let journal: Journal
    /// That of the journal.
    let path: FilePath
    /// What it makes, or the first of its outputs.
    package let output: FilePath
    /// One of its sources, there or not.
    package let source: FilePath
    /// Whether a run has it now, so that it was not interrupted.
    let isAtWork: Bool

    /// Who has begun the job, and what goes on with it, where nobody does.
    var run: Sentence { isAtWork ? "a run at work" : "an interrupted run" }
    var ending: Sentence { isAtWork ? "" : "; \(journal.remedy)" }
  }

  /// The interrupted job that reads or makes a file, or whose parts a manifest or a directory is about; nil where
  /// there is none, or several. Looks beside the file.
  ///
  /// - Parameter listing: the names of some directory, which may be the file's.
  package static func interrupted(
    about operand: FilePath,
    in listing: DirectoryListing? = nil
  ) -> Interrupted? {
    let found = (try? look(at: operand, orMaking: true, in: listing))?.found ?? []
    return found.count == 1 ? found[0] : nil
  }

  /// The same, for a run that is to go on with it.
  ///
  /// - Parameter output: what is made; nil where that is not known yet.
  /// - Throws: where a journal cannot be read now, or several jobs could be meant; what is none, or
  ///   somebody else's, is passed over.
  package static func interrupted(
    _ command: Command,
    lookingAt operand: FilePath,
    making output: FilePath?
  ) throws(CleaveError) -> Interrupted? {
    let (all, _, error) = try look(at: operand)
    if let error { throw error }
    let found = all.filter { $0.journal.command == command }
    if found.count < 2 { return found.first }
    if let output { return found.first { $0.output == output } }
    let outputs = found.dropFirst().reduce("\(.output(found[0].output))" as Sentence) {
      $0 + " or \(.output($1.output))"
    }
    throw CleaveError(
      .cannotCreate,
      operand,
      "\(found.count) interrupted runs are about it: \(outputs) says which to go on with"
    )
  }

  /// What an interrupted merge of another machine's parts makes in the working directory; nil where there
  /// is none, or several are.
  ///
  /// - Parameter operand: a part, a manifest or a directory.
  static func output(ofRemote operand: FilePath) -> FilePath? {
    guard operand.isRemote, let names = try? FileSystem.names(in: ".") else { return nil }
    let outputs = names.filter(isName).compactMap { name -> FilePath? in
      guard let journal = try? JournalFile.peek(at: name).journal, journal.command == .merge else {
        return nil
      }
      let isPart = journal.sources.contains { $0.name == operand.lastComponent }
      let isAside = Manifest.isName(operand) || operand.endsInSlash
      return isPart || isAside ? journal.destinations.first?.name : nil
    }
    return outputs.count == 1 ? outputs[0] : nil
  }

  /// The interrupted job that has taken other parts of a file's series away, so that the rest looks like
  /// all of it.
  ///
  /// - Parameters:
  ///   - isSeries: whether the job's sources are taken together, of which some may be other files.
  ///   - listing: the names of some directory, which may be the part's.
  package static func consuming(
    beside part: FilePath,
    isSeries: Bool,
    in listing: DirectoryListing?
  ) -> Interrupted? {
    ((try? look(at: part, in: listing))?.found ?? []).first { found in
      guard found.journal.hasConsumed else { return false }
      let areOwn = found.journal.sources.map { source -> Bool? in
        let path = part.sibling(source.name)
        return (try? FileStatus.of(path)).map { status in
          // What is left of one may have its name again.
          found.journal.isWhole(source, status)
            || status.identity.inode == source.inode
              && SourceReclaim.hasHoles(SourceFile(path: path, status: status))
        }
      }
      // Where all are other files, they were put back, or are of another set.
      let isMixed = isSeries && areOwn.contains(true) && areOwn.contains(false)
      return isMixed || areOwn.contains(nil)
    }
  }

  /// The interrupted split that was giving its files their names, one of which a part has.
  static func naming(_ part: FilePath, in listing: DirectoryListing) -> Interrupted? {
    naming(in: listing).first { found in
      found.journal.destinations.contains { $0.name == part.lastComponent }
    }
  }

  private static func naming(in listing: DirectoryListing) -> [Interrupted] {
    guard listing.hidden.contains(where: isName) else { return [] }
    return ((try? look(at: listing.path, in: listing))?.found ?? []).filter { found in
      found.journal.command == .split && found.journal.isPublishing
        && found.journal.temporaries(beside: found.output).contains(where: isThere)
    }
  }

  /// Removes those of splits whose sources are there, and all of whose parts others have made since.
  static func removeAll(of parts: some Sequence<FilePath>, in listing: DirectoryListing) {
    let made = PathSet(parts.lazy.map(\.lastComponent))
    for found in naming(in: listing) {
      guard !found.journal.consumes, !found.journal.lacksSource(found.path),
        found.journal.destinations.allSatisfy({ made.contains($0.name) }),
        (try? JournalFile.peek(at: found.path))?.isInUse == false
      else { continue }
      try? FileSystem.unlink(found.path)
    }
  }

  /// What goes on with the job of a number; nil where no journal in the directory is its.
  static func remedy(ofJob job: UInt32, in listing: DirectoryListing) -> String? {
    let found = (try? look(at: listing.path, in: listing))?.found ?? []
    return found.first { $0.journal.job == job }?.journal.remedy
  }

  /// What gives up a job that frees nothing, as the end of a sentence.
  ///
  /// - Parameter path: the journal.
  func givingUp(_ path: FilePath) -> String {
    let isMissing = lacksSource(path)
    // Then what it has made may be asked for as it is.
    if isPublishing {
      let copy = isMissing ? "of the rest, there may be no other copy, and " : ""
      return "\(copy)\(Leftovers.givingUp(path)) gives it up, and leaves what has its name"
    }
    return isMissing
      ? "\(Leftovers.givingUp(path)) gives up what is done, of which there may be no other copy"
      : "'\(Leftovers.cleaning(path.directory))' gives up what is done, and the next run begins anew"
  }

  /// - Parameters:
  ///   - own: where the journal of the run itself goes.
  ///   - listing: the names of some directory, which may be that of the files.
  /// - Throws: `.cannotCreate` where one of the files that would be freed is a source of an interrupted run that frees
  ///   its sources itself, and cannot go on without it; also as ``requireNonePublished(_:besides:orBegun:)``.
  package static func requireFree(
    _ sources: SourceFiles,
    besides own: FilePath,
    in listing: DirectoryListing?
  ) throws(CleaveError) {
    // Of two that would free the same, claims keep the second off.
    try requireNonePublished(sources.paths, besides: own, orBegun: false)
    if let path = sources.paths.first(where: { TemporaryName($0)?.freesSources == true }) {
      throw CleaveError(
        .cannotCreate,
        path,
        "is what a run writes to that frees its sources, and may be the only copy of data: take a copy"
      )
    }
    try forEach(of: sources, in: listing) { file, job throws(CleaveError) in
      let journal = job.journal
      guard journal.consumes,
        journal.sources.contains(where: {
          $0.name == file.path.lastComponent && journal.isWhole($0, file.status)
        })
      else { return }
      let refusal = journal.refusal(ofNeeded: file.path)
      if journal.hasConsumed { throw refusal }
      throw refusal.adding(", and \(Leftovers.givingUp(job.path)) gives the job up")
    }
  }

  /// - Parameter listing: the names of some directory, which may be that of the files.
  /// - Throws: `.cannotCreate` where one of the files has holes, or was cut off, and is a source of an interrupted run
  ///   that takes the bytes of its sources away: what was there may be in the run's temporaries alone.
  package static func requireNoneFreed(
    _ files: SourceFiles,
    in listing: DirectoryListing?
  ) throws(CleaveError) {
    try forEach(of: files, in: listing) { file, job throws(CleaveError) in
      let journal = job.journal
      let (name, inode) = (file.path.lastComponent, file.status.identity.inode)
      guard journal.hasConsumed,
        let source = journal.sources.first(where: { $0.name == name || $0.inode == inode })
      else { return }
      let what: Sentence
      if journal.isCutOff(file, source) {
        what = "ends"
      } else if source.inode == inode || !source.isSparse, SourceReclaim.hasHoles(file) {
        what = "has holes"
      } else {
        return
      }
      let rest = Consumption.rest(of: source.name)
      let text: Sentence =
        " where an interrupted run has taken its bytes away; under the name of \(rest), "
      throw CleaveError(.cannotCreate, file.path, what + text + "\(journal.remedy)")
    }
  }

  /// Looks at each of some files together with each interrupted job in its directory.
  private static func forEach(
    of files: SourceFiles,
    in listing: DirectoryListing?,
    _ check: (SourceFile, Interrupted) throws(CleaveError) -> Void
  ) throws(CleaveError) {
    for first in files.paths.firstOfEachDirectory where !first.isRemote {
      let directory = first.directory
      let jobs = (try? look(at: directory, in: listing))?.found ?? []
      if jobs.isEmpty { continue }
      for file in files where file.path.directory == directory {
        for job in jobs { try check(file, job) }
      }
    }
  }

  /// - Parameter orMaking: whether also jobs are meant that make the file.
  /// - Returns: the jobs that a file or a directory is about; what is wrong with the first journal that is
  ///   damaged; and why one could not be read now.
  static func look(
    at operand: FilePath,
    orMaking: Bool = false,
    in listing: DirectoryListing? = nil
  ) throws(CleaveError) -> (found: [Interrupted], damaged: CleaveError?, error: CleaveError?) {
    let isDirectory = (try? FileStatus.of(operand))?.kind == .directory
    let directory = isDirectory ? operand : operand.directory
    var names: [FilePath] = []
    do {
      let all =
        if let listing = listing?.ifOf(directory) {
          listing.names
        } else {
          try FileSystem.names(in: directory)
        }
      names = all.likely(beginning: Array(".".utf8)).filter { isName($0) || Signpost.isName($0) }
    } catch  where ![.permissionDenied, .notFound, .notADirectory].contains(error.errno) {
      throw .reading(error)
    } catch {
      // Who cannot list it is told when the output's journal is opened.
    }
    var found: [Interrupted] = []
    var (damaged, failure): (CleaveError?, CleaveError?)
    for name in names {
      let beside = isDirectory ? directory.appending(name) : operand.sibling(name)
      let path: FilePath
      if Signpost.isName(name) {
        guard let journal = Signpost.journal(of: beside) else { continue }
        path = journal
      } else {
        path = beside
      }
      let (read, isInUse): (Journal?, Bool)
      do throws(CleaveError) {
        // What is not a journal, such as a directory, is not in the way.
        if let status = try? FileStatus.of(path, followingLinks: false),
          status.kind != .regular
        {
          continue
        }
        (read, isInUse) = try JournalFile.peek(at: path, from: beside)
      } catch {
        if error.hidesJob, isDirectory || mayBe(at: path, about: operand) {
          damaged = damaged ?? error
        }
        if [.inputOutput, .exhausted].contains(error.kind) { failure = failure ?? error }
        continue
      }
      guard let journal = read, journal.hasProgress,
        isDirectory || journal.isAbout(operand.lastComponent)
          || orMaking && journal.destinations.contains(where: { $0.name == operand.lastComponent }),
        let source = journal.sources.first,
        let output = journal.destinations.first
      else { continue }
      found.append(
        Interrupted(
          journal: journal,
          path: path,
          output: path.sibling(output.name),
          source: beside.sibling(source.name),
          isAtWork: isInUse
        )
      )
    }
    return (found, damaged, failure)
  }

  private func isAbout(_ name: FilePath) -> Bool {
    name == base || name == manifest
      || sources.contains { $0.name == name || Consumption.rest(of: $0.name) == name }
  }
}

extension Journal.Interrupted {
  /// Whether a file is a manifest of the job's, or a script that makes its output.
  func isBeside(_ path: FilePath) -> Bool {
    let name = path.lastComponent
    let isOurs =
      Joiner.isName(path, beside: output)
      || Manifest.isName(path)
        && (name == journal.manifest || name.withoutEnding == output.lastComponent)
    return isOurs && (try? FileStatus.of(path)) != nil
  }

  /// Why nothing else is done with a part.
  func refusal(of part: FilePath) -> CleaveError {
    CleaveError(
      .missingInput,
      part,
      "\(run) has taken other parts of its series away\(ending)"
    )
  }
}

extension CleaveError {
  /// The error, with what to do where parts are missing because an interrupted run has consumed them.
  ///
  /// - Parameter listing: the names beside the operand, which are listed where none is given.
  package func hinting(
    at operand: FilePath,
    in listing: DirectoryListing? = nil
  ) -> CleaveError {
    guard kind == .missingInput,
      let (found, damaged, _) = try? Journal.look(at: operand, orMaking: true, in: listing)
    else { return self }
    if found.count == 1 {
      if "\(self)".contains(found[0].journal.remedy) { return self }
      return adding("; \(found[0].run) has some of it\(found[0].ending)")
    }
    // What stands for a directory is in it.
    let isDirectory = (try? FileStatus.of(operand))?.kind == .directory
    let place = isDirectory ? operand.appending("x") : operand
    if found.isEmpty, damaged == nil,
      let path = Leftovers.unknown(beside: place, in: listing?.ifOf(place.directory))?.paths.first
    {
      let clean = Leftovers.cleaning(path.directory)
      return adding("; an interrupted run may have it: '\(clean)' tells more")
    }
    return damaged.map { CleaveError($0.kind, "\($0); \(self)") } ?? self
  }
}
