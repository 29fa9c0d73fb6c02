internal import Posix

/// Records dealt out in turn: parts that do not make the file by being put one behind the other.
extension Split {
  /// How records are dealt out, where they are.
  package var dealing: RecordDealing? {
    guard case .dealt(let count) = cuts else { return nil }
    return RecordDealing(parts: count, separator: options.separator)
  }

  /// - Throws: where something is asked for that is not for parts among which records are dealt out.
  func checkDealing() throws(CleaveError) {
    guard dealing != nil else { return }
    let refused: [(Bool, Sentence)] = [
      (prefix.isObject, "objects of a store"), (isShared, "\(Setting.share)"),
      (options.isZip, "\(Setting.zip)"),
      (options.filter != nil, "\(Setting.filter)"), (options.block != nil, "\(Setting.blocks)"),
      (options.makesJoiners, "\(Setting.joiners)"), (work.consumes, "\(Setting.consuming)"),
      (work.isResumable, "\(Setting.resuming)"), (work.sharing == .always, "\(Setting.sharing)"),
    ]
    if let what = refused.first(where: \.0)?.1 {
      throw CleaveError(
        .contradiction,
        "\(Setting.dealing) deals records out to files that are read and written once, and does not go with \(what)"
      )
    }
    if manifests.contains(where: { $0.form == .crc }) {
      throw CleaveError(
        .contradiction,
        "\(Setting.dealing) needs another manifest: Total Commander's has no place for it"
      )
    }
    try work.askedEngine?.require(.streamInput)
  }

  func prepare(_ dealing: RecordDealing) throws(CleaveError) -> Prepared {
    try dealing.requireOpenable()
    if file != "-" { try Consumption.refuseRest(file) }
    let source = file == "-" ? nil : try examine()
    var split = self
    split.naming = naming.counting(dealing.parts, isAsked: true)
    try split.checkNames(count: dealing.parts)
    return Prepared(split: split, plan: nil, engine: .serial, dealt: source)
  }

  /// What is read where there is no plan, and where its bytes go.
  func feed(dealing source: SourceFile?) -> Feed {
    guard let dealing else {
      return .cutting(
        streamCuts,
        name: streamedName,
        block: options.block
      )
    }
    return .dealing(
      Feed.Dealing(
        dealing: dealing,
        source: source,
        name: naming.name,
        elidesEmpty: options.omitsEmptyParts
      )
    )
  }
}
