package import Posix

extension Selection {
  /// Whether they are some of the parts that a manifest lists, which it has no name for together.
  package var isNamelessPiece: Bool { isPiece && manifest != nil }

  /// Where merging puts what it makes.
  ///
  /// - Parameters:
  ///   - given: what was asked for; nil for the name that the parts share, beside them or, of parts of
  ///     another machine, in the working directory.
  ///   - replaces: whether what is there may go.
  /// - Throws: `.contradiction` where there is no name; `.cannotCreate` where it is a directory or an
  ///   address, or two names come into question.
  package func output(
    given: FilePath?,
    replacing replaces: Bool
  ) throws(CleaveError) -> FilePath {
    if let given {
      if given.bytes.isEmpty { throw .emptyOutput }
      try OutputCheck.requireWritable(given)
      try refuseDirectory(given)
      return given
    }
    if isNamelessPiece, let manifest {
      let all = (names.count + leftOut.count).counted("part")
      throw CleaveError(
        .contradiction,
        "\(manifest.name) lists \(all), of which these \(names.count) do not make the whole, so that "
          + "\(mentioning: .output(nil)) is needed"
      )
    }
    if let output = defaultOutput {
      if output.isRemote, output.onThisMachine == "-" {
        throw CleaveError(
          .contradiction,
          output,
          "is called like standard output, so that \(mentioning: .output(nil)) is needed"
        )
      }
      if output.isRemote, output.onThisMachine.bytes.first == UInt8(ascii: ".") {
        throw CleaveError(
          .contradiction,
          output,
          "is a hidden name that a server gives, so that \(mentioning: .output(nil)) is needed"
        )
      }
      if replaces {
        try requireOneOutput()
        try Self.requireNoPart(output)
      }
      return output.onThisMachine
    }
    if isPart, let part = names.first {
      if let manifest, manifest.path == base {
        throw CleaveError(
          .contradiction,
          manifest.path,
          "has the name of the whole, and tells of its parts, so that \(mentioning: .output(nil)) is "
            + "needed\(Self.way(of: part, request))"
        )
      }
      throw CleaveError(
        .contradiction,
        part,
        "the parts tell no name for the whole, so that \(mentioning: .output(nil)) is needed"
          + Self.way(of: part, request)
      )
    }
    let isScattered = Set(names.lazy.map(\.directory)).count > 1
    throw CleaveError(
      .contradiction,
      "\(mentioning: .output(nil)) is needed: the "
        + (isScattered
          ? "parts are in several directories" : "operands share no name to give to the output")
    )
  }

  /// What merges a part so, as the end of a sentence; nothing where more than that was said of it.
  private static func way(of part: FilePath, _ request: Request) -> Sentence {
    let isPlain =
      request.reading == PartReading() && request.manifest == .automatic && request.format == .auto
    return isPlain ? ": \(.merging(part))" : ""
  }

  /// - Throws: `.cannotCreate` where what would be replaced is itself a part, the others of which are needed with it.
  private static func requireNoPart(_ output: FilePath) throws(CleaveError) {
    guard !output.isRemote, PartName(output) != nil || SplitZipName(output) != nil,
      (try? FileStatus.ifPresent(output))??.kind == .regular
    else { return }
    var other: FilePath?
    do throws(CleaveError) {
      let found = try look(at: [output])
      if found.isPart { other = found.names.first { $0 != output } }
      if found.refusal?.kind == .missingInput { other = other ?? found.refusal?.missing.first }
    } catch {
      other = error.kind == .missingInput ? error.missing.first : nil
    }
    guard let other else { return }
    throw CleaveError(
      .cannotCreate,
      output,
      "may itself be a part, as \(other.lastComponent) is: \(.output(output)) replaces it"
    )
  }

  /// - Throws: `.cannotCreate` where `-o` names a directory, with a file in it that it could name.
  private func refuseDirectory(_ output: FilePath) throws(CleaveError) {
    guard let found = (try? FileStatus.ifPresent(output, followingLinks: false)) ?? nil,
      found.kind == .directory
    else { return }
    let file = output.appending(defaultOutput?.lastComponent ?? "NAME")
    throw CleaveError(.cannotCreate, output, "is a directory; \(.output(file)) makes a file in it")
  }
}

extension CleaveError {
  static let emptyOutput = CleaveError(.contradiction, "the name of the output is empty")
}
