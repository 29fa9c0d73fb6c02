import Posix

/// Why a job is not gone on with, or nothing else may be made, and what ends that.
extension Journal {
  /// - Parameters:
  ///   - own: the journal of the run itself.
  ///   - orBegun: whether a run at work counts that has freed nothing yet.
  /// - Throws: `.cannotCreate` where one of the files that would be replaced is what an interrupted run has made of
  ///   sources that it has freed, or may be, since what is said of it cannot be read or is not believed: it may be the
  ///   only copy. Also where it is a source that such a run, or one that is at work, still has.
  package static func requireNonePublished(
    _ outputs: some Sequence<FilePath>,
    besides own: FilePath? = nil,
    orBegun: Bool = true
  ) throws(CleaveError) {
    let taken = outputs.filter { !$0.isRemote && isThere($0) }
    for (directory, paths) in Dictionary(grouping: taken, by: \.directory) {
      for name in try hiddenNames(in: directory) where isName(name) || Signpost.isName(name) {
        guard let beside = paths.first?.sibling(name),
          let path = isName(name) ? beside : Signpost.journal(of: beside), path != own
        else { continue }
        let journal: Journal?
        let isInUse: Bool
        do throws(CleaveError) {
          (journal, isInUse) = try JournalFile.peek(at: path, from: beside)
        } catch {
          if error.hidesJob, path == beside,
            let output = paths.first(where: { mayBe(at: path, about: $0) })
          {
            let text: Sentence = "may be what an interrupted run has made of what it has freed: "
            throw CleaveError(.cannotCreate, output, text + "\(error)")
          }
          if [.inputOutput, .exhausted].contains(error.kind) { throw error }
          continue
        }
        guard let journal, journal.hasConsumed || orBegun && journal.consumes && isInUse
        else { continue }
        if let source = journal.source(among: paths) {
          if !isInUse { throw journal.refusal(ofNeeded: source) }
          let text: Sentence =
            "is needed by a run at work, which frees it itself: wait until that is over"
          throw CleaveError(.cannotCreate, source, text)
        }
        guard journal.isPublishing, path == beside,
          let output = paths.first(where: { journal.hasPublished($0, beside: path) })
        else { continue }
        let text: Sentence = "is what an interrupted run has made of what it has freed; "
        throw CleaveError(.cannotCreate, output, text + "\(journal.remedy)")
      }
    }
  }

  /// Notes what has the names of some outputs, since that alone is replaced.
  mutating func noteFormer(at outputs: [FilePath]) throws(CleaveError) {
    for path in outputs {
      let found = try CleaveError.whileReading(FileStatus.ifPresent(path, followingLinks: false))
      if let found { former.append(Former(path, found)) }
    }
  }

  /// - Throws: `.cannotCreate` where what has the name of an output is not what had it when the job was begun.
  func requireFormer(at outputs: [FilePath]) throws(CleaveError) {
    let known = Set(former)
    for path in outputs {
      let found = try CleaveError.whileReading(FileStatus.ifPresent(path, followingLinks: false))
      guard let found, !known.contains(Former(path, found)) else { continue }
      let text: Sentence = "was made or changed since the job was begun: move it away, and "
      throw CleaveError(.cannotCreate, path, text + "\(remedy)")
    }
  }

  /// None of a directory that this user may not list.
  private static func hiddenNames(in directory: FilePath) throws(CleaveError) -> [FilePath] {
    do {
      return try FileSystem.names(in: directory).likely(beginning: Array(".".utf8))
    } catch  where [.permissionDenied, .notFound, .notADirectory].contains(error.errno) {
      return []
    } catch {
      throw .reading(error)
    }
  }

  /// The first of some files that is a source, of which some may have been freed.
  private func source(among paths: [FilePath]) -> FilePath? {
    let inodes = Dictionary(sources.map { ($0.name, $0.inode) }) { first, _ in first }
    return paths.first { path in
      guard let inode = inodes[path.lastComponent] else { return false }
      return (try? FileStatus.of(path, followingLinks: false))?.identity.inode == inode
    }
  }

  /// The error about a source that another run would free or replace.
  func refusal(ofNeeded source: FilePath) -> CleaveError {
    let text: Sentence = "is needed by an interrupted run, which frees it itself; "
    return CleaveError(.cannotCreate, source, text + "\(remedy)")
  }

