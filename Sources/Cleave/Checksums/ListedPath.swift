internal import Posix

/// The file that a line of a manifest names, which need not be beside the manifest.
enum ListedPath: Hashable {
  /// In the manifest's directory, or below it: components with a slash between them, none of which
  /// leads up.
  case inside(FilePath)
  /// Anywhere else, by an absolute name or by `..`. A manifest comes from elsewhere, and must not lead
  /// a reader out of its directory: such a file is never opened by this path.
  case outside(FilePath)

  /// Bytes of a path that Linux takes, without the NUL.
  static let longest = 4095

  /// - Parameter holdsBackslashes: whether a backslash is known to be the name's own. It separates on
  ///   the systems that most lists with backslashes come from.
  /// - Throws: for what is no name of a file on any system.
  init(
    _ name: some Collection<UInt8>,
    holdsBackslashes: Bool = false
  ) throws(ManifestComplaint) {
    let slash = UInt8(ascii: "/")
    let bytes = name.map { $0 == UInt8(ascii: "\\") && !holdsBackslashes ? slash : $0 }
    guard bytes.contains(slash) else {
      if let refusal = SFV.refusal(of: bytes, holdsBackslashes: true) {
        throw ManifestComplaint(refusal)
      }
      self = .inside(FilePath(bytes: bytes))
      return
    }
    if bytes.count > Self.longest {
      throw ManifestComplaint("the name has \(bytes.count) bytes, too many for a file")
    }
    if bytes.contains(0) { throw ManifestComplaint("the name holds a NUL byte") }
    if bytes.last == slash {
      throw ManifestComplaint("the name ends in a slash, as those of directories do")
    }
    let isOnDrive = !holdsBackslashes && bytes.dropFirst().first == UInt8(ascii: ":")
    let components = bytes.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
    let leadsUp = components.contains { $0.elementsEqual("..".utf8) }
    if bytes.first == slash || isOnDrive || leadsUp {
      self = .outside(FilePath(bytes: bytes))
      return
    }
    if components.isEmpty { throw ManifestComplaint("the name is empty") }
    for component in components {
      if let refusal = SFV.refusal(of: component, holdsBackslashes: true) {
        throw ManifestComplaint(refusal)
      }
    }
    self = .inside(FilePath(bytes: components.joined(separator: [slash])))
  }

  var path: FilePath {
    switch self {
    case .inside(let path), .outside(let path): path
    }
  }
}
