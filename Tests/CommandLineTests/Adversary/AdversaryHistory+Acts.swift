import Posix
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the meddler does.
extension AdversaryHistory {
  private enum Act: CaseIterable {
    case edit, append, cut, replace, recreate, remove, link, move, symlink, punch, rewrite, exchange
    case damageJournal, cutJournal, rollBackJournal, removeJournal, plant, bringBack
    case moveDirectory, copyDirectory, anotherJob, sameJob, dryRun, fill, undo

    /// How often it is chosen, among the others.
    var weight: Int {
      switch self {
      case .edit, .append, .replace, .recreate, .link, .anotherJob: 4
      case .damageJournal, .cutJournal: 3
      case .move, .remove, .plant, .sameJob, .moveDirectory: 2
      default: 1
      }
    }
  }

  private static let acts = Act.allCases.flatMap { [Act](repeating: $0, count: $0.weight) }

  /// Does one thing.
  ///
  /// - Parameter call: that the program has been stopped at; nil where none is running.
  func meddle(at call: Call?) throws {
    try look("here")
    for _ in 0..<20 {
      guard let act = Self.acts.randomElement(using: &generator) else { return }
      if try perform(act, call) { return }
    }
  }

  /// Returns false where there is nothing to do it to.
  private func perform(_ act: Act, _ call: Call?) throws -> Bool {
    switch act {
    case .edit, .append, .cut, .replace, .recreate, .remove, .link, .move, .symlink, .punch,
      .rewrite:
      guard let target = target(call) else { return false }
      return try perform(act, on: target, call)
    case .exchange: return try exchange(call)
    case .damageJournal, .cutJournal, .rollBackJournal, .removeJournal:
      return try meddleWithJournal(act, call)
    case .plant: return try plant()
    case .bringBack: return try bringBack(call)
    case .moveDirectory, .copyDirectory: return try meddleWithDirectory(act, call)
    case .anotherJob: return try anotherJob()
    case .sameJob: return try sameJob(isRunning: call != nil)
    case .dryRun:
      // One that is being carried out changes what there is.
      if call != nil { return false }
      try dryRun()
    case .fill: return try fill()
    case .undo:
      if pending.isEmpty { return false }
      try undoLast()
    }
    return true
  }

  // MARK: One file

  /// A source, what is left of one, or more rarely a temporary or an output.
  private func target(_ call: Call?) -> FilePath? {
    let paths = tree.files.keys.sorted()
    let sources = job.sources.flatMap { [$0, Self.rest(of: $0)] }.filter { tree.files[$0] != nil }
    let made = paths.filter {
      $0.description.contains(".cleave-tmp-") || job.outputNames.contains($0)
    }
    let all = chance(1, of: 6) ? made : sources
    return all.filter { isFree($0, call) }.randomElement(using: &generator)
  }

  /// Whether the program could still see what is done to a file: between its last look and the call
  /// that changes the file nothing can be seen any more.
  private func isFree(_ path: FilePath, _ call: Call?) -> Bool {
    guard let call else { return true }
    if ["rename", "link"].contains(call.operation), job.outputNames.contains(call.path) {
      // Which file is given that name is not known here: a temporary, or what is left of a source.
      return !AdversaryTree.isWorking(path) && !path.ends(in: ".cleave-rest")
    }
    if !call.isFinal { return true }
    // What is freed now is in the temporaries, as far as the program could see.
    if AdversaryTree.isWorking(path), !AdversaryTree.isWorking(call.path) { return false }
    return call.path != path && tree.files[call.path]?.inode != tree.files[path]?.inode
  }

