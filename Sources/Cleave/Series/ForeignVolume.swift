import Posix

/// Volumes that only the program that made them can put together.
enum ForeignVolume {
  /// - Throws: `.badData` that names the program, for `a.rar`, `a.r00` and `a.part1.rar`.
  static func refuse(_ path: FilePath) throws(CleaveError) {
    guard isRAR(path.lastComponent) else { return }
    throw CleaveError(
      .badData,
      path,
      "is a RAR volume, which has headers of its own: 'unrar x' unpacks it with the others; "
        + "--format=raw joins the bytes"
    )
  }

  private static func isRAR(_ name: FilePath) -> Bool {
    guard let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return false }
    let ending = SplitZipName.folded(name.bytes[(dot + 1)...])
    if ending == Array("rar".utf8) { return true }
    // a.r00 … a.r99, then a.s00 and so on.
    guard ending.count == 3, (UInt8(ascii: "r")...UInt8(ascii: "y")).contains(ending[0]) else {
      return false
    }
    return PartDigits(ending[1...]) != nil
  }
}
