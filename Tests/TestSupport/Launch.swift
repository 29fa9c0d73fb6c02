package import Posix

/// How a program is started.
package struct Launch {
  package var program: FilePath
  package var arguments: [FilePath] = []
  package var input: ToolInput = .null
  package var standardOutput: ToolOutput = .capture
  /// Added to the environment of the tests.
  package var environment: [String: String] = [:]
  /// Standard descriptors, of 0, 1 and 2, that are closed when the program starts.
  package var closing: Set<CInt> = []
  package var limits = ToolLimits()
  /// Signals that the program inherits as ignored, as under `nohup`.
  package var ignoring: [Signal] = []
  package var workingDirectory: FilePath?
}

/// What the program finds on standard input.
package enum ToolInput: Sendable {
  /// `/dev/null`.
  case null
  case file(FilePath)
  /// A pipe that gives these bytes and ends.
  case bytes([UInt8])
  /// A pipe that gives these bytes and then neither more nor an end.
  case unending([UInt8])
}

/// Where the program's standard output goes.
package enum ToolOutput: Sendable {
  /// To a file, and from there to ``Outcome/standardOutput``.
  case capture
  /// To an existing or a new file or device, such as `/dev/full`.
  case file(FilePath)
  /// To a pipe that is read to its end.
  case pipe
  /// To a pipe whose reader goes away after this many bytes.
  case pipeClosed(after: Int)
}

/// Resource limits; see `setrlimit(2)`.
package struct ToolLimits: Sendable {
  /// RLIMIT_NOFILE.
  package var openFiles: Int?
  /// RLIMIT_FSIZE in bytes, a multiple of 512.
  package var fileSize: Int?
  /// RLIMIT_AS in bytes, a multiple of 1024, which POSIX does not have.
  package var addressSpace: Int?
  /// RLIMIT_DATA in bytes, likewise.
  package var data: Int?
  /// RLIMIT_STACK in bytes, likewise.
  package var stack: Int?

  package init(openFiles: Int? = nil, fileSize: Int? = nil) {
    self.openFiles = openFiles
    self.fileSize = fileSize
  }
}

// MARK: - The command behind it

extension Launch {
  /// The arguments to start, the program's own first.
  ///
  /// `posix_spawn(3)` sets neither limits nor ignored signals, and the calls for directories have
  /// no portable name, so a shell does it and then becomes the program, with the same PID.
  var command: [FilePath] {
    let own = [program] + arguments
    if preparation.isEmpty { return own }
    // The shell itself must run without a preloaded library: its calls would be counted too.
    let preload = #"[ -z "$2" ] || export LD_PRELOAD="$2""#
    let script = preparation + [preload, "shift 2", #"exec "$@""#]
    return [
      "/bin/sh", "-ec", FilePath(script.joined(separator: "\n")), "sh",
      workingDirectory ?? ".", FilePath(environment["LD_PRELOAD"] ?? ""),
    ] + own
  }

  /// The environment to start the command in, as `NAME=VALUE`.
  func variables(inherited: [FilePath]) -> [FilePath] {
    var added = environment
    // A crash would otherwise spend a minute on drawing itself.
    added["SWIFT_BACKTRACE"] = "enable=no"
    if !preparation.isEmpty { added["LD_PRELOAD"] = nil }
    let kept = inherited.filter { variable in
      let name = String(decoding: variable.bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      return added[name] == nil
    }
    return kept + added.map { FilePath("\($0.key)=\($0.value)") }
  }

  private var preparation: [String] {
    var lines: [String] = []
    if workingDirectory != nil { lines.append(#"cd -- "$1""#) }
    if let count = limits.openFiles { lines.append("ulimit -n \(count)") }
    // POSIX counts in blocks of 512 bytes.
    if let size = limits.fileSize { lines.append("ulimit -f \(size / 512)") }
    let kilobytes = [("v", limits.addressSpace), ("d", limits.data), ("s", limits.stack)]
    for case let (letter, size?) in kilobytes { lines.append("ulimit -\(letter) \(size / 1024)") }
    lines += ignoring.map { "trap '' \($0.rawValue)" }
    return lines
  }
}
