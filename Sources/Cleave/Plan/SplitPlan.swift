/// Where to cut a file.
public enum CutList: Hashable, Sendable {
  /// Parts of so many bytes, the last one shorter; at least 1.
  case every(Int64)
  /// So many parts of equal size, but for a byte; at least 1.
  case count(Int)
  /// Parts of these sizes in bytes, each at least 1, and one more for what is left over if `rest`.
  case list([Int64], rest: Bool)
  /// Parts of so many records, such as lines, at least 1.
  case records(Int64)
  /// As many whole records as fit into so many bytes, at least 1; a longer record is cut.
  case recordBytes(Int64)
  /// So many parts of about equal size, at least 1, each with the whole of the records that begin in it.
  case recordChunks(Int)
  /// Records dealt out in turn among so many parts, at least 1: the first part has the first record, the second
  /// one the second, and so on.
  case dealt(Int)

  /// More parts than this are refused: no file system likes them, and a slip of the finger in a
  /// size should not fill one with names.
  public static let mostParts: Int64 = 1_000_000

  /// The sizes of the parts of a file of `total` bytes; one empty part for an empty file.
  ///
  /// - Throws: a ``CutError`` where the list does not fit, the parts are too many, or only the bytes
  ///   tell where records end.
  public func sizes(of total: Int64) throws(CutError) -> [Int64] {
    guard isSound else { throw .notPositive }
    return switch self {
    case .every(let size): try Self.equal(size, total)
    case .count(let count): try Self.divided(total, by: Int64(count))
    case .list(let sizes, let rest): try Self.listed(sizes, rest: rest, total)
    case .records, .recordBytes, .recordChunks, .dealt: throw .dependsOnRecords
    }
  }

  /// Whether every size and number is at least 1.
  var isSound: Bool {
    switch self {
    case .every(let size), .recordBytes(let size): size > 0
    case .records(let count): count > 0
    case .count(let count), .recordChunks(let count), .dealt(let count): count > 0
    case .list(let sizes, _): sizes.allSatisfy { $0 > 0 }
    }
  }

  private static func equal(_ size: Int64, _ total: Int64) throws(CutError) -> [Int64] {
    let (full, rest) = total.quotientAndRemainder(dividingBy: size)
    // bounded: with a rest, at most half the total
    let count = rest > 0 ? full + 1 : full
    guard count <= mostParts else { throw CutError.tooManyParts(count) }
    let sizes = [Int64](repeating: size, count: Int(full))
    return rest > 0 || full == 0 ? sizes + [rest] : sizes
  }

  private static func divided(_ total: Int64, by count: Int64) throws(CutError) -> [Int64] {
    guard count <= mostParts else { throw CutError.tooManyParts(count) }
    let (size, longer) = total.quotientAndRemainder(dividingBy: count)
    // bounded: the sum of the sizes is the total
    return (0..<count).map { $0 < longer ? size + 1 : size }
  }

  private static func listed(
    _ sizes: [Int64],
    rest: Bool,
    _ total: Int64
  ) throws(CutError) -> [Int64] {
    var left = total
    var result: [Int64] = []
    for size in sizes where left > 0 {
      result.append(min(size, left))
      left -= min(size, left)
    }
    if left > 0 {
      guard rest else { throw CutError.listTooShort(missing: left) }
      result.append(left)
    }
    return result.isEmpty ? [0] : result
  }
}

/// Why a file cannot be cut as asked.
public enum CutError: Error, Hashable, Sendable {
  /// A size, or the number of parts, is less than 1.
  case notPositive
  case tooManyParts(Int64)
  /// Where records end has to be read.
  case dependsOnRecords
  /// The sizes end before the file does, by so many bytes.
  case listTooShort(missing: Int64)
}

extension TransferPlan {
  /// Cuts one source into parts of the sizes given, which together are the source's.
  ///
  /// - Parameter source: all of it is cut.
  /// - Parameter parts: in the order of their bytes.
  /// - Parameter block: bytes, at least 1; each part then consists of extents of so many, and one of what is left,
  ///   so that the report has the checksum of each block.
  /// - Parameter header: bytes at the start of the source with which all parts but the first begin, too.
  public static func split(
    _ source: SourceFile,
    into parts: [DestinationFile],
    block: Int64? = nil,
    header: Int64 = 0
  ) throws(PlanError) -> TransferPlan {
    var extents: [Extent] = []
    var position: Int64 = 0
    let block = max(1, block ?? .max)
    for (index, part) in parts.enumerated() {
      var offset: Int64 = 0
      // bounded: the position is in the source, or at its end
      guard header >= 0, part.size >= 0,
        part.size - (index > 0 ? min(header, part.size) : 0) <= source.status.size - position
      else { throw PlanError.wrongSize(part) }
      if index > 0, header > 0 {
        let source = Extent.Source.file(0, offset: 0)
        extents.append(Extent(source: source, length: header, destination: index, offset: 0))
        offset = header
      }
      repeat {
        let length = min(block, part.size - offset)
        let extent = Extent(
          source: .file(0, offset: position),
          length: length,
          destination: index,
          offset: offset
        )
        extents.append(extent)
        let sum = position.addingReportingOverflow(length)
        guard !sum.overflow else { throw PlanError.outOfRange(extent) }
        position = sum.partialValue
        // bounded: at most the size of the part
        offset += length
      } while offset < part.size
    }
    var plan = try TransferPlan(sources: [source], destinations: parts, extents: extents)
    plan.header = header
    return plan
  }
}

extension CutError {
  /// What is wrong with the sizes, as a sentence.
  package var explanation: Sentence {
    switch self {
    case .tooManyParts(let count):
      "that would make \(count) parts; \(CutList.mostParts) are the most"
    case .dependsOnRecords: "only the bytes tell where records end"
    case .notPositive: "the sizes and the number of parts must be more than 0"
    case .listTooShort(let missing):
      "the sizes leave \(missing) bytes over; end the list with \(Setting.rest)"
    }
  }
}
