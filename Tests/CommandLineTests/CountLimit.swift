import Testing

/// The most that moving bytes may cost.
///
/// Calls are the same in every build; one more for each piece would exceed the limit. Allocations
/// and memory are those of a debug build, which takes more than a release build, and a quarter,
/// since other compilers have other numbers. Faults and switches depend on the kernel and on what
/// else runs, which decides who waits for whom; their limits are several times what was measured. Who
/// waits also decides a few hundred allocations of Dispatch's.
///
/// `CLEAVE_BINARY=.build/debug/cleave Scripts/counts.sh` prints these figures as they are now, and
/// `make counts` those of the release build.
struct CountLimit: Sendable {
  let name: String
  let unit: String
  /// By engine, in the order of ``engines``.
  let most: [Double]
  let measure: @Sendable (Cost) -> Double

  //                    serial  multiqueue  zerocopy  direct
  static let all = [
    perMebibyte("reads", 2.05, 2.05, 0.1, 4.15) { $0.reads },
    perMebibyte("writes", 2.05, 2.05, 2.05, 4.15) { $0.writes },
    perMebibyte("calls", 8.5, 4.8, 3.4, 9.5) { $0.calls },
    perMebibyte("allocations", 160, 96, 45, 40) { $0.allocations },
    // With three buffers that a small job may do without, and a large one may not: they are made
    // when they are wanted. One for each piece would be 1,048,576.
    perMebibyte("allocated bytes", 1_130_000, 40_000, 3000, 20_000) { $0.allocatedBytes },
    perMebibyte("faults", 120, 8, 32, 4) { $0.faults },
    perMebibyte("switches", 100, 60, 35, 8) { $0.switches },
    // Sixteen are to see that Dispatch has descriptors left.
    once("calls", 150, 142, 137, 127) { $0.calls },
    // Most are those of a debug build that compares names with the forms of every family.
    once("allocations", 26_000, 26_000, 26_000, 26_000) { $0.allocations },
    CountLimit(name: "peak memory", unit: "MiB", most: [30, 29, 35, 26]) {
      Double($0.large.peakResidentBytes) / 1_048_576
    },
  ]

  private static func perMebibyte(
    _ name: String,
    _ most: Double...,
    count: @escaping @Sendable (Counts) -> Int
  ) -> CountLimit {
    CountLimit(name: name, unit: "per MiB", most: most) { $0.perMebibyte(count) }
  }

  private static func once(
    _ name: String,
    _ most: Double...,
    count: @escaping @Sendable (Counts) -> Int
  ) -> CountLimit {
    CountLimit(name: name, unit: "however large the file", most: most) { $0.once(count) }
  }
}

extension Cost {
  /// The limits that the engine does not keep.
  func exceeded(by engine: String) throws -> [ExceededLimit] {
    let index = try #require(engines.firstIndex(of: engine))
    return try CountLimit.all.compactMap { limit in
      let most = try #require(limit.most.dropFirst(index).first, "\(engine) has no limits yet")
      let measured = limit.measure(self)
      return measured > most ? ExceededLimit(limit: limit, measured: measured, most: most) : nil
    }
  }
}

struct ExceededLimit: CustomStringConvertible {
  let limit: CountLimit
  let measured: Double
  let most: Double

  var description: String {
    "\((measured * 100).rounded() / 100) \(limit.name) \(limit.unit), at most \(most)"
  }
}
