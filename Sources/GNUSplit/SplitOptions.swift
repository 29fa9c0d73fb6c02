package import Cleave
package import Posix

/// What a command line of GNU `split` asks for.
package struct SplitOptions {
  /// The way to split. `chunk` is the only one that is wanted, from 1, on standard output.
  package enum Mode: Hashable, Sendable {
    case bytes(Int64)
    case lines(Int64)
    case lineBytes(Int64)
    case chunks(Int64, chunk: Int64?)
    case lineChunks(Int64, chunk: Int64?)
    case roundRobin(Int64, chunk: Int64?)
  }

  package var mode = Mode.lines(1000)
  package var suffixLength: Int64 = 0
  package var alphabet = PartAlphabet.letters
  /// The digits of the first suffix, without zeros in front.
  package var start: [UInt8]?
  package var additionalSuffix = FilePath("")
  package var separator = UInt8(ascii: "\n")
  package var elidesEmpty = false
  package var isUnbuffered = false
  package var isVerbose = false
  package var filter: FilePath?
  /// The most bytes to read at a time; nil where that is not said.
  package var blockSize: Int64?
  package var input = FilePath("-")
  package var prefix = FilePath("x")
  package var wantsHelp = false
  package var wantsVersion = false

  // What is known only while options are read.
  private var typed: Typed?
  private var hasSeparator = false

  /// Which option said how to split; an obsolete one is a number whose digits are options.
  private enum Typed { case digits(Int64, word: Int), other }

  /// Reads the command line, without the program's name.
  package init(_ words: [FilePath]) throws(SplitFailure) {
    var scanner = OptionWords(words, short: Self.short, long: Self.long)
    while let found = try scanner.next() {
      try take(found)
      if wantsHelp || wantsVersion { return }
    }
    if case .digits(let count, _)? = typed { mode = .lines(count) }
    if chunk != nil, filter != nil {
      throw .init("--filter does not process a chunk extracted to stdout", isUsage: true)
    }
    if mode == .lines(0) {
      throw .init("invalid number of lines: ", Quoting.text([UInt8(ascii: "0")]), isUsage: true)
    }
    try checkLength()
    let operands = scanner.operands
    if operands.count > 0 { input = operands[0] }
    if operands.count > 1 { prefix = operands[1] }
    if operands.count > 2 {
      throw .init("extra operand ", Quoting.text(operands[2].bytes), isUsage: true)
    }
    if let start, Int64(start.count) > digits {
      throw .init(
        "numerical suffix start value is too large for the suffix length",
        isUsage: true
      )
    }
  }

  /// The only chunk that is wanted.
  package var chunk: Int64? {
    switch mode {
    case .bytes, .lines, .lineBytes: nil
    case .chunks(_, let chunk), .lineChunks(_, let chunk), .roundRobin(_, let chunk): chunk
    }
  }

  /// The number of outputs, where that is said.
  package var count: Int64? {
    switch mode {
    case .bytes, .lines, .lineBytes: nil
    case .chunks(let count, _), .lineChunks(let count, _), .roundRobin(let count, _): count
    }
  }

  // MARK: - Suffixes

  /// Digits of the first suffix.
  package var digits: Int64 { suffixLength > 0 ? suffixLength : max(2, digitsNeeded) }

  /// Whether suffixes grow longer than they began.
  package var suffixesWiden: Bool { suffixLength == 0 && start == nil && count == nil }

  /// Digits for the number of outputs; 0 where that is not said.
  private var digitsNeeded: Int64 {
    guard let count else { return 0 }
    var last = count - 1
    // Only a start below the number counts, so that runs with different starts sort.
    if let start, let first = SplitNumber(start[...], units: false), first.rest.isEmpty,
      !first.overflows, first.value < count
    {
      last = last.addingReportingOverflow(first.value).overflow ? .max : last &+ first.value
    }
    return Int64(SuffixSequence.length(for: last, alphabet))
  }

  private func checkLength() throws(SplitFailure) {
    guard suffixLength > 0, suffixLength < digitsNeeded else { return }
    throw .init("the suffix length needs to be at least \(digitsNeeded)")
  }
}

