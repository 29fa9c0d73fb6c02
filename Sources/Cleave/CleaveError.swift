public import Posix

/// Why a job was not done: its kind, one sentence that names the file, and what may be done about it.
public struct CleaveError: Error, Hashable, Sendable {
  /// What a caller can do about it; a command line tool turns it into an exit code.
  public enum Kind: Hashable, Sendable {
    /// What is asked for contradicts itself, whatever the files are.
    case contradiction
    /// The data is not what a manifest or the format says it should be.
    case badData
    /// A part is missing, or is no regular file.
    case missingInput
    /// The output's name is taken, or no file can be made there.
    case cannotCreate
    /// Reading, writing or flushing failed.
    case inputOutput
    /// Reading or writing is not permitted.
    case notPermitted
    /// An input changed while it was read.
    case changedInput
    /// Somebody else has it locked.
    case inUse
    /// The operating system gave no threads or descriptors.
    case exhausted
    /// The job was cancelled.
    case cancelled
    /// The reader of a pipe went away.
    case readerGone
  }

  public var kind: Kind
  /// The sentence without the name that it begins with.
  public var text: Sentence
  /// The file that it is about, where it is about one.
  public private(set) var path: FilePath?
  /// Parts that are not there, or the first hundred of them.
  public internal(set) var missing: [FilePath] = []
  /// Files that are not what a manifest says, or the first hundred of them.
  public internal(set) var wrong: [FilePath] = []
  /// How many parts are not there, where that is what the error is about.
  public internal(set) var missingCount: Int64 = 0
  /// The system call behind it, if there was one.
  public var system: SystemError?
  /// Whether the file is one of its own, which nothing is wrong with but that it is no part.
  var isOfWholeFile = false
  /// Whether the file is a list of sums that are not read, or not computed.
  var isOfForeignList = false
  /// Whether that is so only because nothing tells that it is a part.
  var mayBeOfPart = false
  /// Whether the same command line ends so again.
  var isLasting = false

  /// An error about one file.
  public init(_ kind: Kind, _ path: FilePath, _ text: Sentence) {
    self.init(kind, text)
    self.path = path
  }

  /// An error in a sentence of its own.
  public init(_ kind: Kind, _ text: Sentence) {
    self.kind = kind
    self.text = text
  }

  /// An error that a system call reported.
  package init(_ kind: Kind, _ system: SystemError) {
    self.init(kind, Sentence(system.description))
    (self.system, path) = (system, system.path)
  }
}

extension CleaveError {
  /// One line, which names the file first.
  public var sentence: Sentence {
    guard system == nil, let path else { return text }
    return "\(path): \(text)"
  }

  /// The line in the words of the API.
  public var message: String { sentence.description }

  /// What may be done about it.
  public var remedies: [Remedy] { text.remedies }
}

extension CleaveError {
  /// What to do about parts in the wrong order, as the end of a sentence.
  static let reordering: Sentence =
    "name all of them in the right order with \(.asGiven(namesOutput: true))"
}

extension CleaveError {
  /// An error about a file that is one of its own, and no part of another.
  static func ofWholeFile(_ path: FilePath, _ text: Sentence) -> CleaveError {
    var error = CleaveError(.badData, path, text)
    error.isOfWholeFile = true
    return error
  }

  /// The same with more behind its text.
  package func adding(_ more: Sentence) -> CleaveError {
    var error = self
    error.text += more
    return error
  }
}

extension CleaveError: CustomStringConvertible {
  public var description: String { message }
}

/// The value of several calls that look at, open or read inputs; see ``CleaveError/whileReading(_:)``.
func reading<R>(_ body: () throws(SystemError) -> R) throws(CleaveError) -> R {
  do throws(SystemError) { return try body() } catch { throw .reading(error) }
}

// MARK: - What an error number means, by what was tried

extension CleaveError {
  /// The job was cancelled by its owner.
  public static let cancelled = CleaveError(.cancelled, "interrupted")

