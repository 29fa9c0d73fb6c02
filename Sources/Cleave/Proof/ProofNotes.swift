internal import Posix

/// A result while it is made, with the names of the parts that positions lie in.
struct ProofNotes {
  let layout: PartLayout
  private(set) var result: ProofResult

  init(_ kind: ProofResult.Kind, _ layout: PartLayout) {
    self.layout = layout
    result = ProofResult(kind)
  }

  /// Counts what is right.
  mutating func prove(_ count: Int64 = 1) { result.proved += count }

  /// - Parameters:
  ///   - range: where the fault lies, as far as that is known.
  ///   - text: the end of a sentence that begins with the part's name.
  mutating func differ(
    _ range: Range<Int64>,
    _ text: String,
    sort: ProofResult.Sort = .damaged
  ) {
    result.differences.add(finding(range, text, sort))
  }

  /// What the content needs at a position is not there.
  mutating func miss(_ what: String, at position: Int64) {
    differ(
      position..<position,
      "there should be \(what) at \(layout.place(position)): bytes here or in front of it are damaged, "
        + "missing or too many"
    )
  }

  /// What cannot be tested.
  mutating func leave(_ range: Range<Int64>, _ text: String) {
    result.untested.add(finding(range, text, .notTested))
  }

  /// Counts findings that are not kept.
  mutating func count(differences: Int64, untested: Int64) {
    result.differences.count += differences
    result.untested.count += untested
  }

  /// The bytes end before what they tell of does.
  mutating func endEarly(_ text: String) {
    differ(layout.count..<layout.count, text, sort: .endsEarly)
  }

  /// Bytes from `end` on do not belong to the content.
  ///
  /// A last part may well be longer than it should be, and programs read over what is behind the end. A
  /// content that ends with a part, and has more parts behind it, has them by mistake.
  ///
  /// - Parameter mayHoldParts: whether somebody has looked at the parts behind the end.
  mutating func leaveRest(from end: Int64, of content: String, mayHoldParts: Bool = false) {
    let rest = end..<layout.count
    guard !rest.isEmpty else { return }
    if !mayHoldParts, refuseParts(from: end, of: content) { return }
    let bytes = rest.count64.counted("byte")
    leave(rest, "has \(bytes) behind the end of \(content)")
  }

  /// Notes that a content ends with a part or within it, and that others are behind it.
  ///
  /// - Returns: false where there is none.
  mutating func refuseParts(from end: Int64, of content: String) -> Bool {
    let boundary = layout.boundary(at: end)
    // Whole parts behind the one that has the end are there by mistake, too.
    let part = boundary ?? layout.part(at: end) + 1
    guard part > 0, part < layout.parts else { return false }
    let last = layout.paths[part - 1].lastComponent
    let how = boundary == nil ? "within" : "with"
    let text = "does not belong here: \(content) ends \(how) \(last)"
    differ(layout.starts[part]..<layout.count, text, sort: .doesNotBelong)
    return true
  }

  private func finding(
    _ range: Range<Int64>,
    _ text: String,
    _ sort: ProofResult.Sort
  ) -> ProofResult.Finding {
    let parts = layout.parts(covering: range)
    return ProofResult.Finding(
      sort: sort,
      path: layout.paths[parts.lowerBound],
      lastPath: parts.count > 1 ? layout.paths[parts.upperBound] : nil,
      text: text
    )
  }
}
