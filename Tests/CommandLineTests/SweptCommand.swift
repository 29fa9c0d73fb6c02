import Posix
import TestSupport
import Testing

/// A command line, and the files that it finds, to be run again and again with another call failing.
struct SweptCommand: Sendable, CustomTestStringConvertible {
  var name: String
  /// Those that begin with `./` are names in the directory of the command.
  var words: [String]
  /// Writes what is there before.
  let prepare: @Sendable (TemporaryDirectory) throws -> Void
  var input = ToolInput.null
  /// What `--engine` is given, or `auto` where it does not take part.
  var engines = CommandLineTests.engines
  /// What the command has to make, as far as that is not taken from a run without faults.
  var makes: [FilePath: [UInt8]] = [:]
  /// What it writes to standard output, where that is what it is for.
  var data: [UInt8]?
  /// Calls that it is known to make with every engine, on files in its directory.
  var calls: Set<String> = ["open", "write", "fsync", "close", "rename"]
  /// Whether the same command line goes on with what was interrupted, and sources may be gone then.
  var goesOn = false
  /// Faults that kill a first run, so that it is the one that goes on whose calls fail.
  var interruption: String?
  /// Where another file system than that of `$TMPDIR` is wanted.
  var fileSystem: (@Sendable () throws -> LoopFileSystem)?
  /// Calls that fail whenever they are made, for the sake of what is done instead.
  var otherFaults: String?

  var testDescription: String { name }
}

// MARK: - All of them

extension SweptCommand {
  /// What is tried with every engine even where time is short.
  static let basic = [merge, mergeOfSplitZip, split]
  static let others =
    [
      replacingMerge, mergeWithoutExclusiveNames, mergeOfStream, replacingSplit, splitWithScripts,
      splitOfStream, splitIntoZip, repair, mergeOfPieces, waitingMerge, cat,
    ] + (Tool.cleaveHasDigests ? [mergeByDigests, splitWithDigests] : [])

  private static let whole = Bytes.pattern(count: 4501)

  /// Parts and their manifest.
  @Sendable private static func writeSeries(_ directory: TemporaryDirectory) throws {
    let series = try Series([3000, 1, 1500], hasManifest: true)
    for path in series.parts + [series.manifest] {
      try Files.copy(path, to: directory.file(path.lastComponent))
    }
  }

  static let merge = SweptCommand(
    name: "merge",
    words: ["merge", "./file.001"] + Series.smallPieces,
    prepare: writeSeries,
    makes: ["file": whole]
  )

  private static let replacingMerge = SweptCommand(
    name: "merge --force",
    words: ["merge", "--force", "./file.001"] + Series.smallPieces,
    prepare: { directory in
      try writeSeries(directory)
      try Files.write([1, 2, 3], to: directory.file("file"))
    },
    makes: ["file": whole]
  )

  private static var mergeWithoutExclusiveNames: SweptCommand {
    var command = SweptCommand(
      name: "merge, with links for want of exclusive names",
      words: ["merge", "./file.001"] + Series.smallPieces,
      prepare: writeSeries,
      makes: ["file": whole]
    )
    command.otherFaults = "rename#1=EINVAL"
    command.calls.formUnion(["link", "unlink"])
    return command
  }

  private static let mergeOfStream = SweptCommand(
    name: "merge of standard input",
    words: [
      "merge", "--verify=readback", "--high-water=1000", "-o", "./file", "./file.001", "-",
      "./file.003",
    ],
    prepare: { directory in
      try writeSeries(directory)
      try FileSystem.unlink(directory.file("file.002"))
      try FileSystem.unlink(directory.file("file.sfv"))
    },
    input: .bytes([whole[3000]]),
    engines: ["serial"],
    makes: ["file": whole]
  )

  private static let mergeOfSplitZip = SweptCommand(
    name: "merge of a split zip",
    words: ["merge", "--verify=entries", "./a.z01"] + Series.smallPieces,
    prepare: { directory in
      let set = try ZipSet(ZipWriter(ZipWriterTests.entries).parts(of: 2000))
      for path in set.parts { try Files.copy(path, to: directory.file(path.lastComponent)) }
    }
  )

