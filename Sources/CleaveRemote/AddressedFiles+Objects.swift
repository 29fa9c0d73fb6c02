internal import Cleave
package import Posix

/// Objects that are made, replaced and removed.
extension AddressedFiles {
  /// Nil where an address is none of an object.
  func place(_ path: FilePath, _ address: RemoteAddress) -> ObjectPlace? {
    guard case .object(let bucket, let key) = address, !key.bytes.isEmpty else { return nil }
    return ObjectPlace(
      path: path,
      bucket: bucket,
      key: key,
      store: store,
      client: client,
      farewell: farewell
    )
  }

  private func place(_ path: FilePath, _ call: String) throws(SystemError) -> ObjectPlace {
    guard let place = place(path, try RemoteAddress(path, call)) else {
      throw SystemError(call, path, .invalidArgument, detail: RemoteAddress.noBucket)
    }
    return place
  }

  package func create(_ path: FilePath) throws(SystemError) -> any RemoteUpload {
    try ObjectUpload(path, place(path, "create")) { [self] in forget(path) }
  }

  package func write(
    _ bytes: [UInt8],
    to path: FilePath,
    replacing: Bool
  ) throws(SystemError) -> MadeObject {
    let place = try place(path, "write")
    var sum = Checksum.empty
    bytes.withUnsafeBytes { sum.update($0, .crc32) }
    let naming = NamedWrite(path, place, replacing: replacing)
    let told = try naming.ask("PUT", [], [("x-amz-checksum-crc32", sum.crc32.base64)], bytes) {
      () throws(SystemError) in
      let (answer, found) = try place.ask("GET", upTo: bytes.count + 1)
      return answer.isSuccess && found == bytes
    }
    forget(path)
    return try place.made(size: Int64(bytes.count), crc32: sum.crc32, told)
  }

  package func remove(_ path: FilePath, being inode: UInt64) throws(SystemError) {
    let place = try place(path, "unlink")
    // What is known of it may be of before others replaced it.
    guard let found = try place.look().0, inode != FileStatus.unpinned,
      found.status(of: path).identity.inode == inode
    else {
      throw SystemError("unlink", path, .stale, detail: "was replaced by another program")
    }
    let (answer, body) = try place.ask(
      "DELETE",
      headers: found.strongTag.map { [("if-match", $0)] } ?? []
    )
    guard answer.isSuccess else { throw answer.error("unlink", path, body) }
    forget(path)
  }

  package func look(at path: FilePath) throws(SystemError) -> SeenObject? {
    let (found, crc32) = try place(path, "stat").look()
    return found.map { SeenObject(status: $0.status(of: path), crc32: crc32) }
  }

  package func unfinished(
    in directory: FilePath
  ) throws(SystemError) -> [UnfinishedObject] {
    try list.unfinished(in: directory)
  }

  package func discard(_ object: UnfinishedObject) throws(SystemError) {
    let place = try place(object.path, "unlink")
    let (answer, body) = try place.ask("DELETE", query: [("uploadId", object.attempt)])
    // Somebody else may have ended it meanwhile.
    guard answer.isSuccess || answer.status == 404 else {
      throw answer.error("unlink", object.path, body)
    }
  }

  package func areTogether(_ path: FilePath, _ other: FilePath) -> Bool {
    path.isObject && other.isObject
  }
}
