package import Cleave
package import Posix

/// Files of other machines by their addresses: `https://…`, `http://…` and `s3://…`.
package final class AddressedFiles: RemoteFiles {
  private let client: HTTPClient
  private let store: ObjectStore
  /// The addresses that were given, beside which others are looked for.
  private let operands: [FilePath]
  private let state = Locked(State())

  private struct State {
    /// What was looked at last, by its path.
    var facts: [FilePath: Known<RemoteFacts?>] = [:]
    var names: [FilePath: Known<PathList>] = [:]
  }

  private struct Known<Value: Sendable> {
    let value: Value
    let end = ContinuousClock.now + AddressedFiles.validity

    var isFresh: Bool { ContinuousClock.now < end }
  }

  /// What is decided about files is decided from one look at them; those who wait look again.
  private static let validity = Duration.seconds(5)

  /// Reads the settings of object stores.
  ///
  /// - Parameters:
  ///   - operands: what the command line names.
  ///   - isCancelled: is asked several times a second.
  /// - Throws: `.missingInput` where libcurl cannot be loaded.
  package init(
    operands: [FilePath],
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(CleaveError) {
    guard HTTPClient.isAvailable else {
      throw CleaveError(
        .missingInput,
        "reading addresses needs libcurl, which cannot be loaded here"
      )
    }
    var patience = HTTPConnection.Patience()
    if let seconds = Self.number("CLEAVE_REMOTE_TIMEOUT", upTo: 3600) {
      (patience.connecting, patience.idle) = (seconds * 1000, seconds * 1000)
    }
    let tries = Self.number("CLEAVE_REMOTE_TRIES", upTo: 100) ?? 6
    client = HTTPClient(patience, tries: tries, isCancelled: isCancelled)
    self.operands = operands
    store = ObjectStore(ProcessState.environment) { path in
      guard let file = try? FileDescriptor.open(path, [.readOnly, .nonBlocking]),
        let size = try? file.status().size, size < 1 << 20
      else { return nil }
      return try? file.read(Int(size), at: 0)
    }
  }

  private static func number(_ name: String, upTo most: Int) -> Int? {
    let number = ProcessState.environment(name).flatMap { Int($0) }
    return number.flatMap { (1...most).contains($0) ? $0 : nil }
  }

  // MARK: RemoteFiles

  package func status(of path: FilePath) throws(SystemError) -> FileStatus {
    let address = try RemoteAddress(path, "stat")
    if isDirectory(path, address) { return RemoteFacts.directory(path) }
    if let facts = try facts(of: path, address) { return facts.status(of: path) }
    let isThere =
      switch address {
      case .http: try leadsToDirectory(path)
      case .object(let bucket, let key): try list(bucket, key.adding("/"), upTo: 1, path) > 0
      }
    if isThere { return RemoteFacts.directory(path) }
    throw SystemError("stat", path, .notFound)
  }

  package func names(in directory: FilePath) throws(SystemError) -> PathList {
    if let known = state.withLock({ $0.names[directory] }), known.isFresh { return known.value }
    var names = PathList()
    switch try RemoteAddress(directory, "opendir") {
    case .http:
      if let found = try index(of: directory) {
        for name in found { names.append(name) }
      } else {
        for name in try neighbours(in: directory) { names.append(name) }
      }
    case .object(let bucket, let key):
      let prefix = key.bytes.isEmpty || key.endsInSlash ? key : key.adding("/")
      try list(bucket, prefix, for: directory) { name, facts in
        names.append(name)
        remember(facts, directory.appending(name))
      }
    }
    names.willBeSearched()
    let found = Known(value: names)
    state.withLock { $0.names[directory] = found }
    return names
  }

  package func open(_ path: FilePath) throws(SystemError) -> any RemoteFile {
    let address = try RemoteAddress(path, "open")
    guard let facts = try facts(of: path, address) else {
      throw SystemError("open", path, .notFound)
    }
    let store = store
    return RemoteObject(path, facts, client) { headers throws(SystemError) in
      try Self.request(address, path, store, headers: headers)
    }
  }

  // MARK: What is there

  private func isDirectory(_ path: FilePath, _ address: RemoteAddress) -> Bool {
    if path.endsInSlash { return true }
    switch address {
    case .object(_, let key): return key.bytes.isEmpty
    case .http:
      return !path.bytes.dropFirst(8).contains(UInt8(ascii: "/"))
        || operands.contains { $0.directory == path }
    }
  }

  /// - Returns: nil where there is nothing.
  private func facts(
    of path: FilePath,
    _ address: RemoteAddress
  ) throws(SystemError) -> RemoteFacts? {
    if let known = state.withLock({ $0.facts[path] }), known.isFresh { return known.value }
    // Behind a query there are no other names.
    if case .http = address, path.bytes.contains(UInt8(ascii: "?")), !isGiven(path) { return nil }
    var found: RemoteFacts?
    var (answer, body) = try ask(path, address, "HEAD")
    if [405, 501].contains(answer.status) {
      // A range of one byte tells the size of the whole.
      (answer, body) = try ask(path, address, "GET", headers: [("range", "bytes=0-0")], upTo: 1024)
    }
    if answer.isSuccess {
      // A directory, which servers lead to by a slash at its end.
      if case .http = address, answer.url.hasSuffix("/") { return nil }
      found = answer.status == 206 ? RemoteFacts(partial: answer) : RemoteFacts(answer)
      if found == nil {
        let text =
          "the server does not tell its size: fetch it, and give it to standard input with -"
        throw SystemError("stat", path, .notSupported, detail: text)
      }
    } else if ![404, 410].contains(answer.status) {
      throw answer.error("stat", path, body)
    }
    remember(found, path)
    return found
  }

  private func isGiven(_ path: FilePath) -> Bool { operands.contains(path) }

  private func leadsToDirectory(_ path: FilePath) throws(SystemError) -> Bool {
    let path = path.adding("/")
    let (answer, _) = try ask(path, .http(path), "GET", upTo: 1)
    return answer.isSuccess && Self.isPage(answer)
  }

  private static func isPage(_ answer: HTTPAnswer) -> Bool {
    answer.headers["content-type"]?.hasPrefix("text/html") == true
  }

  private func remember(_ facts: RemoteFacts?, _ path: FilePath) {
    state.withLock { $0.facts[path] = Known(value: facts) }
  }

  private func ask(
    _ path: FilePath,
    _ address: RemoteAddress,
    _ method: String,
    headers: [(String, String)] = [],
    upTo limit: Int = 1 << 16
  ) throws(SystemError) -> (answer: HTTPAnswer, body: [UInt8]) {
    try client.ask(path, upTo: limit) { () throws(SystemError) in
      try Self.request(address, path, store, method, headers: headers)
    }
  }

  private static func request(
    _ address: RemoteAddress,
    _ path: FilePath,
    _ store: ObjectStore,
    _ method: String = "GET",
    headers: [(String, String)] = []
  ) throws(SystemError) -> HTTPRequest {
    switch address {
    case .http:
      var request = HTTPRequest(url: path.url)
      request.method = method
      request.headers = headers.map { "\($0.0): \($0.1)" }
      return request
    case .object(let bucket, let key):
      return try store.request(method, bucket, key, headers: headers)
    }
  }

  // MARK: Names

  /// The names that a server's page of a directory leads to; nil where there is none.
  private func index(of directory: FilePath) throws(SystemError) -> [FilePath]? {
    let path = directory.endsInSlash ? directory : directory.adding("/")
    let (answer, body) = try ask(path, .http(path), "GET", upTo: Self.largestIndex)
    guard answer.isSuccess, Self.isPage(answer) else { return nil }
    let names = HTMLIndex.names(in: body, of: path)
    // A page that is about something else.
    let given = operands.filter { $0.directory == directory || $0.directory == path }
    let isAbout = given.isEmpty || given.contains { names.contains($0.lastComponent) }
    return names.isEmpty || !isAbout ? nil : names
  }

  private static let largestIndex = 16 << 20
  /// So many parts may be missing one after the other, and those behind them are found.
  private static let mostMisses = 16

  /// Where nobody lists a directory: the parts before and behind those that were given, and the sums that may
  /// be beside them.
  private func neighbours(in directory: FilePath) throws(SystemError) -> [FilePath] {
    var names = PathSet()
    var found: [FilePath] = []
    let isThere = { (name: FilePath) throws(SystemError) -> Bool in
      let path = directory.appending(name)
      guard try self.facts(of: path, .http(path)) != nil else { return false }
      if names.insert(name) { found.append(name) }
      return true
    }
    for operand in operands where operand.directory == directory {
      let name = operand.lastComponent
      guard try isThere(name) else { continue }
      // Some servers have a page for every name.
      let nonsense = name.adding(".cleave-none")
      if try facts(of: directory.appending(nonsense), .http(directory.appending(nonsense))) != nil {
        continue
      }
      for series in PartName.probes(of: name) {
        var count = 0
        for sequence in [series.behind, series.before] {
          var misses = 0
          for other in sequence where misses < Self.mostMisses {
            misses = try isThere(other) ? 0 : misses + 1
            if misses == 0 { count += 1 }
          }
        }
        if count > 0 { break }
      }
      for sums in Manifest.likelyNames(beside: name) { _ = try isThere(sums) }
    }
    return found
  }

  // MARK: Listing a bucket

  /// How many names begin with a prefix, at most so many.
  private func list(
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
    guard answer.isSuccess else { throw answer.error("opendir", path, body) }
    return Array(XML.elements("Contents", in: body)).count
  }

  /// The objects right below a prefix.
  private func list(
    _ bucket: String,
    _ prefix: FilePath,
    for path: FilePath,
    _ body: (FilePath, RemoteFacts) -> Void
  ) throws(SystemError) {
    var token: String?
    repeat {
      var query = [
        ("list-type", "2"), ("delimiter", "/"), ("encoding-type", "url"),
        ("prefix", String(decoding: prefix.bytes, as: UTF8.self)),
      ]
      if let token { query.append(("continuation-token", token)) }
      let (answer, page) = try client.ask(path, upTo: Self.largestPage) { () throws(SystemError) in
        try store.request("GET", bucket, "", query: query)
      }
      guard answer.isSuccess else { throw answer.error("opendir", path, page) }
      let isURL = XML.value(of: "EncodingType", in: page) == "url"
      for object in XML.elements("Contents", in: page) {
        guard let key = XML.value(of: "Key", in: object),
          let size = XML.value(of: "Size", in: object).flatMap({ Int64($0) }), size >= 0
        else { continue }
        let bytes = isURL ? HTMLIndex.unescaped(key, plusIsSpace: true) : Array(key.utf8)
        let name = FilePath(bytes: bytes.dropFirst(prefix.bytes.count))
        if name.bytes.isEmpty || name.bytes.contains(UInt8(ascii: "/")) { continue }
        body(name, RemoteFacts(size: size, tag: XML.value(of: "ETag", in: object)))
      }
      let isCut = XML.value(of: "IsTruncated", in: page) == "true"
      token = isCut ? XML.value(of: "NextContinuationToken", in: page) : nil
    } while token != nil
  }

  private static let largestPage = 16 << 20
}

extension RemoteFacts {
  /// Of the answer to a question for a range.
  fileprivate init?(partial answer: HTTPAnswer) {
    guard let text = answer.headers["content-range"],
      let cut = text.utf8.lastIndex(of: UInt8(ascii: "/")),
      let size = Int64(text[text.index(after: cut)...]), size >= 0
    else { return nil }
    self.init(size: size, tag: answer.headers["etag"] ?? answer.headers["last-modified"])
  }
}
