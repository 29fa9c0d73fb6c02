internal import Cleave
internal import Posix

/// Deals the records of the input out to a number of outputs, one to each in turn.
final class RoundRobin {
  /// What has become of an output.
  private enum Place {
    case open(SplitOutput)
    /// Closed for want of descriptors, to be appended to.
    case closed(FilePath)
  }

  /// What GNU `split` has in memory for each, from the start.
  private static let bytesOfOutput: Int64 = 32

  private let options: SplitOptions
  private let input: SplitInput
  private let outputs: OutputMaker
  private let count: Int64
  /// In their order; those that are missing have had no record yet.
  private var places: [Place] = []
  private let dealer: RecordDealer

  init(_ count: Int64, _ options: SplitOptions, _ input: SplitInput, _ outputs: OutputMaker) {
    (self.count, self.options, self.input, self.outputs) = (count, options, input, outputs)
    dealer = RecordDealer(count, separator: options.separator)
  }

  func run() throws(SplitFailure) {
    guard outputs.hasNames(for: count) else { throw .init("output file suffixes exhausted") }
    let most = (Host.memoryBytes ?? .max) / Self.bytesOfOutput
    guard count <= most else { throw .init("memory exhausted") }
    do throws(SplitFailure) {
      try dealAll()
      try finish()
    } catch {
      // What was dealt stays.
      for index in places.indices { try? flush(index) }
      throw error
    }
  }

  private func dealAll() throws(SplitFailure) {
    input.readAhead()
    while true {
      let bytes = try input.next()
      if bytes.isEmpty { return }
      try dealer.deal(
        bytes,
        begin: { () throws(SplitFailure) in self.places.append(.open(try self.make())) },
        write: write
      )
      if options.isUnbuffered { for index in places.indices { try flush(index) } }
      if dealer.hasWrapped, options.filter != nil, !isAnyoneReading { return }
    }
  }

  /// Whether a filter still takes what is written.
  private var isAnyoneReading: Bool {
    places.contains { place in
      if case .open(let output) = place { output.accepts } else { false }
    }
  }

  private func flush(_ index: Int) throws(SplitFailure) {
    try dealer.flush(index, write: write)
  }

  private func write(_ bytes: UnsafeRawBufferPointer, _ index: Int) throws(SplitFailure) {
    switch places[index] {
    case .open(let output): try output.write(bytes)
    case .closed(let name):
      let output = try reopen(name)
      places[index] = .open(output)
      try output.write(bytes)
    }
  }

  // MARK: - Outputs

  private func make() throws(SplitFailure) -> SplitOutput {
    let name = try outputs.name()
    return try whileShort(name) { try self.outputs.make(name) }
  }

  /// Without waiting for the reader of a pipe, who may have gone when it was closed.
  private func reopen(_ name: FilePath) throws(SplitFailure) -> SplitOutput {
    try whileShort(name) {
      SplitOutput(name, file: try .open(name, [.writeOnly, .append, .nonBlocking]))
    }
  }

  /// Closes other outputs until there are descriptors enough.
  private func whileShort(
    _ name: FilePath,
    _ open: () throws -> SplitOutput
  ) throws(SplitFailure) -> SplitOutput {
    while true {
      do {
        return try open()
      } catch let error as SystemError {
        let isShort = [.tooManyOpenFiles, .tooManyOpenFilesInSystem].contains(error.errno)
        guard isShort, try closeOne() else { throw SplitFailure(name, error.errno) }
      } catch {
        throw error as? SplitFailure ?? SplitFailure(name, .ioError)
      }
    }
  }

  /// - Returns: false where all are closed.
  private func closeOne() throws(SplitFailure) -> Bool {
    for step in 1...max(1, places.count) where !places.isEmpty {
      let index = (dealer.current + places.count - step) % places.count
      guard case .open(let output) = places[index] else { continue }
      try flush(index)
      try output.close()
      places[index] = .closed(output.name)
      return true
    }
    return false
  }

  /// Closes all, and makes those that had no record.
  private func finish() throws(SplitFailure) {
    for index in places.indices {
      try flush(index)
      guard case .open(let output) = places[index] else { continue }
      try output.close()
      places[index] = .closed(output.name)
    }
    if options.elidesEmpty { return }
    for _ in 0..<(count - Int64(places.count)) { try make().close() }
  }
}
