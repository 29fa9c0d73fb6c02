import Posix
import TestSupport
import Testing

@testable import Cleave

/// A plan that is carried out, or leaves nothing.
@Suite struct JobTests {
  private let directory: TemporaryDirectory
  private let plan: TransferPlan

  init() throws {
    directory = try TemporaryDirectory()
    let parts = try [
      directory.make("f.001", [1, 2, 3]), directory.make("f.002", [4, 5]),
    ]
    plan = try .merge(parts.map { try SourceFile(examining: $0) }, into: directory.file("f"))
  }

  private struct Expecting: Judge {
    var sidecars: [Sidecar] = []
    func judge(_ report: JobReport) throws(CleaveError) -> Judgement {
      var verdict = Verdict()
      verdict.add(nil)
      return Judgement(verdict, sidecars)
    }
  }

  @Test("a job without a name for its engine has the one for its plan")
  func engine() throws {
    #expect(Job(plan).engine == EngineChoice(Workload(of: plan)).name)
    var job = Job(plan, engine: .serial)
    #expect(job.reportedEngine == .serial)
    job.options.customEngine = EngineName.serial.engine
    #expect(job.reportedEngine == nil)
  }

  @Test("sidecars are published with what they are about")
  func sidecars() throws {
    let sidecars = [
      Sidecar(path: directory.file("f.sfv"), bytes: [7]),
      Sidecar(path: directory.file("f.sh"), bytes: [8], isExecutable: true),
    ]
    var job = Job(plan, engine: .serial)
    job.sidecars = sidecars.map(\.path)
    _ = try job.run(judgedBy: Expecting(sidecars: sidecars))
    #expect(try directory.names() == ["f", "f.001", "f.002", "f.sfv", "f.sh"])
    #expect(try Files.read(directory.file("f")) == [1, 2, 3, 4, 5])
    #expect(try Files.read(directory.file("f.sfv")) == [7])
    let modes = try ["f.sfv", "f.sh"].map { try FileStatus.of(directory.file($0)).permissions }
    #expect(modes.map { $0 & 0o100 } == [0, 0o100])
  }

  /// Names that are taken, and whether they may be replaced.
  static let taken: [(FilePath, Bool)] = [
    ("f", false), ("f", true), ("f.sfv", false), ("f.sfv", true),
  ]

  @Test("a name that is taken is in the way, or replaced", arguments: taken)
  func replaces(name: FilePath, mayReplace: Bool) throws {
    try directory.make(name, [9])
    let sidecar = Sidecar(path: directory.file("f.sfv"), bytes: [7])
    var job = Job(plan, engine: .serial)
    job.sidecars = [sidecar.path]
    job.options.output.replacesExisting = mayReplace
    let result = Result { try job.run(judgedBy: Expecting(sidecars: [sidecar])) }
    if mayReplace {
      _ = try result.get()
      #expect(try Files.read(directory.file("f")) == [1, 2, 3, 4, 5])
      #expect(try Files.read(directory.file("f.sfv")) == [7])
    } else {
      let error = #expect(throws: CleaveError.self) { try result.get() }
      #expect(error?.kind == .cannotCreate && error?.path == directory.file(name))
      #expect(error?.remedies == [.replacing])
      #expect(try directory.names() == ["f.001", "f.002", name].sorted())
      #expect(try Files.read(directory.file(name)) == [9])
    }
  }

  @Test("an output that is one of its sources is refused", arguments: [false, true])
  func ownSource(mayReplace: Bool) throws {
    let sources = try ["f.001", "f.002"].map { try SourceFile(examining: directory.file($0)) }
    var job = Job(try .merge(sources, into: directory.file("f.002")), engine: .serial)
    job.options.output.replacesExisting = mayReplace
    #expect(throws: CleaveError.self) { try job.run() }
    #expect(try Files.read(directory.file("f.002")) == [4, 5])
    #expect(try directory.names() == ["f.001", "f.002"])
  }
}
