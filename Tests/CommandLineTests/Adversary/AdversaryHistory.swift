import Posix
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A job that is typed until it is done, while somebody else meddles with its files, and the books of
/// what may not be lost.
///
/// The program is stopped at calls that chance chooses. What is done then is entered in the books: which
/// blocks the meddler has destroyed himself, what is his, and what a source has held. Whatever else is no
/// longer as the books say was the program's doing.
final class AdversaryHistory {
  let number: Int
  var generator: SeededGenerator
  var blocks = TaggedBlocks()
  /// Unmounted after the directory is gone.
  private let memory: MemoryFileSystem?
  private let directory: TemporaryDirectory?
  let root: FilePath
  let job: AdversaryJob

  /// What happened, a line each.
  private(set) var events: [String] = []
  private(set) var violations: [String] = []

  // MARK: The books

  /// As it was after the last act.
  private(set) var tree: AdversaryTree
  /// Blocks that must be in some file.
  private var owed: Set<UInt64>
  /// What each source has held, whole, under its name or that of what is left of it; nothing where
  /// it was away.
  private(set) var versions: [[[UInt8]]]
  /// Where each of them was seen for the first time.
  private var homes: [UInt64: FilePath] = [:]
  /// Files that nobody but the meddler may change, beside those in his own directory.
  var foreign: Set<FilePath> = []
  /// Outputs that the meddler has touched, and which prove nothing any more.
  var touched: Set<FilePath> = []
  /// Whether sources may go, because the job or another run that was asked to consumes them.
  var mayConsume: Bool
  /// Inodes of files that bytes may be missing from.
  private var rests: Set<UInt64> = []
  /// Inodes of files that the program has made, and writes wherever they are.
  private var working: Set<UInt64> = []
  /// Whether nothing was done that could keep the job from coming to its end.
  var isHarmless = true
  /// Whether some run has brought the job to its end.
  var isDone = false
  var manifestIsWhole = true
  /// What was done away with, and is to be brought back.
  var pending: [(what: String, undo: () throws -> Void)] = []
  /// Earlier states of the journal.
  var journals: [[UInt8]] = []

  private let log: TemporaryDirectory

  init(seed: UInt64, number: Int) throws {
    self.number = number
    generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    let isOnDisk = Int.random(in: 0..<8, using: &generator) == 0
    memory = isOnDisk || !MemoryFileSystem.isAvailable ? nil : try MemoryFileSystem(size: 24 << 20)
    directory = memory == nil ? try TemporaryDirectory() : nil
    root = memory?.path ?? directory?.path ?? "/"
    log = try TemporaryDirectory()
    job = try AdversaryJob(in: root, &blocks, &generator)
    try Files.makeDirectory(root.appending("other"))
    for place in Set([job.input, job.outputs]).sorted() {
      try Files.write(blocks.fill(9000), to: place.appending("bystander"))
    }
    tree = try AdversaryTree(of: root, blocks)
    owed = tree.blocks
    versions = job.originals.map { [$0] }
    for (path, file) in tree.files {
      for block in blocks.found(in: file.bytes) { homes[block] = path }
    }
    mayConsume = job.kind.consumes
  }

  var others: FilePath { root.appending("other") }
  var isInMemory: Bool { memory != nil }

  func chance(_ part: Int, of all: Int) -> Bool {
    Int.random(in: 0..<all, using: &generator) < part
  }

  func note(_ event: String) {
    events.append(event.replacing("\(root)/", with: ""))
  }

  func violate(_ text: String) {
    let line = text.replacing("\(root)/", with: "")
    if !violations.contains(line) { violations.append(line) }
    note("VIOLATION: \(line)")
  }

  // MARK: From the first run to the last

  /// The most times that the command line is typed.
  private static let most = 4

  func run() throws {
    note("\(job.kind)\(isInMemory ? " in memory" : ""): cleave \(shown(job.arguments))")
    if job.kind.consumes || chance(1, of: 4) { try dryRun() }
    for attempt in 1...Self.most {
      let isLast = attempt == Self.most
      if isLast { try undoAll() }
      let outcome = try runOnce(disturbed: !isLast)
      if !violations.isEmpty || isDone { break }
      if isLast {
        if isHarmless { violate("STUCK: only harmless things were done, and yet: \(outcome)") }
        break
      }
      try mend(outcome)
      if chance(2, of: 5) { try meddle(at: nil) }
    }
    try undoAll()
    try look("the end")
  }

