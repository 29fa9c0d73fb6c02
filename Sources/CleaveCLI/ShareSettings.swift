import Cleave
import CommandLineKit
import Posix

/// Which share of the work a run does.
struct ShareSettings: Hashable {
  private enum Value: Hashable {
    case given(WorkShare)
    /// What the environment tells, of this many shares where that is said.
    case automatic(of: Int?)
  }

  private let argument: OptionArgument
  private let value: Value

  /// `K/N`, or `auto` and `auto/N` for a number that the environment tells.
  init(_ argument: OptionArgument) throws(UsageError) {
    self.argument = argument
    let words = try argument.text.split(separator: "/", omittingEmptySubsequences: false)
    let count = words.count == 2 ? Int(words[1]) : nil
    if words.first == "auto",
      words.count == 1 || count.map({ (1...WorkShare.most).contains($0) }) == true
    {
      value = .automatic(of: count)
      return
    }
    guard words.count == 2, let number = Int(words[0]), let count else {
      throw argument.refused("is not K/N, such as 2/4, and not auto")
    }
    guard let share = WorkShare(number, of: count) else {
      throw argument.refused("is no share: K is 1 to N, and N at most \(WorkShare.most)")
    }
    value = .given(share)
  }

  /// Numbers that those who start many runs tell each of them.
  private struct Scheduler {
    let number: String
    /// What the numbers begin and end with, and what is between them; nil for a number.
    var first: String?
    var last: String?
    var step: String?
    let start: Int
    /// Nil where it does not tell.
    let count: String?
    /// Without it, the number is that of something around the run.
    var needs: String?
    /// With it, too.
    var yieldsTo: String?
  }

  private static let schedulers = [
    Scheduler(
      number: "SLURM_ARRAY_TASK_ID",
      first: "SLURM_ARRAY_TASK_MIN",
      last: "SLURM_ARRAY_TASK_MAX",
      step: "SLURM_ARRAY_TASK_STEP",
      start: 1,
      count: "SLURM_ARRAY_TASK_COUNT"
    ),
    // A batch script has the number, too; a step's, only what srun has started.
    Scheduler(
      number: "SLURM_PROCID",
      start: 0,
      count: "SLURM_NTASKS",
      needs: "SLURM_STEP_ID",
      yieldsTo: "OMPI_COMM_WORLD_RANK"
    ),
    Scheduler(number: "OMPI_COMM_WORLD_RANK", start: 0, count: "OMPI_COMM_WORLD_SIZE"),
    Scheduler(number: "JOB_COMPLETION_INDEX", start: 0, count: nil),
    Scheduler(number: "PARALLEL_SEQ", start: 1, count: nil),
  ]

  /// The names of the variables, for the manual.
  static let variables = schedulers.map { scheduler in
    scheduler.needs.map { "\(scheduler.number) with \($0)" } ?? scheduler.number
  }
  .joined(separator: ", ")

  /// The share that is meant.
  ///
  /// - Parameter variable: the value of one of the environment's.
  func share(
    _ variable: (String) -> String? = ProcessState.environment
  ) throws(UsageError) -> WorkShare {
    let given: Int?
    switch self.value {
    case .given(let share): return share
    case .automatic(let count): given = count
    }
    func value(_ name: String?) -> Int? { name.flatMap(variable).flatMap { Int($0) } }
    var found = Self.schedulers.filter { scheduler in
      value(scheduler.number) != nil && scheduler.needs.map { variable($0) != nil } != false
        && scheduler.yieldsTo.map { variable($0) == nil } != false
    }
    // One run of one is divided by whatever is inside it.
    if found.count > 1 { found.removeAll { value($0.count) == 1 } }
    guard let scheduler = found.first, let number = value(scheduler.number) else {
      throw argument.refused("finds none of \(Self.variables)")
    }
    if found.count > 1 {
      let names = found.map(\.number).joined(separator: " and ")
      throw argument.refused("finds \(names): say which, such as --share=$\(found[1].number)/4")
    }
    let told = value(scheduler.count)
    guard let count = given ?? told else {
      throw argument.refused("needs to know how many shares there are: auto/N, such as auto/4")
    }
    if let told, told != count {
      throw argument.refused(
        "finds that \(scheduler.number) is one of \(told); say which share it is, as K/\(count)"
      )
    }
    let first = value(scheduler.first) ?? scheduler.start
    let step = max(value(scheduler.step) ?? 1, 1)
    let (distance, isTooFar) = number.subtractingReportingOverflow(first)
    let (range, isTooWide) = (value(scheduler.last) ?? first).subtractingReportingOverflow(first)
    // An array can have gaps, and be some tasks of another one that are run again.
    let isWhole = scheduler.first == nil || first == 0 || first == 1
    let isEven = scheduler.last.flatMap(variable) == nil || range / step == count - 1
    if !isTooFar, !isTooWide, isWhole, isEven, distance >= 0, distance % step == 0,
      distance / step < count, let share = WorkShare(distance / step + 1, of: count)
    {
      return share
    }
    throw argument.refused(
      "finds \(scheduler.number)=\(number), which tells no share of \(count) for sure; say K/\(count)"
    )
  }

  /// The share that is meant, by this process's environment.
  func found() throws(Failure) -> WorkShare {
    do { return try share() } catch { throw .usage(error) }
  }

  /// - Parameter purpose: what N runs do together.
  static func option<Settings>(
    _ purpose: String,
    group: String = "Output",
    _ target: Option<Settings>.Target<ShareSettings?>
  ) -> Option<Settings> {
    .value(
      "share",
      "SHARE",
      group: group,
      help:
        "Do only share K of N, such as 2/4, so that N runs, on machines that see the same files, \(purpose). auto "
        + "takes both numbers from what started the run, such as Slurm; auto/N takes K.",
      sets: target
    ) { argument throws(UsageError) in try ShareSettings(argument) }
  }
}
