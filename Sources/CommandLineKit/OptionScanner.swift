import CPlatform
import Posix

/// The options and operands of a command line, in the order in which they stand.
struct OptionScan {
  struct Occurrence {
    /// The option's place in the table.
    var row: Int
    var argument: OptionArgument
  }

  var occurrences: [Occurrence] = []
  var operands: [FilePath] = []
  /// Why the scan ended early.
  var failure: UsageError?
}

/// Takes a command line apart with the C library's `getopt_long(3)`.
struct OptionScanner {
  let options: [OptionRow]
  var stopAtFirstOperand = false

  /// A long option's value is its row behind this, out of the way of every short one.
  static let firstLong: CInt = 256

  /// getopt_long keeps its place in variables of the whole process.
  private static let getopt = Locked(())

  func scan(_ arguments: [FilePath]) -> OptionScan {
    // getopt_long would print the program's name, but is told not to print.
    withCStrings(["cleave"] + arguments) { argv in
      withCStrings(options.map { FilePath($0.long) }) { names in
        let longs = longOptions(names)
        return Self.getopt.withLock { _ in
          scan(argv, count: CInt(arguments.count + 1), longs: longs)
        }
      }
    }
  }

  private func scan(_ argv: CStrings, count: CInt, longs: [option]) -> OptionScan {
    var scan = OptionScan()
    var next: CInt = 0
    while true {
      let found = cplatform_getopt(count, argv, shortOptions, longs, next)
      next = found.next
      if found.value == -1 { break }
      guard let occurrence = occurrence(found) else {
        scan.failure = OptionFailure(options: options, found: found, argv: argv).error
        return scan
      }
      scan.occurrences.append(occurrence)
    }
    scan.operands = (next..<count).compactMap { argv[Int($0)].map { FilePath(cString: $0) } }
    return scan
  }

  private func occurrence(_ found: cplatform_option) -> OptionScan.Occurrence? {
    guard let row = options.row(forValue: found.value) else { return nil }
    let name = found.value >= Self.firstLong ? options[row].longName : options[row].shortName
    let value = found.argument.map { FilePath(cString: $0) }
    return .init(row: row, argument: OptionArgument(option: name, value: value))
  }

  /// `+:b:fh`: a plus ends the scan at the first operand, and a colon keeps a missing argument
  /// from being taken for an unknown option.
  private var shortOptions: String {
    options.reduce(into: stopAtFirstOperand ? "+:" : ":") { text, row in
      guard let short = row.short else { return }
      text.append(short)
      // One that may be left out stands behind the long name alone.
      if case .required = row.argument { text += ":" }
    }
  }

  private func longOptions(_ names: CStrings) -> [option] {
    let rows = options.enumerated().map { index, row in
      let hasArgument =
        switch row.argument {
        case .none: no_argument
        case .required: required_argument
        case .optional: optional_argument
        }
      let value = Self.firstLong + CInt(index)
      return option(name: names[index], has_arg: hasArgument, flag: nil, val: value)
    }
    return rows + [option()]
  }
}

extension [OptionRow] {
  /// The row that a value of getopt_long's stands for.
  func row(forValue value: CInt) -> Int? {
    if value >= OptionScanner.firstLong {
      let row = Int(value - OptionScanner.firstLong)
      return indices.contains(row) ? row : nil
    }
    return firstIndex { $0.short.flatMap(\.asciiValue).map(CInt.init) == value }
  }
}

extension OptionRow {
  /// The name with its dashes.
  package var longName: String { "--\(long)" }
  /// The short name with its dash; the long one where there is none.
  var shortName: String { short.map { "-\($0)" } ?? longName }
}
