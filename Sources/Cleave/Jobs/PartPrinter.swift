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
    let isStandard = split.file == "-"
    let source =
      isStandard
      ? JobRun.standardFile(0) : try CleaveError.whileReading(FileStatus.of(split.file))
    let input = try isStandard ? StreamInput.standard() : .opening(split.file)
    if let source, source.kind == .regular {
      try OutputCheck.check(output, inputs: [source.identity])
    }
    var (turn, written) = (1, Int64(0))
    while true {
      let bytes = try input.nextBytes(256 << 10, stops)
      if bytes.isEmpty { return }
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
