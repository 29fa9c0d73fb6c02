import Cleave
import CommandLineKit
import Posix

/// `cleave verify`: files against a manifest, without writing anything.
enum VerifyCommand {
  static let command = Command<Settings>(
    "verify",
    summary: "Check files against their manifest, and zips by what is in them.",
    usage: ["cleave verify [OPTION]... [MANIFEST | PART | DIRECTORY | FILE]..."],
    options: [
      OptionRows.manifest(
        "Check the operands against FILE, not against the manifest beside them."
      ),
      .flag(
        "quick",
        group: "Checking",
        help: "Do not read the data of a zip's entries: look at the structure alone.",
        sets: \.isQuick
      ),
      .flag(
        "list-bad",
        group: "Checking",
        help:
          "Write nothing to standard output but the names of the files to fetch again: those that "
          + "are missing, differ from their manifest or cannot be read, one on each line.",
        sets: \.listsBad
      ),
      .flag(
        "null",
        short: "0",
        group: "Checking",
        help: "With --list-bad, end names with a NUL instead of a new line, for 'xargs -0'.",
        sets: \.endsNamesWithNull
      ),
      OptionRows.dryRun(short: "n"), OptionRows.progress,
    ] + OptionRows.reading + OptionRows.general,
    details: """
      A MANIFEST stands for all files that it names, or for the parts of the one that it is about; a \
      PART for its whole series, with the manifest beside it; any other FILE is checked against \
      FILE.sfv or another manifest beside it. Of a DIRECTORY, and of the current one without an \
      operand, every manifest is checked. Manifests are files whose names end in .sfv, .crc (Total Commander's), \
      .md5, .sha1, .sha256, .sha512 or .b2, or with sum behind that, and SHA256SUMS and the like; \
      checksums.txt, FILE.sha256.txt and the like where every line is right; and what rclone's chunker \
      keeps under the name of the whole. A sums file may have a digest without a name, which is that of \
      the file it is named after, and there may be one for each part: those are read together. Lines \
      about files outside of the manifest's directory are not followed.

      A zip, whole or in parts of any kind, needs no manifest: every entry is unpacked, straight from \
      the parts, and compared with the CRC-32 and the sizes that the zip tells. Entries that are \
      encrypted or compressed by something else than Deflate cannot be tested; they are named.

      Where the manifest has the sums of blocks ('cleave split --block'), the bytes of a file that \
      differ are told: bytes 1048576-2097151 are its second MiB.

      The last line has the numbers of files that are right, wrong, missing and not checked: those that \
      could not be read, parts that the manifest does not list, and lines that were not followed. The \
      exit code is 0 only if everything that the manifests name is there and the same, and every \
      entry of a zip has been tested and is right. --list-bad does not change it. Which part of a zip \
      in parts a wrong entry is in, only a manifest can tell.
      """,
    examples: [
      .init("cleave verify gcd.mp4.zip.sfv", "Check the parts before sending them on."),
      .init("cleave verify gcd.mp4.zip", "Check the merged file against the parts' manifest."),
      .init("cleave verify a.z01", "Test a split zip without joining it."),
      .init("cleave verify --list-bad a.sfv >again", "List what has to be fetched again."),
    ]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    guard !operands.contains("-") else {
      throw usage("standard input has no manifest beside it; verify needs files")
    }
    let choice = session.settings.manifest
    guard choice != .none else { throw usage("verify needs a manifest to compare with") }
    try checkListing(session.settings)
    let paths = try job { () throws(CleaveError) in
      try meanings(of: operands, session.settings.selection)
    }
    // An operand that cannot be checked keeps none of the others from being checked.
    let checks = paths.map { path in
      (
        path,
        Result { () throws(CleaveError) in try VerifySubject(path, session.settings.selection) }
      )
    }
    for (_, subject) in checks where !RunningDigest.isAvailable {
      guard let check = try? subject.get().check, !check.digests.isEmpty else { continue }
      throw usage(
        "\(check.manifest.path) needs OpenSSL's libcrypto, which this cleave was built without"
      )
    }
    var verification = Verification(session, checks)
    return try verification.run()
  }

  private static func checkListing(_ settings: Settings) throws(Failure) {
    guard settings.listsBad else {
      if settings.endsNamesWithNull { throw usage("--null is for --list-bad") }
      return
    }
    if settings.writesJSON { throw usage("--json has the list that --list-bad writes; take one") }
    if settings.isDryRun { throw usage("--list-bad needs the files to be read, not --dry-run") }
  }

  /// The operands; instead of a directory its manifests, or else a part of its only series.
  private static func meanings(
    of operands: [FilePath],
    _ request: Selection.Request
  ) throws(CleaveError) -> [FilePath] {
    if operands.isEmpty {
      let here = try Manifest.all(in: ".")
      guard !here.isEmpty else {
        throw CleaveError(.missingInput, "no manifest (NAME.sfv) in the current directory")
      }
      return here
    }
    var paths: [FilePath] = []
    for operand in operands {
      guard (try? FileStatus.ifPresent(operand))?.kind == .directory else {
        paths.append(operand)
        continue
      }
      let there = try Manifest.all(in: operand)
      paths += there.isEmpty ? [try Selection.part(for: operand, request).path] : there
    }
    return paths
  }
}
