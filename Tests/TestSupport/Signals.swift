package import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Signal {
  package static let stop = Signal(rawValue: SIGSTOP)
  package static let resume = Signal(rawValue: SIGCONT)
}
