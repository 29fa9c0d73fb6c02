import Cleave
import CommandLineKit

extension Conflict<SplitCommand.Settings>.Use {
  fileprivate static let block = Self("--block") { $0.block != nil }
  fileprivate static let bytes = Self("--bytes") { $0.cutting.sizes != nil }
  fileprivate static let checksum = Self("--checksum") { !$0.sums.isEmpty }
  fileprivate static let consume = Self("--consume", \.stages.consumes)
  fileprivate static let dealing = Self("--number=r/N") {
    $0.cutting.deals && $0.cutting.part == nil
  }
  fileprivate static let dryRun = Self("--dry-run", \.output.isDryRun)
  fileprivate static let elideEmptyFiles = Self("--elide-empty-files", \.cutting.omitsEmptyParts)
  fileprivate static let filter = Self("--filter") { $0.filter != nil }
  fileprivate static let header = Self("--header") { $0.cutting.header != nil }
  fileprivate static let joiners = Self("--joiners", \.makesJoiners)
  fileprivate static let json = Self("--json", \.general.writesJSON)
  fileprivate static let lineBytes = Self("--line-bytes") { $0.cutting.lineBytes != nil }
  fileprivate static let lines = Self("--lines") { $0.cutting.lines != nil }
  fileprivate static let listPresets = Self("--list-presets", \.cutting.listsPresets)
  fileprivate static let manifestFile = Self("--manifest=FILE") {
    if case .file = $0.manifest { true } else { false }
  }
  fileprivate static let number = Self("--number") { $0.cutting.count != nil }
  fileprivate static let resume = Self("--resume", \.stages.resumes)
  fileprivate static let separator = Self("--separator") { $0.cutting.separator != nil }
  fileprivate static let share = Self("--share") { $0.share != nil }
  fileprivate static let times = Self("--times", \.output.keepsTimes)
  fileprivate static let zip = Self("--format=zip") { $0.format == .zip }
}

extension SplitCommand.Settings {
  static let conflicts: [Conflict<Self>] = [
    .excludes(.listPresets, [.json], "the list is for people"),
    .excludes(.bytes, [.number, .lines, .lineBytes], reason),
    .excludes(.number, [.lines, .lineBytes], reason),
    .excludes(.lines, [.lineBytes], reason),
    .needs(
      .separator,
      .init("--lines, --line-bytes, --number=l/N or r/N") {
        $0.cutting.cuts?.isOfRecords == true || $0.cutting.deals
      },
      "other cuts heed no lines"
    ),
    .needs(
      .header,
      .init("--lines, --line-bytes or --number=l/N") { $0.cutting.cuts?.isOfRecords == true },
      "the first line would not be a whole one in other parts"
    ),
    .excludes(
      .header,
      [
        .block, .joiners,
      ],
      "the parts are not just put together"
    ),
    .needs(
      .elideEmptyFiles,
      .number,
      "no other option makes empty parts"
    ),
    .excludes(
      .dealing,
      [
        .block, .joiners, .filter, .consume, .resume, .share, .zip, .dryRun,
        .init("--clone=always") { $0.output.clone == .always },
        .init("--engine=multiqueue, zerocopy or direct") {
          ![.auto, .serial].contains($0.moving.engine)
        },
      ],
      "lines are dealt out as they are read, once, and the parts are not just put together"
    ),
    .excludes(
      .consume,
      [.lines, .lineBytes, .init("--number=l/N") { $0.cutting.cuts?.isOfRecords == true }],
      "it frees the file from its end, and lines are counted from the start"
    ),
    .excludes(
      .consume,
      [.times],
      "what is left of the file becomes part 1, and has been changed by then"
    ),
    .excludes(
      .share,
      [
        .resume, .consume, .filter, .dryRun,
        .init("--number=K/N") { $0.cutting.part != nil },
        .init("--verify=entries") { $0.verify == .entries },
      ],
      "each run makes only some of the parts"
    ),
    .excludes(
      .filter,
      [
        .manifestFile,
        .checksum,
        .block,
        .joiners, .resume, .consume, .dryRun,
        .times,
        .zip,
        .init("--verify") { $0.verify == .readback || $0.verify == .entries },
        .init("--clone=always") { $0.output.clone == .always },
        .init("--engine") { $0.moving.engine != .auto },
      ],
      "cleave does not know what a filter makes"
    ),
    .excludes(
      .init("--number=K/N") { $0.cutting.part != nil },
      [
        .filter,
        .manifestFile,
        .checksum,
        .block,
        .joiners, .resume, .consume, .dryRun, .header, .json,
        .elideEmptyFiles,
        .times,
        .zip,
      ],
      "nothing but the bytes of one part is written, to standard output"
    ),
    .needs(
      .init("--jobs") { $0.jobs != nil },
      .filter,
      "it says how many filters there may be"
    ),
    .excludes(
      .zip,
      [
        .init("--additional-suffix") { $0.naming.additionalSuffix != "" },
        .init("-d, -x or --alphabetic-suffixes") { $0.naming.suffixes != nil },
      ],
      "the names of a split zip's parts are told by the format"
    ),
  ]

  private static let reason = "one of them says where to cut"
}
