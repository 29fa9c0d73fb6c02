import Cleave
import CommandLineKit
import Posix

/// `-b`, for the commands that cut.
enum CutOption {
  static func bytes(
    group: String,
    sets target: Option<Settings>.Target<CutList?> = \.sizes
  ) -> Option<Settings> {
    .value(
      "bytes",
      short: "b",
      "SIZE",
      words: presets.map(\.name),
      group: group,
      help: "Cut parts of SIZE bytes; or of the sizes in a list such as 10M,20M,rest; or of the "
        + "preset fat32 (4GiB-1), cd (700M) or dvd (4480M).",
      sets: target,
      convert: sizes
    )
  }

  /// The presets are those that 7-Zip offers for volumes, with the largest file of FAT32.
  private static let presets: [(name: String, size: Int64)] = [
    ("fat32", (4 << 30) - 1), ("cd", 700 << 20), ("dvd", 4480 << 20),
  ]

  private static func preset(_ text: String) -> Int64? {
    let name = text.lowercased()
    return presets.first { $0.name == name }?.size
  }

  @Sendable private static func sizes(_ argument: OptionArgument) throws(UsageError) -> CutList? {
    let text = try argument.text
    if let size = preset(text) { return .every(size) }
    var items = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if items.count == 1 { return .every(try size(items[0], argument)) }
    let rest = items.last == "rest"
    if rest { items.removeLast() }
    var sizes: [Int64] = []
    for item in items { sizes.append(try size(item, argument)) }
    return .list(sizes, rest: rest)
  }

  private static func size(
    _ text: String,
    _ argument: OptionArgument
  ) throws(UsageError) -> Int64 {
    if let size = preset(text) { return size }
    let size = try OptionArgument(option: argument.option, value: FilePath(text)).size
    guard size > 0 else { throw argument.refused("must be more than 0") }
    return size
  }
}
