import Cleave
import Posix
import TestSupport
import Testing

/// What becomes of outputs where somebody keeps their directory locked.
@Suite struct OutputsLockTests {
  private let directory: TemporaryDirectory
  private let outputs = Outputs(OutputOptions(synchronizes: false))
  private let names: [FilePath] = ["a", "b"]

  init() throws {
    directory = try TemporaryDirectory()
    for name in names {
      let index = outputs.add(directory.file(name), tells: name == names.last)
      try outputs.finish(index, with: Array("\(name)".utf8))
    }
  }

  @Test func theyGetTheirNamesAllTheSame() throws {
    let holder = try FileDescriptor.open(directory.path, [.readOnly, .directory])
    let isLocked = holder.lock()
    #expect(isLocked)
    try outputs.publish { _ in }
    for name in names { #expect(try Files.read(directory.file(name)) == name.bytes) }
    #expect(try directory.names() == names)
    try holder.close()
  }

  /// Nothing else would tell others then that the job is at work.
  @Test func withoutAnyLockTheyDoNot() throws {
    let holder = try FileDescriptor.open(directory.path, [.readOnly, .directory])
    let isLocked = holder.lock()
    #expect(isLocked)
    let last = try FileDescriptor.open(try #require(outputs.temporaries.last), .readOnly)
    let isLastLocked = last.lock()
    #expect(isLastLocked)
    let error = #expect(throws: CleaveError.self) { try outputs.publish { _ in } }
    #expect(error?.kind == .inUse)
    #expect(error?.message.hasPrefix("\(directory.path): is locked") == true)
    #expect(error?.message.hasSuffix(", and files cannot get their names") == true)
    #expect(try directory.names() == [])
    try holder.close()
    try last.close()
  }
}
