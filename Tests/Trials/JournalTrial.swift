import Cleave
import Posix
import TestSupport

/// A journal, and the job that it is of, gone on with.
///
/// Lines get their sums; but where the input begins with a NUL, the rest is taken as it is. `@0` and
/// `@1` stand for what a journal says of the two parts that are there.
enum JournalTrial {
  static func run(_ input: [UInt8]) -> String {
    guard let outside = try? TemporaryDirectory() else { return "no room" }
    let directory = outside.file("directory")
    let parts = ["a.001", "a.002"].map { directory.appending(FilePath($0)) }
    let outcome: String
    do {
      try Files.makeDirectory(directory)
      try Files.write([UInt8](repeating: 1, count: 1000), to: parts[0])
      try Files.write([UInt8](repeating: 2, count: 500), to: parts[1])
      let output = directory.appending("a")
      let path = Journal.path(beside: output)
      try Files.write(try text(input, parts), to: path)
      // What another run before had made, for some of the journals.
      let temporary = TemporaryName(of: output, job: 0x1b2c_3d4e, index: 0).path
      try Files.write([UInt8](repeating: 1, count: 1000), to: temporary)
      outcome = goOn(making: output, from: parts[0], path)
        .replacing("\(directory)/", with: "").replacing("\(directory)", with: "DIRECTORY")
    } catch {
      // No room for the trial.
      return "no room"
    }
    precondition((try? outside.names()) == ["directory"])
    return outcome
  }

  private static func text(_ input: [UInt8], _ parts: [FilePath]) throws -> [UInt8] {
    if input.first == 0 { return Array(input.dropFirst()) }
    let stamps = try parts.map { part in
      let status = try FileStatus.of(part)
      let times = "\(status.modified) \(status.changed)"
      return Array("\(status.size) \(times) \(status.identity.inode)".utf8)
    }
    var lines: [UInt8] = []
    var check = ""
    for line in input.split(separator: UInt8(ascii: "\n")) {
      var words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      for (index, stamp) in stamps.enumerated() {
        for place in words.indices where words[place].elementsEqual("@\(index)".utf8) {
          words[place] = stamp[...]
        }
      }
      let whole = Array(words.joined(separator: [UInt8(ascii: " ")]))
      var sum = Checksum.empty
      (Array(check.utf8) + whole).withUnsafeBytes { sum.update($0, .crc32) }
      check = sum.crc32Text
      lines += whole + Array(" \(check)\n".utf8)
    }
    return lines
  }

  private static func goOn(
    making output: FilePath,
    from part: FilePath,
    _ path: FilePath
  ) -> String {
    do throws(CleaveError) {
      guard let file = try JournalFile.existing(at: path), let journal = file.found,
        journal.hasProgress
      else { return "nothing to go on with" }
      guard let sources = journal.locate([part]) else { return "not of these parts" }
      precondition(journal.doneBytes >= 0)
      let present = try journal.examine(sources)
      let plan = try journal.plan(sources: sources, beside: output)
      _ = try? Selection(goingOn: plan, journal, Selection.Request(manifest: .none))
      var job = Job(plan, engine: .serial)
      job.options.output.synchronizes = false
      var checkpoint = Checkpoint(file, journal.command)
      checkpoint.consumption = journal.consumes ? journal.command == .merge ? .parts : .tail : nil
      checkpoint.content = journal.content
      checkpoint.present = present
      job.checkpoint = checkpoint
      return "made \(try job.run().bytes) bytes"
    } catch {
      precondition(error.message.utf8.count < 100_000)
      return error.message
    }
  }
}
