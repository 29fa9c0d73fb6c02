/// Something that reads what others wrote, over bytes that may be anything: inputs of the fuzzer, or
/// of its corpus in `Tests/Fuzz/corpus`, a folder for each.
///
/// What is found wrong is fine; a trap, a hang or memory without bounds is not.
package enum Trial: String, CaseIterable, Sendable {
  case zip, proof, sfv, sums, crc, rclone, series, options, journal

  /// - Returns: what came of it, in a line.
  @discardableResult package func run(_ input: [UInt8]) -> String {
    switch self {
    case .zip: ZipTrial.run(input)
    case .proof: ProofTrial.run(input)
    case .sfv: SFVTrial.run(input)
    case .sums: ManifestTrial.sums(input)
    case .crc: ManifestTrial.crc(input)
    case .rclone: ManifestTrial.rclone(input)
    case .series: SeriesTrial.run(input)
    case .options: OptionTrial.run(input)
    case .journal: JournalTrial.run(input)
    }
  }
}

/// For the fuzzer, which is C.
///
/// - Returns: 0 where there is no trial of that name.
@_cdecl("cleave_trial")
public func runTrial(
  _ name: UnsafePointer<CChar>,
  _ start: UnsafePointer<UInt8>,
  _ count: Int
) -> CInt {
  guard let trial = Trial(rawValue: String(cString: name)) else { return 0 }
  trial.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 1
}
