import Posix
import TestSupport
import Testing

/// Files of which some are of another set, or not there at all, are not made one.
@Suite struct OneSetTests: CommandLines {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func write(_ name: String, _ count: Int = 250_000, seed: UInt64 = 1) throws {
    try Files.write(Bytes.pattern(count: count, seed: seed), to: directory.file(FilePath(name)))
  }

  private func shell(_ script: String) throws {
    _ = try Tool.shell.run(["-c", script], workingDirectory: directory.path)
  }

  // MARK: Shares

  @Test(
    "parts of some shares of a split are not all, whatever they are called",
    arguments: [
      ("split -q -d", "pp", "pp00"), ("split -q -x", "pp", "pp00"), ("split -q", "p_", "p_001"),
      ("-q split --alphabetic-suffixes", "pp", "ppaa"), ("-q split", "f.", "f.001"),
      ("split -q --additional-suffix=.csv", "pp", "pp.001.csv pp.002.csv"),
      ("split -q --times", String(repeating: "a", count: 110), ""),
    ]
  )
  func someShares(command: String, prefix: String, parts: String) throws {
    try write("f")
    // 2033
    try Files.setModified(2_000_000_000_000_000_000, of: directory.file("f"))
    try expect(0, "\(command) -b 50000 --share=1/2 f \(prefix)")
    let parts = parts.isEmpty ? "\(prefix).001" : parts
    for _ in 1...2 {
      try expect(66, "merge -o out \(parts)", "other shares of the split are not done")
      try expect(75, "clean", "would seem to be all there is")
    }
    if command.hasPrefix("-q") {
      try expect(66, "finish \(prefix == "f." ? "f" : prefix)", "not done yet: share 2/2")
    }
    try expect(0, "\(command) -b 50000 --share=2/2 f \(prefix)")
    try expect(0, "clean")
    try expect(0, "merge -o out \(parts.split(separator: " ")[0])")
  }

  @Test(
    "what a share that is killed has named is not all",
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: 1...4
  )
  func killedShare(rename: Int) throws {
    try write("f")
    let killed = try run("split -q -b 50000 --share=1/2 f", faults: "rename#\(rename)=kill")
    #expect(killed.signal == .kill, "\(killed)")
    try FileSystem.unlink(directory.file("f"))
    for clean in [false, true] {
      if clean { #expect([0, 75].contains(try run("clean").exitCode)) }
      let outcome = try run("merge f.001")
      #expect(outcome.exitCode == 66, "\(outcome)")
    }
  }

  /// What is left of a split that had named nothing is no reason to doubt parts that were made before or behind it.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatHasNamedNothingIsInNobodysWay() throws {
    try write("f", seed: 2)
    try expect(0, "split -q --manifest=none -b 100000 f")
    try write("f", seed: 3)
    let killed = try run("split -q -f -b 100000 f", faults: "rename#1=kill")
    #expect(killed.signal == .kill, "\(killed)")
    for name in ["f.001", "f.002", "f.003"] as [FilePath] {
      try Files.setPermissions(0o600, of: directory.file(name))
    }
    try expect(0, "merge -o out f.001")
    #expect(try Files.read(directory.file("out")) == Bytes.pattern(count: 250_000, seed: 2))
    try FileSystem.unlink(directory.file("f.003"))
    try expect(0, "split -q -f -b 200000 f")
    try expect(0, "clean")
    try expect(0, "merge -o again f.001", "as in f.sfv")
  }

  /// With the same name, size and time, but for that of the change itself.
  @Test func sharesOfAnotherFileDoNotCount() throws {
    for (number, seed) in [(1, UInt64(1)), (2, 2)] {
      try write("f", seed: seed)
      try Files.setModified(1_000_000_000_000_000_000, of: directory.file("f"))
      let outcome = try expect(0, "split --share=\(number)/2 -b 50000 f")
      #expect(outcome.outputText.contains("not yet \(3 - number)"), "\(outcome)")
    }
    #expect(try !Files.exists(directory.file("f.sfv")))
  }

  @Test(
    "what a receipt says is heeded, whoever may write to it",
    arguments: ["link", "mode", "cut"]
  )
  func doubtedReceipt(what: String) throws {
    try write("f")
    try expect(0, "split -q -b 50000 --share=1/2 f p")
    let receipt = try #require(try directory.names().first { "\($0)".contains("cleave-share") })
    let path = directory.file(receipt)
    switch what {
    case "link":
      _ = try Tool.shell.run(["-c", "ln \(path) \(path).backup"])
    case "mode": try Files.setPermissions(0o664, of: path)
    default: try Files.write(Array(Files.read(path).prefix(50)), to: path)
    }
    for option in ["", "--format=raw "] {
      let operands = "\(option)p.001"
      try expect(66, "merge -o out \(operands)", "other shares of the split are not done")
      try expect(75, "clean")
    }
  }

