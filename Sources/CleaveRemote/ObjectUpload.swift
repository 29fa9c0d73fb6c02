import Cleave
import Posix

/// An object of a store that is made of pieces: CreateMultipartUpload, UploadPart, UploadPartCopy,
/// CompleteMultipartUpload and AbortMultipartUpload of the Amazon S3 API.
final class ObjectUpload: RemoteUpload {
  private let path: FilePath
  private let place: ObjectPlace
  /// What the store calls the attempt.
  private let attempt: String
  /// The tag of each piece, by its number.
  private let tags = Locked<[Int: String]>([:])
  private let didComplete: @Sendable () -> Void

  init(
    _ path: FilePath,
    _ place: ObjectPlace,
    didComplete: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let (answer, body) = try place.ask("POST", query: [("uploads", "")], headers: Self.sums)
    guard answer.isSuccess else { throw answer.error("create", path, body) }
    guard let attempt = XML.value(of: "UploadId", in: body), !attempt.isEmpty else {
      throw SystemError("create", path, .ioError, detail: "the store begins no upload")
    }
    (self.path, self.place, self.attempt) = (path, place, attempt)
    self.didComplete = didComplete
  }

  /// Has the store sum all of the object, and not each piece.
  private static let sums = [
    ("x-amz-checksum-algorithm", "CRC32"), ("x-amz-checksum-type", "FULL_OBJECT"),
  ]

  private func query(_ number: Int) -> [(String, String)] {
    [("partNumber", "\(number)"), ("uploadId", attempt)]
  }

  func send(
    _ bytes: UnsafeRawBufferPointer,
    crc32: UInt32,
    as number: Int
  ) throws(SystemError) {
    let sum = crc32.base64
    let (answer, body) = try place.ask(
      "PUT",
      query: query(number),
      headers: [("x-amz-checksum-crc32", sum)],
      body: bytes
    )
    guard answer.isSuccess else { throw answer.error("write", path, body) }
    guard let tag = answer.headers["etag"], !tag.isEmpty else {
      throw SystemError("write", path, .ioError, detail: "the store tells no tag of what it has")
    }
    if let other = answer.headers["x-amz-checksum-crc32"], other != sum {
      throw SystemError("write", path, .ioError, detail: "the store has other bytes than were sent")
    }
    tags.withLock { $0[number] = tag }
  }

  func copy(
    _ range: Range<Int64>,
    of other: any RemoteFile,
    as number: Int
  ) throws(SystemError) -> UInt32? {
    guard let object = other as? RemoteObject, let source = object.place else {
      throw SystemError("copy", path, .notSupported)
    }
    let key = source.key.percentEncoded(keeping: "/")
    var headers = [("x-amz-copy-source", "/\(source.bucket)/\(key)")]
    if let tag = object.tag {
      headers.append(("x-amz-copy-source-if-match", tag))
    } else if let time = object.time {
      headers.append(("x-amz-copy-source-if-unmodified-since", time))
    }
    // Also of all of it: it may be another by now.
    if other.status.size > UploadLimits.leastPiece {
      let text = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
      headers.append(("x-amz-copy-source-range", text))
    }
    let (answer, body) = try place.ask(
      "PUT",
      query: query(number),
      headers: headers,
      isLong: true
    )
    guard answer.isSuccess else {
      if answer.status == 412 { throw object.changed }
      let error = answer.error("copy", path, body)
      // A name that is not there any more is the source's.
      throw error.errno == .notFound ? answer.error("copy", object.path, body) : error
    }
    // The headers come before the store knows whether it can.
    guard let tag = XML.value(of: "ETag", in: body), !tag.isEmpty else {
      throw answer.error("copy", path, body)
    }
    // There are stores that do not heed conditions.
    guard try object.isUnchanged() else { throw object.changed }
    tags.withLock { $0[number] = tag }
    return XML.value(of: "ChecksumCRC32", in: body).flatMap { UInt32(base64: $0) }
  }

