internal import Posix

/// What operands and a manifest say of each other.
extension MergeSelection {
  /// `NAME.*` of a shell takes the manifest in among the parts, and the scripts that join them.
  static func withoutManifest(
    _ operands: [FilePath],
    _ choice: ManifestChoice
  ) -> [FilePath] {
    guard let first = operands.first, let base = base(of: [first]) else { return operands }
    let files = operands.filter { !Joiner.isName($0, beside: base) }
    return choice == .automatic ? files.filter { !Manifest.isName($0, beside: base) } : files
  }

  /// The name of the whole that names in an order say, all of them in one directory.
  static func base(of paths: [FilePath]) -> FilePath? {
    guard let first = paths.first, paths.allSatisfy({ first.sibling($0.lastComponent) == $0 })
    else {
      return nil
    }
    return PartName.common(paths.map(\.lastComponent)).map { first.sibling($0.base) }
  }

  static func examine(_ paths: [FilePath]) throws(CleaveError) -> [StreamJob.Source] {
    var sources: [StreamJob.Source] = []
    sources.reserveCapacity(paths.count)
    var missing: [CleaveError] = []
    for path in paths {
      if path == "-" {
        sources.append(.standardInput)
        continue
      }
      do {
        sources.append(.file(try SourceFile(examining: path)))
      } catch  where error.system?.errno == .notFound {
        missing.append(error)
      }
    }
    if missing.count > 1 {
      let names = missing.compactMap { $0.system?.path.description }.joined(separator: ", ")
      throw CleaveError(.missingInput, "\(missing.count) parts are missing: \(names)")
    }
    if let error = missing.first { throw error }
    return sources
  }

  /// The names and the order have to be the manifest's, part for part.
  static func check(
    _ operands: [FilePath],
    against manifest: Manifest,
    of base: FilePath
  ) throws(CleaveError) {
    let names = manifest.parts(of: base).map(\.name)
    if names.isEmpty { return }
    for (index, path) in operands.enumerated() {
      guard index < names.count else {
        throw CleaveError(
          .badData,
          path,
          "is part \(index + 1), but \(manifest.path) has only \(names.count)"
        )
      }
      // Standard input may be any part.
      if path != "-", path.lastComponent != names[index] {
        throw CleaveError(
          .badData,
          path,
          "is given where \(manifest.path) has \(names[index])"
        )
      }
    }
    guard operands.count == names.count else {
      let missing = names[operands.count...]
      let named = missing.prefix(100).map(\.description).joined(separator: ", ")
      let others = missing.count > 100 ? " and \(missing.count - 100) more" : ""
      throw CleaveError(
        .missingInput,
        manifest.path,
        "has parts that are not given: \(named)\(others)"
      )
    }
  }

  /// Notes what the names of operands say against their order. A shell's `NAME.*` comes in that of
  /// text: 1, 10, 2.
  static func noteOrder(_ operands: [FilePath], _ evidence: inout Evidence) {
    if operands.count == 1, let only = operands.first, only != "-" {
      let text = "is not named like a part of a series, and is copied by itself"
      return evidence.suspect(.name, CleaveError(.missingInput, only, text))
    }
    guard base(of: operands) != nil, let form = PartName.common(operands.map(\.lastComponent))
    else {
      return
    }
    let digits = operands.compactMap { form.digits(of: $0.lastComponent) }
    let rule = Numbering.of(digits, width: digits.map(\.width).min() ?? 1)
    let places = digits.map { rule.place(of: $0.number) ?? $0.number }
    let odd = places.indices.dropFirst().first { places[$0] != places[$0 - 1] + 1 }
    guard let odd else { return noteNeighbours(of: operands, form, rule, digits, &evidence) }
    let what =
      places[odd] > places[odd - 1]
      ? "and what is between them is not"
      : "against their numbers; any one part alone has all in order"
    let text = "is given behind \(operands[odd - 1].lastComponent), \(what)"
    evidence.suspect(.parts, CleaveError(.missingInput, operands[odd], text))
  }

  /// Notes parts in front of those that are given, and behind them.
  private static func noteNeighbours(
    of operands: [FilePath],
    _ form: PartName,
    _ rule: Numbering,
    _ digits: [PartDigits],
    _ evidence: inout Evidence
  ) {
    guard let first = digits.first?.number, let last = digits.last?.number else { return }
    let others = [first - 1, rule.successor(of: last) ?? last + 1].filter { $0 >= 0 }
    for other in others {
      let path = operands[0].sibling(form.name(other, rule))
      guard (try? FileStatus.ifPresent(path)) ?? nil != nil else { continue }
      evidence.suspect(.parts, CleaveError(.missingInput, path, "is there, too, and is not given"))
    }
  }

  /// Parts that the manifest does not name may be left out only where it says how long the whole is:
  /// it may itself have been cut short. The operand is never left out.
  func requireKnownEnd(_ operand: FilePath) throws(CleaveError) {
    guard let manifest, let base, let first = stale.first else { return }
    let name = operand.lastComponent
    let isOperand = stale.contains { $0.lastComponent == name }
    if !isOperand, manifest.whole(of: base)?.size != nil { return }
    throw CleaveError(
      .badData,
      isOperand ? operand : first,
      "is not in \(manifest.path); --last=N leaves out what is behind part N, --manifest=none takes "
        + "it in"
    )
  }

  /// A wrong total needs no reading to be seen.
  func checkSize() throws(CleaveError) {
    guard let manifest, let files, let size = manifest.whole(of: base)?.size else {
      return
    }
    let total = files.totalSize
    guard total != size else { return }
    throw CleaveError(
      .badData,
      base ?? manifest.path,
      "the parts have \(total) bytes, but \(manifest.path) says \(size)"
    )
  }
}
