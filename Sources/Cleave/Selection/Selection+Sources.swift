package import Posix

extension Selection {
  /// Where bytes come from.
  public enum Source: Hashable, Sendable {
    case standardInput
    case file(SourceFile)
  }

  /// Files and streams in an order.
  public struct Sources: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
    /// A stream is among them as a file called `-`.
    private var all = SourceFiles()
    /// Where standard input is.
    private var streams: Set<Int> = []

    public init(arrayLiteral sources: Source...) {
      for source in sources { append(source) }
    }

    /// Files alone.
    public init(_ files: SourceFiles) { all = files }

    public mutating func append(_ source: Source) {
      switch source {
      case .file(let file): all.append(file)
      case .standardInput:
        streams.insert(all.count)
        let identity = FileStatus.Identity(device: 0, inode: 0)
        let status = FileStatus(identity: identity, size: 0, modified: 0)
        all.append(SourceFile(path: "-", status: status))
      }
    }

    /// Nil where standard input is among them.
    public var files: SourceFiles? { streams.isEmpty ? all : nil }

    /// Standard input is `-`.
    package var names: PathList { all.paths }

    public var startIndex: Int { 0 }
    public var endIndex: Int { all.count }

    public subscript(index: Int) -> Source {
      streams.contains(index) ? .standardInput : .file(all[index])
    }
  }
}
