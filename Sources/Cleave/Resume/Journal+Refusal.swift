import Posix

/// Why a job is not gone on with, or nothing else may be made, and what ends that.
extension Journal {
  /// - Throws: `.cannotCreate` where one of the files that would be replaced is what an interrupted run has made of
  ///   sources that it has freed: it may be the only copy.
  package static func requireNonePublished(_ outputs: some Sequence<FilePath>) throws(CleaveError) {
    func isThere(_ path: FilePath) -> Bool {
      (try? FileStatus.ifPresent(path, followingLinks: false)) ?? nil != nil
    }
    let taken = outputs.filter { !$0.isRemote && isThere($0) }
    for (directory, paths) in Dictionary(grouping: taken, by: \.directory) {
      let hidden = try? FileSystem.names(in: directory).likely(beginning: Array(".".utf8))
      for name in (hidden ?? []).filter(isName) {
        guard let path = paths.first?.sibling(name),
          let journal = (try? JournalFile.peek(at: path))?.journal,
          journal.hasConsumed, journal.isPublishing
        else { continue }
        let places = zip(journal.destinations, journal.temporaries(beside: path))
        // What still has its temporary's name has not got its own.
        let made = PathSet(places.lazy.filter { !isThere($1) }.map(\.0.name))
        guard let output = paths.first(where: { made.contains($0.lastComponent) }) else { continue }
        let text: Sentence = "is what an interrupted run has made of what it has freed; "
        throw CleaveError(.cannotCreate, output, text + "\(journal.remedy)")
      }
    }
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
        + "it was begun"
    )
  }

  /// The error about a file that was to become a part itself, which has its old name, and is not what it was.
  func refusal(ofChanged file: SourceFile, _ source: Source) -> CleaveError {
    let size = file.status.size
    let isPunched = !source.isSparse && SourceReclaim.hasHoles(file)
    if hasConsumed, size < source.size || size == source.size && isPunched {
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

  /// Whether a file that was to become a part itself still has all that was copied of it, so that nothing of it was
  /// freed.
  func isUnfreed(_ path: FilePath) -> Bool {
    guard command == .split, let source = sources.first,
      let opened = try? FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking]),
      let status = try? opened.status(), status.identity.inode == source.inode,
      status.size == source.size
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
