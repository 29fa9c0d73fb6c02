import Cleave
import Posix

extension InfoCommand {
  /// Writes the map as a picture.
  static func draw(
    _ info: SeriesInfo,
    to path: FilePath,
    _ options: OutputOptions
  ) throws(CleaveError) {
    guard let files = info.selection.files, let map = try info.map() else { return }
    try Journal.requireNonePublished([path])
    let lists = info.selection.manifest.map { [$0.path] + $0.others } ?? []
    let read = lists.compactMap { try? FileStatus.of($0).identity }
    try OutputCheck.check(path, options, inputs: Set(files.map(\.status.identity) + read))
    let text = map.picture(title: "\(info.output)", areWhole: info.problem == nil)
    let outputs = Outputs(options)
    do throws(CleaveError) {
      let index = outputs.add(path)
      _ = try outputs.open(index)
      try outputs.finish(index, with: Array(text.utf8))
      try outputs.publish { paths throws(CleaveError) in try Journal.requireNonePublished(paths) }
    } catch {
      outputs.discard()
      throw error
    }
  }
}
