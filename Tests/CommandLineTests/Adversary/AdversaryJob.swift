import Posix
import TestSupport

/// A job that is interrupted, disturbed, and typed again: its files, and what it is to make of them.
struct AdversaryJob {
  enum Kind: String, CaseIterable {
    case mergeConsuming, mergeZipConsuming, splitConsuming, merge, split

    var consumes: Bool { self != .merge && self != .split }
    var splits: Bool { self == .split || self == .splitConsuming }
  }

  let kind: Kind
  /// Of the sources, and of the outputs, which may be the same.
  let input, outputs: FilePath
  /// In their order.
  let sources: [FilePath]
  /// What was in them when all began.
  let originals: [[UInt8]]
  /// The manifest that the sources are compared with.
  private(set) var manifest: FilePath?
  /// What merge makes, or the first part that split makes.
  let output: FilePath
  /// The words behind `cleave`.
  private(set) var arguments: [any ToolArgument]
  /// Bytes of each part that split makes but for the last.
  private let cuts: [Int]
  /// The whole that a split zip makes.
  private let zip: [UInt8]?

  /// Makes the files.
  ///
  /// - Parameter root: where the directories for them are made.
  init(
    in root: FilePath,
    _ blocks: inout TaggedBlocks,
    _ generator: inout SeededGenerator
  ) throws {
    let kind = Kind.allCases.randomElement(using: &generator) ?? .merge
    self.kind = kind
    input = root.appending("in")
    outputs = Bool.random(using: &generator) ? input : root.appending("out")
    for directory in Set([input, outputs]) { try Files.makeDirectory(directory) }
    let hasManifest = Bool.random(using: &generator)
    let name: FilePath
    switch kind {
    case .mergeZipConsuming:
      let entries = (0..<Int.random(in: 2...4, using: &generator)).map { number in
        Self.entry(
          number,
          blocks.fill(
            Self.size(&generator) / TaggedBlocks.size * TaggedBlocks.size - Self.headerSize
          )
        )
      }
      zip = try ZipWriter(entries).single()
      let size = Int.random(in: 40...120, using: &generator) * TaggedBlocks.size
      let volumes = try ZipWriter(entries).parts(of: size)
      originals = volumes
      sources = volumes.indices.map { [input] in
        input.appending(ZipSetNames.lower.name(of: $0, among: volumes.count))
      }
      (name, cuts) = ("a.merged.zip", [])
    case .splitConsuming, .split:
      zip = nil
      cuts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        Self.size(&generator) / TaggedBlocks.size * TaggedBlocks.size
      }
      originals = [blocks.fill(cuts.reduce(Self.size(&generator), +))]
      sources = [input.appending("file")]
      name = "file.001"
    case .mergeConsuming, .merge:
      zip = nil
      cuts = []
      let sizes = Self.sizes(&generator, alike: !hasManifest)
      originals = sizes.map { blocks.fill($0) }
      sources = sizes.indices.map { [input] in input.appending(FilePath("file.00\($0 + 1)")) }
      name = "file"
    }
    for (path, bytes) in Swift.zip(sources, originals) { try Files.write(bytes, to: path) }
    output = outputs.appending(name)
    let engine = (engines + ["auto", "serial"]).randomElement(using: &generator) ?? "auto"
    let checkpoint = ["64K", "128K", "300K"].randomElement(using: &generator) ?? "64K"
    arguments = kind.splits ? ["split"] : ["merge"]
    arguments += [kind.consumes ? "--consume" : "--resume", "--engine", engine]
    arguments += ["--checkpoint", checkpoint]
    if kind.splits {
      arguments += ["-b", (cuts.map(String.init) + ["rest"]).joined(separator: ",")]
      arguments += [sources[0], outputs.appending("file")]
    } else {
      if Int.random(in: 0..<4, using: &generator) == 0 { arguments += ["--verify=readback"] }
      arguments += ["-o", output, sources.randomElement(using: &generator) ?? sources[0]]
    }
    if hasManifest, zip == nil, !kind.splits { try makeManifest() }
  }

  /// Bytes between the contents of two entries of a zip.
  private static let headerSize = 200

  /// An entry whose contents begin at a multiple of the blocks' size, in every part of a split zip, so
  /// that no block is partly in one file and partly in another.
  private static func entry(_ number: Int, _ contents: [UInt8]) -> ZipEntry {
    var entry = ZipEntry("entry \(number)", contents, method: .stored)
    // In front of the first one is the mark of a split zip.
    let size = number == 0 ? TaggedBlocks.size - 4 : headerSize
    let padding = size - 30 - entry.name.count - 4
    // The field that zipalign pads with.
    entry.localExtra.put(UInt16(0xD935))
    entry.localExtra.put(UInt16(padding))
    entry.localExtra += [UInt8](repeating: 0, count: padding)
    return entry
  }

  private mutating func makeManifest() throws {
    let path = input.appending("file.sfv")
    let lines = Swift.zip(sources, originals).map { path, bytes in
      "\(path.lastComponent) \(Self.hexadecimal(ZipCoding.checksum(bytes)))\n"
    }
    try Files.write(Array(lines.joined().utf8), to: path)
    manifest = path
  }

  private static func hexadecimal(_ sum: UInt32) -> String {
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Bytes: less than what holes are punched at the multiples of, or a few times as much.
  private static func size(_ generator: inout SeededGenerator) -> Int {
    let size = [20_000, 100_000, 262_144, 300_000, 520_192, 700_000].randomElement(
      using: &generator
    )
    return (size ?? 0) + Int.random(in: 0...9000, using: &generator)
  }

  private static func sizes(_ generator: inout SeededGenerator, alike: Bool) -> [Int] {
    let count = Int.random(in: 2...4, using: &generator)
    if !alike { return (0..<count).map { _ in size(&generator) } }
    // Where no manifest tells, the parts of a series are alike, and the last is shorter.
    let all = size(&generator)
    return (1..<count).map { _ in all } + [Int.random(in: 5000..<all, using: &generator)]
  }

  // MARK: What it makes

  /// Every name that the job gives, but for those of manifests.
  var outputNames: [FilePath] {
    if !kind.splits { return [output] }
    return (1...(cuts.count + 1)).map { outputs.appending(FilePath("file.00\($0)")) }
  }

  /// What is wrong with the files that have their final names; nil where nothing is.
  ///
  /// - Parameters:
  ///   - files: what is there.
  ///   - versions: what each source has held, the original first.
  ///   - others: names that somebody else has taken.
  ///   - isDone: whether all of them have to be there.
  func fault(
    in files: [FilePath: AdversaryTree.File],
    _ versions: [[[UInt8]]],
    except others: Set<FilePath>,
    isDone: Bool
  ) -> String? {
    if kind.splits { return faultOfParts(in: files, versions[0], except: others, isDone: isDone) }
    if others.contains(output) { return nil }
    guard let found = files[output]?.bytes else { return isDone ? "\(output) is missing" : nil }
    let isRight =
      zip.map { isZip(found, $0, versions[versions.count - 1]) }
      ?? Self.isJoined(found[...], versions[...])
    if isRight { return nil }
    let difference = Bytes.difference(found, zip ?? Array(originals.joined())) ?? ""
    return "\(output) is not what any version of the sources makes: \(difference)"
  }

  /// Whether some bytes are the zip. What somebody has put behind its end is kept, and told of.
  private func isZip(_ found: [UInt8], _ zip: [UInt8], _ last: [[UInt8]]) -> Bool {
    let original = originals[originals.count - 1]
    return last.contains { version in
      guard version.count >= original.count,
        Bytes.difference(Array(version.prefix(original.count)), original) == nil
      else { return false }
      return Bytes.difference(found, zip + version.dropFirst(original.count)) == nil
    }
  }

  private func faultOfParts(
    in files: [FilePath: AdversaryTree.File],
    _ versions: [[UInt8]],
    except others: Set<FilePath>,
    isDone: Bool
  ) -> String? {
    let versions = versions.map { cut($0) }
    let faults = versions.map { parts in
      Swift.zip(outputNames, parts).compactMap { path, part -> String? in
        if others.contains(path) { return nil }
        guard let found = files[path]?.bytes else {
          // A source that was cut makes fewer.
          return isDone && !part.isEmpty ? "\(path) is missing" : nil
        }
        return Bytes.difference(found, part).map { "\(path) is not what it should be: \($0)" }
      }
    }
    return faults.contains([]) ? nil : faults.first?.first
  }

  /// What the manifest that split has written says otherwise than the parts.
  func contradiction(
    in files: [FilePath: AdversaryTree.File],
    except others: Set<FilePath>
  ) -> String? {
    guard kind.splits, let manifest = files[outputs.appending("file.sfv")]?.bytes else {
      return nil
    }
    let lines = String(decoding: manifest, as: UTF8.self).split(separator: "\n")
    for path in outputNames where !others.contains(path) {
      guard let bytes = files[path]?.bytes,
        let line = lines.first(where: { $0.starts(with: "\(path.lastComponent) ") })
      else { continue }
      let sum = Self.hexadecimal(ZipCoding.checksum(bytes)).uppercased()
      if !line.contains(sum) { return "\(path) has CRC-32 \(sum), and not as in '\(line)'" }
    }
    return nil
  }

  private func cut(_ bytes: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var start = 0
    for size in cuts {
      parts.append(Array(bytes[min(start, bytes.count)..<min(start + size, bytes.count)]))
      start += size
    }
    return parts + [Array(bytes[min(start, bytes.count)...])]
  }

  /// Whether some bytes are one version of each source, one behind the other. The last ones may be
  /// missing where they have been at some time.
  private static func isJoined(
    _ found: ArraySlice<UInt8>,
    _ versions: ArraySlice<[[UInt8]]>
  ) -> Bool {
    guard let own = versions.first else { return found.isEmpty }
    if found.isEmpty, versions.allSatisfy({ $0.contains([]) }) { return true }
    return own.contains { version in
      !version.isEmpty && version.count <= found.count
        && Bytes.difference(Array(found.prefix(version.count)), version) == nil
        && isJoined(found.dropFirst(version.count), versions.dropFirst())
    }
  }
}
