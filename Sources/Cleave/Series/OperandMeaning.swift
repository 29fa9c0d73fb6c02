package import Posix

/// What operands stand for: a manifest for the parts that it names, a directory for its only series.
package struct OperandMeaning {
  package private(set) var operands: [FilePath]
  package private(set) var choice: ManifestChoice

  /// - Throws: `.missingInput` where a directory or a manifest has no parts, `.badData` for a directory
  ///   with several series; the error of reading either.
  package init(
    _ operands: [FilePath],
    _ choice: ManifestChoice,
    _ family: NamingStyle.Family?
  ) throws(CleaveError) {
    self.operands = operands
    self.choice = choice
    guard operands.count == 1, operands != ["-"] else { return }
    let path = operands[0]
    let status: FileStatus?
    do { status = try FileStatus.ifPresent(path) } catch { throw .reading(error) }
    switch status?.kind {
    case .directory?: self.operands = [try SeriesDirectory(path).onlyPart(as: family)]
    case .regular? where Manifest.isName(path) && choice == .automatic:
      self.operands = [try Self.part(in: Manifest(reading: path))]
      self.choice = .file(path)
    case .regular? where choice == .automatic:
      guard let metadata = Manifest.rcloneMetadata(path), let part = try metadata.partsFound.first
      else { return }
      self.operands = [part]
      self.choice = .file(path)
    default: break
    }
  }

  /// A part that a manifest is about.
  private static func part(in manifest: Manifest) throws(CleaveError) -> FilePath {
    let files = manifest.entries.map { manifest.file($0) }
    for file in files {
      let isPart = PartName.readings(of: file.lastComponent).contains(where: \.style.isCertain)
      if isPart || SplitZipName(file.lastComponent) != nil { return file }
    }
    if let first = files.first { return first }
    guard let first = try manifest.partsFound.first else {
      throw CleaveError(.missingInput, manifest.path, "names no parts")
    }
    return first
  }
}
