import Cleave
import CommandLineKit
import Posix

/// How an output is made.
struct OutputSettings: Sendable {
  /// Nil where it is named after the sources.
  var path: FilePath?
  var isForced = false
  var isDryRun = false
  var synchronizes = true
  var dropsCache = false
  var keepsTimes = false
  var clone = SharingPolicy.auto

  /// What leads to standard output is standard output, and the report does not go there.
  mutating func takeStandardOutput() {
    guard let path, path != "-", let found = try? FileStatus.of(path),
      found.kind != .directory,
      let own = try? FileDescriptor.duplicate(of: 1, path: "standard output").status(),
      found.identity == own.identity
    else { return }
    self.path = "-"
  }

  func options(_ verify: VerifyMode) -> OutputOptions {
    OutputOptions(
      replacesExisting: isForced,
      synchronizes: synchronizes,
      readsBack: verify == .readback,
      dropsCache: dropsCache,
      keepsTimes: keepsTimes
    )
  }
}

/// What is kept of a job that is interrupted, and what is freed on the way.
struct StageSettings: Sendable {
  var resumes = false
  var consumes = false
  var checkpoint = Rounds.usualSize

  /// Whether the job is carried out in stages that another run can go on from.
  var isStaged: Bool { resumes || consumes }
}

extension Option<OutputSettings> {
  static func file(_ help: String) -> Option {
    .value("output", short: "o", "FILE", group: "Output", help: help, sets: \.path) { $0.value }
  }

  static var force: Option {
    .flag(
      "force",
      short: "f",
      group: "Output",
      help: "Replace files that exist already; never one of the inputs.",
      sets: \.isForced
    )
  }

  static var noSync: Option {
    .flag(
      "no-sync",
      group: "Output",
      help: "Do not wait until the output is on the device; faster, and gone after a power loss.",
      sets: \.synchronizes,
      to: false
    )
  }

  static var dropCache: Option {
    .flag(
      "drop-cache",
      group: "Output",
      help: "Leave in memory only what was there before, so that a huge job does not push out the "
        + "files of everybody else.",
      sets: \.dropsCache
    )
  }

  static func times(_ help: String) -> Option {
    .flag("times", group: "Output", help: help, sets: \.keepsTimes)
  }

  static var clone: Option {
    .choice(
      "clone",
      "WHEN",
      group: "Output",
      help:
        "Share the blocks of the source with the output instead of copying them: where the file "
        + "system can (auto, the default), or fail (always), or never. XFS and Btrfs on Linux can, for "
        + "what is aligned to their blocks, with the direct engine; the rest is copied.",
      sets: \.clone
    )
  }
}

extension Option<StageSettings> {
  static var resume: Option {
    .flag(
      "resume",
      group: "Output",
      help:
        "Go on where an interrupted run of the same command has stopped, and leave what another "
        + "one can go on with.",
      sets: \.resumes
    )
  }

  static var checkpoint: Option {
    .value(
      "checkpoint",
      "SIZE",
      group: "Output",
      help: "With --resume, make SIZE bytes durable at a time, 32M by default: what is done again "
        + "after an interruption at most, and the space that --consume needs.",
      sets: \.checkpoint
    ) { argument throws(UsageError) in try argument.positiveSize }
  }

  static func consume(_ help: String) -> Option {
    .flag("consume", group: "Output", help: help, sets: \.consumes)
  }
}

extension Option {
  static func dryRun(short: Character?, sets target: Target<Bool>) -> Option {
    .flag(
      "dry-run",
      short: short,
      group: "Output",
      help: "Say what would be done, and do nothing.",
      sets: target
    )
  }

  /// - Parameter help: what the modes prove.
  static func verify(_ help: String = proofs, sets target: Target<VerifyMode>) -> Option {
    .choice("verify", "MODE", group: "Checking", help: help, sets: target)
  }

  private static var proofs: String {
    "What to prove before the output gets its name: by a manifest, or else by what the content "
      + "says of itself, such as the CRC-32 of each entry of a zip (auto, the default); only by a "
      + "manifest, which is faster (stream); nothing but sizes (none); as auto, and also what the "
      + "device gives back (readback); or also that every entry of the zip can be unpacked (entries); "
      + "those that are encrypted are told of."
  }

  static func format(_ help: String, sets target: Target<PartFormat>) -> Option {
    .choice("format", "FORMAT", group: "Output", help: help, sets: target)
  }

  static func keepMarker(sets target: Target<Bool>) -> Option {
    .flag(
      "keep-marker",
      group: "Output",
      help: "Leave the four bytes at the front that mark a split zip, so that file systems which "
        + "share blocks can; a few programs that read zips as streams want them gone.",
      sets: target
    )
  }
}
