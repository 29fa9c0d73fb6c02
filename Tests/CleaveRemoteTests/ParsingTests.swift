import Cleave
import Posix
import Testing

@testable import CleaveRemote

@Suite struct ParsingTests {
  static let pages: [(page: String, names: [FilePath])] = [
    ("<a href=\"a.001\">a</a> <A HREF='b%20c'>", ["a.001", "b c"]),
    ("<a href=./x><a href=/dir/y><a href=http://h/dir/z>", ["x", "y", "z"]),
    ("<a href=\"../up\"><a href=\"sub/\"><a href=\"/\"><a href=\"?C=N\"><a href=\"#top\">", []),
    ("<a href=\"https://elsewhere/dir/q\"><a href=\"a&amp;b\"><a href=\"a&amp;b\">", ["a&b"]),
    ("<a href=\"f%2Fg\"><a href=\"..\"><a href=\"%00\"><a href=", ["f%2Fg"]),
    ("<a href=\"cut", ["cut"]),
  ]

  @Test(arguments: pages)
  func thePageOfADirectoryHasNames(row: (page: String, names: [FilePath])) {
    #expect(HTMLIndex.names(in: Array(row.page.utf8), of: "http://h/dir/") == row.names)
  }

  @Test func textsOfElementsAreFound() {
    let text = Array("<A><Key>a&amp;&#x62;&#99;&lt;&unknown;</Key></A><Key>2</Key><Key>3".utf8)
    #expect(XML.elements("Key", in: text).map { XML.text($0) } == ["a&bc<&unknown;", "2"])
    #expect(XML.value(of: "Other", in: text) == nil)
  }

  @Test func noLinkOfAPageLeadsOutOfItsDirectory() {
    let page = Array(
      "<a href='%2e%2e'>a</a><a href='.%2E'>b</a><a href='..'>c</a><a href='d'>d</a>".utf8
    )
    #expect(HTMLIndex.names(in: page, of: "http://h/dir/") == ["d"])
  }

  @Test func tagsMayHaveAttributesAndCommentsCountForNothing() {
    let text = Array(
      "<A x=\"1\"><Key >one</Key></A><!-- <A><Key>no</Key></A> --><A><Key/></A><AB>no</AB>".utf8
    )
    #expect(XML.elements("A", in: text).map { XML.value(of: "Key", in: $0) } == ["one", ""])
  }

  /// Answers of 16 MiB are read, so that what is in them is looked at once.
  @Test(arguments: ["<!--", "<Key ", "<Key>", "<"]) func whatHasNoEndHasNoTexts(text: String) {
    let page = Array(String(repeating: text, count: 200_000).utf8)
    #expect(XML.value(of: "Key", in: page) == nil)
  }

  /// Servers make tags of the time and the size, which other files have, too.
  @Test func aFileIsKnownByItsAddressAndItsTag() {
    let facts = RemoteFacts(size: 1, tag: "\"t\"")
    let paths: [FilePath] = ["http://h/a/f.001", "http://h/b/f.001", "http://i/a/f.001"]
    #expect(Set(paths.map { facts.status(of: $0).identity.inode }).count == 3)
    let signed = ["http://h/a/f.001?s=1", "http://h/a/f.001?s=2"].map {
      facts.status(of: FilePath($0)).identity.inode
    }
    #expect(Set(signed).count == 1)
    #expect(!RemoteFacts(size: 1, tag: nil).status(of: paths[0]).isPinned)
  }

  @Test(
    arguments: [
      ("http://host", true), ("https://host:9000/below", true), ("http://[::1]:80", true),
      ("host:8", false), ("http:", false), ("http://", false), ("http:///", false), (":", false),
      ("http://:80", false), ("http://user:pw@host", false), ("http://a b", false),
    ]
  )
  func anEndpointIsAnAddress(endpoint: String, isSound: Bool) {
    let store = ObjectStore {
      $0 == "AWS_ENDPOINT_URL" ? endpoint : nil
    } read: { _ in
      nil
    }
    #expect(store.hasSoundEndpoint == isSound)
    // Whatever it is, it harms nothing.
    _ = store.place("bucket", "key")
  }

