/// What an engine takes besides files, and does besides copying.
///
/// Every engine moves the bytes of files to files. What else a job asks for is compared with this before
/// anything is opened.
public struct EngineCapabilities: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Writes to outputs that have no offsets, such as pipes: each byte once, in the order of the plan.
  public static let streamOutput = EngineCapabilities(rawValue: 1 << 0)
  /// Makes destinations share the blocks of their sources, where a file system can.
  public static let sharedBlocks = EngineCapabilities(rawValue: 1 << 1)
  /// Reads sources that have neither a size nor offsets, such as standard input.
  package static let streamInput = EngineCapabilities(rawValue: 1 << 2)

  /// Reads files of other machines, which have no descriptors.
  package static let remoteSources = EngineCapabilities(rawValue: 1 << 3)

  /// Why nothing is done by an engine that lacks these.
  package var refusal: CleaveError {
    let verb =
      contains(.remoteSources)
      ? "reads files of other machines"
      : contains(.streamInput)
        ? "reads streams" : contains(.streamOutput) ? "writes to streams" : "shares blocks"
    let able = EngineName.allCases.filter { $0.engine.capabilities.isSuperset(of: self) }
    let names = able.map(\.rawValue).joined(separator: " or ")
    return CleaveError(.contradiction, "only the \(names) engine \(verb)")
  }
}

extension Engine {
  public var capabilities: EngineCapabilities { [] }

  /// - Throws: `.contradiction` where the engine cannot do all of it.
  package func require(_ needed: EngineCapabilities) throws(CleaveError) {
    let missing = needed.subtracting(capabilities)
    if !missing.isEmpty { throw missing.refusal }
  }
}
