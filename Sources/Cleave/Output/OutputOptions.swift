/// How outputs are made.
public struct OutputOptions: Hashable, Sendable {
  /// Whether a file that has the final name is replaced.
  public var replacesExisting: Bool
  /// Whether data and names are flushed to the device before success is reported.
  public var synchronizes: Bool
  /// Whether outputs are read back from the device before they get their names.
  public var readsBack: Bool
  /// Whether memory caches as much of inputs and outputs afterwards as it did before, no more.
  public var dropsCache: Bool
  /// Whether outputs get the time when the newest source was last changed.
  public var keepsTimes: Bool

  public init(
    replacesExisting: Bool = false,
    synchronizes: Bool = true,
    readsBack: Bool = false,
    dropsCache: Bool = false,
    keepsTimes: Bool = false
  ) {
    self.replacesExisting = replacesExisting
    self.synchronizes = synchronizes
    self.readsBack = readsBack
    self.dropsCache = dropsCache
    self.keepsTimes = keepsTimes
  }
}
