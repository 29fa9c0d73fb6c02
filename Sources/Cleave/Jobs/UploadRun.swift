import Dispatch
import Posix

/// Makes the destinations of a plan objects of a store: pieces side by side, each read once where it is sent and not
/// at all where the store copies it.
///
/// Nothing has its name before ``publish(_:_:)``.
final class UploadRun: Sendable {
  private let plan: TransferPlan
  private let options: JobOptions
  private let files: any RemoteFiles
  private let inputs: Inputs
  private let rooms: BufferPool
  private let canCopy: @Sendable (Int) -> Bool
  private let state: Locked<State>

  private struct State {
    var error: CleaveError?
    /// The destination whose pieces are being handed out.
    var destination = 0
    var pieces: UploadPieces
    var uploads: [Int: Upload] = [:]
    /// Destinations that are there already, as they were when they were found right.
    var present: [Int: SeenObject] = [:]
    var sums: [PieceSum] = []
    var sentBytes: Int64 = 0
    /// Whether the store has not told the sum of what it has copied.
    var lacksSums = false
  }

  /// One that is begun by whoever comes first.
  private final class Upload: Sendable {
    let begun = DispatchGroup()
    let object = Locked<(any RemoteUpload)?>(nil)
  }

  /// A destination that an earlier run has made.
  struct Present: Sendable {
    let object: SeenObject
    /// Of each of its extents.
    let sums: [Checksum]
  }

  /// The sum of the bytes of a piece that are of one extent.
  private struct PieceSum {
    let extent: Int
    /// Bytes from the extent's start.
    let offset: Int64
    let checksum: Checksum
  }

  /// Requests under way.
  static let connections = 16
  /// Bytes of pieces that are being sent.
  private static let window: Int64 = 20 << 20

  init(_ job: Job, _ files: any RemoteFiles) {
    (plan, options, self.files) = (job.plan, job.options, files)
    inputs = Inputs(plan.sources, dropsCache: options.output.dropsCache)
    let largest = plan.destinations.map(\.size).max() ?? 0
    let size = UploadPieces.size(ofObject: largest)
    rooms = BufferPool(
      count: Int(max(1, Self.window / size)),
      bufferSize: Int(min(size, max(1, largest))),
      idle: IdleBuffers()
    )
    let canCopy = job.plan.copies(files, job.copiesInStore)
    self.canCopy = canCopy
    state = Locked(State(pieces: UploadPieces(job.plan, 0, canCopy: canCopy)))
  }

  /// Whether any byte is copied by the store.
  var copies: Bool { plan.sources.indices.contains(where: canCopy) }

  /// Whether the sums of all bytes are known.
  var knowsSums: Bool { state.withLock { !$0.lacksSums } }

  var sentBytes: Int64 { state.withLock { $0.sentBytes } }

  // MARK: Sending

  /// Has all pieces made.
  ///
  /// - Parameter present: destinations that are there already.
  /// - Returns: the checksum of each extent, as far as it is known.
  func send(butFor present: [Int: Present] = [:]) throws(CleaveError) -> [Checksum] {
    state.withLock { state in
      state.present = present.mapValues(\.object)
      for (destination, known) in present {
        let first = plan.extents.partitioningIndex { $0.destination >= destination }
        state.sums += known.sums.enumerated().map {
          PieceSum(extent: first + $0, offset: 0, checksum: $1)
        }
      }
    }
    let group = DispatchGroup()
    for _ in 0..<Self.connections {
      // Each waits for the network, on a thread of its own.
      DispatchQueue(label: "cleave.upload").async(group: group) { [self] in
        while let (destination, piece) = nextPiece() {
          failing { () throws(CleaveError) in try make(piece, of: destination) }
        }
      }
    }
    group.wait()
    rooms.drain()
    if let error = state.withLock({ $0.error }) { throw error }
    return checksums
  }

  /// Ends it; the first error counts.
  func fail(_ error: CleaveError) { state.withLock { $0.error = $0.error ?? error } }

  private func failing(_ body: () throws(CleaveError) -> Void) {
    do throws(CleaveError) { try body() } catch { fail(error) }
  }

  private func nextPiece() -> (Int, UploadPieces.Piece)? {
    state.withLock { state in
      while state.error == nil, state.destination < plan.destinations.count {
        if state.present[state.destination] == nil, let piece = state.pieces.next() {
          return (state.destination, piece)
        }
        state.destination += 1
        if state.destination < plan.destinations.count {
          state.pieces = UploadPieces(plan, state.destination, canCopy: canCopy)
        }
      }
      return nil
    }
  }

  private func make(_ piece: UploadPieces.Piece, of destination: Int) throws(CleaveError) {
    if options.cancellation.isCancelled { throw .cancelled }
    let upload = try upload(destination)
    if let extent = piece.copied {
      try copy(piece, extent, upload)
    } else {
      try send(piece, of: destination, upload)
    }
    options.progress.didCopy(piece.range.count)
  }

