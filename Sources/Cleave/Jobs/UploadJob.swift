import Posix

/// One run of a job whose destinations are objects of a store, from names that are checked to names that are given.
/// Confined to the thread that calls, but for cancelling.
final class UploadJob {
  private let job: Job
  private let files: any RemoteFiles
  private var options: JobOptions { job.options }
  private var plan: TransferPlan { job.plan }

  /// - Throws: where nobody can write to addresses.
  init(_ job: Job) throws(CleaveError) {
    self.job = job
    guard let path = job.plan.destinations.first?.path,
      let files = FileSystem.remote(for: path)
    else { throw CleaveError(.missingInput, "there is nobody who writes to addresses") }
    self.files = files
  }

  func run(_ judge: any Judge) throws(CleaveError) -> Outcome {
    try enter()
    options.progress.expect(plan.totalBytes)
    options.progress.follow(plan)
    job.proving?.begin(plan, into: nil)
    defer { job.proving?.stop() }
    let run = UploadRun(job, files)
    do throws(CleaveError) {
      return try make(run, judge)
    } catch {
      let isGone = run.abort()
      let error: CleaveError = options.cancellation.isCancelled ? .cancelled : error
      let (first, isOnly) = (plan.destinations[0].path, plan.destinations.count == 1)
      throw isGone ? error : error.leavingUploads(at: isOnly ? first : first.directory)
    }
  }

  private func enter() throws(CleaveError) {
    let paths = plan.destinations.map(\.path) + job.sidecars
    try OutputCheck.requireDistinct(paths)
    let inputs = plan.sources.identities
    for path in paths {
      try OutputCheck.requireObject(path)
      var output = options.output
      if job.goesOnInStore { output.replacesExisting = true }
      try OutputCheck.check(path, output, inputs: inputs)
    }
    if let large = plan.destinations.first(where: { $0.size > UploadLimits.largestObject }) {
      let most = UploadLimits.largestObject
      let text: Sentence = "has \(large.size) bytes, and a store takes at most \(most) in an object"
      throw CleaveError(.cannotCreate, large.path, text)
    }
  }

  private func make(_ run: UploadRun, _ judge: any Judge) throws(CleaveError) -> Outcome {
    let present = job.goesOnInStore ? try present(run) : [:]
    if job.goesOnInStore { try endOthers() }
    let digests = try DigestRun.begin(job.digesting, plan, options) { run.fail($0) }
    defer { digests?.stop() }
    var report = report(try run.send(butFor: present), run)
    // What nobody has summed has to be there before it can be.
    var isBlind = !run.knowsSums && (options.output.readsBack || job.readsUnsummed)
    let isCopied = isBlind
    // Where an object would be lost, the parts are read before.
    if isBlind, options.output.replacesExisting,
      plan.destinations.contains(where: { !FileStatus.isAbsent($0.path) })
    {
      report = JobReport(engine: nil, plan, try sourceSums())
      report.sentBytes = run.sentBytes
      isBlind = false
    }
    var judgement = Judgement()
    if !isBlind {
      if let digests, report.knowsSums { report.digests = try digests.finish(report) }
      judgement = try judge.judge(report)
    }
    var sidecars = try missing(judgement.sidecars)
    var made = MadeObjects(files, options.cancellation)
    let proofs = try publish(run, isBlind ? nil : report, judge.wholeCRC32, &made)
    do throws(CleaveError) {
      // What was read are the parts, and not what the store has made of them.
      if options.output.readsBack || isCopied && !proofs { try readBack(&report, made) }
      if isBlind {
        do throws(CleaveError) {
          if let digests { report.digests = try digests.finish(report) }
        } catch  where error.kind == .changedInput {
          // The parts were read for these, and the sums are of what the store has made of them.
          throw made.wrong(plan.destinations[0].path)
        }
        judgement = try judge.judge(report)
        sidecars = try missing(judgement.sidecars)
      }
    } catch  where error.kind == .badData && isBlind {
      // What was there before is another run's.
      let isGone = plan.destinations.filter { made.remove($0.path) }.count > 0
      throw isGone ? error.adding("; what was made is removed again") : error
    }
    for sidecar in sidecars {
      try creating { () throws(SystemError) in
        let replaces = options.output.replacesExisting
        _ = try files.write(sidecar.bytes, to: sidecar.path, replacing: replaces)
      }
    }
    judgement.verdict.add(storeHasCompared: proofs)
    let paths = plan.destinations.map(\.path) + judgement.sidecars.map(\.path)
    return Outcome(report: report, verdict: judgement.verdict, paths: paths)
  }

  private func report(_ extents: [Checksum], _ run: UploadRun) -> JobReport {
    var report = JobReport(engine: nil, plan, extents)
    report.sentBytes = run.sentBytes
    report.knowsSums = run.knowsSums
    return report
  }

  /// The sums of what the store has copied, from where it was copied.
  private func sourceSums() throws(CleaveError) -> [Checksum] {
    var reader = DigestReader(
      Inputs(plan.sources),
      try PassingDigests(DigestRequest()),
      kinds: .crc32,
      progress: options.progress
    ) { [options] in options.cancellation.isCancelled }
    var sums: [Checksum] = []
    for extent in plan.extents { sums.append(try reader.read(extent.source, extent.length)) }
    try reader.close()
    return sums
  }

