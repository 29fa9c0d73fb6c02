public import Posix

/// What a caller may do about an error or a doubt.
///
/// The library names what its own API has. How a command line spells it, that command line knows.
public enum Remedy: Hashable, Sendable {
  /// Replacing what has the output's name: `OutputOptions.replacesExisting`.
  case replacing
  /// Another way to look at the parts: `.raw` joins the bytes whatever they hold, `.zip` wants a zip.
  case format(PartFormat)
  /// Joining exactly the files that are given, in this order: `Selection.Request.isAsGiven`.
  ///
  /// With `namesOutput`, their names tell none for the output, which is to be named, too.
  case asGiven(namesOutput: Bool = false)
  /// Merging each of several series by itself, one after the other.
  case each
  /// Reading the names as those of a family: `PartReading.family`; nil for one that is not known.
  case family(NamingStyle.Family?)
  /// The first part, by its number or what its name has in place of it; nil for one that is not known.
  case first(FilePath?)
  /// The last part, likewise.
  case last(FilePath?)
  /// Doing without a manifest: `ManifestChoice.none`.
  case withoutManifest
  /// Comparing with a manifest alone, and not looking at the content.
  case withoutContent
  /// Taking the lines that all parts begin with from the first alone: `Merge.Options.header`.
  case leavingOutHeader
  /// Freeing the sources on the way: `WorkOptions.consumes`.
  case consuming
  /// Copying where blocks cannot be shared: `SharingPolicy.auto`.
  case copying
  /// A name for the output, where nothing tells one.
  case namingOutput
  /// Saying which output is meant; nil where the sentence has the names.
  case output(FilePath?)
  /// Splitting a file wherever the sizes say, and not as a zip.
  case splittingAsBytes
  /// Splitting into parts of at most so many bytes.
  case splitting(atMost: Int64)
  /// Verifying a file.
  case verifying(FilePath, by: FilePath? = nil)
  /// Merging a part and the others, with a name for the output.
  case merging(FilePath)
  /// Reading what was made: `VerifyMode.readback`.
  case readingBack
  /// Making a zip of the concatenated parts of a split one.
  case repairing(FilePath)
}

extension Remedy: CustomStringConvertible {
  /// A noun for Swift programs, such as "PartFormat.raw".
  public var description: String {
    switch self {
    case .replacing: "OutputOptions.replacesExisting"
    case .format(let format): "PartFormat.\(format.rawValue)"
    case .asGiven: "Selection.Request.isAsGiven"
    case .each: "a merge of each"
    case .family(let family): "PartReading.family" + (family.map { " \($0.rawValue)" } ?? "")
    case .first(let part): "PartSeries.Bounds.first" + (part.map { " \($0)" } ?? "")
    case .last(let part): "PartSeries.Bounds.last" + (part.map { " \($0)" } ?? "")
    case .withoutManifest: "ManifestChoice.none"
    case .withoutContent: "a verification by the manifest alone"
    case .leavingOutHeader: "Merge.Options.header"
    case .consuming: "WorkOptions.consumes"
    case .copying: "SharingPolicy.auto"
    case .namingOutput: "a name for the output"
    case .output(let path): "the output's name" + (path.map { " \($0)" } ?? "")
    case .splittingAsBytes: "as bytes"
    case .splitting(let size): "a split into parts of at most \(size) bytes"
    case .verifying(let path, let list): "verify \(path)" + (list.map { " by \($0)" } ?? "")
    case .merging(let part): "a merge of \(part) with a name for the output"
    case .readingBack: "VerifyMode.readback"
    case .repairing(let path): "Repair of \(path)"
    }
  }
}