// MARK: - One option

extension SplitOptions {
  private static let short: [Character: OptionWords.Argument] = {
    var table: [Character: OptionWords.Argument] = ["d": .none, "e": .none, "u": .none, "x": .none]
    for letter in "0123456789" { table[letter] = OptionWords.Argument.none }
    for letter in "Cablnt" { table[letter] = .required }
    return table
  }()

  /// In the order in which ambiguous ones are listed.
  private static let long: [(name: String, argument: OptionWords.Argument, option: Character)] = [
    ("bytes", .required, "b"), ("lines", .required, "l"), ("line-bytes", .required, "C"),
    ("number", .required, "n"), ("elide-empty-files", .none, "e"), ("unbuffered", .none, "u"),
    ("suffix-length", .required, "a"), ("additional-suffix", .required, "A"),
    ("numeric-suffixes", .optional, "d"), ("hex-suffixes", .optional, "x"),
    ("filter", .required, "F"), ("verbose", .none, "v"), ("separator", .required, "t"),
    ("-io-blksize", .required, "I"), ("help", .none, "h"), ("version", .none, "V"),
  ]

  private mutating func take(_ found: OptionWords.Found) throws(SplitFailure) {
    let value = found.argument ?? ""
    switch found.option {
    case "a": suffixLength = try limited(value, from: 0, to: .max, "invalid suffix length")
    case "A": try takeAdditionalSuffix(value)
    case "b":
      try claim()
      mode = .bytes(try positive(value.bytes[...], units: true, "invalid number of bytes"))
    case "l":
      try claim()
      mode = .lines(try positive(value.bytes[...], units: false, "invalid number of lines"))
    case "C":
      try claim()
      mode = .lineBytes(try positive(value.bytes[...], units: true, "invalid number of lines"))
    case "n": try takeChunks(value)
    case "t": try takeSeparator(value)
    case "0"..."9": try takeDigit(found)
    case "d": try takeAlphabet(.decimal, found.argument, "numerical")
    case "x": try takeAlphabet(.hexadecimal, found.argument, "hexadecimal")
    case "I":
      blockSize = try limited(value, from: 1, to: Self.mostBlockSize, "invalid IO block size")
    case "e": elidesEmpty = true
    case "u": isUnbuffered = true
    case "F": filter = value
    case "v": isVerbose = true
    case "h": wantsHelp = true
    default: wantsVersion = true
    }
  }

  /// The most that Linux reads at a time, in whole MiB.
  private static let mostBlockSize: Int64 = 2047 << 20

  /// Only one option may say how to split.
  private mutating func claim() throws(SplitFailure) {
    if typed != nil { throw .init("cannot split in more than one way", isUsage: true) }
    typed = .other
  }

  private mutating func takeDigit(_ found: OptionWords.Found) throws(SplitFailure) {
    let digit = found.option.wholeNumberValue.map { Int64($0) } ?? 0
    var number: Int64 = 0
    switch typed {
    case .other: throw .init("cannot split in more than one way", isUsage: true)
    // A second number replaces the first one.
    case .digits(let count, let word): if word == found.word { number = count }
    case nil: break
    }
    let tenfold = number.multipliedReportingOverflow(by: 10)
    let sum = tenfold.partialValue.addingReportingOverflow(digit)
    let count = tenfold.overflow || sum.overflow ? .max : sum.partialValue
    typed = .digits(count, word: found.word)
  }

