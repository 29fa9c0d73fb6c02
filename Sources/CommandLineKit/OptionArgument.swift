package import Posix

/// An option's argument as bytes, with the conversions that name the option when they fail.
package struct OptionArgument: Hashable, Sendable {
  /// The option the way it was given: `--bytes`, also if it was abbreviated, or `-b`.
  package let option: String
  /// The bytes; empty where none were given.
  package let value: FilePath
  /// Whether there is an argument; false for flags and for optional ones left out.
  package let isGiven: Bool

  package init(option: String, value: FilePath?) {
    self.option = option
    self.value = value ?? ""
    isGiven = value != nil
  }
}

extension OptionArgument {
  /// The argument as text; throws where it is not UTF-8.
  package var text: String {
    get throws(UsageError) {
      guard let text = value.string else { throw refused("is not UTF-8") }
      return text
    }
  }

  /// The argument as a size in bytes; see ``ByteSize``.
  package var size: Int64 {
    get throws(UsageError) { try parsed(ByteSize.parse) }
  }

  /// The argument as some bytes of a whole; see ``ByteRange``.
  package var range: ByteRange {
    get throws(UsageError) { try parsed(ByteRange.parse) }
  }

  /// The argument as a span of time; see ``TimeSpan``.
  package var time: Duration {
    get throws(UsageError) { try parsed(TimeSpan.parse) }
  }

  private func parsed<Value>(
    _ parse: (FilePath) throws(UsageError) -> Value
  ) throws(UsageError) -> Value {
    do { return try parse(value) } catch { throw UsageError("\(option): \(error.message)") }
  }

  /// The argument as a decimal number without a sign.
  package func number(in range: ClosedRange<Int>) throws(UsageError) -> Int {
    let isDecimal = value.bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isDecimal, let number = value.string.flatMap({ Int($0) }), range.contains(number) else {
      throw refused("is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The argument as one of an enumeration's cases.
  package func choice<Value: RawRepresentable<String>>(
    of values: [Value]
  ) throws(UsageError) -> Value {
    try check(isOneOf: values.map(\.rawValue))
    guard let value = Value(rawValue: try text) else { throw refused("is not known") }
    return value
  }

  /// What stands between the commas, each as if it were the option's only argument.
  package var items: [OptionArgument] {
    value.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      OptionArgument(option: option, value: FilePath(bytes: $0))
    }
  }

  /// The error `--option: 'argument' is not …`.
  package func refused(_ reason: String) -> UsageError {
    UsageError("\(option): '\(value)' \(reason)")
  }

  /// Throws where the argument is not one of the values.
  package func check(isOneOf values: [String]) throws(UsageError) {
    guard isGiven, !values.isEmpty else { return }
    guard let text = value.string, values.contains(text) else {
      let question = Suggestion.question(for: value.string, in: values)
      throw refused("is not one of \(values.joined(separator: ", "))\(question)")
    }
  }
}
