import Posix
import TestSupport

@testable import Cleave

/// Files in a directory of their own, and what a merge makes of them.
struct SelectionTrial {
  let directory: TemporaryDirectory
  private let names: [FilePath]

  init(_ files: [(name: FilePath, bytes: [UInt8])]) throws {
    directory = try TemporaryDirectory()
    names = files.map(\.name)
    for file in files { try directory.make(file.name, file.bytes) }
  }

  /// Parts `BASE.001`, `BASE.002` and so on.
  init(parts: [[UInt8]], of base: String = "f") throws {
    try self.init(
      parts.enumerated().map {
        (PartName.format(base: FilePath(base), number: Int64($0 + 1), width: 3), $1)
      }
    )
  }

  /// Why the series that the first file belongs to is not merged, without the directory; nil where it is.
  func refusal(last: Int64? = nil, format: PartFormat = .auto) -> CleaveError? {
    look(at: [names[0]], format, last: last).1
  }

  /// The same of all files, as they are given.
  func explicitRefusal(format: PartFormat = .auto) -> CleaveError? { look(at: names, format).1 }

  /// The codes of all doubts, also of those that refuse.
  func doubts(last: Int64? = nil) -> [Doubt.Code] {
    look(at: [names[0]], .auto, last: last).0?.evidence.doubts.map(\.code) ?? []
  }

  private func look(
    at names: [FilePath],
    _ format: PartFormat,
    last: Int64? = nil
  ) -> (Selection?, CleaveError?) {
    var request = Selection.Request(format: format)
    request.reading.bounds.last = last.map { .number($0) }
    do throws(CleaveError) {
      let selection = try Selection.look(at: names.map { directory($0) }, request)
      return (selection, selection.refusal.map(withoutDirectory))
    } catch {
      return (nil, withoutDirectory(error))
    }
  }

  private func withoutDirectory(_ error: CleaveError) -> CleaveError {
    let prefix = directory.path.bytes + [UInt8(ascii: "/")]
    guard error.system == nil, let path = error.path, path.bytes.starts(with: prefix) else {
      return error
    }
    let name = FilePath(bytes: Array(path.bytes.dropFirst(prefix.count)))
    return CleaveError(error.kind, name, error.text)
  }
}

extension [UInt8] {
  /// In pieces that end at these places and at the end.
  func cut(at places: [Int]) -> [[UInt8]] {
    zip([0] + places, places + [count]).map { Array(self[$0..<$1]) }
  }

  /// In so many pieces, of which the last is the shortest.
  func cut(into count: Int) -> [[UInt8]] {
    let size = (self.count + count - 1) / count
    return stride(from: 0, to: self.count, by: size).map {
      Array(self[$0..<Swift.min($0 + size, self.count)])
    }
  }
}
