import Posix
import TestSupport

/// What the same work takes at two sizes, which tells what each MiB costs from what is paid once.
struct Cost {
  let command: String
  let small: Counts
  let large: Counts

  private static let smallMebibytes = 16
  private static let largeMebibytes = 64
  /// Bytes that the large one has more.
  static let growth = (largeMebibytes - smallMebibytes) << 20

  func growth(_ count: (Counts) -> Int) -> Int { count(large) - count(small) }

  func perMebibyte(_ count: (Counts) -> Int) -> Double {
    Double(growth(count)) / Double(Self.largeMebibytes - Self.smallMebibytes)
  }

  func once(_ count: (Counts) -> Int) -> Double {
    Double(count(small)) - perMebibyte(count) * Double(Self.smallMebibytes)
  }
}

// MARK: - Measuring

extension Cost {
  /// Splits a file into four parts and merges them again, at either size.
  static func ofSplitAndMerge(_ engine: String, _ options: [String]) throws -> [Cost] {
    let small = try counts(engine, options, mebibytes: smallMebibytes)
    let large = try counts(engine, options, mebibytes: largeMebibytes)
    return [
      Cost(command: "split", small: small.split, large: large.split),
      Cost(command: "merge", small: small.merge, large: large.merge),
    ]
  }

  private static func counts(
    _ engine: String,
    _ options: [String],
    mebibytes: Int
  ) throws -> (split: Counts, merge: Counts) {
    let directory = try TemporaryDirectory()
    // Not a hole, since mapping one takes as many page faults as it has pages on tmpfs.
    try Files.write([UInt8](repeating: 0, count: mebibytes << 20), to: directory.file("whole"))
    func counts(_ command: String, _ arguments: [any ToolArgument]) throws -> Counts {
      let common = [command, "-q", "--no-sync", "--engine", engine] + options
      return try Counts(.cleave, common + arguments, in: directory.path)
    }
    return (
      try counts("split", ["-b", "\(mebibytes / 4)M", "whole"]),
      try counts("merge", ["-o", "again", "whole.001"])
    )
  }
}
