import Cleave
import Posix

/// Manifests.
enum SFVTrial {
  static func run(_ input: [UInt8]) -> String {
    var sfv: SFV
    do throws(CleaveError) {
      sfv = try SFV.parse(input, path: "a.sfv")
    } catch {
      precondition(error.kind == .badData && error.message.hasPrefix("a.sfv: line "))
      // A byte of a name takes four in a message.
      precondition(error.message.utf8.count < 4 * 765 + 100)
      return error.message
    }
    let names = sfv.entries.map(\.name)
    precondition(Set(names).count == names.count)
    for name in names {
      ManifestTrial.requireBelowDirectory(name)
      precondition(!name.bytes.contains(UInt8(ascii: "\\")))
    }
    if let whole = sfv.whole { ManifestTrial.requireInDirectory(whole.name) }
    precondition((sfv.whole?.size ?? 0) >= 0)
    let whole = sfv.whole.map { ", whole \($0.name) of \($0.size) bytes" } ?? ""
    let outcome = "\(names.count) entries, \(sfv.outside) outside\(whole)"
    sfv.outside = 0
    if names.allSatisfy(SFV.canHold), sfv.whole.map({ SFV.canHold($0.name) }) ?? true {
      precondition((try? SFV.parse(sfv.render(version: "1"), path: "a.sfv")) == sfv)
    }
    return outcome
  }
}
