import Posix
import TestSupport
import Testing

/// Jobs whose journal is there, and not believed or not to be read.
@Suite(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct UnbelievedJournalTests: CommandLines {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func shell(_ script: String) throws {
    let outcome = try Tool.shell.run(["-c", script], workingDirectory: directory.path)
    #expect(outcome.exitCode == 0, "\(script): \(outcome)")
  }

  /// Leaves a job that has taken `f.000`.
  private func begin(_ output: String, _ fault: String) throws {
    try Files.write(Bytes.pattern(count: 40_960), to: directory.file("f"))
    try shell("mkdir -p o; split -d -a 3 -b 8192 f f.; rm f")
    try kill("merge -q --consume --checkpoint=4096 -o \(output) f.000", fault + "=kill")
  }

  @Test(
    "what is left is not merged where the job's journal is elsewhere, whatever is wrong with it",
    arguments: [
      "chmod 666 J", "sed -i '4s/./#/' J", ": > J", "rm J", "rm J; mkdir J", "mv J j; ln -s j J",
      "truncate -s 1060 J", "mv o p; mkdir -p o/lost+found", "mv o p; mkdir o; touch o/other",
    ]
  )
  func journalElsewhere(damage: String) throws {
    try begin("o/f", "rename@f.001.cleave-rest#1")
    try shell(damage.replacing("J", with: "o/.f.cleave-journal"))
    let before = try Contents(of: directory.path)
    try expect(66, "merge -o z f.002", "f.cleave-journal-elsewhere: is of a run that frees parts")
    try expect(66, "merge --consume -o z f.002", "f.cleave-journal-elsewhere: is of a run that")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
    try expect(0, "merge --as-given -o z f.002", "8192 bytes")
  }

  @Test(
    "what is left of a part is no leftover where the job's journal cannot be read",
    arguments: [": > J", "mv J j; mkdir J", "mv J j; ln -s j J"]
  )
  func restWithoutJournal(damage: String) throws {
    try begin("f", "unlink@f.001.cleave-rest#1")
    try shell(damage.replacing("J", with: ".f.cleave-journal"))
    let rest = try directory.names().first { "\($0)".hasSuffix(".cleave-rest") }
    let name = try #require(rest)
    let listed = try Tool.cleave.run(["clean"], workingDirectory: directory.path)
    #expect(listed.exitCode != 0 && !listed.errorText.contains("no journal tells"), "\(listed)")
    try expect(75, "clean -f \(name)", "which may tell of the rest, cannot be read")
    #expect(try directory.names().contains(name))
  }

  @Test("what is left is not merged beside a journal that has lost its end")
  func journalWithoutEnd() throws {
    try begin("f", "rename@f.001.cleave-rest#1")
    try shell("sed -i '/^[0-9]/d;/^done/d' .f.cleave-journal; truncate -s 1000 .f.cleave-journal")
    try expect(66, "merge -o z f.001", "no journal that is believed tells which")
    try expect(66, "merge --consume -o z f.001", "no journal that is believed tells which")
    try expect(0, "merge --as-given -o z f.001", "8192 bytes")
  }

  @Test("lists that came before any part was freed are compared")
  func listsThatCame() throws {
    try Files.write(Bytes.pattern(count: 40_960), to: directory.file("f"))
    try expect(0, "split -q -b 8192 f")
    try shell("rm f")
    let job = "merge -q --consume --checkpoint=8192 f.001"
    try kill(job, "rename@f.001.cleave-rest#1=kill")
    try shell("sha256sum f.00? | sed '4s/^......../deadbeef/' > SHA256SUMS")
    try expect(65, job, "SHA256SUMS: f.004 has SHA256 ")
    try shell("sha256sum f.00? > SHA256SUMS")
    try expect(0, job)
    #expect(try directory.names() == ["SHA256SUMS", "f", "f.sfv"])
  }
}
