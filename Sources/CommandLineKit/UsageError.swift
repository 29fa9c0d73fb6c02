/// A command line that makes no sense: what the user has to change, apart from failures of the job.
package struct UsageError: Error, Hashable, Sendable {
  /// One line without a newline; what the user typed is in it escaped.
  package let message: String

  package init(_ message: String) { self.message = message }
}

extension UsageError: CustomStringConvertible {
  package var description: String { message }
}
