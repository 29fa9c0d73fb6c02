internal import Posix

/// The parts that lists tell of besides some that are there, wherever their lines lead.
///
/// A list that has one of these tells of all others in it that are counted as they are; its lines may lead to them, or to
/// nothing, since lists are made before files are moved. Lists of one part each are one list. One that has none of them
/// tells of those next to them, where these are nowhere else.
struct ToldParts {
  /// Each with the list that has it.
  private(set) var all: [(name: FilePath, list: FilePath)] = []

  private let files: PathList
  private let form: PartName
  private let given: PathSet
  private let places: FilePlaces
  /// Whether lists that have none of the files tell of those next to them.
  private let withNext: Bool
  /// Whether a list has all of the files, so that only what is next to them is missing: `film_2019` is not behind `film_03`.
  private let areNear: Bool

  /// - Parameters:
  ///   - files: the parts that are there.
  ///   - form: how they are counted.
  init(besides files: PathList, counted form: PartName, withNext: Bool, areNear: Bool) {
    (self.files, self.form, self.withNext, self.areNear) = (files, form, withNext, areNear)
    given = PathSet(files.lazy.map(\.lastComponent))
    places = FilePlaces(files)
  }

  /// The list that tells of one of some files.
  func list(of names: [FilePath]) -> FilePath? {
    let names = PathSet(names.lazy.map(\.lastComponent))
    return all.first { names.contains($0.name) }?.list
  }

  /// Looks into the lists of one directory. Those that cannot be read do not matter: what the parts are compared with is
  /// read by others.
  ///
  /// - Parameters:
  ///   - place: a file in the directory.
  ///   - listing: of that directory.
  ///   - isLeft: whether a list is not looked into.
  ///   - isOther: whether it is about another directory, but for the lines that lead to the files.
  mutating func look(
    in lists: ListsInDirectory,
    beside place: FilePath,
    _ listing: DirectoryListing,
    about meant: FilesMeant,
    isLeft: (FilePath) -> Bool,
    isOther: (FilePath) -> Bool
  ) {
    var singles: [(Lines, FilePath)] = []
    for path in lists.names(about: meant).sorted().map(place.sibling) where !isLeft(path) {
      guard let list = (try? lists.manifest(at: path, of: meant)) ?? nil else { continue }
      let lines = lines(of: list, listing, withOwn: !isOther(path))
      if list.only != nil { singles.append((lines, path)) } else { take([(lines, path)]) }
    }
    take(singles)
  }

  /// Looks into one list.
  mutating func look(in list: Manifest) {
    take([(lines(of: list, nil, withOwn: true), list.path)])
  }

  /// What a list has of the files, and of others that are counted as they are.
  private struct Lines {
    var hasGiven = false
    var others: [FilePath] = []
    /// Those that are not in another directory which is there.
    var near: [FilePath] = []
  }

  private mutating func take(_ lists: [(Lines, FilePath)]) {
    let isAbout = lists.contains(where: \.0.hasGiven)
    // Counted on in hexadecimal digits.
    let isOn = isAbout && lists.contains { $0.0.others.contains(where: form.isTen) }
    for (lines, path) in lists where isAbout || withNext {
      let found = Manifest.names(
        isAbout ? lines.others : lines.near,
        following: files,
        counted: form,
        areNear: !isAbout || areNear
      )
      all += (found + (isOn ? lines.others.filter(form.isBehindNine) : [])).map { ($0, path) }
    }
  }

  /// The name of what may be a part, as the parts are called; nil for any other.
  private func name(of entry: Manifest.Entry) -> FilePath? {
    let name = entry.name.lastComponent
    if given.contains(name) || form.digits(of: name, folding: true) != nil
      || form.isBehindNine(name)
    {
      return name
    }
    guard let other = form.respelled(name), !given.contains(other) else { return nil }
    return other
  }

  private func lines(of list: Manifest, _ listing: DirectoryListing?, withOwn: Bool) -> Lines {
    var folders = ListedFolders(of: list.path)
    let isHere = { (folder: FilePath) in folders.identity(of: folder).map(places.areIn) }
    var lines = Lines()
    /// What is said of the files, under paths that lead to them.
    var sums: [FilePath: Manifest.Expected] = [:]
    var elsewhere: [FilePath: [Manifest.Entry]] = [:]
    for entry in [list.entries, list.nested, list.elsewhere].joined() {
      let folder = entry.name.directory
      guard let name = name(of: entry) else { continue }
      let isGiven = given.contains(name)
      guard isHere(folder) == true else {
        elsewhere[folder, default: []].append(entry)
        continue
      }
      if isGiven {
        (lines.hasGiven, sums[name]) = (true, entry.expected)
      } else {
        lines.others.append(name)
      }
    }
    lines.near = lines.others
    let ends = [files.first, files.last].compactMap { $0?.lastComponent }
    for (folder, entries) in elsewhere {
      let isOwn = entries[0].name.bytes.count == entries[0].name.lastComponent.bytes.count
      if isOwn, !withOwn { continue }
      let isThere = isOwn || isHere(folder) != nil
      func isPresent(_ entry: Manifest.Entry) -> Bool {
        if isOwn { return listing?.set.contains(entry.name) == true }
        return isThere && (try? FileStatus.of(list.place(of: entry.name))) != nil
      }
      // A directory that has the first or the last of the files itself has another set.
      let isOtherSet =
        !isOwn && isThere
        && ends.contains { name in
          (try? FileStatus.of(list.place(of: folder.appending(name)))) != nil
        }
      if isOtherSet { continue }
      let these = entries.filter { given.contains($0.name.lastComponent) }
      // Where they are there, too, or have other sums, all of that directory is of another file.
      let isOther = these.contains { entry in
        sums[entry.name.lastComponent].map { $0 != entry.expected } ?? false || isPresent(entry)
      }
      if isOther { continue }
      if !these.isEmpty { lines.hasGiven = true }
      let others = entries.filter { !given.contains($0.name.lastComponent) }
      lines.others += others.map(\.name.lastComponent)
      if isOwn || !isThere {
        lines.near += others.filter { !isPresent($0) }.map(\.name.lastComponent)
      }
    }
    return lines
  }
}
