internal import Posix

extension PartSeries {
  /// Parts by their numbers, each of which is made where it is asked for.
  public struct Parts: RandomAccessCollection, Hashable, Sendable {
    /// The parts as files.
    public private(set) var files = SourceFiles()
    private(set) var numbers: [Int64] = []

    init() {}

    mutating func append(_ part: Part) {
      files.append(SourceFile(path: part.path, status: part.status))
      numbers.append(part.number)
    }

    /// Makes room for so many.
    mutating func reserveCapacity(_ count: Int) {
      files.reserveCapacity(count)
      numbers.reserveCapacity(count)
    }

    /// Those with some numbers; shares the memory of these where it is all of them.
    func keeping(_ isKept: (Int64) -> Bool) -> Parts {
      if numbers.allSatisfy(isKept) { return self }
      var kept = Parts()
      for index in indices where isKept(numbers[index]) { kept.append(self[index]) }
      return kept
    }

    /// Where the part with a number is; nil where there is none.
    func index(ofNumber number: Int64) -> Int? {
      let index = numbers.partitioningIndex { $0 >= number }
      return index < numbers.count && numbers[index] == number ? index : nil
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { numbers.count }

    public subscript(index: Int) -> Part {
      Part(path: files.paths[index], number: numbers[index], status: files.statuses[index])
    }
  }
}
