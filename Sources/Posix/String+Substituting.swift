extension String {
  /// The text with another one in the place of each of a scalar.
  ///
  /// `replacing(_:with:)` goes by characters, of which one may be a quotation mark and an accent, and brings 1
  /// MiB of regular expressions with it.
  package func substituting(_ scalar: Unicode.Scalar, with text: String) -> String {
    var result = ""
    for other in unicodeScalars {
      if other == scalar { result += text } else { result.unicodeScalars.append(other) }
    }
    return result
  }
}
