import Posix

extension ZipArchive {
  /// The zip that files make when their bytes are put together in this order, or nil where they make
  /// something else. Every entry has been found where it should be.
  ///
  /// - Parameter isNamedZip: whether a zip is expected, also where the first bytes are not those of
  ///   one.
  /// - Throws: `.missingInput` where the last part seems to be missing, `.badData` for other reasons
  ///   why a zip is not whole.
  package static func held(
    by sources: [SourceFile],
    isNamedZip: Bool = false
  ) throws(CleaveError) -> ZipArchive? {
    guard let first = sources.first, let last = sources.last, sources.totalSize > 0 else {
      return nil
    }
    let parts = try ZipParts(sources)
    guard try parts.mayBeZip(isNamedZip) else { return nil }
    do throws(ZipFault) {
      let archive = try ZipArchive(parts, as: .whole)
      try ZipFault.reading { () throws(CleaveError) in
        try archive.requireEntries()
        try parts.close()
      }
      return archive
    } catch {
      if case .reading(let error) = error { throw error }
      // There is no other reason for such an end, whatever the start looks like.
      if case .isDisk(let disk) = error { throw partOfSplit(disk, parts) }
      guard try parts.looksLikeZip(isNamedZip) else { return nil }
      if error == .noEnd { throw try withoutEnd(parts) }
      throw describe(error, sources.count > 1 ? last.path : first.path)
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
        "the parts are in the wrong order, or the last ones do not belong: the end of the zip is here"
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
    let many = parts.layout.parts > 1
    return CleaveError(
      .badData,
      parts.layout.paths[0],
      "\(many ? "the parts hold" : "is") part \(Int64(disk) + 1), the last one, of a split zip, not "
        + "a whole zip\(many ? "; --format=raw joins them all the same" : "")"
    )
  }
}

extension ZipParts {
  /// Whether the end is worth a look: by the name, or by a first part that begins like a zip, or like
  /// a program, which may unpack itself.
  fileprivate func mayBeZip(_ isNamedZip: Bool) throws(CleaveError) -> Bool {
    guard !isNamedZip, let head = try bytes(4, at: 0) else { return isNamedZip }
    return head.starts(with: "PK".utf8) || head.starts(with: "MZ".utf8)
      || head.starts(with: "#!".utf8) || head[1...].starts(with: "ELF".utf8)
  }

  /// Whether a zip is what was meant: by the first bytes of the parts together, or by the end of one
  /// and the start of another.
  fileprivate func looksLikeZip(_ isNamedZip: Bool) throws(CleaveError) -> Bool {
    if let head = try bytes(6, at: 0) {
      if head.has(.localHeader, at: 0) || head.has(.singleMarker, at: 0) { return true }
      if head.has(.splitMarker, at: 0), head[4] == 0x50, head[5] == 0x4B { return true }
    }
    guard isNamedZip, layout.parts > 1, try partWithEnd() != nil else { return false }
    for part in 0..<layout.parts where layout.range(part).count >= LocalHeader.fixedLength {
      if let head = try bytes(4, at: layout.starts[part]), head.has(.localHeader, at: 0) {
        return true
      }
    }
    return false
  }

  /// The first part that ends with an end record; only looked for among so many parts that it takes
  /// no time.
  fileprivate func partWithEnd() throws(CleaveError) -> Int? {
    for part in 0..<min(layout.parts, 1000) {
      let alone = try ZipParts([sources[part]])
      do throws(ZipFault) {
        if try !EndRecords.candidates(in: alone).isEmpty { return part }
      } catch {
        throw ZipArchive.describe(error, sources[part].path)
      }
    }
    return nil
  }
}