  func complete(
    size: Int64,
    crc32: UInt32?,
    replacing: Bool
  ) throws(SystemError) -> MadeObject {
    let tags = tags.withLock { $0.sorted { $0.key < $1.key } }
    var text = "<CompleteMultipartUpload>"
    for (number, tag) in tags {
      text += "<Part><PartNumber>\(number)</PartNumber><ETag>\(XML.escaped(tag))</ETag></Part>"
    }
    text += "</CompleteMultipartUpload>"
    let sum = crc32.map { [("x-amz-checksum-crc32", $0.base64), Self.sums[1]] } ?? []
    let naming = NamedWrite(path, place, replacing: replacing)
    let expected = Self.tag(ofPieces: tags.map(\.value))
    let told = try naming.ask("POST", [("uploadId", attempt)], sum, Array(text.utf8)) {
      () throws(SystemError) in
      // Who asked before may have been heard, and the answer lost.
      let (found, told) = try self.place.look()
      guard let found, found.size == size else { return false }
      if let crc32, let told { return told == crc32 }
      return expected != nil && found.plainTag == expected
    }
    didComplete()
    return try place.made(size: size, crc32: crc32, told, tag: expected)
  }

  /// The tag of an object whose pieces' tags are their MD5 sums, as it is with most stores; nil of others.
  private static func tag(ofPieces tags: [String]) -> String? {
    guard let digest = try? RunningDigest(.md5) else { return nil }
    for tag in tags {
      guard let sum = Digest(.md5, digits: RemoteFacts.plain(tag).utf8) else { return nil }
      sum.bytes.withUnsafeBytes { digest.update($0) }
    }
    return (try? digest.finish()).map { "\($0.text)-\(tags.count)" }
  }

  func abort() -> Bool {
    guard let (answer, _) = try? place.lasting.ask("DELETE", query: [("uploadId", attempt)]) else {
      return false
    }
    return answer.isSuccess || answer.status == 404
  }
}

extension ObjectPlace {
  /// What has the name, and the CRC-32 that the store tells of all of it; nil where there is nothing.
  func look() throws(SystemError) -> (RemoteFacts?, crc32: UInt32?) {
    let (answer, _) = try ask("HEAD", headers: [("x-amz-checksum-mode", "ENABLED")])
    if answer.status == 404 { return (nil, nil) }
    guard answer.isSuccess else { throw answer.error("stat", path) }
    return (RemoteFacts(answer), Self.crc32(answer))
  }

  /// The object that was just given its name, which is looked at once.
  ///
  /// - Parameters:
  ///   - told: the answer to what gave it the name; nil where it was lost.
  ///   - tag: what it should have, where that is known.
  /// - Throws: where the store does not have what was given to it. What is this run's is removed again.
  func made(
    size: Int64,
    crc32: UInt32?,
    _ told: NamedWrite.Answer?,
    tag: String? = nil
  ) throws(SystemError) -> MadeObject {
    let (found, sumToAsker) = try look()
    guard let found else { throw fault("the store does not have what it tells it has made") }
    let answered = told.map { RemoteFacts.plain($0.tag) } ?? ""
    let tag = answered.isEmpty ? tag : answered
    if !answered.isEmpty, answered != found.plainTag {
      throw SystemError("complete", path, .stale, detail: "was replaced by another program")
    }
    // What is told of what was made, and of what is there.
    let sums = [told?.crc32, sumToAsker].compactMap { $0 }
    let wrong: String
    if found.size != size {
      wrong = "has \(found.size) bytes in the store, not \(size)"
    } else if let crc32, sums.contains(where: { $0 != crc32 }) {
      wrong = "the store's sum of it is another"
    } else {
      let isProved = crc32 != nil && !sums.isEmpty
      return MadeObject(inode: found.status(of: path).identity.inode, isProved: isProved)
    }
    if tag != nil, tag == found.plainTag {
      _ = try ask("DELETE", headers: found.strongTag.map { [("if-match", $0)] } ?? [])
      throw fault("\(wrong); it is removed again")
    }
    throw fault(wrong)
  }

  private func fault(_ text: String) -> SystemError {
    SystemError("complete", path, .ioError, detail: text)
  }
}

/// A request that gives an object its name, of which the answer may get lost.
struct NamedWrite {
  /// What a store says when it has given a name.
  struct Answer {
    let tag: String
    /// The sum of all of it, where the store tells one.
    let crc32: UInt32?

    fileprivate init(_ answer: HTTPAnswer, _ body: [UInt8]) {
      tag = answer.headers["etag"] ?? XML.value(of: "ETag", in: body) ?? ""
      // A sum of the sums of the pieces, with their number behind it, says nothing of the whole.
      crc32 = XML.value(of: "ChecksumCRC32", in: body).flatMap { UInt32(base64: $0) }
    }
  }