  // MARK: Names

  /// - Parameters:
  ///   - report: nil where no sums are known.
  ///   - expected: the sum of what is copied and not summed, which a store may know when it is complete.
  /// - Returns: whether the store has compared the sums of all of them.
  private func publish(
    _ run: UploadRun,
    _ report: JobReport?,
    _ expected: UInt32?,
    _ made: inout MadeObjects
  ) throws(CleaveError) -> Bool {
    if options.cancellation.isCancelled { throw .cancelled }
    var isProved = true
    for index in plan.destinations.indices {
      let sum = report.flatMap { $0.knowsSums ? $0.destinations[index].crc32 : expected }
      do throws(CleaveError) {
        let proof = try run.publish(index, sum, goesOn: job.goesOnInStore, &made)
        isProved = isProved && proof && sum != nil
      } catch {
        if index == 0 { throw error }
        let count = index.counted("part")
        throw error.adding("; \(count) in front of it can be seen, and \(Setting.resuming) goes on")
      }
    }
    return isProved
  }

  /// Compares what the store gives back with what it was given, or learns the sums of it.
  private func readBack(_ report: inout JobReport, _ made: MadeObjects) throws(CleaveError) {
    var sums: [Checksum] = []
    for (index, destination) in plan.destinations.enumerated() {
      let extents = plan.extents(of: index)
      let found = try made.sums(of: destination.path, extents.map { $0.offset..<$0.end })
      let isSame = zip(extents.indices, found).allSatisfy {
        plan.extents[$0].length == $1.count
          && (!report.knowsSums || report.extents[$0].crc32 == $1.crc32)
      }
      guard isSame else { throw made.wrong(destination.path) }
      sums += found
    }
    if report.knowsSums { return }
    let sent = report.sentBytes
    report = JobReport(engine: nil, plan, sums)
    report.sentBytes = sent
  }

  // MARK: Going on

  /// Those that an earlier run has not made.
  ///
  /// - Throws: `.cannotCreate` where something else is in the way.
  private func missing(_ sidecars: [Sidecar]) throws(CleaveError) -> [Sidecar] {
    if !job.goesOnInStore || options.output.replacesExisting { return sidecars }
    var missing: [Sidecar] = []
    for sidecar in sidecars {
      let there = try reading { () throws(SystemError) -> [UInt8]? in
        guard let status = try FileStatus.ifPresent(sidecar.path) else { return nil }
        if status.size != sidecar.bytes.count { return [] }
        return try FileDescriptor.open(sidecar.path, [.readOnly]).read(sidecar.bytes.count, at: 0)
      }
      if there == sidecar.bytes { continue }
      guard there == nil else { throw inTheWay(sidecar.path) }
      missing.append(sidecar)
    }
    return missing
  }

  private func inTheWay(_ path: FilePath) -> CleaveError {
    CleaveError(
      .cannotCreate,
      path,
      "exists, and is not what this would make; \(.replacing) replaces it"
    )
  }

  /// Gives up what earlier runs have begun and not completed.
  private func endOthers() throws(CleaveError) {
    let paths = Set(plan.destinations.map(\.path))
    var directories: Set<FilePath> = []
    for path in paths where directories.insert(path.directory).inserted {
      try reading { () throws(SystemError) in
        for object in try files.unfinished(in: path.directory) where paths.contains(object.path) {
          try files.discard(object)
        }
      }
    }
  }

  /// The destinations that an earlier run has made.
  private func present(_ run: UploadRun) throws(CleaveError) -> [Int: UploadRun.Present] {
    // What the store copies is not read for this.
    if run.copies { return [:] }
    var present: [Int: UploadRun.Present] = [:]
    for (index, destination) in plan.destinations.enumerated() {
      let found = try reading { () throws(SystemError) in
        try files.look(at: destination.path)
      }
      guard let found else { continue }
      if found.status.size == destination.size {
        let sums = try run.checksums(of: index)
        let sum = sums.reduce(into: Checksum.empty) { $0.append($1) }
        if try isRight(found, destination, sum) {
          present[index] = UploadRun.Present(object: found, sums: sums)
          continue
        }
      }
      guard options.output.replacesExisting else {
        throw inTheWay(destination.path)
      }
    }
    return present
  }

  private func isRight(
    _ object: SeenObject,
    _ destination: DestinationFile,
    _ sum: Checksum
  ) throws(CleaveError) -> Bool {
    if let told = object.crc32 { return told == sum.crc32 }
    return try reading { () throws(SystemError) in
      let file = try FileDescriptor.open(destination.path, [.readOnly])
      file.remoteFile?.willRead(0..<destination.size)
      let found = try Checksum(
        reading: file,
        kinds: .crc32,
        isCancelled: { options.cancellation.isCancelled }
      )
      return found.count == sum.count && found.crc32 == sum.crc32
    }
  }
}
