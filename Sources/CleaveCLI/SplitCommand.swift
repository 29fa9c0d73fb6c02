import Cleave
import CommandLineKit
import Posix

/// `cleave split`: one file, or standard input, to parts and a manifest.
enum SplitCommand {
  private static let cutting: [Option<Settings>] = [
    CutOption.bytes(group: "Cutting"),
    .value(
      "number",
      short: "n",
      "N",
      group: "Cutting",
      help: "Cut N parts of equal size.",
      sets: \.count
    ) { argument throws(UsageError) in
      CutList.count(try argument.number(in: 1...Int(CutList.mostParts)))
    },
    .value(
      "suffix-length",
      short: "a",
      "LEN",
      group: "Cutting",
      help: "Number parts with at least LEN digits; 3 by default.",
      sets: \.suffixLength
    ) { argument throws(UsageError) in try argument.number(in: 1...9) },
  ]

  static let command = Command<Settings>(
    "split",
    summary: "Cut a file into numbered parts, with a manifest to check them by.",
    usage: ["cleave split {-b SIZE | -n N} [OPTION]... FILE [PREFIX]"],
    options: cutting + [
      OptionRows.force, OptionRows.dryRun(short: nil), OptionRows.resume,
      OptionRows.consume(
        "Cut from the end, and free what is in a part and on the device, so that little more space is "
          + "needed; what is left of FILE becomes part 1. FILE is gone then. Implies --resume."
      ),
      OptionRows.checkpoint, OptionRows.noSync, OptionRows.dropCache, OptionRows.clone,
      OptionRows.format(
        "Make parts of any file by cutting its bytes (raw; auto is the same), or of a zip the parts "
          + "of a split zip (zip), which 7-Zip unpacks without joining them."
      ),
      OptionRows.manifest("Write the manifest to FILE, or none; without it, to PREFIX.sfv."),
      OptionRows.verify,
    ] + OptionRows.engine + [OptionRows.progress] + OptionRows.general,
    details: """
      Parts are PREFIX.001, PREFIX.002 and so on; PREFIX is FILE if it is not given, and a PREFIX \
      that is a directory gets parts named after FILE. FILE may be - for standard input, which \
      needs a PREFIX. SIZE is a number with an optional unit: K, M, G or KiB, MiB, GiB are powers of \
      1024; KB, MB, GB are powers of 1000; 4GiB-1 works.

      With --format=zip, FILE is a zip and the parts are PREFIX.z01, PREFIX.z02 … PREFIX.zip, each \
      of at most SIZE bytes, from 64K to 4GiB-1. PREFIX is then FILE without .zip and with .split, \
      since FILE has the last part's name. Merging makes the same zip again.

      No part has its name before all of them are complete.
      """,
    examples: [
      .init("cleave split -b 350M gcd.mp4.zip", "Make gcd.mp4.zip.001, .002 and gcd.mp4.zip.sfv."),
      .init("cleave split -b fat32 disk.img /media/stick/", "Fit a FAT32 stick."),
      .init("tar -c docs | cleave split -b 1G - docs.tar", "Split a stream."),
      .init("cleave split --format=zip -b 100M a.zip out/", "Make out/a.z01 … out/a.zip."),
    ]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    let cuts: CutList
    switch (session.settings.sizes, session.settings.count) {
    case (let sizes?, nil): cuts = sizes
    case (nil, let count?): cuts = count
    case (nil, nil): throw usage("the size of the parts is missing: -b SIZE or -n N")
    case (_?, _?): throw usage("-b SIZE and -n N exclude each other")
    }
    guard let file = operands.first else { throw usage("a file to split is missing") }
    guard operands.count <= 2 else {
      throw usage("'\(operands[2])' is one operand too many: FILE and PREFIX are enough")
    }
    let given = operands.dropFirst().first
    if session.settings.isStaged {
      guard file != "-" else { throw usage("--resume and --consume need files, not streams") }
      guard !session.settings.consumes || session.settings.format != .zip else {
        throw usage("--consume cuts bytes; --format=zip makes new headers")
      }
      try session.settings.checkConsuming()
    }
    if session.settings.format == .zip {
      let size = try zipPartSize(cuts, file)
      let naming = PartNaming(splitZip: file, given == nil ? nil : try prefix(for: file, given))
      return try Split(session: session, naming: naming, cuts: cuts).run(zip: file, size)
    }
    guard session.settings.verify != .entries else {
      throw usage("--verify=entries needs --format=zip")
    }
    let prefix = try prefix(for: file, given)
    let naming = PartNaming(numbered: prefix, width: session.settings.suffixLength)
    let split = Split(session: session, naming: naming, cuts: cuts)
    return try file == "-" ? split.runStream() : split.run(file)
  }

