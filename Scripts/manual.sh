#!/bin/sh
# Writes what belongs to the program beside it: manual pages and completions, made from its own tables.
#
#     Scripts/manual.sh PROGRAM DIRECTORY
#
# writes DIRECTORY/man/*.1, DIRECTORY/completions/cleave.bash, _cleave and cleave.fish. The pages have the date
# of the last commit, or of SOURCE_DATE_EPOCH, so that what is made twice is the same.

set -eu

program=$1
directory=$2

if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git -C "$(dirname "$0")" log -1 --format=%ct 2>/dev/null || date +%s)
fi
export SOURCE_DATE_EPOCH

mkdir -p "$directory/man" "$directory/completions"
"$program" help --manual >"$directory/man/cleave.1"
# The page of the program names all others.
for page in $(sed -n 's/^\.Xr \(cleave-[a-z]*\) 1.*/\1/p' "$directory/man/cleave.1"); do
  "$program" help --manual "${page#cleave-}" >"$directory/man/$page.1"
done
"$program" completions bash >"$directory/completions/cleave.bash"
"$program" completions zsh >"$directory/completions/_cleave"
"$program" completions fish >"$directory/completions/cleave.fish"
