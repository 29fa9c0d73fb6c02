import Testing

@testable import CommandLineKit

@Suite struct SuggestionTests {
  @Test(
    "the nearest candidate within a slip for every three letters is suggested",
    arguments: [
      ("hihg-water", "high-water"),
      ("high-watr", "high-water"),
      ("hgih-wtaer", "high-water"),
      ("mrege", "merge"),
      ("MERGE", "merge"),
      ("splt", "split"),
      ("sp", nil),
      ("xx", nil),
      ("m", nil),
      ("", nil),
      ("nothing-like-it", nil),
    ] as [(String, String?)]
  )
  func theNearestIsSuggested(word: String, expected: String?) {
    #expect(Suggestion.nearest(to: word, in: ["split", "merge", "high-water"]) == expected)
  }

  @Test func theFirstOfEquallyNearCandidatesWins() {
    #expect(Suggestion.nearest(to: "bat", in: ["cat", "hat"]) == "cat")
    #expect(Suggestion.nearest(to: "hatt", in: ["cat", "hat"]) == "hat")
  }

  @Test(
    "a distance counts missing, added, wrong and swapped letters",
    arguments: [
      ("", "", 0),
      ("", "abc", 3),
      ("abc", "", 3),
      ("abc", "abc", 0),
      ("abc", "acb", 1),
      ("abc", "abxc", 1),
      ("abc", "ac", 1),
      ("abc", "axc", 1),
      ("ca", "abc", 3),
      ("kitten", "sitting", 3),
    ]
  )
  func aDistanceCountsSlips(left: String, right: String, expected: Int) {
    #expect(Suggestion.distance(Array(left), Array(right)) == expected)
    #expect(Suggestion.distance(Array(right), Array(left)) == expected)
  }

  @Test func aQuestionNamesTheCandidateTheWayItIsTyped() {
    let names = ["force", "verify"]
    #expect(Suggestion.question(for: "froce", in: names) == "; did you mean force?")
    #expect(
      Suggestion.question(for: "froce", in: names, prefix: "--") == "; did you mean --force?"
    )
    #expect(Suggestion.question(for: "what", in: names) == "")
    #expect(Suggestion.question(for: nil, in: names) == "")
  }
}
