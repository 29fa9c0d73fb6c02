/// What every job that writes may be told.
public struct JobOptions: Sendable {
  /// Takes the place of the engine that has a name.
  public var customEngine: (any Engine)?
  public var settings = EngineSettings()
  /// Which sums to compute on the way.
  public var kinds: Checksum.Kinds = [.crc32, .adler32]
  public var output = OutputOptions()
  public var sharing = SharingPolicy.auto
  public var cancellation = Cancellation()
  public var progress = WorkProgress()

  /// The engine's own settings, all sums, and outputs that replace nothing.
  public init() {}
}