  private mutating func takeChunks(_ value: FilePath) throws(SplitFailure) {
    try claim()
    var text = value.bytes.drop { $0 == 32 || (9...13).contains($0) }
    var make = { (count: Int64, chunk: Int64?) in Mode.chunks(count, chunk: chunk) }
    if text.starts(with: "r/".utf8) {
      make = { .roundRobin($0, chunk: $1) }
      text = text.dropFirst(2)
    } else if text.starts(with: "l/".utf8) {
      make = { .lineChunks($0, chunk: $1) }
      text = text.dropFirst(2)
    }
    let number = SplitNumber(text, units: false)
    guard let number, !number.overflows, number.rest.first == UInt8(ascii: "/") else {
      mode = make(try positive(text, units: false, "invalid number of chunks"), nil)
      return
    }
    let count = try positive(number.rest.dropFirst(), units: false, "invalid number of chunks")
    guard (1...count).contains(number.value) else {
      let typed = Array(text.dropLast(number.rest.count))
      throw .init("invalid chunk number: ", Quoting.text(typed))
    }
    mode = make(count, number.value)
  }

  private mutating func takeSeparator(_ value: FilePath) throws(SplitFailure) {
    guard let first = value.bytes.first else { throw .init("empty record separator") }
    var byte = first
    if value.bytes.count > 1 {
      guard value == #"\0"# else {
        throw .init("multi-character separator ", Quoting.text(value.bytes))
      }
      byte = 0
    }
    if hasSeparator, byte != separator { throw .init("multiple separator characters specified") }
    (separator, hasSeparator) = (byte, true)
  }

  private mutating func takeAdditionalSuffix(_ value: FilePath) throws(SplitFailure) {
    if value.bytes.contains(UInt8(ascii: "/")) {
      let name = Quoting.text(value.bytes)
      throw .init("invalid suffix ", name, ", contains directory separator", isUsage: true)
    }
    additionalSuffix = value
  }

  /// Those of upper case are none.
  private static func digits(of alphabet: PartAlphabet) -> String.UTF8View {
    (alphabet == .decimal ? "0123456789" : "0123456789abcdef").utf8
  }

  private mutating func takeAlphabet(
    _ alphabet: PartAlphabet,
    _ value: FilePath?,
    _ kind: String
  ) throws(SplitFailure) {
    self.alphabet = alphabet
    guard let value else { return }
    guard value.bytes.allSatisfy(Self.digits(of: alphabet).contains) else {
      let told = ": invalid start value for \(kind) suffix"
      throw .init("", Quoting.text(value.bytes), told, isUsage: true)
    }
    let digits = value.bytes.drop { $0 == UInt8(ascii: "0") }
    start = digits.isEmpty ? value.bytes.suffix(1) : Array(digits)
  }

  // MARK: - Numbers

  /// A number of at least 1; one that is too large is the largest.
  private func positive(
    _ text: ArraySlice<UInt8>,
    units: Bool,
    _ complaint: String
  ) throws(SplitFailure) -> Int64 {
    let number = SplitNumber(text, units: units)
    if let number, number.rest.isEmpty, number.value > 0 { return number.value }
    let cause = number?.digitsOverflow == true ? ": \(Errno.outOfRange)" : ""
    throw .init("\(complaint): ", Quoting.text(Array(text)), cause)
  }

  /// A number between two others; one that is too large is refused.
  private func limited(
    _ text: FilePath,
    from least: Int64,
    to most: Int64,
    _ complaint: String
  ) throws(SplitFailure) -> Int64 {
    let hasUnits = least > 0
    let number = SplitNumber(text.bytes[...], units: hasUnits)
    if let number, number.rest.isEmpty, !number.overflows, (least...most).contains(number.value) {
      return number.value
    }
    // A minus sign is no number of a size.
    let isSigned = hasUnits && text.bytes.contains(UInt8(ascii: "-"))
    var cause = ""
    if let number, number.rest.isEmpty, !isSigned {
      let isHuge = number.overflows || number.value.magnitude > UInt64(Int32.max / 2)
      cause = ": \(isHuge ? Errno.tooLarge : .outOfRange)"
    }
    throw .init("\(complaint): ", Quoting.text(text.bytes), cause)
  }
}
