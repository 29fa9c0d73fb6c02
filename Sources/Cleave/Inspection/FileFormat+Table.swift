extension FileFormat {
  /// Every kind that is known.
  ///
  /// Formats of which anything may be put one behind the other have no row: text, frames of MP3, transport
  /// streams, raw disks.
  static let table =
    compressed + encrypted + archives + volumes + images + media + documents + data + programs

  /// The row of a kind.
  static func of(_ kind: Kind) -> FileFormat {
    // Tests see that every kind has one.
    table.first { $0.kind == kind } ?? table[0]
  }

  private static let compressed = [
    FileFormat(
      kind: .gzip,
      name: "a gzip file",
      magics: [Magic([0x1F, 0x8B, 0x08])],
      endings: [".gz", ".tgz"],
      joining: .asStream
    ),
    FileFormat(
      kind: .bzip2,
      name: "a bzip2 file",
      // The level, and then the number of a block or that of the end.
      magics: (UInt8(ascii: "1")...UInt8(ascii: "9")).flatMap { level in
        let start = Array("BZh".utf8) + [level]
        return [
          Magic(start + [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]),
          Magic(start + [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]),
        ]
      },
      endings: [".bz2", ".tbz", ".tbz2"],
      joining: .asStream
    ),
    FileFormat(
      kind: .xz,
      name: "an xz file",
      magics: [Magic([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])],
      endings: [".xz", ".txz"],
      joining: .asStream
    ),
    FileFormat(
      kind: .zstd,
      name: "a zstd file",
      magics: [Magic([0x28, 0xB5, 0x2F, 0xFD])],
      endings: [".zst", ".tzst"],
      joining: .asStream
    ),
    FileFormat(
      kind: .lz4,
      name: "an lz4 file",
      // Of the format, of the old one, and of what lz4mt puts in front of each frame.
      magics: [
        Magic([0x04, 0x22, 0x4D, 0x18]), Magic([0x02, 0x21, 0x4C, 0x18]),
        Magic([0x50, 0x2A, 0x4D, 0x18]),
      ],
      endings: [".lz4"],
      joining: .asStream
    ),
    FileFormat(
      kind: .compress,
      name: "a file of compress",
      magics: [Magic([0x1F, 0x9D, 0x90])]
    ),
    FileFormat(
      kind: .lzip,
      name: "an lzip file",
      magics: [Magic("LZIP\u{1}")],
      endings: [".lz"],
      joining: .asStream
    ),
  ]

  private static let encrypted = [
    FileFormat(
      kind: .openssl,
      name: "an encrypted OpenSSL file",
      magics: [Magic("Salted__")],
      tool: ForeignTool.decrypt
    ),
    FileFormat(
      kind: .age,
      name: "an encrypted age file",
      magics: [Magic("age-encryption.org/v1\n"), Magic("-----BEGIN AGE ENCRYPTED FILE-----")],
      tool: ForeignTool.decrypt
    ),
    // RFC 4880: a session key for an RSA or an elliptic key, or of a pass phrase, in packets of the sizes
    // that gpg writes.
    FileFormat(
      kind: .pgp,
      name: "a PGP message",
      magics: [
        Magic("-----BEGIN PGP MESSAGE-----"), Magic([0x85, 0x01, 0x0C, 0x03]),
        Magic([0x85, 0x01, 0x8C, 0x03]), Magic([0x85, 0x02, 0x0C, 0x03]),
        Magic([0x84, 0x5E, 0x03]), Magic([0x8C, 0x0D, 0x04, 0x07, 0x03]),
        Magic([0x8C, 0x0D, 0x04, 0x09, 0x03]),
      ],
      tool: ForeignTool.decrypt
    ),
  ]

  private static let archives = [
    FileFormat(kind: .zip, name: "a zip", magics: [Magic("PK\u{3}\u{4}"), Magic("PK\u{5}\u{6}")]),
    FileFormat(
      kind: .splitZip,
      name: "a first part of a split zip",
      magics: [Magic("PK\u{7}\u{8}"), Magic("PK00")]
    ),
    FileFormat(
      kind: .sevenZip,
      name: "a 7z archive",
      magics: [Magic([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C])],
      endings: [".7z"]
    ),
    FileFormat(
      kind: .rar5,
      name: "a RAR archive",
      magics: [Magic("Rar!\u{1A}\u{7}\u{1}\0")],
      tool: ForeignTool.rar
    ),
    // Behind the other, whose names end in the same way.
    FileFormat(
      kind: .rar4,
      name: "a RAR archive",
      magics: [Magic("Rar!\u{1A}\u{7}\0"), Magic("Rar!\u{1A}\u{7}\u{1}\0")],
      endings: [".rar"],
      tool: ForeignTool.rar
    ),
    FileFormat(kind: .tar, name: "a tar file", magics: [Magic("ustar", at: 257)]),
    FileFormat(kind: .deb, name: "an ar archive", magics: [Magic("!<arch>\n")]),
    FileFormat(kind: .rpm, name: "an RPM package", magics: [Magic([0xED, 0xAB, 0xEE, 0xDB])]),
  ]

  /// What comes in volumes that have headers of their own.
  private static let volumes = [
    FileFormat(
      kind: .ace,
      name: "an ACE volume",
      magics: [Magic("**ACE**", at: 7)],
      tool: ForeignTool.ace
    ),
    FileFormat(
      kind: .arj,
      name: "an ARJ volume",
      magics: [Magic([0x60, 0xEA])],
      tool: ForeignTool.arj
    ),
    FileFormat(
      kind: .cab,
      name: "a cabinet",
      magics: [Magic("MSCF\0\0\0\0")],
      tool: ForeignTool.cab
    ),
    FileFormat(
      kind: .dar,
      name: "a slice of dar's",
      magics: [Magic([0x00, 0x00, 0x00, 0x7B])],
      tool: ForeignTool.dar
    ),
    FileFormat(
      kind: .wim,
      name: "a Windows image",
      magics: [Magic("MSWIM\0\0\0")],
      tool: ForeignTool.wim
    ),
    FileFormat(
      kind: .enCase,
      name: "an EnCase segment",
      magics: [Magic([0x45, 0x56, 0x46, 0x09, 0x0D, 0x0A, 0xFF, 0x00])],
      tool: ForeignTool.ewf
    ),
    FileFormat(
      kind: .enCase2,
      name: "an EnCase segment",
      magics: [Magic([0x45, 0x56, 0x46, 0x32, 0x0D, 0x0A, 0x81, 0x00])],
      tool: ForeignTool.ewf
    ),
    FileFormat(
      kind: .sparseImage,
      name: "a chunk of an Android sparse image",
      magics: [Magic([0x3A, 0xFF, 0x26, 0xED])],
      tool: ForeignTool.sparse
    ),
    // Four bytes of a checksum are between the first two fields.
    FileFormat(
      kind: .hacha,
      name: "a first part with a header of Hacha's",
      magics: [Magic("?????", at: 9)],
      tool: ForeignTool.hacha
    ),
  ]

  private static let images = [
    // ECMA-119: the first volume descriptor is in sector 16.
    FileFormat(
      kind: .iso,
      name: "a CD or DVD image",
      magics: [Magic("CD001", at: 32_769)]
    ),
    // Its trailer has 512 bytes: a signature, a version and that size.
    FileFormat(
      kind: .diskImage,
      name: "a macOS disk image",
      magics: [Magic("koly\0\0\0\u{4}\0\0\u{2}\0", at: -512)]
    ),
    FileFormat(kind: .vmdk, name: "a VMDK disk", magics: [Magic("KDMV")], tool: ForeignTool.disk),
    FileFormat(
      kind: .qcow2,
      name: "a qcow2 disk",
      magics: [Magic("QFI\u{FB}".latin1)],
      tool: ForeignTool.disk
    ),
    FileFormat(kind: .vhd, name: "a VHD disk", magics: [Magic("conectix")], tool: ForeignTool.disk),
    FileFormat(
      kind: .vhdx,
      name: "a VHDX disk",
      magics: [Magic("vhdxfile")],
      tool: ForeignTool.disk
    ),
  ]

  private static let media = [
    // A player shows it in front of what it belongs to alone.
    FileFormat(
      kind: .id3,
      name: "an MP3 file with a tag",
      magics: [Magic("ID3\u{2}\0"), Magic("ID3\u{3}\0"), Magic("ID3\u{4}\0")],
      joining: .asStream
    ),
    FileFormat(kind: .pdf, name: "a PDF", magics: [Magic("%PDF-")]),
    FileFormat(
      kind: .png,
      name: "a PNG image",
      magics: [Magic([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])]
    ),
    FileFormat(kind: .gif, name: "a GIF image", magics: [Magic("GIF87a"), Magic("GIF89a")]),
    FileFormat(kind: .jpeg, name: "a JPEG image", magics: [Magic([0xFF, 0xD8, 0xFF])]),
    FileFormat(kind: .mp4, name: "an MP4 video", magics: [Magic("ftyp", at: 4)]),
    FileFormat(
      kind: .matroska,
      name: "a Matroska video",
      magics: [Magic([0x1A, 0x45, 0xDF, 0xA3])],
      tool: ForeignTool.matroska
    ),
    FileFormat(kind: .flv, name: "a Flash video", magics: [Magic("FLV\u{1}")]),
    FileFormat(
      kind: .asf,
      name: "a Windows Media file",
      magics: [
        Magic([
          0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE,
          0x6C,
        ])
      ]
    ),
    FileFormat(kind: .realMedia, name: "a RealMedia file", magics: [Magic(".RMF\0\0\0")]),
    FileFormat(kind: .photoshop, name: "a Photoshop image", magics: [Magic("8BPS\0\u{1}")]),
    FileFormat(kind: .riff, name: "a RIFF file", magics: [Magic("RIFF")]),
    FileFormat(kind: .flac, name: "a FLAC file", magics: [Magic("fLaC")]),
    FileFormat(kind: .ogg, name: "an Ogg file", magics: [Magic("OggS\0")], joining: .asStream),
  ]

  private static let documents = [
    FileFormat(
      kind: .ole,
      name: "an old Office document",
      magics: [Magic([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])]
    ),
    FileFormat(kind: .postscript, name: "a PostScript file", magics: [Magic("%!PS-Adobe-")]),
    FileFormat(kind: .djvu, name: "a DjVu document", magics: [Magic("AT&TFORM")]),
    FileFormat(kind: .mobi, name: "a Mobipocket book", magics: [Magic("BOOKMOBI", at: 60)]),
  ]

  private static let data = [
    FileFormat(
      kind: .gguf,
      name: "a GGUF file",
      magics: [Magic("GGUF")],
      tool: ForeignTool.gguf
    ),
    FileFormat(
      kind: .safetensors,
      name: "a safetensors file",
      magics: [Magic("{", at: 8)],
      tool: ForeignTool.model
    ),
    // The protocol, and the long number that torch.save wrote first until it wrote zips.
    FileFormat(
      kind: .pyTorch,
      name: "a PyTorch file",
      magics: [Magic([0x80, 0x02, 0x8A, 0x0A, 0x6C, 0xFC, 0x9C, 0x46, 0xF9, 0x20, 0x6A, 0xA8])],
      tool: ForeignTool.model
    ),
    FileFormat(
      kind: .parquet,
      name: "a Parquet file",
      magics: [Magic("PAR1")],
      tool: ForeignTool.dataset
    ),
    FileFormat(kind: .orc, name: "an ORC file", magics: [Magic("ORC")]),
    FileFormat(kind: .avro, name: "an Avro file", magics: [Magic("Obj\u{1}")]),
    FileFormat(kind: .arrow, name: "an Arrow file", magics: [Magic("ARROW1\0\0")]),
    FileFormat(kind: .hdf5, name: "an HDF5 file", magics: [Magic("\u{89}HDF\r\n\u{1A}\n".latin1)]),
    FileFormat(
      kind: .binlog,
      name: "a binary log of MySQL",
      magics: [Magic([0xFE, 0x62, 0x69, 0x6E])]
    ),
    FileFormat(kind: .sqlite, name: "an SQLite database", magics: [Magic("SQLite format 3\0")]),
  ]

  private static let programs = [
    FileFormat(kind: .elf, name: "an ELF program", magics: [Magic([0x7F, 0x45, 0x4C, 0x46])]),
    FileFormat(kind: .program, name: "a Windows program", magics: [Magic("MZ")]),
    FileFormat(kind: .script, name: "a script", magics: [Magic("#!")], joining: .freely),
  ]
}

extension String {
  /// The characters below U+0100 as bytes.
  fileprivate var latin1: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