  /// Looking at, opening or reading an input failed.
  package static func reading(_ error: SystemError) -> CleaveError {
    switch error.errno {
    case .notFound, .notADirectory, .tooManyLinks, .nameTooLong, .noDeviceOrReader:
      CleaveError(.missingInput, error)
    case .stale where error.path.isRemote: changed(error.path)
    case .notSupported where error.path.isRemote && error.call == "opendir":
      CleaveError(
        .missingInput,
        error.path,
        "\(error.detail ?? ""): \(.asGiven(namesOutput: true)) joins the files that are named"
      )
    default: common(error)
    }
  }

  /// The value of a call that looks at, opens or reads an input.
  package static func whileReading<R: ~Copyable>(
    _ value: @autoclosure () throws(SystemError) -> R
  ) throws(CleaveError) -> R {
    do { return try value() } catch { throw .reading(error) }
  }

  /// Making an output, or giving it its final name, failed.
  package static func creating(_ error: SystemError) -> CleaveError {
    switch error.errno {
    case .exists: CleaveError(.cannotCreate, error.path, "exists; \(.replacing) replaces it")
    case .notFound
    where !error.path.isRemote && FileStatus.isAbsent(error.path.directory):
      withoutDirectory(error)
    case .notFound, .notADirectory, .isADirectory, .tooManyLinks, .nameTooLong,
      .readOnlyFileSystem, .noDeviceOrReader:
      CleaveError(.cannotCreate, error)
    case .permissionDenied where !FileSystem.mayChange(error.path.directory):
      common(error).adding("; nothing may be made in its directory")
    default: common(error)
    }
  }

  private static func withoutDirectory(_ system: SystemError) -> CleaveError {
    var error = CleaveError(.cannotCreate, system)
    error.text = "\(system.path.directory): \(isNoDirectory)"
    return error
  }

  /// What is said of a directory in which something is to be made.
  static let isNoDirectory: Sentence = "does not exist; mkdir makes it"

  /// Writing, flushing or closing an output failed.
  package static func writing(_ error: SystemError) -> CleaveError {
    switch error.errno {
    case .pipe: CleaveError(.readerGone, error)
    default: common(error)
    }
  }

  /// Sharing blocks failed, and copying them is not wanted.
  package static func sharing(_ error: SystemError, of source: FilePath) -> CleaveError {
    let isImpossible =
      error.errno.meansUnsupported || [.crossesDevices, .noSuchControl].contains(error.errno)
    guard isImpossible else { return common(error) }
    var told = CleaveError(.cannotCreate, error)
    told.text =
      "\(error.path): cannot share the blocks of \(source): \(error.errno) "
      + "(\(error.errno.symbol)); \(.copying) copies them"
    return told
  }

  /// A source is not what was planned with.
  static func changed(_ path: FilePath) -> CleaveError {
    CleaveError(.changedInput, path, "was changed while it was being read")
  }

  /// The sizes of some parts have too large a sum.
  static func tooLarge(_ path: FilePath) -> CleaveError {
    CleaveError(
      .badData,
      path,
      "the parts have more than \(Int64.max) bytes together, the most that a file can have"
    )
  }

  /// Somebody keeps a file or directory locked.
  static func locked(_ file: borrowing FileDescriptor, _ path: FilePath) -> CleaveError {
    let holder = LockHolder.ofLock(on: file).map { " by \($0)" } ?? ""
    return CleaveError(.inUse, path, "is locked\(holder), and files cannot get their names")
  }

  private static func common(_ error: SystemError) -> CleaveError {
    switch error.errno {
    case .again where error.call == "flock": CleaveError(.inUse, error)
    case .permissionDenied, .notPermitted: CleaveError(.notPermitted, error)
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory: CleaveError(.exhausted, error)
    case .canceled: cancelled
    case .stale where error.path.isRemote: CleaveError(.changedInput, error)
    default: CleaveError(.inputOutput, error)
    }
  }
}