  /// Proved by what is in them, while the output is flushed.
  private static let mergeOfPieces = SweptCommand(
    name: "merge of a zip in pieces",
    words: ["merge", "./a.zip.001"] + Series.smallPieces,
    prepare: { directory in
      let whole = try ZipWriter(ZipWriterTests.entries).single()
      for (number, piece) in whole.cut(to: 20_000).enumerated() {
        try Files.write(piece, to: directory.file(FilePath("a.zip.00\(number + 1)")))
      }
    }
  )

  private static let waitingMerge = SweptCommand(
    name: "merge --wait",
    words: ["merge", "--wait=1s", "./file.001"],
    prepare: writeSeries,
    engines: ["serial"],
    makes: ["file": whole]
  )

  private static let cat = SweptCommand(
    name: "cat",
    words: ["cat", "./file.001"],
    prepare: writeSeries,
    engines: ["auto"],
    data: whole,
    calls: ["open", "close"]
  )

  static let split = SweptCommand(
    name: "split",
    words: ["split", "-b", "3000", "./file"] + Series.smallPieces,
    prepare: { try Files.write(whole, to: $0.file("file")) },
    makes: ["file.001": Array(whole[..<3000]), "file.002": Array(whole[3000...])]
  )

  private static let mergeByDigests = SweptCommand(
    name: "merge by digests",
    words: ["merge", "./file.001"] + Series.smallPieces,
    prepare: { directory in
      try Files.write(whole, to: directory.file("file"))
      let words = ["split", "-q", "--no-sync", "-b", "3000", "--checksum=sha256", "file"]
      let outcome = try Tool.cleave.run(words, workingDirectory: directory.path)
      try #require(outcome.exitCode == 0, "\(outcome)")
      try FileSystem.unlink(directory.file("file"))
    },
    makes: ["file": whole]
  )

  private static let splitWithDigests = SweptCommand(
    name: "split --checksum",
    words: ["split", "-b", "3000", "--checksum=crc32,sha256", "./file"] + Series.smallPieces,
    prepare: { try Files.write(whole, to: $0.file("file")) },
    makes: ["file.001": Array(whole[..<3000]), "file.002": Array(whole[3000...])]
  )

  private static let replacingSplit = SweptCommand(
    name: "split --force",
    words: ["split", "--force", "-b", "3000", "./file"] + Series.smallPieces,
    prepare: { directory in
      try Files.write(whole, to: directory.file("file"))
      for name in ["file.001", "file.002", "file.sfv"] as [FilePath] {
        try Files.write([1, 2, 3], to: directory.file(name))
      }
    },
    makes: ["file.001": Array(whole[..<3000]), "file.002": Array(whole[3000...])]
  )

  private static let splitWithScripts = SweptCommand(
    name: "split --joiners --block",
    words: ["split", "--joiners", "--block=1000", "-b", "3000", "./file"] + Series.smallPieces,
    prepare: { try Files.write(whole, to: $0.file("file")) },
    makes: ["file.001": Array(whole[..<3000]), "file.002": Array(whole[3000...])]
  )

  private static let splitOfStream = SweptCommand(
    name: "split of standard input",
    words: ["split", "-b", "3000", "-", "./file"],
    prepare: { _ in },
    input: .bytes(whole),
    engines: ["auto"],
    makes: ["file.001": Array(whole[..<3000]), "file.002": Array(whole[3000...])]
  )

  private static let splitIntoZip = SweptCommand(
    name: "split --format=zip",
    words: ["split", "--format=zip", "-b", "64K", "./a.zip", "./b", "--high-water=20000"],
    prepare: { directory in
      var writer = ZipWriter(ZipWriterTests.entries)
      writer.entries.append(ZipEntry("large", Bytes.pattern(count: 100_000)))
      try Files.write(writer.single(), to: directory.file("a.zip"))
    }
  )

  private static let repair = SweptCommand(
    name: "repair",
    words: ["repair", "./a.zip"] + Series.smallPieces,
    prepare: { directory in
      let parts = try ZipWriter(ZipWriterTests.entries).parts(of: 2000)
      try Files.write(Array(parts.joined()), to: directory.file("a.zip"))
    }
  )
}

// MARK: - Of lines

extension SweptCommand {
  private static let lines = (0..<400).flatMap { Array("line \($0)\n".utf8) }

