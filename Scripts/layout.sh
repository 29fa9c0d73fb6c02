#!/usr/bin/env bash
# Writes the names of the functions that common work calls, those of most kinds of work first: the linker puts them
# side by side by it.
#
#     Scripts/layout.sh PROGRAM FILE
#
# The program is traced by valgrind. Where that tells other names than FILE has, the program is removed, which is to
# be linked again; where FILE is missing (see linking.sh) or newer than the program, nothing is done.

set -euo pipefail

[ -f "$2" ] && [ "$1" -nt "$2" ] || exit 0
program=$(realpath "$1")
file=$(realpath "$2")

directory=$(mktemp -d "${TMPDIR:-/tmp}/cleave-layout-XXXXXX")
trap 'rm -rf "$directory"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# valgrind cannot read all that the linker has for debuggers.
strip --strip-debug -o "$directory/cleave" "$program"
mkdir "$directory/work"
cd "$directory/work"
traces=0

# trace ARGUMENT...: runs the program, and keeps the names of the functions that it calls.
trace() {
  traces=$((traces + 1))
  valgrind --tool=callgrind --demangle=no --callgrind-out-file=../calls ../cleave "$@" \
    >/dev/null 2>../messages </dev/null || {
    echo "layout: valgrind cannot trace it; functions stay where they are" >&2
    exit 0
  }
  # `fn=(12) name`, or `cfn=`, where a name is first met; `name'2` where it calls itself.
  sed -n "s/^c\{0,1\}fn=([0-9]*) \([^']*\).*/\1/p" ../calls | sort -u >"../names.$traces"
}

# Some windows long.
head -c 3000000 "$program" >film
echo "layout: looking which functions common work calls"
trace --version
trace split --bytes 1M film
rm film
for engine in auto serial multiqueue zerocopy; do
  trace merge --force --engine "$engine" --output again film.001
done
trace merge --force --resume --output again film.001
trace merge --dry-run .
trace verify film.001
trace info film.001
trace cat film.001

LC_ALL=C sort ../names.* | uniq -c | LC_ALL=C sort -k1,1nr -k2 | sed 's/^ *[0-9]* //' >../layout
cmp -s ../layout "$file" && exit
mv ../layout "$file"
rm "$program"
