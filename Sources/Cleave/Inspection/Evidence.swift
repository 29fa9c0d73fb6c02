internal import Posix

/// What speaks for and against taking some files for the parts of one whole, in the order in which it
/// was found.
public struct Evidence: Hashable, Sendable {
  /// What a line is about.
  public enum Topic: String, CaseIterable, Hashable, Sendable {
    case name, manifest, records, parts, sizes, content, end, beside
  }

  public struct Line: Hashable, Sendable {
    public var topic: Topic
    /// A sentence without a full stop.
    public var text: Sentence
  }

  public private(set) var lines: [Line] = []
  /// What speaks against merging the parts, whatever comes of it.
  public private(set) var doubts: [Doubt] = []
  /// Whether something besides the names says that the parts belong together.
  private(set) var isBorneOut = false
  /// Whether something besides the names says which part is the last one, and that it is there.
  package private(set) var isEndKnown = false
  /// Whether the sizes look as if it were there.
  private(set) var isEndLikely = false

  public init() {}

  mutating func note(_ topic: Topic, _ text: Sentence) {
    lines.append(Line(topic: topic, text: text))
  }

  /// Notes what says more than names do.
  mutating func confirm(_ topic: Topic, _ text: Sentence) {
    note(topic, text)
    isBorneOut = true
  }

  mutating func knowEnd() { isEndKnown = true }

  /// The last part is shorter, as a last one is, or one that is not all there yet.
  mutating func looksLikeEnd() { isEndLikely = true }

  mutating func suspect(_ topic: Topic, _ doubt: Doubt) {
    if doubts.contains(doubt) { return }
    note(topic, "\(doubt.path): \(doubt.text)")
    doubts.append(doubt)
  }

  /// Takes back that a list says nothing that is compared.
  mutating func hear(_ list: FilePath) {
    let isAnswered = { (doubt: Doubt) in
      doubt.path == list && [.silentManifest, .foreignSums].contains(doubt.code)
    }
    for doubt in doubts where isAnswered(doubt) {
      lines.removeAll { $0.text == "\(doubt.path): \(doubt.text)" }
    }
    doubts.removeAll(where: isAnswered)
  }

  /// The first doubt for which nothing is merged.
  var refusal: CleaveError? {
    doubts.first { if case .refused = $0.code.severity { true } else { false } }?.error
  }
}
