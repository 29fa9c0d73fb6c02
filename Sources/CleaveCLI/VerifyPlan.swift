import Cleave
import CommandLineKit
import Posix

/// What a dry run of verify tells: what would be read, and compared with what.
struct VerifyPlan: Encodable {
  let event = "plan"
  let command = "verify"
  /// Bytes that would be read.
  let bytes: Int64
  private let files: [File]
  private let zips: [Zip]

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

  /// - Parameter isQuick: the data of entries would not be read.
  init(_ checks: [ManifestCheck], _ zips: [Selection], isQuick: Bool) {
    files = checks.flatMap { check in
      check.files.map { path in
        File(
          path: JSONReport.Name(path),
          bytes: (try? FileStatus.ifPresent(path))?.size,
          manifest: JSONReport.Name(check.manifest.path)
        )
      }
    }
    self.zips = zips.map { zip in
      Zip(
        path: JSONReport.Name(zip.base ?? zip.names[0]),
        bytes: (zip.files ?? []).totalSize,
        entries: zip.entries ?? 0
      )
    }
    let tested = isQuick ? 0 : self.zips.reduce(0) { $0 + $1.bytes }
    bytes = files.reduce(tested) { $0 + ($1.bytes ?? 0) }
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
    return files + zips + ["\(ByteSize.described(bytes)) to read"]
  }
}
