import Posix

/// The locks of sources that are to be freed: two runs that free the same ones would each end with a part
/// of the bytes. See `flock(2)`.
final class SourceClaims {
  private final class Claim {
    let file: FileDescriptor
    init(_ file: consuming FileDescriptor) { self.file = file }
  }

  private var claims: [Int: Claim] = [:]
  /// Locks that are held at a time; each is an open file.
  private let most = min(1024, ProcessState.openFileLimit - 32)

  /// - Parameter sources: nil for those that are gone. All are looked at, as many are held as there may be.
  /// - Throws: `.changedInput` where another run has one; `.exhausted` where too few files may be open.
  init(of sources: some Collection<SourceFile?>) throws(CleaveError) {
    guard most > 0 else {
      throw CleaveError(.exhausted, "too few files may be open to hold what is consumed")
    }
    for (index, source) in sources.enumerated() {
      if let source { try claim(index, source) }
    }
  }

  /// Whether no other run can have a source.
  func holds(_ index: Int) -> Bool { claims[index] != nil }

  func claim(_ index: Int, _ source: SourceFile) throws(CleaveError) {
    let claim = Claim(try Consumption.open(source.path))
    guard claim.file.lock() else {
      throw CleaveError(.changedInput, source.path, "is in use: another run is consuming it")
    }
    if claims.count < most { claims[index] = claim }
  }

  func release(_ index: Int) { claims[index] = nil }
}
