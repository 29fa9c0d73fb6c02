import Posix
import TestSupport

extension Contents {
  /// The same without what a killed run leaves behind: files called `.NAME.cleave-tmp-` or
  /// `.NAME.cleave-naming-` and eight hexadecimal digits, and journals.
  var withoutTemporaries: Contents {
    var rest = self
    for name in names
    where String(decoding: name.bytes, as: UTF8.self).wholeMatch(of: Self.temporary) != nil {
      rest.remove(name)
    }
    return rest
  }

  private static var temporary: Regex<Substring> {
    /\..+\.cleave-(?:(?:tmp|naming)-[0-9a-f]{8}|journal)/
  }

  /// Gives a directory these files again, after something has been done there.
  func restore(in directory: FilePath) throws {
    let now = try Contents(of: directory)
    for name in now.names where !names.contains(name) {
      TemporaryDirectory.remove(directory.appending(name))
    }
    for name in names where now.bytes(name) != bytes(name) {
      guard let bytes = bytes(name) else { continue }
      try Files.write(bytes, to: directory.appending(name))
    }
  }
}
