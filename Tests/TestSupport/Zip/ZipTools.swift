package import Posix

/// A program that reads zips, and was written by others than we are.
package enum ZipTool: String, CaseIterable, Sendable {
  case sevenZip = "7z"
  case unzip
  case python = "python3"
  case bsdtar

  /// What a test that needs these programs prints where some are missing; nil where none is.
  package static func skipReason(_ tools: Set<ZipTool> = Set(allCases)) -> String? {
    let missing = tools.filter { $0.program == nil }.map(\.rawValue).sorted()
    return missing.isEmpty ? nil : "skipped: \(missing.joined(separator: ", ")) not installed"
  }

  package var program: Tool? { Tool.find(FilePath(rawValue)) }

  /// Names beyond ASCII are UTF-8 whatever the tests run in.
  #if os(Linux)
    package static let environment = ["LC_ALL": "C.UTF-8", "TZ": "UTC"]
  #else
    package static let environment = ["LC_ALL": "en_US.UTF-8", "TZ": "UTC"]
  #endif
}

// MARK: - Testing

extension ZipTool {
  /// What the program finds wrong with a zip; nil where it is content or not installed.
  package func complaint(about file: FilePath, password: String? = nil) throws -> String? {
    guard let program else { return nil }
    let outcome = try program.run(testing(file, password), environment: Self.environment)
    return isContent(outcome) ? nil : "\(rawValue) refuses \(file.lastComponent): \(outcome)"
  }

  /// Whether the program has nothing to say; 7-Zip and Python warn with exit code 0.
  private func isContent(_ outcome: Outcome) -> Bool {
    // 7-Zip says this of every archive that unpacks itself.
    let said = outcome.outputText.replacing(Self.prefixWarning, with: "") + outcome.errorText
    return outcome.exitCode == 0 && !Self.badSigns.contains { said.contains($0) }
  }

  private static let badSigns = ["corrupted", "WARNING", "warning", "rror:"]
  private static var prefixWarning: Regex<Substring> {
    /WARNING:\n.*\nThe archive is open with offset/
  }

  private func testing(_ file: FilePath, _ password: String?) -> [any ToolArgument] {
    switch self {
    case .sevenZip: ["t", "-bd", "-p\(password ?? "")", file]
    case .unzip: ["-tqq", "-P", password ?? "", file]
    case .python: ["-ISc", Self.script, file, password ?? ""]
    case .bsdtar: ["-tf", file]
    }
  }

  /// What `python3 -m zipfile -t` does, which takes no password.
  private static let script = """
    import sys, zipfile
    with zipfile.ZipFile(sys.argv[1]) as archive:
        archive.setpassword(sys.argv[2].encode())
        bad = archive.testzip()
        if bad: print(bad, 'is corrupted')
    """
}

// MARK: - Unpacking

extension ZipTool {
  /// Unpacks a zip into an empty directory, and returns what the program says against it.
  ///
  /// Python takes names without the mark of UTF-8 for those of DOS, and 7-Zip does on some systems.
  package func unpack(
    _ file: FilePath,
    to directory: FilePath,
    password: String? = nil
  ) throws -> String? {
    guard let program else { return nil }
    let arguments: [any ToolArgument] =
      switch self {
      case .sevenZip: ["x", "-bd", "-p\(password ?? "")", FilePath("-o\(directory)"), file]
      case .unzip: ["-qq", "-P", password ?? "", file, "-d", directory]
      case .python: ["-ISm", "zipfile", "-e", file, directory]
      case .bsdtar:
        ["-xf", file, "-C", directory] + (password.map { ["--passphrase", $0] } ?? [])
      }
    let outcome = try program.run(arguments, environment: Self.environment)
    if isContent(outcome) { return nil }
    return "\(rawValue) does not unpack \(file.lastComponent): \(outcome)"
  }

  /// What is wrong when a zip is unpacked, or with what comes out of it.
  package func complaint(
    about file: FilePath,
    holding tree: FileTree,
    password: String? = nil
  ) throws -> [String] {
    guard program != nil else { return [] }
    let directory = try TemporaryDirectory()
    if let complaint = try unpack(file, to: directory.path, password: password) {
      return [complaint]
    }
    let found = try FileTree(readFrom: directory.path)
    return found.differences(from: tree).map { "unpacked by \(rawValue): \($0)" }
  }
}

/// All the programs at once.
package enum ZipTools {
  /// What they find wrong with a zip that must hold a tree, and nothing else; those that are not
  /// installed find nothing.
  ///
  /// - Parameter tools: the programs to ask.
  package static func complaints(
    about file: FilePath,
    holding tree: FileTree,
    password: String? = nil,
    tools: Set<ZipTool> = Set(ZipTool.allCases)
  ) throws -> [String] {
    if let reason = ZipTool.skipReason(tools) { print(reason) }
    let asked = ZipTool.allCases.filter { tools.contains($0) }
    let complaints = try asked.compactMap { try $0.complaint(about: file, password: password) }
    let unpackers = asked.filter { $0 == .unzip || $0 == .bsdtar }
    return try complaints
      + unpackers.flatMap { try $0.complaint(about: file, holding: tree, password: password) }
  }
}
