#!/usr/bin/env bash
# Prints what every engine asks of the system to split a file into four parts and to merge them
# again: counts, which hardly change with what else the machine does. Linux with glibc.
#
#     Scripts/counts.sh [OPTION]...
#
# The options go to cleave, such as --high-water 64K. The same work at 16 and at 64 MiB tells what
# each MiB costs from what is paid once; of three rounds each, the least counts. The numbers are
# explained in Tests/CountShim/count-shim.c; their limits are in CommandLineTests/CountLimit.swift.

set -euo pipefail

rounds=3
sizes=(16 64)
engines=(serial multiqueue zerocopy direct)

cd "$(dirname "$0")/.."
cleave=$(realpath "${CLEAVE_BINARY:-.build/release/cleave}")
sources=$PWD/Tests/CountShim

if ! getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
  echo "counts: only on Linux with glibc" >&2
  exit 1
fi

# Short names and no links: long paths cost allocations, and the shim compares them with real ones.
directory=$(realpath "$(mktemp -d "${TMPDIR:-/tmp}/cleave-counts-XXXXXX")")
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

cc -std=gnu11 -O1 -shared -fPIC -o "$directory/shim.so" "$sources"/*.c -ldl -pthread
cd "$directory"
mkdir work

# count SIZE ENGINE COMMAND ARGUMENT...: runs cleave, and adds a line to the file `counts`.
count() {
  local size=$1 engine=$2 command=$3
  shift 3
  (
    cd work
    LD_PRELOAD=../shim.so CLEAVE_COUNTS=../count CLEAVE_COUNTS_BELOW="$directory/work" \
      "$cleave" "$command" -q --no-sync --engine "$engine" "$@"
  )
  echo "$command $engine $size $(tr -d '{}"' <count | tr , ' ')" >>counts
}

for engine in "${engines[@]}"; do
  for size in "${sizes[@]}"; do
    for ((round = 1; round <= rounds; round++)); do
      head -c "$((size << 20))" /dev/zero >work/whole
      count "$size" "$engine" split "$@" -b "$((size / 4))M" whole
      count "$size" "$engine" merge "$@" -o again whole.001
      rm work/*
    done
  done
done

echo "$("$cleave" --version | head -1), $(uname -sm), $(getconf _NPROCESSORS_ONLN) processors"
LC_ALL=C awk -v engines="${engines[*]}" -v small="${sizes[0]}" -v large="${sizes[1]}" '
  {
    for (field = 4; field <= NF; field++) {
      split($field, pair, ":")
      place = $1 " " $2 " " $3 " " pair[1]
      if (!(place in least) || pair[2] < least[place]) least[place] = pair[2]
    }
  }

  # Of the engine in the row, the size and all counts that are named.
  function sum(names, size,    list, number, total) {
    number = split(names, list, " ")
    for (total = 0; number > 0; number--) total += least[row " " size " " list[number]]
    return total
  }
  function each(names) { return (sum(names, large) - sum(names, small)) / (large - small) }
  function once(names) { return sum(names, small) - each(names) * small }

  function table(command,    list, number, i) {
    printf "\n%-10s %8s %6s %6s %6s %11s %8s %6s %8s %7s %11s %8s\n", command, "calls", \
      "reads", "writes", "copied", "allocations", "KiB", "faults", "switches", "once", \
      "allocations", "peak"
    number = split(engines, list, " ")
    for (i = 1; i <= number; i++) {
      row = command " " list[i]
      printf "%-10s %8.2f %6.2f %6.2f %6.2f %11.2f %8.2f %6.1f %8.2f %7.0f %11.0f %8.1f\n", \
        list[i], each(calls), each("reads"), each("writes"), \
        each("readBytes writeBytes copyBytes") / 1048576, each("allocations"), \
        each("allocatedBytes") / 1024, each("faults"), each("switches"), once(calls), \
        once("allocations"), sum("peakResidentBytes", large) / 1048576
    }
  }
  END {
    calls = "reads writes copies otherTransfers opens closes stats seeks maps advice reservations" \
      " flushes controls"
    print "Per MiB: system calls, of which reads and writes, bytes copied by calls for each byte,"
    print "allocations and their KiB, page faults, context switches. Once: calls, allocations."
    print "Peak memory in MiB for", large, "MiB."
    table("split")
    table("merge")
  }' counts
