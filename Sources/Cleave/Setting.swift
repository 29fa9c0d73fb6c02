/// What a caller has asked for, where a ``Sentence`` speaks of it.
public enum Setting: String, CaseIterable, Hashable, Sendable {
  case blocks = "Split.Options.block"
  case checkpoint = "WorkOptions.checkpoint"
  case consuming = "WorkOptions.consumes"
  case dealing = "CutList.dealt"
  case dealt = "Merge.Options.dealtSeparator"
  case digests = "Merge.Options.digests"
  case entries = "VerifyMode.entries"
  case filter = "Split.Options.filter"
  case header = "Split.Options.header"
  case joiners = "Split.Options.makesJoiners"
  case manifest = "ManifestChoice.file"
  case prefix = "PartNaming.prefix"
  case range = "a range"
  case rest = "a rest"
  case resuming = "WorkOptions.isResumable"
  case share = "MergeShare"
  case sharing = "SharingPolicy.always"
  case size = "CutList.every"
  case times = "OutputOptions.keepsTimes"
  case unflushed = "an output that is not synchronized"
  case unverified = "VerifyMode.none"
  case waiting = "ArrivingMerge"
  case zip = "Split.Options.isZip"
}

extension Setting: CustomStringConvertible {
  /// As a Swift program has it.
  public var description: String { rawValue }
}
