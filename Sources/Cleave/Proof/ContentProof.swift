/// Proves files by their content: by the checksums that zip and gzip keep of their data, or as far as
/// the structure of other formats goes.
///
/// To make one is cheap. Nothing is kept in memory but a window, whatever the files hold.
package struct ContentProof: Sendable {
  package let kind: ProofResult.Kind
  private let bytes: JoinedBytes
  private let archive: ZipArchive?

  /// What there is to prove in files that lie one behind the other.
  ///
  /// Reads the first ``FileFormat/headSize`` bytes; of a zip, which has to be opened, the end and the
  /// directory, too.
  ///
  /// - Parameter archive: the zip that the files hold, if one has been opened.
  /// - Returns: nil where nothing inside tells whether it is right.
  /// - Throws: errors of reading.
  package init?(
    of bytes: JoinedBytes,
    archive: ZipArchive? = nil
  ) throws(CleaveError) {
    self.bytes = bytes
    guard bytes.layout.parts > 0 else { return nil }
    let head = try bytes.bytes(Int(min(Int64(FileFormat.headSize), bytes.count)), at: 0) ?? []
    let format = archive == nil ? FileFormat.begun(by: head)?.kind : .zip
    guard let found = format?.proof else { return nil }
    kind = found
    guard found == .zip else {
      self.archive = nil
      return
    }
    if let archive {
      self.archive = archive
    } else {
      guard let archive = try Self.zip(bytes) else { return nil }
      self.archive = archive
    }
  }

  /// - Returns: nil where it is of no format that can be read.
  private static func zip(_ bytes: JoinedBytes) throws(CleaveError) -> ZipArchive? {
    do throws(ZipFault) {
      return try ZipArchive(endingIn: bytes, as: .whole)
    } catch {
      if case .reading(let error) = error { throw error }
      return nil
    }
  }

  /// About how many bytes ``run(_:_:)`` reads, and tells of as progress; 0 for a few.
  package var bytesToRead: Int64 {
    switch kind {
    case .zip: archive.map { Int64(clamping: $0.summary.compressed) } ?? 0
    case .gzip: bytes.count
    case .sevenZip, .xz, .lzip, .zstd, .tar: 0
    }
  }

  /// Where the bytes end that ``run(_:_:)`` reads all of, more or less in their order.
  var bytesInOrder: Int64 {
    switch kind {
    case .zip: archive?.directoryStart ?? 0
    case .gzip: bytes.count
    case .sevenZip, .xz, .lzip, .zstd, .tar: 0
    }
  }

  /// Reads what has to be read, and compares it. Blocks until that is done.
  ///
  /// - Throws: errors of reading; `.changedInput` where a file was changed meanwhile; `.cancelled`.
  package func run(
    _ cancellation: Cancellation = Cancellation(),
    _ progress: WorkProgress = WorkProgress()
  ) throws(CleaveError) -> ProofResult {
    if cancellation.isCancelled { throw .cancelled }
    let result = try prove(cancellation, progress)
    try bytes.requireUnchanged()
    return result
  }

  private func prove(
    _ cancellation: Cancellation,
    _ progress: WorkProgress
  ) throws(CleaveError) -> ProofResult {
    let notes = ProofNotes(kind, bytes.layout)
    if let archive {
      var proof = ZipProof(archive: archive, notes: notes)
      return try proof.run(cancellation, progress)
    }
    let reader = ProofReader(bytes, cancellation)
    var walk: any ProofWalk
    switch kind {
    case .zip: return notes.result
    case .gzip: walk = try GzipProof(reader, progress, notes)
    case .sevenZip: walk = SevenZipProof(reader: reader, notes: notes)
    case .xz: walk = XzProof(reader: reader, notes: notes)
    case .lzip: walk = LzipProof(reader: reader, notes: notes)
    case .zstd: walk = ZstdProof(reader: reader, notes: notes)
    case .tar: walk = TarProof(reader: reader, notes: notes)
    }
    return try walk.run()
  }
}

/// Goes through the bytes of one format, and compares what there is to compare.
protocol ProofWalk {
  var notes: ProofNotes { get set }
  /// What it is within, for messages.
  var name: String { get }

  mutating func run() throws(CleaveError) -> ProofResult
}

extension ProofWalk {
  var name: String { "the \(notes.result.kind.rawValue) data" }

  mutating func miss<Nothing>(_ what: String, at position: Int64) -> Nothing? {
    notes.miss(what, at: position)
    return nil
  }

  mutating func endEarly<Nothing>() -> Nothing? {
    notes.endEarly("ends within \(name)")
    return nil
  }
}

extension FileFormat.Kind {
  /// What proves a file that begins so; nil where nothing does.
  var proof: ProofResult.Kind? {
    switch self {
    case .gzip: .gzip
    case .sevenZip: .sevenZip
    case .xz: .xz
    case .lzip: .lzip
    case .zstd: .zstd
    case .tar: .tar
    default: mayHoldZip ? .zip : nil
    }
  }
}
