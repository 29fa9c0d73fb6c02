import Posix

/// The engine for a job whose user chose none, and the reason.
///
/// Every row was measured: two processors, time / cat (or / `split -b`), lower quartile of at least
/// seven rounds in random order, with CRC-32 and Adler-32 unless said otherwise.
///
/// | | serial | multiqueue | zerocopy | direct |
/// |---|---|---|---|---|
/// | 1 GiB in 4 parts, ext4, warm | 1.36 | 0.89 | 1.06 | **0.60** |
/// | the same without sums | 1.31 | 0.69 | 0.83 | **0.56** |
/// | the same, on one processor | 1.33 | 0.93 | 1.41 | **0.81** |
/// | the same, on the device | 1.13 | 0.90 | 0.96 | **0.73** |
/// | the same, cold | 0.46 | 0.25 | 0.33 | 0.29 |
/// | 1,024 parts of 64 KiB | 5.8 | 2.2 | 1.9 | **0.86** |
/// | 1 GiB split into 4 | 0.45 | 0.27 | 0.38 | **0.19** |
/// | tmpfs | 0.79 | 0.58 | 0.58 | **0.43** |
/// | XFS, parts that are not aligned | 1.45 | 1.92 | 1.17 | **0.59** |
/// | Btrfs, the same | 1.78 | 1.39 | 1.56 | **0.92** |
/// | XFS, aligned, without sums | 0.36 s | 0.18 s | 0.25 s | **0.015 s** |
/// | 1 kB, without cat | 8 ms | 9 ms | 9 ms | 8 ms |
///
/// So one engine serves all files, for reasons that differ. The cold case, where the device sets the
/// pace, was a tie: ranges overlapped.
public struct EngineChoice: Hashable, Sendable {
  public let name: EngineName
  /// Why, as a clause.
  public let reason: String

  package init(_ name: EngineName, _ reason: String) { (self.name, self.reason) = (name, reason) }

  public init(_ workload: Workload) {
    (name, reason) =
      if workload.isStream {
        (.serial, "a stream takes its bytes in order")
      } else if workload.sharesBlocks {
        (.direct, "source and destination can share blocks")
      } else if workload.meanExtent < Int64(WaterMarks.quarter) {
        (.direct, "small pieces are gathered into whole writes")
      } else if workload.isCold {
        (.direct, "the device is asked for several places ahead")
      } else if workload.isSummed {
        (.direct, "pieces are summed in the cache, on every processor")
      } else {
        (.direct, "pieces are copied through the cache, on every processor")
      }
  }
}

/// What an engine is chosen by: what has to be moved, and between what.
public struct Workload: Hashable, Sendable {
  /// Whether the output is a pipe, a device or the like.
  public var isStream = false
  /// Whether checksums are wanted.
  public var isSummed = true
  /// Whether the file system can share blocks, and the first extent lies so that it can be shared.
  public var sharesBlocks = false
  /// Whether the first source is not in memory.
  public var isCold = false
  /// Bytes.
  public var meanExtent: Int64

  public init(meanExtent: Int64) { self.meanExtent = meanExtent }

  /// The workload of a plan: looks at the first source and at the first destination's file system.
  public init(of plan: TransferPlan, isStream: Bool = false, kinds: Checksum.Kinds = .crc32) {
    self.init(meanExtent: plan.totalBytes / Int64(max(1, plan.extents.count)))
    self.isStream = isStream
    isSummed = !kinds.isEmpty
    guard !isStream, let extent = plan.extents.first(where: \.isLarge),
      case .file(let index, let offset) = extent.source
    else { return }
    let source = plan.sources[index]
    let directory = plan.destinations[extent.destination].path.directory
    sharesBlocks =
      (offset - extent.offset) % 4096 == 0
      && Self.canShare(source.status.identity.device, with: directory)
    isCold = Self.isCold(source)
  }

  private static func canShare(_ device: UInt64, with directory: FilePath) -> Bool {
    guard let status = try? FileStatus.of(directory), status.identity.device == device else {
      return false
    }
    return (try? Host.fileSystem(at: directory)).map(["xfs", "btrfs", "bcachefs"].contains) ?? false
  }

  private static func isCold(_ source: SourceFile) -> Bool {
    guard let file = try? FileDescriptor.open(source.path, [.readOnly, .nonBlocking]) else {
      return false
    }
    let start = 0..<min(source.status.size, 8 << 20)
    return file.cachedBytes(in: start).map { $0 < start.count64 / 2 } ?? false
  }
}

extension Extent {
  /// Whether it may have a whole block to share.
  fileprivate var isLarge: Bool {
    if case .file = source { length >= 4096 } else { false }
  }
}
