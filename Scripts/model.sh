#!/bin/bash
# Checks the models of consuming, docs/consume.pml and docs/consume-tail.pml, with spin; then that they fail where
# something is taken out of them. Prints a line for each. See docs/consume.md.
#
# usage: Scripts/model.sh [WORD]     only the lines whose model, name or flags contain WORD
set -u
docs=$(cd "$(dirname "$0")/../docs" && pwd) || exit 66
for tool in spin gcc; do
  command -v $tool > /dev/null || { echo "$tool is missing: apt-get install -y spin gcc" >&2; exit 69; }
done
work=$(mktemp -d) || exit 73
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 73
processors=$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)
number=0

# section TEXT: what follows is about that
section() {
  report
  echo "# $1"
}

# Prints the lines that are still to come, as they were asked for.
report() {
  wait
  cat ./*.line 2> /dev/null | tee -a all
  rm -f ./*.line
}

# check EXPECTED NAME FLAG...: EXPECTED is "holds" or "breaks"; looks at $model, beside other checks
check() {
  local expected=$1 name=$2
  shift 2
  [[ "$model: $name $*" == *"$word"* ]] || return 0
  while [ "$(jobs -rp | wc -l)" -ge "$processors" ]; do wait -n; done
  number=$((number + 1))
  run "$(printf %03d $number)" "$expected" "$name" "$@" &
}

# run NUMBER EXPECTED NAME FLAG...
run() {
  local number=$1 expected=$2 name=$3 found=unclear mark=ok states seconds
  shift 3
  mkdir "$number" && cd "$number" || exit 73
  if ! spin -a "$@" "$docs/$model.pml" > spin.out 2>&1 || ! [ -s pan.c ]; then
    cat spin.out >&2
  # To compile well takes longer than most of the searches.
  elif gcc -O0 -w -DSAFETY -DCOLLAPSE -DMEMLIM=2000 -o pan pan.c; then
    timeout 120 ./pan -m1000000 > out 2>&1
    if grep -q 'errors: 0$' out; then found=holds; fi
    if grep -q 'assertion violated' out && ls ./*.trail > /dev/null 2>&1; then found=breaks; fi
    # What was not searched to its end proves nothing.
    if [ $found = holds ] && grep -qE 'max search depth|not completed|out of memory' out; then
      found=unclear
    fi
    states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' out)
    seconds=$(sed -n 's/.*elapsed time \([0-9.]*\).*/\1/p' out)
  fi
  if [ $found != "$expected" ]; then mark=WRONG; fi
  printf '%-5s  %-6s  %9s states  %6s s  %s [%s]\n' $mark $found "${states:-}" "${seconds:-}" "$name" "$*" \
    > "../$number.line"
  cd .. && rm -rf "$number"
}

word=${1:-}

model=consume
section "merge --consume: the protocol"
check holds "parts, three crashes" -DCRASHES=3
check holds "a bad part, put right or taken as it is" -DBAD_PART -DCRASHES=3
check holds "a flush that fails" -DFLUSH_FAILS
check holds "the journal is compacted" -DCOMPACT -DCRASHES=3
check holds "a bad part, a failing flush and compaction" -DBAD_PART -DFLUSH_FAILS -DCOMPACT
check holds "a device that does not flush: may end early, never wrong" -DUNHONEST
check holds "holes before names on P, any time accepted" -DUNORDERED -DANY_MTIME -DCRASHES=3
check holds "holes before names on P, the other name flushed before a hole" -DUNORDERED -DFLUSH_REST -DCRASHES=3

section "merge --consume: something is taken out"
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

section "merge --consume: taken out, and not missed"
check holds "directory flushed in the first round only" -DDIRECTORY_ONCE -DCRASHES=3
check holds "going on flushes the journal once, where no flush fails" -DGOON=1 -DCRASHES=3
check holds "no comparison with the temporary, device flushes" -DNO_COMPARE -DCRASHES=3
check holds "no look for holes, device flushes" -DNO_HOLE_CHECK -DCRASHES=3

model=consume-tail
section "split --consume: the protocol"
check holds "rounds of a block, three crashes" -DCRASHES=3
check holds "rounds of any length" -DWIDE -DCRASHES=3
check holds "no holes on P" -DNO_PUNCH -DCRASHES=3
check holds "a flush that fails" -DFLUSH_FAILS -DWIDE
check holds "the journal is compacted" -DCOMPACT -DCRASHES=3
check holds "a failing flush and compaction" -DFLUSH_FAILS -DWIDE -DCOMPACT
check holds "another program writes to the source between two runs" -DWRITER -DCRASHES=3
check holds "a device that does not flush: may end early, never wrong" -DUNHONEST -DWIDE

