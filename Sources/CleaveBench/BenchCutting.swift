import Cleave
import Posix

/// Where a file is cut, to measure splitting or to make parts for merging.
struct BenchCutting {
  let cuts: CutList
  let parts: Int

  init(_ settings: BenchSettings, _ material: BenchMaterial) throws(BenchFailure) {
    cuts = settings.sizes ?? settings.count ?? .count(4)
    if case .parts(_, let selection) = material {
      parts = selection.sources.count
      return
    }
    do { parts = try cuts.sizes(of: material.bytes).count } catch { throw .cutting(error) }
  }

  /// The baseline that the user chose, or the usual one; nil for none.
  func baseline(
    _ bench: BenchSettings,
    _ material: BenchMaterial
  ) throws(BenchFailure) -> BenchBaseline? {
    let choice = bench.baseline ?? (bench.splits ? "split" : "cat")
    switch choice.string {
    case "none": return nil
    case "cat":
      guard !bench.splits else { throw usage("--baseline=cat does not split") }
      return .cat
    case "split":
      guard bench.splits else { throw usage("--baseline=split needs --split") }
      return .split(size: try size(of: material.bytes), digits: max(3, "\(parts - 1)".count))
    default: return .command(choice)
    }
  }

  /// Bytes of each part but the last.
  private func size(of total: Int64) throws(BenchFailure) -> Int64 {
    switch cuts {
    case .every(let size): return size
    case .count(let count): return max(1, (total - 1) / Int64(count) + 1)
    case .list, .records, .recordBytes, .recordChunks, .dealt:
      throw usage("--baseline=split makes parts of one size; choose another, or none")
    }
  }
}
