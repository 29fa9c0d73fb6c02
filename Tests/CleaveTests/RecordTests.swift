import Cleave
import Posix
import TestSupport
import Testing

/// Where parts end. What is expected is computed byte by byte, in the plainest way.
struct RecordTests {
  private static let seed = SeededGenerator.seed

  private func scanner(_ bytes: [UInt8], _ separator: UInt8, buffered: Int) -> RecordScanner {
    RecordScanner(separator: separator, buffered: buffered) { buffer, offset in
      let rest = bytes.dropFirst(Int(offset)).prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    }
  }

  /// Cut as a stream, in pieces of random sizes.
  private func streamed(
    _ bytes: [UInt8],
    _ rule: RecordRule,
    _ separator: UInt8,
    _ generator: inout SeededGenerator
  ) -> [[UInt8]] {
    var cutter = StreamCutter(rule, separator: separator)
    var (parts, open, held) = ([[UInt8]](), [UInt8]?.none, [UInt8]())
    var place = 0
    while place < bytes.count {
      var piece = bytes[place..<min(bytes.count, place + Int.random(in: 1...40, using: &generator))]
      place = piece.endIndex
      while !piece.isEmpty {
        let step = Array(piece).withUnsafeBytes { cutter.step($0) }
        if step.releases {
          open = (open ?? []) + held
          held = []
        }
        if step.written > 0 { open = (open ?? []) + piece.prefix(step.written) }
        held += piece.dropFirst(step.written).prefix(step.held)
        piece = piece.dropFirst(step.written + step.held)
        if step.ends {
          parts.append(open ?? [])
          open = held.isEmpty ? nil : held
          held = []
        }
      }
    }
    var missing = cutter.missing
    if open != nil || !held.isEmpty {
      parts.append((open ?? []) + held)
      missing = max(0, missing - 1)
    }
    return parts + [[UInt8]](repeating: [], count: Int(missing))
  }

  /// Byte by byte.
  private func plainly(_ bytes: [UInt8], _ rule: RecordRule, _ separator: UInt8) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = bytes[...]
    func take(_ count: Int) {
      parts.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    switch rule {
    case .bytes(let size): while !rest.isEmpty { take(Int(min(size, Int64(rest.count)))) }
    case .records(let count):
      while !rest.isEmpty {
        let ends = rest.indices.filter { rest[$0] == separator }
        take(ends.count < count ? rest.count : ends[Int(count) - 1] + 1 - rest.startIndex)
      }
    case .recordBytes(let size):
      while !rest.isEmpty {
        if rest.count < size {
          take(rest.count)
        } else {
          let window = rest.prefix(Int(size))
          take(window.lastIndex(of: separator).map { $0 + 1 - rest.startIndex } ?? Int(size))
        }
      }
    case .chunks(let chunks):
      for chunk in 1...chunks.count { take(Int(chunks.range(of: chunk).count)) }
    case .recordChunks(let chunks):
      for chunk in 1...chunks.count {
        let end = Int(chunks.end(of: chunk))
        if end <= rest.startIndex { take(0); continue }
        let cut = bytes[max(rest.startIndex, end - 1)...].firstIndex(of: separator)
        take(cut.map { $0 + 1 - rest.startIndex } ?? rest.count)
      }
    }
    return parts
  }

  private func rule(_ kind: Int, size: Int, _ generator: inout SeededGenerator) -> RecordRule {
    let most: [Int64] = [3, 20, 300]
    let index = Int.random(in: 0...2, using: &generator)
    let number = Int64.random(in: 1...most[index], using: &generator)
    let chunks = EvenChunks(Int64(size), in: min(number, 40))
    return switch kind {
    case 0: .bytes(number)
    case 1: .records(number)
    case 2: .recordBytes(number)
    case 3: .chunks(chunks)
    default: .recordChunks(chunks)
    }
  }

  @Test(arguments: 0..<5) func streamsAndFilesAreCutAsTheyShallBe(kind: Int) throws {
    var generator = SeededGenerator(seed: Self.seed &+ UInt64(kind))
    for round in 0..<400 {
      let separator = [UInt8(10), 0, 120][round % 3]
      let size = [0, 1, 30, 300][Int.random(in: 0...3, using: &generator)] + round % 7
      let density = Int.random(in: 1...60, using: &generator)
      let bytes = (0..<size).map { _ in
        Int.random(in: 0..<density, using: &generator) == 0
          ? separator : UInt8.random(in: 65...90, using: &generator)
      }
      let rule = rule(kind, size: size, &generator)
      let expected = plainly(bytes, rule, separator)
      let comment = Comment("seed \(Self.seed), round \(round), \(rule), \(bytes)")
      try #require(streamed(bytes, rule, separator, &generator) == expected, comment)
      let buffered = Int.random(in: 1...50, using: &generator)
      let sizes = try sizes(
        rule,
        of: 0..<Int64(size),
        with: scanner(bytes, separator, buffered: buffered)
      )
      try #require(sizes == expected.map { Int64($0.count) }, comment)
    }
  }

  /// The sizes of all parts.
  private func sizes(
    _ rule: RecordRule,
    of range: Range<Int64>,
    with scanner: consuming RecordScanner
  ) throws -> [Int64] {
    var cuts = RecordCuts(rule, of: range, with: scanner)
    var (sizes, last) = ([Int64](), range.lowerBound)
    while let end = try cuts.next() {
      sizes.append(end - last)
      last = end
    }
    return sizes
  }

  /// Each place of a buffer of which a vector takes some.
  @Test func everySeparatorIsCounted() {
    for size in [0, 1, 63, 64, 65, 16319, 16320, 16321, 40000] {
      var bytes = [UInt8](repeating: 7, count: size)
      for place in stride(from: 0, to: size, by: 3) { bytes[place] = 10 }
      let number = (size + 2) / 3
      bytes.withUnsafeBytes { buffer in
        #expect(buffer.lastPlace(of: 10) == (number > 0 ? (number - 1) * 3 : nil))
        #expect(buffer.firstPlace(of: 10) == (number > 0 ? 0 : nil))
        for times in Set([1, 2, 22, number - 1, number]) where (1...max(1, number)).contains(times)
        {
          var left = UInt64(times)
          #expect(buffer.end(of: 10, times: &left) == (number > 0 ? (times - 1) * 3 + 1 : nil))
        }
        var left = UInt64(number) + 5
        #expect(buffer.end(of: 10, times: &left) == nil)
        #expect(left == 5)
      }
    }
  }

  @Test func hugeNumbersDoNotOverflow() throws {
    let bytes = Array("a\nb\nc".utf8)
    for rule in [RecordRule.bytes(.max), .records(.max), .recordBytes(.max)] {
      let sizes = try sizes(rule, of: 0..<5, with: scanner(bytes, 10, buffered: 2))
      #expect(sizes == [5])
      var cutter = StreamCutter(rule, separator: 10)
      let step = bytes.withUnsafeBytes { cutter.step($0) }
      #expect(step.written + step.held == 5)
      #expect(!step.ends)
    }
    let many = EvenChunks(.max, in: .max)
    #expect(many.end(of: .max) == .max)
    #expect(EvenChunks(5, in: .max).range(of: .max) == 5..<5)
  }
}
