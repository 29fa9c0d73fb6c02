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
      return "the same command line goes on" + (elsewhere.map { " in \($0)" } ?? "")
    }
    return "'\(elsewhere.map { "cd \($0.quoted) && " } ?? "")\(commandLine)' goes on"
  }

  /// Bytes that the outputs of an interrupted job have beside `output`, with what was reserved for them.
  package func allocated(beside output: FilePath) -> Int64 {
    destinations.enumerated().reduce(0) { sum, destination in
      let final = output.sibling(destination.element.name)
      let name = TemporaryName(of: final, job: job, index: destination.offset)
      let status = (try? FileStatus.ifPresent(name.path, followingLinks: false)) ?? nil
      return sum + (status?.allocated ?? 0)
    }
  }

  /// An interrupted job, found by a file that it is about.
  package struct Interrupted {
    package let journal: Journal
    /// What it makes, or the first of its outputs.
    package let output: FilePath
    /// One of its sources, there or not.
    package let source: FilePath
  }

  /// The interrupted job that reads a file, or whose parts a manifest or a directory is about; nil where
  /// there is none, or several. Looks beside the file.
  package static func interrupted(about operand: FilePath) -> Interrupted? {
    try? interrupted(lookingAt: operand)
  }

  /// The same, for a run that is to go on with it.
  ///
  /// - Throws: where a journal cannot be read now; what is none, or somebody else's, is passed over.
  package static func interrupted(
    lookingAt operand: FilePath
  ) throws(CleaveError) -> Interrupted? {
    let isDirectory = (try? FileStatus.ifPresent(operand))??.kind == .directory
    let directory = isDirectory ? operand : operand.directory
    let names = (try? FileSystem.names(in: directory)) ?? []
    var found: [Interrupted] = []
    for name in names.filter(isName) {
      let path = isDirectory ? directory.appending(name) : operand.sibling(name)
      let read: Journal?
      do throws(CleaveError) {
        read = try JournalFile.peek(at: path).journal
      } catch {
        if [.inputOutput, .exhausted].contains(error.kind) { throw error }
        continue
      }
      guard let journal = read, journal.hasProgress,
        isDirectory || journal.isAbout(operand.lastComponent), let source = journal.sources.first,
        let output = journal.destinations.first
      else { continue }
      found.append(
        Interrupted(
          journal: journal,
          output: path.sibling(output.name),
          source: path.sibling(source.name)
        )
      )
    }
    return found.count == 1 ? found[0] : nil
  }

  private func isAbout(_ name: FilePath) -> Bool {
    name == base || name == manifest
      || sources.contains { $0.name == name || Consumption.rest(of: $0.name) == name }
  }
}
