import Posix

/// The scripts of `--joiners`, which are made and published with the manifest.
extension Split {
  /// Those that can hold the parts' names.
  package var joiners: [Joiner] {
    guard options.makesJoiners else { return [] }
    return Joiner.allCases.filter { $0.canHold(prefix.lastComponent) }
  }

  /// Looks at their names before a byte is read.
  func checkJoiners() throws(CleaveError) {
    guard options.makesJoiners else { return try refuseStaleJoiners() }
    guard naming.isCounted else {
      throw CleaveError(
        .contradiction,
        "\(Setting.joiners) is for parts that are counted from 1, with the number at the end of the name"
      )
    }
    for joiner in Joiner.allCases {
      let path = joiner.path(beside: prefix)
      if joiner.canHold(prefix.lastComponent) {
        try OutputCheck.check(path, replaceable, inputs: [])
      } else {
        let text = "such a script cannot hold the parts' names; it is not written"
        work.tell(.warning("\(path): \(text)"))
      }
    }
  }

  /// - Throws: where a script that an earlier split has left would find the new parts damaged.
  private func refuseStaleJoiners() throws(CleaveError) {
    for joiner in Joiner.allCases {
      let path = joiner.path(beside: prefix)
      // Others may have scripts that are called so.
      guard naming.isSuffixed, Manifest.mentions("Made by cleave", in: path) else { continue }
      throw CleaveError(
        .cannotCreate,
        path,
        "joins other parts of the same names, and would find the new ones damaged; it must be removed first, or "
          + "choose another \(Setting.prefix)"
      )
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
        isExecutable: joiner.isProgram
      )
    }
  }
}
