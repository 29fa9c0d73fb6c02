import Posix
import TestSupport
import Testing

@testable import Cleave

@Suite struct ManifestFormatTests {
  @Test(
    "the name of a file tells the form of a manifest",
    arguments: [
      ("a.sfv", .sfv), ("A.SFV", .sfv), ("dir/a.b.Crc", .crc), ("a.md5", .sums(.md5)),
      ("a.sha1", .sums(.sha1)), ("a.sha256", .sums(.sha256)), ("a.sha512", .sums(.sha512)),
      ("a.b2", .sums(.b2)), ("a.md5sum", .sums(.md5)), ("a.b2sum", .sums(.b2)),
      ("SHA256SUMS", .sums(.sha256)), ("md5sums.txt", .sums(.md5)), ("B2SUMS", .sums(.b2)),
      ("MD5SUM", .sums(.md5)), ("a.sha384", .sums(.sha384)), ("SHA224SUMS", .sums(.sha224)),
      ("a.sha-256", .sums(.sha256)),
      ("SHASUMS256", .sums(.sha256)), ("SHASUMS512.txt", .sums(.sha512)),
      ("a.sha256sums", .sums(.sha256)), ("a.crc32", .sfv),
      (".sfv", nil), ("a.txt", nil), ("sfv", nil), ("a.001", nil),
      ("xSHA256SUMS", nil), ("a.sha3", nil), ("", nil), ("/", nil),
    ] as [(FilePath, Manifest.Format?)]
  )
  func names(path: FilePath, format: Manifest.Format?) {
    #expect(Manifest.Format(of: path) == format)
    #expect(Manifest.isName(path) == (format != nil))
  }

  @Test(
    "other names are those of manifests only if the lines are right",
    arguments: [
      ("checksums.txt", nil, nil), ("CHECKSUMS", nil, nil), ("md5.txt", .md5, nil),
      ("sha256.sum", .sha256, nil), ("film.sha256.txt", .sha256, "film"),
      ("film.001_sha1.txt", .sha1, "film.001"), ("checksums_sha256.txt", .sha256, "checksums"),
      ("film.sum", nil, "film"), ("film.md5.checksum", .md5, "film"), ("go.sum", nil, "go"),
      ("film-CHECKSUM", nil, "film"), ("md5", .md5, nil), ("a_md5", .md5, "a"),
      ("SHA256", .sha256, nil),
      ("SHA256SUMS (1)", .sha256, nil), ("shasum.txt", nil, nil),
      ("hashes.txt", nil, nil),
    ] as [(FilePath, Digest.Kind?, FilePath?)]
  )
  func uncertain(path: FilePath, kind: Digest.Kind?, subject: FilePath?) throws {
    #expect(Manifest.Format(of: path) == kind.map { .sums($0) })
    #expect(!Manifest.isName(path))
    #expect(ManifestName(path)?.subject == subject)
    let directory = try TemporaryDirectory()
    let digits = String(repeating: "a", count: 2 * (kind ?? .sha1).count)
    for (text, isOne) in [
      ("\(digits)  film.001\n", true), ("# x\n\n\(digits) *a/b\n", true), ("", false),
      ("\(digits)  film.001\nand more text\n", false), ("a text", false),
      ("github.com/x/y v1.0.0/go.mod h1:abcdef=\n", false),
    ] {
      let file = try directory.make(path, Array(text.utf8))
      #expect(Manifest.isManifest(at: file) == isOne, "\(path): \(text)")
      #expect(try Manifest.all(in: directory.path).isEmpty == !isOne)
    }
  }

  @Test(
    "a part of split -x or split -a is no manifest",
    arguments: [
      ("h.b2", ["h.00", "h.b1"], true), ("h.b2", ["h.00", "h.0a", "h.b3"], true),
      ("h.b2", ["h.00", "h.01", "h.02"], false), ("h.b2", ["h.001", "h.002"], false),
      ("h.b2", ["h"], false), ("h.crc", ["h.aaa", "h.crb"], true), ("h.crc", ["h.aaa"], false),
      ("h.sfv", ["h.sfu", "h.sfw"], false), ("h.md5", ["h.00", "h.0a"], false),
    ] as [(FilePath, [FilePath], Bool)]
  )
  func partsNamedSo(name: FilePath, others: [FilePath], isPart: Bool) throws {
    #expect(Manifest.isName(name, among: PathSet(others + [name])) == !isPart)
    let directory = try TemporaryDirectory()
    for other in others + [name] { _ = try directory.make(other, [1]) }
    #expect(Manifest.isManifest(at: directory(name)) == !isPart)
    #expect(try Manifest.all(in: directory.path) == (isPart ? [] : [directory(name)]))
  }

