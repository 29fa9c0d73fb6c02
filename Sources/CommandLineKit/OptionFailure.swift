import CPlatform
import Posix

/// Finds the words for what getopt_long refused; it says no more than `?` or `:`.
///
/// `optopt` is a long option's value where that option was recognized, 0 where it was not, and
/// otherwise a short option's byte. Which of `?` and `:` it was is not looked at: for an argument
/// to a flag, glibc says one and Darwin the other.
struct OptionFailure {
  let options: [OptionRow]
  let found: cplatform_option
  let argv: CStrings

  var error: UsageError {
    if found.option == 0 { return unrecognizedLong }
    if let row = options.row(forValue: found.option) {
      let isLong = found.option >= OptionScanner.firstLong
      return misused(options[row], as: isLong ? options[row].longName : options[row].shortName)
    }
    // `-film.001` is a name.
    let words = [found.next, found.next - 1].map(argument)
    let name = words.first { word in
      word.bytes.first == UInt8(ascii: "-") && word.bytes.dropFirst().first != UInt8(ascii: "-")
        && shortName.bytes.allSatisfy(word.bytes.contains)
    }
    guard let name, name.bytes.contains(UInt8(ascii: ".")) else {
      return UsageError("unknown option -\(shortName)")
    }
    return UsageError(
      "unknown option -\(shortName) in \(name); -- stands in front of names that begin with a dash"
    )
  }

  private func misused(_ row: OptionRow, as name: String) -> UsageError {
    guard let placeholder = row.placeholder, let first = placeholder.first else {
      return UsageError("\(name) takes no argument")
    }
    let article = "AEIOU".contains(first) || placeholder == "N" ? "an" : "a"
    return UsageError("\(name) needs \(article) \(placeholder)")
  }

  // MARK: Long options

  private var unrecognizedLong: UsageError {
    // The scan has gone past the argument, and moves operands only when it is called again.
    let argument = argument(at: found.next - 1)
    let name = FilePath(bytes: argument.bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "=") })
    guard !name.bytes.isEmpty else { return UsageError("unknown option \(argument)") }
    let matches = options.filter { Array($0.long.utf8).starts(with: name.bytes) }
    if matches.count > 1 {
      let names = matches.map(\.longName).joined(separator: ", ")
      return UsageError("--\(name) is ambiguous: \(names)")
    }
    let question = Suggestion.question(
      for: name.string,
      in: options.map(\.long),
      prefix: "--"
    )
    return UsageError("unknown option --\(name)\(question)")
  }

  // MARK: Short options

  /// The unknown letter: one byte, or all bytes of a character beyond ASCII.
  private var shortName: FilePath {
    // A signed char on most systems; musl's stand-in for a byte has the byte in its low bits.
    let byte = UInt8(truncatingIfNeeded: found.option)
    guard byte >= 0x80 else { return FilePath(bytes: [byte]) }
    // With bytes still to come, the scan has not gone past the argument.
    let rest = argument(at: found.next).bytes.drop { $0 != byte }
    let length = (2...4).first { String(validating: rest.prefix($0), as: UTF8.self)?.count == 1 }
    return FilePath(bytes: length.map { rest.prefix($0) } ?? [byte])
  }

  private func argument(at index: CInt) -> FilePath {
    argv[Int(index)].map { FilePath(cString: $0) } ?? ""
  }
}
