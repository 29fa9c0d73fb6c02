extension NamingStyle {
  /// Every form of names that is known, most specific first.
  static let table: [NamingStyle] = exact + foreign + numbered + worded + lettered + weak

  // MARK: Names that no other thing has

  private static let exact = [
    NamingStyle(family: .splitZip, joining: .rewritten, firsts: 1...1),
    NamingStyle(family: .zipx, joining: .rewritten, firsts: 1...1),
    NamingStyle(
      family: .rcloneChunks,
      patterns: [NamePattern(stem, .words([".rclone_chunk."]), number(3))],
      joining: .bytes
    ),
  ]

  // MARK: Numbers at the end

  private static let numbered = [
    // `split -d X.zip X.z`: a split zip has no part 0.
    NamingStyle(
      family: .zipPieces,
      patterns: [NamePattern(stem, .words([".z"]), number(2), whole: ".zip")],
      joining: .withFirst,
      firsts: 0...0
    ),
    NamingStyle(
      family: .ofTotal,
      patterns: [
        NamePattern(
          stem,
          .run(". _(-["),
          .words(partWords),
          .run(" _.-"),
          number(1),
          .run(" _-"),
          .words(["of"]),
          .run(" _-"),
          .total,
          .optional(")]"),
          .ending
        )
      ],
      joining: .bytes,
      firsts: 1...1
    ),
    // Disks of game consoles: X.66600, X.66601 …; X.wbfs, X.wbf1 …; X.xc0, X.xc1 …; X.ns0, X.ns1 ….
    NamingStyle(
      family: .dumps,
      patterns: [NamePattern(stem, .one(of: "."), exactly(5))],
      joining: .withFirst,
      firsts: 66_600...66_600
    ),
    NamingStyle(
      family: .dumps,
      patterns: [
        NamePattern(stem, .words([".wbf"]), .number(1...1, .afterS), whole: ".wbfs"),
        NamePattern(stem, .words([".xc"]), exactly(1), whole: ".xci"),
        NamePattern(stem, .words([".ns"]), exactly(1), whole: ".nsp"),
      ],
      joining: .withFirst,
      firsts: 0...0
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
  ]

  // MARK: Words in front of the number

  private static let worded = [
    NamingStyle(
      family: .partWord,
      patterns: [hexadecimalDigits, number(1)].map { number in
        NamePattern(
          stem,
          .one(of: "._-"),
          .words(["sf-part", "part", "split", "seg", "chunk"]),
          .optional("._-"),
          number,
          .ending
        )
      },
      joining: .bytes
    ),
    // `split -x -a 1`; behind a dot, any letter may be a file type.
    NamingStyle(
      family: .hexadecimal,
      patterns: [NamePattern(stem, .one(of: "."), .number(1...1, .hexadecimal))],
      joining: .withEvidence,
      firsts: 0...0
    ),
    NamingStyle(
      family: .digit,
      patterns: [NamePattern(stem, .one(of: "."), exactly(1))],
      joining: .withEvidence
    ),
    NamingStyle(
      family: .partWord,
      patterns: [
        NamePattern(stem, .one(of: "._-"), .words(otherWords), .optional("._-"), number(1)),
        NamePattern(.words(partWords), .optional("._- "), number(1)),
      ],
      joining: .withEvidence
    ),
  ]

  /// What parts are called in the languages of those who cut files by hand, longest first.
  private static let partWords = [
    "segment", "sf-part", "partie", "parte", "chunk", "piece", "split", "part", "teil", "deel",
    "seg",
  ]

  /// The same, and what more things are called.
  private static let otherWords = partWords + ["volume", "vol", "pt", "p"]

  // MARK: Letters

  private static let lettered = [
    NamingStyle(
      family: .partLetters,
      patterns: [
        NamePattern(
          stem,
          .one(of: "._-"),
          .words(["part", "split", "chunk", "seg"]),
          .optional("._-"),
          .number(1...13, .letters),
          .ending
        )
      ],
      joining: .withFirst,
      firsts: 0...0
    ),
    NamingStyle(
      family: .letters,
      patterns: [
        NamePattern(.stem(mayBeEmpty: true), .number(2...13, .letters), .ending),
        NamePattern(stem, .one(of: "._-"), .number(1...1, .letters)),
      ],
      joining: .withFirst,
      firsts: 0...0
    ),
  ]

  // MARK: Names that most other files have, too

  private static let weak = [
    // Of a DVD, number 0 is the menu.
    NamingStyle(
      family: .dashDigits,
      patterns: [NamePattern(.words(["vts_"]), stem, .one(of: "_"), exactly(1), .types([".vob"]))],
      joining: .withSizes,
      firsts: 1...1,
      lowest: 1
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
    NamingStyle(
      family: .ofTotal,
      patterns: [
        NamePattern(
          stem,
          .run(" ._(-["),
          .one(of: " ._(-["),
          number(1),
          .run(" _-"),
          .words(["of"]),
          .run(" _-"),
          .total,
          .optional(")]"),
          .ending
        )
      ],
      joining: .withSizes
    ),
    NamingStyle(
      family: .partWord,
      patterns: [
        NamePattern(
          stem,
          .one(of: "._-"),
          .words(otherWords),
          .optional("._-"),
          number(1),
          .fileType
        ),
        NamePattern(
          stem,
          .run(" ._-"),
          .one(of: " "),
          .words(partWords),
          .optional(" ._-"),
          number(1),
          .ending
        ),
        NamePattern(.words(partWords), .optional("._- "), number(1), .fileType),
      ],
      joining: .withSizes
    ),
    NamingStyle(
      family: .numbers,
      patterns: [NamePattern(stem, .one(of: "."), number(2), .fileType)],
      joining: .withSizes
    ),
    NamingStyle(
      family: .hexadecimal,
      patterns: [NamePattern(stem, .one(of: "."), hexadecimal, .fileType)],
      joining: .withSizes
    ),
    NamingStyle(
      family: .digit,
      patterns: [NamePattern(stem, .one(of: "."), exactly(1), .fileType)],
      joining: .withSizes
    ),
    NamingStyle(
      family: .dashDigits,
      patterns: [
        NamePattern(stem, .one(of: "-_"), .number(1...1, .hexadecimal)),
        NamePattern(stem, .one(of: "-_"), exactly(1)),
        NamePattern(stem, .one(of: "-_"), hexadecimalDigits, .fileType),
        NamePattern(stem, .one(of: "-_"), number(1), .fileType),
      ],
      joining: .withSizes
    ),
    NamingStyle(
      family: .digits,
      patterns: [hexadecimal, number(2)].map {
        NamePattern(.stem(mayBeEmpty: true), $0, .fileType)
      },
      joining: .withSizes,
      firsts: 0...0
    ),
  ]

  // MARK: Pieces

  static let stem = NamePattern.Piece.stem(mayBeEmpty: false)

  static let hexadecimal = NamePattern.Piece.number(2...15, .hexadecimal)

  private static let hexadecimalDigits = NamePattern.Piece.number(1...15, .hexadecimal)

  static func number(_ fewest: Int) -> NamePattern.Piece {
    .number(fewest...PartAlphabet.decimal.maximumWidth, .decimal)
  }

  static func exactly(_ width: Int) -> NamePattern.Piece {
    .number(width...width, .decimal)
  }
}
