import Cleave
import Posix
import TestSupport
import Testing

@Suite struct EngineLifetimeTests {
  /// A job in stages runs an engine thousands of times.
  @Test(arguments: EngineName.allCases) func nothingOfARunIsLeft(_ engine: EngineName) throws {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.repeatedPattern(count: 3_000_000), to: directory.file("part"))
    let source = try SourceFile(examining: directory.file("part"))
    let plan = try TransferPlan.merge([source, source], into: directory.file("whole"))
    weak var left: Transfer?
    do {
      let outputs = Outputs(OutputOptions(synchronizes: false))
      _ = outputs.add(directory.file("whole"), size: 6_000_000)
      let transfer = Transfer(plan, JobOptions(), outputs: outputs)
      engine.engine.run(transfer)
      #expect(transfer.error == nil)
      left = transfer
      outputs.discard()
    }
    // Dispatch lets go of handlers a little after they have run.
    for _ in 0..<6000 where left != nil { try Readiness.pause(milliseconds: 10) }
    #expect(left == nil)
  }
}
