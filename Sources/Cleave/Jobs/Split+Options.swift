internal import Posix

/// What may be asked for together.
extension Split {
  /// - Throws: where what is asked for contradicts itself.
  func checkOptions() throws(CleaveError) {
    try work.requireSound()
    try work.requireSafeConsuming()
    if prefix.isRemote { try checkObjects() }
    guard cuts.isSound else {
      throw CleaveError(.contradiction, CutError.notPositive.explanation)
    }
    try checkHeader()
    try checkDealing()
    if let block = options.block, block <= 0 {
      throw CleaveError(.contradiction, "the size of blocks must be more than 0")
    }
    if file == "-" {
      try work.requireUnstaged("streams")
      try work.requireNoTimes("standard input")
    }
    try work.requireLocal([file])
    if cuts.isOfRecords, work.consumes {
      throw CleaveError(
        .contradiction,
        "\(Setting.consuming) frees the file from its end, and records are counted from its start"
      )
    }
    if work.output.keepsTimes, work.consumes {
      throw CleaveError(
        .contradiction,
        "\(Setting.consuming) changes the file, what is left of which becomes the first part, so that "
          + "\(Setting.times) has nothing to give it"
      )
    }
    if options.isZip, work.consumes {
      throw CleaveError(
        .contradiction,
        "\(Setting.consuming) cuts bytes; \(Setting.zip) makes new headers"
      )
    }
    if options.block != nil {
      guard options.manifest != .none else {
        throw CleaveError(.contradiction, "\(Setting.blocks) needs a manifest")
      }
      guard !options.isZip else {
        throw CleaveError(
          .contradiction,
          "\(Setting.blocks) is for parts that are cut anywhere, not for \(Setting.zip)"
        )
      }
    }
    if options.isZip, options.makesJoiners {
      throw CleaveError(
        .contradiction,
        "\(Setting.joiners) is for parts that make the file by being put together; a split zip's do not"
      )
    }
    guard options.isZip || work.verification != .entries else {
      throw CleaveError(.contradiction, "\(Setting.entries) needs \(Setting.zip)")
    }
  }

  /// - Throws: where the parts are to be objects of a store, and something is asked for that only files have.
  private func checkObjects() throws(CleaveError) {
    try OutputCheck.requireWritable(prefix)
    try work.requireObjects()
    guard options.filter == nil else {
      throw CleaveError(.contradiction, "\(Setting.filter) is for names of this machine")
    }
    guard work.verification != .entries else {
      throw CleaveError(.contradiction, "\(Setting.entries) is for files of this machine")
    }
    guard file != "-" || options.block == nil else {
      throw CleaveError(.contradiction, "\(Setting.blocks) needs a file, not standard input")
    }
    for path in sidecars { try OutputCheck.requireObject(path) }
  }
}
