/// What is unusual about a zip that programs read all the same. Merging keeps it.
package struct ZipNotes: Hashable, Sendable {
  /// Entries whose local header has their name in the directory written otherwise, and those that it calls something
  /// else.
  package var differingNames: Int64 = 0
  package var otherNames: Int64 = 0
  /// Entries of which a local header that need not tell them, or a data descriptor, has other sums or sizes than
  /// the directory.
  package var differingSums: Int64 = 0
  /// Entries of which an extra field in the directory goes beyond the end of all of them, or the header in front of
  /// the data has not the sizes in one for which it refers to it.
  package var brokenExtras: Int64 = 0
  /// Bytes in front of the first entry, such as a program that unpacks the zip; a marker that offsets count is
  /// none.
  package var bytesInFront: Int64 = 0
  /// Bytes between entries, or between the last one and the directory, that belong to none of them.
  package var bytesBetween: Int64 = 0
  /// In how many places they are.
  package var gaps: Int64 = 0
  /// Bytes behind the end records and their comment.
  package var bytesBehind: Int64 = 0
  /// What the end records say wrongly, in sentences.
  package var wrongRecords: [String] = []

  /// Parts that could be elsewhere, as nouns: nothing in the zip would show it.
  package var unproved: [String] = []

  package init() {}

  mutating func add(_ other: ZipNotes) {
    differingNames += other.differingNames
    otherNames += other.otherNames
    differingSums += other.differingSums
    brokenExtras += other.brokenExtras
    bytesInFront += other.bytesInFront
    bytesBetween += other.bytesBetween
    gaps += other.gaps
    bytesBehind += other.bytesBehind
    wrongRecords += other.wrongRecords
    unproved += other.unproved
  }

  mutating func addGap(_ count: Int64) {
    bytesBetween += count
    gaps += 1
  }

  /// Entries whose records contradict each other or themselves, as nouns. Some programs read over that, others
  /// refuse the zip.
  package var contradictions: [String] {
    var lines: [String] = []
    if differingSums > 0 {
      let entries = differingSums.counted("entry", "entries")
      lines.append("\(entries) with another CRC-32 or size beside the data than in the directory")
    }
    if otherNames > 0 {
      let entries = otherNames.counted("entry", "entries")
      lines.append("\(entries) of another name beside the data than in the directory")
    }
    if brokenExtras > 0 {
      let entries = brokenExtras.counted("entry", "entries")
      lines.append(
        "\(entries) with an extra field that has no end, or not the sizes that it should"
      )
    }
    return lines
  }

  /// For people, without a full stop.
  package var lines: [String] {
    var lines = wrongRecords
    if differingNames > 0 {
      let entries = differingNames.counted("entry is", "entries are")
      lines.append("\(entries) named differently in the two headers")
    }
    lines += contradictions + unproved
    if gaps > 0 {
      let places = gaps == 1 ? "in front of an entry or the directory" : "in \(gaps) places"
      lines.append("\(bytesBetween.counted("byte")) \(places) belong to no entry")
    }
    if bytesBehind > 0 { lines.append("\(bytesBehind.counted("byte")) behind the end of the zip") }
    return lines
  }
}
