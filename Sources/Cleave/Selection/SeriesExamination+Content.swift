internal import Posix

/// What the bytes tell: how the parts begin, and where they end.
extension SeriesExamination {
  func lookAtStart(_ evidence: inout Evidence) throws(CleaveError) {
    guard whole == nil else { return }
    let count = min(FileFormat.headSize, Int(clamping: parts.count))
    // That of a small first part goes on in the next.
    let known = heads?.typical.first?.bytes
    let head = try known?.count == count ? known ?? [] : parts.bytes(count, at: 0) ?? []
    let promised = FileFormat.promised(by: series.base)
    let elsewhere = promised == nil ? begunElsewhere(head) : nil
    guard let format = promised ?? elsewhere else { return doubtFirst(head, &evidence) }
    if format.begins(head) { return evidence.confirm(.content, "begins like \(format.name)") }
    let text: Sentence = "the parts do not begin like \(format.name)"
    let first = try start(of: format)
    let cause: Sentence =
      first.map { ", but \($0) does: they are in the wrong order; \(CleaveError.reordering)" }
      ?? ", so that the first may be missing"
    guard !isListed else { return evidence.note(.content, text + cause) }
    evidence.suspect(.content, doubt(.start, "\(text)\(cause); \(.format(.raw)) joins the bytes"))
  }

  private func doubtFirst(_ head: [UInt8], _ evidence: inout Evidence) {
    let form = series.form
    guard form.digits.alphabet == .decimal, series.width == 2, series.parts[0].number == 1,
      [.numbers, .digits].contains(form.family), !isFirstKnown, total == nil,
      FileFormat.of(head, size: parts.count) == nil
    else { return }
    let text: Sentence =
      "\(name(0)) is the first, and 'split -d' begins with \(series.name(0).lastComponent), which is not there; "
      + "\(.first(series.label(1))) says so"
    evidence.suspect(.name, doubt(.firstNumber, text))
  }

  /// Tables that were cut with a header in each part, and pages and dumps that are each whole.
  func lookForHeader(_ evidence: inout Evidence) throws(CleaveError) {
    guard !leavesOutHeader, let heads, let line = heads.commonLine else { return }
    for index in series.parts.indices.dropLast().prefix(Self.mostLines) where sizes[index] > 0 {
      guard try endsWithLine(index) else { return }
    }
    // What is there again and again begins a record, and not a part.
    for head in heads.typical.prefix(2) {
      let start = parts.layout.starts[head.index]
      let count = Int(min(head.size, Self.mostOfRecord))
      let text = try parts.bytes(count, at: start) ?? []
      if text.dropFirst().contains([UInt8(ascii: "\n")] + line) { return }
    }
    evidence.suspect(.content, .ofSameLine(series.base))
  }

  /// Bytes of a part in which a line is looked for that begins it.
  private static let mostOfRecord: Int64 = 1 << 16

  /// Parts of which the last byte is looked at.
  private static let mostLines = 8

