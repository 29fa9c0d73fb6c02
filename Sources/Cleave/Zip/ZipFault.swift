/// Why the bytes at hand are no zip, or not a whole one; the caller, who knows the parts, says it in words.
package enum ZipFault: Error, Hashable {
  /// Reading failed, which says nothing about the zip.
  case reading(CleaveError)
  /// Nothing at the end is the end record of a zip.
  case noEnd
  /// The end record belongs to the disk of this number, from 0, of a split zip.
  case isDisk(UInt32)
  /// The end record is that of the disk of this number, and there are more or fewer parts.
  case wrongDisk(UInt32)
  /// The central directory is encrypted.
  case encryptedDirectory
  /// The central directory is not where the end record says, nor right before it. By what the record
  /// says, there are so many bytes too many in front of it, or below 0 so many are missing.
  case noDirectory(excess: Int64)
  /// The central directory is where the end record says, and has another size than it says.
  case directorySize(Int64, told: UInt64)
  /// Records contradict themselves or each other; the end of a sentence.
  case contradiction(String)
}

extension ZipFault {
  var isOfDisk: Bool {
    if case .isDisk = self { true } else { false }
  }

  /// Runs a read.
  static func reading<R>(_ body: () throws(CleaveError) -> R) throws(ZipFault) -> R {
    do { return try body() } catch { throw .reading(error) }
  }
}
