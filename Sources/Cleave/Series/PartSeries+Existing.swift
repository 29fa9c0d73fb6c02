public import Posix

extension PartSeries {
  /// The names in the way of a series that is about to be written.
  public struct Existing: Hashable, Sendable {
    /// The names among the new parts' own, by number.
    public var taken: [FilePath]
    /// The names that are not among them, but that a later merge would take for parts: those above
    /// the last number, and below the first one.
    public var stale: [FilePath]
  }
}
