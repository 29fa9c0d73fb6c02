internal import Posix

extension ManifestCheck {
  /// What came of all files: those that could not be read, the others in their order, and what they
  /// make.
  ///
  /// There may be more than a million, so that what was found of a file takes a few bytes; its outcome
  /// is made where it is asked for.
  package struct Outcomes: Sequence, Sendable {
    private let check: ManifestCheck
    /// By file: 0 where it was read, otherwise its place among the faults, from 1.
    private var faults = FaultTable()
    private var readings: ReadingTable
    /// Whether files that are not listed differ by that.
    private var requiresListing = false
    /// About what the files make, or about single files.
    private var others: [Outcome] = []
    /// What is wrong with a file as the whole, by its path.
    private var problems: [FilePath: String] = [:]

    init(_ check: ManifestCheck, _ kinds: Checksum.Kinds) {
      self.check = check
      readings = ReadingTable(kinds)
    }

    /// What came of one comparison.
    init(_ check: ManifestCheck, only outcome: Outcome) {
      self.init(check, [])
      others = [outcome]
    }

    package func makeIterator() -> some IteratorProtocol<Outcome> {
      var places = readings.count > 0 ? check.files.indices.makeIterator() : (0..<0).makeIterator()
      var position = 0
      let unread = faults.count > 0 ? check.files.indices : 0..<0
      let first = unread.lazy.compactMap { index in
        faults.error(at: index, of: check.files[index]).map { error in
          Outcome(path: check.files[index], result: .unreadable(error))
        }
      }
      var unreadable = first.makeIterator()
      var last = others.makeIterator()
      return AnyIterator {
        if let outcome = unreadable.next() { return outcome }
        while let index = places.next() {
          if faults.isFault(at: index) { continue }
          position += 1
          return outcome(of: check.files[index], readings[position - 1])
        }
        return last.next()
      }
    }
  }
}

// MARK: - Taking

extension ManifestCheck.Outcomes {
  /// Takes what was found of the next file.
  mutating func append(_ result: Result<VerifyJob.Reading, CleaveError>, of path: FilePath) {
    switch result {
    case .success(let reading):
      faults.append(nil, of: path)
      readings.append(reading)
    case .failure(let error): faults.append(error, of: path)
    }
  }

  /// Compares what was read, when all has been taken.
  mutating func finish() {
    // What is missing has been told by then.
    if readings.count == 0 { return }
    if check.kind == .whole {
      others = zip(readable, readings).map { check.outcome(ofWhole: $0, $1) }
      readings = ReadingTable([])
      return
    }
    let manifest = check.manifest
    let listsParts = readable.contains { manifest.expected(of: $0) != nil }
    requiresListing = listsParts && manifest.listsAllParts
    if !listsParts, manifest.whole(of: check.base) == nil {
      add("names none of the parts", of: manifest.path)
    }
    guard let whole else { return }
    let found = Manifest.Found(checksum: whole, kinds: [.crc32, .adler32], digests: [])
    let problem = manifest.whole(of: check.base)?.difference(from: found)?.text
    // The whole is named only where no part is.
    guard let problem, problems.isEmpty, others.isEmpty,
      !zip(readable, readings).contains(where: isDifferent)
    else { return }
    add(problem, of: check.base)
  }

  private var readable: some Sequence<FilePath> {
    check.files.indices.lazy.filter { !faults.isFault(at: $0) }.map { check.files[$0] }
  }

  private mutating func add(_ problem: String, of path: FilePath) {
    if check.files.contains(path) {
      problems[path] = problem
    } else {
      others.append(.init(path: path, result: .different(problem), isFile: false))
    }
  }

  /// What the parts make; nil where that is not to be compared.
  private var whole: Checksum? {
    let (manifest, base) = (check.manifest, check.base)
    guard faults.isEmpty, !check.isPiece, !check.hasMore, manifest.listsAllParts,
      // It is compared by itself.
      !check.wholes.contains(where: { $0.base == base }),
      // These parts are not just put together.
      !manifest.isOfSplitZip(base), manifest.isPlain
    else { return nil }
    // Other files may be listed with the parts; the whole is made of the parts alone.
    let parts = manifest.parts(of: base)
    if parts.isEmpty { return nil }
    var sums: [(name: FilePath, sum: Checksum)] = []
    for (path, reading) in zip(readable, readings)
    where parts.contains(named: path.lastComponent) {
      sums.append((path.lastComponent, reading.checksum))
    }
    if sums.isEmpty { return nil }
    // Lists are sorted by names, in which 10 is in front of 2, or not at all; split's own has the parts in their order.
    if let form = PartName.reading(of: sums[0].name, for: base.lastComponent) {
      let digits = sums.compactMap { form.digits(of: $0.name, folding: true) }
      if digits.count == sums.count {
        let rule = Numbering.of(digits, width: digits.map(\.width).min() ?? 1)
        let places = digits.map { rule.place(of: $0.number) ?? $0.number }
        sums = zip(places, sums).sorted { $0.0 < $1.0 }.map(\.1)
      } else if !manifest.isOfOneSplit {
        return nil
      }
    }
    return sums.reduce(into: Checksum.empty) { $0.append($1.sum) }
  }
}