  private func runOnce(disturbed: Bool) throws -> Outcome {
    let file = log.file("log")
    try Files.write([], to: file)
    let stops = disturbed ? (0..<Int.random(in: 1...3, using: &generator)).map { _ in stop() } : []
    let faults = disturbed && chance(1, of: 10) ? [fullDisk()] : []
    let rules = faults + stops.map { "\($0)=stop" } + ["any@\(root)=delay:0"]
    note("run, \((faults + stops).joined(separator: ", "))")
    let tool = try Tool.cleave.start(
      job.arguments,
      environment: FaultShim.environment(rules.joined(separator: "; "), log: file)
    )
    while try tool.waitUntilStopped() {
      let call = try stoppedAt(file)
      note("  stopped at \(call.map { "\($0.operation) \($0.path)" } ?? "?")")
      if chance(1, of: 4) {
        note("  kill")
        tool.send(.kill)
        break
      }
      try meddle(at: call)
      tool.send(.resume)
    }
    let outcome = try tool.wait()
    note("  \(outcome)")
    if AdversaryTests.only != nil { note(try Files.text(file)) }
    try check(outcome)
    isDone = isDone || outcome.exitCode == 0
    try look("the run's end")
    // Killed behind its last step: it has told of its result, and its journal is gone.
    let hasJournal = tree.files.keys.contains {
      $0.ends(in: ".cleave-journal") && $0.directory == job.outputs
    }
    isDone = isDone || outcome.wasKilled && !outcome.standardOutput.isEmpty && !hasJournal
    try checkOutputs()
    // What was in the way of one run is not in the way of the next.
    if chance(1, of: 2) { try undoAll() }
    return outcome
  }

  private func check(_ outcome: Outcome) throws {
    if outcome.timedOut { violate("HUNG") }
    switch outcome.end {
    case .killed(let signal) where signal != .kill: violate("CRASH: \(outcome)")
    case .exited(0), .killed: break
    case .exited(let code):
      if ![65, 66, 71, 73, 74, 75, 77].contains(code) { violate("CODE: \(outcome)") }
      if outcome.standardError.isEmpty { violate("SILENT: \(outcome)") }
    }
  }

  // MARK: Where it stops

  private static let stops: [(operation: String, most: Int, weight: Int)] = [
    ("any", 250, 6), ("open", 25, 3), ("read", 40, 3), ("write", 40, 4), ("fsync", 14, 5),
    ("rename", 4, 3), ("unlink", 4, 3), ("fallocate", 8, 3), ("ftruncate", 8, 2), ("close", 20, 2),
    ("copy_file_range", 12, 1),
  ]

  private func stop() -> String {
    let all = Self.stops.indices.flatMap { [Int](repeating: $0, count: Self.stops[$0].weight) }
    let chosen = Self.stops[all.randomElement(using: &generator) ?? 0]
    return "\(chosen.operation)@\(root)#\(Int.random(in: 1...chosen.most, using: &generator))"
  }

  private func fullDisk() -> String {
    "write@.cleave-#\(Int.random(in: 1...20, using: &generator))+=ENOSPC"
  }

  /// A call that the program has been stopped at.
  struct Call {
    var operation: String
    var path: FilePath

    /// Whether the program has looked for the last time, and now changes the file.
    var isFinal: Bool { ["unlink", "ftruncate", "fallocate"].contains(operation) }
  }

  private func stoppedAt(_ log: FilePath) throws -> Call? {
    let lines = try Files.text(log).split(separator: "\n")
    guard let line = lines.last(where: { $0.contains("=stop: ") }),
      let end = line.firstRange(of: "=stop: ")
    else { return nil }
    let words = line[end.upperBound...].split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    return Call(operation: String(words[0]), path: FilePath(String(words[1])))
  }

  // MARK: Keeping the books

  /// Compares what is there with what the books say.
  func look(_ moment: String) throws {
    let now = try AdversaryTree(of: root, blocks)
    let lost = owed.subtracting(now.blocks)
    if !lost.isEmpty {
      let from = Set(lost.compactMap { homes[$0] }).sorted()
      owed.subtract(lost)
      violate("LOST: by \(moment), \(lost.count) blocks are nowhere, which were in \(from)")
    }
    let changes = now.changes(since: tree) { isForeign($0) && self.tree.files[$0] != nil }
    if !changes.isEmpty { violate("FOREIGN: by \(moment), \(changes.joined(separator: ", "))") }
    enter(now)
  }

  private func enter(_ now: AdversaryTree) {
    tree = now
    for (path, file) in now.files where AdversaryTree.isWorking(path) { working.insert(file.inode) }
    for source in job.sources {
      if let inode = now.files[Self.rest(of: source)]?.inode { rests.insert(inode) }
    }
  }

