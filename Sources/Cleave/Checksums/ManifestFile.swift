public import Posix

extension Manifest {
  /// The largest manifest that is read, in bytes: some 800,000 lines of 20 bytes.
  ///
  /// Keeps a file that was only taken for a manifest from filling the memory.
  public static let largestFile: Int64 = 16 << 20

  /// Reads a manifest from a regular file, in the format that its name or its first line tells.
  ///
  /// - Throws: `.missingInput` where there is none; `.badData` for one that is larger than `limit`
  ///   bytes, and with the line that is wrong; the error of the failed read.
  public init(
    reading path: FilePath,
    upTo limit: Int64 = Manifest.largestFile
  ) throws(CleaveError) {
    try self.init(read: try Self.contents(of: path, limit), path: path)
  }

  /// The manifest that has been read from a file.
  ///
  /// - Throws: `.badData` with the line that is wrong.
  init(read bytes: [UInt8], path: FilePath) throws(CleaveError) {
    try self.init(parsing: bytes, path: path)
    try takeOwnPaths()
  }

  /// Takes lines that lead into its own directory by an absolute path, or by way of one above, for those of files there.
  ///
  /// - Throws: `.badData` where it has another sum of one of these.
  private mutating func takeOwnPaths() throws(CleaveError) {
    guard !elsewhere.isEmpty, let here = ProcessState.workingDirectory else { return }
    let folder = path.isAbsolute ? path.directory : here.appending(path.directory)
    let own = folder.withoutDots.bytes + [UInt8(ascii: "/")]
    var (found, left) = (ManifestLists(entries, nested: nested), Entries())
    for entry in elsewhere {
      let isOnDrive = entry.name.bytes.dropFirst().first == UInt8(ascii: ":")
      let place = entry.name.isAbsolute ? entry.name : folder.appending(entry.name)
      let bytes = isOnDrive ? [] : place.withoutDots.bytes
      let known =
        bytes.starts(with: own)
        ? try? ListedPath(bytes.dropFirst(own.count), holdsBackslashes: true) : nil
      guard case .inside(let name)? = known else {
        left.append(entry)
        continue
      }
      if let kind = found.expected(of: name)?.contradiction(with: entry.expected) {
        throw CleaveError(.badData, path, "has two different \(kind) of \(name)")
      }
      var entry = entry
      entry.name = name
      found.add(entry)
      // bounded: one of these lines
      outside -= 1
    }
    (entries, nested, elsewhere) = (found.entries, found.nested, left)
    // A line that is there twice is there once.
    if left.isEmpty { outside = 0 }
  }

  /// Whether the bytes of a manifest that cannot be read hold the name of a file.
  static func mentions(_ file: FilePath, in path: FilePath) -> Bool {
    // One that is too large may have any.
    guard let bytes = try? contents(of: path, largestFile) else { return isOfDirectory(path) }
    return ByteSearch(file.lastComponent.bytes).isFound(in: bytes)
  }

  /// Whether a text that is no manifest, since some lines are wrong, has a right one about a part of
  /// `base`, or about the whole.
  static func hasLine(of base: FilePath, in path: FilePath) -> Bool {
    let name = base.lastComponent
    return namedFiles(in: path).contains { file in
      file.lastComponent == name || PartName.reading(of: file.lastComponent, for: name) != nil
    }
  }

  /// The files that a manifest names; of one that cannot be read, those that its lines name.
  static func namedFiles(in path: FilePath) -> [FilePath] {
    guard let bytes = try? contents(of: path, largestFile) else { return [] }
    if let manifest = try? Manifest(parsing: bytes, path: path) { return Array(manifest.files) }
    return bytes.split(separator: UInt8(ascii: "\n")).flatMap { line in
      (try? Manifest(parsing: Array(line), path: path)).map { Array($0.files) } ?? []
    }
  }

  /// - Parameter most: bytes that are wanted of its beginning.
  static func contents(
    of path: FilePath,
    _ limit: Int64,
    atMost most: Int = .max
  ) throws(CleaveError) -> [UInt8] {
    let file = try InputFile(opening: path)
    guard file.size <= limit else {
      throw CleaveError(
        .badData,
        path,
        "has \(file.size) bytes, more than the \(limit) of the largest manifest"
      )
    }
    return try [UInt8](capacity: min(Int(file.size), most)) { buffer throws(CleaveError) in
      try file.read(into: buffer, at: 0)
      return buffer.count
    }
  }
}
