package import Posix

/// How outputs are made.
public struct OutputOptions: Hashable, Sendable {
  /// Whether a file that has the final name is replaced.
  public var replacesExisting: Bool
  /// Whether data and names are flushed to the device before success is reported.
  public var synchronizes: Bool
  /// Whether outputs are read back from the device before they get their names.
  public var readsBack: Bool
  /// Whether memory caches as much of inputs and outputs afterwards as it did before, no more.
  public var dropsCache: Bool

  public init(
    replacesExisting: Bool = false,
    synchronizes: Bool = true,
    readsBack: Bool = false,
    dropsCache: Bool = false
  ) {
    self.replacesExisting = replacesExisting
    self.synchronizes = synchronizes
    self.readsBack = readsBack
    self.dropsCache = dropsCache
  }
}

/// The files that a job makes: under temporary names until all are whole, then under their own.
///
/// A final name is absent, or holds what it held before, or holds the complete new file. System
/// calls that make or remove names run under the lock: a signal may ask for everything to be removed
/// at any moment, and must neither miss a file nor remove a published one.
package final class Outputs: Sendable {
  private enum Phase { case making, publishing, committed, discarded }

  private struct Entry {
    var path: FilePath
    var output: Output?
    var isReserved = false
    var isFinished = false
    var publication = Publication.none

    enum Publication {
      case none
      /// Where nothing was, and so safe to take back.
      case new
      /// The temporary's name now has what was there before.
      case exchanged
      /// For good: the file system cannot exchange names.
      case replaced
    }
  }

  private struct State {
    var phase = Phase.making
    var entries: [Entry] = []
  }

  /// Where an engine writes to.
  package enum Output: Sendable {
    case file(OutputFile)
    case stream(StreamOutput)
  }

  package let options: OutputOptions
  private let state = Locked(State())

  package init(_ options: OutputOptions) { self.options = options }

  // MARK: Making

  /// Enters a file to be made, and returns its index.
  package func add(_ path: FilePath) -> Int {
    state.withLock { state in
      state.entries.append(Entry(path: path))
      return state.entries.count - 1
    }
  }

  /// Enters a stream, which is open already.
  package func add(_ stream: StreamOutput) -> Int {
    state.withLock { state in
      state.entries.append(Entry(path: stream.path, output: .stream(stream)))
      return state.entries.count - 1
    }
  }

  /// The file or stream of that index; made if it is not there yet. Where `size` is given, in bytes,
  /// room is taken for the file, once and where the file system can.
  package func open(_ index: Int, size: Int64?) throws(CleaveError) -> Output {
    let (output, isToReserve) = try state.withLock { state throws(CleaveError) -> (Output, Bool) in
      let output = try Self.output(index, in: &state)
      let isToReserve = size != nil && !state.entries[index].isReserved
      if isToReserve { state.entries[index].isReserved = true }
      return (output, isToReserve)
    }
    if isToReserve, let size, case .file(let file) = output { try reserve(size, for: file) }
    return output
  }

  private static func output(_ index: Int, in state: inout State) throws(CleaveError) -> Output {
    if let output = state.entries[index].output { return output }
    if state.phase == .discarded { throw .cancelled }
    do throws(SystemError) {
      let output = Output.file(try OutputFile(beside: state.entries[index].path))
      state.entries[index].output = output
      return output
    } catch {
      throw .creating(error.about(state.entries[index].path))
    }
  }

  /// Not under the lock: reserving may take long, and a signal must not wait for it.
  private func reserve(_ size: Int64, for file: OutputFile) throws(CleaveError) {
    do throws(SystemError) {
      _ = try file.withDescriptor { file throws(SystemError) in try file.preallocate(size) }
    } catch {
      throw .creating(error.about(file.path))
    }
  }

  /// The file has all its bytes: checks the size, sets the permissions, flushes and closes it.
  package func finish(_ index: Int, size: Int64) throws(CleaveError) {
    let (output, path) = state.withLock { ($0.entries[index].output, $0.entries[index].path) }
    guard case .file(let file) = output else { return }
    let found = try Self.writing(path) { () throws(SystemError) in
      let found = try file.withDescriptor { descriptor throws(SystemError) in
        let status = try descriptor.status()
        try Self.setPermissions(of: descriptor)
        if options.synchronizes || options.readsBack { try descriptor.synchronize() }
        if options.dropsCache { descriptor.dropCache() }
        return status.size
      }
      try file.close()
      return found
    }
    guard found == size else {
      throw CleaveError(.inputOutput, path, "has \(found ?? 0) bytes after writing \(size)")
    }
    state.withLock { $0.entries[index].isFinished = true }
  }

  /// Writes a small file, all of it, and finishes it.
  package func finish(_ index: Int, with bytes: [UInt8]) throws(CleaveError) {
    guard case .file(let file) = try open(index, size: nil) else { return }
    _ = try Self.writing(file.path) { () throws(SystemError) in
      try file.withDescriptor { descriptor throws(SystemError) in
        try descriptor.write(all: bytes)
      }
    }
    try finish(index, size: Int64(bytes.count))
  }

  /// Gives a file the permissions that it would have had without the detour.
  private static func setPermissions(of file: borrowing FileDescriptor) throws(SystemError) {
    do throws(SystemError) {
      try file.setPermissions(0o666 & ~FileSystem.fileCreationMask)
    } catch  where error.errno == .notPermitted || error.errno.meansUnsupported {
      // File systems without permissions, as on most sticks, refuse to have any set.
    }
  }

  /// Reads a finished file from the device again.
  package func readBack(
    _ index: Int,
    expecting checksum: Checksum,
    kinds: Checksum.Kinds,
    isCancelled: () -> Bool
  ) throws(CleaveError) {
    let (output, path) = state.withLock { ($0.entries[index].output, $0.entries[index].path) }
    guard case .file(let file) = output else { return }
    let found = try Self.writing(path) { () throws(SystemError) in
      let reopened = try FileDescriptor.open(file.temporary, [.readOnly, .noFollow])
      reopened.dropCache()
      defer { if options.dropsCache { reopened.dropCache() } }
      return try Checksum(
        reading: reopened,
        upTo: checksum.count,
        kinds: kinds,
        isCancelled: isCancelled
      )
    }
    guard found == checksum else {
      throw CleaveError(
        .inputOutput,
        path,
        "the device gave back other data than was written: "
          + "CRC-32 \(found.crc32Text), not \(checksum.crc32Text)"
      )
    }
  }

  /// Runs system calls on a temporary; what they throw names the final file.
  private static func writing<R>(
    _ path: FilePath,
    _ body: () throws(SystemError) -> R
  ) throws(CleaveError) -> R {
    do { return try body() } catch { throw .writing(error.about(path)) }
  }

  /// The names that the files have until they are published.
  package var temporaries: [FilePath] {
    state.withLock { state in
      state.entries.compactMap { entry in
        if case .file(let file) = entry.output { file.temporary } else { nil }
      }
    }
  }

  // MARK: Ending

  /// Gives every file its final name, in order, and flushes the directories.
  ///
  /// If one cannot be named, those named before it are taken back, and what they replaced returns.
  package func publish() throws(CleaveError) {
    let paths = state.withLock { $0.entries.filter { $0.output?.isFile ?? false }.map(\.path) }
    let directories: DirectorySync?
    do {
      directories = options.synchronizes ? try DirectorySync(of: paths) : nil
      for index in state.withLock({ $0.entries.indices }) { try publish(index) }
    } catch {
      discard()
      throw withReplaced(error)
    }
    state.withLock { $0.phase = .committed }
    removeReplaced()
    try directories?.run()
  }

  private func publish(_ index: Int) throws(CleaveError) {
    try state.withLock { state throws(CleaveError) in
      if state.phase == .discarded { throw .cancelled }
      state.phase = .publishing
      let entry = state.entries[index]
      if case .stream = entry.output { return }
      guard case .file(let file) = entry.output, entry.isFinished else {
        throw CleaveError(.inputOutput, entry.path, "was not finished by the engine")
      }
      let isOneOfMany = state.entries.count > 1
      do throws(SystemError) {
        state.entries[index].publication = try name(file, entry.path, isOneOfMany: isOneOfMany)
      } catch {
        throw .creating(error)
      }
    }
  }

  private func name(
    _ file: OutputFile,
    _ path: FilePath,
    isOneOfMany: Bool
  ) throws(SystemError) -> Entry.Publication {
    guard options.replacesExisting,
      try FileStatus.ifPresent(path, followingLinks: false) != nil
    else {
      try FileSystem.rename(file.temporary, toNew: path)
      return .new
    }
    // What one of many replaces is kept until all of them are there.
    if isOneOfMany, try FileSystem.exchange(file.temporary, with: path) { return .exchanged }
    try FileSystem.rename(file.temporary, replacing: path)
    return .replaced
  }

  /// The error, with the outputs that had replaced others by then and cannot be taken back.
  private func withReplaced(_ error: CleaveError) -> CleaveError {
    let replaced = state.withLock { $0.entries.filter { $0.publication == .replaced }.map(\.path) }
    guard let first = replaced.first else { return error }
    var told = error
    let others = replaced.count > 1 ? " and \(replaced.count - 1) more" : ""
    told.message += "; \(first)\(others) had been replaced by then"
    return told
  }

  /// Removes what was replaced. The new files are there by now, whether this succeeds or not.
  private func removeReplaced() {
    for entry in state.withLock({ $0.entries }) {
      if case .file(let file) = entry.output, entry.publication == .exchanged {
        try? FileSystem.unlink(file.temporary)
      }
    }
  }

  /// Removes everything that has been made, unless all of it has been published. Safe at any time,
  /// from any thread, more than once.
  package func discard() {
    state.withLock { state in
      guard state.phase == .making || state.phase == .publishing else { return }
      state.phase = .discarded
      for entry in state.entries {
        guard case .file(let file) = entry.output else { continue }
        switch entry.publication {
        case .none: try? FileSystem.unlink(file.temporary)
        case .new: try? FileSystem.unlink(entry.path)
        case .exchanged:
          if (try? FileSystem.exchange(file.temporary, with: entry.path)) == true {
            try? FileSystem.unlink(file.temporary)
          }
        case .replaced: break
        }
      }
    }
  }
}

