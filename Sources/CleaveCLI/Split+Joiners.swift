import Cleave
import Posix

/// The scripts of `--joiners`, which are made and published with the manifest.
extension Split {
  /// Those that can hold the parts' names.
  var joiners: [Joiner] {
    guard settings.makesJoiners else { return [] }
    return Joiner.allCases.filter { $0.canHold(prefix.lastComponent) }
  }

  /// For the report; nil where none were asked for.
  var joinerNames: [JSONReport.Name]? {
    settings.makesJoiners ? joiners.map { JSONReport.Name($0.path(beside: prefix)) } : nil
  }

  /// Looks at their names before a byte is read.
  func checkJoiners() throws(CleaveError) {
    guard settings.makesJoiners else { return }
    for joiner in Joiner.allCases {
      let path = joiner.path(beside: prefix)
      if joiner.canHold(prefix.lastComponent) {
        try OutputCheck.check(path, settings.outputOptions, inputs: [])
      } else {
        session.console.warn(
          "\(path): such a script cannot hold the parts' names; it is not written"
        )
      }
    }
  }

  func scripts(
    _ sums: [Checksum],
    _ whole: Checksum,
    _ digests: Digests
  ) -> [Sidecar] {
    let series = JoinedSeries(
      name: prefix.lastComponent,
      separator: naming.separator,
      width: naming.width,
      parts: sums.map(\.count),
      whole: whole,
      digests: digests.whole
    )
    return joiners.map { joiner in
      Sidecar(
        path: joiner.path(beside: prefix),
        bytes: joiner.render(series, version: cleaveVersion),
        isExecutable: joiner == .sh
      )
    }
  }
}