  /// The file that another part begins than the first, of which the first bytes tell nothing: one of the kind that has
  /// such a name; or where the name tells nothing, too, what files of some size often are. Disk images hold such files.
  private func begunElsewhere(_ head: [UInt8]) -> FileFormat? {
    guard FileFormat.of(head, size: parts.count) == nil else { return nil }
    let name = series.base.lastComponent.bytes
    let ending = name.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].dropFirst() } ?? []
    // `backup` and `backup.2024`
    let isBare = ending.allSatisfy(\.isDigit) && !Self.mayBeDisk(head)
    return heads?.typical.dropFirst().lazy.compactMap(\.format).first { format in
      isBare
        ? format.magics[0].bytes.count > 2
          && (format.kind.proof != nil || Self.usual.contains(format.kind))
        : format.usualEndings.contains(where: series.base.endsFolded)
    }
  }

  private static let usual: [FileFormat.Kind] = [.zip, .bzip2, .mp4, .matroska, .riff]

  /// Whether first bytes may be those of a raw disk, which begins with a boot sector, nothing, or what a file system or a
  /// volume has; or of text, in which files of other kinds may be.
  private static func mayBeDisk(_ head: [UInt8]) -> Bool {
    let marks = [
      (510, [0x55, 0xAA]), (0, Array("XFSB".utf8)), (32, Array("NXSB".utf8)),
      (0, Array("LUKS".utf8)), (0, Array("hsqs".utf8)), (512, Array("EFI PART".utf8)),
      (512, Array("PM".utf8)), (536, Array("LVM2".utf8)), (0, Array("070701".utf8)),
    ]
    return marks.contains { head.dropFirst($0).starts(with: $1) }
      || head.prefix(512).allSatisfy { $0 == 0 } || head.isText
  }

  /// Another part than the first that begins like the whole.
  func start(of format: FileFormat) throws(CleaveError) -> FilePath? {
    for (index, part) in series.parts.enumerated().dropFirst().prefix(Self.mostStarts) {
      let count = Int(min(Int64(FileFormat.headSize), part.size))
      let head = try parts.bytes(count, at: parts.layout.starts[index]) ?? []
      if format.begins(head) { return part.path.lastComponent }
    }
    return nil
  }

  /// Parts that are looked at; where there are more, the first is more likely to be missing.
  private static let mostStarts = 1000

  /// - Returns: a doubt that is told behind those about files that may be the next part.
  mutating func lookAtEnd(_ evidence: inout Evidence) throws(CleaveError) -> Doubt? {
    let end: ContentEnd
    do throws(CleaveError) {
      end = try ContentEnd(of: parts, in: series)
    } catch {
      guard whole != nil, error.system == nil else { throw error }
      evidence.note(.end, error.sentence)
      return nil
    }
    switch end {
    case .exact(let text):
      evidence.confirm(.end, Sentence(text))
      evidence.knowEnd()
      isExact = true
    case .seen(let text):
      evidence.confirm(.end, Sentence(text))
      hasLookedAtEnd = true
    case .absent(let text, let isCut):
      let sizes = sizes
      // Where a part was cut short, that is why.
      let isOdd = OddPart(sizes) != nil && reading.bounds.last == nil
      if isOdd || whole != nil || isTotalListed || total != nil && (!isCut || isListed) {
        evidence.note(.end, Sentence(text))
        return nil
      }
      hasLookedAtEnd = true
      // That the parts are all says nothing of what is in them.
      if reading.bounds.last != nil { return doubt(.vouchedFor, Sentence(text)) }
      let cause =
        total == Int64(series.parts.count)
        ? "a part may have been cut short"
        : SizePattern(sizes) == .shorterLast
          ? "\(name(sizes.count - 1)), which is shorter than the others, may have been cut short"
          : "\(series.following.lastComponent) may be missing"
      return ContentEnd.doubt(text, of: series.base, cause)
    case .before(let part, let text):
      evidence.note(.end, Sentence(text))
      if isListed || whole != nil || total != nil || reading.bounds.last != nil { return nil }
      let last = series.label(series.parts[part - 1].number)
      return doubt(
        .size,
        "\(text), which end with \(name(part - 1)), so that \(name(part)) is hardly a part of it: \(.last(last)) "
          + "leaves it out, \(.format(.raw)) joins all"
      )
    case .unknown: evidence.note(.end, "nothing inside tells where the last part ends")
    }
    return nil
  }

  /// Whether the parts end with lines, as those of `split -l` do, whose sizes differ.
  func areLines(with odd: Int) throws(CleaveError) -> Bool {
    // Many texts have no end of their last line.
    let indices = Set(sizes.indices.dropLast().prefix(Self.mostLines)).union([odd])
    for index in indices where sizes[index] > 0 {
      guard try endsWithLine(index) else { return false }
    }
    return true
  }

  private func endsWithLine(_ index: Int) throws(CleaveError) -> Bool {
    let end = try parts.bytes(1, at: parts.layout.starts[index + 1] - 1)
    return end == [UInt8(ascii: "\n")]
  }
}
