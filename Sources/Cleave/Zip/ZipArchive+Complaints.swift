package import Posix

// What is wrong with a zip, in words, and which part it shows in.
extension ZipArchive {
  /// The error for a fault, with the part that it shows in.
  func describe(_ fault: ZipFault) -> CleaveError {
    Self.describe(fault, bytes.layout.paths[bytes.layout.parts - 1])
  }

  package static func describe(_ fault: ZipFault, _ path: FilePath) -> CleaveError {
    switch fault {
    case .reading(let error): error
    case .noEnd:
      CleaveError(.badData, path, "is damaged: it does not end with the end record of a zip")
    case .isDisk(let disk):
      CleaveError(.badData, path, "is part \(Int64(disk) + 1) of a split zip, not a whole one")
    case .wrongDisk(let disk):
      CleaveError(.badData, path, "is part \(Int64(disk) + 1) of its zip, by its end record")
    case .encryptedDirectory:
      CleaveError(
        .badData,
        path,
        "the zip's central directory is encrypted, which only the program that made it can read"
      )
    case .noDirectory:
      CleaveError(
        .badData,
        path,
        "the zip's central directory is not where its end record says: a part is damaged, missing "
          + "or does not belong"
      )
    case .directorySize(let size, let told):
      CleaveError(.badData, path, "is damaged: its directory has \(size) bytes, not \(told)")
    case .contradiction(let text): CleaveError(.badData, path, "is damaged: \(text)")
    }
  }

  func overlap(_ place: EntryPlace, at next: Int64) -> CleaveError {
    let part = bytes.layout.part(at: next)
    return CleaveError(
      .badData,
      bytes.layout.path(at: place.start),
      "entries of the zip overlap at \(next - bytes.layout.starts[part])"
    )
  }

  /// The error where a part of a split zip has too many bytes or too few.
  ///
  /// - Parameters:
  ///   - excess: bytes too many, or below 0 bytes that are missing.
  ///   - first: the part in which the entry begins that shows it.
  ///   - last: the part behind it in which the next entry, or the directory, begins.
  func wrongSize(_ excess: Int64, _ first: Int, _ last: Int) -> CleaveError {
    let layout = bytes.layout
    let sizes = Set((0..<(layout.parts - 1)).map { layout.range($0).count })
    if layout.parts > 2, sizes.count == 1, let size = sizes.first {
      return CleaveError(
        .badData,
        layout.paths[layout.part(at: directoryStart)],
        "its directory contradicts the other parts, which have \(size) bytes each: \(Self.amount(excess)) between an "
          + "entry of \(layout.paths[first].lastComponent) and what is behind it; one of them is damaged"
      )
    }
    if let odd = MiscutPart(among: first...(last - 1), of: layout, excess: excess) {
      return CleaveError(.badData, layout.paths[odd.part], Sentence(odd.text))
    }
    return CleaveError(
      .badData,
      layout.paths[first],
      "is too \(excess < 0 ? "short" : "long"), or a part behind it is: "
        + "\(Self.amount(excess)) between its start and the start of "
        + "\(layout.paths[last].lastComponent)\(orDirectory)"
    )
  }

  /// The error where the directory tells another size of an entry's data than the header or the
  /// descriptor beside the data.
  func otherSize(_ place: EntryPlace, _ own: Int64) -> CleaveError {
    let layout = bytes.layout
    return CleaveError(
      .badData,
      layout.paths[layout.part(at: directoryStart)],
      "its directory contradicts \(layout.path(at: place.start).lastComponent), in which an entry "
        + "begins that has \(own.counted("byte")) by its own header and \(place.dataCount) by the "
        + "directory; one of them is damaged"
    )
  }

  /// The error where the directory is not where the end record tells, because something was put in
  /// front of it or taken away.
  func shiftedDirectory(_ part: Int) -> CleaveError {
    let amount = directoryShift.magnitude.counted("byte")
    let (size, place) =
      directoryShift < 0 ? ("short", "in front of") : ("long", "behind")
    return CleaveError(
      .badData,
      bytes.layout.paths[part],
      "is \(amount) too \(size): its directory is \(amount) \(place) where its end record says"
    )
  }

  /// `1 byte is missing`, `36 bytes are too many`.
  private static func amount(_ excess: Int64) -> String {
    let count = excess.magnitude.counted("byte is", "bytes are")
    return "\(count) \(excess < 0 ? "missing" : "too many")"
  }

