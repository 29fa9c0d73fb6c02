import Posix

/// Keeps the heap from growing while somebody else allocates and frees large blocks.
///
/// Dispatch takes a new buffer for each read. Small blocks settle in the holes that buffers leave, no
/// buffer fits there again, and now and then the heap grows by a buffer for every read: up to 29 MiB
/// were resident where 15 are enough. So the resident size is looked at every few MiB, and when it
/// has grown for no good reason, free pages go back to the kernel.
struct HeapBound {
  /// Bytes between two looks, and bytes of growth beyond the window that are let pass.
  private static let step: Int64 = 2 << 20

  private let limit: Int64?
  private var sinceLook: Int64 = 0

  /// - Parameter window: bytes that are rightly in use.
  init(window: Int) {
    limit = ProcessState.residentBytes.map { $0 + Int64(window) + Self.step }
  }

  /// Counts bytes that are about to be allocated.
  mutating func didAllocate(_ count: Int) {
    guard let limit else { return }
    sinceLook += Int64(count)
    guard sinceLook >= Self.step else { return }
    sinceLook = 0
    if let now = ProcessState.residentBytes, now > limit { ProcessState.trimAllocator() }
  }
}
