import Posix
import TestSupport

/// A set of parts, the lists that were made of it, where it was moved, and what befell it, all drawn by chance.
///
/// Lists are made before anything is moved, as people do, by the tools that they use.
struct ListHistory: CustomStringConvertible {
  /// What befell the parts.
  enum Fault: CaseIterable {
    case none, lastGone, halfGone, firstGone, middleGone, damaged, swapped, cut, longer, emptied
  }
  /// Where they are when they are looked at.
  enum Layout: CaseIterable {
    /// All beside the lists.
    case flat
    /// All in a directory below, `d`, where the lists were made of them, or to which they were moved since.
    case below
    case moved
    /// The last still beside the lists, the others in `d`.
    case partlyMoved
    /// The first half in `d`, the others in `e`; the lists were made so.
    case apart
  }
  enum List: CaseIterable {
    case all, allAndWhole, whole, each, some

    /// Whether it tells of every part.
    var isFull: Bool { self != .some }
  }

  let seed: UInt64
  let names: [String]
  let whole: String
  let bytes: [UInt8]
  let fault: Fault
  let layout: Layout
  private(set) var lists: [List] = []
  /// The directory of each part in the end; empty for the one that the lists are in.
  private(set) var folders: [String]
  private var parts: [[UInt8]]

  var description: String {
    "seed \(seed): \(names.count) of \(whole), \(layout), \(fault), \(lists)"
  }
  /// The first part that is left.
  var operand: String { left[0] }
  var paths: [String] { zip(folders, names).map { $0.isEmpty ? $1 : "\($0)/\($1)" } }
  /// All that are left.
  var left: [String] { paths.indices.filter { !gone.contains($0) }.map { paths[$0] } }
  /// Whether one part does not stand for all.
  var isApart: Bool { layout == .partlyMoved || layout == .apart }
  private var gone: Set<Int> {
    switch fault {
    case .lastGone: [names.count - 1]
    case .halfGone: Set(max(1, names.count / 2)..<names.count)
    case .firstGone: [0]
    case .middleGone: [names.count / 2]
    default: []
    }
  }

  private static let families: [(whole: String, name: @Sendable (Int) -> String)] = [
    ("f", { "f.\(padded($0 + 1, 3))" }), ("v1.0", { "v1.0.\(padded($0, 3))" }),
    ("f.mkv", { "f.part\($0 + 1).mkv" }), ("f.mkv", { "f.part\(padded($0 + 1, 2)).mkv" }),
    ("f.bin", { "f.bin.a\(letter($0))" }), ("f", { "f.\(padded(String($0, radix: 16), 2))" }),
    ("my film.mkv", { "my film.mkv.\(padded($0 + 1, 3))" }),
    ("f.img", { "f.img.part\(padded($0, 3))" }),
    ("f", { "f.\($0 + 1)" }),
  ]
  private static func padded(_ number: some CustomStringConvertible, _ width: Int) -> String {
    let text = number.description
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
  private static func letter(_ number: Int) -> Character {
    Character(Unicode.Scalar(UInt8(97 + number)))
  }

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    let family = Self.families.randomElement(using: &random) ?? Self.families[0]
    let count = [2, 3, 4, 5, 12, 17].randomElement(using: &random) ?? 2
    names = (0..<count).map(family.name)
    whole = family.whole
    let last = [600, 599, 300, 7].randomElement(using: &random) ?? 600
    bytes = (0..<(600 * (count - 1) + last)).map { _ in UInt8.random(in: 0...255, using: &random) }
    parts = bytes.cut(to: 600)
    fault = Fault.allCases.randomElement(using: &random) ?? .none
    layout = Layout.allCases.randomElement(using: &random) ?? .flat
    let first =
      layout == .partlyMoved ? max(1, count - Int.random(in: 1...2, using: &random)) : count / 2
    folders = [layout].flatMap { layout in
      (0..<count).map { index in
        switch layout {
        case .flat: ""
        case .below, .moved: "d"
        case .partlyMoved: index < first ? "d" : ""
        case .apart: index < first ? "d" : "e"
        }
      }
    }
    let number = Int.random(in: 1...3, using: &random)
    lists = (0..<number).map { _ in List.allCases.randomElement(using: &random) ?? .all }
  }

  /// Whether some list tells of all parts, or of the whole.
  var isTold: Bool { lists.contains(where: \.isFull) }
  var isRight: Bool { fault == .none }

  /// Makes all of it.
  func make(in directory: TemporaryDirectory) throws {
    var random = SeededGenerator(seed: seed &+ 1)
    for folder in ["d", "e"] { try Files.makeDirectory(directory.file(FilePath(folder))) }
    let wereMoved = layout == .moved || layout == .partlyMoved
    let before = wereMoved ? names : paths
    for (path, part) in zip(before, parts) {
      try Files.write(part, to: directory.file(FilePath(path)))
    }
    let home = layout == .below ? "d/" : ""
    try Files.write(bytes, to: directory.file(FilePath(home + whole)))
    for (index, list) in lists.enumerated() {
      let tool = ["md5sum", "sha1sum", "sha256sum"][index % 3]
      let start = Bool.random(using: &random) ? "./" : ""
      let kind = tool.dropLast(3)
      let name = [whole, kind.uppercased() + "SUMS", "list"].randomElement(using: &random) ?? whole
      let target = name.hasSuffix("SUMS") ? name : "\(name).\(kind)"
      if list == .each {
        for path in before {
          let own = path.split(separator: "/").last.map(String.init) ?? path
          try sum(tool, [start + path], "\(own).\(kind)", directory)
        }
        continue
      }
      let some = before.filter { _ in Bool.random(using: &random) }
      let files: [String] =
        switch list {
        case .all: before
        case .allAndWhole: before + [home + whole]
        case .whole: [home + whole]
        case .each: []
        case .some: some.isEmpty ? [before[0]] : some
        }
      try sum(tool, files.map { start + $0 }, target, directory)
    }
    try FileSystem.unlink(directory.file(FilePath(home + whole)))
    for (from, to) in zip(before, paths) where from != to {
      try FileSystem.rename(directory.file(FilePath(from)), toNew: directory.file(FilePath(to)))
    }
    try befall(directory, &random)
  }

  private func sum(
    _ tool: String,
    _ files: [String],
    _ list: String,
    _ directory: TemporaryDirectory
  ) throws {
    guard let program = Tool.find(FilePath(tool)) else { return }
    let made = try program.run(["--"] + files, workingDirectory: directory.path)
    try Files.write(made.standardOutput, to: directory.file(FilePath(list)))
  }

  private func befall(_ directory: TemporaryDirectory, _ random: inout SeededGenerator) throws {
    let files = paths.map { directory.file(FilePath($0)) }
    let one = Int.random(in: 0..<files.count, using: &random)
    for index in gone { try FileSystem.unlink(files[index]) }
    switch fault {
    case .damaged: try Files.flipByte(at: 3, of: files[one])
    case .swapped:
      try Files.write(parts[1], to: files[0])
      try Files.write(parts[0], to: files[1])
    case .cut: try Files.setSize(Int64(parts[one].count / 2), of: files[one])
    case .longer: try Files.append([1, 2], to: files[one])
    case .emptied: try Files.setSize(0, of: files[one])
    default: break
    }
  }
}
