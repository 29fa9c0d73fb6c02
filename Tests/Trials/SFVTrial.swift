import Cleave
import Posix

/// Manifests.
enum SFVTrial {
  static func run(_ input: [UInt8]) -> String {
    let sfv: Manifest
    do throws(CleaveError) {
      sfv = try Manifest(parsingSFV: input, path: "a.sfv")
    } catch {
      precondition(error.kind == .badData && error.message.hasPrefix("a.sfv: line "))
      // A byte of a name takes four in a message.
      precondition(error.message.utf8.count < 4 * 765 + 100)
      return error.message
    }
    let names = (Array(sfv.entries) + sfv.nested).map(\.name)
    precondition(Set(names).count == names.count)
    for name in names {
      ManifestTrial.requireBelowDirectory(name)
      precondition(!name.bytes.contains(UInt8(ascii: "\\")))
    }
    let whole = ManifestTrial.requireSound(sfv.whole)
    if names.allSatisfy(SFV.canHold), whole.map({ SFV.canHold($0.name) }) ?? true {
      let bytes = SFV.render(sfv.entries, whole: sfv.whole)
      ManifestTrial.requireSame(try? Manifest(parsingSFV: bytes, path: "a.sfv"), sfv)
    }
    let text = whole.map { ", whole \($0.name) of \($0.size) bytes" } ?? ""
    return "\(names.count) entries, \(sfv.outside) outside\(text)"
  }
}
