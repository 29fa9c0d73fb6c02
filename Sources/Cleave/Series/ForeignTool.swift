/// Programs whose parts have headers of their own, as the end of a sentence that begins with a part's
/// name: what it is, and what puts the parts together. Names and contents are told of in the same words.
enum ForeignTool {
  static let rar =
    "is a RAR volume, which has headers of its own: 'unrar x' unpacks it with the others"
  static let gguf =
    "is a shard with a GGUF header of its own: 'llama-gguf-split --merge FIRST OUT' joins them"
  static let gsplit = "is a piece with headers of GSplit's own: GSplit or its GUnite joins them"
  static let takeout =
    "is a whole archive, like each of its kind: unpack them one by one into the same directory"
  static let shard =
    "is a shard of a model, and each is a file of its own: programs load them together"
  static let dataset =
    "is one file of a data set, and each is a file of its own: read them one by one"
  static let tensorFlow =
    "is a shard of a TensorFlow checkpoint, which needs its index: TensorFlow loads them together"
  static let wim =
    "is a part of a split WIM, with headers of its own: 'wimlib-imagex join' joins them"
  static let ewf =
    "is a segment of an EWF image, with headers of its own: 'ewfexport' reads all of them"
  static let arj =
    "is a volume of an ARJ or ALZ archive, with headers of its own: 'arj x -v' or 'unar' unpacks it"
  static let ace =
    "is a volume of an ACE archive, with headers of its own: 'unace x' unpacks it with the others"
  static let inno =
    "is a slice of an Inno Setup installer: its setup.exe or 'innoextract' unpacks it"
  static let sparse =
    "is a chunk of an Android sparse image, with headers of its own: 'simg2img CHUNKS... OUT' joins them"
  static let vmdk =
    "is an extent of a VMware disk, which a .vmdk without a number describes: 'qemu-img convert' joins "
    + "them"
  static let dmg =
    "is a segment of a macOS disk image, with headers of its own: 'hdiutil convert' of its .dmg joins "
    + "them"
}
