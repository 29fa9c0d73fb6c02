import Cleave
import CommandLineKit
import Posix

/// What merge and cat do with their operands.
extension Session {
  /// What the operands mean, to be merged.
  func selection(
    of operands: [FilePath],
    _ request: Selection.Request
  ) throws(CleaveError) -> Selection {
    if operands.contains("-") { try requireStandardInput() }
    do throws(CleaveError) {
      let selection = try Selection.look(at: operands, request)
      guard let refusal = selection.refusal else { return selection }
      for doubt in selection.evidence.doubts { console.note(doubt) }
      throw refusal
    } catch {
      throw error.hinting(at: operands[0])
    }
  }
}