  @Test(
    "bytes tell it where the name does not",
    arguments: [
      ("", .sfv), ("a.001 12345678", .sfv), ("filename=x\n", .crc), ("\n; x\n# y\nSIZE = 1", .crc),
      ("{\"ver\":1}", .rclone), ("; 0cc175b9c0f1b6a831c399e269772661  a\na 1", .sfv),
    ] as [(String, Manifest.Format)]
  )
  func bytes(text: String, format: Manifest.Format) {
    #expect(Manifest.Format(of: Array(text.utf8)) == format)
  }

  @Test(
    "files of Total Commander and Krusader are understood",
    arguments: [
      "filename=film.avi\r\nsize=641144843\r\ncrc32=0000001F\r\n",
      "\u{FEFF}FileName=C:\\videos\\film.avi\nSIZE= 641144843 \nCrc32=1f",
      "crc32=1F\nfilenameutf8=/home/x/film.avi\nfilename=?lm.avi\n\nsize=641144843\nother=1",
    ]
  )
  func totalCommander(text: String) throws {
    let wanted = TotalCommanderCRC(name: "film.avi", size: 641_144_843, crc32: 0x1F)
    #expect(try TotalCommanderCRC.parse(Array(text.utf8), path: "a") == wanted)
  }

  @Test(
    "what is wrong in a file of Total Commander is named",
    arguments: [
      ("filename=a\ncrc32=1", "line 2: the key size is missing"),
      ("filename=a\nsize=1", "line 2: the key crc32 is missing"),
      ("size=1\ncrc32=1", "line 2: the key filename is missing"),
      ("filename=a\nfilename=a", "line 2: the key filename appears twice"),
      ("filename=a/", "line 1: the name is empty"),
      ("filename=..\\..", "line 1: the name .. is a directory's"),
      ("size=1e3", "line 1: the size is not a decimal number of bytes"),
      ("crc32=123456789", "line 1: the crc32 is not 8 hexadecimal digits"),
      ("a.001 12345678", "line 1: is not a key and a value"),
    ]
  )
  func refusedCRC(text: String, message: String) {
    let error = #expect(throws: CleaveError.self) {
      try TotalCommanderCRC.parse(Array(text.utf8), path: "a")
    }
    #expect(error == CleaveError(.badData, "a", Sentence(message)))
  }

  @Test("a file of Total Commander has a name twice that is not ASCII") func writtenCRC() throws {
    let crc = TotalCommanderCRC(name: "fälm", size: 2, crc32: 0xAB)
    let text = "filename=fälm\r\nfilenameutf8=fälm\r\nsize=2\r\ncrc32=000000AB\r\n"
    #expect(crc.render() == Array(text.utf8))
    #expect(try TotalCommanderCRC.parse(crc.render(), path: "a") == crc)
  }

  @Test("metadata of rclone tells size, parts and digests") func rclone() throws {
    let text = #"{"ver":1,"size":9,"nchunks":3,"md5":"0cc175b9c0f1b6a831c399e269772661","sha1":""}"#
    let manifest = try Manifest(parsing: Array(text.utf8), path: "dir/film")
    #expect(manifest.partCount == 3)
    #expect(manifest.whole?.name == "film")
    #expect(manifest.whole?.expected.size == 9)
    #expect(manifest.whole?.expected.digests.map(\.kind) == [.md5])
  }

  @Test(
    "what is no metadata is refused",
    arguments: [
      "{}", "{", "{\"ver\":1}", "[]", "{\"ver\":1,\"size\":01,\"nchunks\":1}",
      "{\"ver\":1,\"size\":-1,\"nchunks\":1}", "{\"ver\":9,\"size\":1,\"nchunks\":1}",
      "{\"ver\":1,\"size\":1,\"nchunks\":0}", "{\"ver\":1,\"size\":1,\"nchunks\":1}x",
      "{\"ver\":1,\"ver\":1,\"size\":1,\"nchunks\":1}", "{\"ver\":1,\"size\":{},\"nchunks\":1}",
      "{\"ver\":1,\"size\":1,\"nchunks\":1,}", "{\"ver\":1,\"size\":1,\"nchunks\":1,\"md5\":\"x\"}",
      "{\"ver\":1,\"size\":9223372036854775808,\"nchunks\":1}",
    ]
  )
  func refusedRclone(text: String) {
    let error = #expect(throws: CleaveError.self) {
      try RcloneMetadata.parse(Array(text.utf8), path: "a")
    }
    #expect(error?.kind == .badData)
  }
}
