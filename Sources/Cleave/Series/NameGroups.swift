internal import Posix

/// The names of a directory by the series that they may be of: those that are the same but for a
/// number.
///
/// A name may be read in several ways. It is then a part for certain, where another name is one with it; or
/// else one of those that most others are. Of each way only
/// a hash is kept, so that a hundred thousand names need little more memory than they themselves. What
/// a group really is, ``PartSeries/containing(_:as:in:)`` decides.
struct NameGroups {
  /// Names that have the same form.
  struct Group {
    /// The first and the last of them as bytes.
    var first: FilePath
    var last: FilePath
    var count = 0
    /// Whether a name alone makes it a series.
    var isCertain = false
    /// Whether it has a first part, which its form needs, and another one.
    var isBegun = false
    fileprivate var key: Key
  }

  fileprivate typealias Key = Int

  /// One way to read a name, in as few bytes as the key itself: there may be a million of them.
  private struct Way {
    /// The key, and below it the two flags.
    private var bits: Key

    init(_ key: Key, isCertain: Bool, isBegun: Bool = false) {
      bits = key | (isCertain ? 1 : 0) | (isBegun ? 2 : 0)
    }

    var key: Key { bits & ~NameHash.below }
    var isBegun: Bool { bits & 2 != 0 }
    var isCertain: Bool {
      get { bits & 1 != 0 }
      set { bits = newValue ? bits | 1 : bits & ~1 }
    }
  }

  private let names: PathList
  private let families: [NamingStyle.Family]?
  /// The names that manifests may have, and what else is kept beside parts.
  private let manifests: PathSet
  /// The names, where manifests are among them.
  private let known: PathSet
  /// The group of each name; 0 for none.
  private var chosen: [Key] = []
  private(set) var groups: [Group] = []
  /// The first of the names whose parts must not be joined; of those that were read in all ways.
  private(set) var refused: FilePath?

  /// - Parameters:
  ///   - companions: those that ``Neighbours/isCompanion(_:)`` tells, where they are known.
  ///   - families: how to read the names; nil for all ways.
  init(
    _ names: PathList,
    companions: [FilePath]? = nil,
    by families: [NamingStyle.Family]? = nil
  ) {
    self.names = names
    self.families = families
    // A set of all names is made only for those that it matters to.
    let companions = companions ?? names.filter(Neighbours.isCompanion)
    manifests = PathSet(companions)
    known = companions.isEmpty ? PathSet() : PathSet(names)
    let begun = Begun(names, by: families)
    let forms = (0...UInt8.max).map { byte in
      LikelyForms(endingIn: byte) { form in
        begun.mayHave(form) && families?.contains(form.style.family) ?? true
      }
    }
    var ways: [Way] = []
    var ends: [Int] = []
    ends.reserveCapacity(names.count)
    var hash = NameHash()
    for name in names {
      hash.begin()
      if !isBeside(name) {
        add(name, forms[Int(name.bytes.last ?? 0)], begun, &hash, to: &ways)
      } else if families == nil, NamingStyle.first(of: name)?.isRefused == true {
        refuse(name)
      }
      ends.append(ways.count)
    }
    choose(ways, ends)
  }

  private mutating func refuse(_ name: FilePath) { refused = min(refused ?? name, name) }

  /// The names of a group, in the order of the directory.
  func names(of group: Group) -> some Sequence<FilePath> {
    chosen.enumerated().lazy.filter { $0.element == group.key }.map { names[$0.offset] }
  }

  /// The names of each of some groups, in the order of the directory.
  func names(ofEach groups: [Group]) -> [[FilePath]] {
    let places = Dictionary(groups.enumerated().map { ($1.key, $0) }) { first, _ in first }
    var found = [[FilePath]](repeating: [], count: groups.count)
    for (index, key) in chosen.enumerated() where key != 0 {
      if let place = places[key] { found[place].append(names[index]) }
    }
    return found
  }

  private mutating func choose(_ ways: [Way], _ ends: [Int]) {
    let counts = WayCounts(ways.lazy.map(\.key))
    let others = Self.countsBesideSeries(ways, ends, counts)
    var found: [Key: Group] = [:]
    chosen = Array(repeating: 0, count: names.count)
    var start = 0
    for (index, end) in ends.enumerated() {
      defer { start = end }
      guard let way = Self.best(of: ways[start..<end], counts, others ?? counts) else { continue }
      chosen[index] = way.key
      if !way.isCertain, counts[way.key] == 1 { continue }
      var group = found[way.key] ?? Group(first: names[index], last: names[index], key: way.key)
      group.count += 1
      group.isCertain = group.isCertain || way.isCertain
      group.isBegun = group.isBegun || way.isBegun
      if names[index] < group.first { group.first = names[index] }
      if group.last < names[index] { group.last = names[index] }
      found[way.key] = group
    }
    groups = found.values.sorted { $0.first < $1.first }
  }

