import Cleave
import CommandLineKit
import Posix
import Testing

@testable import CleaveCLI

/// Which share a run does, by what started it.
@Suite struct ShareSettingsTests {
  struct Row: Sendable {
    let argument: String
    var variables: [String: String] = [:]
    let share: WorkShare?
  }

  static let slurm = [
    "SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_STEP": "2",
    "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MAX": "7",
    // As in each batch script.
    "SLURM_PROCID": "0", "SLURM_NTASKS": "2",
  ]
  static let step = ["SLURM_PROCID": "0", "SLURM_NTASKS": "3", "SLURM_STEP_ID": "0"]
  static let mpi = ["OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "3"]

  static let rows = [
    Row(argument: "2/4", share: WorkShare(2, of: 4)),
    Row(argument: "4/4", variables: slurm, share: WorkShare(4, of: 4)),
    Row(argument: "auto", variables: slurm, share: WorkShare(3, of: 4)),
    Row(argument: "auto/4", variables: slurm, share: WorkShare(3, of: 4)),
    Row(argument: "auto/8", variables: slurm, share: nil),
    Row(argument: "auto", variables: slurm.with("SLURM_ARRAY_TASK_MAX", "9"), share: nil),
    // Task 6 of 8, run again.
    Row(
      argument: "auto",
      variables: [
        "SLURM_ARRAY_TASK_ID": "6", "SLURM_ARRAY_TASK_MIN": "6", "SLURM_ARRAY_TASK_MAX": "6",
        "SLURM_ARRAY_TASK_COUNT": "1",
      ],
      share: nil
    ),
    Row(argument: "auto", variables: step, share: WorkShare(1, of: 3)),
    Row(argument: "auto", variables: step.with("SLURM_STEP_ID", nil), share: nil),
    Row(argument: "auto", variables: mpi, share: WorkShare(3, of: 3)),
    Row(argument: "auto", variables: mpi.merging(step) { $1 }, share: WorkShare(3, of: 3)),
    Row(argument: "auto", variables: mpi.merging(slurm) { $1 }, share: nil),
    Row(argument: "auto/4", variables: slurm.with("PARALLEL_SEQ", "1"), share: nil),
    Row(
      argument: "auto/4",
      variables: step.with("SLURM_STEP_ID", nil).with("PARALLEL_SEQ", "2"),
      share: WorkShare(2, of: 4)
    ),
    Row(
      argument: "auto",
      variables: slurm.merging(step.with("SLURM_NTASKS", "1")) { $1 },
      share: WorkShare(3, of: 4)
    ),
    Row(argument: "auto/5", variables: ["JOB_COMPLETION_INDEX": "4"], share: WorkShare(5, of: 5)),
    Row(argument: "auto/5", variables: ["PARALLEL_SEQ": "5"], share: WorkShare(5, of: 5)),
    Row(argument: "auto/5", variables: ["PARALLEL_SEQ": "6"], share: nil),
    Row(argument: "auto", variables: ["PARALLEL_SEQ": "5"], share: nil),
    Row(argument: "auto/2", variables: ["PARALLEL_SEQ": "-9223372036854775808"], share: nil),
    Row(
      argument: "auto/2",
      variables: ["JOB_COMPLETION_INDEX": "9223372036854775807"],
      share: nil
    ),
    Row(argument: "auto", share: nil), Row(argument: "auto/", variables: slurm, share: nil),
    Row(argument: "5/4", share: nil), Row(argument: "0/4", share: nil),
    Row(argument: "1/0", share: nil), Row(argument: "1", share: nil),
    Row(argument: "/", share: nil),
    Row(argument: "1/99999999999999999999", share: nil),
  ]

  @Test(arguments: rows) func share(_ row: Row) throws {
    let argument = OptionArgument(option: "--share", value: FilePath(row.argument))
    let found = try? ShareSettings(argument).share { row.variables[$0] }
    #expect(found == row.share)
  }
}

extension [String: String] {
  fileprivate func with(_ name: String, _ value: String?) -> Self {
    var other = self
    other[name] = value
    return other
  }
}