  /// - Parameter first: bytes of the first part.
  private static func records(
    _ cut: [String],
    first: Int,
    of input: String = "./file",
    _ engines: [String] = ["direct"]
  ) -> SweptCommand {
    let isStream = input == "-"
    return SweptCommand(
      name: (["split"] + cut + (isStream ? [input] : [])).joined(separator: " "),
      words: ["split"] + cut + [input, "./file"] + (isStream ? [] : Series.smallPieces),
      prepare: { if !isStream { try Files.write(lines, to: $0.file("file")) } },
      input: isStream ? .bytes(lines) : .null,
      engines: isStream ? ["auto"] : engines,
      makes: ["file.001": Array(lines[..<first])]
    )
  }

  /// It makes nothing that cleave knows of.
  private static let filteredSplit = SweptCommand(
    name: "split --filter",
    words: ["split", "-q", "-l", "100", "--filter=cat > /dev/null", "./file"],
    prepare: { try Files.write(lines, to: $0.file("file")) },
    engines: ["auto"],
    data: [],
    calls: ["open", "close"]
  )

  private static let mergeOfHeaders = SweptCommand(
    name: "merge --header",
    words: ["merge", "--header=2", "--manifest=none", "--as=numbers", "./file.001"]
      + Series.smallPieces,
    prepare: { directory in
      let header = lines[..<14]
      // Behind whole lines.
      let cuts = [1000, 3000].map { place in
        lines[place...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? place
      }
      for (index, range) in [14..<cuts[0], cuts[0]..<cuts[1], cuts[1]..<lines.count].enumerated() {
        let name = FilePath("file.00\(index + 1)")
        try Files.write(Array(header + lines[range]), to: directory.file(name))
      }
    },
    engines: ["direct", "serial"],
    makes: ["file": lines]
  )

  /// Lines dealt out among three parts.
  private static let dealt: [[UInt8]] = (0..<3).map { part in
    stride(from: part, to: 400, by: 3).flatMap { Array("line \($0)\n".utf8) }
  }

  private static func dealing(of input: String) -> SweptCommand {
    let isStream = input == "-"
    return SweptCommand(
      name: "split -n r/3 \(input)",
      words: ["split", "-n", "r/3", input, "./file", "--high-water=1000"],
      prepare: { if !isStream { try Files.write(lines, to: $0.file("file")) } },
      input: isStream ? .bytes(lines) : .null,
      engines: [isStream ? "auto" : "serial"],
      makes: ["file.001": dealt[0], "file.002": dealt[1], "file.003": dealt[2]]
    )
  }

  private static let mergeOfDealt = SweptCommand(
    name: "merge --dealt",
    words: ["merge", "--dealt", "--manifest=none", "--as=numbers", "./file.001"],
    prepare: { directory in
      for (index, part) in dealt.enumerated() {
        try Files.write(part, to: directory.file(FilePath("file.00\(index + 1)")))
      }
    },
    engines: ["serial"],
    makes: ["file": lines]
  )

  /// What `make test` has time for.
  static let quickRecords = [
    records(["-l", "150", "--header"], first: 1249), mergeOfHeaders, dealing(of: "./file"),
    mergeOfDealt,
  ]

  static let ofLines =
    [
      records(["-l", "150"], first: 1240, CommandLineTests.engines),
      records(["-C", "1000"], first: 997), records(["-n", "l/3"], first: 1168),
      records(["-l", "150", "--header"], first: 1249, CommandLineTests.engines),
      records(["-l", "150"], first: 1240, of: "-"), records(["-C", "1000"], first: 997, of: "-"),
      records(["-n", "l/3"], first: 1168, of: "-"),
      records(["-C", "1000", "--header"], first: 997, of: "-"),
      filteredSplit, mergeOfHeaders, dealing(of: "./file"), dealing(of: "-"), mergeOfDealt,
    ]
}

// MARK: - Those that can be gone on with

extension SweptCommand {
  static let staged =
    [
      stagedMerge(["--resume"]), stagedMerge(["--resume", "--force"]), stagedMerge(["--consume"]),
      stagedMerge(["--consume"], faults: "fallocate=EOPNOTSUPP"),
      stagedZipMerge("--resume"), stagedZipMerge("--consume"),
      stagedSplit(["--resume"]), stagedSplit(["--resume", "--force"]), stagedSplit(["--consume"]),
      stagedSplit(["--consume"], faults: "fallocate=EOPNOTSUPP"),
      stagedSplitIntoZip,
    ] + interrupted

  /// What `make test` has time for.
  static let quickStaged = [
    stagedMerge(["--consume"]), stagedZipMerge("--consume"), stagedSplit(["--consume"]),
  ]

