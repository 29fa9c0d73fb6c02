/// Guesses which known word a mistyped one was meant to be.
package enum Suggestion {
  /// The candidate nearest to `word`, or nil where none is near; the first one of equals.
  ///
  /// One slip is allowed for every three letters, and never more than three. Case does not count.
  package static func nearest(to word: String, in candidates: [String]) -> String? {
    let letters = Array(word.lowercased())
    var limit = min(3, (letters.count + 1) / 3)
    var nearest: String?
    for candidate in candidates {
      let distance = distance(letters, Array(candidate.lowercased()))
      guard distance <= limit else { continue }
      nearest = candidate
      limit = distance - 1
    }
    return nearest
  }

  /// `; did you mean --force?` for the end of a message, or nothing where no candidate is near.
  package static func question(
    for word: String?,
    in candidates: [String],
    prefix: String = ""
  ) -> String {
    guard let word, let nearest = nearest(to: word, in: candidates) else { return "" }
    return "; did you mean \(prefix)\(nearest)?"
  }

  /// How many letters are missing, added, wrong or swapped with their neighbour.
  ///
  /// The Damerau–Levenshtein distance in its restricted form: swapped letters are not edited again.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    // Rows of the usual matrix: only the last two are needed, the older one for swaps.
    var older: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let wrong = left[row] == right[column] ? 0 : 1
        var best = min(previous[column] + wrong, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, older[column - 1] + 1)
        }
        current.append(best)
      }
      (older, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