  private static let mostConflicts = 3

  private let path: FilePath
  private let place: ObjectPlace
  private let replaces: Bool

  init(_ path: FilePath, _ place: ObjectPlace, replacing: Bool) {
    (self.path, self.place, replaces) = (path, place, replacing)
  }

  /// - Parameter isMade: whether an earlier try has made it.
  /// - Returns: nil where only an earlier try had an answer.
  /// - Throws: `EEXIST` where there is one that is not to be replaced.
  func ask(
    _ method: String,
    _ query: [(String, String)],
    _ headers: [(String, String)],
    _ body: [UInt8],
    isMade: () throws(SystemError) -> Bool
  ) throws(SystemError) -> Answer? {
    // There are stores that do not heed conditions: others may make it until here, and not behind it.
    if !replaces, try place.ask("HEAD").answer.isSuccess { throw exists }
    var condition = replaces ? [] : [("if-none-match", "*")]
    var conflicts = 0
    while true {
      var count = 0
      let (answer, text) = try body.withBytes { body throws(SystemError) in
        try place.ask(
          method,
          query: query,
          headers: headers + condition,
          body: body,
          isLong: true
        ) {
          count += 1
        }
      }
      switch answer.status {
      case 200...299 where XML.value(of: "Code", in: text) == nil:
        let told = Answer(answer, text)
        // Not each 200 comes from a store.
        if !told.tag.isEmpty { return told }
        if try isMade() { return told }
        throw SystemError(
          "complete",
          path,
          .ioError,
          detail: "the store does not tell that it has it"
        )
      case 501 where !condition.isEmpty:
        // There are stores without conditions: what is there is looked at once more.
        if try place.ask("HEAD").answer.isSuccess { throw exists }
        condition = []
      case 404 where count > 1, 409 where count > 1, 412 where count > 1, 501 where count > 1:
        if try isMade() { return nil }
        throw answer.status == 412 ? exists : answer.error("complete", path, text)
      case 412 where method == "PUT" && !condition.isEmpty:
        // The library that asks may have asked twice.
        if try isMade() { return nil }
        throw exists
      case 412 where !condition.isEmpty: throw exists
      case 409 where !condition.isEmpty:
        if try place.ask("HEAD").answer.isSuccess { throw exists }
        // Somebody else was about to give the name, and did not.
        guard conflicts < Self.mostConflicts,
          XML.value(of: "Code", in: text) == "ConditionalRequestConflict"
        else { throw answer.error("complete", path, text) }
        conflicts += 1
      case 200...299 where XML.value(of: "Code", in: text) == "PreconditionFailed": throw exists
      case 400 where XML.value(of: "Code", in: text) == "BadDigest":
        throw SystemError("complete", path, .ioError, detail: "the store's sum of it is another")
      default: throw answer.error("complete", path, text)
      }
    }
  }

  private var exists: SystemError { SystemError("complete", path, .exists) }
}

/// An object, and how to ask about it.
struct ObjectPlace: Sendable {
  let path: FilePath
  let bucket: String
  let key: FilePath
  let store: ObjectStore
  var client: HTTPClient
  /// Asks also when everything else was cancelled.
  let farewell: HTTPClient

  var lasting: ObjectPlace {
    var place = self
    place.client = farewell
    return place
  }

  /// - Parameters:
  ///   - isLong: whether the store has much to do before it answers.
  ///   - trying: is called before each try.
  func ask(
    _ method: String,
    query: [(String, String)] = [],
    headers: [(String, String)] = [],
    body: UnsafeRawBufferPointer? = nil,
    isLong: Bool = false,
    upTo limit: Int = 1 << 20,
    trying: () -> Void = {}
  ) throws(SystemError) -> (answer: HTTPAnswer, body: [UInt8]) {
    try client.ask(path, upTo: limit) { () throws(SystemError) in
      trying()
      var request = try store.request(
        method,
        bucket,
        key,
        query: query,
        headers: headers,
        body: body
      )
      request.isLong = isLong
      return request
    }
  }

  static func crc32(_ answer: HTTPAnswer) -> UInt32? {
    if answer.headers["x-amz-checksum-type"] == "COMPOSITE" { return nil }
    return answer.headers["x-amz-checksum-crc32"].flatMap { UInt32(base64: $0) }
  }
}
