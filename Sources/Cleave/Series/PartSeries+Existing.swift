public import Posix

extension PartSeries {
  /// The names in the way of a series that is about to be written.
  public struct Existing: Hashable, Sendable {
    /// The names among the new parts' own, by number.
    public var taken: [FilePath]
    /// The names that are not among them, but that a later merge would take for parts: those above
    /// the last number, and below the first one.
    public var stale: [FilePath]

    /// - Throws: `.cannotCreate` where there is no such directory; the error of one that cannot be listed.
    static func names(in directory: FilePath) throws(CleaveError) -> PathList {
      do { return try FileSystem.names(in: directory) } catch {
        // Of a store, it is the bucket that is not there.
        guard error.errno == .notFound, !directory.isRemote else { throw .creating(error) }
        throw CleaveError(.cannotCreate, directory, CleaveError.isNoDirectory)
      }
    }
  }
}
