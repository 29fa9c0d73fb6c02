/// Lists of digests in forms that are not read, as the end of a sentence that begins with the name.
enum ForeignList: String {
  case signed = "is signed by PGP: gpg writes the list that is in it to a file of its own"
  case ended = "has names that end in NUL, and not in line feeds"
  case certUtil =
    "is what CertUtil writes: a list has lines of a digest, two blanks and a name"

  /// What some bytes are that are no list.
  init?(_ bytes: [UInt8]) {
    var text = ManifestLines(bytes)
    let first = text.next() ?? []
    if first.starts(with: "-----BEGIN PGP SIGNED MESSAGE".utf8) {
      self = .signed
    } else if bytes.last == 0 {
      self = .ended
    } else if ByteSearch(Array("CertUtil: -hashfile".utf8)).isFound(in: bytes) {
      self = .certUtil
    } else {
      return nil
    }
  }
}