section "split --consume: something is taken out"
check breaks "no flush of the temporaries" -DTEMPORARY_UNFLUSHED
check breaks "no flush of the directory before an entry" -DDIRECTORY_UNFLUSHED
check breaks "directory flushed in the first round only" -DDIRECTORY_ONCE
check breaks "no flush of the journal's header" -DHEADER_UNFLUSHED -DCRASHES=3
check breaks "no flush of the journal after an entry" -DROUND_UNFLUSHED
check breaks "cut off before it is entered" -DFREE_FIRST
check breaks "cut off under its own name" -DNO_REST
check breaks "no flush of the other name before the first cut" -DREST_UNFLUSHED
check breaks "going on does not flush the journal" -DGOON=0
check breaks "going on flushes, but does not write again, after a failed flush" -DGOON=1 -DFLUSH_FAILS
check breaks "the same without a failed flush, rounds of any length" -DGOON=1 -DWIDE
check breaks "going on does not flush the directory of the new journal" -DGOON_NAME_UNFLUSHED -DCOMPACT
check breaks "going on does not cut off again what was entered" -DNO_FREEING_AGAIN
check breaks "the same, and the size of what is left is not compared" -DNO_FREEING_AGAIN -DNO_SIZE
check breaks "no flush of what is left, before it is the first part" -DLEFT_UNFLUSHED
check breaks "what is left is not entered" -DLEFT_NOT_ENTERED
check breaks "no publish line" -DNO_PUBLISH_LINE
check breaks "no flush of the publish line" -DPUBLISH_UNFLUSHED
check breaks "no flush of the directory after publication" -DNAME_UNFLUSHED
check breaks "journal removed before that flush" -DREMOVE_FIRST
check breaks "compaction: new journal not flushed" -DCOMPACT -DCOMPACT_UNFLUSHED
check breaks "compaction: directory not flushed" -DCOMPACT -DCOMPACT_NAME_UNFLUSHED
check breaks "no comparison with the temporaries, device does not flush" -DNO_COMPARE -DUNHONEST
check breaks "no look for holes, device does not flush" -DNO_HOLE_CHECK -DUNHONEST
check breaks "size of a published first part not compared, device does not flush" -DNO_FINAL_SIZE -DUNHONEST
check breaks "no comparison with what is still in the source, which another program wrote to" -DNO_SAME -DWRITER
check breaks "no comparison of what is left with its entry, which another program wrote to" -DNO_COMPARE_LEFT -DWRITER

section "split --consume: taken out, and not missed"
check holds "no flush of the other name, P keeps the order of names and sizes" -DREST_UNFLUSHED -DORDERED -DCRASHES=3
check holds "no flush of the header, the journal's lines get to O in order" -DHEADER_UNFLUSHED -DIN_ORDER -DCRASHES=3
check holds "going on flushes the journal once, where no flush fails" -DGOON=1 -DCRASHES=3
check holds "no flush of the directory before what is left is entered" -DLEFT_NAME_UNFLUSHED -DCOMPACT -DCRASHES=3
check holds "no flush of the journal after what is left is entered" -DLEFT_ENTRY_UNFLUSHED -DCOMPACT -DCRASHES=3
check holds "size of what is left not compared" -DNO_SIZE -DCRASHES=3
check holds "the same, another program writes" -DNO_SIZE -DWRITER
check holds "the same, device does not flush" -DNO_SIZE -DUNHONEST
check holds "size and time under its own name not compared" -DNO_OWN_CHECK -DCRASHES=3
check holds "the same, another program writes" -DNO_OWN_CHECK -DWRITER
check holds "the same, device does not flush" -DNO_OWN_CHECK -DUNHONEST
check holds "no comparison with the temporaries, device flushes" -DNO_COMPARE -DCRASHES=3
check holds "no look for holes, device flushes" -DNO_HOLE_CHECK -DCRASHES=3
check holds "size of a published first part not compared, device flushes" -DNO_FINAL_SIZE -DCRASHES=3
check holds "no comparison with what is still in the source, nobody writes" -DNO_SAME -DCRASHES=3
check holds "no comparison of what is left with its entry, nobody writes" -DNO_COMPARE_LEFT -DCRASHES=3

# Nothing is lost by these: going on would refuse, though it need not. See docs/consume.md.
section "split --consume: a run that fails before anything counts removes what it has made"
check holds "journal first, and the directory flushed before the temporaries go" -DFLUSH_FAILS -DCLEANS
check breaks "the directory not flushed in between; a power loss" -DFLUSH_FAILS -DCLEANS -DREMOVAL_UNFLUSHED
check holds "the same; a kill" -DFLUSH_FAILS -DCLEANS -DREMOVAL_UNFLUSHED -DKILLS
check breaks "temporaries first; a kill" -DFLUSH_FAILS -DCLEANS -DTEMPORARIES_FIRST -DKILLS
check holds "temporaries first, and going on begins anew where the source is whole" -DFLUSH_FAILS -DCLEANS -DTEMPORARIES_FIRST -DGOES_BACK
check breaks "a whole line behind a torn one is damage, also in the last append" -DSTRICT
check holds "the same, the journal's lines get to O in order" -DSTRICT -DIN_ORDER -DCRASHES=3

report
# Who asks for a word that is nowhere has checked nothing.
[ -s all ] || exit 64
# A check that could not run has no line.
failures=$((number - $(grep -c '^ok' all)))
if [ "$failures" != 0 ]; then
  echo "$failures not as expected" >&2
  exit 1
fi
