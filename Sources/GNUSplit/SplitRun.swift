internal import Cleave
internal import Posix

/// Splits by size, by lines, or into chunks that follow each other.
final class SplitRun {
  private let options: SplitOptions
  private let input: SplitInput
  private let outputs: OutputMaker
  private var output: SplitOutput?
  /// Whether the output that was made last takes more.
  private var isOpen = false
  /// Bytes of the part before.
  private var lastSize: Int64 = 0
  private var size: Int64 = 0
  /// Bytes that are left to read, where that is known.
  private var left: Int64?
  private let mayReserve = ProcessState.hasUnlimitedFiles

  init(_ options: SplitOptions, _ input: SplitInput, _ outputs: OutputMaker) {
    (self.options, self.input, self.outputs) = (options, input, outputs)
  }

  /// - Parameter rule: of chunks where that is asked for, of which none is left out.
  func run(_ rule: RecordRule) throws(SplitFailure) {
    defer { output?.trim() }
    left = input.knownSize
    if try copySideBySide(rule) { return }
    let isDone = options.filter == nil ? false : try moveToFilters(rule)
    if !isDone { try copy(rule) }
    try output?.close()
  }

  // MARK: - Parts

  /// Closes the output that is there, and makes the next one.
  private func begin(expecting size: Int64?) throws(SplitFailure) {
    try output?.close()
    output = nil
    let next = try outputs.next()
    (output, isOpen, lastSize, self.size) = (next, true, self.size, 0)
    let expected = min(size ?? lastSize, left ?? 0)
    if mayReserve, expected >= Self.worthReserving { next.reserve(expected) }
  }

  /// Bytes. Nobody has measured where it begins to pay.
  private static let worthReserving: Int64 = 1 << 20

  private func write(_ bytes: UnsafeRawBufferPointer) throws(SplitFailure) {
    try output?.write(bytes)
    size = size.addingReportingOverflow(Int64(bytes.count)).partialValue
    left = left.map { max(0, $0 - Int64(bytes.count)) }
  }

  private func makeEmpty() throws(SplitFailure) {
    if options.elidesEmpty { return }
    try begin(expecting: 0)
    isOpen = false
  }

  // MARK: - Reading and writing

  private func copy(_ rule: RecordRule) throws(SplitFailure) {
    var cutter = StreamCutter(rule, separator: options.separator)
    var held: [UInt8] = []
    input.readAhead()
    reading: while true {
      var rest = try input.next()
      if rest.isEmpty { break }
      while !rest.isEmpty {
        let expected = cutter.nominalSize
        let step = cutter.step(rest)
        if step.releases || step.written > 0, !isOpen { try begin(expecting: expected) }
        if step.releases { try release(&held) }
        try write(UnsafeRawBufferPointer(rebasing: rest[..<step.written]))
        rest = UnsafeRawBufferPointer(rebasing: rest[step.written...])
        held += rest.prefix(step.held)
        rest = UnsafeRawBufferPointer(rebasing: rest[step.held...])
        if step.ends { try end(&held, cutter.nominalSize) }
        // Nobody takes what is to come.
        if isOpen, cutter.missing == 1, output?.accepts == false { break reading }
      }
    }
    if !held.isEmpty {
      if !isOpen { try begin(expecting: nil) }
      try release(&held)
    }
    for _ in 0..<max(0, cutter.missing - (isOpen ? 1 : 0)) { try makeEmpty() }
  }

  private func release(_ held: inout [UInt8]) throws(SplitFailure) {
    defer { held.removeAll(keepingCapacity: true) }
    try held.withBytes { bytes throws(SplitFailure) in try write(bytes) }
  }

  private func end(_ held: inout [UInt8], _ expected: Int64?) throws(SplitFailure) {
    if !isOpen { try makeEmpty() }
    isOpen = false
    guard !held.isEmpty else { return }
    try begin(expecting: expected)
    try release(&held)
  }

  // MARK: - To filters

