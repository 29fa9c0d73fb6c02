import Posix

extension JoinedSeries {
  /// A script for dash, bash, BusyBox and their like, with the utilities of POSIX and, for sums,
  /// whatever there is.
  func shell(_ version: String) -> [UInt8] {
    let known = """
      separator=\(separator)
      width=\(width)
      size=\(whole.count)
      crc32=\(whole.crc32Text)
      sha256=\(sha256)
      # The number of the last part of each size, and that size in bytes.
      runs='\(runs.map { "\($0.last):\($0.size)" }.joined(separator: " "))'

      """
    return Array("\(Self.shellHead(version))name=".utf8) + Self.quotedForShell(name)
      + Array("\nshown=".utf8) + Self.quotedForShell(FilePath(name.description))
      + Array("\n\(known)\(Self.shellBody)".utf8)
  }

  private static func quotedForShell(_ name: FilePath) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    return [quote] + name.bytes.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] } + [quote]
  }

  private static func shellHead(_ version: String) -> String {
    """
    #!/bin/sh
    # Puts the parts beside this script together, and checks them. Made by cleave \(version).
    #
    #     sh THIS-FILE

    # File names are bytes here.
    LC_ALL=C
    export LC_ALL
    set -f


    """
  }

  private static let shellBody = #"""
    place=
    temporary=

    stop() {
      printf '%s\n' "$1" >&2
      exit 1
    }

    # each COMMAND: calls it with the number, the name and the size of one part after the other.
    each() {
      number=0
      for run in $runs; do
        bytes=${run#*:}
        while [ "$number" -lt "${run%:*}" ]; do
          number=$((number + 1))
          digits=$number
          while [ "${#digits}" -lt "$width" ]; do digits=0$digits; done
          part=./$name$separator$digits
          "$1"
        done
      done
    }

    # The size of $1, without reading it: the fifth field of ls.
    find_size() {
      set -- "$1" $(ls -ldnL "$1")
      found=${6-}
    }

    bad=0
    check_part() {
      problem=
      if [ ! -e "$part" ]; then
        problem='is missing'
      elif [ ! -f "$part" ]; then
        problem='is not a regular file'
      else
        find_size "$part"
        [ "$found" = "$bytes" ] || problem="has $found bytes, not $bytes"
      fi
      [ -n "$problem" ] || return 0
      bad=$((bad + 1))
      [ "$bad" -gt 1 ] || first="$shown.$digits $problem"
    }

    # cat itself says what is wrong.
    add_part() { cat "$part" || exit 1; }

    refuse_taken() {
      if [ -e "./$name" ] || [ -L "./$name" ]; then stop "$shown exists already"; fi
    }

    # try_sum DIGITS COMMAND: fails where the command gives no sum of so many digits of its standard input.
    try_sum() {
      sum=$(eval "$2" <"$temporary" 2>/dev/null)
      sum=${sum%%[!0-9a-f]*}
      [ "${#sum}" -eq "$1" ]
    }

    find_sha256() {
      [ -n "$sha256" ] || return 1
      kind=SHA-256 expected=$sha256
      try_sum 64 sha256sum || try_sum 64 'shasum -a 256' || try_sum 64 'openssl dgst -sha256 -r'
    }

    by_python='python3 -c "
    import sys, zlib
    crc = 0
    while True:
        piece = sys.stdin.buffer.read(1 << 20)
        if not piece: break
        crc = zlib.crc32(piece, crc)
    print(\"%08x\" % crc)"'
    # The last 8 bytes of what gzip makes are the CRC-32 and the size, the least byte first.
    by_gzip='gzip -1 | tail -c 8 | od -An -N4 -tx1 | { read -r a b c d; echo "$d$c$b$a"; }'

    find_crc32() {
      kind=CRC-32 expected=$crc32
      try_sum 8 'rhash --simple --crc32 -' || try_sum 8 'crc32 "$temporary"' ||
        try_sum 8 "$by_python" || try_sum 8 "$by_gzip"
    }

    case $0 in
    */*) CDPATH= cd -- "${0%/*}/" || exit 1 ;;
    esac
    trap 'if [ -n "$place" ]; then rm -f "$temporary"; rmdir "$place"; fi' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM

    refuse_taken
    each check_part
    if [ "$bad" -gt 1 ]; then first="$first; $bad parts are missing or wrong"; fi
    if [ "$bad" -gt 0 ]; then stop "$first"; fi

    # A directory of our own: mkdir refuses whatever has its name, also what set -C would write to.
    tries=0
    until (umask 077 && mkdir "./.cleave-join-$$-$tries") 2>/dev/null; do
      tries=$((tries + 1))
      [ "$tries" -lt 100 ] || stop "$shown cannot be made in this directory"
    done
    place=./.cleave-join-$$-$tries
    temporary=$place/joined
    each add_part >"$temporary" || exit 1
    find_size "$temporary"
    [ "$found" = "$size" ] || stop "$shown has $found bytes after joining, not $size"

    if find_sha256 || find_crc32; then
      [ "$sum" = "$expected" ] || stop "$shown has $kind $sum, not $expected: a part is damaged"
      checked="$kind $sum"
    else
      checked='only sizes were checked: there is no rhash, crc32, python3 or gzip'
    fi

    refuse_taken
    if ! ln "$temporary" "./$name" 2>/dev/null; then
      refuse_taken
      # There are no hard links, as on FAT. An empty file keeps the name from others until it is replaced.
      trap '' HUP INT TERM
      (set -C && : >"./$name") 2>/dev/null || stop "$shown cannot get its name"
      mv -f "$temporary" "./$name" || {
        rm -f "./$name"
        exit 1
      }
    fi
    printf '%s: %s bytes from %s parts, %s\n' "$shown" "$size" "$number" "$checked"

    """#
}
