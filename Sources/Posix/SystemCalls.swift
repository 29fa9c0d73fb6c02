// The C names that Swift methods of the same name would hide, each in one place.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

func systemOpen(_ path: UnsafePointer<CChar>, _ flags: CInt, _ mode: UInt32) -> CInt {
  open(path, flags, mode_t(truncatingIfNeeded: mode))
}
func systemClose(_ descriptor: CInt) -> CInt { close(descriptor) }
func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
func systemRead(_ fd: CInt, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
  pread(fd, buffer.baseAddress, buffer.count, off_t(offset))
}
func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer) -> Int {
  write(descriptor, buffer.baseAddress, buffer.count)
}
func systemWrite(_ fd: CInt, _ buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int {
  pwrite(fd, buffer.baseAddress, buffer.count, off_t(offset))
}
func systemRename(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> CInt {
  rename(from, to)
}
func systemLink(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> CInt { link(from, to) }
func systemUnlink(_ path: UnsafePointer<CChar>) -> CInt { unlink(path) }
func systemPoll(_ list: inout [pollfd], _ milliseconds: CInt) -> CInt {
  poll(&list, nfds_t(list.count), milliseconds)
}
func systemExit(_ code: Int32) -> Never { exit(code) }