  private static func zipPartSize(_ cuts: CutList, _ file: FilePath) throws(Failure) -> Int64 {
    if file == "-" { throw usage("--format=zip needs a file, not standard input") }
    guard case .every(let size) = cuts, ZipCut.sizes.contains(size) else {
      throw usage("--format=zip needs -b SIZE with one size from 64K to 4GiB-1")
    }
    return size
  }

  private static func prefix(
    for file: FilePath,
    _ given: FilePath?
  ) throws(Failure) -> FilePath {
    guard let given else {
      if file == "-" { throw usage("standard input has no name: a PREFIX is needed") }
      return file
    }
    if given.bytes.isEmpty { throw usage("the PREFIX is empty") }
    let isDirectory = (try? FileStatus.ifPresent(given))?.kind == .directory
    guard isDirectory || given.endsInSlash else { return given }
    if file == "-" { throw usage("'\(given)' is a directory: a PREFIX for the parts is needed") }
    return given.appending(file.lastComponent)
  }
}

/// One split, its operands understood.
private struct Split {
  let session: Session
  let naming: PartNaming
  let cuts: CutList
  private var prefix: FilePath { naming.prefix }
  private var settings: Settings { session.settings }

  // MARK: Files

  func run(_ file: FilePath) throws(Failure) -> ExitCode {
    let found = try resumption(of: file)
    let source = try CleaveCLI.job { () throws(CleaveError) in
      if let found, let source = found.plan.sources.first { return source }
      return try SourceFile(examining: file)
    }
    let parts = try sizes(of: source).enumerated().map { number, size in
      DestinationFile(path: naming.name(number), size: size)
    }
    try CleaveCLI.job { () throws(CleaveError) in try checkNames(count: parts.count, found) }
    let plan: TransferPlan
    do {
      plan = try TransferPlan.split(source, into: parts)
    } catch {
      throw .job(CleaveError(.badData, file, "cannot be split so: \(error)"))
    }
    return try run(plan, named: file, found) { $0.whole }
  }

  /// What an interrupted run of the same command has left.
  private func resumption(of file: FilePath) throws(Failure) -> Resumption? {
    guard settings.isStaged, !settings.isDryRun else { return nil }
    return try CleaveCLI.job { () throws(CleaveError) in
      try Resumption(of: .split, making: prefix, from: [file], settings)
    }
  }

  /// Cuts a zip to the parts of a split zip.
  func run(zip file: FilePath, _ size: Int64) throws(Failure) -> ExitCode {
    let found = try resumption(of: file)
    let (cut, plan, split) = try CleaveCLI.job { () throws(CleaveError) in
      let source = try SourceFile(examining: file)
      let cut = try ZipCut(source, size: size, kinds: kinds)
      let split = Split(session: session, naming: naming.counting(cut.parts.count), cuts: cuts)
      try split.checkNames(count: cut.parts.count, found)
      return (cut, try cut.plan(source, name: split.naming.name), split)
    }
    return try split.run(plan, named: file, found) { cut.sourceChecksum(plan, $0) }
  }

  private func sizes(of source: SourceFile) throws(Failure) -> [Int64] {
    do throws(CutError) {
      return try cuts.sizes(of: source.status.size)
    } catch {
      throw usage(error.explanation)
    }
  }