  private func perform(_ act: Act, on path: FilePath, _ call: Call?) throws -> Bool {
    guard let file = tree.files[path] else { return false }
    // What is written into a file while the program writes it, it takes for its own: only --verify=readback
    // can tell.
    let changesInPlace = [.edit, .append, .cut, .punch, .rewrite].contains(act)
    if call != nil, changesInPlace, TemporaryNames.isOne(path.lastComponent) { return false }
    let elsewhere = others.appending(FilePath("\(events.count)"))
    let name = "\(act) \(path)"
    switch act {
    case .edit:
      guard file.bytes.count >= TaggedBlocks.size else { return false }
      let offset = randomOffset(file.bytes.count)
      let block = blocks.make()
      try change("\(name) at \(offset)", path) { try Self.write(block, at: offset, of: path) }
    case .rewrite:
      guard file.bytes.count >= TaggedBlocks.size else { return false }
      let offset = randomOffset(file.bytes.count)
      let same = Array(file.bytes[offset..<(offset + TaggedBlocks.size)])
      try change("\(name) at \(offset)", path) { try Self.write(same, at: offset, of: path) }
    case .append:
      let block = blocks.make(chance(1, of: 2) ? TaggedBlocks.size : 100)
      try change(name, path) { try Self.write(block, at: file.bytes.count, of: path) }
    case .cut:
      guard !file.bytes.isEmpty else { return false }
      let size = Int.random(in: 0..<file.bytes.count, using: &generator)
      try change("\(name) to \(size)", path) { try Self.cut(path, to: size) }
    case .punch:
      guard file.bytes.count >= 65_536 else { return false }
      let start = Int64(Int.random(in: 0..<(file.bytes.count / 65_536), using: &generator) * 65_536)
      try change("\(name) at \(start)", path) {
        try FileDescriptor.open(path, .readWrite).punchHole(start..<(start + 65_536))
      }
    case .replace:
      let bytes = chance(2, of: 3) ? blocks.fill(file.bytes.count) : blocks.fill(70_000)
      try change("\(name) by \(bytes.count) bytes", path) {
        try Files.write(bytes, to: elsewhere)
        try FileSystem.rename(elsewhere, replacing: path)
      }
    case .recreate:
      let bytes = chance(1, of: 2) ? file.bytes : blocks.fill(file.bytes.count)
      try change("\(name)\(bytes == file.bytes ? " as it was" : "")", path) {
        try FileSystem.unlink(path)
        try Files.write(bytes, to: path)
      }
    case .remove:
      try change(name, path) {
        try FileSystem.unlink(path)
        // Who has the name next need not be the one who planted it.
        foreign.remove(path)
      }
    case .link:
      try change("\(name) as \(elsewhere)", path) { try Files.hardLink(elsewhere, to: path) }
    case .move, .symlink:
      try change("\(name), now \(elsewhere)", path) {
        try FileSystem.rename(path, toNew: elsewhere)
        if act == .symlink { try Files.symlink(path, to: elsewhere) }
      }
      if act == .move {
        // What was planted there is another file's name from now on, until it comes back.
        let isForeign = foreign.remove(path) != nil
        if chance(1, of: 2) {
          pending.append(
            (
              "move \(path)",
              {
                try FileSystem.rename(elsewhere, toNew: path)
                if isForeign { self.foreign.insert(path) }
              }
            )
          )
        }
      }
    default: return false
    }
    return true
  }

  private func randomOffset(_ count: Int) -> Int {
    Int.random(in: 0..<(count / TaggedBlocks.size), using: &generator) * TaggedBlocks.size
  }

  private func change(_ name: String, _ path: FilePath, _ body: () throws -> Void) throws {
    isHarmless = false
    if job.outputNames.contains(path) || AdversaryTree.isWorking(path) {
      touched.formUnion(job.outputNames)
    }
    Self.letTimePass()
    try act(name, body)
    Self.letTimePass()
  }

  private func exchange(_ call: Call?) throws -> Bool {
    let present = job.sources.filter { tree.files[$0] != nil && isFree($0, call) }
    guard present.count > 1 else { return false }
    let pair = present.shuffled(using: &generator).prefix(2)
    try change("exchange \(pair[0]) and \(pair[1])", pair[0]) {
      _ = try FileSystem.exchange(pair[0], with: pair[1])
    }
    return true
  }

  /// Gives what is left of a source the name of a whole one.
  private func bringBack(_ call: Call?) throws -> Bool {
    let left = job.sources.filter {
      tree.files[Self.rest(of: $0)] != nil && tree.files[$0] == nil
        && isFree(Self.rest(of: $0), call)
    }
    guard let source = left.randomElement(using: &generator) else { return false }
    try change("bring back \(source)", source) {
      try FileSystem.rename(Self.rest(of: source), toNew: source)
    }
    return true
  }

