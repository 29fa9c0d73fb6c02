import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Connects a child's standard descriptors with files and pipes.
///
/// Files, because a child can write any amount into one while nobody reads.
struct Plumbing {
  static let outputName: FilePath = "output"
  static let errorName: FilePath = "error"

  private(set) var feeder: PipeFeeder?
  private(set) var drain: PipeDrain?
  private let outputs: TemporaryDirectory
  private var childEnds: [CInt] = []

  init(outputs: TemporaryDirectory) { self.outputs = outputs }

  /// What descriptors 0, 1 and 2 are for the child. Call it with ``Spawning/lock`` held.
  mutating func connect(_ launch: Launch) throws -> [Spawning.Standard] {
    var standard = [
      try connect(launch.input),
      try connect(launch.standardOutput),
      .open(outputs.file(Self.errorName), Self.writing),
    ]
    for descriptor in launch.closing { standard[Int(descriptor)] = .closed }
    return standard
  }

  /// Once the child has its copies, no other may keep the pipes open.
  mutating func closeChildEnds() {
    for end in childEnds { _ = FileDescriptor(owning: end, path: "pipe") }
    childEnds = []
  }

  private static let writing = O_WRONLY | O_CREAT | O_TRUNC

  private mutating func connect(_ input: ToolInput) throws -> Spawning.Standard {
    switch input {
    case .null: .open("/dev/null", O_RDONLY)
    case .file(let path): .open(path, O_RDONLY)
    case .bytes(let bytes): try feed(bytes, staysOpen: false)
    case .unending(let bytes): try feed(bytes, staysOpen: true)
    }
  }

  private mutating func connect(_ output: ToolOutput) throws -> Spawning.Standard {
    switch output {
    case .capture: .open(outputs.file(Self.outputName), Self.writing)
    case .file(let path): .open(path, Self.writing)
    case .pipe: try drained(limit: .max)
    case .pipeClosed(let count): try drained(limit: count)
    }
  }

  private mutating func feed(_ bytes: [UInt8], staysOpen: Bool) throws -> Spawning.Standard {
    let pipe = try makePipe()
    childEnds.append(pipe.readEnd)
    feeder = PipeFeeder(owning: pipe.writeEnd, bytes: bytes, staysOpen: staysOpen)
    return .inherit(pipe.readEnd)
  }

  private mutating func drained(limit: Int) throws -> Spawning.Standard {
    let pipe = try makePipe()
    childEnds.append(pipe.writeEnd)
    drain = PipeDrain(owning: pipe.readEnd, limit: limit)
    return .inherit(pipe.writeEnd)
  }
}
