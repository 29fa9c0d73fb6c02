/// The rows of what people look at, measure and run.
extension FileFormat {
  static let media = [
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
    FileFormat(
      kind: .aiff,
      name: "an AIFF file",
      magics: [Magic("AIFF", at: 8), Magic("AIFC", at: 8)]
    ),
    FileFormat(kind: .caf, name: "a Core Audio file", magics: [Magic("caff\0\u{1}")]),
    FileFormat(kind: .au, name: "an AU file", magics: [Magic(".snd\0\0\0")]),
    FileFormat(kind: .midi, name: "a MIDI file", magics: [Magic("MThd\0\0\0\u{6}")]),
    FileFormat(kind: .dsd, name: "a DSD file", magics: [Magic("DSD \u{1C}\0\0\0"), Magic("FRM8")]),
    FileFormat(kind: .ape, name: "a Monkey's Audio file", magics: [Magic("MAC ")]),
    // SMPTE ST 377-1: the pack of the header partition.
    FileFormat(
      kind: .mxf,
      name: "an MXF file",
      magics: [
        Magic([0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01, 0x02])
      ]
    ),
    FileFormat(
      kind: .flash,
      name: "a Flash program",
      magics: [Magic("FWS"), Magic("CWS"), Magic("ZWS")]
    ),
    // Behind its name, the header has the size of the whole file.
    FileFormat(kind: .bmp, name: "a BMP image", magics: [Magic("BM")]),
    // Also most raw pictures of cameras.
    FileFormat(
      kind: .tiff,
      name: "a TIFF image",
      magics: [Magic("II*\0"), Magic("MM\0*"), Magic("II+\0\u{8}\0"), Magic("MM\0+\0\u{8}")]
    ),
    FileFormat(
      kind: .jpeg2000,
      name: "a JPEG 2000 image",
      magics: [
        Magic([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        Magic([0xFF, 0x4F, 0xFF, 0x51, 0x00]),
      ]
    ),
    FileFormat(
      kind: .jpegXL,
      name: "a JPEG XL image",
      magics: [Magic([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])]
    ),
    FileFormat(
      kind: .openEXR,
      name: "an OpenEXR image",
      magics: [Magic([0x76, 0x2F, 0x31, 0x01])]
    ),
    FileFormat(kind: .dpx, name: "a DPX image", magics: [Magic("SDPX"), Magic("XPDS")]),
    FileFormat(kind: .dds, name: "a DDS image", magics: [Magic("DDS |\0\0\0")]),
    FileFormat(kind: .ktx, name: "a KTX image", magics: [Magic("\u{AB}KTX ".latin1)]),
    FileFormat(kind: .gimp, name: "a GIMP image", magics: [Magic("gimp xcf ")]),
    FileFormat(kind: .blender, name: "a Blender file", magics: [Magic("BLENDER")]),
    FileFormat(kind: .dicom, name: "a DICOM image", magics: [Magic("DICM", at: 128)]),
    FileFormat(
      kind: .nifti,
      name: "a NIfTI image",
      magics: [Magic("n+1\0", at: 344), Magic("n+2\0\r\n\u{1A}\n", at: 4)]
    ),
  ]

  static let documents = [
    FileFormat(
      kind: .ole,
      name: "an old Office document",
      magics: [Magic([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])]
    ),
    FileFormat(kind: .postscript, name: "a PostScript file", magics: [Magic("%!PS-Adobe-")]),
    FileFormat(kind: .djvu, name: "a DjVu document", magics: [Magic("AT&TFORM")]),
    FileFormat(kind: .mobi, name: "a Mobipocket book", magics: [Magic("BOOKMOBI", at: 60)]),
    FileFormat(kind: .rtf, name: "an RTF document", magics: [Magic("{\\rtf1")]),
    FileFormat(kind: .dwg, name: "a DWG drawing", magics: [Magic("AC10")]),
    FileFormat(kind: .outlook, name: "an Outlook data file", magics: [Magic("!BDN")]),
  ]

  static let data = [
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
    FileFormat(kind: .numpy, name: "a NumPy array", magics: [Magic("\u{93}NUMPY".latin1)]),
    FileFormat(kind: .fits, name: "a FITS file", magics: [Magic("SIMPLE  =")]),
    FileFormat(
      kind: .netCDF,
      name: "a NetCDF file",
      magics: [Magic("CDF\u{1}"), Magic("CDF\u{2}"), Magic("CDF\u{5}")]
    ),
    FileFormat(kind: .grib, name: "a GRIB file", magics: [Magic("GRIB")], joining: .asStream),
    FileFormat(kind: .matlab, name: "a MATLAB file", magics: [Magic("MATLAB 5.0 MAT-file")]),
    FileFormat(kind: .las, name: "a LAS point cloud", magics: [Magic("LASF")]),
    FileFormat(
      kind: .pcap,
      name: "a packet capture",
      magics: [
        Magic([0xD4, 0xC3, 0xB2, 0xA1]), Magic([0xA1, 0xB2, 0xC3, 0xD4]),
        Magic([0x4D, 0x3C, 0xB2, 0xA1]), Magic([0xA1, 0xB2, 0x3C, 0x4D]),
      ],
      tool: ForeignTool.capture
    ),
    // A section may follow another in one file.
    FileFormat(
      kind: .pcapNG,
      name: "a packet capture",
      magics: [Magic([0x4D, 0x3C, 0x2B, 0x1A], at: 8), Magic([0x1A, 0x2B, 0x3C, 0x4D], at: 8)],
      joining: .asStream,
      tool: ForeignTool.capture
    ),
    FileFormat(kind: .eventLog, name: "a Windows event log", magics: [Magic("ElfFile\0")]),
    FileFormat(kind: .journal, name: "a journal of systemd", magics: [Magic("LPKSHHRH")]),
    FileFormat(kind: .registry, name: "a Windows registry hive", magics: [Magic("regf")]),
    FileFormat(kind: .postgres, name: "a dump of PostgreSQL", magics: [Magic("PGDMP")]),
  ]

  static let programs = [
    FileFormat(kind: .elf, name: "an ELF program", magics: [Magic([0x7F, 0x45, 0x4C, 0x46])]),
    FileFormat(kind: .program, name: "a Windows program", magics: [Magic("MZ")]),
    FileFormat(
      kind: .machO,
      name: "a Mach-O program",
      magics: [Magic([0xCF, 0xFA, 0xED, 0xFE]), Magic([0xCE, 0xFA, 0xED, 0xFE])]
    ),
    // Programs for several processors, each of which may begin where a part does.
    FileFormat(
      kind: .universal,
      name: "a universal Mach-O program",
      magics: [Magic([0xCA, 0xFE, 0xBA, 0xBE])]
    ),
    FileFormat(kind: .wasm, name: "a WebAssembly module", magics: [Magic("\0asm")]),
    FileFormat(kind: .script, name: "a script", magics: [Magic("#!")], joining: .freely),
  ]
}
