package import Posix

/// What may be in a directory after a command that makes one file there, whether it worked or not.
///
/// Success means that the file is right. Failure means that its name is as it was before, that
/// nothing else was left, and that standard error says why in one line.
package struct Aftermath: Sendable {
  /// The file that the command makes.
  package var output: FilePath
  /// What must be in it after success.
  package var whole: [UInt8]
  /// What was in it before; nil where it was not there.
  package var previous: [UInt8]?
  /// Every other name that belongs in the output's directory.
  package var others: Set<FilePath>

  package init(
    output: FilePath,
    whole: [UInt8],
    previous: [UInt8]? = nil,
    others: Set<FilePath> = []
  ) {
    self.output = output
    self.whole = whole
    self.previous = previous
    self.others = others
  }

  /// What is wrong after a command that ended like this.
  ///
  /// - Parameters:
  ///   - mayHaveCompleted: an error may be reported although the file is complete, as where only
  ///     the flush of the directory failed.
  package func violations(
    of outcome: Outcome,
    mayHaveCompleted: Bool = false
  ) throws -> [String] {
    var found: [String] = []
    if outcome.timedOut { found.append("hung") }
    let present = try Files.exists(output) ? try Files.read(output) : nil
    let asWanted = wanted(of: outcome, mayHaveCompleted: mayHaveCompleted)
    let problems = asWanted.compactMap { difference(present, $0) }
    if problems.count == asWanted.count { found.append("\(output): \(problems[0])") }
    // Nobody can clean up after SIGKILL.
    if !outcome.wasKilled { found += try leftovers() }
    if let complaint = complaint(about: outcome) { found.append(complaint) }
    return found.map { "\($0) [\(outcome)]" }
  }

  /// The contents, any of which is right.
  private func wanted(of outcome: Outcome, mayHaveCompleted: Bool) -> [[UInt8]?] {
    if outcome.exitCode == 0 { return [whole] }
    return mayHaveCompleted || outcome.wasKilled ? [previous, whole] : [previous]
  }

  private func difference(_ found: [UInt8]?, _ wanted: [UInt8]?) -> String? {
    switch (found, wanted) {
    case (nil, nil): nil
    case (nil, _?): "is missing"
    case (_?, nil): "is there"
    case (let found?, let wanted?): Bytes.difference(found, wanted)
    }
  }

  private func leftovers() throws -> [String] {
    let directory = output.directory
    let expected = others.union([output.lastComponent])
    let names = try FileSystem.names(in: directory).filter { !expected.contains($0) }
    return names.sorted().map { "left \($0)" }
  }

  private func complaint(about outcome: Outcome) -> String? {
    guard let code = outcome.exitCode else {
      return outcome.wasKilled ? nil : "died of a signal"
    }
    let lines = outcome.errorText.split(separator: "\n").count
    return code != 0 && lines != 1 ? "\(lines) lines on standard error" : nil
  }
}

extension Outcome {
  /// Whether SIGKILL ended the program.
  package var wasKilled: Bool { signal == .kill }
}
