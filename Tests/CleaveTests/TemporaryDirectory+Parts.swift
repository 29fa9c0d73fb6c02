import Posix
import TestSupport

extension TemporaryDirectory {
  func callAsFunction(_ name: FilePath) -> FilePath { file(name) }

  @discardableResult
  func make(_ name: FilePath, _ bytes: [UInt8] = []) throws -> FilePath {
    try Files.write(bytes, to: self(name))
    return self(name)
  }

  /// A file that has a size but takes no room.
  func sparse(_ name: FilePath, size: Int) throws -> FilePath {
    try Files.makeSparse(self(name), size: Int64(size))
    return self(name)
  }

  @discardableResult
  func directory(_ name: FilePath) throws -> FilePath {
    try Files.makeDirectory(self(name))
    return self(name)
  }

  @discardableResult
  func fifo(_ name: FilePath) throws -> FilePath {
    try Files.makeFIFO(self(name))
    return self(name)
  }

  @discardableResult
  func link(_ name: FilePath, to target: FilePath) throws -> FilePath {
    try Files.symlink(self(name), to: target)
    return self(name)
  }
}
