#!/usr/bin/env bash
# Times every engine against cat on 1 GiB in four parts, and prints the medians.
#
#     Scripts/bench.sh [ROUNDS]
#
# A round runs each of them once, so that whatever else the machine does hits all alike. The parts
# are in the page cache. cat does not flush its output, so cleave is told not to, either; it does
# calculate its checksums meanwhile. The time is the whole process's, as a user would wait for it.

set -euo pipefail

rounds=${1:-5}
engines=(serial multiqueue zerocopy direct)
part_bytes=$((256 << 20))
needed=2200000  # KiB: the parts and one output

cd "$(dirname "$0")/.."
cleave=${CLEAVE_BINARY:-$PWD/.build/release/cleave}
sample=$PWD/.build/release/cleave-sample

mkdir -p .build
base=${TMPDIR:-.build}
directory=$(mktemp -d "$base/cleave-bench-XXXXXX")
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

free=$(df -Pk "$directory" | awk 'NR == 2 { print $4 }')
if ((free < needed)); then
  echo "bench: $((needed / 1000)) MB are needed in $base, $((free / 1000)) MB are free" >&2
  exit 1
fi

parts=("$directory"/in.{001,002,003,004})
for part in "${parts[@]}"; do "$sample" "$part_bytes" "$part"; done

with_cat() { cat "${parts[@]}" >"$directory/out"; }
with_cleave() { "$cleave" merge --engine "$1" --no-sync -q -o "$directory/out" "${parts[0]}"; }

# clock NAME COMMAND...: adds the seconds that the command takes to the file of that name.
clock() {
  local name=$1 TIMEFORMAT=%3R
  shift
  rm -f "$directory/out"
  { time "$@" 2>&3; } 3>&2 2>>"$directory/$name.seconds"
}

median() {
  sort -n "$directory/$1.seconds" |
    awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

export LC_ALL=C
echo "1 GiB in four parts, $rounds rounds, $(uname -sm), $(getconf _NPROCESSORS_ONLN) processors"
with_cat  # reads the parts into memory
for ((round = 1; round <= rounds; round++)); do
  clock cat with_cat
  for engine in "${engines[@]}"; do
    clock "$engine" with_cleave "$engine"
    cat "${parts[@]}" | cmp - "$directory/out"
  done
done

reference=$(median cat)
for name in cat "${engines[@]}"; do
  median "$name" | awk -v name="$name" -v reference="$reference" '
    { printf "%-12s %7.3f s %7.0f MiB/s %6.2f × cat\n", name, $1, 1024 / $1, $1 / reference }'
done
