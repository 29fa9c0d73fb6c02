#!/bin/sh
# Runs the tests, and tells at the end how many were skipped, and why, and once more what failed.
#
#     Scripts/test.sh COMMAND ...
#
# The exit code is the command's.
#
# Where TMPDIR is not set and there are 4 GiB for it, the files that tests make are in memory: on a disk
# they take a third longer.

set -u

memory=/dev/shm
if [ -z "${TMPDIR:-}" ] && [ -w "$memory" ] && [ -r /proc/meminfo ]; then
  free=$({
    df -Pk "$memory" | awk 'NR == 2 { print $4 }'
    awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo
  } | sort -n | head -n 1)
  [ "${free:-0}" -lt 4194304 ] || export TMPDIR="$memory"
fi

# What is left behind goes with it.
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/tests-XXXXXX")
chmod 711 "$TMPDIR"
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
log=$TMPDIR/log
{ "$@" 2>&1; echo "$?" >"$log.code"; } | tee "$log"
code=$(cat "$log.code")

# Tests with a condition, and those that find out when they run.
reasons=$(sed -n \
  -e 's/^.* Test .* skipped: "\(.*\)"$/\1/p' \
  -e 's/^skipped: //p' \
  -e 's/^\(tests on .*\) are skipped: /\1: /p' \
  -e '/^not checked by /p' "$log" | sort | uniq -c | sort -rn)
if [ -n "$reasons" ]; then
  printf 'skipped: %s\n%s\n' "$(printf '%s\n' "$reasons" | awk '{ n += $1 } END { print n }')" "$reasons"
else
  echo "skipped: 0"
fi
# The end of a long log is what people are shown.
[ "$code" -eq 0 ] || grep -A 4 '✘.*recorded an issue' "$log" | cut -c 1-600 | tail -n 60
exit "$code"
