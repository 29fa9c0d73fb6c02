package import Posix

extension Selection {
  /// Where bytes come from.
  public enum Source: Hashable, Sendable {
    case standardInput
    /// A named pipe; see `fifo(7)`.
    case pipe(SourceFile)
    case file(SourceFile)
  }

  /// Files and streams in an order.
  public struct Sources: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Standard input is among them as a file called `-`.
    private var all = SourceFiles()
    /// Where streams are.
    private var streams: Set<Int> = []

    public init(arrayLiteral sources: Source...) {
      for source in sources { append(source) }
    }

    /// Files alone.
    public init(_ files: SourceFiles) { all = files }

    public mutating func append(_ source: Source) {
      switch source {
      case .file(let file): all.append(file)
      case .pipe(let pipe):
        streams.insert(all.count)
        all.append(pipe)
      case .standardInput:
        streams.insert(all.count)
        let identity = FileStatus.Identity(device: 0, inode: 0)
        let status = FileStatus(identity: identity, size: 0, modified: 0)
        all.append(SourceFile(path: "-", status: status))
      }
    }

    /// Nil where a stream is among them.
    public var files: SourceFiles? { streams.isEmpty ? all : nil }

    /// Whether standard input is among them.
    package var hasStandardInput: Bool { streams.contains { all[$0].path == "-" } }

    /// What a message calls the streams.
    package var streamName: String { hasStandardInput ? "standard input" : "a named pipe" }

    /// Standard input is `-`.
    package var names: PathList { all.paths }

    public var startIndex: Int { 0 }
    public var endIndex: Int { all.count }

    public subscript(index: Int) -> Source {
      let file = all[index]
      guard streams.contains(index) else { return .file(file) }
      return file.path == "-" ? .standardInput : .pipe(file)
    }
  }
}
