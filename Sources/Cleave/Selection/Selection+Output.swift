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
      try Self.requireNoStream(output.onThisMachine)
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
    throw CleaveError(
      .contradiction,
      "\(mentioning: .output(nil)) is needed: the "
        + (names.areScattered
          ? "parts are in several directories" : "operands share no name to give to the output")
    )
  }

  /// - Throws: `.cannotCreate` where a name that nobody has given is that of something which is written in place.
  private static func requireNoStream(_ output: FilePath) throws(CleaveError) {
    guard let kind = (try? FileStatus.of(output))?.kind,
      [.fifo, .characterDevice, .blockDevice].contains(kind)
    else { return }
    throw CleaveError(.cannotCreate, output, "is \(kind): \(.output(output)) writes to it")
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
      (try? FileStatus.of(output))?.kind == .regular
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
    guard let found = try? FileStatus.of(output, followingLinks: false),
      found.kind == .directory
    else { return }
    let file = output.appending(defaultOutput?.lastComponent ?? "NAME")
    throw CleaveError(.cannotCreate, output, "is a directory; \(.output(file)) makes a file in it")
  }

  /// - Throws: `.cannotCreate` where both the name that cleave's own manifest records and the one that the
  ///   parts share are there, so that nobody knows which is to be replaced.
  package func requireOneOutput() throws(CleaveError) {
    guard let manifest, manifest.isOwn, let output = defaultOutput, let name = manifest.whole?.name,
      name != output.lastComponent, (try? FileStatus.of(output, followingLinks: false)) != nil
    else { return }
    throw CleaveError(
      .cannotCreate,
      output,
      "exists, and so does \(name), as \(manifest.path.lastComponent) calls it: \(.output(nil)) says "
        + "which to replace"
    )
  }

  /// The name that the parts share; but Total Commander leaves out the end of it, which its manifest
  /// has, and of rclone's chunks the manifest itself is called so. cleave's own tells what the file was
  /// called that was split, which is taken where nothing else is there.
  static func output(of series: PartSeries, _ manifest: Manifest?) -> FilePath? {
    if manifest?.path == series.base { return nil }
    let told = manifest?.whole?.name
    // In the encoding of another system it is no name here.
    let whole =
      told?.string == nil && series.base.string != nil
      ? told?.inLatin1(beginning: series.base.lastComponent) : told
    if let manifest, let name = whole,
      !series.form.namesWhole || Manifest.Format(of: manifest.path) == .crc
    {
      return series.base.sibling(name)
    }
    if let manifest, manifest.isOwn, let name = whole,
      // A manifest that came with the parts makes no hidden file.
      name.bytes.first != UInt8(ascii: ".")
        || series.base.lastComponent.bytes.first == name.bytes.first,
      FileStatus.isAbsent(series.base.sibling(name), followingLinks: false)
    {
      return series.base.sibling(name)
    }
    // By itself the dash stands for standard output.
    if series.base == "-" { return "./-" }
    return series.form.namesWhole ? series.base : nil
  }

  /// - Throws: `.badData` where the name of the output promises what the bytes do not begin like, and
  ///   nothing else tells of them; the error of reading.
  package func checkStart(of output: FilePath) throws(CleaveError) {
    // Under another name, what the parts' own promises.
    let names = [output] + (isPart && makesWhole && !isPiece ? [base].compactMap(\.self) : [])
    guard !isToldWhole, !kind.isZip, let files, files.totalSize > 0,
      let (name, format) = names.lazy.compactMap({ name in
        FileFormat.packed(by: name).map { (name, $0) }
      })
      .first
    else { return }
    let parts = try JoinedBytes(files)
    let head = try parts.bytes(Int(min(Int64(FileFormat.headSize), parts.count)), at: 0) ?? []
    var isEmptyTar = false
    if format.kind == .tar, head.first == 0, parts.count <= Self.largestEmptyTar {
      isEmptyTar = try parts.bytes(Int(parts.count), at: 0)?.allSatisfy { $0 == 0 } == true
    }
    try parts.close()
    if format.begins(head) || isEmptyTar { return }
    // A zip may be behind a program: then it was looked for.
    let begun = FileFormat.begun(by: head)
    let isProgram = format.kind == .zip && begun?.kind.mayHoldZip == true
    let alone: Sentence =
      "does not begin like \(format.name); \(.format(.raw)) takes it all the same"
    if files.count == 1, !isPart { throw CleaveError(.badData, name, alone) }
    let other: Sentence =
      begun.map { "begins like \($0.name), and not like \(format.name), as its name says" }
      ?? "does not begin like \(format.name), so that they are others or in the wrong order"
    let text: Sentence =
      isProgram
      ? "begins like a program, and does not end like a zip, so that the last one may be cut off or missing"
      : other
    throw CleaveError(
      .badData,
      name,
      "what the parts make " + text + "; \(.format(.raw)) joins them all the same"
    )
  }

  /// One without files is nothing but zeros; so many blocks are the most that tar pads to with usual options.
  private static let largestEmptyTar: Int64 = 1 << 20
}

extension CleaveError {
  static let emptyOutput = CleaveError(.contradiction, "the name of the output is empty")
}

extension FilePath {
  /// A name that is not UTF-8, taken for Latin-1; nil where it does not begin like another one then.
  fileprivate func inLatin1(beginning start: FilePath) -> FilePath? {
    let name = String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
    return start.string.map(name.hasPrefix) == true ? FilePath(bytes: Array(name.utf8)) : nil
  }
}