extension Outputs.Output {
  var isFile: Bool {
    if case .file = self { true } else { false }
  }
}

extension SystemError {
  /// The same error under the name that the user gave: nobody knows the temporary's.
  func about(_ path: FilePath) -> SystemError {
    SystemError(call, path, at: offset, errno)
  }
}

/// The directories of some files, opened before their names appear in them.
private struct DirectorySync {
  private final class OpenDirectory {
    let descriptor: FileDescriptor
    let file: FilePath
    init(of file: FilePath) throws(SystemError) {
      descriptor = try .open(file.directory, [.readOnly, .directory])
      self.file = file
    }
  }

  private var opened: [OpenDirectory] = []

  init(of files: [FilePath]) throws(CleaveError) {
    var seen: Set<FilePath> = []
    for file in files where seen.insert(file.directory).inserted {
      do {
        opened.append(try OpenDirectory(of: file))
      } catch  where error.errno == .permissionDenied {
        // A directory that may be written and not read cannot be flushed by anyone.
      } catch {
        throw .creating(error)
      }
    }
  }

  func run() throws(CleaveError) {
    for directory in opened {
      do {
        try directory.descriptor.synchronize()
      } catch  where error.errno.meansUnsupported {
        // Some file systems flush names by themselves and have no call for it.
      } catch {
        throw CleaveError(
          .inputOutput,
          directory.file,
          "complete, durability unconfirmed: \(error.call) of the directory failed: "
            + "\(error.errno) (\(error.errno.symbol))"
        )
      }
    }
  }
}
