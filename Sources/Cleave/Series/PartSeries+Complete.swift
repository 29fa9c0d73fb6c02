public import Posix

extension PartSeries {
  /// The series without stale parts, once every part of it is known to be there.
  ///
  /// Without a manifest, the part with the highest number is the last. With one, the highest number
  /// that it names is: a part behind that is left over from a longer series, and so is a part 0
  /// that the manifest does not name.
  ///
  /// - Parameter names: the names of parts that a manifest promises, in any order. Names that are
  ///   not of this series are ignored; if none is, there is no manifest.
  /// - Returns: the series to read, whose parts are all regular files, and the stale parts, both by
  ///   number.
  /// - Throws: `.missingInput`, with one line that names all the missing parts, or the first part
  ///   that is no regular file.
  public func requireComplete(
    named names: [FilePath]? = nil
  ) throws(CleaveError) -> (series: PartSeries, stale: [Part]) {
    let series = reduced(to: promised(names ?? []))
    if let error = series.missing.error(base: base, numbering: series.numbering) { throw error }
    if let part = series.parts.first(where: { $0.status.kind != .regular }) {
      throw CleaveError(.missingInput, part.path, "is \(part.status.kind), not a regular file")
    }
    let kept = Set(series.parts.map(\.number))
    return (series, parts.filter { !kept.contains($0.number) })
  }

  /// What is not there between the first and the last part that are known of.
  private var missing: MissingParts {
    let places = parts.compactMap { numbering.place(of: $0.number) }
    return MissingParts(in: first...(numbering.place(of: last) ?? last), present: places)
  }

  /// The digits of the names that are of this series.
  private func promised(_ names: [FilePath]) -> [PartDigits] {
    let name = base.lastComponent
    return names.compactMap { PartName.digits(of: $0, base: name) }
      .filter(Numbering.plain(width: width).contains)
  }

  /// The series that goes as far as the promised names, and is numbered as they are.
  private func reduced(to promised: [PartDigits]) -> PartSeries {
    if promised.isEmpty { return self }
    let rule = Numbering.of(promised, width: width)
    let numbers = promised.map(\.number)
    let full = PartSeries(base: base, numbering: rule, parts: parts, numbers: numbers)
    let kept = parts.filter {
      (full.first...full.last).contains($0.number) && rule.place(of: $0.number) != nil
    }
    return PartSeries(base: base, numbering: rule, parts: kept, numbers: numbers)
  }
}
