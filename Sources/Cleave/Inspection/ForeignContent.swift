internal import Posix

/// Files that look like parts by their names, but must not be joined by what is in them.
///
/// What is refused here is certain: text, raw bytes and pieces of one file that was cut anywhere pass.
struct ForeignContent {
  /// The name of the whole; nil of files that are not named like the parts of one.
  let base: FilePath?
  /// Whether a manifest tells of a part.
  let isListed: (FilePath) -> Bool
  let heads: PartHeads

  /// - Throws: the error of reading.
  init(
    of parts: JoinedBytes,
    base: FilePath?,
    isListed: @escaping (FilePath) -> Bool = { _ in false }
  ) throws(CleaveError) {
    (self.base, self.isListed) = (base, isListed)
    heads = try PartHeads(of: parts)
  }

  /// - Throws: `.badData`, with the program to use instead; the error of reading.
  func refuse() throws(CleaveError) {
    try refuseStandIns()
    try refuseVolumes()
    try refuseWholes()
  }

  private static func remedy(_ text: String) -> Sentence {
    "\(text); \(.format(.raw)) joins the bytes"
  }

  private static func refusal(_ head: PartHeads.Head, _ text: String) -> CleaveError {
    .ofWholeFile(head.path, remedy(text))
  }
}

// MARK: What was saved instead of a part

extension ForeignContent {
  private func refuseStandIns() throws(CleaveError) {
    guard let first = heads.typical.first else { return }
    for head in heads.all {
      guard let standIn = StandIn(head.bytes, size: head.size) else { continue }
      if try isExpected(standIn, head, first) { continue }
      throw CleaveError(.badData, head.path, Self.remedy(standIn.said))
    }
  }

  /// Whether it may be what the whole holds.
  private func isExpected(
    _ standIn: StandIn,
    _ head: PartHeads.Head,
    _ first: PartHeads.Head
  ) throws(CleaveError) -> Bool {
    if case .pointer = standIn { return false }
    let name = base ?? head.path
    if standIn.endings.contains(where: name.endsFolded) {
      return head.index == 0 || isListed(head.path) || !standIn.isOther(than: first.bytes)
    }
    let isText = Self.textEndings.contains(where: name.endsFolded)
    if isText, isListed(head.path) { return true }
    if head.index == 0, try isFollowed(standIn, head) { return false }
    if isText, head.index == 0 { return true }
    if FileFormat.promised(by: name) != nil { return false }
    // Of pages alone, none is a part of something else.
    if !isText, heads.typical.count > 1, heads.typical.allSatisfy(Self.isPage) { return false }
    if head.index > 0 { return standIn.isText(like: first.bytes) }
    // Text has no zeros.
    return !heads.typical.dropFirst().contains { $0.bytes.contains(0) }
  }

  /// Whether the first part ends as such a text does, and none of the others goes on with one.
  private func isFollowed(
    _ standIn: StandIn,
    _ first: PartHeads.Head
  ) throws(CleaveError) -> Bool {
    let others = heads.typical.dropFirst()
    guard base != nil, !isListed(first.path), !others.isEmpty,
      !others.contains(where: { standIn.isText(like: $0.bytes) }),
      let tail = try heads.tail(Int(min(first.size, Self.tailSize)), of: first)
    else { return false }
    return standIn.ends(tail)
  }

  /// Bytes in which the end of a text is looked for, with what is behind it; nobody measured it.
  private static let tailSize: Int64 = 64

  private static func isPage(_ head: PartHeads.Head) -> Bool {
    if case .page? = StandIn(head.bytes, size: head.size) { true } else { false }
  }

  /// Of what may begin like anything, but hardly in the middle.
  private static let textEndings = [".txt", ".csv", ".log", ".md", ".json", ".jsonl", ".ndjson"]
}

// MARK: Volumes

extension ForeignContent {
  private func refuseVolumes() throws(CleaveError) {
    guard let first = heads.typical.first else { return }
    let second = heads.typical.dropFirst().first
    if let kind = first.format?.kind, RARHeader.isVolume(first.bytes, kind) == true,
      second?.format?.kind == kind || second == nil
    {
      throw Self.refusal(first, "is a RAR volume: \(ForeignTool.rar)")
    }
    for head in [first, second].compactMap({ $0 }) where TarHeader.isLaterVolume(head.bytes) {
      throw Self.refusal(head, "is a volume of 'tar -M': \(ForeignTool.tar)")
    }
    if first.format?.kind == .hacha {
      throw Self.refusal(first, "begins with a header of Hacha's: \(ForeignTool.hacha)")
    }
  }
}

// MARK: Wholes

extension ForeignContent {
  private func refuseWholes() throws(CleaveError) {
    guard let first = heads.typical.first, let format = first.format,
      let other = try other(like: first, format)
    else { return }
    let tool = format.tool.map { ", and \($0)" } ?? ""
    var error = Self.refusal(
      first,
      "is \(format.name) of its own, and so is \(other.name): they are not parts of one file\(tool)"
    )
    // One of `f.pdf.001` and `f.pdf.002` may be there twice.
    error.mayBeOfPart = PartName.readings(of: first.path.lastComponent).contains {
      $0.style.isCertain
    }
    throw error
  }

  /// Another part that is of the same format by itself; nil where the parts may be pieces of one file.
  private func other(
    like first: PartHeads.Head,
    _ format: FileFormat
  ) throws(CleaveError) -> PartHeads.Head? {
    let others = heads.typical.dropFirst()
    let alike = others.filter { $0.format?.kind == format.kind }
    guard let other = alike.first else { return nil }
    switch format.joining {
    case .freely: return nil
    case .asStream:
      // A stream may have been cut between two of its members, but hardly every time.
      guard alike.count == others.count, !mayBeStream(first) else { return nil }
    case .never: if format.isShort, alike.count < others.count { return nil }
    }
    return try areWholes([first] + alike, format.kind) ? other : nil
  }

  /// Whether a compressed stream is wanted: files with names of their own, and no archives.
  private func mayBeStream(_ first: PartHeads.Head) -> Bool {
    guard base == nil else { return false }
    let name = SplitZipName.folded(first.name.bytes)
    return !name.contains(".tar.".utf8) && !first.name.endsFolded(in: ".tgz")
  }

  /// What a look at more than the first bytes says.
  private func areWholes(
    _ wholes: [PartHeads.Head],
    _ kind: FileFormat.Kind
  ) throws(CleaveError) -> Bool {
    switch kind {
    case .zip:
      // A piece of a zip with many small entries may begin with one.
      for head in wholes.prefix(2) where try ZipArchive.isWhole(heads.parts.part(head.index)) {
        return true
      }
      return false
    case .tar:
      guard try end(wholes, 1024, { $0.allSatisfy { $0 == 0 } }) else { return false }
      // The zeros may be those of a file in it.
      for head in wholes {
        switch try TarWalk(heads.parts.part(head.index)).end {
        case .cut, .boundary: return false
        case .zeros, .unknown: continue
        }
      }
      return true
    // It ends as it begins.
    case .parquet: return try end(wholes, 4) { FileFormat.of(kind).begins($0) }
    default: return true
    }
  }

  private func end(
    _ wholes: [PartHeads.Head],
    _ count: Int,
    _ isEnd: ([UInt8]) -> Bool
  ) throws(CleaveError) -> Bool {
    for head in wholes {
      guard let tail = try heads.tail(count, of: head), isEnd(tail) else { return false }
    }
    return true
  }
}