  /// The first of the ways that most other names have, too; of those that make a series for certain and are
  /// not of this name alone, if there are any. `show.s01e01.mkv.001` is a part of that episode, however many
  /// episodes there are.
  ///
  /// - Parameter others: how many names have a way that are of no series for certain.
  private static func best(
    of ways: ArraySlice<Way>,
    _ counts: WayCounts,
    _ others: WayCounts
  ) -> Way? {
    var best: (way: Way, count: Int32, isSeries: Bool)?
    for way in ways {
      let isSeries = isSeries(way, counts)
      let count = isSeries ? counts[way.key] : others[way.key]
      if let best, (isSeries ? 1 : 0, count) <= (best.isSeries ? 1 : 0, best.count) { continue }
      best = (way, count, isSeries)
    }
    return best?.way
  }

  private static func isSeries(_ way: Way, _ counts: WayCounts) -> Bool {
    way.isCertain && counts[way.key] > 1
  }

  /// How many names have each way, without those that are of a series for certain: of `disc2.iso.002`, which may be alone,
  /// `disc1.iso.002` is no other part where there is `disc1.iso.001`. Nil where no such name is alone.
  private static func countsBesideSeries(
    _ ways: [Way],
    _ ends: [Int],
    _ counts: WayCounts
  ) -> WayCounts? {
    guard ways.contains(where: { $0.isCertain && counts[$0.key] == 1 }) else { return nil }
    var keys: [Key] = []
    var start = 0
    for end in ends {
      defer { start = end }
      if ways[start..<end].contains(where: { isSeries($0, counts) }) { continue }
      keys += ways[start..<end].map(\.key)
    }
    return WayCounts(keys)
  }

  // MARK: Ways

  /// Adds the ways to read a name, most specific first.
  ///
  /// - Parameter forms: those that it may have by its last byte.
  private mutating func add(
    _ name: FilePath,
    _ forms: LikelyForms,
    _ begun: Begun,
    _ hash: inout NameHash,
    to ways: inout [Way]
  ) {
    // What a job writes to is no part of anything.
    if DownloadName.final(ofTemporary: name) != nil { return }
    let endsInDigit = name.bytes.last.map(PartAlphabet.decimal.contains) ?? false
    if families == nil, endsInDigit, let zip = SplitZipName(name), case .number = zip.place {
      let key = hash.key(name.bytes, around: zip.stem.bytes.count..<name.bytes.count)
      return ways.append(Way(key, isCertain: true))
    }
    let start = ways.count
    let set = ByteSet(name.bytes)
    for form in forms.of(set) {
      if form.isRefused {
        guard families == nil, form.pattern.fits(name.bytes, of: set) else { continue }
        if ways.count == start { refuse(name) }
        return ways.removeSubrange(start...)
      }
      form.pattern.match(name.bytes, of: set) { match in
        guard let digits = match.digits, begun.has(form, name.bytes, match.number, digits, &hash)
        else { return }
        let key = hash.key(name.bytes, around: match.number)
        let isCertain = families != nil || Self.isCertain(form.style, digits)
        for same in start..<ways.count where ways[same].key == key {
          if isCertain { ways[same].isCertain = true }
          return
        }
        // One letter may be any file type.
        let isBegun = form.needsFirst && (digits.width > 1 || digits.alphabet == .decimal)
        ways.append(Way(key, isCertain: isCertain, isBegun: isBegun))
      }
    }
  }

  /// What is beside parts, and none: manifests, downloads, and what macOS keeps on foreign disks.
  private func isBeside(_ name: FilePath) -> Bool {
    if name.bytes.starts(with: "._".utf8) { return true }
    return manifests.contains(name)
      ? Self.isCompanion(name, among: known) : DownloadName.matches(name)
  }

  /// Whether one of ``DirectoryListing/companions`` is no part itself.
  static func isCompanion(_ name: FilePath, among names: PathSet) -> Bool {
    Manifest.isName(name, among: names) || Neighbours.isOfPart(name, among: names)
  }

  /// Whether the name says so whatever others there are. A number without a zero in front may be a
  /// date or a version.
  private static func isCertain(_ style: NamingStyle, _ digits: PartDigits) -> Bool {
    style.isCertain && style.family != .digit && (style.family != .numbers || digits.isPadded)
  }
}

/// The forms that names may have which end in one byte.
private struct LikelyForms {
  private let all: [NamingForm]
  /// Those that any name may have.
  private let bare: [NamingForm]
  /// One of these bytes is in all names of the others.
  private var before = ByteSet([])

  init(endingIn byte: UInt8, where isLikely: (NamingForm) -> Bool) {
    all = NamingForm.ending(in: byte).filter(isLikely)
    bare = all.filter { $0.pattern.before == nil }
    for form in all { form.pattern.before.map { before.formUnion($0) } }
  }

  /// - Parameter set: the bytes of a name.
  func of(_ set: ByteSet) -> [NamingForm] { before.intersects(set) ? all : bare }
}

