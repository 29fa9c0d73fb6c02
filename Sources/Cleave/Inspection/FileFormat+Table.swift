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
    FileFormat(kind: .xar, name: "a xar archive", magics: [Magic("xar!\0\u{1C}")]),
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
      kind: .vdi,
      name: "a VDI disk",
      magics: [Magic([0x7F, 0x10, 0xDA, 0xBE], at: 64)],
      tool: ForeignTool.disk
    ),
    FileFormat(kind: .luks, name: "a LUKS volume", magics: [Magic("LUKS\u{BA}\u{BE}".latin1)]),
    FileFormat(kind: .squashfs, name: "a squashfs image", magics: [Magic("hsqs")]),
    FileFormat(
      kind: .fat,
      name: "a FAT file system",
      magics: [
        Magic("FAT12   ", at: 54), Magic("FAT16   ", at: 54), Magic("FAT32   ", at: 82),
        Magic("EXFAT   ", at: 3),
      ]
    ),
    FileFormat(kind: .ntfs, name: "an NTFS file system", magics: [Magic("NTFS    ", at: 3)]),
    FileFormat(
      kind: .vhdx,
      name: "a VHDX disk",
      magics: [Magic("vhdxfile")],
      tool: ForeignTool.disk
    ),
  ]
}

extension String {
  /// The characters below U+0100 as bytes.
  var latin1: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
