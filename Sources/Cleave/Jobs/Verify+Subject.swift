internal import Posix

extension Verify {
  /// What there is to compare of one operand: what its manifest says, and what is in it.
  ///
  /// Keeps files open: make one, compare, and let it go before the next.
  struct Subject: Sendable {
    /// Nil where no manifest says anything of it.
    let check: ManifestCheck?
    /// What the operand means; nil where it is a manifest, which stands for what it names.
    private(set) var selection: Selection?
    /// What is wrong with the files, whatever they are compared with.
    private(set) var fault: CleaveError?
    private let operand: FilePath

    /// The same for all parts of one series, and another for the whole that they make.
    var identity: Identity {
      Identity(
        manifest: check?.manifest.path,
        base: selection.map { $0.base ?? operand },
        parts: selection?.names ?? PathList(),
        files: check?.files
      )
    }

    /// What tells one thing to check from another.
    struct Identity: Hashable, Sendable {
      let manifest: FilePath?
      /// The name of what the parts make.
      let base: FilePath?
      let parts: PathList
      let files: ListedFiles?
    }

    /// Whether all of it is compared with a list that none of some others was, or the lists contradict each other.
    func tellsMore(than others: [ManifestCheck]) -> Bool {
      if check == nil, fault?.kind == .badData { return true }
      return check.map { $0.unlisted == nil && $0.listBesides(others) != nil } ?? false
    }

    /// Whether neither a list nor what is inside tells whether it is right.
    var tellsNothing: Bool { fault == nil && check == nil && archive == nil && proof == nil }

    /// The zip whose entries are to be tested, whatever a manifest says.
    var archive: ZipArchive? { fault == nil ? selection?.archive : nil }
    /// What else tells whether the content is right, where no manifest does.
    private(set) var proof: ContentProof?

    /// - Parameters:
    ///   - part: what the operand stands for, where that is known.
    ///   - listing: what was listed last, and is listed here.
    /// - Throws: what reading the manifest reports, and what keeps the operand from meaning anything.
    init(
      _ operand: FilePath,
      standingFor part: Selection.Part? = nil,
      _ request: Selection.Request,
      in listing: inout DirectoryListing?
    ) throws(CleaveError) {
      self.operand = operand
      let known = listing?.ifOf(operand.directory)
      // What is asked for as one is one, whatever it is called.
      let isList =
        request.manifest == .file(operand)
        || part == nil && request.manifest == .automatic
          && Manifest.isManifest(at: operand, in: known)
      if isList {
        let known = try DirectoryListing(beside: operand, unless: known)
        listing = known
        check = try ManifestCheck(all: Manifest(readingTogether: operand, in: known), in: known)
        return
      }
      let (selection, mayBePart) =
        if let part {
          (try Selection.look(at: part, request), false)
        } else {
          try Self.look(at: operand, request, in: &listing)
        }
      // What rclone keeps under the name of the whole is a manifest itself.
      if let manifest = selection.manifest, manifest.path == operand {
        check = try ManifestCheck(all: manifest)
        return
      }
      // Of a directory, the files that are listed are in it.
      let isDirectory = (try? FileStatus.of(operand))?.kind == .directory
      let place = isDirectory ? selection.names.first ?? operand : operand
      check = try ManifestCheck(selection, place, withAlike: mayBePart)
      self.selection = selection
      // Where there is a manifest, it alone vouches for what is no whole zip.
      let isSet = part?.given.isEmpty == false
      if let found = selection.fault,
        check == nil || found.system != nil || isMissing(found, ofSet: isSet)
          || found.kind == .badData && selection.leavesOutGivenList
      {
        fault = found
      }
      guard check == nil, fault == nil, archive == nil, let files = selection.files else { return }
      proof = try ContentProof(of: JoinedBytes(files))
    }

    /// What a list says of files in another directory than its own.
    ///
    /// - Throws: where it names none.
    init(_ list: Manifest, ofFilesIn directory: FilePath) throws(CleaveError) {
      operand = directory
      var manifest = list
      manifest.path = directory.appending(list.path.lastComponent)
      check = try ManifestCheck(all: manifest, from: list.path)
    }

    /// Whether each of the parts means the same.
    var isOfAllParts: Bool {
      guard let fault else { return true }
      return fault.system == nil && (check != nil || !fault.missing.isEmpty)
    }