  /// Whether a file is one of the outputs: what still has its temporary's name, or that of what is left of the source, has
  /// not got its own.
  private func hasPublished(_ output: FilePath, beside path: FilePath) -> Bool {
    guard let index = destinations.firstIndex(where: { $0.name == output.lastComponent }) else {
      return false
    }
    let isLeft = command == .split && index == 0 && sources.count == 1
    let before =
      isLeft
      ? path.sibling(Consumption.rest(of: sources[0].name)) : temporaries(beside: path)[index]
    return !Self.isThere(before)
  }

  /// Whether a journal that cannot be read may be about a file, by its name.
  static func mayBe(at path: FilePath, about file: FilePath) -> Bool {
    let (stem, name) = (Leftovers.stem(of: path).dropFirst(), file.lastComponent.bytes)
    // `x01.csv` is made under the journal of `x.csv`.
    return name.starts(with: stem)
      || stem.indices.dropFirst().contains { place in
        stem[place] == UInt8(ascii: ".") && name.starts(with: stem[..<place])
          && name.suffix(stem[place...].count).elementsEqual(stem[place...])
      }
  }

  /// Whether a name is there, whatever it leads to.
  static func isThere(_ path: FilePath) -> Bool {
    (try? FileStatus.of(path, followingLinks: false)) != nil
  }

  /// The error about other files that have the names of all sources.
  func refusal(ofOthers others: [FilePath]) -> CleaveError? {
    guard let first = others.first else { return nil }
    let more: Sentence =
      others.count > 1 ? ", like \(others.count - 1) more: move them away" : ": move it away"
    return CleaveError(
      .cannotCreate,
      first,
      "is another file than the job was begun with" + more + ", and \(remedy)"
    )
  }

  /// The error about a file that is in the place of what is left of a source.
  static func refusal(ofCopy rest: FilePath) -> CleaveError {
    CleaveError(
      .changedInput,
      rest,
      "is not the file that the job has left, but a copy of it or another one: the job goes on only where "
        + "it was begun, or where all of it is moved to (what came back from a backup: in a directory of another name)"
    )
  }

  /// Whether a source has its size, and holes which it had not.
  func isPunched(_ file: SourceFile, _ source: Source) -> Bool {
    file.status.size == source.size && !source.isSparse && SourceReclaim.hasHoles(file)
  }

  /// The error about a source that has its old name, and is not what it was.
  func refusal(ofChanged file: SourceFile, _ source: Source) -> CleaveError {
    let size = file.status.size
    if hasConsumed, size < source.size || isPunched(file, source) {
      let rest = Consumption.rest(of: source.name)
      return CleaveError(
        .changedInput,
        file.path,
        "is what is left of the file that the job was begun with; under the name of \(rest), \(remedy)"
      )
    }
    let why: Sentence = size == source.size ? "" : ": it has \(size) bytes, and had \(source.size)"
    return CleaveError(.changedInput, file.path, "was changed since the job was begun\(why)")
  }

  /// Whether a file is what is left of a source that a split cuts off, and not the first part that it has become.
  func isCutOff(_ file: SourceFile, _ source: Source) -> Bool {
    let (name, status) = (file.path.lastComponent, file.status)
    let isPart =
      isPublishing && destinations.first == Destination(name: name, size: status.size)
    return command == .split && hasConsumed && status.identity.inode == source.inode
      && status.size < source.size && !isPart
  }

  /// Whether a file that was to become a part itself still has all that was copied of it, so that nothing of it was
  /// freed.
  func isUnfreed(_ path: FilePath) -> Bool {
    guard command == .split, let source = sources.first,
      let opened = try? FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking]),
      let status = try? opened.status(), status.identity.inode == source.inode,
      status.size >= source.size
    else { return false }
    return done.allSatisfy { done in
      let start = extents[done.extent].sourceOffset + done.start
      let sum = try? Checksum(
        reading: opened,
        from: start,
        upTo: done.checksum.count,
        kinds: kinds,
        isCancelled: { false }
      )
      return extents[done.extent].source == nil || sum == done.checksum
    }
  }
}

extension CleaveError {
  /// Whether a journal with this error is damaged or not believed, so that there may be a job.
  var hidesJob: Bool { [.badData, .cannotCreate].contains(kind) && system == nil }
}
