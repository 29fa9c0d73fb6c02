import Cleave
import Posix
import SampleFile

/// Makes the inputs that do not exist yet.
struct BenchPreparation {
  let context: BenchContext
  let workspace: BenchWorkspace
  let cuts: CutList

  func job(_ material: BenchMaterial, parts: Int) throws(BenchFailure) -> BenchJob {
    let splits = context.settings.splits
    var job: BenchJob
    switch material {
    case .parts(let operands, let selection): job = .merging(operands, selection)
    case .file(let file) where splits: job = .splitting(file, cuts, into: parts)
    case .file(let file): job = try cut(file.path)
    case .sample(let size):
      let sample = workspace.inputs.appending("whole")
      try CleaveBench.job { () throws(CleaveError) in try make(sample, size) }
      if splits {
        let file = try CleaveBench.job { () throws(CleaveError) in
          try SourceFile(examining: sample)
        }
        job = .splitting(file, cuts, into: parts)
      } else {
        job = try cut(sample)
        try CleaveBench.job { () throws(CleaveError) in
          do throws(SystemError) {
            try FileSystem.unlink(sample)
          } catch {
            throw .writing(error)
          }
        }
      }
    }
    let isMade = job.inputs.first?.path.directory == workspace.inputs
    if isMade || context.settings.isCold { BenchCache.settle(job.inputs) }
    return job
  }

  private func make(_ path: FilePath, _ size: Int64) throws(CleaveError) {
    do throws(SystemError) {
      try Sample(size: size).write(toNew: path) {
        context.cancellation.isCancelled
      } didWrite: { count in
        context.progress.add(count)
      }
    } catch {
      throw .writing(error)
    }
  }

  /// Cuts a file to parts, with a manifest as users have it.
  private func cut(_ file: FilePath) throws(BenchFailure) -> BenchJob {
    let prefix = workspace.inputs.appending("sample")
    let ending = try CleaveBench.job { () throws(CleaveError) in
      try workspace.runCleave(["split", "-q", "--no-sync"] + cuts.options, ["--", file, prefix])
    }
    try ending.requireSuccess(of: "split")
    let first = prefix.adding(".001")
    let selection = try CleaveBench.job { () throws(CleaveError) in
      try Selection(of: [first])
    }
    context.progress.add(Int(clamping: (selection.files ?? []).totalSize))
    return .merging([first], selection)
  }
}
