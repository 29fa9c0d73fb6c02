internal import Posix

/// Parts whose names may be read in two ways.
extension Selection {
  /// Another series that the same parts are read as: `dataaa` and those behind it are parts of `dat` or of `data`,
  /// `v1.000` and so on of `v1` or of `v1.0`.
  ///
  /// - Returns: that of a whole which is none of them and ends in the first digits of their numbers, and of which a list
  ///   has the sum; nil where none has, or one has the sum of the whole that the series makes.
  /// - Throws: `.badData` where the parts are not read so.
  func ofListedWhole(
    _ series: PartSeries,
    _ request: Request
  ) throws(CleaveError) -> PartSeries? {
    guard request.manifest != .none, manifest?.whole(of: series.base) == nil,
      let first = series.parts.first?.path,
      series.parts.count > 1
    else { return nil }
    let names = series.parts.files.paths.lazy.map(\.lastComponent.bytes)
    let (head, tail) = (series.form.head.bytes, series.form.tail.bytes)
    for count in 1..<max(1, series.form.width) {
      let start = first.lastComponent.bytes.prefix(head.count + count)
      // Of most, the last one tells.
      guard names.last?.starts(with: start) == true, names.allSatisfy({ $0.starts(with: start) })
      else { return nil }
      let base = first.sibling(FilePath(bytes: start + tail))
      guard request.manifest != .automatic || hasList(naming: base),
        let list = try? manifest(of: FilesMeant(base, self.names), request),
        list.whole(named: base)?.canProve == true,
        !names.contains(base.lastComponent.bytes), !isListedPart(base, of: series)
      else { continue }
      if let other = try PartSeries.containing(first, for: base, in: listing),
        other.parts.count >= series.parts.count
      {
        return other
      }
      throw CleaveError(
        .badData,
        first,
        "may be a part of \(base.lastComponent), of which \(list.name) has the sum, or of "
          + "\(series.base.lastComponent): \(.withoutManifest) takes it for one of the latter"
      )
    }
    return nil
  }

  /// Whether the list that has all parts of a series has another name as that of one, too, and of those next to it.
  private func isListedPart(_ name: FilePath, of series: PartSeries) -> Bool {
    guard let manifest, manifest.covers(names, makesWhole: false, of: nil) else { return false }
    return PartName.readings(of: name.lastComponent, for: series.base.lastComponent)
      .contains { $0.neighbours.contains { manifest.expected(of: $0) != nil } }
  }

  /// - Throws: `.badData` where the only part is also one of another whole, and the manifest knows others of
  ///   that: `disk.part1.img.chunk001` is not all of `disk.img.chunk001`.
  func refuseOtherReading(of series: PartSeries) throws(CleaveError) {
    guard let manifest, series.parts.count == 1, let part = series.parts.first else { return }
    let name = part.path.lastComponent
    for reading in PartName.readings(of: name) where reading.base != series.base.lastComponent {
      let neighbours = reading.neighbours
      let other = manifest.entries.lazy.map(\.name).first { other in
        other != name && series.form.digits(of: other) == nil
          && (reading.style.isCertain
            ? reading.digits(of: other) != nil : neighbours.contains(other))
      }
      guard let other else { continue }
      throw CleaveError(
        .badData,
        part.path,
        "is also a part of \(reading.base), as \(other) is, which \(manifest.path) names: "
          + "\(.family(reading.family)) reads it so, \(.family(series.family)) as the only one of "
          + "\(series.base.lastComponent)"
      )
    }
  }
}