  /// Does something that the program has no part in, and enters what has become of it.
  ///
  /// - Parameter runs: whether it is another run, which must lose as little.
  func act(_ name: String, runs: Bool = false, _ body: () throws -> Void) throws {
    try look("before: \(name)")
    note("  \(name)")
    let before = tree
    do { try body() } catch let error as SystemError { note("    failed: \(error)") }
    if runs { return }
    let after = try AdversaryTree(of: root, blocks)
    // A copy that the program was working with is not the user's: only what the program has freed
    // itself has to be there.
    owed.subtract(before.blocks.subtracting(after.blocks))
    owed.subtract(before.kept.subtracting(after.kept))
    for (path, file) in after.files where !AdversaryTree.isWorking(path) || foreign.contains(path) {
      for block in blocks.found(in: file.bytes) where !before.blocks.contains(block) {
        owed.insert(block)
        homes[block] = path
      }
    }
    enterVersions(before, after)
    enter(after)
  }

  private func enterVersions(_ before: AdversaryTree, _ after: AdversaryTree) {
    // Without it, nothing tells what is left of a source from a whole one that has holes.
    let hasJournal = after.files.contains { path, file in
      path.directory == job.outputs && path.ends(in: ".cleave-journal")
        && String(decoding: file.bytes, as: UTF8.self).contains("\nbegin")
    }
    for (index, source) in job.sources.enumerated() {
      if let file = after.files[source], !(hasJournal && rests.contains(file.inode)) {
        add(file.bytes, to: index)
      }
      let rest = Self.rest(of: source)
      guard let file = after.files[rest] else {
        if after.files[source] == nil { add([], to: index) }
        continue
      }
      if let old = before.files[rest], old.inode == file.inode {
        for version in versions[index] {
          add(Self.edited(version, old.bytes, file.bytes), to: index)
        }
      } else if before.files[source]?.inode != file.inode {
        add(file.bytes, to: index)
      }
    }
  }

  /// Enters that a source may be missing from now on.
  func isAway(_ source: FilePath) {
    if let index = job.sources.firstIndex(of: source) { add([], to: index) }
  }

  private func add(_ version: [UInt8], to source: Int) {
    if !versions[source].contains(where: { Bytes.difference($0, version) == nil }) {
      versions[source].append(version)
    }
  }

  /// What becomes of a version where `old`, whose bytes may be missing and whose end may be gone,
  /// becomes `new`.
  private static func edited(_ version: [UInt8], _ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
    if version.count < old.count { return version }
    var edited = Array(version[..<min(old.count, new.count)])
    for start in stride(from: 0, to: edited.count, by: TaggedBlocks.size) {
      let range = start..<min(start + TaggedBlocks.size, edited.count)
      let now = Array(new[range])
      if Bytes.difference(now, Array(old[range])) != nil {
        edited.replaceSubrange(range, with: now)
      }
    }
    return edited + new[edited.count...] + version[old.count...]
  }

  /// What a message has asked for: bytes of a bad source that somebody was told to replace are no
  /// longer owed once that is done.
  func forgive(_ index: Int) {
    let good = blocks.found(in: job.originals[index])
    for version in versions[index] {
      owed.subtract(blocks.found(in: version).subtracting(good))
    }
  }

  private func checkOutputs() throws {
    // A manifest of each part allows nothing but what it says.
    let proven = job.manifest != nil && manifestIsWhole
    let allowed = proven ? versions.map { [$0[0]] } : versions
    let fault =
      job.fault(in: tree.files, allowed, except: touched, isDone: isDone)
      ?? (isDone ? job.contradiction(in: tree.files, except: touched) : nil)
    if let fault { violate("OUTPUT: \(fault)") }
  }

  private func undoAll() throws {
    let all = pending
    pending = []
    for (what, undo) in all.reversed() { try act("undo: \(what)", undo) }
  }

  func undoLast() throws {
    guard let (what, undo) = pending.popLast() else { return }
    try act("undo: \(what)", undo)
  }

  // MARK: Names

  static func rest(of path: FilePath) -> FilePath { path.adding(".cleave-rest") }

  private func isForeign(_ path: FilePath) -> Bool {
    if foreign.contains(path) { return true }
    if AdversaryTree.isWorking(path) { return false }
    if let file = tree.files[path], working.contains(file.inode) { return false }
    if path.directory.bytes.starts(with: others.bytes) { return true }
    if path.lastComponent == "bystander" || path == job.manifest { return true }
    return !mayConsume && job.sources.contains(path)
  }

  func shown(_ arguments: [any ToolArgument]) -> String {
    arguments.map { "\($0.toolArgument)" }.joined(separator: " ")
  }
}
