/// What the main header of a RAR archive tells; see `technote.txt` of RAR 5 and of RAR 4.
enum RARHeader {
  /// Whether the archive is a volume of several; nil where the header is encrypted, or is none.
  ///
  /// - Parameter head: the first bytes of the file.
  static func isVolume(_ head: [UInt8], _ kind: FileFormat.Kind) -> Bool? {
    switch kind {
    case .rar4: isVolume4(head)
    case .rar5: isVolume5(head)
    default: nil
    }
  }

  /// Behind 7 bytes of magic number: checksum (2), type (1), flags (2).
  private static func isVolume4(_ head: [UInt8]) -> Bool? {
    guard head.count >= 12, head[9] == 0x73 else { return nil }
    return head.uint16(at: 10) & 1 != 0
  }

  /// Behind 8 bytes of magic number: checksum (4), and then numbers of seven bits a byte: size, type,
  /// flags, the size of an extra area if the first flag is set, flags of the archive.
  private static func isVolume5(_ head: [UInt8]) -> Bool? {
    var numbers = Numbers(head.dropFirst(12).prefix(40))
    guard numbers.next() != nil, numbers.next() == 1, let flags = numbers.next() else { return nil }
    if flags & 1 != 0, numbers.next() == nil { return nil }
    return numbers.next().map { $0 & 1 != 0 }
  }

  /// Numbers of seven bits a byte, the lowest first; all but the last byte have the eighth bit set.
  private struct Numbers {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    mutating func next() -> UInt64? {
      var value: UInt64 = 0
      for shift in stride(from: 0, to: 63, by: 7) {
        guard let byte = bytes.popFirst() else { return nil }
        // bounded: 7 bits nine times at most
        value |= UInt64(byte & 0x7F) << UInt64(shift)
        if byte < 0x80 { return value }
      }
      return nil
    }
  }
}
