#!/bin/sh
# Compiles the C parts for the systems that nothing here runs on, with the clang and the C libraries of
# zig, which `Scripts/setup.sh portable` installs. Nothing is linked or run.
#
#     Scripts/portable.sh

set -eu

targets='aarch64-macos x86_64-macos x86_64-linux-musl aarch64-linux-musl'

cd "$(dirname "$0")/.."

place='import os, ziglang; print(os.path.dirname(ziglang.__file__))'
zig=$(python3 -c "$place" 2>/dev/null)/zig || {
  echo "portable: skipped, for ziglang is not installed; Scripts/setup.sh portable installs it"
  exit 0
}

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# copy_headers HEADER: those of a library, from where the system's compiler finds them. Their directories
# also have the headers of this system's C library, which the targets must not see.
copy_headers() {
  printf '#include <%s>\n' "$1" >"$directory/try.c"
  cc -M "$directory/try.c" 2>/dev/null | tr ' \\' '\n\n' | grep -E '/(zlib|zconf)\.h$|/isa-l(/|\.h$)' |
    while read -r header; do
      case $header in
      */isa-l/*) place=isa-l/ ;;
      *) place= ;;
      esac
      mkdir -p "$directory/include/$place"
      cp "$header" "$directory/include/$place"
    done
}
copy_headers zlib.h
copy_headers isa-l/crc.h
copy_headers isa-l/igzip_lib.h

# Each target by itself, so that a machine with several processors tries several at a time.
try_target() {
  failed=0
  for file in Sources/C*/*.c Sources/C*/include/*.h Sources/C*/shim.h; do
    case $file in
    */CZlib/*) [ -f "$directory/include/zlib.h" ] || continue ;;
    */CISAL/isal.c) [ -f "$directory/include/isa-l/crc.h" ] || continue ;;
    esac
    module=${file#Sources/}
    # A header is compiled by itself, as Swift's importer reads it.
    "$zig" cc -target "$1" -Wall -Wextra -Werror -Wno-pragma-once-outside-header \
      -I "Sources/${module%%/*}/include" -I "$directory/include" \
      -x c -c "$file" -o "$directory/$1.o" || {
      echo "$file: cannot be compiled for $1" >&2
      failed=1
    }
  done
  return $failed
}

children=
for target in $targets; do
  try_target "$target" &
  children="$children $!"
done
status=0
for child in $children; do wait "$child" || status=1; done
exit $status
