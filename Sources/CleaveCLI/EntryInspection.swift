import Cleave
import Posix

/// Tests the entries of a zip that has been made, before it gets its name.
struct EntryInspection: Sendable {
  private let session: Session
  private let names: [FilePath]

  /// - Parameter names: what the files will be called; several are the parts of a split zip.
  init(_ session: Session, _ names: [FilePath]) {
    self.session = session
    self.names = names
  }

  /// - Throws: `.badData` where an entry is not right. One that cannot be tested is only told of.
  func run(_ files: [FilePath]) throws(CleaveError) {
    var sources: [SourceFile] = []
    for file in files.prefix(names.count) { sources.append(try SourceFile(examining: file)) }
    let parts = try ZipParts(sources, named: names)
    let archive: ZipArchive
    do throws(ZipFault) {
      archive = try ZipArchive(parts, as: names.count > 1 ? .split : .whole)
    } catch {
      throw ZipArchive.describe(error, names[names.count - 1])
    }
    var verification = EntryVerification()
    verification.cancellation = session.cancellation
    verification.progress = session.progress
    let report = verification.run(archive)
    if let error = report.error { throw error }
    if report.notTested.count > 0 {
      session.console.warn("\(names[0]): \(report.notTested.described) not tested")
    }
    guard let first = report.bad.named.first else { return }
    let others = report.bad.count > 1 ? "; and \(report.bad.count - 1) more" : ""
    throw CleaveError(.badData, names[0], "'\(first.name)' \(first.text)\(others)")
  }
}

extension EntryVerification.Findings {
  /// `3 entries`.
  var described: String { count == 1 ? "1 entry" : "\(count) entries" }
}
