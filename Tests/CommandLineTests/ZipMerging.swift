import Posix
import TestSupport
import Testing

/// Merges the set that `part` belongs to into `output`.
func mergeZip(
  _ part: FilePath,
  to output: FilePath,
  _ options: [any ToolArgument] = [],
  engine: String = "auto"
) throws -> Outcome {
  try Tool.cleave.run(
    ["merge", "--no-sync", "--engine", engine] + options + ["-o", output, part]
  )
}

/// With every engine, and from the first part, one in the middle and the last: each of them once, since
/// an engine gets the same plan whichever part was named.
///
/// - Parameter told: what standard error tells of, each in a line or more, and nothing else.
func mergeEveryWay(
  _ parts: [FilePath],
  _ options: [any ToolArgument] = [],
  engines: [String] = engines,
  telling told: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> [UInt8] {
  let directory = try TemporaryDirectory()
  let output = directory.file("out.zip")
  var merged: [UInt8]?
  let starts = [0, parts.count / 2, parts.count - 1]
  for round in 0..<max(engines.count, starts.count) {
    let (engine, start) = (engines[round % engines.count], parts[starts[round % starts.count]])
    let outcome = try mergeZip(start, to: output, options, engine: engine)
    let comment: Comment = "\(engine), \(start.lastComponent): \(outcome)"
    try #require(outcome.exitCode == 0, comment, sourceLocation: sourceLocation)
    let lines = outcome.errorText.split(separator: "\n")
    let expected = lines.filter { line in
      told.contains { line.contains($0) || line.hasSuffix("more: not compared") }
    }
    #expect(lines == expected, comment, sourceLocation: sourceLocation)
    for text in told {
      #expect(outcome.errorText.contains(text), comment, sourceLocation: sourceLocation)
    }
    #expect(try directory.names() == ["out.zip"], comment, sourceLocation: sourceLocation)
    let bytes = try Files.read(output)
    let difference = merged.flatMap { Bytes.difference(bytes, $0) }
    #expect(difference == nil, comment, sourceLocation: sourceLocation)
    merged = bytes
    try FileSystem.unlink(output)
  }
  return try #require(merged, sourceLocation: sourceLocation)
}

/// Writes a zip and asks every program about it.
func expectZip(
  _ bytes: [UInt8],
  holds tree: FileTree,
  password: String? = nil,
  readers: Set<ZipTool> = Set(ZipTool.allCases),
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  #expect(ZipDirectory(bytes).problems == [], sourceLocation: sourceLocation)
  let directory = try TemporaryDirectory()
  let file = directory.file("merged.zip")
  try Files.write(bytes, to: file)
  let complaints = try ZipTools.complaints(
    about: file,
    holding: tree,
    password: password,
    tools: readers
  )
  #expect(complaints == [], sourceLocation: sourceLocation)
}

/// Up to the directory, a merged zip is what the parts hold, without the marker of split ones.
func expectCopied(
  _ parts: [[UInt8]],
  into merged: [UInt8],
  marker: [UInt8] = ZipMarker.spanned.bytes,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let start = ZipDirectory(merged).offset
  let joined = parts.reduce([], +)
  let front = Array(joined.prefix(marker.count))
  #expect(front == marker, sourceLocation: sourceLocation)
  let copied = Array(joined[marker.count...].prefix(start))
  let difference = Bytes.difference(Array(merged.prefix(start)), copied)
  #expect(difference == nil, sourceLocation: sourceLocation)
}
