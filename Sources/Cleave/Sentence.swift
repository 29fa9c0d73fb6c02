/// Text with remedies in it, as values: `"exists; \(.replacing) replaces it"`.
///
/// Each user of the library spells remedies in its own words: a program that embeds it in those of the
/// API, which ``description`` has, and a command line in its options.
public struct Sentence: Hashable, Sendable {
  public enum Piece: Hashable, Sendable {
    case text(String)
    /// What a caller may do, with the words in front of it that go where it cannot be done.
    case remedy(Remedy, lead: String)
    /// The same where it is only spoken of, and no way out.
    case mention(Remedy)
    /// What a caller has asked for.
    case setting(Setting)
  }

  /// No two texts are beside each other.
  public private(set) var pieces: [Piece] = []

  public init() {}

  public init(_ text: String) { append(text) }

  /// What a caller may do, in the sentence's order.
  public var remedies: [Remedy] {
    pieces.compactMap { if case .remedy(let remedy, _) = $0 { remedy } else { nil } }
  }

  private mutating func append(_ text: String) {
    if text.isEmpty { return }
    if case .text(let before) = pieces.last {
      pieces[pieces.count - 1] = .text(before + text)
    } else {
      pieces.append(.text(text))
    }
  }

  public static func += (sentence: inout Sentence, more: Sentence) {
    for piece in more.pieces {
      switch piece {
      case .text(let text): sentence.append(text)
      case .remedy, .mention, .setting: sentence.pieces.append(piece)
      }
    }
  }

  public static func + (sentence: Sentence, more: Sentence) -> Sentence {
    var both = sentence
    both += more
    return both
  }
}

extension Sentence: CustomStringConvertible {
  /// In the words of the API.
  public var description: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .remedy(let remedy, let lead): lead + remedy.description
      case .mention(let remedy): remedy.description
      case .setting(let setting): setting.description
      }
    }
    .joined()
  }
}

extension Sentence: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }

  public init(stringInterpolation interpolation: StringInterpolation) {
    self = interpolation.sentence
  }

  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sentence = Sentence()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ text: String) { sentence.append(text) }

    public mutating func appendInterpolation<Value>(_ value: Value) { sentence.append("\(value)") }

    public mutating func appendInterpolation(_ other: Sentence) { sentence += other }

    public mutating func appendInterpolation(_ error: CleaveError) { sentence += error.sentence }

    /// - Parameter remedy: what a caller may do.
    /// - Parameter lead: words in front of it, which go where it cannot be done.
    public mutating func appendInterpolation(_ remedy: Remedy, behind lead: String = "") {
      sentence.pieces.append(.remedy(remedy, lead: lead))
    }

    public mutating func appendInterpolation(_ setting: Setting) {
      sentence.pieces.append(.setting(setting))
    }

    public mutating func appendInterpolation(mentioning remedy: Remedy) {
      sentence.pieces.append(.mention(remedy))
    }
  }
}

// A text has no values in it: these say at compile time where one would be lost on the way.
extension DefaultStringInterpolation {
  @available(*, deprecated, message: "a remedy belongs into a Sentence")
  package mutating func appendInterpolation(_ remedy: Remedy) {
    appendLiteral(remedy.description)
  }

  @available(*, deprecated, message: "a setting belongs into a Sentence")
  package mutating func appendInterpolation(_ setting: Setting) {
    appendLiteral(setting.description)
  }

  @available(*, deprecated, message: "a Sentence belongs into a Sentence; or take its description")
  package mutating func appendInterpolation(_ sentence: Sentence) {
    appendLiteral(sentence.description)
  }
}
