package import Posix

/// A program that tests run as a user would.
package struct Tool: Sendable {
  package let path: FilePath

  package init(_ path: FilePath) { self.path = path }

  /// The `cleave` that was built with the tests; `$CLEAVE_BINARY` names another.
  package static let cleave = Tool(
    ProcessState.environment("CLEAVE_BINARY").map { FilePath($0) }
      ?? BuildProducts.directory.appending("cleave")
  )

  /// Whether it finds the library that computes digests: without it, the option is refused (64).
  package static let cleaveHasDigests =
    (try? cleave.run(["merge", "--checksum=md5", "/nowhere/f.001"]))?.exitCode == 66

  /// The shell, for pipelines: `Tool.shell.run(["-c", "cat \"$1\" | wc -c", "sh", path])`.
  package static let shell = Tool("/bin/sh")

  /// Whether tests may start programs, which `make check` has them do without.
  package static let mayStart = ProcessState.environment("CLEAVE_CHECK") == nil

  /// A program that users or administrators have, such as `rhash`; nil where it is not installed, or
  /// where no program may start.
  package static func find(_ name: FilePath) -> Tool? {
    guard mayStart else { return nil }
    let search = ProcessState.environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    return (search + ":/usr/sbin:/sbin").split(separator: ":")
      .map { FilePath(String($0)).appending(name) }
      .first { isExecutable($0) }
      .map { Tool($0) }
  }

  private static func isExecutable(_ path: FilePath) -> Bool {
    guard let status = try? FileStatus.of(path) else { return false }
    return status.kind == .regular && status.permissions & 0o111 != 0
  }
}

// MARK: - Running

extension Tool {
  /// Runs the program to its end, or kills it after `timeout` seconds.
  ///
  /// The parameters are explained at ``Launch``.
  package func run(
    _ arguments: [any ToolArgument],
    input: ToolInput = .null,
    standardOutput: ToolOutput = .capture,
    environment: [String: String] = [:],
    closing: Set<CInt> = [],
    limits: ToolLimits = ToolLimits(),
    ignoring: [Signal] = [],
    workingDirectory: FilePath? = nil,
    timeout: Double = RunningTool.patience
  ) throws -> Outcome {
    let tool = try start(
      arguments,
      input: input,
      standardOutput: standardOutput,
      environment: environment,
      closing: closing,
      limits: limits,
      ignoring: ignoring,
      workingDirectory: workingDirectory
    )
    return try tool.wait(timeout: timeout)
  }

  /// Starts the program and returns at once; it is killed when the last reference to it goes.
  package func start(
    _ arguments: [any ToolArgument],
    input: ToolInput = .null,
    standardOutput: ToolOutput = .capture,
    environment: [String: String] = [:],
    closing: Set<CInt> = [],
    limits: ToolLimits = ToolLimits(),
    ignoring: [Signal] = [],
    workingDirectory: FilePath? = nil
  ) throws -> RunningTool {
    let launch = Launch(
      program: path,
      arguments: arguments.map(\.toolArgument),
      input: input,
      standardOutput: standardOutput,
      environment: environment,
      closing: closing,
      limits: limits,
      ignoring: ignoring,
      workingDirectory: workingDirectory
    )
    return try RunningTool(launch)
  }
}

/// What can stand in a list of arguments: text, a path of any bytes, or a number.
package protocol ToolArgument {
  var toolArgument: FilePath { get }
}

extension FilePath: ToolArgument { package var toolArgument: FilePath { self } }
extension String: ToolArgument { package var toolArgument: FilePath { FilePath(self) } }
extension Int: ToolArgument { package var toolArgument: FilePath { FilePath("\(self)") } }