  /// The upload of a destination, which the first to ask begins.
  private func upload(_ destination: Int) throws(CleaveError) -> any RemoteUpload {
    let (upload, isMine) = state.withLock { state -> (Upload, Bool) in
      if let known = state.uploads[destination] { return (known, false) }
      let upload = Upload()
      upload.begun.enter()
      state.uploads[destination] = upload
      return (upload, true)
    }
    if isMine {
      defer { upload.begun.leave() }
      do throws(CleaveError) {
        let object = try creating { () throws(SystemError) in
          try files.create(plan.destinations[destination].path)
        }
        upload.object.withLock { $0 = object }
        return object
      } catch {
        // Before those who wait ask for it.
        fail(error)
        throw error
      }
    }
    upload.begun.wait()
    guard let object = upload.object.withLock({ $0 }) else {
      // Why, whoever was first has told.
      throw state.withLock { $0.error } ?? .cancelled
    }
    return object
  }

  private func copy(
    _ piece: UploadPieces.Piece,
    _ index: Int,
    _ upload: any RemoteUpload
  ) throws(CleaveError) {
    let extent = plan.extents[index]
    guard case .file(let source, let start) = extent.source else { return }
    let input = try inputs.acquire(source)
    let offset = piece.range.lowerBound - extent.offset
    let range = (start + offset)..<(start + offset + Int64(piece.range.count))
    let result = Result { () throws(CleaveError) in
      guard let file = input.descriptor.remoteFile else { throw CleaveError.changed(input.path) }
      do throws(SystemError) {
        return try upload.copy(range, of: file, as: piece.number)
      } catch {
        throw error.path == input.path ? .reading(error) : .writing(error)
      }
    }
    try inputs.release(source)
    let crc32 = try result.get()
    state.withLock { state in
      state.lacksSums = state.lacksSums || crc32 == nil
      let sum = Checksum(count: Int64(piece.range.count), crc32: crc32 ?? 0, adler32: 1)
      state.sums.append(PieceSum(extent: index, offset: offset, checksum: sum))
    }
  }

  private func send(
    _ piece: UploadPieces.Piece,
    of destination: Int,
    _ upload: any RemoteUpload
  ) throws(CleaveError) {
    let room = rooms.take()
    defer { rooms.give(UInt(bitPattern: room.baseAddress)) }
    let bytes = UnsafeMutableRawBufferPointer(rebasing: room[..<piece.range.count])
    let sums = try read(piece.range, of: destination, into: bytes)
    let all = sums.reduce(into: Checksum.empty) { $0.append($1.checksum) }
    try creating { () throws(SystemError) in
      try upload.send(UnsafeRawBufferPointer(bytes), crc32: all.crc32, as: piece.number)
    }
    state.withLock { state in
      state.sums += sums
      state.sentBytes += Int64(bytes.count)
    }
  }

  // MARK: Reading

