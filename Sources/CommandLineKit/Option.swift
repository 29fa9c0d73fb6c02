/// One row of a command's option table: what users see of it, and what it does to the settings.
package struct Option<Settings>: Sendable {
  package typealias Action =
    @Sendable (inout Settings, OptionArgument) throws(UsageError) -> Void
  package typealias Target<Value> = any WritableKeyPath<Settings, Value> & Sendable

  package let row: OptionRow
  package let action: Action

  package init(
    _ long: String,
    short: Character? = nil,
    _ argument: OptionRow.Argument = .none,
    values: [String] = [],
    words: [String] = [],
    isList: Bool = false,
    group: String,
    help: String,
    action: @escaping Action
  ) {
    row = OptionRow(
      long: long,
      short: short,
      argument: argument,
      group: group,
      help: help,
      values: values,
      words: words,
      isList: isList
    )
    self.action = action
  }

  init(_ row: OptionRow, action: @escaping Action) {
    (self.row, self.action) = (row, action)
  }

  /// Checks the argument against the allowed values and changes the settings.
  func apply(_ argument: OptionArgument, to settings: inout Settings) throws(UsageError) {
    try argument.check(isOneOf: row.values)
    try action(&settings, argument)
  }
}

// MARK: - The usual kinds

extension Option {
  /// An option without argument that sets a property to true, or to false.
  package static func flag(
    _ long: String,
    short: Character? = nil,
    group: String,
    help: String,
    sets target: Target<Bool>,
    to value: Bool = true
  ) -> Option {
    Option(long, short: short, group: group, help: help) { settings, _ in
      settings[keyPath: target] = value
    }
  }

  /// An option whose argument is converted and stored.
  package static func value<Value>(
    _ long: String,
    short: Character? = nil,
    _ placeholder: String,
    words: [String] = [],
    group: String,
    help: String,
    sets target: Target<Value>,
    convert: @escaping @Sendable (OptionArgument) throws(UsageError) -> Value
  ) -> Option {
    Option(
      long,
      short: short,
      .required(placeholder),
      words: words,
      group: group,
      help: help
    ) { settings, argument throws(UsageError) in
      settings[keyPath: target] = try convert(argument)
    }
  }

  /// An option whose argument is a list of values with commas between them, each once.
  package static func list<Value: Hashable & Sendable>(
    _ long: String,
    short: Character? = nil,
    _ placeholder: String,
    of words: [String] = [],
    group: String,
    help: String,
    sets target: Target<[Value]>,
    convert: @escaping @Sendable (OptionArgument) throws(UsageError) -> Value
  ) -> Option {
    Option(
      long,
      short: short,
      .required(placeholder),
      words: words,
      isList: true,
      group: group,
      help: help
    ) { settings, argument throws(UsageError) in
      var values: [Value] = []
      var seen: Set<Value> = []
      for item in argument.items {
        let value = try convert(item)
        guard seen.insert(value).inserted else { throw item.refused("is there twice") }
        values.append(value)
      }
      settings[keyPath: target] = values
    }
  }

  /// An option whose argument is one of an enumeration's cases. With `bare`, the argument may be
  /// left out, and that is what it then means.
  package static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ long: String,
    short: Character? = nil,
    _ placeholder: String,
    bare: Value? = nil,
    group: String,
    help: String,
    sets target: Target<Value>
  ) -> Option {
    Option(
      long,
      short: short,
      bare == nil ? .required(placeholder) : .optional(placeholder),
      values: Value.allCases.map(\.rawValue),
      group: group,
      help: help
    ) { settings, argument throws(UsageError) in
      // The parser has compared the argument with the raw values.
      let value = argument.isGiven ? Value(rawValue: try argument.text) : bare
      if let value { settings[keyPath: target] = value }
    }
  }
}
