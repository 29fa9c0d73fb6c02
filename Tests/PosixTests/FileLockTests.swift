import Posix
import TestSupport
import Testing

@Suite struct FileLockTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func nobodyWaitsForeverForALock() throws {
    let first = try FileDescriptor.open(directory.path, [.readOnly, .directory])
    let second = try FileDescriptor.open(directory.path, [.readOnly, .directory])
    let third = try FileDescriptor.open(directory.path, [.readOnly, .directory])
    var taken = first.lock()
    #expect(taken)
    for lock in [FileDescriptor.Lock.exclusive, .shared] {
      taken = second.lock(lock)
      #expect(!taken)
      taken = second.lock(lock, patience: 20)
      #expect(!taken)
    }
    try first.close()
    // A process that another test starts has it, too, until it runs its program.
    taken = second.lock(.shared, patience: 10_000)
    #expect(taken)
    taken = third.lock(.shared, patience: 10_000)
    #expect(taken)
  }

  #if os(Linux)
    @Test func theHolderIsFound() throws {
      try Files.write([1], to: directory.file("a"))
      let first = try FileDescriptor.open(directory.file("a"), .readOnly)
      let second = try FileDescriptor.open(directory.file("a"), .readOnly)
      var found = LockHolder.ofLock(on: second)
      #expect(found == nil)
      let taken = first.lock()
      #expect(taken)
      found = LockHolder.ofLock(on: second)
      let holder = try #require(found)
      let own = FilePath("/proc/\(holder.process)/exe")
      #expect(try FileStatus.of(own).identity == FileStatus.of("/proc/self/exe").identity)
      #expect("\(holder)".hasPrefix("process \(holder.process) ("))
      try first.close()
    }

    @Test(
      "a device has a major and a minor number",
      arguments: [
        (0x801, 131_074, "08:01"), (0xFD00, 1, "fd:00"), (0x1_0003_2104, 7, "321:100004"),
        (0x19, 5, "00:19"),
      ] as [(UInt64, UInt64, String)]
    )
    func devices(device: UInt64, inode: UInt64, text: String) {
      let identity = FileStatus.Identity(device: device, inode: inode)
      let list = """
        1: POSIX  ADVISORY  WRITE 17 \(text):\(inode) 0 EOF
        2: FLOCK  ADVISORY  WRITE 18 \(text):\(inode + 1) 0 EOF
        3: FLOCK  ADVISORY  READ 19 \(text):\(inode) 0 EOF
        3: -> FLOCK  ADVISORY  WRITE 20 \(text):\(inode) 0 EOF

        """
      #expect(LockHolder.holder(of: identity, in: Array(list.utf8)) == 19)
    }
  #endif
}
