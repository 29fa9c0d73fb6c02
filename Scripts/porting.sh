#!/bin/sh
# Compares the Swift files that have a branch for some systems alone with docs/porting.md, which lists
# every such branch: nobody has compiled it.
#
#     Scripts/porting.sh
#
# In a file, each `#if` with os, canImport, arch or targetEnvironment counts. In the document, each item of
# a list and each row of a table counts that begins with the file's name in backquotes.

set -eu

cd "$(dirname "$0")/.."

found=$(mktemp)
trap 'rm -f "$found"' EXIT
grep -rE --include='*.swift' '^ *#if .*(os|canImport|arch|targetEnvironment)\(' Sources |
  sed 's|^Sources/\([^:]*\):.*|\1|' | sort >"$found"

sed -nE 's/^(-|\|) `([A-Za-z]+\/[^`]+\.swift)`.*/\2/p' docs/porting.md |
  awk -v found="$found" '
    BEGIN { while ((getline file < found) > 0) there[file]++ }
    { listed[$0]++ }
    END {
      for (file in there) if (there[file] != listed[file]) wrong[file]
      for (file in listed) if (there[file] != listed[file]) wrong[file]
      for (file in wrong) {
        printf "Sources/%s: has %d branches for some systems, and docs/porting.md lists %d\n",
          file, there[file], listed[file]
        status = 1
      }
      exit status
    }' >&2
