/// A row of a command's table of options that do not go together, or of which one needs another.
package struct Conflict<Settings>: Sendable {
  /// An option as it is typed, and whether settings have it, wherever it was typed.
  package struct Use: Sendable {
    let name: String
    let isMade: @Sendable (Settings) -> Bool

    /// - Parameter name: with its dashes; with its value where only that one is meant.
    package init(_ name: String, _ isMade: @escaping @Sendable (Settings) -> Bool) {
      (self.name, self.isMade) = (name, isMade)
    }
  }

  let use: Use
  let others: [Use]
  /// The end of a sentence behind a colon.
  let reason: String
  private let needs: Bool

  private init(_ use: Use, _ others: [Use], needs: Bool, _ reason: String) {
    (self.use, self.others, self.needs, self.reason) = (use, others, needs, reason)
  }

  /// The option goes with none of the others.
  package static func excludes(_ use: Use, _ others: [Use], _ reason: String) -> Conflict {
    Conflict(use, others, needs: false, reason)
  }

  /// The option is for the other one.
  package static func needs(_ use: Use, _ other: Use, _ reason: String) -> Conflict {
    Conflict(use, [other], needs: true, reason)
  }

  /// What the help says of it, as a sentence.
  var help: String {
    let names = others.map(\.name)
    let list =
      names.count == 1
      ? names[0] : "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
    return needs ? "Only with \(list)." : "Not with \(list)."
  }

  func check(_ settings: Settings) throws(UsageError) {
    guard use.isMade(settings) else { return }
    guard let other = others.first(where: { $0.isMade(settings) != needs }) else { return }
    let verb = needs ? "is for" : "does not go with"
    throw UsageError("\(use.name) \(verb) \(other.name): \(reason)")
  }
}