/// The first parts that are there, of those forms that need them.
private struct Begun {
  /// What first parts have in front of their numbers and behind, and how many digits.
  private var keys: Set<Int> = []
  private var alphabets: Set<PartAlphabet> = []

  init(_ names: PathList, by families: [NamingStyle.Family]?) {
    let forms = (0...UInt8.max).map { byte in
      LikelyForms(endingIn: byte) { form in
        form.needsFirst && families?.contains(form.style.family) ?? true
      }
    }
    var hash = NameHash()
    for name in names {
      hash.begin()
      let set = ByteSet(name.bytes)
      for form in forms[Int(name.bytes.last ?? 0)].of(set) {
        // Of 66600, too.
        let mostLast = form.style.firsts.upperBound % form.pattern.alphabet.base
        form.pattern.match(name.bytes, of: set, mostLast: mostLast) { match in
          guard let digits = match.digits, form.style.firsts.contains(digits.number) else { return }
          keys.insert(hash.key(name.bytes, around: match.number, digits.width))
          alphabets.insert(form.pattern.alphabet)
        }
      }
    }
  }

  /// Whether a form has the first part that it needs, if any has.
  func mayHave(_ form: NamingForm) -> Bool {
    !form.needsFirst || alphabets.contains(form.pattern.alphabet)
  }

  /// Whether a name has the first part that its form needs.
  func has(
    _ form: NamingForm,
    _ name: [UInt8],
    _ number: Range<Int>,
    _ digits: PartDigits,
    _ hash: inout NameHash
  ) -> Bool {
    guard form.needsFirst else { return form.style.isJoined }
    if keys.contains(hash.key(name, around: number, digits.width)) { return true }
    return digits.width > 2 && Numbering.widening(digits.alphabet).contains(digits)
      && keys.contains(hash.key(name, around: number, 2))
  }
}

/// How many names have each way to be read.
///
/// Most ways are those of one name alone, and are not counted: two tables of bits tell them apart.
private struct WayCounts {
  private var counts: [Int: Int32] = [:]

  init(_ keys: some Sequence<Int>) {
    let count = keys.underestimatedCount
    // bounded: a byte for each way, and a power of two
    let mask = max(64, 1 << (Int.bitWidth - (8 * count).leadingZeroBitCount)) - 1
    var once = [UInt64](repeating: 0, count: mask / 64 + 1)
    var twice = once
    for key in keys {
      let (word, bit) = Self.place(of: key, mask)
      if once[word] & bit != 0 { twice[word] |= bit }
      once[word] |= bit
    }
    for key in keys {
      let (word, bit) = Self.place(of: key, mask)
      if twice[word] & bit != 0 { counts[key, default: 0] += 1 }
    }
  }

  private static func place(of key: Int, _ mask: Int) -> (word: Int, bit: UInt64) {
    let place = key >> NameHash.belowBits & mask
    return (place >> 6, 1 << UInt64(place & 63))
  }

  /// - Parameter key: one of those that were counted.
  subscript(key: Int) -> Int32 { counts[key] ?? 1 }
}

/// Hashes of one name but for a number, in either case.
private struct NameHash {
  /// The lowest bits, which are 0 in each key.
  static let below = 1 << belowBits - 1
  static let belowBits = 2

  private static let seed = UInt64.random(in: 0 ... .max)
  /// That of FNV-1a with 64 bits.
  private static let prime: UInt64 = 0x100_0000_01B3

  /// Of as many bytes from the start as the index.
  private var fronts: [UInt64] = []
  /// Of as many bytes up to the end as the index.
  private var ends: [UInt64] = []

  /// Takes another name; nothing is computed before a key is asked for.
  mutating func begin() {
    fronts.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// Never 0. Two forms that have the same by chance make a group that is no series, and is refused.
  ///
  /// - Parameter name: the same since ``begin()``.
  mutating func key(_ name: [UInt8], around number: Range<Int>, _ width: Int = 0) -> Int {
    if fronts.isEmpty { compute(name) }
    let place = UInt64(truncatingIfNeeded: width << 16 ^ number.lowerBound)
    var hash = (fronts[number.lowerBound] ^ place) &* Self.prime
    hash = (hash ^ hash >> 29 ^ ends[name.count - number.upperBound]) &* Self.prime
    hash ^= hash >> 32
    let key = Int(truncatingIfNeeded: hash) & ~Self.below
    return key == 0 ? Self.below + 1 : key
  }

  private mutating func compute(_ name: [UInt8]) {
    var hash = Self.seed
    fronts.append(hash)
    for byte in name {
      hash = (hash ^ UInt64(byte.folded)) &* Self.prime
      fronts.append(hash)
    }
    hash = ~Self.seed
    ends.append(hash)
    for byte in name.reversed() {
      hash = (hash ^ UInt64(byte.folded)) &* Self.prime
      ends.append(hash)
    }
  }
}
