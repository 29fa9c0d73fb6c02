import Posix
import TestSupport
import Testing

/// Objects of a store that are made: of parts that are in it, of files, and of streams.
@Suite(.enabled(if: RemoteServer.isAvailable, "needs python3 and libcurl"))
struct StoreTests {
  private let server: RemoteServer
  private let here: TemporaryDirectory
  /// Four parts of 6 MiB, the last one shorter: what a store copies has 5 MiB and more.
  private let whole = Bytes.pattern(count: 20_000_000)

  init() throws {
    (server, here) = (try RemoteServer(), try TemporaryDirectory())
    try Files.write(whole, to: here.file("film"))
  }

  @discardableResult
  private func run(_ words: [any ToolArgument]) throws -> Outcome {
    try server.cleave(words, in: here.path)
  }

  private func object(_ bucket: String, _ name: String) -> FilePath {
    FilePath("s3://\(bucket)/dir/\(name)")
  }

  private func file(_ bucket: String, _ name: String) -> FilePath {
    server.directory.file(FilePath(bucket)).appending(FilePath("dir\u{1}\(name)"))
  }

  /// The names of a bucket's directory.
  private func names(_ bucket: String) throws -> [String] {
    let names = try FileSystem.names(in: server.directory.file(FilePath(bucket)))
    return names.map { String(decoding: $0.bytes.dropFirst("dir/".utf8.count), as: UTF8.self) }
      .sorted()
  }

  /// Four parts of the film and their sums.
  private func putParts(_ bucket: String, _ options: [String] = []) throws {
    try Files.makeDirectory(server.directory.file(FilePath(bucket)))
    try run(["split", "-q", "-b", "6M"] + options + ["film"])
    for name in try here.names() where name != "film" {
      try Files.copy(here.file(name), to: file(bucket, "\(name)"))
      try FileSystem.unlink(here.file(name))
    }
  }

  private func unfinished(_ bucket: String) throws -> String {
    let outcome = try run(["clean", "-fn", object(bucket, "").directory])
    return outcome.outputText
  }

