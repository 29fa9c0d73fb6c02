import Dispatch
import Posix

/// Cuts standard input to objects of a store: each piece is sent while the next ones are read, and nothing goes
/// through a file.
final class StreamedUpload {
  private let split: Split

  init(_ split: Split) { self.split = split }

  func run() throws(CleaveError) -> Outcome {
    guard let files = FileSystem.remote(for: split.prefix) else {
      throw CleaveError(.missingInput, "there is nobody who writes to addresses")
    }
    let request = split.digestRequest
    var sink = UploadSink(
      split,
      files,
      passing: request.isEmpty ? nil : try PassingDigests(request)
    )
    do throws(CleaveError) {
      var report = JobReport(engine: nil, bytes: 0)
      report.sentBytes = 0
      try feed(&sink, &report)
      try sink.drain()
      (report.destinations, report.digests) = (sink.sums, try sink.passing?.finish() ?? Digests())
      report.bytes = sink.sums.reduce(0) { $0 + $1.count }
      report.sentBytes = report.bytes
      let judgement = try SplitJudge(split: split).judge(report)
      if split.work.cancellation.isCancelled { throw .cancelled }
      var made = MadeObjects(files, split.work.cancellation)
      let paths = try sink.publish(&made)
      if split.work.verification == .readback {
        for (path, sum) in zip(paths, report.destinations) {
          let found = try made.sums(of: path, [0..<sum.count])
          guard found.map(\.crc32) == [sum.crc32], found[0].count == sum.count else {
            throw made.wrong(path)
          }
        }
      }
      for sidecar in judgement.sidecars {
        try creating { () throws(SystemError) in
          let replaces = split.replaceable.replacesExisting
          _ = try files.write(sidecar.bytes, to: sidecar.path, replacing: replaces)
        }
      }
      let all = paths + judgement.sidecars.map(\.path)
      return Outcome(report: report, verdict: judgement.verdict, paths: all)
    } catch {
      let isGone = sink.abort()
      let error: CleaveError = split.work.cancellation.isCancelled ? .cancelled : error
      throw isGone ? error : error.leavingUploads(at: split.prefix.directory)
    }
  }

  /// Bytes that are read at a time.
  private static let reading = 256 << 10

  private func feed(_ sink: inout UploadSink, _ report: inout JobReport) throws(CleaveError) {
    let input = try StreamInput.standard()
    let cancellation = split.work.cancellation
    let stops = StreamInput.Stops(isCancelled: { cancellation.isCancelled })
    switch split.streamCuts {
    case .records(var stream):
      try stream.cut(input, reading: Self.reading, stops, into: &sink)
      report.header = Checksum(of: stream.header.bytes[...], split.kinds)
    case .sizes(let size):
      repeat {
        guard var left = size(sink.count) else {
          throw CleaveError(.badData, "standard input is longer than the list of sizes")
        }
        try sink.begin(upTo: left)
        while left > 0 {
          let bytes = try input.nextBytes(Int(min(left, Int64(Self.reading))), stops)
          if bytes.isEmpty { break }
          try sink.write(bytes[...])
          left -= Int64(bytes.count)
        }
        try sink.endPart()
      } while try !input.isAtEnd(stops)
    }
  }
}

/// The objects that the parts of a stream become.
private struct UploadSink: PartSink {
  private let split: Split
  private let files: any RemoteFiles
  let passing: PassingDigests?
  private(set) var sums: [Checksum] = []
  private var parts: [Part] = []
  private var open: Part?
  private var sum = Checksum.empty
  /// Pieces of the largest parts have most bytes.
  private var rooms: BufferPool
  private var room: UnsafeMutableRawBufferPointer?
  private var filled = 0
  private let sending = Sending()

  private struct Part {
    let path: FilePath
    let upload: any RemoteUpload
    var pieces = 0
  }

  /// What is under way.
  private final class Sending: Sendable {
    let group = DispatchGroup()
    let error = Locked<CleaveError?>(nil)
  }

  /// Bytes of pieces that are being sent or filled.
  private static let window: Int64 = 20 << 20

  init(_ split: Split, _ files: any RemoteFiles, passing: PassingDigests?) {
    (self.split, self.files, self.passing) = (split, files, passing)
    // Of parts that end where records do, nobody knows how large they will be.
    let most = split.cuts.largestPart ?? 0
    let size = UploadPieces.size(ofObject: min(most, UploadLimits.largestObject))
    rooms = BufferPool(
      count: Int(max(2, Self.window / size)),
      bufferSize: Int(size),
      idle: IdleBuffers()
    )
  }

