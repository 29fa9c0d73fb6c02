import Cleave
import Posix
import TestSupport

/// Names in a directory, a line each; the first is the operand, too. A line `;` ends them: what comes
/// behind it is a manifest for the operand.
enum SeriesTrial {
  private static let newline = UInt8(ascii: "\n")
  private static let mostNames = 12

  static func run(_ input: [UInt8]) -> String {
    let lines = input.split(separator: newline, omittingEmptySubsequences: false)
    let end = lines.firstIndex { $0.elementsEqual([UInt8(ascii: ";")]) } ?? lines.endIndex
    let names = lines[..<end].prefix(mostNames).map { FilePath(bytes: $0) }
    for name in names { take(apart: name) }
    _ = SplitZipSeries.of(names)
    let manifest = lines[end...].dropFirst().joined(separator: [newline])
    guard let operand = names.first, let directory = try? TemporaryDirectory() else {
      return "no names"
    }
    return look(at: operand, among: names, Array(manifest), in: directory)
      .replacing("\(directory.path)/", with: "").replacing("\(directory.path)", with: ".")
  }

  private static func take(apart name: FilePath) {
    for whole in isFile(name) ? PartName.wholes(of: name) : [] {
      precondition(whole != "." && whole != ".." && !whole.bytes.isEmpty)
      precondition(!whole.bytes.contains(UInt8(ascii: "/")))
    }
    guard let part = PartName(name) else { return }
    precondition(PartName.format(base: part.base, number: part.number, width: part.width) == name)
    precondition(part.base != "." && part.base != "..")
  }

  private static func look(
    at operand: FilePath,
    among names: [FilePath],
    _ manifest: [UInt8],
    in directory: TemporaryDirectory
  ) -> String {
    let files = names.filter(isFile).map { directory.file($0) }
    for file in files { try? Files.write([1], to: file) }
    let path = directory.file(operand)
    if let name = PartName(operand), !manifest.isEmpty, isFile(name.base.adding(".sfv")) {
      try? Files.write(manifest, to: directory.file(name.base.adding(".sfv")))
    }
    if let series = (try? PartSeries.containing(path)) ?? nil { check(series, names) }
    if let series = (try? SplitZipSeries.containing(path)) ?? nil {
      _ = try? series.existing(count: files.count)
    }
    for part in (try? SeriesDirectory(directory.path).allParts()) ?? [] {
      precondition(files.contains(part))
    }
    var outcomes: [String] = []
    for operands in [[path], files, [directory.path]] where !operands.isEmpty {
      do throws(CleaveError) {
        let selection = try Selection.look(at: operands)
        for case .file(let source) in selection.sources {
          // `..` and the like are another directory, whatever is there.
          precondition(!isFile(operand) || source.path.directory == directory.path)
        }
        let refusal = selection.refusal.map { ", \($0.message)" } ?? ""
        outcomes.append("\(selection.kind.rawValue) of \(selection.names.count)\(refusal)")
      } catch {
        outcomes.append(error.message)
      }
    }
    return outcomes.joined(separator: "; ")
  }

  private static func check(_ series: PartSeries, _ names: [FilePath]) {
    let numbers = series.parts.map(\.number)
    precondition(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    precondition(series.parts.allSatisfy { names.contains($0.path.lastComponent) })
    _ = try? PartNaming(series.base, isTyped: false).existing(count: 3)
    for name in names {
      let bounds = PartSeries.Bounds(first: .text(name), last: .text(name))
      let found = try? series.requireComplete(bounds: bounds).series.parts
      precondition(found?.count ?? 1 == 1)
    }
    for promised in [nil, PathList(names)] {
      guard let (complete, stale) = try? series.requireComplete(named: promised) else { continue }
      precondition(complete.parts.count + stale.count == series.parts.count)
    }
  }

  /// Whether a file can have the name.
  private static func isFile(_ name: FilePath) -> Bool {
    (1...255).contains(name.bytes.count) && name != "." && name != ".."
      && !name.bytes.contains(UInt8(ascii: "/"))
  }
}
