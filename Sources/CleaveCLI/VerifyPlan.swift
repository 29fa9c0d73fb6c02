import Cleave
import CommandLineKit
import Posix

/// What a dry run of verify tells: what would be read, and compared with what.
struct VerifyPlan: Encodable {
  let event = "plan"
  let command = "verify"
  /// Bytes that would be read.
  private(set) var bytes: Int64 = 0
  private var files: [File] = []
  private var zips: [Zip] = []
  private var contents: [Content] = []

  private struct File: Encodable {
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
    for path in subject.check?.files ?? [] {
      let size = (try? FileStatus.ifPresent(path))?.size
      let manifest = JSONReport.Name(subject.check?.manifest.path ?? path)
      files.append(File(path: JSONReport.Name(path), bytes: size, manifest: manifest))
      bytes += size ?? 0
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

  /// For people.
  var lines: [String] {
    let files = files.map { file in
      let size = file.bytes.map { ByteSize.described($0) } ?? "missing"
      return "\(file.path): \(size), by \(file.manifest)"
    }
    let zips = zips.map { zip in
      let entries = zip.entries == 1 ? "1 entry" : "\(zip.entries) entries"
      return "\(zip.path): \(ByteSize.described(zip.bytes)), \(entries) of the zip"
    }
    let contents = contents.map { content in
      "\(content.path): \(ByteSize.described(content.bytes)), by \(content.by)"
    }
    return files + zips + contents + ["\(ByteSize.described(bytes)) to read"]
  }
}
