import Cleave
import CommandLineKit
import Posix

/// Which share of the work a run does.
enum ShareSettings {
  /// Numbers that those who start many runs tell each of them.
  private struct Scheduler {
    let number: String
    /// What the numbers begin with, and what is between them; nil for a number.
    var first: String?
    var step: String?
    let start: Int
    /// Nil where it does not tell.
    let count: String?
  }

  private static let schedulers = [
    Scheduler(
      number: "SLURM_ARRAY_TASK_ID",
      first: "SLURM_ARRAY_TASK_MIN",
      step: "SLURM_ARRAY_TASK_STEP",
      start: 1,
      count: "SLURM_ARRAY_TASK_COUNT"
    ),
    Scheduler(number: "SLURM_PROCID", start: 0, count: "SLURM_NTASKS"),
    Scheduler(number: "OMPI_COMM_WORLD_RANK", start: 0, count: "OMPI_COMM_WORLD_SIZE"),
    Scheduler(number: "JOB_COMPLETION_INDEX", start: 0, count: nil),
    Scheduler(number: "PARALLEL_SEQ", start: 1, count: nil),
  ]

  /// The names of the variables, for the manual.
  static let variables = schedulers.map(\.number).joined(separator: ", ")

  /// `K/N`, or `auto` and `auto/N` for a number that the environment tells.
  ///
  /// - Parameter variable: the value of one of the environment's.
  static func share(
    _ argument: OptionArgument,
    _ variable: (String) -> String? = ProcessState.environment
  ) throws(UsageError) -> WorkShare {
    let words = try argument.text.split(separator: "/", omittingEmptySubsequences: false)
    let count = words.count == 2 ? Int(words[1]) : nil
    if words.first == "auto", words.count == 1 || count != nil {
      return try automatic(argument, count, variable)
    }
    guard words.count == 2, let number = Int(words[0]), let count else {
      throw argument.refused("is not K/N, such as 2/4, and not auto")
    }
    guard let share = WorkShare(number, of: count) else {
      throw argument.refused("is no share: K is 1 to N, and N at most \(WorkShare.most)")
    }
    return share
  }

  private static func automatic(
    _ argument: OptionArgument,
    _ given: Int?,
    _ variable: (String) -> String?
  ) throws(UsageError) -> WorkShare {
    func value(_ name: String) -> Int? { variable(name).flatMap { Int($0) } }
    for scheduler in schedulers {
      guard let number = value(scheduler.number) else { continue }
      let first = scheduler.first.flatMap(value) ?? scheduler.start
      let step = max(scheduler.step.flatMap(value) ?? 1, 1)
      guard let count = given ?? scheduler.count.flatMap(value) else {
        throw argument.refused("needs to know how many shares there are: auto/N, such as auto/4")
      }
      let (distance, isTooFar) = number.subtractingReportingOverflow(first)
      if !isTooFar, distance >= 0, distance % step == 0, distance / step < count,
        let share = WorkShare(distance / step + 1, of: count)
      {
        return share
      }
      throw argument.refused("finds \(scheduler.number)=\(number), which is no share of \(count)")
    }
    throw argument.refused("finds none of \(variables)")
  }

  /// - Parameter purpose: what N runs do together.
  static func option<Settings>(
    _ purpose: String,
    group: String = "Output",
    _ target: Option<Settings>.Target<WorkShare?>
  ) -> Option<Settings> {
    .value(
      "share",
      "SHARE",
      group: group,
      help:
        "Do only share K of N, such as 2/4, so that N runs, on machines that see the same files, \(purpose). auto "
        + "takes both numbers from what started the run, such as Slurm; auto/N takes K.",
      sets: target
    ) { argument throws(UsageError) in try share(argument) }
  }
}