  @Test(arguments: ["plain", "nocond", "inside", "lost", "busy"])
  func partsAreMergedInTheStore(bucket: String) throws {
    try putParts(bucket)
    let words: [any ToolArgument] = [
      "merge", "-v", object(bucket, "film.001"), "-o", object(bucket, "film"),
    ]
    let outcome = try run(words)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.hasSuffix("film.sfv, proved by the store\n"), "\(outcome)")
    #expect(
      outcome.errorText.contains("sent 0 of \(whole.count) bytes to the store; "),
      "\(outcome)"
    )
    #expect(try Files.read(file(bucket, "film")) == whole)
    #expect(try unfinished(bucket) == "")
    // No byte of them has come here.
    let log = try server.log()
    let read = log.filter { $0.hasPrefix("GET") && $0.contains("/film.00") }
    #expect(read.allSatisfy { $0.hasSuffix("bytes=0-131071") }, "\(log)")
  }

  @Test func whatIsCopiedWrongIsNotMade() throws {
    try putParts("flip")
    let outcome = try run(["merge", object("flip", "film.001"), "-o", object("flip", "film")])
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("film.001 has CRC-32"), "\(outcome)")
    #expect(try !names("flip").contains("film"))
    #expect(try unfinished("flip") == "")
  }

  /// It sums only what is complete.
  @Test func whatIsCopiedWrongIsSeenByTheSumOfTheWhole() throws {
    try putParts("silent-flip")
    let words: [any ToolArgument] = [
      "merge", object("silent-flip", "film.001"), "-o", object("silent-flip", "film"),
    ]
    let outcome = try run(words)
    #expect(outcome.exitCode == 74, "\(outcome)")
    #expect(outcome.errorText.contains("the store's sum of it is another"), "\(outcome)")
    #expect(try !names("silent-flip").contains("film"))
    #expect(try unfinished("silent-flip") == "")
  }

  /// What is wrong with a store, what is said of it, and the exit code.
  static let faults: [(bucket: String, text: String, code: CInt)] = [
    ("broken", "the server answers 200 (InternalError)", 74),
    ("nocopy", "the server answers 200", 74),
    ("full", "the server answers 403 (QuotaExceeded)", 77),
    ("endless", "the store's list does not say how it goes on", 74),
    ("cutlist", "the store's list is not whole", 74),
    ("odd", "the store's list is not understood", 74),
    ("unclosed", "the store's list is not understood", 74),
    ("cdata", "the store's list is not understood", 74),
  ]

  @Test(arguments: faults)
  func aFaultLeavesNothing(fault: (bucket: String, text: String, code: CInt)) throws {
    try putParts(fault.bucket)
    // Of a list that goes on, a part more.
    let source = fault.bucket == "full" ? "film" : object(fault.bucket, "film.001").description
    let outcome = try run([
      "merge", "--as-given", source, "-o", object(fault.bucket, "whole"),
    ])
    if ["endless", "cutlist", "odd", "unclosed", "cdata"].contains(fault.bucket) {
      let outcome = try run(["info", object(fault.bucket, "film.001")])
      #expect(outcome.exitCode == fault.code, "\(outcome)")
      #expect(outcome.errorText.contains(fault.text), "\(outcome)")
      return
    }
    #expect(outcome.exitCode == fault.code, "\(outcome)")
    #expect(outcome.errorText.contains(fault.text), "\(outcome)")
    #expect(try !names(fault.bucket).contains("whole"))
    #expect(try unfinished(fault.bucket) == "")
  }

  @Test func aStoreWithoutSumsProvesNothing() throws {
    try putParts("nosums")
    let merge: [any ToolArgument] = ["merge", object("nosums", "film.001"), "-o"]
    let outcome = try run(merge + [object("nosums", "a")])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.contains("tells no sums of what it has copied"), "\(outcome)")
    #expect(!outcome.outputText.contains("as in"), "\(outcome)")
    let read = try run(merge + [object("nosums", "b"), "--verify=readback"])
    #expect(read.exitCode == 0, "\(read)")
    #expect(read.outputText.hasSuffix(", as in \(object("nosums", "film.sfv"))\n"), "\(read)")
    // What is read and wrong goes again.
    try Files.write([0] + whole[1..<(6 << 20)], to: file("nosums", "film.001"))
    let wrong = try run(merge + [object("nosums", "c"), "--verify=readback"])
    #expect(wrong.exitCode == 65, "\(wrong)")
    #expect(try !names("nosums").contains("c"))
    // What is there is not given up for it.
    try Files.write([1], to: file("nosums", "d"))
    let kept = try run(merge + [object("nosums", "d"), "-f", "--verify=readback"])
    #expect(kept.exitCode == 65, "\(kept)")
    #expect(try Files.read(file("nosums", "d")) == [1])
    // So it is where somebody wants to know, or something would be lost.
    for words in [["-f"], ["--strict"], ["--verify=stream"]] {
      let target = words == ["-f"] ? "d" : "e"
      let asked = try run(merge + [object("nosums", target)] + words)
      #expect(asked.exitCode == 65, "\(asked)")
      #expect(try Files.read(file("nosums", "d")) == [1])
      #expect(try !names("nosums").contains("e"))
    }
    let unread = try run(merge + [object("nosums", "g")])
    #expect(
      unread.outputText.contains("not compared with \(object("nosums", "film.sfv"))"),
      "\(unread)"
    )
    try Files.write(Array(whole[..<(6 << 20)]), to: file("nosums", "film.001"))
    let replaced = try run(merge + [object("nosums", "d"), "-f", "--verify=readback"])
    #expect(replaced.exitCode == 0, "\(replaced)")
    #expect(try Files.read(file("nosums", "d")) == whole)
  }

  /// The sums of the parts tell nothing of what the store has made of them.
  @Test(arguments: [["-f"], ["-f", "--strict"], ["-f", "--verify=stream"]])
  func whatReplacesAnObjectIsReadBack(options: [String]) throws {
    try putParts("nosums-flip")
    try Files.write([1], to: file("nosums-flip", "film"))
    let (part, film) = (object("nosums-flip", "film.001"), object("nosums-flip", "film"))
    let outcome = try run(["merge", part, "-o", film] + options)
    #expect(outcome.exitCode == 65, "\(outcome)")
    let text = "what the store gives back is not what it was given; it is removed again"
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(try !names("nosums-flip").contains("film"))
  }

  @Test func whatCannotBeGivenUpIsTold() throws {
    try putParts("keeps")
    let film = object("keeps", "film")
    let outcome = try run(["merge", object("keeps", "film.001"), "-o", film])
    #expect(outcome.exitCode == 74, "\(outcome)")
    let text = "; the store still has what was sent: 'cleave clean \(film)' tells more"
    #expect(outcome.errorText.contains(text), "\(outcome)")
    let told = try run(["clean", film])
    #expect(told.exitCode == 75 && told.errorText.contains("\(film): was begun"), "\(told)")
    #expect(try run(["clean", object("keeps", "fil")]).exitCode == 0)
  }

  @Test func anUploadThatAnotherRunHasGivenUpIsTold() throws {
    try putParts("gone")
    let outcome = try run(["merge", object("gone", "film.001"), "-o", object("gone", "film")])
    #expect(outcome.exitCode == 75, "\(outcome)")
    let text = "cleave: \(object("gone", "film")): was given up by another run\n"
    #expect(outcome.errorText.contains(text), "\(outcome)")
  }

  @Test func aNameThatNobodyGivesAfterAllIsAskedForAgain() throws {
    try Files.makeDirectory(server.directory.file("conflict"))
    let outcome = try run(["split", "-b", "6M", "film", object("conflict", "film.")])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try names("conflict").count == 5)
  }

  @Test(arguments: ["s3://plain//film.", "s3://plain/a//film.", "s3://plain/a/../film."])
  func keysThatStoresTakeForOthersAreNotMade(prefix: String) throws {
    try Files.makeDirectory(server.directory.file("plain"))
    for words in [
      ["split", "-b", "6M", "film", prefix], ["merge", "--as-given", "film", "film", "-o", prefix],
    ] {
      let outcome = try run(words)
      #expect(outcome.exitCode == 64, "\(outcome)")
      #expect(outcome.errorText.contains(": has an empty name, . or .. in its key"), "\(outcome)")
    }
  }

  /// Objects of no bytes are made in one piece.
  @Test func anEmptyOneIsProvedOnlyByAStoreThatSums() throws {
    for (bucket, isProved) in [("plain", true), ("nosums", false)] {
      try Files.makeDirectory(server.directory.file(FilePath(bucket)))
      try Files.write([], to: here.file("none"))
      try run(["split", "-q", "-b", "1M", "none", object(bucket, "none.")])
      let outcome = try run(["merge", object(bucket, "none.001"), "-o", object(bucket, "out")])
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.outputText.contains("proved by the store") == isProved, "\(outcome)")
      #expect(try names(bucket).contains("out"))
    }
  }

  @Test func whatTheStoreDoesNotKeepIsNotMade() throws {
    try Files.makeDirectory(server.directory.file("forgets"))
    let outcome = try run(["split", "-b", "6M", "film", object("forgets", "film.")])
    #expect(outcome.exitCode == 74, "\(outcome)")
    #expect(outcome.errorText.contains("does not have what it tells it has made"), "\(outcome)")
  }

  @Test func otherSumsThanCRCAreComparedWhereTheyAreRead() throws {
    try putParts("plain", ["--checksum=sha256"])
    let merge: [any ToolArgument] = ["merge", object("plain", "film.001"), "-o"]
    let sizes = try run(merge + [object("plain", "a")])
    #expect(sizes.exitCode == 0, "\(sizes)")
    #expect(sizes.errorText.contains("--verify=readback reads the parts, too"), "\(sizes)")
    #expect(!sizes.outputText.contains("proved by the store"), "\(sizes)")
    let read = try run(merge + [object("plain", "b"), "--verify=readback"])
    #expect(read.exitCode == 0, "\(read)")
    #expect(read.outputText.contains("as in \(object("plain", "film.sha256"))"), "\(read)")
    // Nothing is given up for what a list contradicts, and a list that is asked for is compared with.
    try Files.write([0] + whole[1..<(6 << 20)], to: file("plain", "film.001"))
    let list = "--manifest=\(object("plain", "film.sha256"))"
    for (target, words) in [("b", ["-f"]), ("c", [list]), ("c", ["--strict"])] {
      let wrong = try run(merge + [object("plain", target)] + words)
      #expect(wrong.exitCode == 65, "\(wrong)")
    }
    #expect(try Files.read(file("plain", "b")) == whole)
    #expect(try !names("plain").contains("c"))
  }

  @Test(arguments: ["plain", "nocond", "lost", "busy", "nosums"])
  func aFileIsSplitToTheStore(bucket: String) throws {
    try Files.makeDirectory(server.directory.file(FilePath(bucket)))
    let words: [any ToolArgument] = ["split", "-b", "7M", "film", object(bucket, "film")]
    let outcome = try run(words)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try names(bucket) == ["film.001", "film.002", "film.003", "film.sfv"])
    #expect(try run(["merge", "-o", "back", object(bucket, "film.001")]).exitCode == 0)
    #expect(try Files.read(here.file("back")) == whole)
    #expect(try unfinished(bucket) == "")
    // The manifest is the last that is made.
    let log = try server.log().filter { $0.hasPrefix("P") }
    #expect(log.last?.contains("film.sfv") == true, "\(log)")
    let again = try run(words)
    #expect(again.exitCode == 73, "\(again)")
    #expect(again.errorText.contains("film.001: exists; --force replaces it"), "\(again)")
    #expect(try run(words + ["--force"]).exitCode == 0)
    #expect(try run(words + ["--resume"]).exitCode == 0)
  }

  @Test(arguments: [
    ["-b", "7M"], ["-C", "8M"], ["-b", "4M,rest"], ["--checksum=sha256", "-b", "9M"],
  ])
  func aStreamIsSplitToTheStore(options: [String]) throws {
    try Files.makeDirectory(server.directory.file("plain"))
    let split = try Tool.cleave.run(
      ["split"] + options + ["-", object("plain", "film")],
      input: .file(here.file("film")),
      environment: server.environment,
      workingDirectory: here.path
    )
    #expect(split.exitCode == 0, "\(split)")
    let merged = try run(["merge", "-o", "back", object("plain", "film.001")])
    #expect(merged.exitCode == 0 && merged.outputText.contains("as in"), "\(merged)")
    #expect(try Files.read(here.file("back")) == whole)
    #expect(try unfinished("plain") == "")
  }

  @Test func aMergeThatIsThereAlreadyLeavesNothingBegun() throws {
    try putParts("plain")
    let words: [any ToolArgument] = [
      "merge", "--resume", object("plain", "film.001"), "-o", object("plain", "film"),
    ]
    for _ in 1...2 {
      let outcome = try run(words)
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try unfinished("plain") == "")
    }
  }

  private func splitStream(to bucket: String, _ options: [String]) throws -> Outcome {
    try Files.makeDirectory(server.directory.file(FilePath(bucket)))
    return try Tool.cleave.run(
      ["split", "-b7M"] + options + ["-", object(bucket, "film")],
      input: .file(here.file("film")),
      environment: server.environment,
      workingDirectory: here.path
    )
  }

  @Test(arguments: ["-", "film"]) func whatAStoreKeepsWrongIsRemovedAgain(source: String) throws {
    let bucket = "nosums-rot"
    let options = ["--verify=readback"]
    let outcome: Outcome
    if source == "-" {
      outcome = try splitStream(to: bucket, options)
    } else {
      try Files.makeDirectory(server.directory.file(FilePath(bucket)))
      outcome = try run(["split", "-b7M"] + options + [source, object(bucket, "film")])
    }
    #expect(outcome.exitCode == 65, "\(outcome)")
    let text = "film.003: what the store gives back is not what it was given; it is removed again"
    #expect(outcome.errorText.contains(text), "\(outcome)")
    // What is right stays, and no list tells that all is.
    #expect(try names(bucket) == ["film.001", "film.002"])
  }

  @Test(arguments: [[], ["--verify=readback"]])
  func anObjectOfAnotherSizeIsNotTakenForRight(options: [String]) throws {
    try putParts("nosums-long")
    let words: [any ToolArgument] = ["merge", object("nosums-long", "film.001"), "-o"]
    let outcome = try run(words + [object("nosums-long", "film")] + options)
    #expect(outcome.exitCode == 74, "\(outcome)")
    let text = "has 20000001 bytes in the store, not 20000000; it is removed again"
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(try !names("nosums-long").contains("film"))
  }

  /// Another run has been faster, and the answer to this one's first try was lost.
  @Test func anObjectOfAnotherRunIsNotTakenForOnesOwn() throws {
    try putParts("nosums-raced")
    let outcome = try run([
      "merge", "--verify=readback", object("nosums-raced", "film.001"), "-o",
      object("nosums-raced", "film"),
    ])
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(
      try Files.read(file("nosums-raced", "film")) == [UInt8](repeating: 0, count: whole.count)
    )
  }

  @Test func rightPartsAreLeftWhenASplitGoesOn() throws {
    try Files.makeDirectory(server.directory.file("plain"))
    let words: [any ToolArgument] = [
      "split", "-b", "7M", "--resume", "film", object("plain", "film"),
    ]
    #expect(try run(words).exitCode == 0)
    try FileSystem.unlink(file("plain", "film.002"))
    try FileSystem.unlink(file("plain", "film.sfv"))
    let count = try server.log().count
    let resumed = try run(words + ["-v"])
    #expect(resumed.errorText.contains("sent \(7 << 20) of \(whole.count) bytes to"), "\(resumed)")
    #expect(resumed.exitCode == 0)
    let sent = try server.log().dropFirst(count).filter { $0.contains("partNumber") }
    #expect(sent.count == 2 && sent.allSatisfy { $0.contains("film.002") }, "\(sent)")
    #expect(try names("plain") == ["film.001", "film.002", "film.003", "film.sfv"])
    // Another file is in the way.
    try Files.write(Bytes.pattern(count: 7 << 20), to: file("plain", "film.002"))
    let other = try run(words)
    #expect(other.exitCode == 73, "\(other)")
    #expect(
      other.errorText.contains("film.002: exists, and is not what this would make"),
      "\(other)"
    )
  }

  /// Each is looked at again before the list is made.
  @Test(arguments: ["loses", "swaps", "nosums-swaps"])
  func aRightPartThatChangesMeanwhileEndsASplit(bucket: String) throws {
    try Files.makeDirectory(server.directory.file(FilePath(bucket)))
    try Files.write(Array(whole[..<(7 << 20)]), to: file(bucket, "film.001"))
    let outcome = try run(["split", "-b", "7M", "--resume", "film", object(bucket, "film")])
    #expect(outcome.exitCode == 75, "\(outcome)")
    let text = "film.001: was right when this run began, and was changed by another program since"
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(try !names(bucket).contains("film.sfv"))
    #expect(try unfinished(bucket) == "")
  }

  @Test func aNameThatAStoreListsTwiceIsOneFile() throws {
    try putParts("twice")
    let part = object("twice", "film.001")
    let outcome = try run(["merge", "--no-sync", "-o", "back", part])
    #expect(outcome.exitCode == 0 && outcome.outputText.contains(", as in "), "\(outcome)")
    #expect(try Files.read(here.file("back")) == whole)
    #expect(try run(["cat", part]).standardOutput == whole)
  }

  @Test func anotherListIsNotReplacedWhenASplitGoesOn() throws {
    try Files.makeDirectory(server.directory.file("plain"))
    try Files.write(Array("other 12345678\n".utf8), to: file("plain", "film.sfv"))
    let words: [any ToolArgument] = [
      "split", "-b", "7M", "--resume", "film", object("plain", "film"),
    ]
    let outcome = try run(words)
    #expect(outcome.exitCode == 73, "\(outcome)")
    let text = "film.sfv: exists, and is not what this would make; --force replaces it"
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(try names("plain") == ["film.sfv"])
    #expect(try Files.read(file("plain", "film.sfv")) == Array("other 12345678\n".utf8))
    #expect(try run(words + ["--force"]).exitCode == 0)
  }

  @Test func smallPartsAndHeadersAreSentAndTheRestIsCopied() throws {
    try Files.makeDirectory(server.directory.file("plain"))
    try Files.write(Bytes.pattern(count: 12_000_000), to: here.file("data"))
    let python = try #require(RemoteServer.python)
    let zip = try python.run(
      ["-m", "zipfile", "-c", "a.zip", "data", "film"],
      workingDirectory: here.path
    )
    #expect(zip.exitCode == 0, "\(zip)")
    try run(["split", "-q", "--format=zip", "-b", "11M", "a.zip", "s"])
    for name in try here.names() where "\(name)".hasPrefix("s.") {
      try Files.copy(here.file(name), to: file("plain", "\(name)"))
    }
    let outcome = try run(["merge", object("plain", "s.z01"), "-o", object("plain", "all.zip")])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(file("plain", "all.zip")) == Files.read(here.file("a.zip")))
    #expect(try server.log().contains { $0.contains("partNumber=2") })
  }

  @Test func whatOnlyFilesHaveIsRefused() throws {
    try putParts("plain")
    let part = object("plain", "film.001")
    let rows: [([any ToolArgument], String)] = [
      (["merge", part, "--engine=direct"], "an engine is for files"),
      (["merge", part, "--times"], "--times is for files"),
      (["merge", part, "--share=1/2"], "--share is for files"),
      (["merge", part, "--clone=always"], "--clone=always is for files"),
      (["merge", "--as-given", "film", "--consume"], "--consume is for files"),
    ]
    for (words, text) in rows {
      let outcome = try run(words + ["-o", object("plain", "x")])
      #expect(outcome.exitCode == 64, "\(outcome)")
      #expect(outcome.errorText.contains(text), "\(outcome)")
    }
    let filter = try run(["split", "-b9M", "--filter=cat", "film", object("plain", "x")])
    #expect(filter.exitCode == 64, "\(filter)")
    let mixed = try run(["split", "-b9M", "--manifest=x.sfv", "film", object("plain", "x")])
    #expect(
      mixed.exitCode == 64 && mixed.errorText.contains("is a file of this machine"),
      "\(mixed)"
    )
    let web = try run(["merge", part, "-o", "http://127.0.0.1:1/x"])
    #expect(web.exitCode == 73 && web.errorText.contains("is an address of the web"), "\(web)")
    let itself = try run(["merge", "--as-given", "-f", part, "-o", part])
    #expect(itself.exitCode == 73 && itself.errorText.contains("is one of the inputs"), "\(itself)")
  }

  @Test func whatWasBegunIsTold() throws {
    try Files.makeDirectory(server.directory.file("halts"))
    let words: [any ToolArgument] = ["split", "-b7M", "film", object("halts", "film")]
    let killed = try Tool.cleave.start(
      words,
      environment: server.environment,
      workingDirectory: here.path
    )
    while try !server.log().contains(where: { $0.contains("partNumber") }) {}
    killed.send(.kill)
    _ = try killed.wait()
    let directory = object("halts", "").directory
    let told = try run(["clean", directory])
    #expect(told.exitCode == 75, "\(told)")
    #expect(told.errorText.contains("was begun, and is not complete"), "\(told)")
    let forced = try run(["clean", "-f", directory])
    #expect(forced.exitCode == 0 && forced.outputText.contains("removed"), "\(forced)")
    #expect(try run(["clean", directory]).exitCode == 0)
  }
}
