import Cleave
import CommandLineKit
import Posix

/// What parts are called.
struct NamingSettings: Sendable {
  /// Digits of parts' numbers; nil for as many as they need.
  var suffixLength: Int?
  /// Nil for numbers from 1.
  var suffixes: PartSuffixes?
  var additionalSuffix = FilePath("")

  /// What is behind the prefix.
  var partSuffixes: PartSuffixes {
    var made = suffixes ?? PartSuffixes()
    (made.length, made.ending) = (suffixLength, additionalSuffix)
    return made
  }
}

extension Option<NamingSettings> {
  private static var heading: String { "Names" }

  static var all: [Option] {
    [
      .value(
        "suffix-length",
        short: "a",
        "LEN",
        group: heading,
        help:
          "Number parts with at least LEN digits; by default with as many as the last part of a "
          + "file needs, and at least 3.",
        sets: \.suffixLength
      ) { argument throws(UsageError) in try argument.number(in: 1...9) },
      numbers(
        "numeric-suffixes",
        short: "d",
        .decimal,
        "Number parts as split -d does, directly behind PREFIX: 00, 01 …; or from FROM on."
      ),
      numbers(
        "hex-suffixes",
        short: "x",
        .hexadecimal,
        "Number parts as split -x does, directly behind PREFIX: 00 … 09, 0a …; or from FROM on."
      ),
      Option(
        "alphabetic-suffixes",
        group: heading,
        help: "Name parts as split does by default: aa, ab …, directly behind PREFIX."
      ) { settings, _ in settings.suffixes = PartSuffixes(.letters) },
      .value(
        "additional-suffix",
        "SUFFIX",
        group: heading,
        help: "End the names of all parts in SUFFIX, such as .csv.",
        sets: \.additionalSuffix
      ) { argument throws(UsageError) in
        guard !argument.value.bytes.contains(UInt8(ascii: "/")) else {
          throw argument.refused("has a slash in it, and cannot be the end of a name")
        }
        return argument.value
      },
    ]
  }

  private static func numbers(
    _ name: String,
    short: Character,
    _ alphabet: PartAlphabet,
    _ help: String
  ) -> Option {
    Option(
      name,
      short: short,
      .optional("FROM"),
      group: heading,
      help: help
    ) { settings, argument throws(UsageError) in
      guard argument.isGiven else {
        settings.suffixes = PartSuffixes(alphabet)
        return
      }
      guard let digits = PartDigits(argument.value.bytes, alphabet), digits.width <= 9 else {
        let kind = alphabet == .hexadecimal ? "hexadecimal number" : "number"
        throw argument.refused("is not a \(kind) of at most 9 digits")
      }
      settings.suffixes = PartSuffixes(alphabet, from: digits.number)
    }
  }
}
