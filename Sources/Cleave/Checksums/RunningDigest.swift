internal import CCrypto

/// A digest that grows while its bytes pass by, in order, through OpenSSL's libcrypto.
///
/// Unchecked: its owner keeps all but one thread from it; see ``PassingDigests``.
package final class RunningDigest: @unchecked Sendable {
  /// Whether there is a library that computes digests; loads it.
  package static var isAvailable: Bool { ccrypto_is_available() != 0 }

  /// Whether the program was built to load one.
  package static var mayLoad: Bool { ccrypto_may_load() != 0 }

  /// What is said of that which needs it where it is not there.
  package static let lack = "needs OpenSSL's libcrypto, which cannot be loaded here"

  private let kind: Digest.Kind
  private let state: OpaquePointer
  /// Whether the library has taken everything so far.
  private var isSound = true

  /// - Throws: `.exhausted` where there is no memory or no library, or it was built without the kind.
  package init(_ kind: Digest.Kind) throws(CleaveError) {
    guard let state = ccrypto_digest_new(kind.code) else {
      throw Self.isAvailable
        ? Self.failed(kind) : CleaveError(.exhausted, "\(kind.name) \(Self.lack)")
    }
    (self.kind, self.state) = (kind, state)
  }

  deinit { ccrypto_digest_free(state) }

  /// Goes on over more bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    if ccrypto_digest_update(state, bytes.baseAddress, bytes.count) == 0 { isSound = false }
  }

  /// The digest of all bytes so far; then begins with none again.
  package func finish() throws(CleaveError) -> Digest {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Int(ccrypto_digest_finish(state, &bytes))
    guard isSound, let digest = Digest(kind, bytes: Array(bytes.prefix(count))) else {
      throw Self.failed(kind)
    }
    return digest
  }

  private static func failed(_ kind: Digest.Kind) -> CleaveError {
    CleaveError(.exhausted, "OpenSSL's libcrypto computes no \(kind.name)")
  }
}

extension Digest.Kind {
  fileprivate var code: ccrypto_kind {
    switch self {
    case .md5: CCRYPTO_MD5
    case .sha1: CCRYPTO_SHA1
    case .sha224: CCRYPTO_SHA224
    case .sha256: CCRYPTO_SHA256
    case .sha384: CCRYPTO_SHA384
    case .sha512: CCRYPTO_SHA512
    case .b2: CCRYPTO_BLAKE2B512
    }
  }
}
