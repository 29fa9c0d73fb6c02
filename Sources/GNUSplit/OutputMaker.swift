internal import Cleave
internal import Posix

/// Makes the outputs, one name after the other.
final class OutputMaker {
  private let options: SplitOptions
  private let input: FileStatus.Identity
  private let console: SplitConsole
  private var suffixes: SuffixSequence

  init(
    _ options: SplitOptions,
    input: FileStatus.Identity,
    _ console: SplitConsole
  ) {
    (self.options, self.input, self.console) = (options, input, console)
    // A filter that stops reading is not to end this process.
    if options.filter != nil { Signal.pipe.ignore() }
    suffixes = SuffixSequence(
      options.alphabet,
      length: Int(min(options.digits, Self.mostDigits)),
      start: options.start ?? [],
      widens: options.suffixesWiden
    )
  }

  /// No name may be so long; a number that is larger by a slip shall not fill the memory.
  private static let mostDigits: Int64 = 1 << 24

  /// Whether there are names for so many more outputs.
  func hasNames(for count: Int64) -> Bool { suffixes.remaining >= count }

  /// The next name.
  func name() throws(SplitFailure) -> FilePath {
    guard options.digits <= Self.mostDigits else { throw .init("memory exhausted") }
    guard let suffix = suffixes.next() else { throw .init("output file suffixes exhausted") }
    return FilePath(bytes: options.prefix.bytes + suffix + options.additionalSuffix.bytes)
  }

  /// Whether a name stands for something that another name may stand for as well, or that is no file.
  func isShared(_ name: FilePath) -> Bool {
    guard let status = try? FileStatus.of(name, followingLinks: false) else { return false }
    return status.kind != .regular || status.links > 1
  }

  /// Makes the next output.
  func next() throws(SplitFailure) -> SplitOutput {
    try next(try name())
  }

  /// Makes an output with a name that was the next one.
  func next(_ name: FilePath) throws(SplitFailure) -> SplitOutput {
    do {
      return try make(name)
    } catch let error as SystemError {
      throw SplitFailure(name, error.errno)
    } catch {
      throw error as? SplitFailure ?? SplitFailure(name, .ioError)
    }
  }

  /// Makes an output with a name, replacing what has it.
  ///
  /// - Throws: a system error where it cannot be opened, and nothing was said yet.
  func make(_ name: FilePath) throws -> SplitOutput {
    if let command = options.filter { return try filter(name, command) }
    if options.isVerbose {
      console.say(Array("creating file ".utf8) + Quoting.always(name) + [UInt8(ascii: "\n")])
    }
    do throws(SystemError) {
      let file = try FileDescriptor.open(
        name,
        [.writeOnly, .create, .exclusive],
        permissions: 0o666
      )
      return SplitOutput(name, file: file, isNew: true)
    } catch {
      guard error.errno == .exists else { throw error }
    }
    return SplitOutput(name, file: try openOld(name))
  }

  private func openOld(_ name: FilePath) throws -> FileDescriptor {
    let file = try FileDescriptor.open(name, [.writeOnly, .create], permissions: 0o666)
    let status: FileStatus
    do throws(SystemError) {
      status = try file.status()
    } catch {
      throw SplitFailure("failed to stat ", Quoting.always(name), ": \(error.errno)")
    }
    if status.identity == input {
      throw SplitFailure("", Quoting.always(name), " would overwrite input; aborting")
    }
    guard status.kind != .regular || status.size > 0 else { return file }
    do throws(SystemError) {
      try file.truncate(to: 0)
    } catch  where status.kind != .regular {
      // A pipe or a device has nothing to be truncated.
    } catch {
      throw SplitFailure("", Quoting.name(name), ": error truncating: \(error.errno)")
    }
    return file
  }

  private func filter(_ name: FilePath, _ command: FilePath) throws(SplitFailure) -> SplitOutput {
    if options.isVerbose {
      console.say(Array("executing with FILE=".utf8) + Quoting.name(name) + [UInt8(ascii: "\n")])
    }
    do throws(PipedProcess.Failure) {
      let process = try PipedProcess(command, file: name)
      return SplitOutput(name, filter: process, command: command)
    } catch {
      throw failure(error, command, name)
    }
  }

  private func failure(
    _ failure: PipedProcess.Failure,
    _ command: FilePath,
    _ name: FilePath
  ) -> SplitFailure {
    switch failure {
    case .pipe(let errno): return .init("failed to create pipe: \(errno)")
    case .fork(let errno): return .init("fork system call failed: \(errno)")
    case .exec(let errno):
      // The child says this, and ends with 1; it also writes what this process has not written yet.
      console.repeatPending()
      let words =
        Array("failed to run command: \"".utf8) + PipedProcess.shell.bytes + Array(" -c ".utf8)
      console.complain(words + command.bytes + Array("\": \(errno)".utf8))
      let start = Array("with FILE=".utf8) + Quoting.name(name)
      return .init(start + Array(", exit 1 from command: ".utf8) + command.bytes)
    }
  }
}