  @Test(
    arguments: [
      ("Unsupported proxy syntax in 'http://u:SECRET@h:80a'", "Unsupported proxy syntax in '…'"),
      ("Could not resolve proxy: u:SECRET@h", "Could not resolve proxy: …"),
      ("Could not resolve host: h", "Could not resolve host: h"),
    ]
  )
  func noPasswordIsTold(text: String, told: String) {
    #expect(HTTPConnection.withoutSecrets(text) == told)
  }

  @Test(
    arguments: [
      ("https://h/d/f.001?X-Amz-Credential=A/2026/B&X=SECRET", "f.001"), ("s3://b/d/f?1", "f?1"),
      ("http://h/d/f", "f"), ("d/f?1", "d/f?1"),
    ]
  )
  func aQueryIsNoPartOfAName(address: String, name: String) {
    #expect(FilePath(address).onThisMachine == FilePath(name))
  }

  @Test(
    arguments: [
      ("https://h/d/f?X=SECRET", "https://h/d/f?…"), ("http://h/f", "http://h/f"),
      ("s3://b/f?1", "s3://b/f?1"), ("d/f?1", "d/f?1"),
    ]
  )
  func aQueryIsNotShown(address: String, shown: String) {
    #expect(FilePath(address).description == shown)
    #expect(!FilePath(address).quoted.contains("SECRET"))
  }

  @Test(
    arguments: [
      ("s3://b/k", false), ("s3://b/d/k", false), ("s3://b/d/", false), ("s3://b//k", true),
      ("s3://b/d//k", true), ("s3://b/./k", true), ("s3://b/d/..", true), ("d//k", false),
    ]
  )
  func someKeysAreTakenForOthers(address: String, isAmbiguous: Bool) {
    #expect(FilePath(address).hasAmbiguousKey == isAmbiguous)
  }

  @Test func settingsComeFromTheEnvironmentAndThenFromFiles() {
    let config = """
      [default]
      region = eu-west-1
      [profile other]
      # a comment
      region=us-west-2
      s3 =
        addressing_style = path
        endpoint_url = https://nested/
      """
    let credentials = """
      [other]
      aws_access_key_id = ID
      aws_secret_access_key = a=b/c
      """
    let read = { (path: FilePath) -> [UInt8]? in
      path == "/h/.aws/config"
        ? Array(config.utf8) : path == "/h/.aws/credentials" ? Array(credentials.utf8) : nil
    }
    let other = ObjectStore({ ["HOME": "/h", "AWS_PROFILE": "other"][$0] }, read: read)
    #expect(other.region == "us-west-2" && other.usesPaths)
    #expect(other.endpoint == "https://nested")
    #expect(other.keys?.id == "ID" && other.keys?.secret == "a=b/c")
    let plain = ObjectStore({ ["HOME": "/h"][$0] }, read: read)
    #expect(plain.region == "eu-west-1" && !plain.usesPaths && plain.keys == nil)
    #expect(plain.place("b", "a b/c+").origin == "https://b.s3.eu-west-1.amazonaws.com")
    #expect(plain.place("b", "a b/c+").path == "/a%20b/c%2B")
    #expect(plain.place("b.c", "k").path == "/b.c/k")
    let set = ObjectStore(
      { ["AWS_ENDPOINT_URL": "http://h:1/s3/", "AWS_REGION": "r", "HOME": "/h"][$0] },
      read: read
    )
    #expect(set.place("b", "k") == ("http://h:1", "h:1", "/s3/b/k"))
  }

  @Test func timesAreReadAsHTTPHasThem() {
    #expect(
      ProcessState.nanoseconds(ofHTTPDate: "Fri, 24 May 2013 00:00:01 GMT")
        == 1_369_353_601_000_000_000
    )
    for wrong in [
      "", "Fri, 24 Mai 2013 00:00:01 GMT", "Fri, 24 May 2013 25:00:01 GMT", "24 May 2013",
    ] {
      #expect(ProcessState.nanoseconds(ofHTTPDate: wrong) == nil)
    }
  }

  @Test(arguments: [
    ("film.003", "film.004", "film.002"), ("x.z02", "x.z01", "x.zip"), ("xab", "xac", "xaa"),
    ("a.part2.bin", "a.part3.bin", "a.part1.bin"),
  ])
  func theNamesBesideAPartAreAskedFor(name: FilePath, next: FilePath, last: FilePath) throws {
    let probe = try #require(PartName.probes(of: name).first)
    #expect(probe.behind.first == next)
    #expect(probe.before.first == last)
  }
}
