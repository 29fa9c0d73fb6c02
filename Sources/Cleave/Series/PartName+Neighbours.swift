package import Posix

/// The names to ask for, one after the other until nothing has them, where nobody lists a directory.
package struct NameProbe {
  /// Of the parts behind one, nearest first.
  package let behind: AnySequence<FilePath>
  /// Of those before it.
  package let before: AnySequence<FilePath>

  fileprivate init(_ behind: some Sequence<FilePath>, before: some Sequence<FilePath>) {
    (self.behind, self.before) = (AnySequence(behind), AnySequence(before))
  }
}

extension PartName {
  /// No more are asked for in one direction.
  package static let mostProbes: Int64 = 1 << 17

  /// How the other parts may be called, for each way to read a name, the likeliest first.
  package static func probes(of name: FilePath) -> [NameProbe] {
    if let zip = SplitZipName(name), zip.place != .executable {
      let part = { (place: SplitZipName.Place) in zip.name(place, like: name) }
      let numbers = (1...mostProbes).lazy.map { part(.number($0)) }.filter { $0 != name }
      return [NameProbe(numbers, before: [part(.last)].filter { $0 != name })]
    }
    let readings = joined(name)
    let certain = readings.filter { $0.style.isCertain }
    return (certain + readings.filter { !$0.style.isCertain }).flatMap(\.probes)
  }

  /// Every way in which a name can be that of a part that is joined with others.
  fileprivate static func joined(_ name: FilePath) -> [PartName] {
    let plain = PartName(name).map { [$0] } ?? []
    return plain + readings(of: name).filter { $0.style.isJoined && !plain.contains($0) }
  }

  /// Each in another way to count.
  private var probes: [NameProbe] {
    numberings(of: digits).compactMap(probe) + [shorter].compactMap { $0 }
  }

  /// How names may go on: with numbers of as many digits, and as those of GNU `split`, which become longer.
  fileprivate func numberings(of digits: PartDigits) -> [Numbering] {
    let plain = Numbering(alphabet: digits.alphabet, width: digits.width, isWidening: false)
    let widening = Numbering.widening(digits.alphabet)
    return widening.contains(digits) ? [plain, widening] : [plain]
  }

  private func probe(_ rule: Numbering) -> NameProbe? {
    guard let place = rule.place(of: number) else { return nil }
    // bounded: a number has 18 digits at most, and a place is at most the number
    let behind = (place + 1)...(place + Self.mostProbes)
    let before = max(0, place - Self.mostProbes)..<place
    let name = { (place: Int64) in self.name(rule.number(at: place), rule) }
    return NameProbe(behind.lazy.map(name), before: before.reversed().lazy.map(name))
  }

  /// The parts before `x.10` where they are `x.9`, `x.8` …, and before `x.100` where they are `x.99` … `x.01`.
  private var shorter: NameProbe? {
    guard digits.alphabet == .decimal, !digits.isPadded, width > 1 else { return nil }
    let widths = (1..<width).reversed()
    let before = max(0, number - Self.mostProbes)..<number
    let names = before.reversed().lazy.flatMap { number in
      widths.map { self.name(number, .plain(width: $0)) }
    }
    return NameProbe([], before: names)
  }
}

extension SplitZipName {
  /// The name of another part, in the case of letters of one.
  fileprivate func name(_ place: Place, like other: FilePath) -> FilePath {
    let isUpperCase = other.bytes.last.map { (65...90).contains($0) } ?? false
    return Self.format(stem, family, place, isUpperCase: isUpperCase)
  }
}

/// The names that parts behind those of a page would have, which may show only some of a directory.
package struct NamesBehind {
  /// How parts are counted that were named, or whose names alone do not say that they are parts.
  private let forms: [PartName]
  /// Whether parts were named; those of other files are not looked for then.
  private let isGiven: Bool
  /// Those of the split zips among them.
  private let stems: Set<FilePath>
  /// Of parts that nobody has named.
  private static let mostForms = 16

  /// - Parameters:
  ///   - given: the parts that were named.
  ///   - names: all names of the page: their first parts count where no part was named.
  package init(given: [FilePath], among names: [FilePath]) {
    // A list stands for others.
    let given = given.filter { SplitZipName($0) != nil || !PartName.joined($0).isEmpty }
    isGiven = !given.isEmpty
    stems = Set(given.compactMap { SplitZipName($0)?.stem })
    if !given.isEmpty {
      forms = given.flatMap(PartName.joined)
      return
    }
    var firsts: [PartName] = []
    for name in names where firsts.count < Self.mostForms {
      firsts += PartName.joined(name).filter {
        !$0.style.isCertain && $0.style.firsts.contains($0.number)
      }
    }
    forms = firsts
  }

  /// - Returns: the names that the part behind one may have; of a split zip the last part's, too.
  package func names(behind name: FilePath) -> [FilePath] {
    if let zip = SplitZipName(name), case .number(let number) = zip.place {
      if isGiven, !stems.contains(zip.stem) { return [] }
      // bounded: a number has 18 digits at most
      return [zip.name(.number(number + 1), like: name), zip.name(.last, like: name)]
    }
    let own = isGiven ? [] : PartName.joined(name).filter(\.style.isCertain).prefix(1)
    return (own + forms).flatMap { form -> [FilePath] in
      guard let digits = form.digits(of: name) else { return [] }
      return form.numberings(of: digits).compactMap { rule in
        rule.successor(of: digits.number).map { form.name($0, rule) }
      }
    }
  }
}
