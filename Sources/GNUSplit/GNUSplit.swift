internal import Cleave
package import Posix

/// The program as GNU `split` 9.5: its options, names, messages, exit codes, and no manifest.
///
/// What differs: `--help` and `--version` have words of their own; a first suffix in hexadecimal digits counts
/// on from `a` to `f`, where 9.5 reads behind its table; a filter that stops reading early leaves the chunks of
/// the others as they are, where 9.5 may cut them a byte off; -n l/N of fewer than N bytes makes N files, where
/// 9.5 makes files until suffixes end; and a large file that grows meanwhile is split as it was at the start.
package enum GNUSplit {
  /// Whether a program of this name is it.
  package static func isMeant(by name: FilePath?) -> Bool { name?.lastComponent == "split" }

  /// Runs a command line. To be called before any thread is started.
  ///
  /// - Parameters:
  ///   - arguments: the program's name first, which begins its messages.
  ///   - closed: standard descriptors that the program was started without.
  /// - Returns: the exit code.
  package static func run(_ arguments: [FilePath], closed: Set<CInt>) -> CInt {
    let console = SplitConsole(program: arguments.first ?? "split", isClosed: closed.contains(1))
    do throws(SplitFailure) {
      try run(SplitOptions(Array(arguments.dropFirst())), console, closed)
      guard let failure = console.finish() else { return 0 }
      throw failure
    } catch {
      return tell(error, console)
    }
  }

  private static func tell(_ failure: SplitFailure, _ console: SplitConsole) -> CInt {
    if let message = failure.message { console.complain(message) }
    if failure.isUsage { console.adviseHelp() }
    guard let message = console.finish()?.message, message != failure.message else {
      return failure.code
    }
    console.complain(message)
    return 1
  }

  private static func run(
    _ options: SplitOptions,
    _ console: SplitConsole,
    _ closed: Set<CInt>
  ) throws(SplitFailure) {
    if options.wantsHelp { return console.say(SplitHelp.text(console.program)) }
    if options.wantsVersion { return console.say(SplitHelp.version.utf8) }
    let input = try SplitInput(options, closed: closed)
    let printer = ChunkPrinter(options: options, input: input, console: console)
    let outputs = OutputMaker(options, input: input.status.identity, console)
    let run = SplitRun(options, input, outputs)
    switch options.mode {
    case .bytes(let size): try run.run(.bytes(size))
    case .lines(let count): try run.run(.records(count))
    case .lineBytes(let size): try run.run(.recordBytes(size))
    case .chunks(let count, let chunk):
      let chunks = EvenChunks(try input.measure(), in: count)
      if let chunk { try printer.printBytes(chunks, chunk) } else { try run.run(.chunks(chunks)) }
    case .lineChunks(let count, let chunk):
      let chunks = EvenChunks(try input.measure(), in: count)
      if let chunk { return try printer.printRecords(chunks, chunk) }
      input.limit(to: chunks.size)
      try run.run(.recordChunks(chunks))
    case .roundRobin(let count, let chunk?): try printer.printRoundRobin(count, chunk)
    case .roundRobin(let count, nil): try RoundRobin(count, options, input, outputs).run()
    }
  }
}
