import Cleave
import CommandLineKit
import Posix

/// What a dry run of verify tells: what would be read, and compared with what.
struct VerifyPlan: Encodable {
  let event = "plan"
  let command = "verify"
  /// Bytes that would be read.
  private(set) var bytes: Int64 = 0
  /// Written one by one; see ``eachFile(_:)``.
  private let files: [File] = []
  private var lists: [List] = []
  private var zips: [Zip] = []
  private var contents: [Content] = []

  private enum CodingKeys: CodingKey { case event, command, bytes, files, zips, contents }

  /// The files of one manifest, of which there may be more than a million.
  private struct List {
    let files: ListedFiles
    let manifest: FilePath
    /// Of each; -1 where it cannot be found.
    var sizes: [Int64] = []
  }

  struct File: Encodable {
    let path: JSONReport.Name
    /// Nil where the file cannot be found.
    let bytes: Int64?
    let manifest: JSONReport.Name
  }

  private struct Zip: Encodable {
    let path: JSONReport.Name
    /// Of all its parts.
    let bytes: Int64
    let entries: Int64
  }

  private struct Content: Encodable {
    let path: JSONReport.Name
    /// Of all its parts.
    let bytes: Int64
    /// What would be compared.
    let by: String
  }

  /// - Parameter isQuick: the data of entries would not be read.
  mutating func add(_ subject: VerifySubject, isQuick: Bool) {
    if let check = subject.check {
      var list = List(files: check.files, manifest: check.manifest.path)
      for path in check.files {
        let size = (try? FileStatus.ifPresent(path))?.size
        list.sizes.append(size ?? -1)
        bytes += size ?? 0
      }
      lists.append(list)
    }
    guard let selection = subject.selection else { return }
    let (name, size) = (JSONReport.Name(selection.name), (selection.files ?? []).totalSize)
    if subject.archive != nil {
      zips.append(Zip(path: name, bytes: size, entries: selection.entries ?? 0))
      bytes += isQuick ? 0 : size
    }
    if let proof = subject.proof {
      contents.append(Content(path: name, bytes: size, by: proof.kind.described))
      bytes += proof.bytesToRead
    }
  }

  /// The files that would be compared with manifests.
  func eachFile(_ body: (File) throws(CleaveError) -> Void) throws(CleaveError) {
    for list in lists {
      let manifest = JSONReport.Name(list.manifest)
      for (path, size) in zip(list.files, list.sizes) {
        let bytes = size < 0 ? nil : size
        try body(File(path: JSONReport.Name(path), bytes: bytes, manifest: manifest))
      }
    }
  }

  /// For people.
  func eachLine(_ body: (String) throws(CleaveError) -> Void) throws(CleaveError) {
    try eachFile { file throws(CleaveError) in
      let size = file.bytes.map { ByteSize.described($0) } ?? "missing"
      try body("\(file.path): \(size), by \(file.manifest)")
    }
    let zips = zips.map { zip in
      let entries = zip.entries == 1 ? "1 entry" : "\(zip.entries) entries"
      return "\(zip.path): \(ByteSize.described(zip.bytes)), \(entries) of the zip"
    }
    let contents = contents.map { content in
      "\(content.path): \(ByteSize.described(content.bytes)), by \(content.by)"
    }
    for line in zips + contents { try body(line) }
    try body("\(ByteSize.described(bytes)) to read")
  }
}