  /// Moves the parts of a file to filters without reading them, but for what is near a cut.
  ///
  /// - Returns: false where that cannot be done, and nothing was.
  private func moveToFilters(_ rule: RecordRule) throws(SplitFailure) -> Bool {
    // What is counted has to be read.
    if case .records = rule { return false }
    guard let range = range() else { return false }
    var cuts = cuts(rule, range)
    var position = range.lowerBound
    while true {
      guard let cut = try next(&cuts) else { return true }
      if cut == position {
        try makeEmpty()
      } else {
        try begin(expecting: 0)
        try move(cut - position)
        isOpen = false
      }
      position = cut
    }
  }

  /// Less is read as fast, at most once.
  private static let worthMoving: Int64 = 1 << 20

  /// The bytes of a file that is large enough to look for its cuts alone.
  private func range() -> Range<Int64>? {
    guard let size = left, let start = try? input.file.move(by: 0) else { return nil }
    let end = start.addingReportingOverflow(size)
    guard !end.overflow, size >= Self.worthMoving else { return nil }
    return start..<end.partialValue
  }

  private func cuts(_ rule: RecordRule, _ range: Range<Int64>) -> RecordCuts {
    let descriptor = input.file.rawValue
    let name = input.name
    let scanner = RecordScanner(separator: options.separator) {
      buffer,
      offset throws(SystemError) in
      try FileDescriptor.lending(descriptor, path: name) { file throws(SystemError) in
        try file.read(into: buffer, at: offset)
      }
    }
    return RecordCuts(rule, of: range, with: scanner)
  }

  // MARK: - Side by side

  /// Copies the parts of a large file with several workers, where what they leave is the same.
  ///
  /// - Returns: false where that cannot be done, and nothing was.
  private func copySideBySide(_ rule: RecordRule) throws(SplitFailure) -> Bool {
    guard options.filter == nil, !options.isVerbose, options.blockSize == nil, mayReserve,
      let range = range(), range.count64 >= Self.worthWorkers,
      try hasLargeParts(rule, range),
      // On a full disk the parts would end where they would not one after the other.
      let room = try? FileSystem.available(at: options.prefix.adding("x").directory),
      room - range.count64 > Self.worthWorkers, ProcessState.canStartThreads(4)
    else { return false }
    let work = SideBySide(
      cuts(rule, range),
      from: range.lowerBound,
      input: input,
      outputs,
      elides: options.elidesEmpty
    )
    try work.run()
    // Where others who have the file open find it.
    try? input.file.seek(to: range.upperBound)
    return true
  }

  /// Whether parts are worth a worker each: where records are counted, whether the first one is.
  private func hasLargeParts(
    _ rule: RecordRule,
    _ range: Range<Int64>
  ) throws(SplitFailure) -> Bool {
    if let size = StreamCutter(rule, separator: options.separator).nominalSize {
      return size >= Self.worthReserving
    }
    let end = min(range.upperBound, range.lowerBound + Self.worthReserving)
    var start = cuts(rule, range.lowerBound..<end)
    return try next(&start) == end
  }

  /// Bytes. Nobody has measured where it begins to pay.
  private static let worthWorkers: Int64 = 8 << 20

  private func next(_ cuts: inout RecordCuts) throws(SplitFailure) -> Int64? {
    do throws(SystemError) {
      return try cuts.next()
    } catch {
      throw .init(input.name, error.errno)
    }
  }

  /// Moves so many bytes to the filter that is open, or past it where it has stopped reading.
  private func move(_ count: Int64) throws(SplitFailure) {
    var left = count
    while left > 0, let output, output.accepts {
      let moved = try output.splice(from: input.file.rawValue, Int(min(left, Self.most)))
      guard let moved else {
        let bytes = try input.next(atMost: left)
        if bytes.isEmpty { return }
        try output.write(bytes)
        left -= Int64(bytes.count)
        continue
      }
      if moved == 0 { break }
      left -= Int64(moved)
    }
    if left > 0 { try input.skip(left) }
  }

  /// Bytes to move at a time: as many as a pipe holds.
  private static let most: Int64 = 1 << 20
}
