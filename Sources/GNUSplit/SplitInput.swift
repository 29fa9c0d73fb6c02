internal import Posix

/// The file or stream to be split, from its position on.
final class SplitInput {
  let name: FilePath
  let status: FileStatus
  private(set) var file: FileDescriptor
  private let block: Int
  private let buffer: UnsafeMutableRawBufferPointer
  /// What was read to find out the size, and not been given yet.
  private var prefetched: [UInt8] = []
  private var ahead: ReadAhead?
  /// Bytes to come at most.
  private var limit = Int64.max

  /// What fits the second level of the cache, and is no power of two: large folios, of such, cost more to make.
  private static let block = 252 << 10

  init(_ options: SplitOptions, closed: Set<CInt>) throws(SplitFailure) {
    name = options.input
    block = Int(min(options.blockSize ?? .max, Int64(Self.block)))
    if name == "-", closed.contains(0) { throw .init(name, .badDescriptor) }
    do throws(SystemError) {
      file = try name == "-" ? .duplicate(of: 0, path: name) : .open(name, .readOnly)
    } catch {
      throw .init("cannot open ", Quoting.always(name), " for reading: \(error.errno)")
    }
    do throws(SystemError) {
      status = try file.status()
    } catch {
      throw .init(name, error.errno)
    }
    buffer = .allocate(byteCount: block, alignment: 4096)
  }

  deinit { buffer.deallocate() }

  // MARK: - Size

  /// The number of bytes to come. What cannot tell is read into a temporary file first.
  func measure() throws(SplitFailure) -> Int64 {
    do throws(SystemError) {
      return try measured()
    } catch {
      throw .init("", Quoting.name(name), ": cannot determine file size: \(error.errno)")
    }
  }

  private func measured() throws(SystemError) -> Int64 {
    var start: [UInt8] = []
    while start.count < block {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(block - start.count)])
      let count = try readSome(room)
      start += UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if count == 0 {
        prefetched = start
        return Int64(start.count)
      }
    }
    if let rest = bytesBehind(start.count) {
      _ = try file.move(by: Int64(-start.count))
      return rest.addingReportingOverflow(Int64(start.count)).partialValue
    }
    return try spool(start)
  }

  /// The bytes behind the position, where the file tells them; `start` of them have been read.
  private func bytesBehind(_ start: Int) -> Int64? {
    if status.kind == .regular, status.size < start { return nil }
    guard let position = try? file.move(by: 0), position >= start,
      let end = try? file.move(by: 0, fromEnd: true), (try? file.seek(to: position)) != nil
    else { return nil }
    return max(0, end - position)
  }

  private func spool(_ start: [UInt8]) throws(SystemError) -> Int64 {
    let variable = ProcessState.variable("TMPDIR")
    let isDirectory = variable.map { (try? FileStatus.of($0))?.kind == .directory } ?? false
    let directory = isDirectory ? variable ?? "/tmp" : "/tmp"
    let copy = try FileDescriptor.temporary(directory.appending("cutmp"))
    try copy.write(all: start)
    var size = Int64(start.count)
    while true {
      let count = try readSome(buffer)
      if count == 0 { break }
      try copy.write(all: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      size = size.addingReportingOverflow(Int64(count)).partialValue
    }
    try copy.seek(to: 0)
    file = copy
    return size
  }

  /// Bytes that a regular file has from its position on; nil for anything else, and for files that say
  /// that they are empty, which those of `/proc` do.
  var knownSize: Int64? {
    guard status.kind == .regular, status.size > 0, prefetched.isEmpty,
      let position = try? file.move(by: 0), let size = try? file.status().size
    else { return nil }
    return size - position
  }

  // MARK: - Reading

  /// Makes the end come after so many more bytes.
  func limit(to count: Int64) { limit = count }

  /// Leaves bytes out.
  func skip(_ count: Int64) throws(SplitFailure) {
    let known = min(Int64(prefetched.count), count)
    prefetched.removeFirst(Int(known))
    guard count > known else { return }
    do throws(SystemError) {
      _ = try file.move(by: count - known)
    } catch {
      throw .init(name, error.errno)
    }
  }

  /// Has another thread read ahead, if the rest is large enough.
  func readAhead() {
    guard block == Self.block, let size = knownSize, size >= Int64(8 * block),
      ProcessState.canStartThreads(2)
    else { return }
    ahead = ReadAhead(file.rawValue, name, block: block)
  }

  /// The next bytes, which are there until the next call; none at the end.
  func next() throws(SplitFailure) -> UnsafeRawBufferPointer {
    let piece = try nextPiece()
    let count = Int(min(Int64(piece.count), limit))
    limit -= Int64(count)
    return UnsafeRawBufferPointer(rebasing: piece[..<count])
  }

  /// The next bytes, but no more than so many.
  func next(atMost count: Int64) throws(SplitFailure) -> UnsafeRawBufferPointer {
    do throws(SystemError) {
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(Int64(block), count))])
      return UnsafeRawBufferPointer(rebasing: piece[..<(try readSome(piece))])
    } catch {
      throw .init(name, error.errno)
    }
  }

  private func nextPiece() throws(SplitFailure) -> UnsafeRawBufferPointer {
    if limit == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    if !prefetched.isEmpty {
      // It is all that there is, or was.
      let count = min(prefetched.count, block)
      prefetched.withUnsafeBytes { buffer.copyBytes(from: $0.prefix(count)) }
      prefetched.removeFirst(count)
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
    do throws(SystemError) {
      if let ahead { return try ahead.next() }
      return UnsafeRawBufferPointer(rebasing: buffer[..<(try readSome(buffer))])
    } catch {
      throw .init(name, error.errno)
    }
  }

  /// Reads some bytes, waiting for them; 0 at the end.
  private func readSome(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      do throws(SystemError) {
        return try file.read(into: buffer)
      } catch  where error.errno == .again {
        _ = try Readiness.wait(for: .reading, file.rawValue, path: name, milliseconds: 1000)
      }
    }
  }
}
