import Posix
import TestSupport
import Testing

/// Parts that are fed to commands.
@Suite(.aside) struct SplitFilterTests {
  private let directory: TemporaryDirectory
  private let bytes = Array("first\nsecond line\n3\n".utf8)
  private var file: FilePath { directory.file("f") }

  init() throws {
    directory = try TemporaryDirectory()
    try Files.write(bytes, to: file)
  }

  private func split(_ options: [String], isPipe: Bool) throws -> Outcome {
    try Tool.cleave.run(
      ["split"] + options + [isPipe ? "-" : file, directory.file("p")],
      input: isPipe ? .bytes(bytes) : .null
    )
  }

  @Test(arguments: [(1, "cat"), (2, "cat >&2")] as [(CInt, String)])
  func whatAFilterWritesToIsClosedForItToo(closed: CInt, filter: String) throws {
    let words = ["split", "-l", "1", FilePath("--filter=\(filter)"), file, directory.file("p")]
    let outcome = try Tool.cleave.run(words, closing: [closed])
    #expect(outcome.exitCode == 74, "\(outcome)")
  }

  @Test(arguments: [["-l", "1"], ["-b", "7"], ["-C", "14"]], [false, true])
  func aFilterIsFedWhatAPartWouldHave(cut: [String], isPipe: Bool) throws {
    let plain = try split(cut + ["--manifest=none"], isPipe: isPipe)
    #expect(plain.exitCode == 0, "\(plain)")
    var parts: [FilePath: [UInt8]] = [:]
    for name in try directory.names() where name != "f" {
      parts[name] = try Files.read(directory.file(name))
      try FileSystem.unlink(directory.file(name))
    }
    #expect(parts.count > 1)
    for jobs in ["1", "3", "9"] {
      let outcome = try split(
        cut + ["-v", "--filter=cat > $FILE.x", "--jobs", jobs],
        isPipe: isPipe
      )
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try directory.names() == (["f"] + parts.keys.map { $0.adding(".x") }).sorted())
      for (name, bytes) in parts {
        #expect(try Files.read(directory.file(name.adding(".x"))) == bytes)
        let told = "\(directory.file(name)): \(bytes.count) bytes fed, the filter has ended\n"
        #expect(outcome.errorText.contains(told), "\(outcome)")
      }
    }
  }

  @Test(arguments: [[], ["--filter=cat > $FILE"]], [["-v"], ["--progress"], ["-v", "-q"], []])
  func everyPartIsAnEventOfItsOwn(filter: [String], options: [String]) throws {
    for isPipe in [false, true] {
      let outcome = try split(["-l1", "-f", "--json"] + filter + options, isPipe: isPipe)
      #expect(outcome.exitCode == 0, "\(outcome)")
      let lines = try JSON.lines(outcome)
      let parts = lines.filter { $0.text("event") == "part" }.compactMap { $0.member("part") }
      #expect(lines.last?.text("event") == "result", "\(outcome)")
      if options.isEmpty || options.contains("-q") {
        #expect(lines.count == 1, "\(outcome)")
        continue
      }
      #expect(parts.compactMap { $0.number("bytes") } == [6, 12, 2], "\(outcome)")
      let listed = try #require(lines.last?.list("parts"))
      #expect(parts.map { $0.text("path") } == listed.map { $0.text("path") }, "\(outcome)")
      #expect(parts.map { $0.text("crc32") } == listed.map { $0.text("crc32") }, "\(outcome)")
    }
  }

  @Test(arguments: [false, true])
  func everyPartHasALineOfItsOwn(isPipe: Bool) throws {
    let outcome = try split(["-l1", "-v"], isPipe: isPipe)
    let lines = zip(["p.001", "p.002", "p.003"], [6, 12, 2]).map { name, size in
      "cleave: \(directory.file(FilePath(name))): \(size) bytes finished"
    }
    let told = outcome.errorText.split(separator: "\n").filter { $0.hasSuffix(" finished") }
    #expect(told.map(String.init) == lines, "\(outcome)")
  }

  @Test(
    arguments: [
      ("exit 7", "the filter ended with exit code 7"), ("kill -KILL $$", "ended by SIGKILL"),
    ],
    [false, true]
  )
  func aFilterThatFailsIsNamed(filter: (command: String, text: String), isPipe: Bool) throws {
    let command = "case $FILE in *.002) \(filter.command);; esac; cat > /dev/null"
    let outcome = try split(["-l", "1", "--filter=\(command)"], isPipe: isPipe)
    #expect(outcome.exitCode == 74, "\(outcome)")
    let start = "cleave: \(directory.file("p.002")): the filter "
    #expect(outcome.errorText.hasPrefix(start), "\(outcome)")
    #expect(outcome.errorText.contains(filter.text), "\(outcome)")
  }

  /// A record covers the second chunk.
  @Test func aFilterOfAnEmptyPartIsFedNothing() throws {
    try Files.write(Array("aaaaaa\nb\n".utf8), to: file)
    let outcome = try split(["-n", "l/3", "--filter=cat > $FILE"], isPipe: false)
    #expect(outcome.exitCode == 0, "\(outcome)")
    let parts: [FilePath] = ["p.001", "p.002", "p.003"]
    let found = try parts.map { try Files.read(directory.file($0)).count }
    #expect(found == [7, 0, 2])
  }

  @Test func aFilterMayStopReading() throws {
    try Files.write(Bytes.pattern(count: 3_000_000), to: file)
    let outcome = try split(["-n", "2", "--filter=head -c 5 > $FILE"], isPipe: false)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("p.002")).count == 5)
  }

  @Test(
    arguments: [
      ["--manifest=x.sfv"], ["--checksum=crc32"], ["--block=1M"], ["--joiners"], ["--resume"],
      ["--dry-run"], ["--verify=readback"], ["--jobs=0"], ["--filter="], ["--engine=direct"],
    ]
  )
  func whatAFilterMakesCannotBeChecked(options: [String]) throws {
    let outcome = try split(["-l", "1", "--filter=cat > $FILE"] + options, isPipe: false)
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(try directory.names() == ["f"])
  }

  /// A filter that saw only the end of its pipe would take what it has for all.
  @Test(arguments: [Signal.interrupt, .terminate], [false, true])
  func filtersAreEndedWithTheSplit(signal: Signal, isPipe: Bool) throws {
    let begun = directory.file("begun")
    let tool = try Tool.cleave.start(
      [
        "split", "-l", "1", "--filter=echo > \(begun); cat > /dev/null; echo > $FILE",
        isPipe ? "-" : file, directory.file("p"),
      ],
      input: isPipe ? .unending([97]) : .null
    )
    _ = try tool.wait { try Files.exists(begun) }
    tool.send(signal)
    let outcome = try tool.wait()
    guard isPipe else { return #expect([nil, signal].contains(outcome.signal), "\(outcome)") }
    #expect(outcome.signal == signal, "\(outcome)")
    #expect(try directory.names() == ["begun", "f"])
  }

  /// A shell starts most commands as processes of their own.
  @Test(.enabled(if: (try? Files.exists("/proc/self/task")) == true, "needs Linux"))
  func whatFiltersStartIsEndedWithThem() throws {
    let begun = directory.file("begun")
    let command =
      "sh -c 'echo $$ > begun.new; mv begun.new begun; cat > /dev/null; echo > $FILE'; true"
    let tool = try Tool.cleave.start(
      ["split", "-l", "1", "--filter=\(command)", "-", "p"],
      input: .unending([97]),
      workingDirectory: directory.path
    )
    _ = try tool.wait { try Files.exists(begun) }
    let inner = String(decoding: try Files.read(begun).dropLast(), as: UTF8.self)
    tool.send(.terminate)
    #expect(try tool.wait().signal == .terminate)
    try awaitEnd(of: inner)
    #expect(try directory.names() == ["begun", "f"])
  }

  /// What is still there makes its file when it sees the end of the pipe.
  private func awaitEnd(of process: String) throws {
    let tail = try #require(Tool.find("tail"))
    #expect(try tail.run(["--pid=\(process)", "-f", "/dev/null"]).exitCode == 0)
  }

  /// Not known yet to the one who ends all filters when the signal comes, nor when patience ends.
  @Test(
    .enabled(if: Tool.find("strace") != nil, "needs strace"),
    arguments: [false, true]
  )
  func aFilterThatIsBeingStartedIsEndedToo(isPipe: Bool) throws {
    try Files.write(Bytes.pattern(count: 100_000), to: file)
    // The program itself is started by the time that calls are delayed.
    let delay = ["-D", "-f", "-qq", "-o", "/dev/null", "-e", "inject=execve:delay_enter=1500000"]
    let arguments: [any ToolArgument] = ["split", "-b", "50K", "--filter=cat; echo > $FILE"]
    let tool = try #require(Tool.find("strace")).start(
      delay + [Tool.cleave.path] + arguments + [isPipe ? "-" : file, directory.file("p")],
      input: isPipe ? .bytes(Bytes.pattern(count: 100_000)) : .null
    )
    let process = FilePath("/proc/\(tool.pid)")
    let tasks = process.appending("task")
    var filter: String?
    _ = try tool.wait {
      guard try Files.text(process.appending("comm")) == "cleave\n" else { return false }
      for task in try FileSystem.names(in: tasks).sorted() {
        let children = try? Files.text(tasks.appending(task).appending("children"))
        filter = children?.split(separator: " ").first.map(String.init) ?? filter
      }
      return filter != nil
    }
    tool.send(.terminate)
    #expect(try tool.wait().signal == .terminate)
    try awaitEnd(of: #require(filter))
    #expect(try directory.names() == ["f"])
  }

  @Test(.enabled(if: (try? Files.exists("/proc/self/status")) == true, "needs Linux"))
  func filtersFindSignalsAsTheSplitDid() throws {
    let look = "grep -E '^Sig(Ign|Blk)' /proc/self/status"
    let script = """
      cd \(directory.path); trap '' USR1
      \(look); \(Tool.cleave.path) split -q -n 1 --filter="\(look)" f p
      """
    let outcome = try Tool.shell.run(["-c", script])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let lines = outcome.outputText.split(separator: "\n")
    try #require(lines.count == 4, "\(outcome)")
    // The tests' own threads may block some.
    #expect(lines[2] == "SigBlk:\t0000000000000000")
    // Those from 32 on are the C library's.
    #expect(lines[3].suffix(7) == lines[1].suffix(7), "\(outcome)")
  }
}
