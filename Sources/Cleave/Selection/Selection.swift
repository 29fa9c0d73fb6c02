public import Posix

/// What operands mean: which files, in which order, and what is known of them.
///
/// The only answer to that question: merging, checking, showing, waiting and measuring all ask here.
public struct Selection: Sendable {
  /// What the operands are; spelled the same in text, in JSON and in journals.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// One file by itself.
    case file
    /// Several files, or streams, in the order given.
    case files
    /// Parts of one file.
    case series
    /// A zip in one file.
    case zip
    /// A zip that was cut anywhere.
    case zipPieces = "zip in pieces"
    /// A zip whose parts are disks: `a.z01 … a.zip`.
    case splitZip = "split zip"
    /// The parts of a split zip in one file, one behind the other, which is no zip.
    case concatenatedZip = "concatenated split zip"

    /// Whether merging makes another file than the parts one behind the other.
    public var isRewritten: Bool { self == .splitZip }
    /// Whether entries are counted.
    public var isZip: Bool { self == .zip || self == .zipPieces || self == .splitZip }
  }

  /// What was said of the operands.
  public internal(set) var request = Request()
  public internal(set) var kind = Kind.file
  /// What is read, in order; all of it, or as much as is there if something is refused.
  public internal(set) var sources: Sources = []
  /// The name that the parts share, with their directory; nil where they share none.
  public internal(set) var base: FilePath?
  public internal(set) var manifest: Manifest?
  /// The list that they are compared with because somebody named it.
  var namedList: FilePath? {
    if case .file(let list) = request.manifest { return list }
    return request.lists.first { manifest?.has(list: $0) == true }
  }
  /// The manifest of parts that are not just put together, where they are compared with another or with none.
  var layoutAside: Manifest?
  /// What tells how the parts are put together.
  package var layout: Manifest? { layoutAside ?? manifest }
  /// Parts that a longer series left behind; not merged.
  public internal(set) var stale: [FilePath] = []
  /// What speaks for and against it, and every doubt.
  public internal(set) var evidence = Evidence()
  /// What a list may say of some of the files, which of them nothing tells.
  var unclearLines: Doubt?
  /// Lists that are not read, which matter only where the content does not prove every byte.
  var doubtUnlessProved: Doubt?
  /// Why nothing can be made of the operands; nil where all is well.
  public internal(set) var refusal: CleaveError?
  /// What is wrong with the files, whatever is to be done with them: that one is not to be merged is
  /// nothing wrong.
  package var fault: CleaveError? {
    let isNoPart = evidence.doubts.contains { [.loneFile, .wholeZip].contains($0.code) }
    return isNoPart ? nil : refusal
  }
  /// Whether the operand is a part, whatever else is there.
  package internal(set) var isPart = false
  /// The name for the output where none is given, if there is one. The last part of a split zip has
  /// the name that would be expected.
  public internal(set) var defaultOutput: FilePath?
  /// Whether what a manifest says of the whole is said of what merging makes.
  package internal(set) var makesWhole = true
  /// Names of parts that the manifest lists, and that options leave out.
  var leftOut = PathList()
  /// Whether only some of the parts are asked for that the manifest lists, which then tells nothing of
  /// what they make.
  package var isPiece: Bool { !leftOut.isEmpty }
  /// The zip that the files hold; every entry has been found where it should be.
  package internal(set) var archive: ZipArchive?
  /// Of a zip that is written anew: what is put right on the way.
  package internal(set) var repairs: [HeaderRepair] = []
  /// The names in the parts' directory, as they were listed once.
  package internal(set) var listing: DirectoryListing?
  /// Entries of the zip.
  package internal(set) var entries: Int64?
  /// What nothing proves of the parts of a zip, as nouns.
  package internal(set) var unproved: [String] = []

  init() {}

  /// What operands mean, to be merged.
  ///
  /// Any one part stands for its whole series, and so do a manifest that names the parts and a
  /// directory with no other series in it. Several parts of one series are taken in the order of
  /// their numbers; other operands as they come, and `-` among them is standard input. Zips are looked
  /// into.
  ///
  /// - Throws: `.missingInput` where parts are missing, all of which are named; `.badData` where a
  ///   manifest or what is inside contradicts the operands; see ``Doubt/Code/severity``.
  public init(of operands: [FilePath], _ request: Request = Request()) throws(CleaveError) {
    self = try Selection.look(at: operands, request)
    if let refusal { throw refusal }
  }

  /// What operands mean, as far as it can be said.
  ///
  /// - Returns: a selection that has ``refusal`` where nothing can be made of it.
  /// - Throws: where not even that can be found out: a file that is not there, a manifest that cannot
  ///   be read.
  public static func look(
    at operands: [FilePath],
    _ request: Request = Request()
  ) throws(CleaveError) -> Selection {
    try look(at: operands, request, in: nil)
  }

  /// The same where the names beside the operands are known.
  package static func look(
    at operands: [FilePath],
    _ request: Request,
    in listing: DirectoryListing?
  ) throws(CleaveError) -> Selection {
    try looking(request) { selection throws(CleaveError) in
      selection.listing = listing
      try selection.resolve(operands, request)
    }
  }

  /// The same of an operand of which it is known what it stands for.
  package static func look(at part: Part, _ request: Request) throws(CleaveError) -> Selection {
    try looking(request) { selection throws(CleaveError) in try selection.resolve(part, request) }
  }

  private static func looking(
    _ request: Request,
    _ resolve: (inout Selection) throws(CleaveError) -> Void
  ) throws(CleaveError) -> Selection {
    var selection = Selection()
    selection.request = request
    do throws(CleaveError) {
      try resolve(&selection)
      selection.refusal = selection.evidence.refusal
    } catch {
      if selection.sources.isEmpty { throw error }
      selection.refusal = error
    }
    return selection
  }

  /// The sources as files, or nil where standard input is among them.
  public var files: SourceFiles? { sources.files }

  /// What messages call it.
  package var name: FilePath { base ?? names[0] }

  /// Names of the sources; standard input is `-`.
  package var names: PathList { sources.names }

  /// What a zip tells of itself, which is whole.
  var told: String? {
    guard kind.isZip, let entries else { return nil }
    return
      "a whole \(kind == .splitZip ? "split zip" : "zip"), with \(entries.counted("entry", "entries"))"
  }

  mutating func hold(_ archive: ZipArchive, _ kind: Kind, _ repairs: [HeaderRepair] = []) {
    (self.archive, self.kind, self.repairs) = (archive, kind, repairs)
    (entries, unproved) = (archive.summary.entries, archive.notes.unproved)
    if kind.isRewritten, archive.bytesLeftOut > 0 {
      let bytes = archive.bytesLeftOut.counted("byte")
      unproved.append("\(bytes) between the directory and the end, which merging leaves out")
    }
  }
}

extension Selection.Source {
  package var file: SourceFile? {
    if case .file(let file) = self { file } else { nil }
  }

  /// A file or a pipe.
  package var named: SourceFile? {
    switch self {
    case .standardInput: nil
    case .pipe(let file), .file(let file): file
    }
  }
}
