package import Posix

/// What one of several runs that make one output together has done of it: a small file beside the output.
///
///     cleave-share 1 PLAN K N IDENTITY
///     typed merge --share=2/4 -o film film.001      where it is not too long
///     in DIRECTORY
///     makes PART LIST                               of a split: its first part, and what there is when all is done
///     from DIRECTORY                                of a merge: where the sources behind it were
///     source NAME SIZE MODIFIED CHANGED INODE dense one for each that it reads, as in a journal
///     done EXTENT START LENGTH CRC32 ADLER32        one for each piece
///     end COUNT                                     of those
///
/// Each line has a sum at its end, as in a journal. The file gets its name when all of it is written.
package struct ShareReceipt: Hashable, Sendable {
  /// The same for all shares of one job, and another one where any source is another.
  package var plan: String
  package var share: WorkShare
  /// Of what was written to: the temporary's inode, or a sum of those and the times of some parts.
  var identity: UInt64
  var done: [Journal.Done] = []
  /// What was typed, and where.
  package var arguments: [FilePath] = []
  package var directory: FilePath?
  /// The first of the parts that a split makes, which may have its name already; nil where it is none.
  var part: FilePath?
  /// What is there when all shares of a split are done.
  var list: FilePath?
  /// What a merge reads.
  var sources: [Journal.Source] = []

  init(plan: String, share: WorkShare, identity: UInt64) {
    (self.plan, self.share, self.identity) = (plan, share, identity)
  }

  private static let marker = UnfinishedName.receipt

  /// In the names of the temporary and the receipts of a job.
  static func job(of plan: String) -> UInt32 {
    let sum = Checksum(of: Array(plan.utf8)[...], .crc32).crc32
    return TemporaryName.job(like: sum, freesSources: false)
  }

  /// Tells plans from each other.
  static func identity(of journal: Journal) -> String {
    var plan = journal
    (plan.job, plan.arguments, plan.directory) = (0, [], nil)
    // The same files may be elsewhere on another machine.
    for index in plan.sources.indices { plan.sources[index].place = nil }
    let bytes = Array(plan.lines().joined(separator: "\n").utf8)
    return JournalLines.words(Checksum(of: bytes[...], [.crc32, .adler32]))
      .split(separator: " ").joined(separator: "-")
  }

  // MARK: Names

  /// Its name, beside the output.
  static func path(beside output: FilePath, _ plan: String, _ share: WorkShare) -> FilePath {
    let temporary = TemporaryName(of: output, job: job(of: plan), index: 0)
    let name = temporary.head.adding("\(marker)\(share.number)-\(share.count)-")
    return output.sibling(name.adding(Checksum.hexadecimal(temporary.job)))
  }

  /// The job in a receipt's name; nil of any other.
  static func job(ofName path: FilePath) -> UInt32? {
    let bytes = path.lastComponent.bytes
    guard bytes.first == UInt8(ascii: "."),
      let range = bytes.ranges(of: Array(marker.utf8)).last
    else { return nil }
    let words = String(decoding: bytes[range.upperBound...], as: UTF8.self)
      .split(separator: "-", omittingEmptySubsequences: false)
    guard words.count == 3, Int(words[0]) != nil, Int(words[1]) != nil else { return nil }
    return JournalParser.hexadecimal(String(words[2]))
  }

  // MARK: Reading

  /// The receipts of all shares of jobs that make an output. What is not whole, or not this user's alone, is
  /// none.
  ///
  /// - Throws: what listing the directory and reading them reports.
  package static func all(beside output: FilePath) throws(CleaveError) -> [ShareReceipt] {
    let start = TemporaryName.head(of: output).adding(marker).bytes
    let names = try CleaveError.whileReading(FileSystem.names(in: output.directory))
    var found: [ShareReceipt] = []
    for name in names.likely(beginning: start) where name.bytes.starts(with: start) {
      let receipt = try ShareReceipt(reading: output.sibling(name), of: output)
      if let receipt { found.append(receipt) }
    }
    return found
  }

  /// Those of any jobs in a directory, and what they say, whoever may have written it; nil where that cannot be read.
  static func all(in listing: DirectoryListing) -> [(path: FilePath, receipt: ShareReceipt?)] {
    listing.hidden.filter { job(ofName: $0) != nil }.map { ($0, seen(at: $0)) }
  }

  /// Whether a receipt that cannot be read may be about a part, by its name, and is none of a merge.
  static func mayBe(_ receipt: FilePath, about part: FilePath, in listing: DirectoryListing) -> Bool
  {
    let name = receipt.lastComponent.bytes
    guard let mark = name.ranges(of: Array(marker.utf8)).last, let job = job(ofName: receipt)
    else { return false }
    let head = FilePath(bytes: name[..<mark.lowerBound])
    let output = FilePath(bytes: head.bytes.dropFirst())
    guard !output.bytes.isEmpty,
      !listing.set.contains(TemporaryName(of: output, job: job, index: 0).path)
    else { return false }
    let rest = part.lastComponent.bytes.dropFirst(output.bytes.count)
    let isNumber = rest.first.map { $0.isDigit || "._- (".utf8.contains($0) } ?? true
    let isCut = TemporaryName.head(of: output.adding("~")) == head
    return part.lastComponent.bytes.starts(with: output.bytes) && (isNumber || isCut)
  }

  /// Those of one job.
  ///
  /// - Parameter share: nil where any division is meant.
  /// - Throws: `.cannotCreate` where it was divided in another way.
  static func all(
    of plan: String,
    beside output: FilePath,
    _ share: WorkShare?
  ) throws(CleaveError) -> [ShareReceipt] {
    let found = try all(beside: output).filter { $0.plan == plan }
    let count = share?.count ?? found.first?.share.count
    if let other = found.first(where: { $0.share.count != count }) {
      throw CleaveError(
        .cannotCreate,
        output,
        "was divided into \(other.share.count) shares by another run; "
          + "\(Leftovers.givingUp(path(beside: output, plan, other.share))) gives up what is done"
      )
    }
    return found
  }

  /// The numbers of shares that have none.
  ///
  /// - Parameter share: nil of a run that only completes what others have made.
  /// - Throws: `.missingInput` where that run finds some missing.
  static func missing(
    from receipts: [ShareReceipt],
    _ share: WorkShare?,
    _ output: FilePath
  ) throws(CleaveError) -> [Int] {
    guard let one = share ?? receipts.first?.share else {
      guard let other = try all(beside: output).first else {
        throw CleaveError(.missingInput, output, "no share of it is done")
      }
      let give = Leftovers.givingUp(path(beside: output, other.plan, other.share))
      throw CleaveError(
        .changedInput,
        output,
        "no share of it is done as the files are now: what was read for those that are was changed since; \(give) "
          + "gives them up"
      )
    }
    let missing = one.others(besides: Set(receipts.map(\.share.number)))
    if share != nil || missing.isEmpty { return missing }
    let names = missing.prefix(20).map { "share \($0)/\(one.count)" }.joined(separator: ", ")
    let others = missing.count > 20 ? " and \(missing.count - 20) more" : ""
    throw CleaveError(.missingInput, output, "not done yet: \(names)\(others)")
  }

  /// One of those of the job of which most is done.
  package static func likeliest(of receipts: [ShareReceipt]) -> ShareReceipt? {
    let jobs = Dictionary(grouping: receipts) { "\($0.plan)/\($0.share.count)" }
    let found = jobs.values.max {
      $0.count * ($1.first?.share.count ?? 1) < $1.count * ($0.first?.share.count ?? 1)
    }
    return found?.min { $0.share.number < $1.share.number }
  }

  /// Nil where there is none, or another one.
  ///
  /// - Throws: what reading reports: one that cannot be read for a moment is not missing.
  init?(reading path: FilePath, of output: FilePath) throws(CleaveError) {
    guard let found = try Self.found(at: path),
      Self.path(beside: output, found.plan, found.share) == path
    else { return nil }
    self = found
  }

  /// Of a split whose other shares are not done: the first part, where that is there.
  func undonePart(in listing: DirectoryListing) -> FilePath? {
    guard let part, listing.set.contains(part) else { return nil }
    let path = list.flatMap { listing.set.contains($0) ? listing.path.appending($0) : nil }
    let isDone = path.map { (try? Manifest(reading: $0))?.isOwn == true } ?? false
    return isDone ? nil : part
  }

  /// What a file says, whoever may have written it, so that nothing is built on it; nil where that cannot be read.
  static func seen(at path: FilePath) -> ShareReceipt? {
    (try? found(at: path, isBelieved: false)) ?? nil
  }

  /// What is in a file; nil where that is none, or not this user's alone.
  private static func found(
    at path: FilePath,
    isBelieved: Bool = true
  ) throws(CleaveError) -> ShareReceipt? {
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
      let status = try file.status()
      guard status.kind == .regular, status.isOurs || !isBelieved,
        status.size <= Int64(Journal.largestFile)
      else { return nil }
      bytes = try file.read(Int(status.size), at: 0)
    } catch {
      if [.notFound, .tooManyLinks, .permissionDenied].contains(error.errno) { return nil }
      throw .reading(error)
    }
    return JournalParser.receipt(bytes, path)
  }

  // MARK: Writing

  /// Puts it on the device, whole or not at all.
  func write(beside output: FilePath) throws(CleaveError) {
    let path = Self.path(beside: output, plan, share)
    let new = TemporaryName(of: path, job: Outputs.newJob(), index: 0).path
    do throws(SystemError) {
      do throws(SystemError) {
        let file = try FileDescriptor.open(
          new,
          [.readWrite, .create, .exclusive, .noFollow],
          permissions: 0o600
        )
        var lines = JournalLines()
        lines.add(self.lines)
        try file.write(all: lines.bytes)
        try file.synchronize()
        try file.close()
        try FileSystem.rename(new, replacing: path)
      } catch {
        try? FileSystem.unlink(new)
        throw error
      }
    } catch {
      throw .writing(error)
    }
    try DirectorySync(of: [path]).run()
  }

  /// Removes it, unless it is another one by now.
  func remove(beside output: FilePath) {
    let path = Self.path(beside: output, plan, share)
    guard (try? ShareReceipt(reading: path, of: output)) == self else { return }
    try? FileSystem.unlink(path)
  }

  /// Removes those of splits that others have made the parts of.
  static func removeAll(of parts: some Collection<FilePath>, in listing: DirectoryListing) {
    guard let first = parts.first else { return }
    for (path, receipt) in all(in: listing) {
      guard let part = receipt?.part, parts.contains(first.sibling(part)) else { continue }
      try? FileSystem.unlink(path)
    }
  }

  private var lines: [String] {
    var lines = ["cleave-share 1 \(plan) \(share.number) \(share.count) \(identity)"]
    if (1...Journal.mostArguments).contains(arguments.count), !arguments.contains("") {
      lines.append("typed " + arguments.map(JournalLines.word).joined(separator: " "))
    }
    if let directory { lines.append("in \(JournalLines.word(directory))") }
    if let part {
      lines.append("makes \(JournalLines.word(part)) \(JournalLines.word(list ?? "-"))")
    }
    lines += Journal.lines(sources)
    lines += Journal.round(done).dropLast()
    return lines + ["end \(done.count)"]
  }
}
