package import Cleave
package import Posix

/// Files of other machines by their addresses: `https://…`, `http://…` and `s3://…`.
package final class AddressedFiles: RemoteFiles {
  let client: HTTPClient
  /// Asks also when everything else was cancelled.
  let farewell: HTTPClient
  let store: ObjectStore
  /// The addresses that were given, beside which others are looked for.
  private let operands: [FilePath]
  /// How they are asked for, by their paths.
  private let typed: [FilePath: String]
  private let state = Locked(State())

  private struct State {
    /// What was looked at last, by its path.
    var facts: [FilePath: Known<RemoteFacts?>] = [:]
    var names: [FilePath: Known<PathList>] = [:]
    /// Directories whose server forbids what is not there.
    var hiding: Set<FilePath> = []
    /// What those who typed addresses, and pages, have escaped in paths and might have written as it is.
    var escapes: Set<UInt8> = []
    /// What the pages of directories lead to.
    var shown: Set<FilePath> = []
    /// Those whose server says of what is there that it is not, where it is asked by HEAD.
    var headless: Set<FilePath> = []
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
  ///   - operands: what the command line names, as it was typed.
  ///   - isCancelled: is asked several times a second.
  /// - Throws: `.missingInput` where libcurl cannot be loaded, `.contradiction` for an operand without a host or
  ///   bucket and for a setting that is no number.
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
    for operand in operands {
      do throws(SystemError) {
        if case .http = try RemoteAddress(operand, ""), operand.bytes.contains(UInt8(ascii: "#")) {
          throw SystemError(
            "",
            operand,
            .invalidArgument,
            detail: "has a # in it, which is %23 in an address"
          )
        }
      } catch {
        throw CleaveError(.contradiction, error.path, Sentence(error.detail ?? ""))
      }
    }
    var patience = HTTPConnection.Patience()
    if let seconds = try Self.number("CLEAVE_REMOTE_TIMEOUT", upTo: 3600) {
      (patience.connecting, patience.idle) = (seconds * 1000, seconds * 1000)
    }
    let tries = try Self.number("CLEAVE_REMOTE_TRIES", upTo: 100) ?? 6
    client = HTTPClient(patience, tries: tries, isCancelled: isCancelled)
    // Nobody who has pressed Ctrl-C waits longer.
    let short = HTTPConnection.Patience(connecting: 3000, idle: 5000)
    farewell = HTTPClient(short, tries: 2)
    self.operands = operands.map(\.unescapingAddress)
    let ofWeb = operands.filter { !$0.isObject }
    typed = Dictionary(ofWeb.map { ($0.unescapingAddress, $0.typedURL) }) { first, _ in first }
    let escapes = ofWeb.reduce(into: Set()) { $0.formUnion($1.escapedReserved) }
    state.withLock { $0.escapes = escapes }
    store = ObjectStore(ProcessState.environment) { path in
      guard let file = try? FileDescriptor.open(path, [.readOnly, .nonBlocking]),
        let size = try? file.status().size, size < 1 << 20
      else { return nil }
      return try? file.read(Int(size), at: 0)
    }
    if let profile = store.lackingProfile, operands.contains(where: \.isObject) {
      throw CleaveError(
        .contradiction,
        "AWS_PROFILE=\(profile): the files of credentials and settings have no such profile"
      )
    }
    if !store.hasSoundEndpoint, operands.contains(where: \.isObject) {
      throw CleaveError(
        .contradiction,
        "the endpoint of the object store is no address: it begins with https:// or http://, and a host follows"
      )
    }
  }

  private static func number(_ name: String, upTo most: Int) throws(CleaveError) -> Int? {
    guard let text = ProcessState.environment(name), !text.isEmpty else { return nil }
    if let number = Int(text), (1...most).contains(number) { return number }
    throw CleaveError(.contradiction, "\(name)=\(text): is no number from 1 to \(most)")
  }

  /// What the store lists.
  var list: BucketList { BucketList(client: client, store: store) }

  // MARK: RemoteFiles

  package func status(of path: FilePath) throws(SystemError) -> FileStatus {
    let address = try RemoteAddress(path, "stat")
    if isDirectory(path, address) { return RemoteFacts.directory(path) }
    if let facts = try facts(of: path, address) { return facts.status(of: path) }
    let isThere =
      switch address {
      case .http where path.hasQuery: false
      case .http: try leadsToDirectory(path)
      case .object where isHidden(path): false
      case .object(let bucket, let key): try list.count(bucket, key.adding("/"), upTo: 1, path) > 0
      }
    if isThere { return RemoteFacts.directory(path) }
    throw SystemError("stat", path, .notFound)
  }

  package func names(in directory: FilePath) throws(SystemError) -> PathList {
    if let known = state.withLock({ $0.names[directory] }), known.isFresh { return known.value }
    var names = PathList()
    switch try RemoteAddress(directory, "opendir") {
    case .http:
      let given = operands.filter { $0.directory == directory }
      if !given.isEmpty, given.allSatisfy(\.hasQuery) {
        // A query is of one file: it is not asked for others.
        var known = PathSet()
        for name in given.map(\.lastComponent) where known.insert(name) { names.append(name) }
      } else if let found = try index(of: directory) {
        for name in try found + hidden(behind: found, in: directory) { names.append(name) }
      } else {
        for name in try neighbours(in: directory) { names.append(name) }
      }
    case .object(let bucket, let key):
      let prefix = key.bytes.isEmpty || key.endsInSlash ? key : key.adding("/")
      do throws(SystemError) {
        // Some stores begin a page of a list with the last key of the page before.
        var known = PathSet()
        try list.forEachObject(bucket, prefix, for: directory) { name, facts in
          if known.insert(name) { names.append(name) }
          remember(facts, directory.appending(name))
        }
      } catch  where error.errno == .permissionDenied {
        // Who may not list may ask for one after the other.
        let found = try neighbours(in: directory)
        // What a manifest names is not looked for: nothing tells that it is missing.
        if found.allSatisfy({ Manifest.isName($0) }) { throw error }
        names = PathList()
        for name in found { names.append(name) }
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
    let (store, url) = (store, url(of: path))
    return RemoteObject(path, facts, client, place(path, address)) { headers throws(SystemError) in
      try Self.request(address, url, store, headers: headers)
    }
  }

  // MARK: What is there

  private func isDirectory(_ path: FilePath, _ address: RemoteAddress) -> Bool {
    if path.endsInSlash { return true }
    switch address {
    case .object(_, let key): return key.bytes.isEmpty
    case .http:
      return !path.withoutQuery.bytes.dropFirst(8).contains(UInt8(ascii: "/"))
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
    if path.hasQuery, !isGiven(path) { return nil }
    var found: RemoteFacts?
    var (answer, body) = try ask(path, address, "HEAD")
    // Some answer for scripts that they have not run.
    let isOdd = answer.isSuccess && (answer.size ?? 0) == 0
    // Who signs an address for GET does not allow HEAD, and some programs know nothing of it.
    // Nor does an answer to it have a word of why it is no other.
    let isOnlyHead =
      path.isObject
      ? [301, 307, 400, 403].contains(answer.status) && isGiven(path)
      : [400, 403, 404].contains(answer.status)
        && (isGiven(path)
          || state.withLock { $0.headless.contains(path.directory) || $0.shown.contains(path) })
    if [405, 501].contains(answer.status) || isOdd || isOnlyHead {
      // A range of one byte tells the size of the whole.
      let (whole, text) = try ask(
        path,
        address,
        "GET",
        headers: [("range", "bytes=0-0")],
        upTo: 1024
      )
      if isOnlyHead, whole.isSuccess, !path.isObject {
        state.withLock { _ = $0.headless.insert(path.directory) }
      }
      // Of nothing there is no range.
      if whole.status != 416 { (answer, body) = (whole, text) }
    }
    if answer.isSuccess {
      // A directory, which servers lead to by a slash at its end.
      if case .http = address, FilePath(answer.url).endsInSlash { return nil }
      found = answer.status == 206 ? RemoteFacts(partial: answer) : RemoteFacts(answer)
      if found == nil {
        let text =
          "the server does not tell its size: fetch it, and give it to standard input with -"
        throw SystemError("stat", path, .notSupported, detail: text)
      }
    } else if ![404, 410].contains(answer.status),
      !([401, 403].contains(answer.status) && isHidden(path))
    {
      let error = answer.error("stat", path, body)
      throw path.isObject ? store.explaining(error) : error
    }
    remember(found, path)
    return found
  }

  private func isGiven(_ path: FilePath) -> Bool { operands.contains(path) }

  /// Whether what is forbidden may as well not be there.
  private func isHidden(_ path: FilePath) -> Bool {
    !isGiven(path) && state.withLock { $0.hiding.contains(path.directory) }
  }

  private func leadsToDirectory(_ path: FilePath) throws(SystemError) -> Bool {
    func hasPage(_ path: FilePath) throws(SystemError) -> Bool {
      let (answer, _) = try ask(path, .http(path), "GET", upTo: 1)
      return answer.isSuccess && Self.isPage(answer)
    }
    guard try hasPage(path.adding("/")) else { return false }
    // Some servers have one for any address that ends in a slash.
    if isGiven(path) { return true }
    return try !hasPage(path.adding(Self.nobody).adding("/"))
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
    let url = url(of: path)
    return try client.ask(path, upTo: limit) { () throws(SystemError) in
      try Self.request(address, url, store, method, headers: headers)
    }
  }

  /// What was typed is asked for as it was typed, and what is beside it in the same way.
  private func url(of path: FilePath) -> String {
    typed[path] ?? path.url(escaping: state.withLock { $0.escapes })
  }

  private static func request(
    _ address: RemoteAddress,
    _ url: String,
    _ store: ObjectStore,
    _ method: String = "GET",
    headers: [(String, String)] = []
  ) throws(SystemError) -> HTTPRequest {
    switch address {
    case .http:
      var request = HTTPRequest(url: url)
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
    let isTooLong = SystemError("opendir", directory, .ioError, detail: "its page is too long")
    guard body.count < Self.largestIndex else { throw isTooLong }
    var escapes: Set<UInt8> = []
    let names = HTMLIndex.names(in: body, of: path, escapes: &escapes)
    guard names.count <= BucketList.mostNames else { throw isTooLong }
    // A page that is about something else.
    let given = operands.filter { $0.directory == directory || $0.directory == path }
    let isAbout = given.isEmpty || given.contains { names.contains($0.lastComponent) }
    if names.isEmpty || !isAbout { return nil }
    let paths = names.map { directory.appending($0) }
    state.withLock { state in
      state.shown.formUnion(paths)
      state.escapes.formUnion(escapes)
    }
    return names
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
      guard try self.facts(of: path, RemoteAddress(path, "stat")) != nil else { return false }
      if names.insert(name) { found.append(name) }
      return true
    }
    for operand in operands where operand.directory == directory {
      let name = operand.lastComponent
      guard try isThere(name), !operand.hasQuery else { continue }
      // Some servers have a page for every name.
      if try hasAnything(beside: name, in: directory) {
        let text =
          "the server has an answer for any name, so that nothing tells which parts there are"
        throw SystemError("opendir", directory, .notSupported, detail: text)
      }
      // A name may be read in several ways: which one is meant is decided when all the parts are known.
      for series in PartName.probes(of: name) {
        for sequence in [series.behind, series.before] {
          var (misses, asked) = (0, Int64(0))
          for other in sequence {
            misses = try isThere(other) ? 0 : misses + 1
            if misses > Self.mostMisses { break }
            asked += 1
            if asked == PartName.mostProbes { throw BucketList.tooMany(directory) }
          }
        }
      }
      for sums in Manifest.likelyNames(beside: name) { _ = try isThere(sums) }
    }
    return found
  }

  /// Parts behind those that a page has, which may show only some, or have been cut.
  private func hidden(
    behind names: [FilePath],
    in directory: FilePath
  ) throws(SystemError) -> [FilePath] {
    let given = operands.filter { $0.directory == directory }.map(\.lastComponent)
    let behind = NamesBehind(given: given, among: names)
    var known = PathSet(names)
    var (waiting, next, misses, isFirst) = (names, 0, 0, true)
    while next < waiting.count {
      let name = waiting[next]
      next += 1
      for part in behind.names(behind: name) where misses < Self.mostMissing && known.insert(part) {
        if isFirst {
          // How the server has to be asked is learned of a name that is there.
          let shown = directory.appending(name)
          _ = try facts(of: shown, RemoteAddress(shown, "stat"))
          if try hasAnything(beside: name, in: directory) { return [] }
        }
        isFirst = false
        misses += 1
        let path = directory.appending(part)
        guard try facts(of: path, RemoteAddress(path, "stat")) != nil else { continue }
        misses = 0
        waiting.append(part)
        if waiting.count > BucketList.mostNames { throw BucketList.tooMany(directory) }
      }
    }
    return Array(waiting[names.count...])
  }

  /// Whether a server has an answer for a name that nothing has. Notes those that forbid such names: they do
  /// not tell that there is nothing, like Amazon where somebody may not list.
  private func hasAnything(
    beside name: FilePath,
    in directory: FilePath
  ) throws(SystemError) -> Bool {
    let path = directory.appending(name.adding(Self.nobody))
    do throws(SystemError) {
      return try facts(of: path, RemoteAddress(path, "stat")) != nil
    } catch  where error.errno == .permissionDenied {
      state.withLock { _ = $0.hiding.insert(directory) }
      return false
    }
  }

  /// Behind any name, it makes one that nothing has.
  private static let nobody = ".cleave-none"

  /// Questions in a row for parts that a page does not have, and that are not there either.
  private static let mostMissing = 4096

  func forget(_ path: FilePath) {
    state.withLock { state in
      state.facts[path] = nil
      state.names[path.directory] = nil
    }
  }
}
