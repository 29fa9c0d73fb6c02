/// The names of parts that have headers of their own.
extension NamingStyle {
  static let foreign: [NamingStyle] = [
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
}