  // MARK: Journals

  @Test(
    "parts that a run has taken away are missed where its journal is not believed",
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: ["link", "mode", "cut", "gone", "elsewhere"]
  )
  func doubtedJournal(what: String) throws {
    try write("f", 300_000)
    try expect(0, "split -q -d -a 3 -b 50000 --manifest=none f out.")
    try FileSystem.unlink(directory.file("f"))
    let isElsewhere = what == "elsewhere"
    if isElsewhere { try Files.makeDirectory(directory.file("usb")) }
    let output = isElsewhere ? "usb/g" : "g"
    try kill(
      "merge -q --consume --checkpoint=50000 -o \(output) out.000",
      "rename@out.001.cleave-rest#1=kill"
    )
    let path = directory.file(FilePath("\(isElsewhere ? "usb/" : "").g.cleave-journal"))
    switch what {
    case "link":
      _ = try Tool.shell.run(["-c", "ln \(path) \(path).backup"])
    case "mode": try Files.setPermissions(0o664, of: path)
    case "cut": try Files.write(Array(Files.read(path).prefix(100)), to: path)
    case "gone": try FileSystem.unlink(path)
    default: try FileSystem.rename(directory.file("usb"), toNew: directory.file("away"))
    }
    let before = try Contents(of: directory.path)
    for line in ["merge -o h out.001", "merge --consume -o h out.001", "merge -n -o h out.001"] {
      try expect(66, line, "no journal that is believed tells which")
    }
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }

  @Test(
    "parts that a split was naming are no set",
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: [
      ("f.", "--resume --manifest=none", 3), ("f.", "--manifest=none --times", 2),
      ("f.", "--manifest=none", 3),
      (String(repeating: "n", count: 110) + ".", "", 3),
      (String(repeating: "n", count: 110) + ".", "--manifest=none", 3),
    ]
  )
  func halfNamed(prefix: String, options: String, rename: Int) throws {
    try write("f", 40_000)
    try expect(0, "split -q -b 10000 --manifest=none f \(prefix)")
    // The next day
    try Files.setModified(
      FileStatus.of(directory.file("f")).modified + 86_400_000_000_000,
      of: directory.file(FilePath("\(prefix)004"))
    )
    try write("f", 40_000, seed: 2)
    try kill("split -q -f -b 10000 \(options) f \(prefix)", "rename#\(rename)=kill")
    try FileSystem.unlink(directory.file("f"))
    for isCopied in [false, true] {
      if isCopied { try shell("touch .[!.]* *") }
      let all = (1...4).map { "\(prefix)00\($0)" }.joined(separator: " ")
      for operands in ["\(prefix)001", "--last=4 \(prefix)001", "--first=2 \(prefix)002", all] {
        let outcome = try expect(66, "merge -o g \(operands)")
        #expect(!outcome.errorText.contains("--last"), "\(outcome)")
      }
      try expect(66, "verify \(prefix)001")
      try expect(75, "clean")
      if options.contains("--resume") { return }
    }
    // What is named ends it.
    try write("f", 40_000, seed: 3)
    try expect(0, "split -q -f -b 10000 \(options) f \(prefix)")
    try expect(0, "merge -o g \(prefix)001")
    try expect(0, "clean")
    let isLeft = try directory.names().contains { $0.bytes.first == UInt8(ascii: ".") }
    #expect(!isLeft)
  }

