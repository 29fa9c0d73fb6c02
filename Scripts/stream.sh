#!/bin/bash
# Sends a stream through split and merge, which keep nothing of it, and prints the most memory that either took;
# then times merge and cat, in pairs, over parts in memory.
#
#     Scripts/stream.sh [GIB] [ROUNDS]     20 and 9; CLEAVE_BINARY names the program
#
# Needs 1 GiB of room in /dev/shm.

set -eu

cleave=$(realpath "${CLEAVE_BINARY:-.build/release/cleave}")
gib=${1:-20} rounds=${2:-9}
work=$(mktemp -d /dev/shm/cleave-stream-XXXXXX)
trap 'rm -rf "$work"' EXIT
cd "$work"

# KiB of a process that runs, at most.
peak() { awk '/^VmHWM/ { print $2 }' "/proc/$1/status" 2>/dev/null || true; }

watch() {
  local found
  while kill -0 "$1" 2>/dev/null; do
    found=$(peak "$1")
    [ -z "$found" ] || echo "$found" > "$2"
    sleep 0.1
  done
}

mkfifo first second
head -c "${gib}G" /dev/zero > first &
"$cleave" split -q -b 1G --filter=cat - part < first > second &
split=$!
start=$(date +%s%N)
"$cleave" merge -q -o - - < second > >(wc -c > count) &
merge=$!
watch $split split.kib &
watch $merge merge.kib &
wait $split $merge
end=$(date +%s%N)
wait
while [ ! -s count ]; do sleep 0.1; done
[ "$(cat count)" = $((gib << 30)) ] || { echo "$(cat count) bytes came out" >&2; exit 1; }
echo "$gib GiB through split --filter=cat | merge in $(((end - start) / 1000000)) ms:" \
  "split $(cat split.kib) KiB, merge $(cat merge.kib) KiB at most"

rm -f -- *
head -c 1G /dev/urandom > whole
"$cleave" split -q -b 128M --no-sync whole && rm whole

# Milliseconds that a command takes with a reader behind it.
timed() {
  local start=$(date +%s%N)
  "$@" | cat > /dev/null
  echo $((($(date +%s%N) - start) / 1000000))
}

for _ in $(seq "$rounds"); do
  timed cat whole.0?? >> cat.ms
  timed "$cleave" merge -q -o - whole.001 >> merge.ms
  timed "$cleave" merge -q --manifest=none --verify=none -o - whole.001 >> none.ms
done

for name in cat merge none; do
  sort -n $name.ms | awk -v name=$name '{ t[NR] = $1 } END {
    at = int((NR + 3) / 4); printf "%-6s", name
    printf " %5d ms, quartiles %d to %d\n", t[int((NR + 1) / 2)], t[at], t[NR + 1 - at]
  }'
done
