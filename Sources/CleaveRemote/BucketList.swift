internal import Cleave
internal import Posix

/// What a store lists of a bucket: the objects of a prefix, and uploads left open.
struct BucketList: Sendable {
  let client: HTTPClient
  let store: ObjectStore

  /// How many names begin with a prefix, at most so many.
  func count(
    _ bucket: String,
    _ prefix: FilePath,
    upTo most: Int,
    _ path: FilePath
  ) throws(SystemError) -> Int {
    let query = [
      ("list-type", "2"), ("max-keys", "\(most)"),
      ("prefix", String(decoding: prefix.bytes, as: UTF8.self)),
    ]
    let (answer, body) = try client.ask(path) { () throws(SystemError) in
      try store.request("GET", bucket, "", query: query)
    }
    guard answer.isSuccess else { throw store.explaining(answer.error("opendir", path, body)) }
    return Array(XML.elements("Contents", in: body)).count
  }

  /// The objects right below a prefix.
  func forEachObject(
    _ bucket: String,
    _ prefix: FilePath,
    for path: FilePath,
    _ body: (FilePath, RemoteFacts) -> Void
  ) throws(SystemError) {
    let query = [
      ("list-type", "2"), ("delimiter", "/"), ("encoding-type", "url"),
      ("prefix", String(decoding: prefix.bytes, as: UTF8.self)),
    ]
    var count = 0
    try pages("ListBucketResult", bucket, query, path) { page throws(SystemError) in
      guard XML.areClosed("Contents", in: page) else { throw Self.unclear(path) }
      let isURL = XML.value(of: "EncodingType", in: page) == "url"
      for object in XML.elements("Contents", in: page) {
        guard let key = XML.value(of: "Key", in: object), !key.isEmpty,
          let size = XML.value(of: "Size", in: object).flatMap({ Int64($0.trimmed) }), size >= 0
        else { throw Self.unclear(path) }
        let bytes = isURL ? HTMLIndex.unescaped(key, plusIsSpace: true) : Array(key.utf8)
        guard bytes.starts(with: prefix.bytes) else { throw Self.unclear(path) }
        let name = FilePath(bytes: bytes.dropFirst(prefix.bytes.count))
        if name.bytes.isEmpty || name.bytes.contains(UInt8(ascii: "/")) { continue }
        let tag = XML.value(of: "ETag", in: object).map { $0.hasPrefix("\"") ? $0 : "\"\($0)\"" }
        let time = XML.value(of: "LastModified", in: object)
        let modified = time.flatMap { ProcessState.nanoseconds(ofISODate: $0) } ?? 0
        count += 1
        guard count <= Self.mostNames else { throw Self.tooMany(path) }
        body(name, RemoteFacts(size: size, tag: tag, modified: modified))
      }
      guard let token = XML.value(of: "NextContinuationToken", in: page), !token.isEmpty else {
        return nil
      }
      return [("continuation-token", token)]
    }
  }

  /// All pages of a list.
  ///
  /// - Parameters:
  ///   - name: of the element that is all of a page.
  ///   - next: what asks for the page behind one; nil where it does not say.
  private func pages(
    _ name: String,
    _ bucket: String,
    _ query: [(String, String)],
    _ path: FilePath,
    next: ([UInt8]) throws(SystemError) -> [(String, String)]?
  ) throws(SystemError) {
    func fault(_ text: String) -> SystemError {
      SystemError("opendir", path, .ioError, detail: text)
    }
    var more: [(String, String)] = []
    var known: Set<[String]> = []
    for _ in 0..<Self.mostPages {
      let (answer, page) = try client.ask(path, upTo: Self.largestPage) { () throws(SystemError) in
        try store.request("GET", bucket, "", query: query + more)
      }
      guard answer.isSuccess else { throw store.explaining(answer.error("opendir", path, page)) }
      guard page.suffix(256).contains("</\(name)>".utf8) else {
        throw fault("the store's list is not whole")
      }
      more = try next(page) ?? []
      switch XML.value(of: "IsTruncated", in: page)?.trimmed.lowercased() ?? "" {
      case "false", "0": return
      case "" where more.isEmpty: return
      case "true", "1", "": break
      default: throw Self.unclear(path)
      }
      let isNew = known.insert(more.map(\.1)).inserted
      guard !more.isEmpty, isNew, more.allSatisfy({ !$0.1.isEmpty }) else {
        throw fault("the store's list does not say how it goes on")
      }
    }
    throw fault("the store's list has no end")
  }

  private static func unclear(_ path: FilePath) -> SystemError {
    SystemError("opendir", path, .ioError, detail: "the store's list is not understood")
  }

  /// Names of one list, which are all in memory.
  static let mostNames = 1 << 17

  static func tooMany(_ path: FilePath) -> SystemError {
    let text = "there are more than \(mostNames) names"
    return SystemError("opendir", path, .ioError, detail: text)
  }

  private static let largestPage = 16 << 20
  /// Of a thousand names each.
  private static let mostPages = 1000

  func unfinished(
    in directory: FilePath
  ) throws(SystemError) -> [UnfinishedObject] {
    guard case .object(let bucket, let key) = try RemoteAddress(directory, "opendir") else {
      throw SystemError("opendir", directory, .invalidArgument, detail: RemoteAddress.noBucket)
    }
    let below = key.bytes.isEmpty || key.endsInSlash ? key : key.adding("/")
    let root = FilePath("s3://\(bucket)/")
    let query = [
      ("uploads", ""), ("encoding-type", "url"),
      ("prefix", String(decoding: key.bytes, as: UTF8.self)),
    ]
    var found: [UnfinishedObject] = []
    try pages("ListMultipartUploadsResult", bucket, query, directory) { page throws(SystemError) in
      let isURL = XML.value(of: "EncodingType", in: page) == "url"
      for upload in XML.elements("Upload", in: page) {
        guard let name = XML.value(of: "Key", in: upload),
          let attempt = XML.value(of: "UploadId", in: upload), !attempt.isEmpty
        else { continue }
        let bytes = isURL ? HTMLIndex.unescaped(name, plusIsSpace: true) : Array(name.utf8)
        // A store that heeds no prefix shall not have others' uploads given up.
        guard bytes == key.bytes || bytes.starts(with: below.bytes) else { continue }
        guard found.count < Self.mostNames else { throw Self.tooMany(directory) }
        found.append(
          UnfinishedObject(path: root.appending(FilePath(bytes: bytes)), attempt: attempt)
        )
      }
      guard let key = XML.value(of: "NextKeyMarker", in: page) else { return nil }
      let attempt = XML.value(of: "NextUploadIdMarker", in: page)
      return [("key-marker", isURL ? Self.plain(key) : key)]
        + (attempt.map { [("upload-id-marker", $0)] } ?? [])
    }
    return found
  }

  private static func plain(_ text: String) -> String {
    String(decoding: HTMLIndex.unescaped(text, plusIsSpace: true), as: UTF8.self)
  }
}
