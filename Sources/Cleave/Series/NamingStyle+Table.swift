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

  // MARK: Names of parts that have headers of their own

  private static let foreign: [NamingStyle] = [
    refused(
      "has the name of a RAR volume, which has headers of its own",
      ForeignTool.rar,
      NamePattern(stem, .words([".part"]), number(1), .words([".rar"])),
      NamePattern(stem, .words([".rar"])),
      NamePattern(stem, .one(of: "."), .one(of: "rstuvwxy"), exactly(2))
    ),
    refused(
      "is a shard with a GGUF header of its own",
      ForeignTool.gguf,
      shard([".gguf"])
    ),
    refused(
      "is a shard of a model, and each is a file of its own",
      ForeignTool.model,
      shard([".safetensors", ".h5", ".msgpack", ".pt", ".pth", ".ckpt"]),
      NamePattern(
        .stem(mayBeEmpty: true),
        .words(["pytorch_model-", "pytorch_model.fp16-", "pytorch_model.bf16-"]),
        exactly(5),
        .words(["-of-"]),
        .total,
        .words([".bin"])
      ),
      NamePattern(.words(["consolidated."]), .stem(mayBeEmpty: true), exactly(2), .words([".pth"]))
    ),
    refused(
      "is one file of a data set, and each is a file of its own",
      ForeignTool.dataset,
      shard([".parquet", ".arrow"])
    ),
    refused(
      "is a shard of a TensorFlow checkpoint, which needs its index",
      ForeignTool.tensorFlow,
      NamePattern(stem, .words([".data-"]), exactly(5), .words(["-of-"]), .total)
    ),
    refused(
      "is a piece with headers of GSplit's own",
      ForeignTool.gsplit,
      NamePattern(stem, .words([".gsd"]))
    ),
    refused(
      "is a whole archive, like each of its kind",
      ForeignTool.takeout,
      NamePattern(
        .words(["takeout-"]),
        stem,
        .one(of: "-"),
        exactly(3),
        .words([".zip", ".tgz"])
      )
    ),
    refused(
      "is a part of a split WIM, with headers of its own",
      ForeignTool.wim,
      NamePattern(stem, .words([".swm"]))
    ),
    refused(
      "is a segment of an EWF image, with headers of its own",
      ForeignTool.ewf,
      NamePattern(stem, .words([".e", ".ex", ".l", ".lx"]), exactly(2))
    ),
    refused(
      "is a volume of an ARJ or ALZ archive, with headers of its own",
      ForeignTool.arj,
      NamePattern(stem, .words([".a"]), exactly(2))
    ),
    refused(
      "is a volume of an ACE archive, with headers of its own",
      ForeignTool.ace,
      NamePattern(stem, .words([".c"]), exactly(2))
    ),
    refused(
      "is a slice of an Inno Setup installer",
      ForeignTool.inno,
      NamePattern(
        .words(["setup"]),
        .stem(mayBeEmpty: true),
        .one(of: "-"),
        .number(1...3, .decimal),
        .optional("abcdefghijklmnopqrstuvwxyz"),
        .words([".bin"])
      )
    ),
    refused(
      "is a chunk of an Android sparse image, with headers of its own",
      ForeignTool.sparse,
      NamePattern(stem, .words(["_sparsechunk"]), .optional("._-"), number(1), .ending)
    ),
    refused(
      "is an extent of a VMware disk, which a .vmdk without a number describes",
      ForeignTool.extents,
      NamePattern(stem, .words(["-s", "-f"]), exactly(3), .words([".vmdk"]))
    ),
    refused(
      "is a segment of a macOS disk image, with headers of its own",
      ForeignTool.dmg,
      NamePattern(stem, .one(of: "."), exactly(3), .words([".dmgpart"]))
    ),
  ]

  /// - Parameters:
  ///   - what: the end of a sentence that begins with a part's name.
  ///   - tool: a clause.
  private static func refused(
    _ what: String,
    _ tool: String,
    _ patterns: NamePattern...
  ) -> NamingStyle {
    NamingStyle(family: .foreign, patterns: patterns, joining: .never("\(what): \(tool)"))
  }

  /// `NAME-00001-of-00003.EXT`.
  private static func shard(_ endings: [String]) -> NamePattern {
    NamePattern(
      stem,
      .one(of: "-"),
      exactly(5),
      .words(["-of-"]),
      .total,
      .words(endings)
    )
  }

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
    // A word in front of the number is no part of the whole's name.
    NamingStyle(
      family: .partWord,
      patterns: [hexadecimal, number(2)].map { number in
        NamePattern(stem, .one(of: "._-"), .words(cutWords), .one(of: "."), number)
      },
      joining: .bytes
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
          .words(cutWords),
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

  /// What programs that cut files, and those who use them, call parts.
  private static let cutWords = ["sf-part", "part", "split", "seg", "chunk"]

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
      patterns: [NamePattern(stem, .one(of: "_"), exactly(1), .types([".vob"]))],
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

  private static let stem = NamePattern.Piece.stem(mayBeEmpty: false)

  private static let hexadecimal = NamePattern.Piece.number(2...15, .hexadecimal)

  private static let hexadecimalDigits = NamePattern.Piece.number(1...15, .hexadecimal)

  private static func number(_ fewest: Int) -> NamePattern.Piece {
    .number(fewest...PartAlphabet.decimal.maximumWidth, .decimal)
  }

  private static func exactly(_ width: Int) -> NamePattern.Piece {
    .number(width...width, .decimal)
  }
}
