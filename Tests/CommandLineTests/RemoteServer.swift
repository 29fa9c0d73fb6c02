import Posix
import TestSupport
import Testing

/// A server of the files of a directory, with and without faults; see `Tests/RemoteServer/server.py`.
final class RemoteServer {
  static let python = Tool.find("python3")
  /// Whether there is a server, and a library that asks it.
  static let isAvailable = python != nil && cleaveReadsAddresses

  private static let cleaveReadsAddresses =
    (try? Tool.cleave.run(["info", "http://"]))?.errorText.contains("needs libcurl") == false

  let directory: TemporaryDirectory
  /// Seconds; shorter only for a server that says nothing, since a busy machine is slow, too.
  var timeout = 60
  private let running: RunningTool
  private let port: String

  init() throws {
    directory = try TemporaryDirectory()
    let script = BuildProducts.sources.appending("Tests/RemoteServer/server.py")
    let python = try #require(Self.python)
    running = try python.start(["-u", script, directory.path], standardOutput: .pipe)
    let running = running
    _ = try running.wait { running.outputSoFar.contains(UInt8(ascii: "\n")) }
    port = String(decoding: running.outputSoFar.prefix { $0 != 10 }, as: UTF8.self)
    try #require(UInt16(port) != nil, "\(port)")
  }

  /// The address of a file that is served in some way.
  func address(_ manner: String, _ name: String) -> FilePath {
    FilePath(manner == "s3" ? "s3://\(name)" : "http://127.0.0.1:\(port)/\(manner)/\(name)")
  }

  /// Where the object store is, and the keys; what proxies there are is not asked.
  var environment: [String: String] {
    [
      "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port)/s3", "AWS_ACCESS_KEY_ID": "AKTEST",
      "AWS_SECRET_ACCESS_KEY": "SKTEST", "AWS_REGION": "eu-test-1", "HOME": "/nowhere",
      "CLEAVE_REMOTE_TIMEOUT": "\(timeout)", "CLEAVE_REMOTE_TRIES": "3", "no_proxy": "*",
    ]
  }

  /// All questions so far, one line each.
  func log() throws -> [String] {
    let script =
      "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())"
    let outcome = try #require(Self.python).run(
      ["-c", script, "http://127.0.0.1:\(port)/log"],
      environment: ["no_proxy": "*"]
    )
    return outcome.outputText.split(separator: "\n").map(String.init)
  }

  func cleave(_ words: [any ToolArgument], in place: FilePath) throws -> Outcome {
    try Tool.cleave.run(words, environment: environment, workingDirectory: place)
  }
}
