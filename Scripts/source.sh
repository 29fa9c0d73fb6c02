#!/bin/sh
# Makes cleave-VERSION.tar.gz, the sources as of the last commit, and what builds packages of it elsewhere: cleave.spec
# for RPM and cleave.rb for Homebrew.
#
#     Scripts/source.sh [DIRECTORY]      .build by default
#
# URL is where the archive will be fetched from, by default where it lies now, and HOMEPAGE the project's page. The
# same commit makes the same files.

set -eu

directory=${1:-.build}
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
cd "$(dirname "$0")/.."

date=$(git log -1 --format=%ct) || {
  echo "source.sh: takes the sources from git, and this is no clone" >&2
  exit 69
}
version=$(git show HEAD:Sources/Cleave/Version.swift | sed -n 's/.*cleaveVersion = "\(.*\)"/\1/p')
name=cleave-$version
archive=$directory/$name.tar.gz
git archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$archive"

sum=$(sha256sum "$archive" 2>/dev/null || shasum -a 256 "$archive")
# Of GNU date, and of macOS.
day=$(LC_ALL=C date -u -d "@$date" '+%a %b %d %Y' 2>/dev/null || LC_ALL=C date -u -r "$date" '+%a %b %d %Y')
# What sed would take for something else.
plain() { printf '%s' "$1" | sed 's/[&|\\]/\\&/g'; }
url=$(plain "${URL:-file://$archive}")
home=$(plain "${HOMEPAGE:-}")
for file in Packaging/*.in; do
  made=$directory/$(basename "$file" .in)
  sed -e "s|@VERSION@|$version|g; s|@DATE@|$date|g; s|@DAY@|$day|g; s|@SHA256@|${sum%% *}|g" \
    -e "s|@URL@|$url|g; s|@HOMEPAGE@|$home|g; /homepage \"\"/d" "$file" >"$made"
  echo "$made"
done
echo "$archive"
