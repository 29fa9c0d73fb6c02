#!/bin/sh
# Runs the tests, and tells at the end how many were skipped, and why, and once more what failed.
#
#     Scripts/test.sh COMMAND ...
#
# The exit code is the command's.

set -u

log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ "$@" 2>&1; echo "$?" >"$log.code"; } | tee "$log"
code=$(cat "$log.code")
rm -f "$log.code"

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
