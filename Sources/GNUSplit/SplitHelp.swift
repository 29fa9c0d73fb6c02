internal import Cleave
internal import Posix

/// What `--help` and `--version` say.
enum SplitHelp {
  static let version = """
    split (cleave \(cleaveVersion)), which works as split (GNU coreutils) 9.5
    This is cleave under the name of split; its own commands are those of 'cleave --help'.

    """

  static func text(_ program: FilePath) -> [UInt8] {
    Array("Usage: ".utf8) + program.bytes + Array(" [OPTION]... [FILE [PREFIX]]\n".utf8)
      + Array(body.utf8)
  }

  private static let body = """
    Cuts FILE into PREFIXaa, PREFIXab and so on, of 1000 lines each unless an option
    says how to cut. PREFIX is 'x' if none is given. Without FILE, and for -, it
    reads standard input.

    How to cut, of which only one can be given:
      -b, --bytes=SIZE        SIZE bytes in each file
      -C, --line-bytes=SIZE   as many whole lines as fit into SIZE bytes
      -l, --lines=NUMBER      NUMBER lines in each file
      -n, --number=CHUNKS     a number of files:
                                N      of the same size
                                K/N    only the Kth of N, on standard output
                                l/N    of about the same size, and whole lines
                                l/K/N  only the Kth of them
                                r/N    one line to each in turn
                                r/K/N  only the Kth of them
      -t, --separator=SEP     SEP ends a line, instead of a newline; '\\0' is NUL

    What the files are called:
      -a, --suffix-length=N   N letters or digits behind PREFIX (2, or more for -n)
          --additional-suffix=SUFFIX
                              SUFFIX at the end
      -d                      digits instead of letters
          --numeric-suffixes[=FROM]
                              digits, the first number being FROM
      -x                      hexadecimal digits
          --hex-suffixes[=FROM]
                              hexadecimal digits, the first number being FROM

    What else is done:
      -e, --elide-empty-files no empty files with -n
          --filter=COMMAND    a shell runs COMMAND for each file, and gives it what would
                              be in the file; $FILE is the file's name
      -u, --unbuffered        writes at once with -n r/
          --verbose           names each file before it is made
          --help              this help
          --version           the version

    SIZE is a number and may have a unit: K, M, G, T, P, E, Z, Y, R and Q are powers of
    1024, also as KiB, MiB and so on; KB, MB and so on are powers of 1000; b is 512.

    This is cleave, called by the name of split. It does what GNU split 9.5 does.

    """
}
