import Cleave
import CommandLineKit
import Posix

/// A size of parts that has a name: what a medium or a service takes. `docs/presets.md` says where each is from.
struct PartSizePreset: Sendable {
  let name: String
  /// Bytes.
  let size: Int64
  /// The rest of a sentence that begins with the name.
  let text: String

  /// Where a service says GB and may mean GiB, the smaller one is taken.
  static let all: [PartSizePreset] = [
    .init(name: "fat32", size: (4 << 30) - 1, text: "the largest file that FAT32 can hold"),
    .init(name: "cd", size: 700 << 20, text: "a CD of 80 minutes"),
    .init(name: "dvd", size: 4480 << 20, text: "a DVD of one layer"),
    .init(
      name: "mail",
      size: 18_000_000,
      text: "a message of 25 MB, which mail encodes in more bytes"
    ),
    .init(name: "discord", size: 10_000_000, text: "an attachment without a subscription"),
    .init(name: "github", size: 100 << 20, text: "a file in a repository"),
    .init(name: "github-release", size: 2_000_000_000, text: "a file of a release"),
    .init(name: "whatsapp", size: 2_000_000_000, text: "a document"),
    .init(name: "telegram", size: 2_000_000_000, text: "a file without a subscription"),
    .init(name: "s3", size: 5_000_000_000, text: "an object that is uploaded by a single PUT"),
    .init(name: "huggingface", size: 50_000_000_000, text: "a file in a repository"),
  ]

  static func named(_ name: String) -> PartSizePreset? {
    let name = name.lowercased()
    return all.first { $0.name == name }
  }

  /// `--list-presets`.
  static let list: Option<CuttingSettings> = .flag(
    "list-presets",
    group: "Cutting",
    help: "List the presets for --bytes with their sizes, and stop.",
    sets: \.listsPresets
  )

  static func show(_ session: Session) throws(Failure) -> ExitCode {
    let names = all.map(\.name.count).max() ?? 0
    let sizes = all.map { ByteSize.described($0.size) }
    let width = sizes.map(\.count).max() ?? 0
    let lines = zip(all, sizes).map { preset, size in
      let name = preset.name + String(repeating: " ", count: names - preset.name.count)
      return
        "\(name)  \(size)\(String(repeating: " ", count: width - size.count))  \(preset.text)\n"
    }
    try job { () throws(CleaveError) in try session.console.write(lines.joined()) }
    return .success
  }
}
