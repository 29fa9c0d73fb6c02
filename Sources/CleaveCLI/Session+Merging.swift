import Cleave
import CommandLineKit
import Posix

/// What merge and cat do with their operands.
extension Session {
  /// What the operands mean, to be merged.
  ///
  /// - Parameter output: what they are to make, where that was said.
  func selection(
    of operands: [FilePath],
    _ request: Selection.Request,
    into output: FilePath? = nil
  ) throws(CleaveError) -> Selection {
    if operands.contains("-") { try requireStandardInput() }
    return try selection(of: operands[0], in: nil) { () throws(CleaveError) in
      var request = request
      request.output = output
      var found = try Selection.look(at: operands, request)
      if found.refusal != nil, let output { found.takeList(of: output) }
      return found
    }
  }

  /// The same of what is known of one of several operands.
  ///
  /// - Parameters:
  ///   - last: what was listed last, and is listed here.
  ///   - see: is told what that is, also where it is refused.
  func selection(
    of part: Selection.Part,
    _ request: Selection.Request,
    in last: inout DirectoryListing?,
    _ see: (Selection) -> Void
  ) throws(CleaveError) -> Selection {
    var part = part
    if part.listing == nil, part.manifest != request.manifest {
      // It is one of those that a list stands for.
      last = .beside(part.path, orAgain: last)
      (part.listing, part.others) = (last, [])
    }
    // What no directory was listed for may stand for something else.
    guard let listing = part.listing else {
      var request = request
      request.manifest = part.manifest
      let known = DirectoryListing.beside(part.path, orAgain: last)
      last = known
      return try selection(of: part.path, in: known) { () throws(CleaveError) in
        let found = try Selection.look(at: [part.path], request, in: known)
        see(found)
        return found
      }
    }
    return try selection(of: part.path, in: listing) { () throws(CleaveError) in
      try Consumption.refuseRest(part.path)
      let found = try Selection.look(at: part, request)
      see(found)
      return found
    }
  }

  private func selection(
    of operand: FilePath,
    in listing: DirectoryListing?,
    _ look: () throws(CleaveError) -> Selection
  ) throws(CleaveError) -> Selection {
    do throws(CleaveError) {
      let selection = try look()
      guard let refusal = selection.refusal else { return selection }
      for doubt in selection.evidence.doubts { console.note(doubt) }
      throw refusal
    } catch {
      throw error.hinting(at: operand, in: listing)
    }
  }
}
