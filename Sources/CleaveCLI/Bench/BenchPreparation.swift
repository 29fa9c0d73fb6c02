import Cleave
import Posix
import SampleFile
import SampleFile

/// Makes the inputs that are not there yet.
struct BenchPreparation {
  let session: Session
  let workspace: BenchWorkspace
  let cuts: CutList

  func job(_ material: BenchMaterial, parts: Int) throws(Failure) -> BenchJob {
    let splits = session.settings.bench.splits
    var job: BenchJob
    switch material {
    case .parts(let operands, let selection): job = .merging(operands, selection)
    case .file(let file) where splits: job = .splitting(file, cuts, into: parts)
    case .file(let file): job = try cut(file.path)
    case .sample(let size):
      let sample = workspace.inputs.appending("whole")
      try CleaveCLI.job { () throws(CleaveError) in try make(sample, size) }
      if splits {
        let file = try CleaveCLI.job { () throws(CleaveError) in
          try SourceFile(examining: sample)
        }
        job = .splitting(file, cuts, into: parts)
      } else {
        job = try cut(sample)
        try CleaveCLI.job { () throws(CleaveError) in
          do throws(SystemError) {
            try FileSystem.unlink(sample)
          } catch {
            throw .writing(error)
          }
        }
      }
    }
    let isMade = job.inputs.first?.path.directory == workspace.inputs
    if isMade || session.settings.bench.isCold { BenchCache.settle(job.inputs) }
    return job
  }

  private func make(_ path: FilePath, _ size: Int64) throws(CleaveError) {
    do throws(SystemError) {
      try Sample(size: size).write(toNew: path) {
        session.cancellation.isCancelled
      } didWrite: { count in
        session.progress.add(count)
      }
    } catch {
      throw .writing(error)
    }
  }

  /// Cuts a file to parts with a manifest beside them, as users would have them.
  private func cut(_ file: FilePath) throws(Failure) -> BenchJob {
    let prefix = workspace.inputs.appending("sample")
    let ending = try CleaveCLI.job { () throws(CleaveError) in
      try workspace.runCleave(["split", "-q", "--no-sync"] + cuts.options, ["--", file, prefix])
    }
    try ending.requireSuccess(of: "split")
    let first = prefix.adding(".001")
    let selection = try CleaveCLI.job { () throws(CleaveError) in
      try Selection(of: [first])
    }
    session.progress.add(Int(clamping: (selection.files ?? []).totalSize))
    return .merging([first], selection)
  }
}
