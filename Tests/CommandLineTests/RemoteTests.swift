import Posix
import TestSupport
import Testing

/// Parts that another machine has.
@Suite(.enabled(if: RemoteServer.isAvailable, "needs python3 and libcurl"))
struct RemoteTests {
  private let server: RemoteServer
  private let here: TemporaryDirectory
  private let whole = Bytes.pattern(count: 750_000)

  init() throws {
    (server, here) = (try RemoteServer(), try TemporaryDirectory())
  }

  /// Eight parts and their sums, in the directory that is served, or in a bucket.
  private func putParts(of film: FilePath = "film", in bucket: Bool = false) throws {
    try Files.write(whole, to: here.file(film))
    try run(["split", "-b", "100000", film])
    try FileSystem.unlink(here.file(film))
    let target = bucket ? server.directory.file("bucket") : server.directory.path
    if bucket { try Files.makeDirectory(target) }
    for name in try here.names() {
      let key: FilePath = bucket ? FilePath(bytes: Array("dir\u{1}".utf8) + name.bytes) : name
      try Files.copy(here.file(name), to: target.appending(key))
      try FileSystem.unlink(here.file(name))
    }
  }

  @discardableResult
  private func run(_ words: [any ToolArgument]) throws -> Outcome {
    try server.cleave(words, in: here.path)
  }

  private func address(_ manner: String, _ name: String) -> FilePath {
    server.address(manner, manner == "s3" ? "bucket/dir/\(name)" : name)
  }

  @Test(arguments: [
    "ranges", "index", "whole", "nohead", "headless", "redirect", "busy-2", "reset-70000", "s3",
    "half",
    "untold", "nothing", "later-0.1", "nodate", "headtag", "gettag", "plus",
  ])
  func aMergeIsAsOfFilesHere(manner: String) throws {
    try putParts(in: manner == "s3")
    let outcome = try run(["merge", "--no-sync", address(manner, "film.003")])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let proof = ", as in \(address(manner, "film.sfv"))\n"
    #expect(outcome.outputText.hasSuffix(proof), "\(outcome)")
    #expect(try Files.read(here.file("film")) == whole)
    #expect(try here.names() == ["film"])
  }

  /// What tells a file from another is nowhere.
  @Test func whatMayChangeUnseenIsToldOf() throws {
    try putParts()
    let part = address("nodate", "film.001")
    for words in [["split", "-b", "1M", part, "x."], ["cat", "--as-given", part]]
      as [[any ToolArgument]]
    {
      let outcome = try run(words)
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(
        outcome.errorText.contains("a change while it is read would not be seen"),
        "\(outcome)"
      )
    }
  }

  /// Pages may show some names alone, and servers may have something for any name.
  @Test func whatServersShowIsNotAllThereIs() throws {
    try putParts()
    try FileSystem.unlink(server.directory.file("film.sfv"))
    for operand in [address("paged", "film.001"), address("paged", "")] {
      let paged = try run(["merge", "--no-sync", "-f", operand])
      #expect(paged.exitCode == 0, "\(paged)")
      #expect(try Files.read(here.file("film")) == whole)
    }
    try FileSystem.unlink(here.file("film"))
    let parts = (1...8).map { address("any", "film.00\($0)") }
    for words in [[parts[0]], parts] {
      let any = try run(["merge", "--no-sync", "-o", "film"] + words)
      #expect(any.exitCode == 66, "\(any)")
      #expect(any.errorText.contains("the server has an answer for any name"), "\(any)")
    }
    let given = try run(["merge", "--no-sync", "--as-given", "-o", "film"] + parts)
    #expect(given.exitCode == 0, "\(given)")
    #expect(try Files.read(here.file("film")) == whole)
    let tagless = try run(["merge", "--no-sync", "-fo", "film", address("tagless", "film.001")])
    #expect(tagless.exitCode == 75, "\(tagless)")
  }

  private func put(_ names: [String]) throws -> [UInt8] {
    let size = (whole.count + names.count - 1) / names.count
    for (index, name) in names.enumerated() {
      let bytes = whole.dropFirst(index * size).prefix(size)
      try Files.write(Array(bytes), to: server.directory.file(FilePath(name)))
    }
    return whole
  }

