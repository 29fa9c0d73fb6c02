import Posix

/// Digests of parts and of the whole, from bytes that pass in their order.
///
/// Used by one thread at a time, such as those of one serial queue.
package final class PassingDigests: Sendable {
  private let request: DigestRequest
  private let running: Locked<Running>

  private struct Running {
    var part: [RunningDigest]
    var whole: [RunningDigest]
    var digests = Digests()
    var repeats = false
  }

  /// - Throws: `.exhausted` where one of the kinds cannot be computed.
  package init(_ request: DigestRequest) throws(CleaveError) {
    self.request = request
    let part = try Self.begin(request.parts)
    let whole = try Self.begin(request.whole)
    running = Locked(Running(part: part, whole: whole))
  }

  private static func begin(
    _ kinds: Set<Digest.Kind>
  ) throws(CleaveError) -> [RunningDigest] {
    var running: [RunningDigest] = []
    for kind in Digest.Kind.allCases where kinds.contains(kind) {
      running.append(try RunningDigest(kind))
    }
    return running
  }

  /// The next bytes of the part and of the whole.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    running.withLock { running in
      for digest in running.part { digest.update(bytes) }
      if running.repeats { return }
      for digest in running.whole { digest.update(bytes) }
    }
  }

  /// Whether what follows is in the part, and not in the whole.
  func repeats(_ isSo: Bool) { running.withLock { $0.repeats = isSo } }

  /// What follows belongs to the next part.
  package func endPart() throws(CleaveError) {
    try running.withLock { running throws(CleaveError) in
      if running.part.isEmpty { return }
      var digests: [Digest] = []
      for digest in running.part { digests.append(try digest.finish()) }
      running.digests.parts.append(digests)
    }
  }

  /// All of them, when everything has passed and every part has ended.
  package func finish() throws(CleaveError) -> Digests {
    try running.withLock { running throws(CleaveError) in
      running.digests.whole = []
      for digest in running.whole { running.digests.whole.append(try digest.finish()) }
      return running.digests
    }
  }
}
