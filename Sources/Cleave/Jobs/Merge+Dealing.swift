internal import Posix

/// Parts among which records were dealt out in turn.
extension Merge {
  /// The byte that the records end with; nil where the parts are put one behind the other.
  package var dealtSeparator: UInt8? {
    options.dealtSeparator ?? selection.layout?.dealing?.separator
  }

  /// Whether the parts one behind the other are the whole, but for those of a split zip.
  var isPlain: Bool {
    options.header == nil && options.dealtSeparator == nil && selection.layout?.isPlain ?? true
  }

  /// - Throws: where records that were dealt out cannot be put together as it is asked for.
  func checkDealing() throws(CleaveError) {
    guard let separator = dealtSeparator else { return }
    let refused: [(Bool, Sentence)] = [
      (selection.kind.isRewritten, "a split zip"),
      (options.header != nil || selection.layout?.header ?? 0 > 0, "\(Setting.header)"),
      (options.range != nil, "\(Setting.range)"), (work.consumes, "\(Setting.consuming)"),
      (work.isResumable, "\(Setting.resuming)"), (work.sharing == .always, "\(Setting.sharing)"),
      (output.isObject, "objects of a store"),
    ]
    if let what = refused.first(where: \.0)?.1 { throw .dealt(doesNotGoWith: what) }
    try work.askedEngine?.require(.streamInput)
    if let manifest = selection.layout, let told = manifest.dealing {
      try manifest.requireDealt(selection.names.count)
      guard told.separator == separator else {
        throw CleaveError(
          .contradiction,
          manifest.path,
          "says that records end with \(told.ending), and not as \(Setting.dealt) is to be read"
        )
      }
    }
    try RecordDealing(parts: selection.names.count, separator: separator).requireOpenable()
  }

  /// The merge of files whose records were dealt out.
  func prepareGathering(
    _ files: SourceFiles,
    isStream: Bool
  ) throws(CleaveError) -> Prepared {
    let size = files.totalSize
    guard size < .max else { throw .tooLarge(output) }
    if isStream, stream == nil, output != "-" { try OutputCheck.checkDevice(output, bytes: size) }
    if !isStream {
      try OutputCheck.checkSizes(of: [DestinationFile(path: output, size: size)])
    }
    return Prepared(plan: nil, engine: .serial, isStream: isStream)
  }

  /// What is read where there is no plan, and where its bytes go.
  var feed: Feed {
    if let separator = dealtSeparator, let files = selection.files {
      return .gathering(files, by: separator, into: output)
    }
    return .joining(selection.sources, into: output)
  }
}

extension Manifest {
  /// - Throws: where records were dealt out among another number of parts.
  func requireDealt(_ count: Int) throws(CleaveError) {
    guard let dealing, dealing.parts != count else { return }
    throw CleaveError(
      .badData,
      path,
      "says that records were dealt out among \(dealing.parts) parts, of which only all together make the whole, "
        + "and these are \(count); \(.withoutManifest) puts these one behind the other"
    )
  }
}

extension CleaveError {
  /// Something is asked for that is not for parts among which records were dealt out.
  static func dealt(doesNotGoWith what: Sentence) -> CleaveError {
    CleaveError(
      .contradiction,
      "records that were dealt out are taken from all parts in turn, which does not go with \(what)"
    )
  }
}