  private static func letters(_ front: String, _ count: Int) -> [String] {
    let alphabet = "abcdefghijklmnopqrstuvwxyz"
    let all = alphabet.flatMap { first in alphabet.map { second in "\(front)\(first)\(second)" } }
    return Array(all.prefix(count))
  }

  private static func numbers(
    _ front: String,
    _ range: Range<Int>,
    _ width: Int,
    _ radix: Int = 10
  ) -> [String] {
    range.map { number -> String in
      let digits = String(number, radix: radix)
      return front + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
  }

  /// The names of all parts, and the one that is given.
  static let series: [(names: [String], given: Int)] = [
    (names: letters("film.", 7), given: 0), (names: letters("film.", 10), given: 0),
    (names: letters("film.", 30), given: 0), (names: letters("film.", 30), given: 29),
    (names: letters("x", 10), given: 1), (names: numbers("film.", 0..<12, 2, 16), given: 0),
    (names: numbers("film.", 0..<12, 2, 16), given: 11),
    (names: numbers("film.", 1..<13, 1), given: 11), (names: numbers("film.", 1..<13, 1), given: 0),
    (names: numbers("film.", 0..<90, 2) + ["film.9000", "film.9001"], given: 0),
    (names: numbers("film", 0..<5, 2), given: 0),
  ]

  /// Neither a server without a page of the directory, nor one that shows only the first parts.
  @Test(arguments: series)
  func noPartIsLeftOutWhereANameMayBeReadInSeveralWays(row: (names: [String], given: Int)) throws {
    let whole = try put(row.names)
    for manner in ["ranges", "paged"] where manner == "ranges" || row.given < 2 {
      let part = address(manner, row.names[row.given])
      let outcome = try run(["merge", "--no-sync", "-f", "-o", "out", part])
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try Files.read(here.file("out")) == whole, "\(manner)")
    }
  }

  @Test func aPartThatAPageDoesNotShowMayBeForbidden() throws {
    try putParts()
    try FileSystem.unlink(server.directory.file("film.sfv"))
    for name in ["film.001", ""] {
      let outcome = try run(["merge", address("walled", name)])
      #expect(outcome.exitCode == 77, "\(outcome)")
      #expect(outcome.errorText.contains("film.003: the server answers 403"), "\(outcome)")
    }
    #expect(try here.names() == [])
  }

