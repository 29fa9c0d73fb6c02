#!/bin/sh
# Makes every fixture anew, beside this script. Contents are the same each time; the zip archives
# of another version of 7-Zip or zip may differ in a few bytes.
#
# Needs: 7z (p7zip-full), zip, GNU coreutils. Run it as: Fixtures/make-fixtures.sh

set -eu
LC_ALL=C TZ=UTC
export LC_ALL TZ
cd "$(dirname "$0")"

# bytes COUNT SEED: pseudo-random bytes that do not compress, the same for the same seed.
bytes() {
  # The generator of Park and Miller; its products are exact in floating point. awk cannot be
  # relied on to print a zero byte, so it prints escapes for the shell.
  awk -v count="$1" -v seed="$2" 'BEGIN {
    state = seed * 7919 + 1
    for (i = 1; i <= count; i++) {
      state = (state * 16807) % 2147483647
      printf "\\%03o%s", int(state / 8388608), i % 32 == 0 || i == count ? "\n" : ""
    }
  }' | while IFS= read -r line; do printf "$line"; done
}

# folder NAME: an empty folder with its parts; the README, which is written by hand, stays.
folder() {
  rm -rf "$1/parts" "$1/whole"
  mkdir -p "$1/parts"
}

# cut_parts WHOLE PREFIX SIZE...: cuts WHOLE into parts of these sizes, and a last one of what is
# left. Standard input has their suffixes, a line for each.
cut_parts() {
  whole=$1 prefix=$2 at=1
  shift 2
  while IFS= read -r suffix; do
    if [ $# -gt 0 ]; then
      tail -c "+$at" "$whole" | head -c "$1" >"$prefix$suffix"
      at=$((at + $1))
      shift
    else
      tail -c "+$at" "$whole" >"$prefix$suffix"
    fi
  done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# Two members, one stored and one deflated, with a fixed time, for the archives.
bytes 100000 1 >"$work/noise.bin"
seq 1 10000 >"$work/numbers.txt"
touch -t 202001010000 "$work/noise.bin" "$work/numbers.txt"

folder 7z-volumes-of-zip
(cd "$work" && 7z a -tzip -mtc=off -bso0 -bsp0 -v45k a.zip noise.bin numbers.txt)
cp "$work"/a.zip.* 7z-volumes-of-zip/parts/
cat 7z-volumes-of-zip/parts/* >7z-volumes-of-zip/whole

folder zip-and-split
(cd "$work" && zip -qX b.zip numbers.txt noise.bin)
split -d -a 3 --numeric-suffixes=1 -b 40000 "$work/b.zip" zip-and-split/parts/b.zip.
cp "$work/b.zip" zip-and-split/whole

folder uneven
bytes 12345 2 >uneven/whole
printf '%s\n' 001 002 003 004 005 | cut_parts uneven/whole uneven/parts/uneven.bin. 1 4096 77 8000

folder empty-part
bytes 3000 3 >empty-part/whole
printf '%s\n' 001 002 003 | cut_parts empty-part/whole empty-part/parts/empty.bin. 1500 0

folder one-byte-part
bytes 2001 4 >one-byte-part/whole
split -d -a 3 --numeric-suffixes=1 -b 1000 one-byte-part/whole one-byte-part/parts/one.bin.

folder zero-based
bytes 2600 6 >zero-based/whole
split -d -a 3 -b 1000 zero-based/whole zero-based/parts/zero.bin.

folder two-digit
bytes 2700 7 >two-digit/whole
split -d -a 2 --numeric-suffixes=1 -b 1000 two-digit/whole two-digit/parts/two.bin.

folder single-digit
bytes 2150 8 >single-digit/whole
seq 1 11 | cut_parts single-digit/whole single-digit/parts/single.bin. \
  200 200 200 200 200 200 200 200 200 200

# In a tar archive, since a Mac cannot check such names out.
folder non-utf8-name
rmdir non-utf8-name/parts
bytes 2500 9 >non-utf8-name/whole
name=$(printf 'caf\351-\377\376.bin')
split -d -a 3 --numeric-suffixes=1 -b 1000 non-utf8-name/whole "$work/$name."
tar -C "$work" --sort=name --owner=0 --group=0 --mtime=@1577836800 --format=gnu \
  -cf non-utf8-name/parts.tar "$name.001" "$name.002" "$name.003"