  /// The second run of each: in the middle, and when names have been given.
  private static let interrupted = [
    (stagedMerge(["--resume"]), "unlink@.cleave-journal=kill"),
    (stagedMerge(["--consume"]), "unlink@.cleave-journal=kill"),
    (stagedZipMerge("--consume"), "unlink@.cleave-journal=kill"),
    (stagedSplit(["--resume"]), "rename@/file.sfv=kill"),
    (stagedSplit(["--consume"]), "rename@/file.sfv=kill"),
  ].flatMap { command, last in
    [
      command.interrupted(by: "fsync@.cleave-journal#4=kill", "killed before"),
      command.interrupted(by: last, "killed at its end"),
    ]
  }

  private func interrupted(by faults: String, _ when: String) -> SweptCommand {
    var command = self
    command.name += ", " + when
    command.interruption = faults
    command.engines = ["serial", "direct"]
    return command
  }

  /// Two rounds in a part, and several parts in a round; holes have 64 KiB.
  private static let rounds = ["-q", "--checkpoint=70K", "--high-water=60000", "--window=60000"]
  private static let large = Bytes.pattern(count: 250_002)
  private static let cuts = [0, 120_000, 120_001, 130_001, 250_002]
  private static let parts = zip(cuts, cuts.dropFirst()).enumerated().map { index, range in
    (name: FilePath("file.00\(index + 1)"), bytes: Array(large[range.0..<range.1]))
  }

  private static func stagedMerge(_ options: [String], faults: String? = nil) -> SweptCommand {
    var command = SweptCommand(
      name: (["merge"] + options + (faults == nil ? [] : ["without holes"])).joined(separator: " "),
      words: ["merge", "./file.001"] + options + rounds,
      prepare: { directory in
        for part in parts { try Files.write(part.bytes, to: directory.file(part.name)) }
        if options.contains("--force") { try Files.write([1, 2], to: directory.file("file")) }
      },
      makes: ["file": large]
    )
    command.goesOn = true
    command.otherFaults = faults
    return command
  }

  private static func stagedZipMerge(_ option: String) -> SweptCommand {
    var command = SweptCommand(
      name: "merge \(option) of a split zip",
      words: [
        "merge", option, "./a.z01", "-q", "--checkpoint=4000", "--high-water=2000",
        "--window=2000",
      ],
      prepare: mergeOfSplitZip.prepare
    )
    command.goesOn = true
    return command
  }

  private static func stagedSplit(_ options: [String], faults: String? = nil) -> SweptCommand {
    var command = SweptCommand(
      name: (["split"] + options + (faults == nil ? [] : ["without holes"])).joined(separator: " "),
      words: ["split", "-b", "120000", "./file"] + options + rounds,
      prepare: { directory in
        try Files.write(large, to: directory.file("file"))
        guard options.contains("--force") else { return }
        for name in ["file.001", "file.003", "file.sfv"] as [FilePath] {
          try Files.write([1, 2], to: directory.file(name))
        }
      },
      makes: [
        "file.001": Array(large[..<120_000]), "file.002": Array(large[120_000..<240_000]),
        "file.003": Array(large[240_000...]),
      ]
    )
    command.goesOn = true
    command.otherFaults = faults
    return command
  }

  private static let stagedSplitIntoZip: SweptCommand = {
    var command = SweptCommand(
      name: "split --resume --format=zip",
      words: splitIntoZip.words + ["--resume", "-q", "--checkpoint=50K"],
      prepare: splitIntoZip.prepare
    )
    command.goesOn = true
    return command
  }()
}

// MARK: - Where files share blocks

extension SweptCommand {
  /// For file systems that may be missing.
  static let mergeByBlocks: SweptCommand = {
    let bytes = Bytes.pattern(count: 70_000)
    let cuts = [0, 40_960, 61_440, 70_000]
    var command = SweptCommand(
      name: "merge on XFS, sharing blocks",
      words: ["merge", "./file.001"],
      prepare: { directory in
        for (index, range) in zip(cuts, cuts.dropFirst()).enumerated() {
          let name = FilePath("file.00\(index + 1)")
          try Files.write(Array(bytes[range.0..<range.1]), to: directory.file(name))
        }
      },
      engines: ["direct"],
      makes: ["file": bytes]
    )
    command.calls = ["open", "fsync", "close", "rename", "share"]
    command.fileSystem = { try LoopFileSystem(.xfs) }
    return command
  }()
}
