import Cleave
import CommandLineKit
import Posix

extension Sentence {
  /// The text, with every remedy as it is typed.
  ///
  /// - Parameter command: whose options are to be spelled; nil for one that has all, as merge does.
  func spelled(for command: CommandPage?) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .remedy(let remedy, let lead): remedy.spelled(for: command).map { lead + $0 } ?? ""
      case .mention(let remedy): remedy.option
      case .setting(let setting): setting.option
      }
    }
    .joined()
  }
}

extension Remedy {
  /// What to type; nil where the command has no need of it.
  fileprivate func spelled(for command: CommandPage?) -> String? {
    switch self {
    case .last(nil): "\(option)=N"
    case .namingOutput: Self.makesFile(command) ? "\(option) OUT" : nil
    case .asGiven(namesOutput: true) where Self.makesFile(command):
      mergeUnless(command, has: "--as-given", "\(option) -o OUT")
    case .asGiven: mergeUnless(command, has: "--as-given", option)
    case .each: mergeUnless(command, has: "--all", option)
    case .format: mergeUnless(command, has: "--format", option)
    case .leavingOutHeader: mergeUnless(command, has: "--header", option)
    case .consuming: Self.has(command, "--consume") ? option : nil
    default: option
    }
  }

  /// An option, or the command line of merge that has it where the command lacks it.
  private func mergeUnless(
    _ command: CommandPage?,
    has name: String,
    _ words: String
  ) -> String {
    Self.has(command, name) ? words : "'cleave merge \(words) …'"
  }

  private static func has(_ command: CommandPage?, _ name: String) -> Bool {
    command?.options.contains { $0.longName == name } ?? true
  }

  /// Whether what is joined goes into a file: cat joins, and makes none. Commands that join nothing tell
  /// what merge does.
  private static func makesFile(_ command: CommandPage?) -> Bool {
    has(command, "--output") || !has(command, "--as-given")
  }

  /// The option with its value, if there is one; of a few, the command.
  fileprivate var option: String {
    switch self {
    case .replacing: "--force"
    case .format(let format): "--format=\(format.rawValue)"
    case .asGiven: "--as-given"
    case .each: "--all"
    case .family(let family): "--as" + (family.map { "=\($0.rawValue)" } ?? "")
    case .first(let part): "--first" + (part.map { "=\($0)" } ?? "")
    case .last(let part): "--last" + (part.map { "=\($0)" } ?? "")
    case .withoutManifest: "--manifest=none"
    case .withoutContent: "--verify=stream"
    case .leavingOutHeader: "--header"
    case .consuming: "--consume"
    case .copying: "--clone=auto"
    case .namingOutput: "-o"
    case .output(let path): "-o" + (path.map { " \($0.quoted)" } ?? "")
    case .splittingAsBytes: "without --format=zip"
    case .splitting(OutputCheck.mostOnFAT32): "split -b fat32"
    case .splitting(let size): "split -b \(size)"
    case .verifying(let path, let list):
      "'cleave verify " + (list.map { "--manifest=\($0.quoted) " } ?? "") + "\(path.quotedOperand)'"
    case .merging(let part): "'cleave merge -o OUT \(part.quotedOperand)'"
    case .readingBack: "--verify=readback"
    case .repairing(let path): "'cleave repair \(path.quotedOperand)'"
    }
  }
}

extension Setting {
  fileprivate var option: String {
    switch self {
    case .blocks: "--block"
    case .checkpoint: "--checkpoint=1M"
    case .consuming: "--consume"
    case .dealing: "-n r/N"
    case .dealt: "--dealt"
    case .digests: "--checksum"
    case .entries: "--verify=entries"
    case .filter: "--filter"
    case .header: "--header"
    case .joiners: "--joiners"
    case .manifest: "--manifest=FILE"
    case .prefix: "PREFIX"
    case .range: "--range"
    case .rest: "'rest'"
    case .resuming: "--resume"
    case .share: "--share"
    case .sharing: "--clone=always"
    case .size: "-b SIZE"
    case .times: "--times"
    case .unflushed: "--no-sync"
    case .unverified: "--verify=none"
    case .waiting: "--wait"
    case .zip: "--format=zip"
    }
  }
}