  /// The journal of a split that was killed among names, and is not believed, or gone.
  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: ["mode", "cut", "gone"],
    [false, true]
  )
  func halfNamedWithoutJournal(what: String, isNew: Bool) throws {
    try write("f", 40_000)
    if !isNew { try expect(0, "split -q -b 10000 --manifest=none f") }
    try write("f", 40_000, seed: 2)
    let line = "split -q -f -b 10000 --resume f"
    try kill(line, "rename@f.003#1=kill")
    let journal = directory.file(".f.cleave-journal")
    let bytes = try Files.read(journal)
    switch what {
    case "mode": try Files.setPermissions(0o664, of: journal)
    case "cut": try Files.write(Array(bytes.prefix(100)), to: journal)
    default: try FileSystem.unlink(journal)
    }
    for operand in ["f.001", "--format=raw f.001", "."] {
      for command in ["merge -o g", "cat"] {
        let outcome = try run("\(command) \(operand)")
        #expect([65, 66, 73].contains(outcome.exitCode), "\(command) \(operand): \(outcome)")
        #expect(outcome.standardOutput.isEmpty)
      }
    }
    let before = try directory.names()
    let clean = try run("clean")
    #expect([65, 73, 75].contains(clean.exitCode), "\(clean)")
    #expect(try directory.names() == before)
    try Files.write(bytes, to: journal)
    try Files.setPermissions(0o600, of: journal)
    try expect(0, line)
    try expect(0, "merge -o g f.001")
    #expect(try Files.read(directory.file("g")) == Bytes.pattern(count: 40_000, seed: 2))
    let isLeft = try directory.names().contains { $0.bytes.first == UInt8(ascii: ".") }
    #expect(!isLeft)
  }

  /// The journal tells where the mark is lost.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func halfNamedWithoutMark() throws {
    try write("f", 40_000)
    try expect(0, "split -q -b 10000 --manifest=none f")
    try write("f", 40_000, seed: 2)
    let line = "split -q -f -b 10000 --resume f"
    try kill(line, "rename@f.003#1=kill")
    for name in try directory.names() where "\(name)".contains("cleave-naming") {
      try FileSystem.unlink(directory.file(name))
    }
    try expect(66, "merge -o g f.001", "'cleave \(line)' goes on")
    try expect(66, "cat f.001", "'cleave \(line)' goes on")
    try expect(0, line)
    try expect(0, "merge -o g f.001")
  }

  /// What another run has made of all is not what one that was killed among names has left.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func anotherRunEndsTheDoubt() throws {
    try write("f", 40_000)
    try expect(0, "split -q -b 10000 --manifest=none f")
    try kill("split -q -f -b 10000 --resume f", "rename@f.003#1=kill")
    try expect(66, "merge -o g f.001")
    try expect(0, "split -q -f -b 10000 --manifest=none f")
    try expect(0, "merge -o g f.001")
    #expect(try Files.read(directory.file("g")) == Files.read(directory.file("f")))
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aMarkIsGoneWhenAllHaveTheirNamesOrNone() throws {
    try write("f", 40_000)
    try expect(0, "split -q -b 10000 --manifest=none f")
    try expect(0, "split -q -f -b 10000 --manifest=none f")
    #expect(try directory.names().sorted() == ["f", "f.001", "f.002", "f.003", "f.004"])
    let failed = try run("split -q -f -b 10000 --manifest=none f", faults: "rename#3=EIO")
    #expect(failed.exitCode == 74, "\(failed)")
    #expect(try directory.names().sorted() == ["f", "f.001", "f.002", "f.003", "f.004"])
    try expect(0, "merge -n -o g f.001")
    // Nothing can be taken back.
    try write("f", 40_000, seed: 2)
    let mixed = try run("split -q -f -b 10000 --manifest=none f", faults: "rename#3+=EIO")
    #expect(mixed.exitCode == 74, "\(mixed)")
    #expect(mixed.errorText.contains("f.003 and 1 more had been replaced by then"), "\(mixed)")
    try expect(66, "merge -o g f.001")
    try expect(75, "clean")
    // Of one part, too.
    for number in 2...4 { try FileSystem.unlink(directory.file(FilePath("f.00\(number)"))) }
    try expect(0, "split -q -f -b 40000 --manifest=none f")
    try expect(0, "clean")
    try expect(0, "merge -o g f.001")
  }

  /// Of names that are cut, all of a directory may begin alike.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aMarkIsOfOneSetWhateverItsNamesBeginWith() throws {
    let (one, two) = (
      String(repeating: "n", count: 110) + "1", String(repeating: "n", count: 110) + "2"
    )
    for name in [one, two] { try write("\(name)", 40_000) }
    try expect(0, "split -q -b 10000 --manifest=none \(one)")
    try write("\(one)", 40_000, seed: 2)
    try kill("split -q -f -b 10000 --manifest=none \(one)", "rename#3=kill")
    try expect(0, "split -q -b 10000 --manifest=none \(two)")
    try expect(0, "merge -o g \(two).001")
    try expect(66, "merge -o h \(one).001")
    try expect(75, "clean")
  }

  // MARK: Interrupted jobs

  /// What is done is not given up for another set whose list has come meanwhile, nor while a part is half read.
  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: [false, true]
  )
  func aListThatCameWhileAPartWasHalfReadTakesNothing(isListed: Bool) throws {
    try write("f", 40_000)
    try expect(0, "split -q -b 10000 f")
    try Files.makeDirectory(directory.file("b"))
    try write("b/f", 40_000, seed: 2)
    try expect(0, "split -q -b 10000 b/f b/f.")
    if !isListed { try FileSystem.unlink(directory.file("f.sfv")) }
    try kill("merge -q --consume --checkpoint=5000 -o g f.001", "rename@f.001.cleave-rest#1=kill")
    try shell("cp b/f.sfv .; cp b/f.001 .")
    for _ in 1...3 {
      let outcome = try run("merge --consume --checkpoint=5000 -o g f.001")
      #expect(outcome.exitCode != 0, "\(outcome)")
    }
    try expect(75, "clean", "may be the only copy")
    // All but the part that has been replaced by hand is still there.
    let files = try directory.names().filter { $0 != "f" && $0 != "b" }
    let contents = try files.map { try Files.read(directory.file($0)) }
    let bytes = try Files.read(directory.file("f"))
    for start in stride(from: 0, to: bytes.count, by: 5000) {
      let block = bytes[start..<(start + 5000)]
      #expect(contents.contains { !$0.ranges(of: block).isEmpty }, "\(start)")
    }
  }

  /// What a list says too late of a part that is in the output, under its name, is not mended any more.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aGoodPartIsNotTakenForWhatHasItsName() throws {
    try write("f", 30_000)
    try Files.makeDirectory(directory.file("l"))
    try expect(0, "split -q -b 10000 f")
    let script = "mv f good; mv f.sfv l; cp f.003 l; tr '\\0-\\377' '\\1-\\377\\0' <l/f.003 >f.003"
    try shell(script)
    try kill("merge -q --consume f.001", "unlink@.f.cleave-journal#1=kill")
    let line = "merge -q --consume --manifest=l/f.sfv f.001"
    try expect(65, line, "f has its name already, with what was read of f.003")
    try shell("cp l/f.003 .")
    let before = try Contents(of: directory.path)
    try expect(65, line, "f has its name already, with what was read of f.003")
    #expect(try Files.read(directory.file("f.003")) == Files.read(directory.file("l/f.003")))
    #expect(
      try !Contents(of: directory.path).changes(since: before).contains {
        "\($0)".contains("f.003")
      }
    )
    try expect(0, "clean -f .f.cleave-journal")
  }

  /// Nor is what a list that came too late says passed over.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aListThatCameBeforeTheNameIsCompared() throws {
    try write("f", 30_000)
    try Files.makeDirectory(directory.file("l"))
    try expect(0, "split -q -b 10000 f")
    let script =
      "mv f good; mv f.sfv l; tr '\\0-\\377' '\\1-\\377\\0' <f.002 >x; cp f.002 l; mv x f.002"
    try shell(script)
    try kill("merge -q --consume f.001", "rename@f#1=kill")
    try shell("cp l/f.sfv f.sfv")
    try expect(65, "merge -q --consume f.001", "f.002 has CRC-32")
    #expect(try !Files.exists(directory.file("f")))
    try shell("cp l/f.002 .")
    try expect(0, "merge -q --consume --manifest=f.sfv f.001")
    #expect(try Files.read(directory.file("f")) == Files.read(directory.file("good")))
  }

  /// A journal that is needed stays.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatIsTheOnlyCopyStaysBesideAnotherSplit() throws {
    try write("f", 30_000)
    try write("g", 10, seed: 2)
    try kill("split -q --resume -b 10000 f x", "rename@x.001#1=kill")
    try FileSystem.unlink(directory.file("f"))
    try expect(0, "split -q -b 10000 g x")
    try expect(75, "clean", "not all sources are there as they were")
  }

  /// Of the list that a job was begun by, one bad part more is no other set.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func goodPartsAreTakenOneAfterTheOther() throws {
    try write("f", 40_000)
    try expect(0, "split -q -b 10000 f")
    let parts = try [2, 3].map { number in
      let part = directory.file(FilePath("f.00\(number)"))
      let bytes = try Files.read(part)
      try Files.write(bytes.map { $0 ^ 1 }, to: part)
      return (part, bytes)
    }
    try shell("sed '/^;/d' f.sfv >l.sfv; rm f.sfv")
    let line = "merge -q --consume --checkpoint=5000 --manifest=l.sfv -o g f.001"
    for (part, bytes) in parts {
      try expect(65, line, "put a good \(part.lastComponent) in its place")
      try Files.write(bytes, to: part)
    }
    try expect(0, line)
    #expect(try Files.read(directory.file("g")) == Files.read(directory.file("f")))
  }

  /// A list that is named may be another set's, too: parts of which nothing was read yet tell.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aListThatIsNamedAndObjectsToWhatIsThereTakesNothing() throws {
    try write("f", 40_000)
    try expect(0, "split -q -b 10000 --manifest=none f")
    try Files.makeDirectory(directory.file("b"))
    try write("b/f", 40_000, seed: 2)
    try expect(0, "split -q -b 10000 b/f b/f.")
    let line = "merge -q --consume --checkpoint=5000"
    try kill("\(line) -o g f.001", "rename@f.002.cleave-rest#1=kill")
    _ = try Tool.shell.run([
      "-c", "cd \(directory.path); sed -i '/^;/d' b/f.sfv; cp b/f.sfv b/f.00[12] .",
    ])
    for _ in 1...2 {
      try expect(
        65,
        "\(line) --manifest=f.sfv -o g f.001",
        "too; or if the list is of another set, move it and"
      )
    }
    try shell("rm f.sfv f.00[12]")
    try expect(0, "\(line) -o g f.001")
    #expect(try Files.read(directory.file("g")) == Files.read(directory.file("f")))
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatIsSaidOfAnInterruptedSplitNamesTheCommandThatGoesOn() throws {
    try write("f", 40_000)
    let line = "split --consume -b 10000 f"
    try kill(line, "rename@f.001#1=kill")
    let commands = ["info", "verify", "merge", "merge --all"].map { "\($0) ." }
    for command in commands + ["info f.002", "verify f.003", "merge f.001", "cat f.004", "info f"] {
      try expect(66, command, "'cleave \(line)' goes on")
    }
    try expect(0, line)
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func partsOfAnotherSetBesideThoseThatAJobHasLeftAreNoSet() throws {
    try write("f", 40_000)
    try expect(0, "split -q -b 10000 --manifest=none f")
    try FileSystem.unlink(directory.file("f"))
    try Files.makeDirectory(directory.file("b"))
    try write("b/f", 40_000, seed: 2)
    try expect(0, "split -q -b 10000 --manifest=none b/f b/f.")
    try kill("merge -q --consume --checkpoint=5000 f.001", "unlink@f.002#1=kill")
    try shell("cp -n b/f.* .")
    try expect(66, "merge -o h f.001")
  }

  // MARK: Names

  @Test(
    "what names and sizes tell of others is heeded",
    arguments: [
      ("x-00000-of-00003.bin x-00001-of-00003.bin", 66), ("x_0of3.bin x_1of3.bin", 66),
      ("x.part1of3 x.part2of3 x.part3of3", 0), ("drive-d.img drive-e.img", 0),
      ("x.part2of3 x.part3of3", 66), ("m.gguf.b m.gguf.c m.gguf.d", 66), ("m.gguf.a m.gguf.b", 0),
    ] as [(String, CInt)]
  )
  func counted(names: String, code: CInt) throws {
    for (index, name) in names.split(separator: " ").enumerated() {
      try write("\(name)", 1000 - index / 2, seed: UInt64(index))
    }
    try expect(code, "merge -n -o o \(names)")
    if names.contains("part") { try expect(code, "merge -o o \(names.split(separator: " ")[0])") }
  }

  @Test(
    "a part that is alone is missed by the next number of another prefix",
    arguments: [
      ("1-f.001", "2-f.002", 66), ("(1of2)f.mkv.001", "(2of2)f.mkv.002", 66),
      ("20240101_f.part1", "20240102_f.part2", 66),
      ("1-f.001", "2-f.001", 0), ("1-f.001", "2-g.002", 0), ("1-f.001", "2-f.0002", 0),
      ("1-f.001", "2-f.003", 0),
    ] as [(String, String, CInt)]
  )
  func fellow(name: String, other: String, code: CInt) throws {
    try write(name, 1000)
    try write(other, 5000, seed: 2)
    try expect(code, "merge -n -o o \(name)", code == 0 ? "" : "beside it has the next number")
    // With what is in front of the other, that is another file.
    let first = other.replacing("002", with: "001").replacing("part2", with: "part1")
    if code == 0 { return }
    try write(first, 900)
    let again = try run("merge -n -o o \(name)")
    #expect(!again.errorText.contains("beside it has the next number"), "\(again)")
  }

  @Test(
    "numbers that do not rise are seen among other names, and in directories",
    arguments: [
      ("f1 f10 f2 extra", 66), ("extra f1 f10 f2", 66), ("f1 f2 f10 extra", 0),
      ("d1/f d10/f d2/f", 66), ("d1/f d2/f d10/f", 0), ("f2 f1 extra", 0),
      ("x c1/1 c1/2 c2/1 c2/2", 0), ("x GX010045 GX020045 GX010046", 0), ("f4 f3 f2 x", 0),
      ("x f9998 f9999 f0001", 0),
    ] as [(String, CInt)]
  )
  func order(names: String, code: CInt) throws {
    for (index, name) in names.split(separator: " ").enumerated() {
      if let slash = name.firstIndex(of: "/") {
        let home = directory.file(FilePath(String(name[..<slash])))
        if try !Files.exists(home) { try Files.makeDirectory(home) }
      }
      try write(String(name), 1000, seed: UInt64(index))
    }
    try expect(code, "merge -n -o o \(names)", code == 0 ? "" : "against their numbers")
  }

  @Test(
    "years and dates beside parts are no parts",
    arguments: [
      ("f.mkv.00", "f.mkv.2023 f.mkv.2024"), ("f.mkv.00", "f.mkv.2023 f.mkv.20240101"),
      ("f.mkv.a", "f.mkv.md f.mkv.20231105"),
    ]
  )
  func dated(start: String, others: String) throws {
    let numbers = start.hasSuffix("a") ? "abcdefgh".map(String.init) : ["1", "2", "3"]
    for number in numbers { try write(start + number, number == numbers.last ? 900 : 1000) }
    for name in others.split(separator: " ") { try write(String(name), 10) }
    for operand in [".", "--all ."] { try expect(0, "merge -n \(operand)") }
    try expect(0, "info .", "series of \(numbers.count) parts")
    try expect(66, "verify .", "0 missing, 1 not checked")
  }

  @Test func aYearBehindPartsWithoutZerosIsLeftOutOnlyIfAsked() throws {
    for name in ["f.mkv.1", "f.mkv.2", "f.mkv.2024"] { try write(name, 1000) }
    try expect(
      66,
      "merge f.mkv.1",
      "2021 parts are missing: f.mkv.3 to f.mkv.2023; --last=2 leaves"
    )
    try expect(0, "merge --last=2 f.mkv.1")
  }

  @Test func whatIsMissingMayBeThereInAnotherSpelling() throws {
    try write("f", 3000)
    try expect(0, "split -q -b 1000 f")
    try FileSystem.rename(directory.file("f.002"), toNew: directory.file("F.002"))
    let text = "F.002: may be what is called f.002 in f.sfv, in letters of another case: rename it"
    try expect(66, "verify f.sfv", text)
  }

  @Test func twoSetsOfFilesOfOneNameAreToldApart() throws {
    for (seed, prefix) in ["mon.", "tue."].enumerated() {
      try write("db", 3000, seed: UInt64(seed))
      try expect(0, "split -q -b 1000 db \(prefix)")
    }
    try FileSystem.unlink(directory.file("db"))
    try expect(0, "verify", "6 right, 0 wrong, 0 missing, 0 not checked")
    try expect(0, "merge -o m mon.001", "as in mon.sfv")
    try expect(0, "merge -o t tue.001", "as in tue.sfv")
  }

  @Test func ofTwoReadingsTheOneWithItsListIsMeant() throws {
    for number in 1...2 {
      try write("f.part\(number).bin", 1400, seed: UInt64(number))
      try expect(0, "split -q -b 500 f.part\(number).bin")
      try FileSystem.unlink(directory.file(FilePath("f.part\(number).bin")))
    }
    try expect(0, "merge -o g f.part1.bin.001", "as in f.part1.bin.sfv")
    try expect(0, "merge --all .", "as in f.part2.bin.sfv")
    try FileSystem.unlink(directory.file("f.part1.bin"))
    try FileSystem.unlink(directory.file("f.part2.bin"))
    try FileSystem.unlink(directory.file("f.part2.bin.sfv"))
    try FileSystem.unlink(directory.file("f.part1.bin.sfv"))
    try expect(65, "merge -fo g f.part1.bin.001", "choose by --as=numbers or --as=part")
  }

  @Test(
    "of three parts, one that was cut short is seen",
    arguments: [
      ([1_048_576, 700_001, 300_000], 65), ([700_001, 1_048_576, 300_000], 65),
      ([1_048_576, 700_000, 300_000], 0), ([700_001, 1_048_573, 300_000], 0),
      ([1_048_576, 1_048_577, 300_000], 65), ([1_048_576, 4096, 300_000], 0),
    ] as [([Int], CInt)]
  )
  func ofThree(sizes: [Int], code: CInt) throws {
    for (index, size) in sizes.enumerated() { try write("f.iso.00\(index + 1)", size) }
    try expect(code, "merge -n f.iso.001")
  }

  @Test func aDownloadTellsOfTheEmptyFileInItsPlace() throws {
    for name in ["f.mkv.001", "f.mkv.002.part", "f.mkv.003"] { try write(name, 1000) }
    try write("f.mkv.002", 0)
    let outcome = try expect(65, "merge f.mkv.001", "says that it is still being downloaded")
    #expect(!outcome.errorText.contains("--last"), "\(outcome)")
  }

  // MARK: Contents

  @Test func zerosOfAFileInATarAreNotItsEnd() throws {
    let script = "head -c 3000 /dev/zero >a; echo hi >b; tar -cf t a b"
    let made = try Tool.shell.run(["-c", "cd \(directory.path); \(script)"])
    #expect(made.exitCode == 0, "\(made)")
    try expect(0, "split -q -b 3584 --manifest=none t t.tar.")
    try expect(0, "merge -o o t.tar.001")
    #expect(try Files.read(directory.file("o")) == Files.read(directory.file("t")))
    // Two that are whole are still two.
    for number in 1...2 {
      try Files.write(
        Files.read(directory.file("t")),
        to: directory.file(FilePath("u.tar.00\(number)"))
      )
    }
    try expect(65, "merge -n u.tar.001", "is a tar file of its own")
  }

  /// Nothing was compared.
  @Test func aZipWithoutEntriesProvesNothing() throws {
    let end: [UInt8] = [0x50, 0x4B, 5, 6] + Array(repeating: 0, count: 18)
    for (number, bytes) in [end[..<9], end[9...]].enumerated() {
      try Files.write(Array(bytes), to: directory.file(FilePath("y.zip.00\(number + 1)")))
    }
    let outcome = try expect(0, "merge y.zip.001")
    #expect(!outcome.outputText.contains("proved"), "\(outcome)")
  }

  // MARK: Directories

  @Test(
    "parts in a directory that are alone are seen beside those of others",
    arguments: [
      ("disc1.iso.00", "disc2.iso.002"), ("a.bin.00", "b.bin.002"), ("a.00", "b.003"),
    ]
  )
  func alone(series: String, part: String) throws {
    for number in 1...2 { try write("\(series)\(number)", 3000 - number) }
    try write(part, 2000, seed: 2)
    for command in ["merge --all", "verify", "info"] {
      let outcome = try run("\(command) .")
      #expect(outcome.exitCode == 66, "\(command): \(outcome)")
      #expect(outcome.errorText.contains("missing: "), "\(command): \(outcome)")
    }
  }

  @Test("what a job writes to is no part", arguments: ["merge", "verify", "info"])
  func temporaries(command: String) throws {
    for number in 1...3 { try write("g.00\(number)", 1000) }
    for number in 1...4 { try write(".h.00\(number).cleave-tmp-1b2c3d4e", 1000) }
    let outcome = try run("\(command) .")
    let text = outcome.outputText + outcome.errorText
    #expect(text.contains("g") && !text.contains(".h."), "\(outcome)")
  }

  @Test("a part that does not exist stands for none", arguments: ["merge -o out", "cat", "verify"])
  func nowhere(command: String) throws {
    try write("f")
    try expect(0, "split -q -d -n 12 f k")
    try expect(66, "\(command) k300")
    try expect(0, "\(command) k07")
  }

  // MARK: Lists

  @Test func theWholeOfAListNeedNotHaveTheNameOfTheParts() throws {
    try write("f")
    try expect(0, "split -q -b 100000 --checksum=sha256 f")
    let sums = try Files.read(directory.file("f.sha256"))
    for name in try directory.names() where name != "f" {
      try FileSystem.unlink(directory.file(name))
    }
    try expect(0, "split -q -b 100000 f p")
    let line = String(decoding: sums, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("# sha256: ")
    }
    let whole = "\(try #require(line).dropFirst(10))  f"
    try Files.write(Array("\(whole)\n".utf8), to: directory.file("f.sha256"))
    try expect(0, "verify p.001", "the parts of f: OK")
    let wrong = "00000000\(whole.dropFirst(8).dropLast())"
    try Files.write(Array("\(wrong)f\n".utf8), to: directory.file("f.sha256"))
    try FileSystem.unlink(directory.file("f"))
    try expect(65, "merge -o out p.001", "f.sha256")
  }

  @Test func aPictureDoesNotReplaceTheList() throws {
    try write("f")
    try expect(0, "split -q -b 100000 f")
    let list = try Files.read(directory.file("f.sfv"))
    try expect(73, "info -f --svg=f.sfv f.001")
    #expect(try Files.read(directory.file("f.sfv")) == list)
  }

  @Test("a list in which blanks are spelled otherwise is not passed over", arguments: [".", "%20"])
  func spelled(blank: String) throws {
    for number in 1...3 { try write("My Film.mkv.00\(number)", 1000 - number) }
    let lines = (1...3).map { "\(String(repeating: "0", count: 32))  My\(blank)Film.mkv.00\($0)\n" }
    try Files.write(Array(lines.joined().utf8), to: directory.file("MD5SUMS"))
    let outcome = try Tool.cleave.run(
      ["merge", "My Film.mkv.001"],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 65, "\(outcome)")
  }

  private func writeParts(andList line: String) throws {
    for number in 1...3 { try write("f.mkv.00\(number)", 1000, seed: UInt64(number)) }
    let made = try Tool.shell.run(["-c", line], workingDirectory: directory.path)
    #expect(made.exitCode == 0, "\(made)")
  }

  @Test(
    "lists that are written otherwise are read, or refused",
    arguments: [
      "sha256sum f.mkv.00? | iconv -t UTF-16LE > SHA256SUMS",
      "sha256sum f.mkv.00? | iconv -t UTF-16BE > SHA256SUMS",
      "sha256sum f.mkv.00? | tr '\\n' '\\r' > SHA256SUMS",
      "sha256sum f.mkv.00? | tr '\\n' '\\r' | iconv -t UTF-16LE > SHA256SUMS",
      "md5sum f.mkv.00? | while read -r d n; do echo \"MD5($n)= $(echo $d | sed 's/../&:/g; s/:$//')\"; done > hashes.txt",
      "for n in 1 2 3; do echo \"magnet:?xl=1000&dn=f.mkv.00$n&xt=urn:sha1:QLFYWYQ\"; done > sums.txt",
      "for n in 1 2 3; do echo \"ed2k://|file|f.mkv.00$n|1000|0123456789abcdef|/\"; done > sums.txt",
      "sha256sum f.mkv.00? | cut -c 1-64 > SHA256SUMS.txt",
      "sha256sum f.mkv.00? | sed 's/ .*/  C:\\\\Users\\\\Joe Doe\\\\Down.../' > hashes.txt",
    ]
  )
  func writtenOtherwise(line: String) throws {
    try writeParts(andList: line)
    try Files.flipByte(at: 5, of: directory.file("f.mkv.002"))
    try expect(65, "merge f.mkv.001")
  }

  @Test(
    "sums of other files are no list of the parts",
    arguments: [
      "for n in 1 2 3; do echo \"x $(sha256sum < f.mkv.00$n) other.00$n\"; done > hashes.txt",
      "for n in 1 2 3; do echo \"$n  $(sha256sum < f.mkv.00$n | cut -c 1-64)\"; done > MD5SUMS.txt",
      "echo 'magnet:?xl=1&xt=urn:btih:abababab&dn=other-f.mkv.001' > hashes.txt",
    ]
  )
  func ofOthers(line: String) throws {
    try writeParts(andList: line)
    try expect(0, "merge f.mkv.001")
  }

  /// What is in the output is of one set, and the list that vouches for the rest is of another.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func partsOfAnotherSetAreNotGoneOnWith() throws {
    try Files.makeDirectory(directory.file("b"))
    for (place, seed) in [("b/", UInt64(2)), ("", 1)] {
      try write("\(place)f", 400_000, seed: seed)
      let split = try Tool.cleave.run(
        ["split", "-q", "-b", "100000", "f"],
        workingDirectory: place.isEmpty ? directory.path : directory.file("b")
      )
      #expect(split.exitCode == 0, "\(split)")
    }
    try FileSystem.unlink(directory.file("f"))
    let line = "merge -q --consume --checkpoint=50000"
    try kill("\(line) f.001", "rename@f.002.cleave-rest#1=kill")
    for name in ["f.003", "f.004", "f.sfv"] as [FilePath] {
      try Files.write(Files.read(directory.file("b").appending(name)), to: directory.file(name))
    }
    try expect(65, "\(line) f.001")
    let before = try Contents(of: directory.path)
    try expect(75, "\(line) --manifest=none f.001")
    let changes = try Contents(of: directory.path).changes(since: before)
    #expect(changes.allSatisfy { "\($0)".contains(".cleave-journal") }, "\(changes)")
  }
}
