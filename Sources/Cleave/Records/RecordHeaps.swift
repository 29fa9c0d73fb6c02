internal import CPlatform
internal import Posix

/// Bytes of records that are gathered for each of several outputs, so that they can be written many at a time.
package final class RecordHeaps {
  private var heaps: [cplatform_heap]

  /// Bytes for all outputs, and for each of them.
  private static let mostBytes: Int64 = 2 << 20
  private static let mostOfOne: Int64 = 252 << 10
  private static let leastOfOne: Int64 = 2048

  /// - Parameter count: of outputs, at least 1.
  /// - Returns: nil where that are too many to gather enough for each.
  package init?(_ count: Int64) {
    let capacity = min(Self.mostOfOne, Self.mostBytes / count)
    guard capacity >= Self.leastOfOne else { return nil }
    heaps = (0..<count).map { _ in
      cplatform_heap(
        bytes: .allocate(capacity: Int(capacity)),
        count: 0,
        capacity: Int(capacity)
      )
    }
  }

  deinit { for heap in heaps { heap.bytes.deallocate() } }

  /// Deals records out, one to each output in turn.
  ///
  /// - Parameter current: the output that gets the first byte; then the one that gets the next.
  /// - Returns: how many bytes were dealt; fewer than all where `current` has no room.
  package func deal(
    _ bytes: UnsafeRawBufferPointer,
    separator: UInt8,
    current: inout Int
  ) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    return heaps.withUnsafeMutableBufferPointer { heaps in
      cplatform_deal(base, bytes.count, separator, heaps.baseAddress, heaps.count, &current)
    }
  }

  /// What is gathered for an output, until more is dealt.
  package func bytes(_ output: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: heaps[output].bytes, count: heaps[output].count)
  }

  package func clear(_ output: Int) { heaps[output].count = 0 }
}
