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
    (
      "<a href=a><!-- <a href=b> --><SCRIPT>'<a href=c>'</script ><a href=d><!-- <a href=e>",
      ["a", "d"]
    ),
    ("<a href=/d%69r/x><a href=http://h/dir/%79>", ["x", "y"]),
  ]

  private func names(in page: String) -> [FilePath] {
    var escapes: Set<UInt8> = []
    return HTMLIndex.names(in: Array(page.utf8), of: "http://h/dir/", escapes: &escapes)
  }

  @Test(arguments: pages)
  func thePageOfADirectoryHasNames(row: (page: String, names: [FilePath])) {
    #expect(names(in: row.page) == row.names)
  }

  @Test func textsOfElementsAreFound() {
    let text = Array("<A><Key>a&amp;&#x62;&#99;&lt;&unknown;</Key></A><Key>2</Key><Key>3".utf8)
    #expect(XML.elements("Key", in: text).map { XML.text($0) } == ["a&bc<&unknown;", "2"])
    #expect(XML.value(of: "Other", in: text) == nil)
  }

  @Test func noLinkOfAPageLeadsOutOfItsDirectory() {
    let page = "<a href='%2e%2e'>a</a><a href='.%2E'>b</a><a href='..'>c</a><a href='d'>d</a>"
    #expect(names(in: page) == ["d"])
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
      ("http://host?x=y", false), ("http://host#x", false),
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
      ("s3://b/f?1", "s3://b/f?1"), ("d/f?1", "d/f?1"), ("http://u:SECRET@h/d@e", "http://…@h/d@e"),
      ("https://u@SECRET@h?SECRET", "https://…@h?…"), ("s3://b@c/f", "s3://b@c/f"),
    ]
  )
  func whatMayBeSecretIsNotShown(address: String, shown: String) {
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
      "Fri, 31 Dec 9999 23:59:59 GMT",
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
    #expect(Array(probe.behind.prefix(1)) == [next])
    #expect(Array(probe.before.prefix(1)) == [last])
  }

  static let behind: [(name: FilePath, next: [FilePath])] = [
    ("film.001", ["film.002"]), ("film.ab", ["film.ac"]), ("xab", ["xac"]), ("film09", ["film10"]),
    ("film.09", ["film.0a", "film.10"]), ("film.89", ["film.8a", "film.90", "film.9000"]),
    ("a.z03", ["a.z04", "a.zip"]), ("notes.txt", []),
  ]

  /// A page may show only some names.
  @Test(arguments: behind)
  func theNamesBehindAreThoseOfEachReading(row: (name: FilePath, next: [FilePath])) {
    let given = NamesBehind(given: [row.name], among: [row.name])
    #expect(Set(given.names(behind: row.name)).isSuperset(of: row.next))
    let found = NamesBehind(given: [], among: [row.name])
    if row.next.isEmpty { #expect(found.names(behind: row.name) == []) }
  }

  static let configurations: [(config: String, credentials: String, ids: [String?])] = [
    // Of no profile, and of the profile "my own".
    ("", "[default] ; mine\naws_access_key_id=A\naws_secret_access_key=B", ["A", nil]),
    ("[default]\nAWS_Access_Key_ID: A\naws_secret_access_key: B:=C", "", ["A", nil]),
    (
      "[default]\naws_access_key_id=A\naws_secret_access_key=B\n[profile \"my own\"] # other\n"
        + "aws_access_key_id=C\naws_secret_access_key=D\n", "", ["A", "C"]
    ),
    (
      "[default]\naws_access_key_id=A\naws_secret_access_key=B\n[cut\naws_access_key_id=C", "",
      ["A", nil]
    ),
  ]

  @Test(arguments: configurations)
  func settingsAreThoseOfTheirOwnSection(row: (config: String, credentials: String, ids: [String?]))
  {
    let stores = ["", "my own"].map { profile in
      ObjectStore({ ["HOME": "/h", "AWS_PROFILE": profile][$0] }) {
        Array(($0.ends(in: "config") ? row.config : row.credentials).utf8)
      }
    }
    #expect(stores.map { $0.keys?.id } == row.ids)
    #expect(stores[0].lackingProfile == nil)
    #expect(stores[1].lackingProfile == (row.ids[1] == nil ? "my own" : nil))
  }

  @Test func waysToKeysThatAreNotGoneAreTold() {
    let role = "\u{FEFF}[default]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = other\n"
    let store = ObjectStore({ ["HOME": "/h"][$0] }) {
      $0.ends(in: "config") ? Array(role.utf8) : nil
    }
    #expect(store.foreignKeys == "role_arn" && store.keys == nil)
    let refused = SystemError(
      "stat",
      "s3://b/k",
      .permissionDenied,
      detail: "the server answers 403"
    )
    #expect(
      store.explaining(refused).detail?.contains("come by role_arn, which is not done here") == true
    )
  }

  @Test(
    arguments: [
      ("<Key>a</Key>", true), ("<Key>a</Key><Key/>", true), ("", true), ("<Keys>", true),
      ("<Key>a</Key><Key>b", false), ("<Key>a<Key>b</Key>", false),
    ]
  )
  func asManyElementsEndAsBegin(text: String, areClosed: Bool) {
    #expect(XML.areClosed("Key", in: text.utf8) == areClosed)
  }

  @Test func aTokenIsForTheKeysOfItsOwnFile() {
    let store = ObjectStore({ ["HOME": "/h"][$0] }) { path in
      let keys = "[default]\naws_access_key_id=A\naws_secret_access_key=B\n"
      return Array((keys + (path.ends(in: "config") ? "aws_session_token=T\n" : "")).utf8)
    }
    #expect(store.keys?.id == "A" && store.keys?.token == nil)
  }

  @Test func anEndpointMayBeThatOfServices() {
    let config = """
      [default]
      services = here
      endpoint_url = http://other
      [services here]
      s3 =
        endpoint_url = http://s3
      """
    func endpoint(_ environment: [String: String]) -> String? {
      ObjectStore({ environment[$0] }) { $0.ends(in: "config") ? Array(config.utf8) : nil }.endpoint
    }
    #expect(endpoint(["HOME": "/h"]) == "http://s3")
    #expect(endpoint(["HOME": "/h", "AWS_ENDPOINT_URL": "http://set"]) == "http://set")
    let ignored = ["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true", "AWS_ENDPOINT_URL": "http://set"]
    #expect(endpoint(ignored) == nil)
  }
}
