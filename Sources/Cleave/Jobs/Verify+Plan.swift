package import Posix

extension Verify {
  /// What would be read, and compared with what.
  package struct Plan: Sendable {
    /// Bytes that would be read.
    package private(set) var bytes: Int64 = 0
    package private(set) var zips: [Zip] = []
    package private(set) var contents: [Content] = []
    private var lists: [List] = []

    /// The files of one manifest, of which there may be more than a million.
    private struct List: Sendable {
      let files: ListedFiles
      let manifest: FilePath
      /// Of each; -1 where it cannot be found.
      var sizes: [Int64] = []
    }

    /// A file that would be compared with a manifest.
    package struct File: Sendable {
      package let path: FilePath
      /// Nil where the file cannot be found.
      package let size: Int64?
      package let manifest: FilePath
    }

    package struct Zip: Sendable {
      package let path: FilePath
      /// Bytes of all its parts.
      package let size: Int64
      package let entries: Int64
    }

    package struct Content: Sendable {
      package let path: FilePath
      /// Bytes of all its parts.
      package let size: Int64
      /// What would be compared.
      package let by: String
    }

    /// The files that would be compared with manifests.
    package func eachFile<E: Error>(_ body: (File) throws(E) -> Void) throws(E) {
      for list in lists {
        for (path, size) in zip(list.files, list.sizes) {
          try body(File(path: path, size: size < 0 ? nil : size, manifest: list.manifest))
        }
      }
    }

    fileprivate mutating func add(_ subject: Subject, readsEntries: Bool) {
      if let check = subject.check {
        var list = List(files: check.files, manifest: check.manifest.path)
        for path in check.files {
          let size = (try? FileStatus.of(path))?.size
          list.sizes.append(size ?? -1)
          count(size ?? 0)
        }
        lists.append(list)
      }
      guard let selection = subject.selection else { return }
      let (name, size) = (selection.name, (selection.files ?? []).totalSize)
      if subject.archive != nil {
        zips.append(Zip(path: name, size: size, entries: selection.entries ?? 0))
        count(readsEntries ? size : 0)
      }
      if let proof = subject.proof {
        contents.append(Content(path: name, size: size, by: proof.kind.described))
        count(proof.bytesToRead)
      }
    }

    /// More than can be counted is what can be counted.
    private mutating func count(_ more: Int64) {
      let (sum, isTooLarge) = bytes.addingReportingOverflow(more)
      bytes = isTooLarge ? .max : sum
    }
  }

  /// Looks at everything, and reads none of what would be compared.
  ///
  /// - Throws: the first error of an operand.
  package func plan() throws(CleaveError) -> Plan {
    var plan = Plan()
    var seen: Set<Subject.Identity> = []
    var read = PathSet()
    var listing: DirectoryListing?
    var listed = PathSet()
    for operand in meanings where !read.contains(operand.path) {
      if operand.isAside, listed.contains(operand.path) { continue }
      let subject = try operand.subject(request, in: &listing)
      if operand.isAside, subject.selection?.names.contains(where: listed.contains) == true {
        continue
      }
      if let check = subject.check {
        for file in check.files { listed.insert(file) }
        for path in check.manifest.others { read.insert(path) }
      }
      if let fault = subject.fault { throw fault }
      guard seen.insert(subject.identity).inserted else { continue }
      plan.add(subject, readsEntries: readsEntries)
    }
    return plan
  }
}
