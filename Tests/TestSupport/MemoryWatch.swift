import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Finds out how much memory a child had resident at most.
///
/// Linux counts what the process had before it called `exec` towards the child's `ru_maxrss`, and
/// until then a spawned child lives in the memory of its parent. So `ru_maxrss` is exact where it
/// exceeds what this process has had, and says nothing otherwise. For that case the child's own
/// high water mark is read every few milliseconds; it never falls, so little can be missed.
struct MemoryWatch {
  private let status: FilePath
  private var sampled: Int64 = 0

  init(of pid: pid_t) { status = FilePath("/proc/\(pid)/status") }

  /// Looks at the running child; nothing to be seen on Darwin, nor needed there.
  mutating func sample() {
    #if !canImport(Darwin)
      guard let text = try? Files.text(status) else { return }
      sampled = max(sampled, Self.highWater(in: text))
    #endif
  }

  /// The peak of the child that ended with this usage.
  func peak(_ usage: rusage) -> Int64 {
    #if canImport(Darwin)
      return Int64(usage.ru_maxrss)
    #else
      let reported = Int64(usage.ru_maxrss) * 1024
      return reported > ProcessState.peakResidentBytes || sampled == 0 ? reported : sampled
    #endif
  }

  /// From a line such as `VmHWM:     1234 kB`; 0 where a process has ended and has none.
  private static func highWater(in text: String) -> Int64 {
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let number = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    return (number.flatMap { Int64($0) } ?? 0) * 1024
  }
}