  private func run(
    _ plan: TransferPlan,
    named file: FilePath,
    _ found: Resumption?,
    whole: (TransferReport) -> Checksum
  ) throws(Failure) -> ExitCode {
    let engine = session.engine(for: plan, kinds: kinds)
    if settings.isDryRun { return try describe(plan, engine) }
    var job = TransferJob(plan, engine: engine)
    job.options = session.jobOptions(kinds)
    if settings.verify == .entries {
      job.inspect = EntryInspection(session, plan.destinations.map(\.path)).run
    }
    let others = manifestPath.map { [$0] } ?? []
    return try CleaveCLI.job { () throws(CleaveError) in
      let approve = { (report: TransferReport) in
        manifest(report.destinations, whole(report), named: file)
      }
      let report: TransferReport
      var journal: JournalFile?
      if settings.isStaged {
        let (staged, file) = try stage(job, found)
        report = try staged.run(with: file, publishing: others, approve: approve)
        journal = file
      } else {
        try session.lookForLeftovers(of: plan.destinations.map(\.path), prefix)
        report = try job.run(publishing: others, approve: approve)
      }
      session.noteRun(engine: engine, bytes: report.bytes, shared: report.sharedBytes)
      try tell(engine, plan.sources[0].path, report.destinations, whole(report))
      journal?.remove()
      return .success
    }
  }

  /// The same in stages, from the beginning or where an earlier run was interrupted.
  private func stage(
    _ job: TransferJob,
    _ found: Resumption?
  ) throws(CleaveError) -> (StagedJob, JournalFile) {
    var staged = StagedJob(job, .split)
    staged.checkpoint = settings.checkpoint
    staged.consumption = settings.consumes ? .tail : nil
    if let found {
      guard found.plan.destinations == job.plan.destinations else {
        throw Resumption.other(found.file, "was begun by a run that makes other parts")
      }
      staged.job.plan = found.plan
      staged.present = found.present
      session.tellResumption(found, of: prefix)
    }
    if let manner = staged.consumption { session.tellConsumption(job.plan, manner) }
    return (staged, try Resumption.journal(of: prefix, found))
  }

  // MARK: Standard input

  func runStream() throws(Failure) -> ExitCode {
    guard settings.engine == .auto || settings.engine == .serial else {
      throw usage("only the serial engine reads standard input")
    }
    try session.refuseSharing("standard input")
    if case .count = cuts { throw usage("-n needs a file: standard input has no known length") }
    guard !settings.isDryRun else {
      throw usage("--dry-run needs a file: standard input has no known length")
    }
    var job = StreamJob()
    job.options = session.jobOptions(kinds)
    return try CleaveCLI.job { () throws(CleaveError) in
      try session.requireStandardInput()
      try checkNames(count: 0)
      let report = try job.split(size: streamSize, name: naming.name) {
        report throws(CleaveError) in
        try refuseStale(naming.existing(count: report.outputs.count))
        return manifest(report.outputs, report.whole, named: prefix)
      }
      session.noteRun(engine: .serial, bytes: report.whole.count)
      try tell(.serial, "-", report.outputs, report.whole)
      return .success
    }
  }

  /// The size of a part by its number from 0; the rest has no end.
  private func streamSize(_ number: Int) -> Int64? {
    switch cuts {
    case .every(let size): return size
    case .list(let sizes, let rest):
      if number < sizes.count { return sizes[number] }
      return rest && number == sizes.count ? .max : nil
    case .count: return nil
    }
  }

  // MARK: Names

  private var manifestPath: FilePath? {
    switch settings.manifest {
    case .none: nil
    case .file(let path): path
    case .automatic: Manifest.path(beside: prefix)
    }
  }

  private var kinds: Checksum.Kinds {
    settings.verify == .none && manifestPath == nil ? [] : [.crc32, .adler32]
  }

  private func checkNames(
    count: Int,
    _ found: Resumption? = nil
  ) throws(CleaveError) {
    // Then some of them may be those of this very job.
    if found?.isPublishing == true { return }
    let existing = try naming.existing(count: count)
    // Standard input may need any number, so any part is in the way.
    let taken = count == 0 ? existing.stale.first : existing.taken.first
    if let taken, !settings.isForced {
      throw CleaveError(.cannotCreate, taken, "exists; --force replaces it")
    }
    if count > 0 { try refuseStale(existing) }
    if let path = manifestPath {
      // As many bytes as its lines have, but for the numbers that outgrow their width.
      guard count * (prefix.lastComponent.bytes.count + naming.width + 11) < SFV.largestFile else {
        throw CleaveError(
          .cannotCreate,
          path,
          "would be too large to be read again; --manifest=none makes none"
        )
      }
      try OutputCheck.check(path, settings.outputOptions, inputs: [])
      if !SFV.canHold(prefix.lastComponent) {
        session.console.warn("\(prefix): an SFV file cannot hold this name; no manifest is written")
      }
    }
  }