  /// Takes a name that the program is going to need.
  private func plant() throws -> Bool {
    let stem = job.kind.splits ? "file" : job.output.lastComponent
    let journal = job.outputs.appending(FilePath(".\(stem).cleave-journal"))
    let names = job.outputNames + job.sources.map { Self.rest(of: $0) } + [journal]
    guard let path = names.filter({ tree.files[$0] == nil }).randomElement(using: &generator) else {
      return false
    }
    let bytes = blocks.fill(5000)
    try change("plant \(path)", others) {
      try Files.write(bytes, to: path)
      foreign.insert(path)
    }
    touched.insert(path)
    return true
  }

  // MARK: The journal

  private func meddleWithJournal(_ act: Act, _ call: Call?) throws -> Bool {
    let found = tree.files.keys.sorted().first {
      $0.ends(in: ".cleave-journal") && $0.directory == job.outputs && !foreign.contains($0)
    }
    guard let path = found, let bytes = tree.files[path]?.bytes, !bytes.isEmpty, isFree(path, call)
    else { return false }
    let earlier = journals
    journals.append(bytes)
    switch act {
    case .damageJournal:
      let offset = Int.random(in: 0..<bytes.count, using: &generator)
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
      try changeJournal("damage \(path) at \(offset)") {
        try Self.write([bytes[offset] ^ bit], at: offset, of: path)
      }
    case .cutJournal:
      let lines = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
      let line = lines.dropLast().randomElement(using: &generator) ?? 0
      let size = chance(1, of: 2) ? line : Int.random(in: 0..<bytes.count, using: &generator)
      try changeJournal("cut \(path) from \(bytes.count) to \(size)") {
        try Self.cut(path, to: size)
      }
    case .rollBackJournal:
      guard let old = earlier.filter({ $0 != bytes }).randomElement(using: &generator) else {
        return false
      }
      try changeJournal("roll back \(path) from \(bytes.count) to \(old.count)") {
        try Self.cut(path, to: 0)
        try Self.write(old, at: 0, of: path)
      }
    default: try changeJournal("remove \(path)") { try FileSystem.unlink(path) }
    }
    return true
  }

  private func changeJournal(_ name: String, _ body: () throws -> Void) throws {
    isHarmless = false
    try act(name, body)
  }

  // MARK: Directories

  private func meddleWithDirectory(_ act: Act, _ call: Call?) throws -> Bool {
    let path = chance(1, of: 2) ? job.input : job.outputs
    if let call, call.isFinal, call.path.directory == path { return false }
    // Once at a time.
    if !pending.isEmpty { return false }
    let away = others.appending(FilePath("away-\(events.count)"))
    let stray = others.appending(FilePath("stray-\(events.count)"))
    let files = tree.files.filter { $0.key.directory == path }
    touched.formUnion(job.outputNames)
    try change("\(act) \(path)", path) {
      try FileSystem.rename(path, toNew: away)
      try Files.makeDirectory(path)
      guard act == .copyDirectory else { return }
      for (path, file) in files.sorted(by: { $0.key < $1.key }) {
        try Files.write(file.bytes, to: path)
      }
    }
    guard act == .moveDirectory else { return true }
    let undo = {
      try FileSystem.rename(path, toNew: stray)
      try FileSystem.rename(away, toNew: path)
      // What was planted in the stray one has gone with it.
      self.foreign = self.foreign.filter { $0.directory != path }
    }
    pending.append(("\(act) \(path)", undo))
    return true
  }

  // MARK: Other runs