  /// Reads bytes of a destination, with their sums by extents.
  private func read(
    _ range: Range<Int64>,
    of destination: Int,
    into bytes: UnsafeMutableRawBufferPointer
  ) throws(CleaveError) -> [PieceSum] {
    var sums: [PieceSum] = []
    var position = range.lowerBound
    var index = plan.extents.partitioningIndex {
      ($0.destination, $0.end) > (destination, position)
    }
    while position < range.upperBound {
      let extent = plan.extents[index]
      let offset = position - extent.offset
      let count = Int(min(extent.end, range.upperBound) - position)
      let start = Int(position - range.lowerBound)
      let room = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + count)])
      try read(extent, offset, into: room)
      var sum = Checksum.empty
      sum.update(UnsafeRawBufferPointer(room), options.kinds.union(.crc32))
      sums.append(PieceSum(extent: index, offset: offset, checksum: sum))
      (position, index) = (position + Int64(count), index + 1)
    }
    return sums
  }

  private func read(
    _ extent: Extent,
    _ offset: Int64,
    into room: UnsafeMutableRawBufferPointer
  ) throws(CleaveError) {
    guard case .file(let source, let start) = extent.source else {
      let bytes = try extent.source.bytes() ?? []
      return room.copyBytes(from: bytes[Int(offset)..<(Int(offset) + room.count)])
    }
    let input = try inputs.acquire(source)
    let range = (start + offset)..<(start + offset + Int64(room.count))
    input.willRead(range)
    let result = Result { () throws(CleaveError) in
      try input.read(into: room, at: range.lowerBound)
    }
    try inputs.release(source)
    try result.get()
  }

  /// The checksums of the extents of a destination, which is read and not sent.
  func checksums(of destination: Int) throws(CleaveError) -> [Checksum] {
    let room = rooms.take()
    defer { rooms.give(UInt(bitPattern: room.baseAddress)) }
    let first = plan.extents.partitioningIndex { $0.destination >= destination }
    var sums: [Checksum] = []
    let end = plan.destinations[destination].size
    for start in stride(from: 0, to: end, by: room.count) {
      if options.cancellation.isCancelled { throw .cancelled }
      let range = start..<min(end, start + Int64(room.count))
      let bytes = UnsafeMutableRawBufferPointer(rebasing: room[..<range.count])
      for sum in try read(range, of: destination, into: bytes) {
        let place = sum.extent - first
        while sums.count <= place { sums.append(.empty) }
        sums[place].append(sum.checksum)
      }
      options.progress.didCopy(range.count)
    }
    return sums
  }

  /// Of each extent.
  private var checksums: [Checksum] {
    let sums = state.withLock { state in
      defer { state.sums = [] }
      return state.sums
    }
    var result = [Checksum](repeating: .empty, count: plan.extents.count)
    for sum in sums.sorted(by: { ($0.extent, $0.offset) < ($1.extent, $1.offset) }) {
      result[sum.extent].append(sum.checksum)
    }
    return result
  }

  // MARK: Publishing

  /// Gives a destination its name.
  ///
  /// - Parameters:
  ///   - crc32: nil where it is not known.
  ///   - goesOn: whether the same bytes may be there already.
  ///   - made: gets what was made.
  /// - Returns: whether the store has compared the sum.
  func publish(
    _ destination: Int,
    _ crc32: UInt32?,
    goesOn: Bool,
    _ made: inout MadeObjects
  ) throws(CleaveError) -> Bool {
    let file = plan.destinations[destination]
    let replaces = options.output.replacesExisting
    do throws(SystemError) {
      guard let upload = state.withLock({ $0.uploads[destination] })?.object.withLock({ $0 }) else {
        if let seen = state.withLock({ $0.present[destination] }) {
          let found = try files.look(at: file.path)
          guard let found, found.isSame(as: seen) else {
            let text = "was right when this run began, and was changed by another program since"
            throw SystemError("stat", file.path, .stale, detail: text)
          }
          // What was there may have been read, and not be known to the store.
          return file.size > 0 && crc32 != nil && found.crc32 == crc32
        }
        // There are no objects of no pieces.
        let object = try files.write([], to: file.path, replacing: replaces)
        made.note(file.path, object)
        return object.isProved
      }
      let object = try upload.complete(size: file.size, crc32: crc32, replacing: replaces)
      made.note(file.path, object)
      state.withLock { $0.uploads[destination] = nil }
      return object.isProved
    } catch  where goesOn && error.errno == .exists && isThere(file, crc32) {
      // What was copied for nothing is not kept.
      state.withLock { $0.uploads.removeValue(forKey: destination) }?.object.withLock { $0 }?
        .abort()
      return true
    } catch {
      throw error.errno == .exists ? .creating(error) : .writing(error)
    }
  }

  /// Whether the store has the same bytes under a name, by its own sum.
  func isThere(_ file: DestinationFile, _ crc32: UInt32?) -> Bool {
    guard let found = try? files.look(at: file.path), found.status.size == file.size else {
      return false
    }
    if file.size == 0 { return true }
    return crc32 != nil && found.crc32 == crc32
  }

  /// Gives up what has no name yet.
  ///
  /// - Returns: whether nothing of it is left.
  func abort() -> Bool {
    let uploads = state.withLock { state in
      defer { state.uploads = [:] }
      return state.uploads.values.compactMap { $0.object.withLock { $0 } }
    }
    return abortAll(uploads)
  }
}

/// Gives up several at a time, since each may have to be waited for.
///
/// - Returns: whether nothing of them is left.
func abortAll(_ uploads: [any RemoteUpload]) -> Bool {
  let next = Locked(uploads)
  let isGone = Locked(true)
  DispatchQueue.concurrentPerform(iterations: min(uploads.count, UploadRun.connections)) { _ in
    while let upload = next.withLock({ $0.popLast() }) {
      if !upload.abort() { isGone.withLock { $0 = false } }
    }
  }
  return isGone.withLock { $0 }
}

extension CleaveError {
  /// The same, with what tells of what a store still has of objects that could not be made.
  ///
  /// - Parameter place: the object, or the directory of several.
  func leavingUploads(at place: FilePath) -> CleaveError {
    adding("; the store still has what was sent: '\(Leftovers.cleaning(place))' tells more")
  }
}

/// Making or writing an object.
func creating<R>(_ body: () throws(SystemError) -> R) throws(CleaveError) -> R {
  do throws(SystemError) { return try body() } catch {
    throw error.errno == .exists ? .creating(error) : .writing(error)
  }
}

extension TransferPlan {
  /// Whether the store of the destinations has the source of an index, too.
  fileprivate func copies(
    _ files: any RemoteFiles,
    _ copies: Bool
  ) -> @Sendable (Int) -> Bool {
    guard copies, let destination = destinations.first?.path else { return { _ in false } }
    let paths = sources.paths
    return { files.areTogether(paths[$0], destination) }
  }
}
