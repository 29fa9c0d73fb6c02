package import Posix

/// A job that can be gone on with after it was interrupted, and that may free its sources on the way.
///
/// The engine gets the plan in ``Rounds``. What a round has written is flushed, then entered in the
/// journal, then freed in the sources; so at any moment the bytes are in a source, in an output, or in
/// both, and the journal knows which.
package struct StagedJob {
  /// What is to be done; the plan's sources are as they were when the job was begun.
  package var job: TransferJob
  package var command: Journal.Command
  /// How sources are freed, if they are.
  package var consumption: Consumption.Manner?
  package var content: Journal.Content?
  /// See ``Journal/base`` and ``Journal/manifest``.
  package var base: FilePath?
  package var manifest: FilePath?
  /// What was typed, for whoever goes on with the job.
  package var arguments: [FilePath] = []
  /// Where that was typed.
  package var directory: FilePath?
  /// Bytes after which the journal knows more.
  package var checkpoint = Rounds.usualSize
  /// The sources as they are now; nil for a job that begins.
  package var present: [Journal.Present]?
  /// Looks at the checksum of a part before it goes, and throws where it is wrong.
  package var approvePart: (Int, Checksum) throws(CleaveError) -> Void = { _, _ in }

  package init(_ job: TransferJob, _ command: Journal.Command) {
    (self.job, self.command) = (job, command)
    // What is kept must be known by its sum, and a manifest that comes later may have either.
    self.job.options.kinds.formUnion([.crc32, .adler32])
  }

  /// Makes every destination of the plan, as ``TransferJob/run(publishing:approve:)`` does.
  ///
  /// - Parameter file: the journal. If an earlier run left something in it, `job` and `present` are
  ///   what it says.
  ///   The caller removes it, after it has told of the job: whoever is killed before finds out by it
  ///   that all is done.
  /// - Throws: a ``CleaveError``. Where anything is kept to go on with, it says so.
  package func run(
    with file: JournalFile,
    publishing others: [FilePath] = [],
    approve: (TransferReport) throws(CleaveError) -> [TransferJob.NewFile]
  ) throws(CleaveError) -> TransferReport {
    var staged = self
    if present != nil, let found = file.found { staged.job.options.kinds = found.kinds }
    let run = StagedRun(staged, file)
    do throws(CleaveError) {
      return try run.make(others, approve)
    } catch {
      throw run.end(error)
    }
  }
}
