import Posix

/// The zip that files hold together.
package enum HeldZip: Sendable {
  /// Cut anywhere, or not at all.
  case zip(ZipArchive)
  /// The files are its parts, under whatever names.
  case splitZip(SplitZip)

  package var archive: ZipArchive {
    switch self {
    case .zip(let archive): archive
    case .splitZip(let zip): zip.archive
    }
  }
}

extension ZipArchive {
  /// The zip that files make in this order, or nil where they make something else. Every entry has
  /// been found where it should be.
  ///
  /// - Parameter mayBeAnywhere: whether a zip is looked for where the first bytes are not those of
  ///   one, too: in every file.
  /// - Throws: `.missingInput` where the last part seems to be missing, `.badData` for other reasons
  ///   why a zip is not whole.
  package static func held(
    by sources: [SourceFile],
    mayBeAnywhere: Bool = false
  ) throws(CleaveError) -> HeldZip? {
    guard let first = sources.first, let last = sources.last, sources.totalSize > 0 else {
      return nil
    }
    let parts = try ZipParts(sources)
    if !mayBeAnywhere, try !parts.beginsLikeZipOrProgram() { return nil }
    do throws(ZipFault) {
      let archive = try ZipArchive(parts, as: .whole)
      try ZipFault.reading { () throws(CleaveError) in
        try archive.requireEntries()
        try parts.close()
      }
      return .zip(archive)
    } catch {
      if case .reading(let error) = error { throw error }
      if case .isDisk(let disk) = error {
        if let zip = try SplitZip(inOrder: sources) { return .splitZip(zip) }
        // There is no other reason for such an end, whatever the start looks like.
        throw partOfSplit(disk, parts)
      }
      guard try parts.looksLikeZip(anywhere: mayBeAnywhere) else { return nil }
      if error == .noEnd { throw try withoutEnd(parts) }
      throw describe(error, sources.count > 1 ? last.path : first.path)
    }
  }

  /// Whether a file is a zip by itself, from its first byte to its last, and no part of a split one.
  static func isWhole(_ source: SourceFile) throws(CleaveError) -> Bool {
    let parts = try ZipParts([source])
    do throws(ZipFault) {
      return try ZipArchive(parts, as: .whole).addressing == .whole(shift: 0)
    } catch {
      if case .reading(let error) = error { throw error }
      return false
    }
  }

  /// The joined bytes begin like a zip and do not end like one.
  private static func withoutEnd(_ parts: ZipParts) throws(CleaveError) -> CleaveError {
    let paths = parts.layout.paths
    guard let last = paths.last else { return .cancelled }
    if let ending = try parts.partWithEnd(), paths.count > 1 {
      return CleaveError(
        .badData,
        paths[ending],
        "the parts are in the wrong order, or the last ones do not belong, which --last=N leaves out: "
          + "the end of the zip is here"
      )
    }
    if paths.count == 1, try parts.bytes(4, at: 0)?.has(.splitMarker, at: 0) ?? false {
      return CleaveError(
        .badData,
        last,
        "is the first part of a split zip, under another name: merge it with the others, all named "
          + "in their order, and -o OUT"
      )
    }
    let sizes = Set(parts.sources.map(\.status.size))
    if sizes.count == 1, let name = PartName(last.lastComponent) {
      let next = PartName.format(base: name.base, number: name.number + 1, width: name.width)
      return CleaveError(
        .missingInput,
        last,
        "is not the end of the zip: the last part, perhaps \(next), is missing"
      )
    }
    return CleaveError(
      .badData,
      last,
      "is damaged\(paths.count > 1 ? ", or not the last part" : ""): it does not end with the end record of a zip"
    )
  }

  private static func partOfSplit(_ disk: UInt32, _ parts: ZipParts) -> CleaveError {
    let path = parts.layout.paths[parts.layout.parts - 1]
    let part = "part \(Int64(disk) + 1), the last one, of a split zip"
    if parts.layout.parts == 1 { return CleaveError(.badData, path, "is \(part), not a whole zip") }
    return CleaveError(
      .badData,
      path,
      "ends \(part), and there are \(parts.layout.parts) parts here; --format=raw joins their bytes "
        + "all the same"
    )
  }
}

extension ZipParts {
  /// Whether the end is worth a look: a program may unpack itself.
  func beginsLikeZipOrProgram() throws(CleaveError) -> Bool {
    guard let head = try bytes(4, at: 0) else { return false }
    return head.starts(with: "PK".utf8) || head.starts(with: "MZ".utf8)
      || head.starts(with: "#!".utf8) || head[1...].starts(with: "ELF".utf8)
  }

  /// Whether a zip is what was meant: by the first bytes of the parts together, or by the end of one
  /// and the start of another.
  fileprivate func looksLikeZip(anywhere: Bool) throws(CleaveError) -> Bool {
    if let head = try bytes(6, at: 0), Self.isStart(head) { return true }
    guard anywhere, layout.parts > 1, try partWithEnd() != nil else { return false }
    for part in 0..<min(layout.parts, Self.mostLookedAt) where layout.range(part).count >= 6 {
      if let head = try bytes(6, at: layout.starts[part]), Self.isStart(head) { return true }
    }
    return false
  }

  private static func isStart(_ head: [UInt8]) -> Bool {
    head.has(.localHeader, at: 0) || head.beginsWithMarker
  }

  /// The first part that ends with the end record of a zip that it does not hold by itself.
  fileprivate func partWithEnd() throws(CleaveError) -> Int? {
    for part in 0..<min(layout.parts, Self.mostLookedAt) {
      let alone = try ZipParts([sources[part]])
      do throws(ZipFault) {
        if try EndRecords.candidates(in: alone).isEmpty { continue }
      } catch {
        throw ZipArchive.describe(error, sources[part].path)
      }
      if layout.parts == 1 { return part }
      if try !ZipArchive.isWhole(sources[part]) { return part }
    }
    return nil
  }

  /// So many parts that it takes no time.
  private static let mostLookedAt = 1000
}
