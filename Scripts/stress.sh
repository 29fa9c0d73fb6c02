#!/usr/bin/env bash
# Merges 1,000 random series in a row, with the engines in turn and random limits, and compares
# each result with cat's.
#
#     Scripts/stress.sh [SEED [ROUNDS]]
#
# The same seed gives the same series with the same version of bash. Ends with 1 if anything failed, and says with which options.

set -uo pipefail

seed=${1:-1}
rounds=${2:-1000}
engines=(serial multiqueue zerocopy direct)
most_parts=40
most_bytes=300000

cd "$(dirname "$0")/.." || exit 1
cleave=${CLEAVE_BINARY:-$PWD/.build/release/cleave}
sample=$PWD/.build/release/cleave-sample

directory=$(mktemp -d "${TMPDIR:-/tmp}/cleave-stress-XXXXXX") || exit 1
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# A merge that hangs would stop the test for ever. macOS has no timeout(1).
limit=()
if command -v timeout >/dev/null; then limit=(timeout -s KILL 30); fi

# below N: sets `number` to a random one from 0 to N - 1. RANDOM itself gives 15 bits.
below() { number=$(((RANDOM << 15 | RANDOM) % $1)); }

# Parts are pieces of one file of random bytes, so that making them costs little.
pool_bytes=4000000
"$sample" "$pool_bytes" "$directory/pool" || exit 1

# make_series: random parts in $directory/in, and what they make in $directory/whole.
make_series() {
  rm -rf "$directory/in" "$directory/out"
  mkdir "$directory/in" "$directory/out"
  below $most_parts
  parts=$((number + 1))
  local part name
  for ((part = 1; part <= parts; part++)); do
    printf -v name '%s/in/file.%03d' "$directory" "$part"
    make_part "$name"
  done
  cat "$directory"/in/file.* >"$directory/whole"
}

# Every eighth part is empty or tiny, since that is where ends and limits meet.
make_part() {
  local size
  below 8
  if ((number == 0)); then below 3; else below $((most_bytes + 1)); fi
  size=$number
  below $((pool_bytes - most_bytes))
  tail -c "+$((number + 1))" "$directory/pool" 2>/dev/null | head -c "$size" >"$1"
}

# choose_options: random limits, from one byte to more than a part.
choose_options() {
  local high=1
  options=(--engine "${engines[$((round % ${#engines[@]}))]}" --no-sync -q)
  below 3
  if ((number > 0)); then
    below 400000
    high=$((number + 1))
    options+=(--high-water $high)
  fi
  below 3
  if ((number > 0)); then
    below 1000000
    options+=(--window $((high + number)))
  fi
}

# problem: says what is wrong after a merge that ended with the status $1; nothing if all is well.
problem() {
  if (($1 == 137)); then
    echo "hung, or was killed"
  elif (($1 != 0)); then
    echo "exit $1: $(head -c 300 "$directory/error")"
  elif ! cmp -s "$directory/out/file" "$directory/whole"; then
    echo "the merged file is wrong"
  elif [ "$(ls -A "$directory/out")" != file ]; then
    echo "left behind: $(ls -A "$directory/out" | tr '\n' ' ')"
  fi
}

RANDOM=$seed
passed=0
failed=0
echo "stress: $rounds merges, seed $seed"
for ((round = 1; round <= rounds; round++)); do
  make_series
  choose_options
  "${limit[@]+"${limit[@]}"}" "$cleave" merge "${options[@]}" -o "$directory/out/file" \
    "$directory/in/file.001" >/dev/null 2>"$directory/error"
  complaint=$(problem $?)
  if [ -z "$complaint" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "round $round, $parts parts, ${options[*]}: $complaint"
  fi
  if ((round % 100 == 0)); then echo "$round: $passed passed, $failed failed"; fi
done
echo "stress: seed $seed: $passed passed, $failed failed"
((failed == 0))