// MARK: - Comparing

extension ManifestCheck.Outcomes {
  private func compared(
    _ path: FilePath,
    _ reading: VerifyJob.Reading
  ) -> (item: Manifest.Comparison.Item, difference: Manifest.Difference?) {
    let found = Manifest.Found(
      checksum: reading.checksum,
      kinds: [.crc32, .adler32],
      digests: reading.digests
    )
    return check.manifest.compare(part: path, found, requiresListing: requiresListing)
  }

  private func isDifferent(_ path: FilePath, _ reading: VerifyJob.Reading) -> Bool {
    compared(path, reading).difference != nil
  }

  private func outcome(
    of path: FilePath,
    _ reading: VerifyJob.Reading
  ) -> ManifestCheck.Outcome {
    let (item, difference) = compared(path, reading)
    let result: ManifestCheck.Result =
      if path == check.unlisted {
        .notListed
      } else if let problem = difference?.text ?? problems[path] {
        .different(problem)
      } else {
        item.isCompared ? .same : .withoutSum
      }
    return .init(path: path, reading: reading, result: result)
  }
}

// MARK: - Tables

/// Why files could not be read: most for the same reason.
private struct FaultTable: Sendable {
  /// An error but for the file that it is about.
  private enum Fault: Hashable, Sendable {
    case system(call: String, offset: Int64?, Errno)
    case text(CleaveError.Kind, Sentence)
    case other(CleaveError)

    init(_ error: CleaveError, of path: FilePath) {
      let system = error.system.map { Fault.system(call: $0.call, offset: $0.offset, $0.errno) }
      let text = Fault.text(error.kind, error.text)
      let found = [system, text].lazy.compactMap { $0 }.first { $0.error(of: path) == error }
      self = found ?? .other(error)
    }

    func error(of path: FilePath) -> CleaveError {
      switch self {
      case .system(let call, let offset, let errno):
        .reading(SystemError(call, path, at: offset, errno))
      case .text(let kind, let text): CleaveError(kind, path, text)
      case .other(let error): error
      }
    }
  }

  private var kinds: [Fault] = []
  private var indices: [Fault: UInt32] = [:]
  /// By file; empty as long as there is none.
  private var places: [UInt32] = []
  private var files = 0
  /// How many files could not be read.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ error: CleaveError?, of path: FilePath) {
    files += 1
    guard let error else {
      if !places.isEmpty { places.append(0) }
      return
    }
    if places.isEmpty { places = [UInt32](repeating: 0, count: files - 1) }
    count += 1
    let fault = Fault(error, of: path)
    // bounded: no more than files in memory
    let index = indices[fault] ?? UInt32(kinds.count)
    if Int(index) == kinds.count {
      kinds.append(fault)
      indices[fault] = index
    }
    places.append(index + 1)
  }

  func isFault(at index: Int) -> Bool { !places.isEmpty && places[index] > 0 }

  func error(at index: Int, of path: @autoclosure () -> FilePath) -> CleaveError? {
    isFault(at: index) ? kinds[Int(places[index]) - 1].error(of: path()) : nil
  }
}

/// What was found of files: 16 bytes each, and their digests.
private struct ReadingTable: RandomAccessCollection, Sendable {
  private let kinds: Checksum.Kinds
  private var checksums: [Checksum] = []
  /// Of every file, in this order.
  private var digestKinds: [Digest.Kind] = []
  private var digests: [UInt8] = []
  /// Of the few files that have blocks which differ.
  private var wrong: [Int: [Range<Int64>]] = [:]

  init(_ kinds: Checksum.Kinds) { self.kinds = kinds }

  var startIndex: Int { 0 }
  var endIndex: Int { checksums.count }

  mutating func append(_ reading: VerifyJob.Reading) {
    if checksums.isEmpty { digestKinds = reading.digests.map(\.kind) }
    if !reading.wrong.isEmpty { wrong[checksums.count] = reading.wrong }
    checksums.append(reading.checksum)
    for digest in reading.digests { digests += digest.bytes }
  }

  subscript(index: Int) -> VerifyJob.Reading {
    var reading = VerifyJob.Reading(checksum: checksums[index], kinds: kinds)
    // bounded: so many are in memory
    var start = index * digestKinds.reduce(0) { $0 + $1.count }
    reading.digests = digestKinds.compactMap { kind in
      defer { start += kind.count }
      return Digest(kind, bytes: Array(digests[start..<(start + kind.count)]))
    }
    reading.wrong = wrong[index] ?? []
    return reading
  }
}
