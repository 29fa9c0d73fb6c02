internal import Posix

extension Array {
  /// Those for which something is so, and the others.
  func divided(by isSo: (Element) -> Bool) -> (those: [Element], others: [Element]) {
    reduce(into: (those: [], others: [])) { found, one in
      if isSo(one) { found.those.append(one) } else { found.others.append(one) }
    }
  }
}

extension [FilePath] {
  /// More files than this are not read only to find out whether they matter.
  private static var mostOthers: Int { 1024 }

  /// Those of the manifests in a directory that tell of some files, which they need not be named after.
  ///
  /// - Parameter place: a file beside them, or the name of the whole.
  /// - Throws: `.badData` where one that cannot be read has a name of them in it, or says two things of one
  ///   part; the error of reading one that may be about any file of the directory.
  func telling(
    of files: FilesMeant,
    _ place: FilePath,
    in lists: ListsInDirectory
  ) throws(CleaveError) -> [Manifest] {
    var found: [Manifest] = []
    for path in most(likelyOf: place) {
      do throws(CleaveError) {
        guard let manifest = try lists.manifest(at: path, of: files) else { continue }
        let seen = try files.seen(in: manifest)
        if files.areMeant(by: seen) { found.append(seen) }
      } catch {
        // That of another form is asked for where nothing else proves them.
        if error.isOfForeignList { continue }
        // Nobody shall believe that it was compared.
        if error.kind == .badData ? files.areMentioned(in: path) : error.mayHideSums(in: path) {
          throw error
        }
      }
    }
    if found.count < 2 { return found }
    let order = found.map(\.path).likely(of: place)
    return order.compactMap { path in found.first { $0.path == path } }
  }

  /// All of them; where they are too many, those that are likelier to matter.
  func most(likelyOf place: FilePath) -> [FilePath] {
    count > Self.mostOthers ? Array(likely(of: place).prefix(Self.mostOthers)) : self
  }

  /// Those that are about all of a directory come first, then those whose names begin as the parts' do.
  private func likely(of place: FilePath) -> [FilePath] {
    let name = place.lastComponent.bytes
    let common = { (path: FilePath) in
      ManifestName(path)?.subject == nil
        ? .max : zip(path.lastComponent.bytes, name).prefix { $0 == $1 }.count
    }
    return map { (common($0), $0) }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.1)
  }
}

/// The files that a manifest may be about: parts, and the whole that they make.
final class FilesMeant {
  /// The name that the parts share, which is that of the whole; nil where they share none.
  let base: FilePath?
  /// The parts that are there; nil where they are not known.
  let files: PathList?
  /// How they are counted, where that is known.
  let form: PartName?
  private lazy var names = PathSet((files ?? PathList()).lazy.map(\.lastComponent))
  /// All of them by what a list may have instead of their names; see ``Manifest/spelled(_:)``.
  private(set) lazy var spelled = Manifest.spelled(all)
  /// The same of those that some lists have by other letters.
  func spelled(in lists: [Manifest]) -> [String: FilePath] {
    if lists.isEmpty { return [:] }
    let known = Set(lists.flatMap(\.spellings))
    let found = (files ?? PathList()).lazy.filter { known.contains($0.spelling) }
    return Manifest.spelled(found + (base.map { [$0] } ?? []))
  }
  /// The names of all, however they are spelled.
  private lazy var spellings = Set(all.map(\.spelling))
  private var all: [FilePath] { (files.map(Array.init) ?? []) + (base.map { [$0] } ?? []) }
  /// What a list about them has in it: one of the names, or a name that may be that of a part of the whole.
  private(set) lazy var words = spellings.union(
    base.flatMap { SplitZipName($0.lastComponent)?.stem.spelling }.map { [$0] } ?? []
  )

  init(_ base: FilePath?, _ files: PathList?, counted form: PartName? = nil) {
    (self.base, self.files, self.form) = (base, files, form)
  }

  /// Whether a name is that of one of the parts.
  func contain(_ name: FilePath) -> Bool { names.contains(name) }

