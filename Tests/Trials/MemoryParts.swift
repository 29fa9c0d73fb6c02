import Cleave
import Posix

/// Parts that were never files.
struct MemoryParts: ZipBytes {
  let layout: PartLayout
  private let bytes: [UInt8]

  init?(_ bytes: [UInt8], ends: [Int]) {
    let sizes = zip([0] + ends, ends).map { Int64($1 - $0) }
    let names = sizes.indices.map { FilePath("part \($0 + 1)") }
    guard let layout = PartLayout(names, sizes: sizes) else { return nil }
    self.layout = layout
    self.bytes = bytes
  }

  /// The first byte tells how many more parts there are, and pairs of bytes behind it where one ends;
  /// the rest are the parts.
  static func cut(_ input: [UInt8]) -> (bytes: [UInt8], ends: [Int])? {
    guard let first = input.first, input.count > 1 + 2 * Int(first % 8) else { return nil }
    let cuts = Int(first % 8)
    let bytes = Array(input.dropFirst(1 + 2 * cuts))
    let ends = (0..<cuts).map { cut in
      (Int(input[1 + 2 * cut]) | Int(input[2 + 2 * cut]) << 8) % (bytes.count + 1)
    }
    return (bytes, ends.sorted() + [bytes.count])
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at position: Int64
  ) throws(CleaveError) {
    buffer.copyBytes(from: bytes[Int(position)..<(Int(position) + buffer.count)])
  }

  func willRead(to position: Int64) {}

  func requireUnchanged() {}

  /// Files of the parts' sizes, for plans that nobody carries out.
  var sources: SourceFiles {
    let files = layout.paths.enumerated().compactMap { index, path -> SourceFile? in
      guard var status = try? FileStatus.of(".") else { return nil }
      status.size = Int64(layout.range(index).count)
      return SourceFile(path: path, status: status)
    }
    return SourceFiles(files)
  }
}
