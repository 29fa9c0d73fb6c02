/// What to use for files with headers of their own, as clauses: the only list. What such a file is says
/// the row of its name in ``NamingStyle/table``, or that of its content in ``FileFormat/table``.
enum ForeignTool {
  static let ace = "'unace x' unpacks the first with the others"
  static let arj = "'arj x -v' or 'unar' unpacks the first with the others"
  static let cab = "'cabextract' unpacks the first with the others"
  static let dataset = "programs read all files of their directory"
  static let disk = "'qemu-img convert' reads each"
  static let dmg = "'hdiutil convert' of its .dmg joins them"
  static let ewf = "'ewfexport' reads the first with the others"
  static let extents = "'qemu-img convert' joins them"
  static let gguf = "'llama-gguf-split --merge FIRST OUT' joins them"
  static let gsplit = "GSplit or its GUnite joins them"
  static let hacha = "Hacha or 'hoz' joins the parts"
  static let inno = "its setup.exe or 'innoextract' unpacks it"
  static let matroska = "'mkvmerge -o OUT FIRST + NEXT' joins them"
  static let model = "programs load them together, by their .index.json if there is one"
  static let rar = "'unrar x' unpacks the first with the others"
  static let sparse = "'simg2img PARTS OUT' joins them"
  static let takeout = "unpack them one by one into the same directory"
  static let tar = "'tar -xM -f FIRST -f NEXT' unpacks all"
  static let tensorFlow = "TensorFlow loads them together"
  static let wim = "'wimlib-imagex join OUT PARTS' joins them"
}