  /// A part that an earlier, longer split left would be taken for one of the new ones.
  private func refuseStale(_ existing: PartSeries.Existing) throws(CleaveError) {
    guard let stale = existing.stale.first else { return }
    let others = existing.stale.count > 1 ? ", like \(existing.stale.count - 1) more," : ""
    throw CleaveError(
      .cannotCreate,
      stale,
      "would be taken for a part of the new series\(others) and must go first; or choose another PREFIX"
    )
  }

  // MARK: Manifest

  private func manifest(
    _ sums: [Checksum],
    _ whole: Checksum,
    named file: FilePath
  ) -> [TransferJob.NewFile] {
    guard let path = manifestPath, SFV.canHold(prefix.lastComponent) else { return [] }
    let sfv = SFV(
      entries: sums.enumerated().map { number, sum in
        SFV.Entry(name: naming.name(number).lastComponent, crc32: sum.crc32)
      },
      whole: SFV.Whole(
        name: SFV.canHold(file.lastComponent) ? file.lastComponent : prefix.lastComponent,
        size: whole.count,
        crc32: whole.crc32,
        adler32: whole.adler32
      )
    )
    return [TransferJob.NewFile(path: path, bytes: sfv.render(version: cleaveVersion))]
  }

  // MARK: Telling

  private func tell(
    _ engine: EngineName,
    _ file: FilePath,
    _ sums: [Checksum],
    _ whole: Checksum
  ) throws(CleaveError) {
    let isSummed = !kinds.isEmpty
    let written = SFV.canHold(prefix.lastComponent) ? manifestPath : nil
    if settings.writesJSON {
      return try session.write(
        JSONReport.Transfer(
          command: "split",
          engine: engine.rawValue,
          bytes: whole.count,
          parts: sums.enumerated().map { number, sum in
            JSONReport.File(naming.name(number), bytes: sum.count, isSummed ? sum : nil)
          },
          manifest: written.map { JSONReport.Name($0) },
          crc32: isSummed ? whole.crc32Text : nil,
          adler32: isSummed ? whole.adler32Text : nil,
          seconds: session.seconds,
          peakMemory: ProcessState.peakResidentBytes
        ),
        isIncidental: true
      )
    }
    let source = file == "-" ? "standard input" : "\(file)"
    let last = sums.count > 1 ? " to \(naming.name(sums.count - 1))" : ""
    var line = "\(source): \(ByteSize.described(whole.count)) in \(naming.name(0))\(last)"
    if isSummed { line += ", CRC-32 \(whole.crc32Text)" }
    if let written { line += ", manifest \(written)" }
    try session.console.report(line)
  }

  private func describe(_ plan: TransferPlan, _ engine: EngineName) throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      let inputs = Set(plan.sources.map(\.status.identity))
      for part in plan.destinations {
        try OutputCheck.check(part.path, settings.outputOptions, inputs: inputs)
      }
      if settings.consumes {
        try session.describeConsumption(plan, .tail)
      } else {
        try session.requireRoom(for: plan, engine)
      }
      if settings.writesJSON {
        return try session.write(
          JSONReport.Transfer(
            command: "split",
            engine: engine.rawValue,
            bytes: plan.totalBytes,
            parts: plan.destinations.map { JSONReport.File($0.path, bytes: $0.size) },
            manifest: manifestPath.map { JSONReport.Name($0) },
            seconds: session.seconds,
            peakMemory: ProcessState.peakResidentBytes,
            dryRun: true
          )
        )
      }
      for part in plan.destinations {
        try session.console.report("\(part.path): \(ByteSize.described(part.size))")
      }
    }
    return .success
  }
}
