import Posix
import SampleFile

// cleave-sample SIZE FILE: makes a file of SIZE pseudo-random bytes, the same every time, for
// demonstrations and measurements.

let words = CommandLine.arguments
if words.count == 3, let size = Int64(words[1]), size >= 0 {
  do {
    try Sample(size: size).write(toNew: FilePath(words[2]))
  } catch {
    leave("cleave-sample: \(error)", code: error.errno == .exists ? 73 : 74)
  }
} else {
  leave("usage: cleave-sample SIZE FILE", code: 64)
}

/// Says why on standard error, and ends the program.
func leave(_ message: String, code: CInt) -> Never {
  let line = FileDescriptor(owning: 2, path: "standard error")
  try? line.write(all: Array("\(message)\n".utf8))
  ProcessState.exit(code)
}
