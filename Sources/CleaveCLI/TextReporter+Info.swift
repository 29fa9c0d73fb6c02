import Cleave
import CommandLineKit
import Posix

extension TextReporter {
  func tell(_ info: SeriesInfo) throws(CleaveError) {
    if session.general.isVerbose, let choice = info.choice {
      console.note("merge would take \(choice.name.rawValue): \(choice.reason)")
    }
    if session.general.isQuiet { return }
    let lines = info.isPart ? Self.lines(info) : Self.fileLines(info)
    for line in try lines + map(info) { try console.write(line + "\n") }
  }

  private static func lines(_ info: SeriesInfo) -> [String] {
    let selection = info.selection
    let state =
      switch info.problem?.kind {
      case nil: ""
      case .missingInput? where info.problem?.missing.isEmpty == false: ", incomplete"
      case _?: ", which cannot be merged so"
      }
    let parts = (selection.files ?? []).map { ($0.path, $0.status.size) }
    let count = parts.count.counted("part")
    let isScattered = Set(parts.lazy.map(\.0.directory)).count > 1
    let kind =
      selection.kind != .files
      ? "\(selection.kind.rawValue) of \(count)"
      : isScattered ? "\(count) in several directories" : count
    var lines = ["\(selection.defaultOutput ?? info.output): \(kind)\(state)"]
    lines += selection.archive.map { Self.lines(ZipFacts($0)) } ?? []
    lines += parts.map {
      "  \(isScattered ? $0 : $0.lastComponent)  \(ByteSize.described($1))"
    }
    lines += selection.evidence.lines.map { line in
      let topic = line.topic.rawValue
      let padding = String(repeating: " ", count: 10 - topic.count)
      return "  \(topic)\(padding)\(line.spelled)"
    }
    if info.problem != nil { return lines }
    let taken = info.outputExists ? ", which exists" : ""
    let why =
      selection.isNamelessPiece
      ? "these do not make the whole"
      : isScattered ? "the parts are in several directories" : "the parts tell no name"
    let made = info.hasOutput ? "\(info.output)\(taken)" : "-o is needed: \(why)"
    lines.append("  merged    \(made), \(ByteSize.described(info.bytes))")
    return lines + Self.lines(info.space)
  }

  private static func fileLines(_ info: SeriesInfo) -> [String] {
    let free = info.space.free.map { ByteSize.described($0) + " free" } ?? "unknown"
    return ["\(info.output): \(ByteSize.described(info.bytes))"]
      + (info.selection.archive.map { Self.lines(ZipFacts($0)) } ?? []) + [
        "  manifest  \(info.selection.manifest.map(\.path.description) ?? "none")",
        "  space     \(free)",
      ]
  }

  private static func lines(_ zip: ZipFacts) -> [String] {
    let (entries, encrypted) = (zip.entries, zip.encryptedEntries)
    var lines = [
      "  zip       \(entries.counted("entry", "entries")), "
        + "\(ByteSize.described(Int64(clamping: zip.uncompressed))) in "
        + "\(ByteSize.described(Int64(clamping: zip.compressed)))"
    ]
    if entries > 0 {
      lines.append("  made by   \(zip.madeBy.joined(separator: ", "))")
      lines.append("  methods   \(zip.methods.joined(separator: ", "))")
    }
    lines.append("  ZIP64     \(zip.zip64 ? "yes" : "no")")
    let way = zip.aes ? ", by AES" : ""
    lines.append("  encrypted \(encrypted == 0 ? "no" : "\(encrypted) of \(entries)\(way)")")
    if zip.bytesInFront > 0 {
      lines.append("  note      \(zip.bytesInFront.counted("byte")) in front of the zip")
    }
    if zip.comment > 0 { lines.append("  comment   \(ByteSize.described(Int64(zip.comment)))") }
    return lines + zip.notes.map { "  note      \($0)" }
  }
}

extension Evidence.Line {
  /// With the options of merge, which the evidence is about.
  var spelled: String { text.spelled(for: nil) }
}
