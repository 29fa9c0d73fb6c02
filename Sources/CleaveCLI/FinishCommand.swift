import Cleave
import CommandLineKit
import Posix

/// `cleave finish`: completes what several runs have made together.
enum FinishCommand: ProgramCommand {
  static let command = Command<Settings>(
    "finish",
    summary: "Complete an output whose shares are all done.",
    usage: ["cleave finish [OPTION]... OUT"],
    operands: .files,
    options: Settings.lists.flatMap(\.options),
    details: """
      Runs with --share leave a receipt each beside OUT, and the one that finds all receipts there \
      compares and publishes OUT. Where that one was interrupted, finish does it. It says which \
      shares are missing, if any are.
      """,
    examples: [
      .init("cleave finish film.mkv", "Compare what all shares have made, and publish it.")
    ]
  )

  struct Settings: CommandSettings {
    var general = GeneralSettings()
    var engineInside: EngineOption? { .direct }

    static var lists: [OptionList<Self>] { [.of(\.general, [.progress] + Option.all)] }
  }

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    guard operands.count == 1, let output = operands.first, output != "-" else {
      throw usage("one output is completed at a time")
    }
    let receipt = try job { () throws(CleaveError) in
      ShareReceipt.likeliest(of: try ShareReceipt.all(beside: output))
    }
    guard let receipt else {
      throw .job(CleaveError(.missingInput, output, "no run with --share has left a receipt of it"))
    }
    func lost(_ how: String) -> CleaveError {
      CleaveError(.missingInput, output, "was begun \(how): any share, typed again, completes it")
    }
    var arguments = receipt.arguments
    // General options may stand in front of it.
    let place = arguments.firstIndex { ["merge", "split"].contains($0) }
    guard let command = place.map({ arguments.remove(at: $0) }), let directory = receipt.directory
    else { throw .job(lost("by a command line that was too long to keep")) }
    let wanted = OutputPlace(output)
    // What was typed means something else in another directory.
    do { try FileSystem.changeDirectory(to: directory) } catch {
      throw .job(lost("in \(directory), which is not there now"))
    }
    let finish = command == "merge" ? MergeCommand.finish : SplitCommand.finish
    return try finish(arguments, session, settings.general) { (found) throws(CleaveError) in
      if OutputPlace(found) == wanted { return }
      throw lost("as \(found) in \(directory)")
    }
  }
}

/// Where an output is, however it is called.
private struct OutputPlace: Equatable {
  let directory: FileStatus.Identity?
  let name: FilePath

  init(_ output: FilePath) {
    directory = (try? FileStatus.of(output.directory))?.identity
    name = output.lastComponent
  }
}
