import Cleave
import Posix

/// Parts that an input tells of: its first byte how many more there are than one, and pairs of bytes behind
/// it where one ends; the rest are the parts.
enum TrialParts {
  static func cut(_ input: [UInt8]) -> [[UInt8]]? {
    guard let first = input.first, input.count > 1 + 2 * Int(first % 8) else { return nil }
    let cuts = Int(first % 8)
    let bytes = Array(input.dropFirst(1 + 2 * cuts))
    let ends =
      (0..<cuts).map { cut in
        (Int(input[1 + 2 * cut]) | Int(input[2 + 2 * cut]) << 8) % (bytes.count + 1)
      }
      .sorted() + [bytes.count]
    return zip([0] + ends, ends).map { Array(bytes[$0..<$1]) }
  }

  /// Files of the parts' sizes, for plans that nobody carries out.
  static func files(like parts: JoinedBytes) -> SourceFiles {
    SourceFiles(
      zip(parts.layout.paths, parts.layout.sizes).compactMap { path, size in
        guard var status = try? FileStatus.of(".") else { return nil }
        status.size = size
        return SourceFile(path: path, status: status)
      }
    )
  }
}
