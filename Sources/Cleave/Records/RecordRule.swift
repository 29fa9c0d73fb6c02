/// What decides where one part ends and the next begins. A record ends with a separator, or where the
/// bytes end.
package enum RecordRule: Hashable, Sendable {
  /// Parts of so many bytes, at least 1.
  case bytes(Int64)
  /// Parts of so many records, at least 1.
  case records(Int64)
  /// As many whole records as fit into so many bytes, at least 1. A longer record is cut into parts of just as
  /// many, and what is left of it begins a part.
  case recordBytes(Int64)
  /// Chunks, whatever is in them.
  case chunks(EvenChunks)
  /// Chunks, each with the whole of the records that begin in it; empty where a record covers it.
  case recordChunks(EvenChunks)
}
