extension BinaryInteger {
  /// The number and what is counted: `1 part`, `2 parts`.
  ///
  /// - Parameter many: nil for `one` with an s.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    self == 1 ? "1 \(one)" : "\(self) \(many ?? one + "s")"
  }
}
