import Posix

/// What the runs that share a job keep each other out with: a hidden, empty file for each share, which is locked.
///
/// Who does a share twice at once waits: otherwise it would write over what a receipt vouches for by then.
struct ShareLocks {
  /// What the shares make.
  let output: FilePath
  /// In the names of the job's files.
  let job: UInt32
  let work: WorkOptions

  /// Bytes of the output's name: the whole is not cut, which would make it that of the job's temporaries.
  private static let longestName = 60

  private var start: FilePath {
    let head = TemporaryName.head(of: output).bytes.dropFirst()
    var name = head.prefix(Self.longestName)
    // Not in the middle of a character.
    while name.count < head.count, let last = name.last, last & 0x80 != 0 { name.removeLast() }
    return FilePath(bytes: name + ".share-".utf8)
  }

  private func path(_ number: Int) -> FilePath {
    TemporaryName(of: output.sibling(start.adding("\(number)")), job: job, index: 0).path
  }

  /// Runs something while no other run does the same.
  ///
  /// - Parameters:
  ///   - number: of a share; 0 for what completes all of them.
  ///   - looking: is called again and again while it waits.
  func locked(
    _ number: Int,
    looking: () -> Void = {},
    _ body: () throws(CleaveError) -> Void
  ) throws(CleaveError) {
    let path = path(number)
    let held = try HeldFile.open(path, .exclusive, creating: true) {
      let what = number == 0 ? "completes all shares" : "does share \(number)"
      work.tell(.remark("\(output): another run \(what), and is waited for"))
    } isCancelled: {
      looking()
      return work.cancellation.isCancelled
    }
    defer { withExtendedLifetime(held) { try? FileSystem.unlink(path) } }
    try body()
  }

  /// Tells of one of some shares that is done, and does not count any more.
  func tellStale(_ missing: [Int]) {
    let receipts = (try? ShareReceipt.all(beside: output)) ?? []
    let stale = receipts.first {
      ShareReceipt.job(of: $0.plan) != job && missing.contains($0.share.number)
    }
    guard let share = stale?.share else { return }
    work.tell(
      .warning(
        "\(output): share \(share) was done of files that have been changed since, or of others: run it again"
      )
    )
  }

  /// Removes those that killed runs have left.
  func remove() {
    guard let listing = try? DirectoryListing(of: output.directory) else { return }
    let start = [UInt8(ascii: ".")] + start.bytes
    for path in listing.hidden {
      guard let name = TemporaryName(path), name.job == job, name.head.bytes.starts(with: start)
      else { continue }
      try? FileSystem.unlink(path)
    }
  }
}
