import Cleave
import CommandLineKit
import Posix

/// `cleave verify`: files against a manifest, without writing anything.
enum VerifyCommand: ProgramCommand {
  static let command = Command<Settings>(
    "verify",
    summary: "Check files against their manifest, or by what is in them.",
    usage: ["cleave verify [OPTION]... [MANIFEST | PART | DIRECTORY | FILE]..."],
    operands: .parts,
    options: Settings.lists.flatMap(\.options),
    conflicts: Settings.conflicts,
    details: """
      A MANIFEST stands for all files that it names, or for the parts of the one that it is about; a \
      PART for its whole series, with the manifest beside it; any other FILE is checked against \
      FILE.sfv or another manifest beside it. Of a DIRECTORY, and of the current one without an \
      operand, every manifest is checked, and every series that none of them tells of. Manifests are \
      files whose names end in .sfv, .crc (Total Commander's), \(SumKind.anyEnding), or with sum behind that, and SHA256SUMS and the like; \
      checksums.txt, FILE.sha256.txt and the like where every line is right; and what rclone's chunker \
      keeps under the name of the whole. A sums file may have a digest without a name, which is that of \
      the file it is named after, and there may be one for each part: those are read together. Lines \
      about files outside of the manifest's directory are not followed; where the directory that they \
      name is not there, or is the manifest's own, or all that they name in one is beside the manifest, too, the files beside the \
      manifest are meant. PARTs that are given with a list elsewhere are compared with it, as merge does. \
      --manifest=LIST with a DIRECTORY compares the files there with a list that is elsewhere; of a FILE, what \
      the list says of it alone.

      A zip, whole or in parts of any kind, needs no manifest: every entry is unpacked, straight from \
      the parts, and compared with the CRC-32 and the sizes that the zip tells. Entries that are \
      encrypted or compressed by something else than Deflate cannot be tested; they are named. Where \
      there is no manifest, files of other formats, whole or in parts, are checked by what they hold, as \
      merge does it: gzip by the CRC-32 and size of its data, and 7z, xz, lzip, zstd and tar in part, by \
      their structure, which says nothing of the data. Where the content contradicts itself, the exit \
      code is 65. Any other file needs a manifest.

      Where the manifest has the sums of blocks ('cleave split --block'), the bytes of a file that \
      differ are told: bytes 1048576-2097151 are its second MiB.

      The last line has the numbers of files that are right, wrong, missing and not checked: those that \
      could not be read, parts that the manifest does not list, and lines that were not followed. The \
      exit code is 0 only if everything that the manifests name is there and the same, every entry of \
      a zip has been tested and is right, and no content contradicts itself, but for entries of a zip with another name \
      in the directory than beside the data, which some programs write: a line tells of them. A whole that is not there is \
      right where the parts listed with it make it. What no manifest names is not checked, with a warning \
      or a line, and changes the exit code only where it is an operand itself (1 where a manifest lists \
      other parts, else 66), or where nothing was compared (66). Lines of a list that lead out of its \
      directory are not followed, with a warning. --list-bad does not change it. If a wrong entry of a zip lies in several \
      parts, only a manifest can tell which of them is damaged.
      """,
    examples: [
      .init("cleave verify gcd.mp4.zip.sfv", "Check the parts before sending them on."),
      .init("cleave verify gcd.mp4.zip", "Check the merged file against the parts' manifest."),
      .init("cleave verify a.z01", "Test a split zip without joining it."),
      .init("cleave verify --list-bad a.sfv >again", "List what has to be fetched again."),
    ]
  )

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    guard !operands.contains("-") else {
      throw usage("standard input has no manifest beside it; verify needs files")
    }
    var subjects = operands.isEmpty ? ["."] : operands
    // What it names, as where it is the operand.
    if operands.isEmpty, case .file(let manifest) = settings.request.manifest {
      subjects = [manifest]
    }
    var verify = Verify(subjects, settings.request)
    verify.readsEntries = !settings.isQuick
    verify.share = try settings.share?.found()
    (verify.cancellation, verify.progress) = (session.cancellation, session.progress)
    verify.tell = session.work().tell
    return try job { () throws(CleaveError) in
      if settings.isDryRun {
        try session.reporter.tell(verify.plan())
        return .success
      }
      let result = try verify.run()
      try session.reporter.tell(result)
      return ExitCode(result.worst)
    }
  }
}
