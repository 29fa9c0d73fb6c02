import Cleave
import CommandLineKit
import Posix

// What verify, info and clean tell.
extension JSONReport {
  struct Verification: Encodable {
    let event = "result"
    let command = "verify"
    /// Written one by one, as those of `bad`.
    let files: [File] = []
    /// What has to be fetched again.
    let bad: [Name] = []
    let summary: Summary
    let exitCode: Int32
    let seconds: Double
    private enum CodingKeys: CodingKey {
      case event, command, files, bad, summary, exitCode, seconds
    }
  }

  /// What came of verify in numbers of files, and of the entries of zips.
  struct Summary: Encodable {
    let right: Int
    let wrong: Int
    let missing: Int
    let notChecked: Int
    let entries: Entries?

    struct Entries: Encodable {
      let right: Int64
      let wrong: Int64
      let notChecked: Int64
    }

    init(_ summary: Verify.Summary) {
      (right, wrong) = (summary.right, summary.wrong)
      (missing, notChecked) = (summary.missing, summary.notChecked)
      entries = summary.entries.map {
        Entries(right: $0.right, wrong: $0.wrong, notChecked: $0.notChecked)
      }
    }
  }

  /// What a dry run of verify tells: what would be read, and compared with what.
  struct VerifyPlan: Encodable {
    let event = "plan"
    let command = "verify"
    /// Bytes that would be read.
    let bytes: Int64
    /// Written one by one.
    let files: [File] = []
    let zips: [Zip]
    let contents: [Content]
    private enum CodingKeys: CodingKey { case event, command, bytes, files, zips, contents }

    struct File: Encodable {
      let path: Name
      /// Nil where the file cannot be found.
      let bytes: Int64?
      let manifest: Name

      init(_ file: Verify.Plan.File) {
        (path, bytes, manifest) = (Name(file.path), file.size, Name(file.manifest))
      }
    }

    struct Zip: Encodable {
      let path: Name
      /// Of all its parts.
      let bytes: Int64
      let entries: Int64
    }

    struct Content: Encodable {
      let path: Name
      /// Of all its parts.
      let bytes: Int64
      /// What would be compared.
      let by: String
    }

    init(_ plan: Verify.Plan) {
      bytes = plan.bytes
      zips = plan.zips.map { Zip(path: Name($0.path), bytes: $0.size, entries: $0.entries) }
      contents = plan.contents.map { Content(path: Name($0.path), bytes: $0.size, by: $0.by) }
    }
  }

  struct Info: Encodable {
    struct Finding: Encodable {
      /// `name`, `manifest`, `records`, `parts`, `sizes`, `content`, `end` or `beside`.
      var topic: String
      var text: String
    }

    let event = "result"
    var command = "info"
    var kind: String
    var parts: [File]
    /// Nil where the parts tell no name for it.
    var output: Name?
    var outputExists: Bool
    /// Bytes of the output.
    var bytes: Int64
    /// What merge would take.
    var engine: String?
    var space: Space
    var manifest: Name?
    /// Parts that a longer series left behind.
    var stale: [Name]
    /// What speaks for and against the parts' being those of one file.
    var evidence: [Finding]
    /// The zip that the parts make, or the file is.
    var zip: ZipFacts?
    /// Why the series cannot be merged, or what is wrong with the zip.
    var problem: String?
    /// Parts that are missing, or the first hundred of them.
    var missing: [Name]?
    var exitCode: Int32

    init(_ info: SeriesInfo, _ page: CommandPage) {
      let selection = info.selection
      kind = selection.kind.rawValue
      parts = info.parts.map { File($0) }
      output = info.hasOutput ? Name(info.output) : nil
      (outputExists, bytes) = (info.outputExists, info.bytes)
      (engine, space) = (info.forecast?.engine.rawValue, Space(info.space))
      manifest = selection.manifest.map { Name($0.path) }
      stale = selection.stale.map { Name($0) }
      evidence = selection.evidence.lines.map {
        Finding(topic: $0.topic.rawValue, text: $0.spelled)
      }
      zip = selection.archive.map { ZipFacts($0) }
      problem = info.problem?.sentence.spelled(for: page)
      let gone = info.problem?.missing ?? []
      missing = gone.isEmpty ? nil : gone.map { Name($0) }
      exitCode = (info.problem.flatMap { ExitCode($0.kind) } ?? .success).rawValue
    }
  }

  /// What a run has done that makes an output together with others.
  struct Share: Encodable {
    let event = "share"
    let command: String
    let output: Name
    /// Nil of a run that only completes it.
    let share: Int?
    let shares: Int?
    /// The numbers of those that are not done.
    let missing: [Int]
  }

  /// What clean has removed.
  struct Cleaning: Encodable {
    let event = "result"
    let command = "clean"
    var removed: [File]
    var dryRun: Bool?
    /// What could not be looked at or removed, and why.
    var problems: [String]?
    var exitCode: Int32
  }
}
