#!/bin/sh
# Finds options of the command line in the library: only Sources/CleaveCLI spells them. The library says by
# a Remedy what may be done.
#
#     Scripts/options.sh
#
# Every line counts, but for what is behind //. Left out are the programs of others, in ForeignTool.swift,
# and the scripts that join parts, in Joiners.

cd "$(dirname "$0")/.." || exit 1

find Sources/Cleave -name '*.swift' ! -name ForeignTool.swift ! -path '*/Joiners/*' -exec awk '
  {
    text = $0
    sub(/(^|[ (])\/\/.*/, "", text)
    # A long one; a short one with a value, in a text.
    if (text ~ /(^|[^A-Za-z0-9-])--[a-z]/ || text ~ /"([^"]*[^A-Za-z0-9"])?-[a-z][ \\]/) {
      printf "%s:%d: names an option; a Remedy says what may be done: %s\n", FILENAME, FNR, $0
      found = 1
    }
  }
  END { exit found }
' {} + >&2