  var hasPart: Bool { open != nil }
  var count: Int { sums.count }
  var hasFailed: Bool { false }

  /// - Parameter size: bytes that the part has at most.
  mutating func begin(upTo size: Int64) throws(CleaveError) {
    let path = try Split.path(ofStreamed: count, split.streamedName)
    try OutputCheck.check(path, split.replaceable, inputs: [])
    let files = files
    let upload = try creating { () throws(SystemError) in try files.create(path) }
    open = Part(path: path, upload: upload)
    sum = .empty
  }

  mutating func write(_ bytes: ArraySlice<UInt8>) throws(CleaveError) {
    if open == nil { try begin(upTo: .max) }
    bytes.withUnsafeBytes { passing?.update($0) }
    var rest = bytes
    while !rest.isEmpty {
      let room = room ?? rooms.take()
      self.room = room
      let count = min(rest.count, room.count - filled)
      UnsafeMutableRawBufferPointer(rebasing: room[filled...]).copyBytes(from: rest.prefix(count))
      (filled, rest) = (filled + count, rest.dropFirst(count))
      if filled == room.count { try send() }
    }
    split.work.progress.add(bytes.count)
  }

  mutating func `repeat`(_ header: [UInt8]) throws(CleaveError) {
    passing?.repeats(true)
    try write(header[...])
    passing?.repeats(false)
  }

  mutating func endPart() throws(CleaveError) {
    guard open != nil else { return }
    if filled > 0 { try send() }
    if let open { parts.append(open) }
    open = nil
    sums.append(sum)
    try passing?.endPart()
  }

  /// Has what was gathered sent, by somebody else.
  private mutating func send() throws(CleaveError) {
    guard let full = room, var part = open else { return }
    part.pieces += 1
    open = part
    if let error = sending.error.withLock({ $0 }) { throw error }
    guard part.pieces <= UploadLimits.mostPieces else {
      throw CleaveError(
        .badData,
        part.path,
        "a store takes at most \(UploadLimits.mostPieces) pieces of \(full.count) bytes in an object"
      )
    }
    var sum = Checksum.empty
    sum.update(UnsafeRawBufferPointer(rebasing: full[..<filled]), split.kinds.union(.crc32))
    self.sum.append(sum)
    let (address, count) = (UInt(bitPattern: full.baseAddress), filled)
    (room, filled) = (nil, 0)
    let (rooms, sending, upload, number, crc32) = (
      rooms, sending, part.upload, part.pieces, sum.crc32
    )
    DispatchQueue(label: "cleave.upload").async(group: sending.group) {
      let bytes = UnsafeRawBufferPointer(
        start: UnsafeRawPointer(bitPattern: address),
        count: count
      )
      do throws(CleaveError) {
        try creating { () throws(SystemError) in
          try upload.send(bytes, crc32: crc32, as: number)
        }
      } catch {
        sending.error.withLock { $0 = $0 ?? error }
      }
      rooms.give(address)
    }
  }

  /// Waits for what is being sent.
  func drain() throws(CleaveError) {
    sending.group.wait()
    if let error = sending.error.withLock({ $0 }) { throw error }
  }

  /// Gives all parts their names.
  ///
  /// - Returns: those.
  mutating func publish(_ made: inout MadeObjects) throws(CleaveError) -> [FilePath] {
    let paths = parts.map(\.path)
    let (files, replaces) = (files, split.replaceable.replacesExisting)
    while let part = parts.first {
      let sum = sums[sums.count - parts.count]
      try creating { () throws(SystemError) in
        // There are no objects of no pieces.
        if part.pieces == 0 { part.upload.abort() }
        let object =
          part.pieces == 0
          ? try files.write([], to: part.path, replacing: replaces)
          : try part.upload.complete(size: sum.count, crc32: sum.crc32, replacing: replaces)
        made.note(part.path, object)
      }
      parts.removeFirst()
    }
    return paths
  }

  /// Gives up what has no name.
  ///
  /// - Returns: whether nothing of it is left.
  mutating func abort() -> Bool {
    sending.group.wait()
    if let room { rooms.give(UInt(bitPattern: room.baseAddress)) }
    return abortAll((parts + [open].compactMap { $0 }).map(\.upload))
  }
}

extension CutList {
  /// Bytes of the largest part of a stream; nil where that is not known.
  fileprivate var largestPart: Int64? {
    switch self {
    case .every(let size), .recordBytes(let size): size
    case .list(let sizes, let rest): rest ? nil : sizes.max()
    case .count, .records, .recordChunks, .dealt: nil
    }
  }
}
