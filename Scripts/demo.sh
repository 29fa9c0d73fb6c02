#!/bin/sh
# Splits a sample file and merges it again with every engine, compares the results with the
# original, and prints a table. `make demo` builds the programs first. Leaves nothing behind.

set -eu

SIZE=641144843
ENGINES='serial multiqueue zerocopy direct'
# The sample, its parts and one merged file, in KiB, and a little to spare.
NEEDED=2000000

cd "$(dirname "$0")/.."
cleave=$PWD/.build/release/cleave
sample=$PWD/.build/release/cleave-sample

# Absolute, since it is removed from inside.
base=${TMPDIR:-$PWD/.build/demo}
mkdir -p "$base"
base=$(cd "$base" && pwd)
directory=$(mktemp -d "$base/cleave-demo-XXXXXX")
own=$PWD/.build/demo
trap 'cd /; rm -rf "$directory"; rmdir "$own" 2>/dev/null || true' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

free=$(df -Pk "$directory" | awk 'NR == 2 { print $4 }')
if [ "$free" -lt "$NEEDED" ]; then
  echo "demo: $((NEEDED / 1000)) MB are needed in $base, $((free / 1000)) MB are free;" \
    "TMPDIR chooses another place" >&2
  exit 1
fi

# member NAME: the value of a member of the JSON object on standard input, its list of parts aside.
member() { sed -n 's/"parts":\[[^]]*\],//; s/.*"'"$1"'" *: *"\{0,1\}\([^",} ]*\).*/\1/p'; }

cd "$directory"
echo "Making a sample of $SIZE bytes …"
"$sample" "$SIZE" sample.bin

echo '$ cleave split -b 350M sample.bin'
"$cleave" split -b 350M sample.bin
ls -l sample.bin.*
echo

for engine in $ENGINES; do
  echo "\$ cleave merge --engine $engine -o merged.bin sample.bin.001"
  "$cleave" merge --engine "$engine" --json -o merged.bin sample.bin.001 >"$engine.json"
  cmp sample.bin merged.bin
  rm merged.bin
done

echo '$ cleave verify sample.bin.sfv'
"$cleave" verify sample.bin.sfv
echo

printf '%-12s %9s %9s %12s  %s\n' engine seconds MiB/s 'memory MiB' CRC-32
for engine in $ENGINES; do
  echo "$engine $(member seconds <"$engine.json") $(member bytes <"$engine.json")" \
    "$(member peakMemory <"$engine.json") $(member crc32 <"$engine.json")"
done | LC_ALL=C awk '{
  rate = $2 > 0 ? $3 / 1048576 / $2 : 0
  printf "%-12s %9.3f %9.0f %12.1f  %s\n", $1, $2, rate, $4 / 1048576, $5
}'
echo
echo "Every merged file was compared with the sample, byte for byte: no difference."
