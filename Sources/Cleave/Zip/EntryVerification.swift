import Dispatch
package import Posix

/// Tests the entries of a zip straight from its parts, as many at a time as there are processors.
package struct EntryVerification: Sendable {
  /// Whether entries are read, and not only their headers.
  package var readsData = true
  package var cancellation = Cancellation()
  package var progress = WorkProgress()

  package init() {}

  /// Each has 300 KiB of buffers and one of the process's threads.
  private static let mostWorkers = 16

  /// What came of all entries.
  package struct Report: Sendable {
    /// Entries that were tested and are fine.
    package var fine: Int64 = 0
    /// Entries that could not be tested, and those that are bad, as far as they are named.
    package var notTested = Findings()
    package var bad = Findings()
    /// What ended the test early.
    package var error: CleaveError?
  }

  /// Entries with the same fate.
  package struct Findings: Sendable {
    package var count: Int64 = 0
    /// The first of them, in the order of their names.
    package var named: [Entry] = []
    fileprivate static let mostNamed = 1000

    /// An entry, and the end of a sentence that begins with its name.
    package struct Entry: Hashable, Sendable {
      package var name: FilePath
      package var text: String
      /// Where it lies: if its data does not inflate, up to where that shows; if one of its headers
      /// is known to be wrong, where that is.
      package var place: Range<Int64>
      /// Whether what is wrong is there, and may not be in the other header.
      package var isPlaced: Bool
    }

    fileprivate mutating func add(_ entry: Entry) {
      count += 1
      if named.count < Self.mostNamed { named.append(entry) }
    }
  }

  /// Blocks until all entries have been looked at; memory does not depend on their number or size.
  package func run(_ archive: ZipArchive) -> Report {
    if readsData { progress.expectMore(Int64(clamping: archive.summary.compressed)) }
    let work = Remaining(archive)
    let workers = min(ProcessState.processorCount, Self.mostWorkers)
    let testEntries: @Sendable () -> Void = {
      do throws(CleaveError) {
        let test = try EntryTest(
          archive,
          isCancelled: { work.isOver || cancellation.isCancelled },
          progress: progress
        )
        while !cancellation.isCancelled, let (record, place) = try work.next() {
          let finding = try test.run(record, at: place, readsData: readsData)
          work.add(finding, record.name, test)
        }
      } catch {
        work.end(error)
      }
    }
    // Serial queues have threads of their own: those of the global queues, one for each processor, may
    // be waiting for an output to be flushed.
    let group = DispatchGroup()
    for _ in 1..<max(1, workers) {
      DispatchQueue(label: "cleave.entries").async(group: group, execute: testEntries)
    }
    testEntries()
    group.wait()
    do throws(CleaveError) { try archive.bytes.requireUnchanged() } catch { work.end(error) }
    var report = work.report
    if cancellation.isCancelled { report.error = .cancelled }
    report.bad.named.sort { $0.name < $1.name }
    report.notTested.named.sort { $0.name < $1.name }
    return report
  }
}

/// The records that are still to be tested, and what came of the others.
private final class Remaining: Sendable {
  private struct State {
    var directory: CentralDirectory
    var report = EntryVerification.Report()
  }
  private let archive: ZipArchive
  private let state: Locked<State>

  init(_ archive: ZipArchive) {
    self.archive = archive
    state = Locked(State(directory: archive.directory))
  }

  /// A record, and where it is.
  func next() throws(CleaveError) -> (CentralRecord, Range<Int64>)? {
    try state.withLock { state throws(CleaveError) in
      guard state.report.error == nil else { return nil }
      let start = state.directory.position
      guard let record = try state.directory.record(in: archive) else { return nil }
      return (record, start..<state.directory.position)
    }
  }

  func add(_ finding: EntryFinding, _ name: FilePath, _ test: EntryTest) {
    func entry(_ text: String) -> EntryVerification.Findings.Entry {
      .init(name: name, text: text, place: test.place, isPlaced: test.isPlaced)
    }
    state.withLock { state in
      switch finding {
      case .fine: state.report.fine += 1
      case .notTested(let text): state.report.notTested.add(entry(text))
      case .bad(let text): state.report.bad.add(entry(text))
      }
    }
  }

  func end(_ error: CleaveError) {
    state.withLock { $0.report.error = $0.report.error ?? error }
  }

  var isOver: Bool { state.withLock { $0.report.error != nil } }
  var report: EntryVerification.Report { state.withLock { $0.report } }
}
