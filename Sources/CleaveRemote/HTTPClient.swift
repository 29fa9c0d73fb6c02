internal import CCurl
import Posix

/// Asks servers, again where that may help, and keeps connections open from one question to the next.
final class HTTPClient: Sendable {
  /// Whether libcurl is there; loads it.
  static var isAvailable: Bool { ccurl_is_available() != 0 }

  private let patience: HTTPConnection.Patience
  /// How often a question is put, 1 or more.
  private let tries: Int
  private let isCancelled: @Sendable () -> Bool
  private let idle = Locked<[HTTPConnection]>([])
  /// More connections are closed when nobody uses them.
  private static let mostIdle = 16

  init(
    _ patience: HTTPConnection.Patience = .init(),
    tries: Int = 6,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.patience, self.tries, self.isCancelled) = (patience, max(1, tries), isCancelled)
  }

  /// A connection for one thread, which gives it back.
  func take() throws(HTTPFailure) -> HTTPConnection {
    if let last = idle.withLock({ $0.popLast() }) { return last }
    return try HTTPConnection(patience, isCancelled: isCancelled)
  }

  /// - Parameter connection: with nothing under way, or it is given up.
  func give(_ connection: HTTPConnection) {
    connection.end()
    idle.withLock { if $0.count < Self.mostIdle { $0.append(connection) } }
  }

  /// Asks, and receives the body up to a limit.
  func ask(
    _ path: FilePath,
    upTo limit: Int = 1 << 20,
    _ request: () throws(SystemError) -> HTTPRequest
  ) throws(SystemError) -> (answer: HTTPAnswer, body: [UInt8]) {
    try again(path) { () throws(Attempt) in
      // Signed anew each time: a signature has a date.
      let request = try Attempt.passing(request)
      let (answer, body) = try using { (connection) throws(HTTPFailure) in
        let answer = try connection.send(request)
        let body = request.method == "HEAD" ? [] : try connection.receiveAll(upTo: limit)
        return (answer, body)
      }
      if answer.mayPass
        || request.method != "GET" && (answer.isSuccess || answer.status == 400)
          && Self.isPutOff(body)
      {
        throw .putOff(answer, answer.error("read", path, body))
      }
      return (answer, body)
    }
  }

  /// Whether a store that has begun to answer has found no time after all.
  private static func isPutOff(_ body: [UInt8]) -> Bool {
    guard let code = XML.value(of: "Code", in: body) else { return false }
    return ["InternalError", "SlowDown", "ServiceUnavailable", "RequestTimeout"].contains(code)
  }

  private func using<R>(_ body: (HTTPConnection) throws(HTTPFailure) -> R) throws(Attempt) -> R {
    do throws(HTTPFailure) {
      let connection = try take()
      let result = try body(connection)
      give(connection)
      return result
    } catch {
      throw .failed(error)
    }
  }

  /// What came of one try.
  enum Attempt: Error {
    case failed(HTTPFailure)
    /// The server asks for patience, or has a fault of its own.
    case putOff(HTTPAnswer, SystemError)
    case error(SystemError)

    static func passing<R>(_ body: () throws(SystemError) -> R) throws(Attempt) -> R {
      do throws(SystemError) { return try body() } catch { throw .error(error) }
    }
  }

  /// Seconds.
  private static let longestPause = 30

  /// Does something until it is done, as often as may help, with longer and longer pauses.
  func again<R>(_ path: FilePath, _ body: () throws(Attempt) -> R) throws(SystemError) -> R {
    var pause = 200
    for attempt in 1... {
      var wanted: Int?
      do throws(Attempt) {
        return try body()
      } catch {
        switch error {
        case .error(let error): throw error
        case .failed(let failure):
          if !failure.mayPass || attempt >= tries { throw failure.error(path) }
        case .putOff(let answer, let error):
          let seconds = answer.headers["retry-after"].flatMap { Int($0) }.map { max(0, $0) }
          if attempt >= tries {
            throw seconds.map { $0 > Self.longestPause ? error.asking(for: $0) : error } ?? error
          }
          wanted = seconds.map { min($0, Self.longestPause) * 1000 }
        }
      }
      // Those who were put off together shall not come again together.
      let milliseconds = wanted ?? Int.random(in: (pause / 2)...pause)
      for _ in 0..<max(1, milliseconds / 50) {
        if isCancelled() { throw SystemError("read", path, .canceled) }
        try? Readiness.pause(milliseconds: 50)
      }
      pause = min(pause * 2, 5000)
    }
    throw SystemError("read", path, .timedOut)
  }
}

extension HTTPFailure {
  /// What is told of it.
  func error(_ path: FilePath) -> SystemError {
    let errno: Errno =
      switch kind {
      case .noHost: .hostUnreachable
      case .noConnection: .connectionRefused
      case .timedOut: .timedOut
      case .cancelled: .canceled
      case .noMemory: .noMemory
      case .untrusted: .notPermitted
      default: .ioError
      }
    return SystemError("read", path, errno, detail: text)
  }
}

extension HTTPAnswer {
  /// Whether asking again may help.
  var mayPass: Bool { [408, 429, 500, 502, 503, 504].contains(status) }

  var isSuccess: Bool { (200...299).contains(status) }

  /// What an answer that is no success means.
  ///
  /// - Parameter body: what the server says of it.
  func error(_ call: String, _ path: FilePath, _ body: [UInt8] = []) -> SystemError {
    let word = XML.value(of: "Code", in: body)
    if status == 404, word == "NoSuchUpload" {
      return SystemError(call, path, .stale, detail: "was given up by another run")
    }
    let errno: Errno =
      switch status {
      case 404, 410: .notFound
      case 401, 403: .permissionDenied
      case 412, 416: .stale
      default: .ioError
      }
    // Nothing else of what a server sends goes to a terminal.
    let told = word.flatMap { $0.isPlainWord ? $0 : nil }
    let code = told.map { " (\($0))" } ?? ""
    let isAbsent = errno == .notFound && code.isEmpty && call == "stat"
    let text = isAbsent ? nil : "the server answers \(status)\(code)\(way(told, body))"
    return SystemError(call, path, errno, detail: text)
  }
}

extension HTTPAnswer {
  /// What a store's answer asks for, as the end of a sentence.
  private func way(_ code: String?, _ body: [UInt8]) -> String {
    switch code {
    case "ExpiredToken", "InvalidToken": return ": the session of the keys has ended"
    case "RequestTimeTooSkewed": return ": the clock of this machine is wrong"
    case "InvalidAccessKeyId", "SignatureDoesNotMatch": return ": the keys are not the store's"
    case "InvalidObjectState": return ": it is in an archive, from which it has to be restored"
    default: break
    }
    guard [301, 307, 400].contains(status),
      let region = headers["x-amz-bucket-region"] ?? XML.value(of: "Region", in: body),
      (1...32).contains(region.utf8.count),
      region.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 })
    else { return "" }
    return ": the bucket is in AWS_REGION=\(region)"
  }
}

extension String {
  /// Whether it is a word of letters and digits.
  fileprivate var isPlainWord: Bool {
    (1...64).contains(utf8.count)
      && utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
      }
  }
}

extension SystemError {
  /// The same with how long a server wants to be left alone.
  fileprivate func asking(for seconds: Int) -> SystemError {
    let text = "\(detail ?? "the server is busy"), and asks to wait for \(seconds) seconds"
    return SystemError(call, path, errno, detail: text)
  }
}