  /// A name, and what it may be a part of.
  static func words(of name: FilePath) -> [String] {
    let wholes = PartName.readings(of: name).map(\.base)
    let others = [PartName(name)?.base, SplitZipName(name)?.stem].compactMap(\.self)
    return ([name] + wholes + others).map(\.spelling)
  }

  /// Whether a manifest's name is that of one of them and an ending.
  func haveOne(_ path: FilePath) -> Bool {
    if let base, Manifest.isOfOnePart(path, of: base) { return true }
    return ManifestName(path)?.subject.map(contain) == true
  }

  /// A manifest with its lines about them under their names alone.
  func seen(in manifest: Manifest) throws(CleaveError) -> Manifest {
    if let base { return try manifest.about(base, spelled: spellings) }
    return files == nil ? manifest : manifest.withMoved(among: names)
  }

  /// Whether a manifest says something of them, by whatever letters.
  func areMeant(by manifest: Manifest) -> Bool {
    if let base, manifest.tells(of: base) { return true }
    if !manifest.parts(of: self).isEmpty { return true }
    if spellings.isEmpty { return false }
    return manifest.entries.indices.contains { index in
      spellings.contains(manifest.entries.name(at: index).spelling)
    }
  }

  /// Whether one that cannot be read has a name of them in it.
  func areMentioned(in path: FilePath) -> Bool {
    guard let base else {
      return Manifest.namedFiles(in: path).contains { contain($0.lastComponent) }
    }
    return Manifest.isName(path)
      ? Manifest.mentions(base, in: path) : Manifest.hasLine(of: base, in: path)
  }
}

extension FilePath {
  /// The same without `.`, and `..` behind a name, as far as the text tells.
  var withoutDots: FilePath {
    var names: [ArraySlice<UInt8>] = []
    for name in bytes.split(separator: UInt8(ascii: "/")) where !name.elementsEqual(".".utf8) {
      let isUp = name.elementsEqual("..".utf8)
      if isUp, let last = names.last, !last.elementsEqual("..".utf8) {
        names.removeLast()
      } else {
        names.append(name)
      }
    }
    let start: [UInt8] = isAbsolute ? [UInt8(ascii: "/")] : []
    return FilePath(bytes: start + names.joined(separator: [UInt8(ascii: "/")]))
  }

  /// The directory that all of some directories without dots are in; nil where there is none.
  static func common(_ directories: [FilePath]) -> FilePath? {
    let paths = directories.map { $0.bytes.split(separator: UInt8(ascii: "/")) }
    guard let first = paths.first, let isAbsolute = directories.first?.isAbsolute,
      directories.allSatisfy({ $0.isAbsolute == isAbsolute })
    else { return nil }
    let count = paths.map { zip($0, first).prefix { $0.elementsEqual($1) }.count }.min() ?? 0
    // Above these, no name tells.
    if paths.contains(where: { $0.dropFirst(count).first?.elementsEqual("..".utf8) == true }) {
      return nil
    }
    let names = first.prefix(count).joined(separator: [UInt8(ascii: "/")])
    return FilePath(bytes: (isAbsolute ? [UInt8(ascii: "/")] : []) + names)
  }
}

extension PathList {
  /// Files by their directories, in the order of the first ones.
  var byDirectory: [[FilePath]] {
    if areOfOneDirectory { return [Array(self)] }
    return ListedFiles.Directories(of: ListedFiles(self)).groups.map { group in
      group.map { self[Int($0)] }
    }
  }

  /// Whether some in several directories have the same name.
  var haveNamesakes: Bool {
    areScattered && Set(lazy.map(\.lastComponent)).count < Set(self).count
  }

  /// Whether they are in several directories.
  var areScattered: Bool { !areOfOneDirectory && Set(lazy.map(\.directory)).count > 1 }

  /// The first of the files in each directory.
  var firstOfEachDirectory: [FilePath] {
    areOfOneDirectory ? [self[0]] : byDirectory.map { $0[0] }
  }
}
