/// Looks for some bytes among others, in time that grows with the sum of both, whatever they are: the
/// algorithm of Knuth, Morris and Pratt.
struct ByteSearch {
  private let wanted: [UInt8]
  /// How many of the wanted bytes are known to match, where so many did and the next does not.
  private var fallbacks: [Int] = [0]

  init(_ wanted: [UInt8]) {
    self.wanted = wanted
    for byte in wanted.dropFirst() { fallbacks.append(matched(fallbacks.last ?? 0, byte)) }
  }

  /// How many bytes match behind one more.
  private func matched(_ count: Int, _ byte: UInt8) -> Int {
    var count = count
    while count > 0, wanted[count] != byte { count = fallbacks[count - 1] }
    return wanted[count] == byte ? count + 1 : 0
  }

  func isFound(in bytes: [UInt8]) -> Bool {
    if wanted.isEmpty { return true }
    var count = 0
    for byte in bytes {
      count = matched(count, byte)
      if count == wanted.count { return true }
    }
    return false
  }
}