  /// Their pages may show only some names.
  @Test(arguments: ["bare-404", "bare-403"])
  func aDirectoryMayBeThatOfAServerWithoutHEAD(manner: String) throws {
    try putParts()
    try FileSystem.unlink(server.directory.file("film.sfv"))
    for name in ["", "film.001"] {
      let outcome = try run(["merge", "--no-sync", "-f", address(manner, name)])
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try Files.read(here.file("film")) == whole)
    }
  }

  /// A query is of one file, whatever slashes are in it.
  @Test(arguments: ["?sig=x", "?file=/dir/film.001", "?s=abc/"])
  func nothingIsLookedForBesideAQuery(query: String) throws {
    try putParts()
    let first = address("presigned", "film.001\(query)")
    for command in [["merge", "-o", "out"], ["cat"]] {
      let alone = try run(command + [first])
      #expect(alone.exitCode == 66, "\(alone)")
      #expect(alone.standardOutput == [], "\(alone)")
    }
    let all = (1...8).map { address("presigned", "film.00\($0)\(query)") }
    let outcome = try run(["merge", "--no-sync", "-o", "out"] + all)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(here.file("out")) == whole)
    let log = try server.log()
    #expect(log.allSatisfy { $0.contains("?") || $0.hasSuffix("/log") }, "\(log)")
  }

  /// There are servers to which `+` is a space.
  @Test func escapesAreAskedForAsTheyAreTyped() throws {
    try putParts(of: "a+b")
    for (typed, code) in [("a%2Bb.001", 0), ("a+b.001", 66)] as [(String, CInt)] {
      let outcome = try run(["merge", "--no-sync", address("plus", typed)])
      #expect(outcome.exitCode == code, "\(outcome)")
    }
    #expect(try Files.read(here.file("a+b")) == whole)
    let list = address("plus", "a%2Bb.sfv")
    let named = try run(["merge", "-fq", "--manifest=\(list)", address("plus", "a%2Bb.001")])
    #expect(named.exitCode == 0, "\(named)")
  }

  @Test func theListOfAnOptionHasEscapesLikeAnOperand() throws {
    try putParts(of: "a b")
    let list = address("ranges", "a%20b.sfv")
    let outcome = try run([
      "merge", "--no-sync", "--manifest=\(list)", address("ranges", "a%20b.001"),
    ])
    #expect(outcome.exitCode == 0, "\(outcome)")
  }

  @Test func aProfileThatIsNotThereIsRefused() throws {
    let outcome = try Tool.cleave.run(
      ["cat", "s3://bucket/film.001"],
      environment: server.environment.merging(["AWS_PROFILE": "defualt"]) { $1 }
    )
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.contains("AWS_PROFILE=defualt: the files of"), "\(outcome)")
  }

  /// What a server calls its files is no name for hidden ones here, nor for what unfinished jobs leave.
  @Test func aServerNamesNoHiddenFiles() throws {
    for part in [".profile.001", ".profile.002"] as [FilePath] {
      try Files.write(whole, to: server.directory.file(part))
    }
    let hidden = try run(["merge", "--no-sync", address("index", "")])
    #expect(hidden.exitCode == 64, "\(hidden)")
    #expect(hidden.errorText.contains("is a hidden name that a server gives"), "\(hidden)")
    for part in ["-.001", "-.002"] as [FilePath] {
      try Files.write(whole, to: server.directory.file(part))
    }
    let dash = try run(["merge", "--no-sync", address("index", "-.001")])
    #expect(dash.exitCode == 64 && dash.standardOutput == [], "\(dash)")
    #expect(dash.errorText.contains("is called like standard output"), "\(dash)")
    for part in ["-.001", "-.002"] as [FilePath] {
      try FileSystem.unlink(server.directory.file(part))
    }
    for name in [".o.cleave-tmp-0123abcd", ".o.cleave-journal", ".o.cleave-share-1-2-0123abcd"] {
      let own = try run(["merge", "--no-sync", "-o", name, address("index", "")])
      #expect(own.exitCode == 73, "\(own)")
      #expect(own.errorText.contains("has the form of names that unfinished jobs"), "\(own)")
    }
    #expect(try here.names() == [])
  }

  /// Some servers forbid what is not there, and lists.
  @Test(arguments: ["hides", "signed", "s3"])
  func whatIsNotThereMayBeForbidden(manner: String) throws {
    try putParts(in: manner == "s3")
    if manner == "s3" {
      let bucket = server.directory.file("bucket")
      let hidden = server.directory.file("nolist")
      try Files.makeDirectory(hidden)
      for name in try FileSystem.names(in: bucket) {
        try Files.copy(bucket.appending(name), to: hidden.appending(name))
      }
    }
    let part: FilePath = manner == "s3" ? "s3://nolist/dir/film.003" : address(manner, "film.003")
    let outcome = try run(["merge", "--no-sync", part])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.contains(", as in "), "\(outcome)")
    #expect(try Files.read(here.file("film")) == whole)
  }

  @Test func aForbiddenPartIsNoEndWhereWhatIsMissingIsTold() throws {
    try putParts()
    let part = server.directory.file("film.005")
    try FileSystem.unlink(part)
    try Files.makeDirectory(part)
    let outcome = try run(["merge", "--no-sync", address("ranges", "film.003")])
    #expect(outcome.exitCode == 77, "\(outcome)")
    #expect(outcome.errorText.contains("film.005: the server answers 403"), "\(outcome)")
  }

  @Test func aQueryIsNeitherToldNorKept() throws {
    try putParts()
    let part = address("ranges", "film.001?sig=SECRET")
    for command in [["info"], ["verify"], ["merge"], ["cat"], ["split", "-b", "50000"]] {
      for form in [[], ["--json"]] {
        let outcome = try run(command + form + [part])
        #expect(!outcome.outputText.contains("SECRET"), "\(outcome)")
        #expect(!outcome.errorText.contains("SECRET"), "\(outcome)")
      }
    }
    for name in try here.names() {
      #expect(!name.description.contains("SECRET"))
      #expect(try !Files.read(here.file(name)).contains("SECRET".utf8), "\(name)")
    }
    let words = ["merge", "--resume", "-o", "out", "--as-given"]
    let outcome = try run(words + [part, address("ranges", "film.002")])
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(
      outcome.errorText.contains("film.001?…: has a query, which may be secret"),
      "\(outcome)"
    )
    #expect(try !here.names().contains("out"))
  }

  /// What a server does, what is said of it, and the exit code.
  static let faults: [(manner: String, text: String, code: CInt)] = [
    ("error-403", "the server answers 403", 77), ("error-500", "the server answers 500", 74),
    ("escapes", "the server answers 403\n", 77), ("error-404", "does not exist", 66),
    ("busy-9", "the server answers 503", 74),
    ("short", "/short/film.", 74), ("stall", "nothing came for 1 seconds", 74),
    ("drips", "nothing came for 1 seconds", 74),
    ("moved", "was changed while it was being read", 75),
    ("grown", "was changed while it was being read", 75),
    ("lying", "the server sends another range than was asked for", 74),
    ("swollen", "the server sends another range than was asked for", 74),
    ("poured", "the server sends another range than was asked for", 74),
    ("nosize", "the server does not tell its size", 74),
  ]

  @Test(arguments: faults)
  func aFaultLeavesNothing(fault: (manner: String, text: String, code: CInt)) throws {
    try putParts()
    if ["stall", "drips"].contains(fault.manner) { server.timeout = 1 }
    // Of what is read once by one command, and again by the next.
    if fault.manner == "moved" { try FileSystem.unlink(server.directory.file("film.sfv")) }
    let first = address(fault.manner, "film.001")
    for command in [["merge", "--manifest=none", "-o", "film"], ["merge", "-o", "-"], ["cat"]] {
      let outcome = try run(command + [first])
      #expect(outcome.exitCode == fault.code, "\(outcome)")
      #expect(outcome.errorText.contains(fault.text), "\(outcome)")
      #expect(try here.names() == [])
    }
  }

  @Test func noServerIsTold() throws {
    let refused = try run(["merge", "http://127.0.0.1:1/film.001"])
    #expect(refused.exitCode == 74, "\(refused)")
    let text = "cleave: http://127.0.0.1:1/film.001: Failed to connect to 127.0.0.1 port 1"
    #expect(refused.errorText.hasPrefix(text), "\(refused)")
    let unknown = try run(["merge", "http://host.invalid/film.001"])
    #expect(unknown.exitCode == 74, "\(unknown)")
    #expect(unknown.errorText.contains("host.invalid"), "\(unknown)")
    for word in ["word", "wo/rd"] {
      let secret = try run(["merge", "http://user:\(word)@127.0.0.1:1/film.001"])
      #expect(secret.exitCode == 64 && !secret.errorText.contains("rd@"), "\(secret)")
    }
    let user = try run(["merge", "http://user@127.0.0.1:1/film.001"])
    #expect(user.exitCode == 64 && user.errorText.contains("has a user or a password"), "\(user)")
    // Behind the port, it is a name's or a query's.
    let query = try run(["cat", "http://127.0.0.1:1?q=a@b"])
    #expect(query.exitCode == 74, "\(query)")
    let named = try run(["merge", "http://127.0.0.1:1/a@b/film.001"])
    #expect(named.exitCode == 74 && named.errorText.contains("/a@b/"), "\(named)")
  }

  @Test(arguments: [
    ("http:///film.001", "names no host"),
    ("http://h/film.001#x", "has a # in it, which is %23 in an address"),
    ("s3:///film.001", "names no bucket: an object is s3://BUCKET/KEY"),
    ("s3://", "names no bucket: an object is s3://BUCKET/KEY"),
    ("s3://b%/film.001", "names no bucket: an object is s3://BUCKET/KEY"),
    ("S3://b/film.001", "addresses begin with https://, http:// or s3://, not S3://"),
    ("gs://b/film.001", "addresses begin with https://, http:// or s3://, not gs://"),
  ])
  func anAddressThatIsNoneIsRefused(operand: String, why: String) throws {
    for command in [["info"], ["verify"], ["merge", "-o", "out"], ["split", "film.sfv"]] {
      let outcome = try run(command + [operand])
      #expect(outcome.exitCode == 64, "\(outcome)")
      let text = "cleave: \(operand): \(why) (see 'cleave \(command[0]) --help')\n"
      #expect(outcome.errorText == text, "\(outcome)")
    }
  }

  @Test func aDirectoryMayHaveTheNameOfAScheme() throws {
    try Files.makeDirectory(here.file("gs:"))
    let outcome = try run(["info", "gs://film.001"])
    #expect(outcome.errorText == "cleave: gs://film.001: does not exist\n", "\(outcome)")
  }

  @Test(arguments: [
    "CLEAVE_REMOTE_TRIES=0", "CLEAVE_REMOTE_TIMEOUT=soon", "CLEAVE_REMOTE_TRIES=-1",
  ])
  func aSettingThatIsNoNumberIsRefused(setting: String) throws {
    let words = setting.split(separator: "=").map(String.init)
    let outcome = try Tool.cleave.run(
      ["info", "http://127.0.0.1:1/film.001"],
      environment: server.environment.merging([words[0]: words[1]]) { $1 }
    )
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(
      outcome.errorText.hasPrefix("cleave: \(setting): is no number from 1 to "),
      "\(outcome)"
    )
  }

  @Test(arguments: ["ranges", "whole", "s3"])
  func otherCommandsSayWhatTheySayOfFilesHere(manner: String) throws {
    try putParts(in: manner == "s3")
    let (first, list) = (address(manner, "film.001"), address(manner, "film.sfv"))
    #expect(try run(["cat", first]).standardOutput == whole)
    #expect(try run(["merge", "-q", "-o", "-", first]).standardOutput == whole)
    for operand in [first, list] {
      let verified = try run(["verify", operand])
      #expect(verified.exitCode == 0, "\(verified)")
      let end = "\n8 right, 0 wrong, 0 missing, 0 not checked\n"
      #expect(verified.outputText.hasSuffix(end), "\(verified)")
    }
    let info = try run(["info", first])
    #expect(info.exitCode == 0 && info.outputText.contains("series of 8 parts"), "\(info)")
    let split = try run(["split", "-b", "60000", "--manifest=none", address(manner, "film.008")])
    #expect(split.exitCode == 0, "\(split)")
    #expect(try here.names() == ["film.008.001"])
  }

  @Test(arguments: ["ranges", "index", "s3"])
  func aPartThatIsMissingIsRefused(manner: String) throws {
    try putParts(in: manner == "s3")
    let name: FilePath = manner == "s3" ? "bucket/dir\u{1}film.004" : "film.004"
    try FileSystem.unlink(server.directory.file(name))
    let outcome = try run(["merge", address(manner, "film.001")])
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText.contains("film.004"), "\(outcome)")
    #expect(try here.names() == [])
    // It is seen without a list, too.
    let other = try run(["merge", "--manifest=none", address(manner, "film.001")])
    #expect(other.exitCode == 66, "\(other)")
    #expect(other.errorText.contains("film.004"), "\(other)")
  }

  @Test func aPageForEveryNameIsNoSeries() throws {
    try putParts()
    let outcome = try run(["merge", "-o", "film", address("page", "film.001")])
    #expect(outcome.exitCode != 0, "\(outcome)")
    #expect(try here.names() == [])
  }

  /// Nothing that the server has a page for is a list, or what an interrupted run has left.
  @Test func aPageForEveryDirectoryIsNone() throws {
    try putParts()
    try FileSystem.unlink(server.directory.file("film.sfv"))
    let part = address("slashes", "film.001")
    let outcome = try run(["merge", "--no-sync", "-o", "film", part])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(here.file("film")) == whole)
  }

  @Test func onlyFilesOfThisMachineAreMadeAndFreed() throws {
    try putParts()
    let part = address("ranges", "film.001")
    let freed = try run(["merge", "--consume", part])
    #expect(freed.exitCode == 64, "\(freed)")
    #expect(freed.errorText.contains("is another machine's; --consume frees files of this one"))
    for words in [
      ["merge", "-o", part, part], ["clean", part], ["split", "-b9", "/proc/version", part],
    ] {
      let outcome = try run(words)
      #expect(outcome.exitCode == 73 || outcome.exitCode == 64, "\(outcome)")
      #expect(outcome.errorText.contains("is an address"), "\(outcome)")
    }
    let waiting = try run(["merge", "--wait", part])
    #expect(waiting.exitCode == 64, "\(waiting)")
    #expect(waiting.errorText.contains("is another machine's"), "\(waiting)")
    for engine in ["serial", "zerocopy"] {
      let outcome = try run(["merge", "--engine=\(engine)", part])
      #expect(outcome.exitCode == 64, "\(outcome)")
      #expect(outcome.errorText.contains("reads files of other machines"), "\(outcome)")
    }
    #expect(try run(["merge", "--engine=multiqueue", "--no-sync", part]).exitCode == 0)
    #expect(try Files.read(here.file("film")) == whole)
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func anInterruptedMergeGoesOn() throws {
    try putParts()
    let words: [any ToolArgument] = [
      "merge", "--resume", "--checkpoint=130K", address("ranges", "film.002"),
    ]
    var environment = try FaultShim.environment("fsync@.cleave-journal#4=kill")
    environment.merge(server.environment) { $1 }
    let killed = try Tool.cleave.run(
      words,
      environment: environment,
      workingDirectory: here.path
    )
    #expect(killed.signal == .kill, "\(killed)")
    let outcome = try run(words)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText.contains("going on"), "\(outcome)")
    #expect(try Files.read(here.file("film")) == whole)
    #expect(try here.names() == ["film"])
  }

  @Test(arguments: ["--resume", "--share=1/2"], ["nodate", "weak"])
  func whatCannotBeKnownAgainIsNotGoneOnWith(option: String, mode: String) throws {
    try putParts()
    let outcome = try run(["merge", option, address(mode, "film.002")])
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.contains("has neither a strong ETag nor a date"), "\(outcome)")
    #expect(try here.names().isEmpty)
  }

  @Test func namesAreThoseOfFiles() throws {
    try putParts(of: "ein füm+1")
    let outcome = try run([
      "merge", "--no-sync", address("index", "ein%20f%C3%BCm+1.001"),
    ])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(here.file("ein füm+1")) == whole)
  }

  @Test func secretsAreNotTold() throws {
    try putParts(in: true)
    let part = address("s3", "film.001")
    var environment = server.environment
    environment["AWS_SECRET_ACCESS_KEY"] = "WRONGSECRET"
    let refused = try Tool.cleave.run(["merge", "--json", part], environment: environment)
    #expect(refused.exitCode == 77, "\(refused)")
    for text in [refused.errorText, refused.outputText] { #expect(!text.contains("SECRET")) }
    environment["AWS_SESSION_TOKEN"] = "TOKEN"
    environment["AWS_SECRET_ACCESS_KEY"] = "SKTEST"
    let session = try Tool.cleave.run(
      ["merge", "-v", "--no-sync", part],
      environment: environment,
      workingDirectory: here.path
    )
    #expect(session.exitCode == 0, "\(session)")
    #expect(!(session.errorText + session.outputText).contains("TOKEN"))
    for words in [["http://u:SECRET@h/f"], ["merge", "--share=http://u:SECRET@h/f", "f"]] {
      let odd = try run(words)
      #expect(odd.exitCode == 64, "\(odd)")
      #expect(!odd.errorText.contains("SECRET"), "\(odd)")
    }
  }
}
