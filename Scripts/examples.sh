#!/usr/bin/env bash
# Builds the programs in Examples, and looks at what they do with real parts.
#
# usage: examples.sh SWIFT CLEAVE

set -euo pipefail

swift=$1
cleave=$(realpath "$2")
scratch=$PWD/.build/examples
"$swift" build --package-path Examples --scratch-path "$scratch" --quiet -Xswiftc -warnings-as-errors
bin=$("$swift" build --package-path Examples --scratch-path "$scratch" --show-bin-path)

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

fail() {
  echo "examples: $1" >&2
  exit 1
}

head -c 50000000 /dev/urandom >film
cp film whole
"$cleave" split --quiet -b 20000000 film
rm film

"$bin/verify" film.001 >told || fail "verify does not take right parts"
grep -q '^film.003: OK$' told || fail "verify does not tell of every part"

"$bin/merge" film.001 film >told
cmp -s film whole || fail "merge does not make the whole"
grep -q 'as in film.sfv$' told || fail "merge does not tell the verdict"
rm film

# What an interrupted run has left is gone on with.
"$cleave" merge --quiet --resume --checkpoint=1M film.001 &
sleep 0.05
kill -KILL $! 2>/dev/null || true
wait $! 2>/dev/null || true
rm -f film
"$bin/merge" film.001 film >told || fail "merge does not go on"
cmp -s film whole || fail "merge goes on wrongly"
rm film

before=$(ls -A)
# Cancelled before the first byte counts.
"$bin/merge" film.001 film 0 >told
[ "$(tail -n 1 told)" = cancelled ] || [ -e film ] || fail "merge was neither cancelled nor done"
rm -f film
[ "$(ls -A)" = "$before" ] || fail "a cancelled merge leaves something: $(ls -A)"

"$bin/split-to-stream" whole 20000000 2 | cmp -s - film.002 || fail "the stream is not part 2"

"$bin/own-engine" film.001 film >told
cmp -s film whole || fail "an engine of one's own does not make the whole"

# Of random bytes, one may be what it shall become.
printf 'not what it was' | dd of=film.002 bs=1 seek=7 conv=notrunc status=none
if "$bin/verify" film.001 >told; then fail "verify takes a wrong part"; fi
echo "examples: right"
