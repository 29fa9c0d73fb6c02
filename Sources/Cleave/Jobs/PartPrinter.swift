internal import Posix

/// Writes one of the parts that a split would make to standard output, and makes no file.
package struct PartPrinter {
  package let split: Split
  /// The number of the part, from 1.
  package let number: Int

  package init(_ split: Split, _ number: Int) { (self.split, self.number) = (split, number) }

  private var work: WorkOptions { split.work }

  /// The part of a file, or of standard input, that is cut to so many parts.
  package func printCut() throws(CleaveError) {
    let input = try split.file == "-" ? StandardInputFile.read(work.cancellation) : nil
    let source = if let input { input.source } else { try SourceFile(examining: split.file) }
    let (sizes, _) = try split.sizes(of: source)
    // bounded: the sum is the file's size
    let start = sizes.prefix(number - 1).reduce(0, +)
    let range = start..<(start + sizes[number - 1])
    if range.isEmpty { return }
    var request = Selection.Request(manifest: .none, format: .raw)
    request.isAsGiven = true
    var options = Merge.Options()
    options.work = work
    (options.work.verification, options.range) = (.none, { _ in range })
    _ = try Merge(Selection(of: [source.path], request), into: "-", options).run()
    withExtendedLifetime(input) {}
  }

  /// Every record whose turn it is: of 3, the first part has the first, the fourth and so on.
  ///
  /// - Throws: where standard output is the input, or a file was changed while it was read.
  package func printDealt(of count: Int) throws(CleaveError) {
    let output = try StreamOutput(to: "-", work.cancellation)
    let stops = StreamInput.Stops(
      isCancelled: { [work] in work.cancellation.isCancelled },
      output: output
    )
    let input = try DealtInput(split.file, output, stops)
    var (turn, written) = (1, Int64(0))
    while let bytes = try input.next() {
      var dealt: [UInt8] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let end = rest.withUnsafeBytes { $0.firstPlace(of: split.options.separator) }
        let record = rest.prefix(end.map { $0 + 1 } ?? rest.count)  // bounded: within the piece
        if turn == number { dealt += record }
        if end != nil { turn = turn == count ? 1 : turn + 1 }  // bounded: at most the count
        rest = rest.dropFirst(record.count)
      }
      try write(dealt, to: output, at: written, stops)
      written += Int64(dealt.count)  // bounded: no more than was read
    }
  }

  private func write(
    _ bytes: [UInt8],
    to output: StreamOutput,
    at position: Int64,
    _ stops: StreamInput.Stops
  ) throws(CleaveError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in
        try output.write(bytes, at: position, isCancelled: stops.isCancelled)
      }
    }
    if case .failure(let error) = result { throw .writing(error) }
  }
}

/// What records are dealt from: a file that stays as it is, or what comes.
private final class DealtInput {
  private let file: InputFile?
  private let stream: StreamInput?
  private let stops: StreamInput.Stops
  /// Bytes of the file read so far.
  private var position: Int64 = 0

  private static let pieceSize = 256 << 10

  /// - Throws: where it cannot be opened, or is what the output is.
  init(
    _ path: FilePath,
    _ output: StreamOutput,
    _ stops: StreamInput.Stops
  ) throws(CleaveError) {
    self.stops = stops
    let status =
      path == "-" ? JobRun.standardInput() : try CleaveError.whileReading(FileStatus.of(path))
    let isFile = status?.kind == .regular
    try OutputCheck.check(output, inputs: status.flatMap { isFile ? [$0.identity] : nil } ?? [])
    // Of files that the kernel makes up as they are read, the size is told as 0.
    file =
      isFile && path != "-" && status?.size ?? 0 > 0
      ? try InputFile(SourceFile(examining: path)) : nil
    if file != nil {
      stream = nil
    } else {
      stream = try path == "-" ? .standard() : .opening(path)
    }
  }

  /// The next bytes; nil at the end.
  ///
  /// - Throws: where a file has ended before its time, or was changed.
  func next() throws(CleaveError) -> [UInt8]? {
    if let stream {
      let bytes = try stream.nextBytes(Self.pieceSize, stops)
      return bytes.isEmpty ? nil : bytes
    }
    guard let file, position < file.size else {
      try file?.requireUnchanged()
      return nil
    }
    let bytes = try file.bytes(min(Int64(Self.pieceSize), file.size - position), at: position)
    position += Int64(bytes.count)  // bounded: within the file
    return bytes
  }
}
