import Posix

extension ZipArchive {
  /// A zip that was looked for, and is whole.
  struct Found {
    let archive: ZipArchive
    /// `.zipPieces`, also of one file, or `.splitZip`.
    var kind = Selection.Kind.zipPieces
    /// What is put right where it is written anew.
    var repairs: [HeaderRepair] = []

    init(_ archive: ZipArchive) { self.archive = archive }

    /// Of files that are the parts of a split zip, under whatever names.
    init(_ zip: SplitZip) {
      archive = zip.archive
      if !zip.isRaw { (kind, repairs) = (.splitZip, zip.repairs) }
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
  static func held(
    by parts: JoinedBytes,
    mayBeAnywhere: Bool = false
  ) throws(CleaveError) -> Found? {
    guard parts.count > 0 else { return nil }
    if !mayBeAnywhere, try !parts.beginsLikeZipOrProgram(), try !parts.lacksStartOfZip() {
      return nil
    }
    do throws(CleaveError) {
      return try held(by: parts, mayBeAnywhere)
    } catch {
      throw parts.layout.parts > 1 ? error.offeringRaw : error
    }
  }

  /// The same, and no remedy is offered.
  static func held(
    by parts: JoinedBytes,
    _ mayBeAnywhere: Bool
  ) throws(CleaveError) -> Found? {
    do throws(ZipFault) {
      var archive = try ZipArchive(parts, as: .whole)
      try ZipFault.reading { () throws(CleaveError) in
        try archive.examineEntries()
        try archive.requireNoneAround()
        try parts.close()
      }
      return Found(archive)
    } catch {
      if case .reading(let error) = error { throw error }
      if error == .noEnd, let zip = try heldInFront(parts) { return zip }
      if case .isDisk(let disk) = error {
        do throws(CleaveError) {
          if let zip = try SplitZip(inOrder: parts) { return Found(zip) }
        } catch {
          throw error.system == nil ? concatenated(disk, parts) ?? error : error
        }
        // There is no other reason for such an end, whatever the start looks like.
        throw concatenated(disk, parts) ?? partOfSplit(disk, parts)
      }
      // A directory with all its records is that of a zip, whatever is in front of it.
      if case .directorySize = error { throw try complaint(error, parts) }
      guard try parts.looksLikeZip(anywhere: mayBeAnywhere) else { return nil }
      throw try complaint(error, parts)
    }
  }

  /// The zip with bytes behind its end, if that is what the files make: only where all of it is as its
  /// records say.
  private static func heldInFront(_ parts: JoinedBytes) throws(CleaveError) -> Found? {
    guard try parts.beginsLikeZipOrProgram() else { return nil }
    do throws(ZipFault) {
      var archive = try ZipArchive(parts, as: .whole, before: .something)
      guard archive.bytesBehindAreIts else { return nil }
      do throws(CleaveError) {
        try archive.examineEntries()
        try parts.close()
      } catch {
        if error.kind != .badData || error.system != nil { throw ZipFault.reading(error) }
        return nil
      }
      return Found(archive)
    } catch {
      switch error {
      case .reading(let error): throw error
      case .isDisk: return try SplitZip(inOrder: parts).map(Found.init)
      default: return nil
      }
    }
  }

  private static func complaint(
    _ fault: ZipFault,
    _ parts: JoinedBytes
  ) throws(CleaveError) -> CleaveError {
    let layout = parts.layout
    switch fault {
    case .noEnd: return try withoutEnd(parts)
    case .noDirectory(let excess) where excess != 0:
      return wrongSize(layout, 0...(layout.parts - 1), excess)
    default: return describe(fault, layout.last)
    }
  }

  /// Whether a file is a zip by itself, from its first byte to its last, and no part of a split one.
  static func isWhole(_ file: JoinedBytes) throws(CleaveError) -> Bool {
    do throws(ZipFault) {
      return try ZipArchive(file, as: .whole).addressing == .whole(shift: 0)
    } catch {
      if case .reading(let error) = error { throw error }
      return false
    }
  }

  /// The joined bytes begin like a zip and do not end like one.
  private static func withoutEnd(_ parts: JoinedBytes) throws(CleaveError) -> CleaveError {
    let paths = parts.layout.paths
    guard let last = paths.last else { return .cancelled }
    if let ending = try parts.partWithEnd(), paths.count > 1 {
      let number =
        try parts.looksLikeZip(anywhere: false)
        ? PartName(paths[ending].lastComponent)?.number : nil
      let way: Sentence = number.map { "; \(.last(FilePath("\($0)"))) leaves them out" } ?? ""
      return CleaveError(
        .badData,
        paths[ending],
        "ends the zip, and is not the last part: the parts are in the wrong order, or those behind it "
          + "do not belong\(way); \(CleaveError.reordering)"
      )
    }
    if paths.count == 1, try parts.bytes(4, at: 0)?.has(.splitMarker, at: 0) ?? false {
      return CleaveError(
        .badData,
        last,
        "is the first part of a split zip, under another name: merge it with the others, all named "
          + "in their order\(.namingOutput, behind: ", and ")"
      )
    }
    if let error = try parts.cutEnd() { return error }
    let sizes = Set(parts.layout.sizes)
    if sizes.count == 1, let name = PartName(last.lastComponent) {
      let next = PartName.format(base: name.base, number: name.number + 1, width: name.width)
      return CleaveError(
        .missingInput,
        last,
        "is not the end of the zip: the last part, perhaps \(next), is missing"
      )
    }
    let text: Sentence =
      paths.count > 1
      ? "is damaged, or not the last part: it does not end with the end record of a zip"
      : "does not end with the end record of a zip: it was cut off, or other files have the rest"
    return CleaveError(.badData, last, text)
  }

  private static func last(of disk: UInt32) -> String {
    "part \(Int64(disk) + 1), the last one, of a split zip"
  }

  /// What is said of pieces that hold all parts of a split zip, one behind the other; nil of any others.
  private static func concatenated(_ disk: UInt32, _ parts: JoinedBytes) -> CleaveError? {
    let path = parts.layout.last
    guard parts.layout.parts > 1, let name = PartName(path.lastComponent),
      let repair = try? ZipRepair(parts), repair.disks == Int64(disk) + 1
    else { return nil }
    let text: Sentence = "ends \(last(of: disk)), which these have concatenated: "
    return CleaveError(
      .badData,
      path,
      text + "\(.repairing(path.sibling(name.base))) makes a zip of it once it is joined"
    )
  }

  private static func partOfSplit(_ disk: UInt32, _ parts: JoinedBytes) -> CleaveError {
    let path = parts.layout.last
    let part = last(of: disk)
    if parts.layout.parts == 1 { return CleaveError(.badData, path, "is \(part), not a whole zip") }
    return CleaveError(
      .badData,
      path,
      "ends \(part), and there are \(parts.layout.parts) parts here"
    )
  }
}

extension CleaveError {
  /// The refusal of a zip in parts, with what joins them whatever they hold.
  fileprivate var offeringRaw: CleaveError {
    guard system == nil, kind == .badData || kind == .missingInput else { return self }
    return adding("; \(.format(.raw)) joins the bytes all the same")
  }
}

extension ZipArchive {
  /// - Throws: `.missingInput` where the zip lies in an entry of another, whose end is not there.
  private func requireNoneAround() throws(CleaveError) {
    guard case .whole(let shift) = addressing, shift > 0 else { return }
    var position: Int64 = 0
    for _ in 0..<Self.mostAround where position < shift {
      guard let head = try bytes.bytes(LocalHeader.fixedLength, at: position),
        head.has(.localHeader, at: 0)
      else { return }
      // bounded: 30 bytes and twice 65,535, then 4 GiB, at a place in the file
      let names = Int64(head.uint16(at: 26)) + Int64(head.uint16(at: 28))
      let data = position + Int64(LocalHeader.fixedLength) + names
      position = data + Int64(head.uint32(at: 18))
      // The size of one with a descriptor is behind its data.
      let hasDescriptor = head.uint16(at: 6) & 8 != 0
      guard position > shift || hasDescriptor && data == shift else { continue }
      throw CleaveError(
        .missingInput,
        bytes.layout.last,
        "ends with a zip that lies in an entry of another one, and the end of that is missing"
      )
    }
  }