  /// Says in which part bytes are missing, or too many, when the end of the zip is known to be shifted
  /// by so many: from where on entries are shifted, too.
  func hole(_ excess: Int64) throws(CleaveError) -> CleaveError {
    var last: Int64?
    var next = directoryStart
    var directory = directory
    while let record = try directory.record(in: self) {
      guard let told = Int64(exactly: record.offset) else { continue }
      if try LocalHeader(bytes, at: told, of: record) != nil {
        last = max(last ?? 0, told)
      } else if let place = position(of: record),
        try LocalHeader(bytes, at: place, of: record) != nil
      {
        next = min(next, place)
      }
    }
    let layout = bytes.layout
    let from = last.map(layout.part) ?? 0
    let behind = layout.part(at: next)
    let to = layout.starts[behind] == next ? behind - 1 : behind
    return Self.wrongSize(layout, from...max(from, to), excess)
  }

  /// The error where parts of a zip that was cut anywhere have too many bytes together, or too few.
  static func wrongSize(
    _ layout: PartLayout,
    _ parts: ClosedRange<Int>,
    _ excess: Int64
  ) -> CleaveError {
    if layout.parts == 1 {
      return CleaveError(.badData, layout.paths[0], "is damaged: \(amount(excess)) in it")
    }
    if let odd = MiscutPart(among: parts, of: layout, excess: excess) {
      return CleaveError(.badData, layout.paths[odd.part], Sentence(odd.text))
    }
    return CleaveError(
      .badData,
      layout.paths[parts.lowerBound],
      "the parts do not make a whole zip: \(amount(excess)) "
        + "from it to \(layout.paths[parts.upperBound].lastComponent)"
    )
  }

  func outside(_ record: CentralRecord) -> CleaveError {
    guard addressing == .disks, record.disk < bytes.layout.parts else {
      return describe(.contradiction("'\(record.name)' should begin outside of the zip"))
    }
    let part = Int(record.disk)
    let path = bytes.layout.paths[part]
    let size = bytes.layout.range(part).count
    if size == 0 { return CleaveError(.badData, path, "is empty: '\(record.name)' begins in it") }
    return CleaveError(
      .badData,
      path,
      "is too short: it has \(size) bytes, and '\(record.name)' should begin at \(record.offset)\(orDirectory)"
    )
  }

  /// Where places are those in one of several parts, a wrong one may be the directory's fault.
  private var orDirectory: String {
    let part = bytes.layout.part(at: directoryStart)
    return addressing == .disks && bytes.layout.parts > 1
      ? ", or the directory in \(bytes.layout.paths[part].lastComponent) is damaged" : ""
  }

  /// The header of an entry is not where it should be: says whether it is in another part.
  func misplaced(_ record: CentralRecord, at position: Int64) throws(CleaveError) -> CleaveError {
    if case .whole(let shift) = addressing, shift > 0, let told = Int64(exactly: record.offset),
      try LocalHeader(bytes, at: told, of: record) != nil
    {
      return try hole(shift)
    }
    let layout = bytes.layout
    let part = layout.part(at: position)
    let offset = position - layout.starts[part]
    for other in 0..<layout.parts where other != part && layout.range(other).count > offset {
      if try LocalHeader(bytes, at: layout.starts[other] + offset, of: record) != nil {
        // The parts of a split zip make no zip by being joined, in whatever order.
        let isCut = if case .whole = addressing { true } else { false }
        let way: Sentence = isCut ? "; \(CleaveError.reordering)" : ""
        return CleaveError(
          .badData,
          layout.paths[part],
          "the parts are in the wrong order: what belongs here is in "
            + "\(layout.paths[other].lastComponent)\(orDirectory)\(way)"
        )
      }
    }
    if let excess = try shift(of: record, at: position, in: part) {
      return Self.wrongSize(layout, part...part, excess)
    }
    let whose = layout.parts == 1 ? "is damaged" : "does not belong to the others, or is damaged"
    return CleaveError(
      .badData,
      layout.paths[part],
      "\(whose): '\(record.name)' should begin at \(offset) in it\(orDirectory)"
    )
  }

  /// By how many bytes a header in a part of a split zip is off, where the part is just as much longer
  /// than others, or shorter.
  private func shift(
    of record: CentralRecord,
    at position: Int64,
    in part: Int
  ) throws(CleaveError) -> Int64? {
    guard addressing == .disks else { return nil }
    let layout = bytes.layout
    let size = layout.range(part).count
    let others = Set((0..<(layout.parts - 1)).map { layout.range($0).count })
    for other in others.subtracting([size]).sorted().prefix(100) {
      let excess = Int64(size - other)
      if try LocalHeader(bytes, at: position + excess, of: record) != nil { return excess }
    }
    return nil
  }
}