  /// Some of the same sources, and another output.
  private func anotherJob() throws -> Bool {
    let present = job.sources.filter { tree.files[$0] != nil }
    if present.isEmpty { return false }
    let sources = job.kind.splits ? present : present.filter { _ in chance(2, of: 3) }
    if sources.isEmpty { return false }
    let output = others.appending(FilePath("second-\(events.count)"))
    let consumes = chance(2, of: 3)
    var arguments: [any ToolArgument] = job.kind.splits ? ["split"] : ["merge", "--as-given"]
    arguments += [consumes ? "--consume" : "--resume", "--checkpoint=64K", "-q"]
    if job.kind.splits {
      arguments += ["-b", 131_072, sources[0], output]
    } else {
      arguments += ["-o", output] + sources
    }
    let wanted = sources.flatMap { tree.files[$0]?.bytes ?? [] }
    isHarmless = isHarmless && !consumes
    if consumes { mayConsume = true }
    try act("another job: cleave \(shown(arguments))", runs: true) {
      let outcome = try Tool.cleave.run(arguments)
      note("    \(outcome)")
      // They are gone as if somebody had removed them.
      for source in sources where consumes { isAway(source) }
      let made = try AdversaryTree(of: root, blocks).files
      guard outcome.exitCode == 0 else { return }
      let names =
        job.kind.splits
        ? (1...99).map { output.adding($0 < 10 ? ".00\($0)" : ".0\($0)") } : [output]
      let found = names.flatMap { made[$0]?.bytes ?? [] }
      if let difference = Bytes.difference(found, wanted) {
        violate("OUTPUT: of the other job: \(difference)")
      }
    }
    try look("the other job's end")
    return true
  }

  /// The same command line, once more.
  private func sameJob(isRunning: Bool) throws -> Bool {
    if !isRunning { return false }
    try act("the same job", runs: true) {
      let outcome = try Tool.cleave.run(job.arguments)
      note("    \(outcome)")
      isDone = isDone || outcome.exitCode == 0
    }
    try look("the same job's end")
    return true
  }

  /// Nothing may come of it.
  func dryRun() throws {
    let before = tree
    try act("dry run", runs: true) {
      let outcome = try Tool.cleave.run(job.arguments + ["--dry-run"])
      note("    \(outcome)")
    }
    let after = try AdversaryTree(of: root, blocks)
    let inodes = after.files.filter { before.files[$0.key]?.inode != $0.value.inode }.keys.sorted()
    let changes =
      after.changes(since: before) { _ in true } + inodes.map { "\($0) is another file" }
    if !changes.isEmpty { violate("DRY RUN: \(changes.joined(separator: ", "))") }
    try look("the dry run's end")
  }

  // MARK: Space

  private func fill() throws -> Bool {
    let path = root.appending(AdversaryTree.filler)
    guard isInMemory, try !Files.exists(path) else { return false }
    let spare = Int64(Int.random(in: 0...40, using: &generator)) * 4096
    try act("fill the disk but for \(spare) bytes") {
      guard let free = try FileSystem.available(at: root) else { return }
      let file = try FileDescriptor.open(path, [.writeOnly, .create], permissions: 0o600)
      if free > spare { try file.preallocate(free - spare) }
    }
    pending.append(("fill the disk", { try FileSystem.unlink(path) }))
    return true
  }

  // MARK: Between two runs

  /// Puts a good source in the place of a bad one, where that was asked for.
  func mend(_ outcome: Outcome) throws {
    for (index, source) in job.sources.enumerated()
    where outcome.errorText.contains("put a good \(source.lastComponent) ") && chance(3, of: 4) {
      try act("put a good \(source) in its place") {
        let path = others.appending(FilePath("\(events.count)"))
        try Files.write(job.originals[index], to: path)
        try FileSystem.rename(path, replacing: source)
      }
      forgive(index)
    }
  }

  // MARK: Changing a file in place

  /// Times of files are those of a clock that ticks every ten milliseconds at the slowest; what is
  /// changed twice within a tick cannot be told by its time.
  private static func letTimePass() { usleep(11_000) }

  /// A lease that the program has on the file must not be waited for: the program is stopped.
  private static func open(_ path: FilePath) throws -> FileDescriptor {
    #if canImport(Darwin)
      let raw = path.withCString { Darwin.open($0, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
    #elseif canImport(Musl)
      let raw = path.withCString { Musl.open($0, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
    #else
      let raw = path.withCString { Glibc.open($0, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
    #endif
    guard raw >= 0 else { throw SystemError("open", path, Errno(rawValue: errno)) }
    return FileDescriptor(owning: raw, path: path)
  }

  private static func write(_ bytes: [UInt8], at offset: Int, of path: FilePath) throws {
    let file = try open(path)
    try file.seek(to: Int64(offset))
    try file.write(all: bytes)
  }

  private static func cut(_ path: FilePath, to size: Int) throws {
    try open(path).truncate(to: Int64(size))
  }
}
