package import Posix

/// How a job can be gone on with after it was interrupted, and may free its sources on the way.
///
/// The engine gets the plan in ``Rounds``. What a round has written is flushed, then entered in the
/// journal, then freed in the sources; so at any moment the bytes are in a source, in an output, or in
/// both, and the journal knows which.
package struct Checkpoint: Sendable {
  /// Where it is written down. What an earlier run left in it, the job's plan and ``present`` are of. It is
  /// gone when the job is done.
  package var file: JournalFile
  package var command: Journal.Command
  /// How sources are freed, if they are.
  package var consumption: SourceReclaim?
  package var content: Journal.Content?
  /// See ``Journal/base``, ``Journal/manifest``, ``Journal/asked`` and ``Journal/isOpen``.
  package var base: FilePath?
  package var manifest: FilePath?
  /// See ``Journal/told``; nil where nothing is freed.
  package var told: UInt32?
  /// Which list tells that.
  package var list = ManifestChoice.automatic
  package var asked: String?
  package var isOpen = false
  /// See ``Journal/isProved``.
  var isProved = false
  /// What was typed, for the run that goes on with the job.
  package var arguments: [FilePath] = []
  /// Where that was typed.
  package var directory: FilePath?
  /// Bytes after which the journal knows more.
  package var size = Rounds.usualSize
  /// The sources as they are now, of a plan with the sources as they were when the job was begun; nil for a
  /// job that begins.
  package var present: [Journal.Present]?
  /// Is told when nothing is in the way of going on: bytes that are there, and all.
  package var didTakeOver: @Sendable (Int64, Int64) -> Void = { _, _ in }

  package init(_ file: JournalFile, _ command: Journal.Command) {
    (self.file, self.command) = (file, command)
  }
}
