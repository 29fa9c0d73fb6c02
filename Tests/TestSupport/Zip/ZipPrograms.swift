package import Posix

/// Archives that other programs write.
package enum ZipPrograms {
  /// What a test prints where a program is missing that it cannot do without; nil where it is there.
  package static func skipReason(_ program: FilePath) -> String? {
    Tool.find(program) == nil ? "skipped: \(program) is not installed" : nil
  }

  /// Makes `directory/a.zip`, and the parts that it belongs to, with Info-ZIP's zip.
  ///
  /// - Returns: the parts in their order.
  package static func zip(
    _ tree: FileTree,
    _ options: [String],
    to directory: FilePath
  ) throws -> [FilePath] {
    let source = try TemporaryDirectory()
    try tree.write(to: source.path)
    let target = directory.appending("a.zip")
    // A directory's own order is no order at all.
    let names = try source.names()
    try run("zip", ["-q", "-r"] + options + [target] + names, in: source.path)
    try nameLeftovers(in: directory)
    return try parts(in: directory)
  }

  /// Makes `directory/a.zip`, or `a.zip.001` and so on, with 7-Zip.
  ///
  /// - Returns: the parts in their order.
  package static func sevenZip(
    _ tree: FileTree,
    _ options: [String],
    to directory: FilePath
  ) throws -> [FilePath] {
    let source = try TemporaryDirectory()
    try tree.write(to: source.path)
    let target = directory.appending("a.zip")
    try run("7z", ["a", "-bd", "-tzip"] + options + [target] + source.names(), in: source.path)
    return try parts(in: directory)
  }

  private static func run(
    _ name: FilePath,
    _ arguments: [any ToolArgument],
    in directory: FilePath
  ) throws {
    guard let program = Tool.find(name) else { throw Failed(description: "\(name) is missing") }
    // Without an input, zip cannot ask and wait for ever.
    let outcome = try program.run(
      arguments,
      environment: ZipTool.environment,
      workingDirectory: directory
    )
    if outcome.exitCode != 0 { throw Failed(description: "\(name): \(outcome)") }
  }

  package struct Failed: Error, CustomStringConvertible {
    package let description: String
  }
}

// MARK: - Parts

extension ZipPrograms {
  /// With `-fd`, zip 3.0 never gives a part its name in which an entry starts that goes on in the
  /// next one: it stays `ziXXXXXX`.
  private static func nameLeftovers(in directory: FilePath) throws {
    let isLeft = { (name: FilePath) in
      name.bytes.count == 8 && name.bytes.starts(with: Array("zi".utf8)) && name != "a.zip"
    }
    let left = try FileSystem.names(in: directory).filter(isLeft)
      .map { (try FileStatus.of(directory.appending($0)).modified, $0) }
      .sorted { $0 < $1 }
    var number = 0
    for (_, name) in left {
      repeat { number += 1 } while try Files.exists(directory.appending(part(number)))
      try FileSystem.rename(directory.appending(name), toNew: directory.appending(part(number)))
    }
  }

  private static func part(_ number: Int) -> FilePath {
    ZipSetNames.lower.name(of: number - 1, among: .max)
  }

  /// `a.z01` and so on before `a.zip`; a raw series as it is counted.
  private static func parts(in directory: FilePath) throws -> [FilePath] {
    let rank = { (name: FilePath) in (name == "a.zip" ? 1 : 0, name.bytes.count, name) }
    return try FileSystem.names(in: directory).sorted { rank($0) < rank($1) }
      .map { directory.appending($0) }
  }
}
