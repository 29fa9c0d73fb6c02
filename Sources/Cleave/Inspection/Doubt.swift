public import Posix

/// Something that the files themselves say against merging them, or that they do not say.
///
/// Positive evidence that the result would be wrong refuses; evidence that is missing is told. The
/// table in ``Doubt/Code/severity`` is the only place where that is decided.
public struct Doubt: Hashable, Sendable {
  public var code: Code
  /// What it is about.
  public var path: FilePath
  /// The end of a sentence that begins with the name; it ends with the remedies.
  public var text: Sentence

  public init(_ code: Code, _ path: FilePath, _ text: Sentence) {
    (self.code, self.path, self.text) = (code, path, text)
  }

  /// What comes of a doubt.
  public enum Severity: Hashable, Sendable {
    /// Nothing is merged, and this is why.
    case refused(CleaveError.Kind)
    /// Told on standard error, and refused with `--strict`.
    case warned
    /// Told on standard error: what was done about it is right.
    case noted
    /// Told where somebody asks: by `info` and by `--verbose`.
    case told
  }

  /// The kinds of doubts, as JSON spells them; each has its severity in the table below.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// The next part is there only as a download that has not ended.
    case nextIsDownloading = "next-part-downloading"
    /// The next part is there only as a numbered copy, or under another name.
    case nextIsCopy = "next-part-copy"
    /// A part that is there is still being downloaded.
    case partIsDownloading = "part-downloading"
    /// Copies of parts that are there, too.
    case copyBeside = "copy-beside"
    /// A download of a part that is there, too.
    case downloadBeside = "download-beside"
    /// Parts behind the last one, which may be those of an earlier and longer series.
    case leftOver = "left-over"
    /// A part whose name is in letters of another case than those of the others.
    case otherCase = "other-case"
    /// The parts do not begin as the name of the whole says.
    case start
    /// All parts begin with the same line, as tables do that were cut with their header.
    case sameLine = "same-first-line"
    /// The parts do not end as what is inside says.
    case end
    /// A part's size contradicts the others.
    case size
    /// The last part is as long as the others. Whatever else says that more is to come has a code of
    /// its own, which warns or refuses by itself: ``nextIsDownloading``, ``nextIsCopy``, ``end``.
    case longLast = "long-last-part"
    /// The last part is as long as the others, and no name of as many digits or letters is behind it, so that what cut
    /// the file may have run out of names.
    case lastNumber = "last-number"
    /// The first part has the number 1 in two digits, where GNU `split` counts from 0, and nothing tells that it is the
    /// first.
    case firstNumber = "first-number"
    /// The last part is as long as the others, and one of another file with its number and size has more behind it.
    case sisterGoesOn = "sister-goes-on"
    /// The parts have different sizes, and none is that of most.
    case unequalSizes = "unequal-sizes"
    /// There is only one part.
    case onlyPart = "only-part"
    /// One file that is named like no part.
    case loneFile = "no-part"
    /// A zip that is whole by itself.
    case wholeZip = "whole-zip"
    /// Some parts of the series are not given, or one is given twice; or a file beside them may be the first.
    case operandGap = "operand-gap"
    /// Some operands have another name than those in front of them, and count from the same numbers.
    case otherCount = "other-count"
    /// Parts were given in another order than that of their numbers.
    case operandOrder = "operand-order"
    /// Beside the parts in a directory there may be those of another series.
    case seriesBeside = "series-beside"
    /// A manifest has the parts' name, and says nothing of them; or a text beside them tells what is not compared.
    case silentManifest = "silent-manifest"
    /// A list of the parts has sums that are not computed, or a form that is not read, and nothing else proves them.
    case foreignSums = "foreign-sums"
    /// A manifest, or the user, vouches for what does not look whole.
    case vouchedFor = "vouched-for"
  }

  /// What may be done about it.
  public var remedies: [Remedy] { text.remedies }

  /// The doubt as the reason why nothing is done.
  public var error: CleaveError {
    if case .refused(let kind) = code.severity { return CleaveError(kind, path, text) }
    return CleaveError(.missingInput, path, text)
  }
}

extension Doubt.Code {
  /// What comes of a doubt, where no option decides it.
  public var severity: Doubt.Severity {
    switch self {
    case .nextIsDownloading, .nextIsCopy, .partIsDownloading, .operandGap, .loneFile, .end:
      .refused(.missingInput)
    case .start, .sameLine, .size, .wholeZip, .foreignSums: .refused(.badData)
    case .copyBeside, .downloadBeside, .leftOver, .otherCase, .lastNumber, .sisterGoesOn,
      .otherCount, .vouchedFor,
      .silentManifest:
      .warned
    case .operandOrder, .seriesBeside: .noted
    case .longLast, .firstNumber, .onlyPart, .unequalSizes: .told
    }
  }
}
