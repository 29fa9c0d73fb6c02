/// Terminated C strings with a null pointer behind the last, as `main` gets its arguments.
package typealias CStrings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Calls `body` with copies of the strings, which live as long as the call.
package func withCStrings<R>(_ strings: [FilePath], _ body: (CStrings) -> R) -> R {
  // Kept aside: getopt_long reorders the array that it is given.
  let copies = strings.map { string in
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: string.bytes.count + 1)
    _ = copy.initialize(fromContentsOf: string.bytes.map { CChar(bitPattern: $0) } + [0])
    return copy
  }
  defer { for copy in copies { copy.deallocate() } }
  var pointers = copies.map(\.baseAddress) + [nil]
  return pointers.withUnsafeMutableBufferPointer { buffer in
    // A buffer of at least one element has a base address.
    guard let base = buffer.baseAddress else { preconditionFailure("no terminator") }
    return body(base)
  }
}
