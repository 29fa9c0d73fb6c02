package import Posix

/// How the parts of one family of names are called, counted and put together: a row of
/// ``NamingStyle/table``.
public struct NamingStyle: Sendable {
  /// The families, by the names that messages and `--as` use.
  public enum Family: String, CaseIterable, Sendable {
    case splitZip = "split-zip"
    case zipx
    case rcloneChunks = "rclone"
    case rar
    case gguf
    case gsplit
    case takeout
    case ofTotal = "n-of-m"
    case hexadecimal
    case numbers
    case digit
    case partWord = "part"
    case partLetters = "part-letters"
    case letters
    case dashDigits = "dash"
    case digits
  }

  /// What may be done with the parts.
  enum Joining: Sendable {
    /// They are joined as they are.
    case bytes
    /// The same, but only where a manifest, the sizes or what is inside bear it out: names alone are
    /// those of other things, too, such as rotated logs.
    case withEvidence
    /// The same, but only where the first part is there, and another one.
    case withFirst
    /// Joining is not enough: headers are written anew.
    case rewritten
    /// They are not to be joined; the reason, and what to use instead.
    case never(String)
  }

  let family: Family
  let patterns: [NamePattern]
  let joining: Joining
  /// The numbers that the first part may have.
  var firsts: ClosedRange<Int64> = 0...1

  /// Whether parts of the family can be joined as they are.
  var isJoined: Bool {
    switch joining {
    case .bytes, .withEvidence, .withFirst: true
    case .rewritten, .never: false
    }
  }

  /// Whether the parts must not be joined.
  var isRefused: Bool { if case .never = joining { true } else { false } }

  /// Whether a name of the family alone says that it is a part's.
  var isCertain: Bool { if case .bytes = joining { true } else { family == .digit } }

  /// The families that `--as` can ask for.
  public static let joinedFamilies = table.filter(\.isJoined).map(\.family)

  /// The row of a family.
  static func of(_ family: Family) -> NamingStyle {
    // Tests see that every family has one.
    table.first { $0.family == family } ?? table[0]
  }

  /// - Throws: `.badData` for a name of which the parts must not be joined, with what to use instead.
  package static func refuse(_ path: FilePath) throws(CleaveError) {
    guard case .never(let reason) = first(of: path)?.joining else { return }
    throw CleaveError(.badData, path, "\(reason); --format=raw joins the bytes")
  }

  /// The most specific row that a name has the form of.
  static func first(of path: FilePath) -> NamingStyle? {
    let name = path.lastComponent
    return table.first { row in row.patterns.contains { !$0.matches(name).isEmpty } }
  }
}

// MARK: - The table

extension NamingStyle {
  /// Every family that is known, most specific first.
  static let table: [NamingStyle] = [
    NamingStyle(
      family: .splitZip,
      patterns: [NamePattern(stem, .words([".z"]), number(2))],
      joining: .rewritten,
      firsts: 1...1
    ),
    NamingStyle(
      family: .zipx,
      patterns: [NamePattern(stem, .words([".zx"]), number(2))],
      joining: .rewritten,
      firsts: 1...1
    ),
    NamingStyle(
      family: .rcloneChunks,
      patterns: [NamePattern(stem, .words([".rclone_chunk."]), number(3))],
      joining: .bytes
    ),
    NamingStyle(
      family: .rar,
      patterns: [
        NamePattern(stem, .words([".part"]), number(1), .words([".rar"])),
        NamePattern(stem, .words([".rar"])),
        NamePattern(stem, .one(of: "."), .one(of: "rstuvwxyz"), .number(2...2, .decimal)),
      ],
      joining: .never(
        "is a RAR volume, which has headers of its own: 'unrar x' unpacks it with the others"
      )
    ),
    NamingStyle(
      family: .gguf,
      patterns: [
        NamePattern(
          stem,
          .one(of: "-"),
          .number(5...5, .decimal),
          .words(["-of-"]),
          .total,
          .words([".gguf"])
        )
      ],
      joining: .never(
        "is a shard with a GGUF header of its own: 'llama-gguf-split --merge FIRST OUT' joins them"
      )
    ),
    NamingStyle(
      family: .gsplit,
      patterns: [NamePattern(stem, .words([".gsd"]))],
      joining: .never("is a piece with headers of GSplit's own: GSplit or its GUnite joins them")
    ),
    NamingStyle(
      family: .takeout,
      patterns: [
        NamePattern(
          .words(["takeout-"]),
          stem,
          .one(of: "-"),
          .number(3...3, .decimal),
          .words([".zip", ".tgz"])
        )
      ],
      joining: .never(
        "is a whole archive, like each of its kind: unpack them one by one into the same directory"
      )
    ),
    NamingStyle(
      family: .ofTotal,
      patterns: [
        NamePattern(
          stem,
          .run(". _(-"),
          .words(["part"]),
          .run(" _.-"),
          number(1),
          .run(" _-"),
          .words(["of"]),
          .run(" _-"),
          .total,
          .optional(")"),
          .ending
        )
      ],
      joining: .bytes,
      firsts: 1...1
    ),
    NamingStyle(
      family: .hexadecimal,
      patterns: [NamePattern(stem, .one(of: "."), hexadecimal)],
      joining: .withFirst
    ),
    NamingStyle(
      family: .numbers,
      patterns: [NamePattern(stem, .one(of: "."), number(2))],
      joining: .bytes
    ),
    NamingStyle(
      family: .partWord,
      patterns: [hexadecimal, number(1)].map { number in
        NamePattern(
          stem,
          .one(of: "._-"),
          .words(["part", "split", "seg", "chunk", "sf-part"]),
          .optional("._-"),
          number,
          .ending
        )
      },
      joining: .bytes
    ),
    NamingStyle(
      family: .digit,
      patterns: [NamePattern(stem, .one(of: "."), .number(1...1, .decimal))],
      joining: .withEvidence
    ),
    NamingStyle(
      family: .partLetters,
      patterns: [
        NamePattern(
          stem,
          .one(of: "._-"),
          .words(["part"]),
          .optional("._-"),
          .number(2...13, .letters),
          .ending
        )
      ],
      joining: .withFirst,
      firsts: 0...0
    ),
    NamingStyle(
      family: .letters,
      patterns: [NamePattern(.stem(mayBeEmpty: true), .number(2...13, .letters), .ending)],
      joining: .withFirst,
      firsts: 0...0
    ),
    NamingStyle(
      family: .dashDigits,
      patterns: [hexadecimal, number(2)].map { NamePattern(stem, .one(of: "-_"), $0) },
      joining: .withEvidence
    ),
    NamingStyle(
      family: .digits,
      patterns: [hexadecimal, number(2)].map { NamePattern(.stem(mayBeEmpty: true), $0) },
      joining: .withEvidence,
      firsts: 0...0
    ),
  ]

  private static let stem = NamePattern.Piece.stem(mayBeEmpty: false)

  private static let hexadecimal = NamePattern.Piece.number(2...15, .hexadecimal)

  private static func number(_ fewest: Int) -> NamePattern.Piece {
    .number(fewest...PartAlphabet.decimal.maximumWidth, .decimal)
  }
}
