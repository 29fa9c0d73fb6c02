package import Posix

/// A block device that is a file, until the last reference to it goes. Needs root; see `losetup(8)`.
package final class LoopDevice: Sendable {
  package let path: FilePath
  private let directory: TemporaryDirectory

  package init(size: Int64) throws {
    directory = try TemporaryDirectory()
    let image = directory.file("image")
    try Files.makeSparse(image, size: size)
    let shown = try Mounting.run("losetup", ["--find", "--show", image]).outputText
    path = FilePath(String(shown.prefix { !$0.isNewline }))
  }

  deinit { _ = try? Mounting.run("losetup", ["--detach", path]) }

  package static let isAvailable = Mounting.isPossible("block devices") {
    _ = try LoopDevice(size: 1 << 20)
  }
}
