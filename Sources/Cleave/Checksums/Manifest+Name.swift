public import Posix

// Which files are manifests.
extension Manifest {
  /// Whether a file has the name of a manifest, which `NAME.*` of a shell takes in among the parts.
  ///
  /// Names such as `checksums.txt`, which are those of other files, too, do not count; see
  /// `isManifest(at:)`. And `h.b2` may be a part of `split -x`; see `isName(_:among:)`.
  public static func isName(_ path: FilePath) -> Bool { ManifestName(path)?.isCertain ?? false }

  /// Whether a file may be taken for a manifest by its name, or by that and its lines.
  static func isPossibleName(_ path: FilePath) -> Bool { ManifestName(path) != nil }

  /// Whether a file may be a list of sums by its name, also one that is not read.
  static func isListName(_ path: FilePath) -> Bool {
    // Hardly any name of a large directory needs a closer look: of one word, longer than those of lists, it is none.
    let isWord = !path.bytes.contains { $0 < UInt8(ascii: "0") || $0 == UInt8(ascii: "_") }
    if isWord, path.bytes.count > ManifestName.longestWord + 2 { return false }
    if endsInNumber(path.bytes) { return false }
    return ManifestName(path) != nil || ForeignList.isName(path)
  }

  /// Whether the last word of a name is a number that no kind of sums has, as in `f.0a3c` and `f.00017`.
  private static func endsInNumber(_ name: [UInt8]) -> Bool {
    var (start, hasLetters) = (name.count, false)
    while start > 0, name[start - 1].isHexDigit {
      start -= 1
      hasLetters = hasLetters || !name[start].isDigit
    }
    return start > 0 && start < name.count && name[start].isDigit
      && (hasLetters || name.count - start > 3) && "._-".utf8.contains(name[start - 1])
  }

  /// What a list is named after; nil where that is nothing, or the name is none of a list.
  static func subject(of path: FilePath) -> FilePath? { ManifestName(path)?.subject }

  /// Whether a file has the name of a manifest, and not that of a part of the files beside it.
  ///
  /// - Parameters:
  ///   - path: only its last component counts.
  ///   - names: those in its directory.
  public static func isName(_ path: FilePath, among names: PathSet) -> Bool {
    isName(path) && !isPart(path.lastComponent, among: names)
  }

  /// Whether a regular file is a manifest: by its name, and where the name is not certain or may be a
  /// part's, by its lines and by the files beside it.
  ///
  /// Reads it, and its directory, where that is needed.
  ///
  /// - Parameters:
  ///   - path: of a file of any kind.
  ///   - listing: the names of its directory, where they are known.
  public static func isManifest(at path: FilePath, in listing: DirectoryListing? = nil) -> Bool {
    guard let name = ManifestName(path) else { return false }
    if !name.isCertain { return readsAsManifest(path) }
    guard !rivals(of: path.lastComponent).isEmpty else { return true }
    let names = listing?.set ?? PathSet((try? FileSystem.names(in: path.directory)) ?? [])
    return !isPart(path.lastComponent, among: names)
  }

  /// The manifests in a directory by name and, where that is not certain, by their lines; sorted.
  ///
  /// - Throws: what listing the directory reports.
  public static func all(in directory: FilePath) throws(CleaveError) -> [FilePath] {
    all(in: try DirectoryListing(of: directory))
  }

  /// The same in a directory that was listed.
  static func all(in listing: DirectoryListing) -> [FilePath] {
    let found = listing.names.filter { name in
      // macOS keeps attributes in files of such names.
      guard !name.bytes.starts(with: "._".utf8), let found = ManifestName(name),
        !isPart(name, among: listing.set)
      else { return false }
      return found.isCertain || readsAsManifest(listing.path.appending(name))
    }
    return found.sorted().map { listing.path.appending($0) }
  }

  /// Whether every line of a file is one of a manifest, and there is one.
  static func readsAsManifest(_ path: FilePath) -> Bool {
    guard let manifest = try? Manifest(reading: path) else { return false }
    return !manifest.entries.isEmpty || !manifest.nested.isEmpty || manifest.whole != nil
      || manifest.outside > 0
  }

  /// How a manifest's name can be that of a part: `b2` in hexadecimal digits, and any in letters.
  private static func rivals(of name: FilePath) -> [PartName] {
    PartName.readings(of: name, by: [.hexadecimal, .letters]).filter { reading in
      // `film.sfv` is not the part behind `film.sfu` where `film.aaa` is not there.
      reading.digits.alphabet == .hexadecimal || reading.tail.bytes.isEmpty
    }
  }

  private static func isPart(_ name: FilePath, among names: PathSet) -> Bool {
    rivals(of: name).contains { reading in
      let isHexadecimal = reading.digits.alphabet == .hexadecimal
      // Of those that begin later, two that are next to it tell.
      guard reading.firsts.contains(where: names.contains) else {
        return isHexadecimal && reading.neighbours.allSatisfy(names.contains)
      }
      let signs = isHexadecimal ? reading.hexadecimalSigns : reading.neighbours
      return signs.contains(where: names.contains)
    }
  }
}

extension Manifest {
  /// What the sums of a part, or of its whole, are usually called.
  package static func likelyNames(beside name: FilePath) -> [FilePath] {
    let endings = [".sfv", ".sha256", ".md5", ".sha1", ".sha512", ".crc"]
    let own = ([name] + PartName.wholes(of: name)).flatMap { name in
      endings.map { name.adding($0) }
    }
    let common: [FilePath] = [
      "SHA256SUMS", "SHA256SUMS.txt", "sha256sum.txt", "MD5SUMS", "checksums.txt",
    ]
    return own + common
  }
}
