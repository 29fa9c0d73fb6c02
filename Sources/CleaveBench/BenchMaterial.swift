import Cleave
import Posix

/// The files to measure with, as the operands and options name them. Nothing is made yet.
enum BenchMaterial {
  /// A sample that bench makes, of so many bytes.
  case sample(Int64)
  /// A file to split, or to cut for merging.
  case file(SourceFile)
  case parts(operands: [FilePath], Selection)

  init(_ settings: BenchSettings, _ operands: [FilePath]) throws(BenchFailure) {
    guard settings.sizes == nil || settings.count == nil else {
      throw usage("-b SIZE and --parts N exclude each other")
    }
    guard let first = operands.first else {
      self = .sample(settings.sampleSize ?? 1 << 30)
      return
    }
    guard settings.sampleSize == nil else {
      throw usage("--size is for a sample; '\(first)' has a size of its own")
    }
    guard !operands.contains("-") else { throw usage("bench needs files, not standard input") }
    if settings.splits {
      guard operands.count == 1 else { throw usage("--split needs one FILE") }
      self = .file(try job { () throws(CleaveError) in try SourceFile(examining: first) })
      return
    }
    let selection = try job { () throws(CleaveError) in
      try Selection.look(at: operands)
    }
    // A file that is no part of a series is cut to parts first.
    if selection.kind == .file || selection.kind == .zip, let file = selection.files?.first {
      self = .file(file)
      return
    }
    if let refusal = selection.refusal { throw .job(refusal) }
    guard settings.sizes == nil, settings.count == nil else {
      throw usage("-b and --parts are for a file to cut; '\(first)' is merged as it is")
    }
    self = .parts(operands: operands, selection)
  }

  /// The user's files.
  var inputs: SourceFiles {
    switch self {
    case .sample: []
    case .file(let file): [file]
    case .parts(_, let selection): selection.files ?? []
    }
  }

  /// Of the inputs.
  var bytes: Int64 {
    switch self {
    case .sample(let size): size
    case .file, .parts: inputs.totalSize
    }
  }

  /// The most bytes that the working directory has at a time: a sample and its parts, or parts and
  /// one output.
  func mostBytes(splits: Bool) -> Int64 {
    switch self {
    case .file where splits, .parts: bytes
    case .sample, .file: bytes.multipliedReportingOverflow(by: 2).overflow ? .max : bytes * 2
    }
  }

  /// Bytes to write until the inputs are there.
  func preparedBytes(splits: Bool) -> Int64 {
    switch self {
    case .sample(let size): splits ? size : size * 2
    case .file(let file): splits ? 0 : file.status.size
    case .parts: 0
    }
  }
}

/// What every contender has to do.
struct BenchJob {
  /// What cleave has to merge or split.
  var operands: [FilePath]
  /// The files that are read, in order.
  var inputs: SourceFiles
  /// Where to cut; nil for merging.
  var cuts: CutList?
  /// The number of parts, merged or made.
  var parts: Int
  /// Whether the output is more than the inputs one after the other, as the zip from a split zip is.
  var rewrites = false

  /// Of the inputs.
  var bytes: Int64 { inputs.totalSize }

  static func splitting(
    _ file: SourceFile,
    _ cuts: CutList,
    into parts: Int
  ) -> BenchJob {
    BenchJob(operands: [file.path], inputs: [file], cuts: cuts, parts: parts)
  }

  static func merging(_ operands: [FilePath], _ selection: Selection) -> BenchJob {
    let inputs = selection.files ?? []
    return BenchJob(
      operands: operands,
      inputs: inputs,
      parts: inputs.count,
      rewrites: selection.kind.isRewritten
    )
  }

  /// The arguments of cleave, without the names of files.
  func options(_ one: BenchCase, isDurable: Bool) -> [String] {
    [cuts == nil ? "merge" : "split", "-q"] + (isDurable ? [] : ["--no-sync"])
      + (cuts?.options ?? []) + one.options
  }
}

extension CutList {
  /// As options of split.
  var options: [String] {
    switch self {
    case .every(let size): ["--bytes=\(size)"]
    case .count(let count): ["--number=\(count)"]
    case .records(let count): ["--lines=\(count)"]
    case .recordBytes(let size): ["--line-bytes=\(size)"]
    case .recordChunks(let count): ["--number=l/\(count)"]
    case .dealt(let count): ["--number=r/\(count)"]
    case .list(let sizes, let rest):
      ["--bytes=" + (sizes.map(String.init) + (rest ? ["rest"] : [])).joined(separator: ",")]
    }
  }
}
