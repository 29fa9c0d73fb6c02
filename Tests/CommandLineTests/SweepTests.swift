import Dispatch
import Posix
import TestSupport
import Testing

/// Fails every single call of an operation once, and looks at what is left each time.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct SweepTests {
  /// A command, and the engine that carries it out.
  struct Row: Sendable, CustomTestStringConvertible {
    let command: SweptCommand
    let engine: String
    var testDescription: String { "\(command.name), \(engine)" }
  }

  static let commands =
    SweptCommand.basic + SweptCommand.others + SweptCommand.ofLines + SweptCommand.staged
  static let rows = commands.flatMap { command in
    command.engines.map { Row(command: command, engine: $0) }
  }
  static let quickRows =
    SweptCommand.basic.flatMap { command in
      command.engines.map { Row(command: command, engine: $0) }
    }
    + (SweptCommand.others + SweptCommand.quickRecords + SweptCommand.quickStaged).compactMap {
      command in
      command.engines.last.map { Row(command: command, engine: $0) }
    }

  @Test(.enabled(if: !FaultTable.isWanted, "make fault tries them all"), arguments: quickRows)
  func outputsAreWholeOrNotThere(row: Row) throws {
    let sweep = try Sweep(row.command, row.engine).run(SweptFault.quick)
    #expect(sweep.violations == [])
  }

  /// Every operation, every fault, every engine, every command.
  @Test(.enabled(if: FaultTable.isWanted, "make fault runs it"))
  func noPointBreaksTheInvariant() throws {
    let onXFS = LoopFileSystem.kinds.contains(.xfs) ? [SweptCommand.mergeByBlocks] : []
    let rows = (Self.rows + onXFS.map { Row(command: $0, engine: "direct") })
      .filter { FaultTable.wants($0.testDescription) }
    try #require(!rows.isEmpty, "no row has ONLY in its name")
    let table = Locked(FaultTable())
    // Each row is told when it is done: all take most of an hour.
    DispatchQueue.concurrentPerform(iterations: rows.count) { index in
      let row = rows[index]
      let sweep = Result { try Sweep(row.command, row.engine).run(SweptFault.all) }
      table.withLock { $0.add(row.command.name, row.engine, sweep) }
    }
    table.withLock { $0.finish() }
    #expect(table.withLock { $0.violations }.isEmpty, "the table has them")
  }
}
