/// Some rows of a command's option table, whatever part of the settings they set.
///
/// Commands share groups of options, but each has settings of its own: only what its table offers.
package struct OptionList<Settings>: Sendable {
  package let options: [Option<Settings>]

  /// Options of the command itself.
  package static func own(_ options: [Option<Settings>]) -> OptionList {
    OptionList(options: options)
  }

  /// Options that set a part of the settings, which other commands have as well.
  package static func of<Part>(
    _ part: any WritableKeyPath<Settings, Part> & Sendable,
    _ options: [Option<Part>]
  ) -> OptionList {
    OptionList(options: options.map { $0.at(part) })
  }
}

extension Option {
  /// The same option of settings that these are a part of.
  fileprivate func at<Whole>(
    _ part: any WritableKeyPath<Whole, Settings> & Sendable
  ) -> Option<Whole> {
    Option<Whole>(row) { settings, argument throws(UsageError) in
      try action(&settings[keyPath: part], argument)
    }
  }
}
