import Cleave

/// `split-to-stream FILE SIZE NUMBER`: writes one part of a file to standard output, as an upload would
/// take it. The program ends with 1 where there is no such part.
@main struct SplitToStream {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let size = Int64(arguments[2]), let number = Int(arguments[3])
    else {
      throw Usage("split-to-stream FILE SIZE NUMBER")
    }
    let file = try SourceFile(examining: FilePath(arguments[1]))
    let sizes = try CutList.every(size).sizes(of: file.status.size)
    guard sizes.indices.contains(number - 1) else { throw Usage("there is no such part") }
    let part = DestinationFile(path: "standard output", size: sizes[number - 1])
    let start = sizes[..<(number - 1)].reduce(0, +)
    let bytes = Extent(
      source: .file(0, offset: start),
      length: part.size,
      destination: 0,
      offset: 0
    )
    let plan = try TransferPlan(sources: [file], destinations: [part], extents: [bytes])
    // Only this engine writes to streams.
    var job = Job(plan, engine: .serial)
    job.stream = try StreamOutput(duplicating: 1)
    let report = try await job.report()
    precondition(report.bytes == part.size)
  }
}

struct Usage: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