    /// Whether parts are missing that the manifest does not list.
    ///
    /// - Parameter isSet: whether several files are looked at together, between which parts may be missing.
    private func isMissing(_ error: CleaveError, ofSet isSet: Bool) -> Bool {
      guard let check, check.kind == .parts || isSet && error.kind == .missingInput else {
        return false
      }
      let isUnnamed = isSet && error.kind == .missingInput && error.missing.isEmpty
      return isUnnamed || error.missing.contains { !check.files.contains($0) }
    }

    /// The parts that the manifest has no sum of; where they were asked for, it is a fault if merging refuses the others for
    /// them.
    func unlisted(wereAsked: Bool) -> [Verify.Unlisted] {
      guard let selection, selection.isPart, !selection.isPiece, let manifest = selection.manifest
      else { return [] }
      let isRefused = selection.fault.map { $0.kind == .badData && $0.system == nil } ?? false
      if !isRefused, manifest.whole(of: selection.base) != nil { return [] }
      return (selection.names + selection.stale).filter {
        manifest.expected(of: $0) == nil && check?.files.contains($0) != true
      }
      .map { Verify.Unlisted(part: $0, list: manifest, isFault: isRefused && wereAsked) }
    }

    /// What an operand means; by itself where a manifest has it, and it is a file of its own, which merging refuses, or no
    /// list of the parts that it seems to be one of has it; and whether it may be a part all the same.
    private static func look(
      at operand: FilePath,
      _ request: Selection.Request,
      in listing: inout DirectoryListing?
    ) throws(CleaveError) -> (Selection, mayBePart: Bool) {
      let known = DirectoryListing.beside(operand, orAgain: listing)
      listing = known
      func alone() -> Selection? {
        guard request.reading == PartReading(), request.format != .zip else { return nil }
        var part = Selection.Part(path: operand, manifest: request.manifest, in: known)
        part.isAlone = true
        let selection = try? Selection.look(at: part, request)
        guard let manifest = selection?.manifest else { return nil }
        let isListed = (manifest.expected(of: operand) ?? manifest.whole(named: operand)) != nil
        return isListed ? selection : nil
      }
      let found = Swift.Result { () throws(CleaveError) in
        try Selection.look(at: [operand], request, in: known)
      }
      let error: CleaveError?
      switch found {
      case .success(let selection): error = selection.fault
      case .failure(let failure): error = failure
      }
      // With sums of all parts, one that begins as another does is a wrong one.
      if error?.mayBeOfPart == true, let selection = try? found.get(),
        selection.manifest?.covers(selection.names, makesWhole: false, of: nil) == true
      {
        return (selection, false)
      }
      let isOther = (try? found.get()).map { Self.isOther($0, operand) } ?? false
      if isOther || error?.isOfWholeFile == true, let selection = alone() {
        return (selection, error?.mayBeOfPart == true)
      }
      return (try found.get(), false)
    }

    /// Whether what the parts of a selection are compared with has others of them, and not the operand.
    private static func isOther(_ selection: Selection, _ operand: FilePath) -> Bool {
      guard selection.isPart, let manifest = selection.manifest, manifest.listsAllParts,
        manifest.expected(of: operand) == nil
      else { return false }
      let listsParts = selection.base.map { !manifest.parts(of: $0).isEmpty } ?? true
      return listsParts || manifest.whole(of: selection.base) == nil
    }
  }
}

extension Verify {
  /// What compares the manifest that was asked for with files of another directory, where it has others than parts there.
  func listOfFiles(in directory: FilePath, besides parts: [Selection.Part] = []) -> Operand? {
    guard case .file(let list) = request.manifest, let manifest = try? Manifest(reading: list),
      manifest.whole == nil
    else { return nil }
    let forms = parts.flatMap { PartName.readings(of: $0.path.lastComponent) }
    let zips = parts.compactMap { SplitZipName($0.path.lastComponent) }
    let isOfParts = { (name: FilePath) in
      forms.contains { $0.digits(of: name, folding: true) != nil }
        || zips.contains { SplitZipName(name)?.isPart(with: $0) == true }
    }
    let hasOthers = manifest.entries.contains { !isOfParts($0.name) } || !manifest.nested.isEmpty
    return hasOthers ? Operand(path: directory, listOfFiles: manifest) : nil
  }

  func unreadable(_ operand: FilePath, _ error: CleaveError) -> Finding {
    var finding = Finding(unreadable: operand, error)
    // The manifest is not counted as a file, whatever it is called.
    let isManifest = error.path.map { request.manifest == .file($0) } ?? false
    if isManifest { finding.status = .unreadable }
    if finding.status == .missing, error.path == operand, finding.bad.isEmpty {
      finding.bad = [operand]
    }
    return finding
  }
}
