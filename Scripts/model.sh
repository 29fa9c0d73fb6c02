#!/bin/bash
# Checks the model of consuming, docs/consume.pml, with spin; then that it fails where something is taken
# out of it. Prints a line for each. See docs/consume.md.
#
# usage: Scripts/model.sh [WORD]     only the lines whose name or flags contain WORD
set -u
model=$(cd "$(dirname "$0")/../docs" && pwd)/consume.pml
for tool in spin gcc; do
  command -v $tool > /dev/null || { echo "$tool is missing: apt-get install -y spin gcc" >&2; exit 69; }
done
work=$(mktemp -d) || exit 73
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 73
failures=0

# check EXPECTED NAME FLAG...: EXPECTED is "holds" or "breaks"
check() {
  local expected=$1 name=$2 found states seconds
  shift 2
  [[ "$name $*" == *"$word"* ]] || return 0
  rm -f pan* ./*.trail
  if ! spin -a "$@" "$model" > spin.out 2>&1 || ! [ -s pan.c ]; then
    cat spin.out >&2
    exit 70
  fi
  gcc -O1 -w -DSAFETY -DCOLLAPSE -DMEMLIM=2000 -o pan pan.c || exit 70
  timeout 120 ./pan -m1000000 > out 2>&1
  found=unclear
  if grep -q 'errors: 0$' out; then found=holds; fi
  if grep -q 'assertion violated' out && ls ./*.trail > /dev/null 2>&1; then found=breaks; fi
  # What was not searched to its end proves nothing.
  if [ $found = holds ] && grep -qE 'max search depth|not completed|out of memory' out; then
    found=unclear
  fi
  states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' out)
  seconds=$(sed -n 's/.*elapsed time \([0-9.]*\).*/\1/p' out)
  local mark=ok
  if [ $found != "$expected" ]; then mark=WRONG; failures=$((failures + 1)); fi
  printf '%-5s  %-6s  %9s states  %6s s  %s [%s]\n' $mark $found "$states" "$seconds" "$name" "$*"
}

word=${1:-}

echo "# the protocol"
check holds "parts, three crashes" -DCRASHES=3
check holds "a bad part, put right or taken as it is" -DBAD_PART -DCRASHES=3
check holds "a flush that fails" -DFLUSH_FAILS
check holds "the journal is compacted" -DCOMPACT -DCRASHES=3
check holds "a bad part, a failing flush and compaction" -DBAD_PART -DFLUSH_FAILS -DCOMPACT
check holds "a device that does not flush: may end early, never wrong" -DUNHONEST
check holds "holes before names on P, any time accepted" -DUNORDERED -DANY_MTIME -DCRASHES=3
check holds "holes before names on P, the other name flushed before a hole" -DUNORDERED -DFLUSH_REST -DCRASHES=3

echo "# something is taken out"
check breaks "no flush of the temporary" -DTEMPORARY_UNFLUSHED
check breaks "no flush of the directory before an entry" -DDIRECTORY_UNFLUSHED
check breaks "no flush of the journal's header" -DHEADER_UNFLUSHED -DCRASHES=3
check breaks "no flush of the journal after an entry" -DROUND_UNFLUSHED
check breaks "freed before it is entered" -DFREE_FIRST
check breaks "going on does not flush the journal" -DGOON=0
check breaks "going on flushes, but does not write again, after a failed flush" -DGOON=1 -DFLUSH_FAILS
check breaks "no publish line" -DNO_PUBLISH_LINE
check breaks "no flush of the publish line" -DPUBLISH_UNFLUSHED
check breaks "no flush of the directory after publication" -DNAME_UNFLUSHED
check breaks "journal removed before that flush" -DREMOVE_FIRST
check breaks "no comparison with the temporary, device does not flush" -DNO_COMPARE -DUNHONEST
check breaks "no look for holes, device does not flush" -DNO_HOLE_CHECK -DUNHONEST
check breaks "bad part: what was put in its place is not flushed" -DBAD_PART -DPUT_UNFLUSHED
check breaks "bad part: giving back is not flushed" -DBAD_PART -DBACK_UNFLUSHED
check breaks "bad part: the journal keeps the old inode" -DBAD_PART -DOLD_IDENTITY
check breaks "compaction: new journal not flushed" -DCOMPACT -DCOMPACT_UNFLUSHED
check breaks "compaction between the directory's flush and the entry" -DCOMPACT -DCOMPACT_LATE
check breaks "compaction, directory flushed in the first round only" -DCOMPACT -DDIRECTORY_ONCE
check breaks "holes before names on P, own time wanted" -DUNORDERED

echo "# taken out, and not missed"
check holds "directory flushed in the first round only" -DDIRECTORY_ONCE -DCRASHES=3
check holds "going on flushes the journal once, where no flush fails" -DGOON=1 -DCRASHES=3
check holds "no comparison with the temporary, device flushes" -DNO_COMPARE -DCRASHES=3
check holds "no look for holes, device flushes" -DNO_HOLE_CHECK -DCRASHES=3

if [ $failures != 0 ]; then
  echo "$failures not as expected" >&2
  exit 1
fi