  /// Entries in front of a zip that are looked at.
  private static var mostAround: Int { 1 << 16 }

  /// Whether the bytes behind the end belong to the same file: they begin in the last part, or the
  /// parts have the sizes that a file gets when it is cut. Else the last parts may be those of another
  /// series.
  ///
  /// Offsets must count from the front: else the end may be that of a zip within a larger one, whose own
  /// end is missing.
  var bytesBehindAreIts: Bool {
    let layout = bytes.layout
    if case .whole(let shift) = addressing, shift != 0 { return false }
    if end.upperBound > layout.starts[layout.parts - 1] { return true }
    if layout.starts.contains(end.upperBound) || addressing == .disks { return false }
    let sizes = layout.sizes
    return Set(sizes.dropLast()).count == 1 && sizes[layout.parts - 1] <= sizes[0]
  }
}

extension JoinedBytes {
  /// Whether the end is worth a look: a program may unpack itself.
  func beginsLikeZipOrProgram() throws(CleaveError) -> Bool {
    guard let head = try bytes(4, at: 0) else { return false }
    return FileFormat.begun(by: head)?.kind.mayHoldZip ?? false
  }

  /// Whether parts that begin like nothing end a zip, by whose records it has no bytes in front of it that it does not
  /// count: what is in front is not what belongs there.
  fileprivate func lacksStartOfZip() throws(CleaveError) -> Bool {
    let count = min(FileFormat.headSize, Int(clamping: self.count))
    // Of parts on another machine, no more is read than is needed.
    guard layout.parts > 1, !layout.paths.contains(where: \.isRemote),
      let head = try bytes(count, at: 0),
      FileFormat.begun(by: head) == nil
    else { return false }
    do throws(ZipFault) {
      let archive = try ZipArchive(self, as: .whole)
      guard case .whole(let shift) = archive.addressing else { return false }
      return shift <= 0 && archive.summary.entries > 0
    } catch {
      if case .reading(let error) = error { throw error }
      return false
    }
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
      let alone = self.part(part)
      do throws(ZipFault) {
        if try EndRecords.candidates(in: alone).isEmpty { continue }
      } catch {
        throw ZipArchive.describe(error, layout.paths[part])
      }
      if layout.parts == 1 { return part }
      if try !ZipArchive.isWhole(alone) { return part }
    }
    return nil
  }

  /// To look into so many takes some 15 ms.
  private static let mostLookedAt = 1000
}
