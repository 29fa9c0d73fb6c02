import Cleave

/// `merge PART OUT [BYTES]`: puts parts together, and goes on where an earlier run was interrupted.
///
/// With BYTES, the task is cancelled as soon as so many are written.
@main struct MergeExample {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2 else { throw Usage("merge PART OUT [BYTES]") }
    let enough = arguments.count > 3 ? Int64(arguments[3]) : nil
    let parts = try await Selection(of: [FilePath(arguments[1])])
    var merge = Merge(parts, into: FilePath(arguments[2]))
    // A cancelled merge that is resumable would leave what is done.
    merge.work.isResumable = enough == nil

    let task = Task { [merge] in
      for try await event in merge {
        switch event {
        case .progress(let bytes, let total):
          print("\(bytes) of \(total.map(String.init) ?? "?") bytes")
          if let enough, bytes >= enough { withUnsafeCurrentTask { $0?.cancel() } }
        case .warning(let text): print("warning: \(text)")
        case .doubt(let doubt): print("doubt: \(doubt.path): \(doubt.text)")
        case .finished(let outcome): print("\(outcome.report.bytes) bytes, \(outcome.verdict)")
        default: break
        }
      }
    }
    do { try await task.value } catch is CancellationError { print("cancelled") }
  }
}

struct Usage: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
