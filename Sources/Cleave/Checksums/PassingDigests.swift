import Posix

/// Digests of parts and of the whole, from bytes that pass in their order.
///
/// Where the bytes of several parts pass in turn, each part has one of its own; see ``part()``.
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

  /// - Parameter isInTurn: whether the bytes of the parts pass in turn.
  /// - Throws: `.exhausted` where one of the kinds cannot be computed.
  package init(_ request: DigestRequest, isInTurn: Bool = false) throws(CleaveError) {
    self.request = request
    let part = try isInTurn ? [] : Self.begin(request.parts)
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

  /// The digests of one part, whose bytes pass in turn with those of others.
  func part() throws(CleaveError) -> PassingDigests? {
    request.parts.isEmpty ? nil : try PassingDigests(DigestRequest(parts: request.parts))
  }

  /// The next one of such parts is complete.
  func add(_ part: PassingDigests) throws(CleaveError) {
    try part.endPart()
    let digests = try part.finish().parts
    running.withLock { $0.digests.parts += digests }
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
