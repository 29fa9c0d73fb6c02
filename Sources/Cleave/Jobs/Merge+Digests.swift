import Posix

/// Sums that are not combined from those of the parts.
extension Merge {
  /// The digests that were asked for, and those that the manifest is checked by.
  var digestRequest: DigestRequest {
    var request = DigestRequest(whole: options.digests)
    guard let needed = neededDigests, RunningDigest.isAvailable else { return request }
    request.parts.formUnion(needed.parts)
    if makesWhole { request.whole.formUnion(needed.whole) }
    return request
  }

  /// What the manifest has digests of; nil where nothing is compared.
  var neededDigests: DigestRequest? {
    guard comparesManifest, let needed = selection.manifest?.digests(of: selection.base) else {
      return nil
    }
    return needed.isEmpty ? nil : needed
  }

  /// Whether nothing is read for digests: a store tells CRC-32s of what it copies, and nobody wants more.
  var skipsDigests: Bool {
    isWithinStore && options.digests.isEmpty && work.verification != .readback && !hasToCompare
  }

  /// Whether what cannot be compared with a manifest on the way is read for that: where somebody wants that, or would
  /// lose what is there.
  var hasToCompare: Bool {
    guard comparesManifest else { return false }
    return selection.namedList != nil || work.isStrict || work.verification == .stream
      || work.output.replacesExisting && !FileStatus.isAbsent(output)
  }

  /// Whether what is made is checked against a manifest.
  var comparesManifest: Bool {
    work.verification != .none && options.range == nil && selection.manifest != nil
  }

  /// - Throws: where bytes would be gone before all of them have been hashed.
  func checkDigests() throws(CleaveError) {
    if let manifest = selection.manifest, neededDigests != nil, !RunningDigest.isAvailable {
      let text = "only names and sizes are compared: it \(RunningDigest.lack)"
      work.tell(.warning("\(manifest.path): \(text)"))
    }
    if let manifest = selection.manifest, neededDigests != nil, skipsDigests {
      let text: Sentence =
        "a store tells CRC-32s alone of what it copies, so that only sizes are compared"
      work.tell(.warning("\(manifest.path): \(text); \(.readingBack) reads the parts, too"))
    }
    guard work.consumes, !digestRequest.isEmpty else { return }
    if !options.digests.isEmpty {
      throw CleaveError(
        .contradiction,
        "\(Setting.consuming) frees parts before all bytes have been hashed, as \(Setting.digests) needs"
      )
    }
    let list = selection.manifest?.sourceOfDigests
    let path = list.map { "\($0)" } ?? "the manifest"
    // Of a job that is gone on with, parts may have gone.
    let isThere = (try? FileStatus.of(selection.names[0])) != nil
    // Of files that share no name, or are in several directories, none stands for all.
    let areTogether = selection.base != nil && !selection.names.areScattered
    let first = areTogether ? selection.names[0] : list ?? selection.names[0]
    let named = areTogether ? selection.namedList : nil
    // Of a list elsewhere, 'verify' looks at what is beside that.
    let isElsewhere = !areTogether && list.map(selection.request.lists.contains) == true
    let canVerify =
      isThere && !isElsewhere && (areTogether || selection.manifest?.entries.isEmpty == false)
    let way: Sentence = canVerify ? ": \(.verifying(first, by: named)) compares them before" : ""
    throw CleaveError(
      .contradiction,
      "\(Setting.consuming) frees parts before all bytes have been hashed, as \(path) needs; \(Setting.manifest) "
        + "names one with CRC-32s, and \(.withoutManifest) does without\(way)"
    )
  }
}
